// SPDX-License-Identifier: MIT
#include "narsese/nal_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string_view>

#include "narsese/line_kind.hpp"
#include "narsese/line_reader.hpp"
#include "narsese/utf8.hpp"
#include "narsese/words.hpp"

namespace engram::narsese {
namespace {

struct ExpectationForm {
  std::string_view opening, closing;
  Expectation::Kind kind;
};
constexpr std::array<ExpectationForm, 8> expectation_forms{{
    {"//expected: Answer:", "", Expectation::Kind::answer},
    {"//expected:", "", Expectation::Kind::execution},
    {"//needed:", "", Expectation::Kind::needed},
    {"//or:", "", Expectation::Kind::alternative},
    {"''outputMustContain('", "')", Expectation::Kind::contains},
    {"''outputMustNotContain('", "')", Expectation::Kind::contains_not},
    {"''expect-cycle", "", Expectation::Kind::output},
    {"''expect-contains:", "", Expectation::Kind::output},
}};

// ONA's answers carry `Truth: frequency=.., confidence=..`, creation times and stamps behind the sentence.
std::string_view sentence_part(std::string_view text) {
  for (const std::string_view tail :
       {" Truth:", " occurrenceTime=", " creationTime=", " Stamp=", " Priority="})
    text = text.substr(0, text.find(tail));
  return trim(text);
}

std::optional<Expectation> read_expectation(std::string_view line, TermTable& table,
                                            const ParseLimits& limits) {
  for (const ExpectationForm& form : expectation_forms) {
    if (!line.starts_with(form.opening)) continue;
    std::string_view text = trim(line.substr(form.opening.size()));
    if (form.kind == Expectation::Kind::execution && !text.starts_with('^')) continue;
    if (!form.closing.empty()) text = text.substr(0, text.rfind(form.closing));
    Expectation expectation{form.kind, std::string(text), std::nullopt};
    if (form.kind != Expectation::Kind::execution && form.kind != Expectation::Kind::output)
      if (auto sentence = parse_sentence(sentence_part(text), table, limits))
        expectation.sentence = *sentence;
    return expectation;
  }
  return {};
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// PyNARS's way, which no other system reads.
bool sets_volume(std::string_view text) {
  constexpr std::string_view word = "/volume ";
  return text.starts_with(word) && all_digits(trim(text.substr(word.size())));
}

}  // namespace

bool Expectation::expects_none() const {
  return (kind == Kind::answer || kind == Kind::contains) && text == "None.";
}

NalLine::Kind kind_of_line(std::string_view text, Dialect dialect) {
  if (text.starts_with("//") || text.starts_with("'")) return NalLine::Kind::comment;
  if (text.starts_with('*') || text == "quit") return NalLine::Kind::command;
  if ((dialect == Dialect::any || dialect == Dialect::pynars) && sets_volume(text))
    return NalLine::Kind::command;
  return all_digits(text) ? NalLine::Kind::cycles : NalLine::Kind::sentence;
}

std::optional<NalLine> NalReader::next() {
  if (next_ == lines_.size()) read_ahead();
  if (next_ == lines_.size()) return {};
  return std::move(lines_[next_++]);
}

// All lines at hand, up to a batch, are parsed together: that is faster.
void NalReader::read_ahead() {
  constexpr std::size_t batch = 128, enough_bytes = std::size_t{1} << 16;
  lines_.clear();
  next_ = 0;
  std::vector<std::size_t> sentences;
  for (std::size_t bytes = 0; lines_.size() < batch && bytes < enough_bytes;) {
    auto line = read_line();
    if (!line) break;
    bytes += line->text.size();
    if (line->kind == NalLine::Kind::sentence) sentences.push_back(lines_.size());
    lines_.push_back(std::move(*line));
    if (in_.rdbuf()->in_avail() <= 0) break;
  }
  std::vector<std::string_view> texts;
  for (const std::size_t i : sentences) texts.emplace_back(lines_[i].text);
  auto parsed = parser_.sentences(texts, table_);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    NalLine& line = lines_[sentences[i]];
    line.constructs = parsed[i].constructs;
    line.warnings = std::move(parsed[i].warnings);
    if (parsed[i].result) {
      line.sentence = *parsed[i].result;
    } else {
      line.kind = NalLine::Kind::error;
      line.error = parsed[i].result.error();
      line.error.line = line.number;
    }
  }
  for (NalLine& line : lines_) check_needed(line);
}

// What is needed is a premise of the answer to the question above it.
void NalReader::check_needed(NalLine& line) {
  if (line.kind == NalLine::Kind::sentence) has_asked_ |= line.sentence.asks();
  if (line.kind != NalLine::Kind::expectation || has_asked_) return;
  if (line.expectation.kind != Expectation::Kind::needed) return;
  const std::size_t column = line.text.find_first_not_of(" \t") + 1;
  line.warnings.push_back({column,
                           "what is needed must stand below the question whose answer needs it, found no "
                           "question before it"});
}

// The next line with its kind, a sentence not yet parsed.
std::optional<NalLine> NalReader::read_line() {
  NalLine line;
  const LineStatus status = narsese::read_line(in_, line.text, limits_.max_line_bytes);
  if (status == LineStatus::end) return {};
  line.error.line = line.number = ++number_;
  if (number_ == 1 && line.text.starts_with(byte_order_mark)) line.text.erase(0, byte_order_mark.size());

  if (status == LineStatus::too_long) {
    line.kind = NalLine::Kind::error;
    line.error.expected = "at most " + std::to_string(limits_.max_line_bytes) + " bytes in a line";
    line.error.found = "a longer one";
    line.text.resize(find_invalid_utf8(line.text.substr(0, 80)));
    return line;
  }
  const std::string_view text = trim(line.text);
  if (text.empty()) return line;

  const auto indent = static_cast<std::size_t>(text.data() - line.text.data());
  if (auto expectation = read_expectation(text, table_, limits_)) {
    line.kind = NalLine::Kind::expectation;
    line.expectation = std::move(*expectation);
  } else if (line.kind = kind_of_line(text, dialect_); line.kind == NalLine::Kind::cycles) {
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), line.cycles);
    const bool fits = code == std::errc() && line.cycles <= max_cycles;
    line.kind = fits ? NalLine::Kind::cycles : NalLine::Kind::error;
    if (!fits) {
      line.error.offset = indent;
      line.error.column = indent + 1;  // only blanks stand before it
      line.error.expected = "at most " + std::to_string(max_cycles) + " cycles";
      line.error.found = "'" + std::string(text.substr(0, 24)) + "'";
    }
  }
  check_line_form(line, text, indent);
  return line;
}

// What the dialects differ on of lines that hold no sentence.
void NalReader::check_line_form(NalLine& line, std::string_view text, std::size_t indent) const {
  if (text.starts_with("'")) line.constructs |= bit(Construct::apostrophe_line);
  if (indent > 0 && text.starts_with("//")) line.constructs |= bit(Construct::indented_comment);
  const ConstructSet refused = line.constructs & handled(dialect_, Handling::Kind::refuses);
  if (refused == 0) return;
  line.kind = NalLine::Kind::error;
  line.error.offset = indent;
  line.error.column = indent + 1;
  line.error.refusal = explain(static_cast<Construct>(std::countr_zero(refused)), dialect_);
}

}  // namespace engram::narsese
