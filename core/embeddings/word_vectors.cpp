// SPDX-License-Identifier: MIT
#include "core/embeddings/word_vectors.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <span>

#include "core/numbers/work_budget.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::core {
namespace {

std::string placed(const std::string& file, std::size_t line, std::size_t column,
                   const std::string& message) {
  if (line == 0) return file + ": " + message;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message;
}

constexpr double max_size = 1e100;  // so that inner products do not overflow
constexpr std::string_view blanks = " \t";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t from = line.find_first_not_of(blanks); from != std::string_view::npos;) {
    const std::size_t to = std::min(line.find_first_of(blanks, from), line.size());
    words.push_back(line.substr(from, to - from));
    from = line.find_first_not_of(blanks, to);
  }
  return words;
}

template <class Number>
std::optional<Number> number_in(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(std::istream& in, std::string file, const WordVectorLimits& limits)
      : in_(in), file_(std::move(file)), limits_(limits) {}

  WordVectors read() {
    while (next_line()) {
      const auto words = words_of(line_);
      if (!words.empty() && !read_header(words)) read_vector(words);
    }
    if (in_.bad()) throw WordVectorError(file_, 0, 0, "reading failed");
    if (names_.empty()) fail(line_number_ + 1, 1, "the file has no vectors");
    if (expected_ && *expected_ != names_.size())
      fail(1, 1,
           "the header states " + std::to_string(*expected_) + " vectors, but the file has " +
               std::to_string(names_.size()));
    const auto d = static_cast<Index>(*dimensions_);
    return {std::move(names_),
            Eigen::Map<const Matrix>(numbers_.data(), static_cast<Index>(numbers_.size()) / d, d)};
  }

 private:
  [[noreturn]] void fail(std::size_t line, std::size_t column, const std::string& message) const {
    throw WordVectorError(file_, line, column, message);
  }
  [[noreturn]] void fail_at(std::string_view word, const std::string& message) const {
    const std::string_view before(line_.data(), static_cast<std::size_t>(word.data() - line_.data()));
    fail(line_number_, narsese::count_code_points(before) + 1, message);
  }

  bool next_line() {
    const auto status = narsese::read_line(in_, line_, limits_.max_line_bytes);
    if (status == narsese::LineStatus::end) return false;
    if (++line_number_ == 1 && line_.starts_with(narsese::byte_order_mark))
      line_.erase(0, narsese::byte_order_mark.size());
    charge(8 * line_.size() + 64);
    if (status == narsese::LineStatus::too_long)
      fail(line_number_, 1, "a line may have at most " + std::to_string(limits_.max_line_bytes) + " bytes");
    bytes_ += line_.size() + 1;
    if (bytes_ > limits_.max_bytes)
      fail(line_number_, 1, "a file may have at most " + std::to_string(limits_.max_bytes) + " bytes");
    return true;
  }

  bool read_header(const std::vector<std::string_view>& words) {
    if (line_number_ != 1 || words.size() != 2) return false;
    const auto count = number_in<std::size_t>(words[0]), dimensions = number_in<std::size_t>(words[1]);
    if (!count || !dimensions) return false;
    set_dimensions(*dimensions, words[1]);
    expected_ = count;
    return true;
  }

  void set_dimensions(std::size_t dimensions, std::string_view where) {
    if (dimensions < 1 || dimensions > limits_.max_dimensions)
      fail_at(where, "a vector may have 1 to " + std::to_string(limits_.max_dimensions) + " numbers, not " +
                         std::to_string(dimensions));
    dimensions_ = dimensions;
  }

  void read_vector(const std::vector<std::string_view>& words) {
    const std::string_view name = words.front();
    if (narsese::find_invalid_utf8(name) != name.size()) fail_at(name, "the name is not UTF-8");
    if (!dimensions_) set_dimensions(words.size() - 1, words.back());
    if (words.size() - 1 != *dimensions_)
      fail_at(words.back(), "expected " + std::to_string(*dimensions_) + " numbers after the name, found " +
                                std::to_string(words.size() - 1));
    if (numbers_.size() + *dimensions_ > limits_.max_numbers)
      fail_at(name, "a file may have at most " + std::to_string(limits_.max_numbers) + " numbers");
    const std::uint64_t hash = narsese::hash_bytes(name);
    const auto same = [&](std::uint32_t i) { return names_[i] == name; };
    if (index_.find(hash, same) != narsese::HashIndex::none)
      fail_at(name, "the name '" + std::string(name) + "' occurs twice");
    for (const std::string_view word : std::span(words).subspan(1)) {
      const auto value = number_in<double>(word);
      if (!value || !std::isfinite(*value)) fail_at(word, "expected a finite number");
      if (std::abs(*value) > max_size) fail_at(word, "expected a number of at most 1e100 in absolute value");
      numbers_.push_back(*value);
    }
    index_.insert(hash, static_cast<std::uint32_t>(names_.size()));
    names_.emplace_back(name);
  }

  std::istream& in_;
  std::string file_;
  WordVectorLimits limits_;
  std::string line_;
  std::size_t line_number_ = 0, bytes_ = 0;
  std::optional<std::size_t> expected_, dimensions_;
  std::vector<std::string> names_;
  std::vector<double> numbers_;
  narsese::HashIndex index_;
};

}  // namespace

WordVectorError::WordVectorError(const std::string& file, std::size_t at_line, std::size_t at_column,
                                 const std::string& message)
    : std::runtime_error(placed(file, at_line, at_column, message)), line(at_line), column(at_column) {}

WordVectors read_word_vectors(std::istream& in, const std::string& file, const WordVectorLimits& limits) {
  return Reader(in, file, limits).read();
}

WordVectors load_word_vectors(const std::filesystem::path& file, const WordVectorLimits& limits) {
  std::error_code ignored;
  std::ifstream in;
  if (std::filesystem::is_regular_file(file, ignored))  // opening a pipe could block
    in.open(file, std::ios::binary);
  if (!in.is_open()) throw WordVectorError(file.string(), 0, 0, "cannot be read");
  return read_word_vectors(in, file.string(), limits);
}

std::string word_of(narsese::Term term) {
  std::string word = narsese::print(term);
  std::erase_if(word, [](char c) { return blanks.find(c) != std::string_view::npos; });
  return word;
}

Matrix rows_of_words(const WordVectors& vectors, std::span<const narsese::Term> terms) {
  require_size("rows of word vectors", vectors.rows.rows(), static_cast<Index>(vectors.names.size()));
  narsese::HashIndex index;
  for (std::uint32_t i = 0; i < vectors.names.size(); ++i)
    index.insert(narsese::hash_bytes(vectors.names[i]), i);
  Matrix rows = Matrix::Zero(static_cast<Index>(terms.size()), vectors.rows.cols());
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const std::string word = word_of(terms[t]);
    const std::uint32_t found =
        index.find(narsese::hash_bytes(word), [&](std::uint32_t i) { return vectors.names[i] == word; });
    if (found != narsese::HashIndex::none) rows.row(static_cast<Index>(t)) = vectors.rows.row(found);
  }
  return rows;
}

}  // namespace engram::core
