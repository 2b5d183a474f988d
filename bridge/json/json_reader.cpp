// SPDX-License-Identifier: MIT
#include "bridge/json/json_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "narsese/text.hpp"

namespace engram::bridge {
namespace {

constexpr std::size_t worth_a_claim = std::size_t{1} << 16;
constexpr std::uint64_t steps_a_value = 100;
// Bytes of one value: once on the stack, whose capacity doubles, and once in its list or object.
constexpr std::size_t bytes_a_value = 4 * sizeof(Json);

using narsese::Result;

std::size_t column_at(std::string_view text, std::size_t offset) {
  return narsese::count_code_points(text.substr(0, offset)) + 1;
}

// Bytes that a value owns, including spare capacity of lists.
std::size_t json_bytes(const Json& json) {
  std::size_t bytes = 0;
  if (const auto* text = json.get_ptr<const std::string*>()) bytes += sizeof(std::string) + text->size();
  if (json.is_structured()) bytes += sizeof(Json::array_t) + 2 * json.size() * sizeof(Json);
  if (json.is_object())
    for (const auto& [name, value] : json.items()) bytes += 2 * sizeof(std::string) + name.size();
  if (json.is_structured())
    for (const Json& value : json) bytes += json_bytes(value);
  return bytes;
}

// Iterator over the bytes of a text that exposes how far the library has read.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** shown) : at_(at), shown_(shown) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *shown_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** shown_;
};

// Builds values from the SAX events of the library, and stops at the first error. Values wait on a stack until their
// array or object ends, which is then created at once. This avoids a search of the object for each new name, and spare
// capacity.
class Builder {
 public:
  Builder(std::string_view text, const JsonLimits& limits, JsonMember* apart)
      : text_(text), limits_(limits), apart_(apart), read_(text.data()) {}

  Result<Json, JsonError> result() {
    const char* const end = text_.data() + text_.size();
    const bool sound = Json::sax_parse(Cursor(read_, &read_), Cursor(end, &read_), this,
                                       Json::input_format_t::json, true, limits_.comments);
    if (!sound) return std::move(error_);
    return std::move(values_.front());
  }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value, 1); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value, 1); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value, 1); }
  bool string(std::string& value) {
    count(value.size());
    return add(std::move(value));
  }
  bool binary(Json::binary_t&) { return false; }  // does not occur in JSON texts
  bool start_object(std::size_t) { return open(false); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(true); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (levels_.size() == 1) after_name_ = read_;
    count(sizeof(std::string) + name.size());
    names_.push_back(std::move(name));
    return names_.size() - levels_.back().first_name <= limits_.max_members ||
           refuse_limit(limits_.max_members, "members in an object");
  }

  bool parse_error(std::size_t bytes_read, const std::string& last_token,
                   const nlohmann::json::exception& error) {
    constexpr int number_overflow = 406;  // the library's error number for it
    const std::size_t offset = std::min(bytes_read - std::min<std::size_t>(bytes_read, 1), text_.size());
    if (error.id == number_overflow)
      refuse("a number in the range of a double", last_token.substr(0, 24));
    else
      refuse_syntax(error.what());
    error_.offset = offset;
    error_.column = column_at(text_, offset);
    return false;
  }

 private:
  // An open array or object: the stack positions of its first value and name.
  struct Level {
    bool is_array;
    std::size_t first_value, first_name;
  };

  bool room_for_value() {
    return ++count_ <= limits_.max_values || refuse_limit(limits_.max_values, "values");
  }

  // Charges steps, and bytes that exist until the value is complete. Bytes are collected, because a reservation for
  // each value would cost more than parsing it.
  void count(std::size_t bytes) {
    core::charge(steps_a_value + bytes);
    unclaimed_ += bytes;
    if (unclaimed_ < worth_a_claim) return;
    core::Reservation(std::exchange(unclaimed_, 0)).keep();
  }

  bool add(Json value, std::size_t read_ahead = 0) {  // the library reads one character beyond a number
    if (!room_for_value()) return false;
    count(bytes_a_value);
    values_.push_back(std::move(value));
    note_apart(read_ahead);
    return true;
  }

  bool open(bool is_array) {
    if (levels_.size() == limits_.max_depth)
      return refuse_limit(limits_.max_depth, "levels of arrays and objects");
    if (!room_for_value()) return false;
    count(bytes_a_value);
    levels_.push_back({is_array, values_.size(), names_.size()});
    return true;
  }

  bool close() {
    const Level level = levels_.back();
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(level.first_value);
    if (!level.is_array && !names_differ()) return false;
    Json value = level.is_array ? array(first) : object(first);
    values_.erase(first, values_.end());
    names_.resize(level.first_name);
    values_.push_back(std::move(value));
    levels_.pop_back();
    note_apart(0);
    return true;
  }

  using Iterator = typename std::vector<Json>::iterator;

  Json array(Iterator first) {
    return Json::array_t(std::move_iterator(first), std::move_iterator(values_.end()));
  }

  Json object(Iterator first) {
    Json::object_t members;
    members.reserve(names_.size() - levels_.back().first_name);
    for (std::size_t i = levels_.back().first_name; i < names_.size(); ++i, ++first) {
      if (levels_.size() == 1 && apart_ != nullptr && names_[i] == apart_->name) continue;
      members.emplace_back(std::move(names_[i]), std::move(*first));
    }
    return members;
  }

  bool names_differ() {
    const auto first = names_.begin() + static_cast<std::ptrdiff_t>(levels_.back().first_name);
    if (names_.end() - first < 2) return true;
    std::vector<std::string_view> sorted(first, names_.end());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice == sorted.end()) return true;
    names_.emplace_back(*twice);  // needed for the JSON Pointer
    return refuse("each name once in an object", "one twice");
  }

  // Stores the text of the member `apart`. Called after each value.
  void note_apart(std::size_t read_ahead) {
    if (apart_ == nullptr || levels_.size() != 1 || levels_[0].is_array || names_.back() != apart_->name)
      return;
    const std::string_view rest(after_name_, static_cast<std::size_t>(read_ - after_name_) - read_ahead);
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t colon = rest.find(':');
    apart_->text = rest.substr(rest.find_first_not_of(blanks, colon + 1));
  }

  bool refuse(std::string expected, std::string found) {
    std::string pointer;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const bool innermost = i + 1 == levels_.size();
      const std::size_t values = innermost ? values_.size() : levels_[i + 1].first_value;
      const std::size_t names = innermost ? names_.size() : levels_[i + 1].first_name;
      if (levels_[i].is_array)
        pointer += pointer_to(std::to_string(values - levels_[i].first_value));
      else if (names > levels_[i].first_name)
        pointer += pointer_to(names_[names - 1]);
    }
    error_ = {std::move(pointer), 0, 1, std::move(expected), std::move(found)};
    return false;
  }

  bool refuse_limit(std::size_t most, const std::string& of_what) {
    refuse("at most " + std::to_string(most) + " " + of_what, "more");
    error_.kind = JsonError::Kind::limit;
    return false;
  }

  // Converts a syntax error of the library, which has the form "syntax error while parsing X - REASON; expected Y" or
  // ".. - REASON; last read: '..'".
  void refuse_syntax(std::string_view message) {
    const auto after = [](std::string_view text, std::string_view mark) {
      const std::size_t at = text.find(mark);
      return at == std::string_view::npos ? text : text.substr(at + mark.size());
    };
    std::string_view reason = after(message, " - ");
    reason = reason.substr(0, reason.find("; last read: "));
    const std::size_t wish = reason.find("; expected ");
    const bool wished = wish != std::string_view::npos;
    refuse(wished ? std::string(after(reason, "; expected ")) : "JSON",
           std::string(after(reason.substr(0, wish), "unexpected ")));
    error_.pointer.clear();  // a syntax error has no JSON Pointer
  }

  std::string_view text_;
  const JsonLimits& limits_;
  JsonMember* apart_;
  const char* read_;                  // end of the text that the library has read
  const char* after_name_ = nullptr;  // position after the last name in the outermost object
  std::vector<Level> levels_;
  std::vector<Json> values_;        // values of the open levels
  std::vector<std::string> names_;  // member names of the open objects
  std::size_t count_ = 0;           // number of values
  std::size_t unclaimed_ = 0;       // bytes not yet reserved
  JsonError error_;
};

// Stream buffer that charges the text the library writes, piece by piece.
class CountedText : public std::streambuf {
 public:
  explicit CountedText(std::string& text) : text_(text), claimed_(text.size() + worth_a_claim) {}

 private:
  std::streamsize xsputn(const char* piece, std::streamsize size) override {
    const auto bytes = static_cast<std::size_t>(size);
    core::charge(bytes);
    if (text_.size() + bytes > claimed_) {
      const std::size_t more = std::max(text_.size(), bytes);
      core::Reservation(more).keep();
      text_.reserve(claimed_ = text_.size() + more);
    }
    text_.append(piece, bytes);
    return size;
  }
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    xsputn(&one, 1);
    return c;
  }

  std::string& text_;
  std::size_t claimed_;
};

}  // namespace

std::string JsonError::message() const {
  return (pointer.empty() ? "" : pointer + ": ") + "expected " + expected + ", found " + found;
}

std::string JsonError::message_about(const std::string& name) const {
  if (kind == Kind::unknown) return "unknown field " + found + "; expected " + expected;
  return name + " must be " + expected + ", found " + found;
}

Result<Json, JsonError> read_json(std::string_view text, const JsonLimits& limits, JsonMember* apart) {
  if (text.size() > limits.max_bytes)
    return JsonError{.expected = "at most " + std::to_string(limits.max_bytes) + " bytes of JSON",
                     .found = std::to_string(text.size()),
                     .kind = JsonError::Kind::limit};
  // The library would stop at a NUL and ignore the rest of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return JsonError{"", nul, column_at(text, nul), "JSON", "a NUL byte"};
  return Builder(text, limits, apart).result();
}

void add_to(Json& list, Json value) {
  const std::size_t bytes = json_bytes(value) + 2 * sizeof(Json);
  core::charge(steps_a_value + bytes);
  core::Reservation(bytes).keep();
  list.push_back(std::move(value));
}

void append_json(std::string& text, const Json& json) {
  CountedText counted(text);
  std::ostream out(&counted);
  out.exceptions(std::ios::badbit);  // otherwise the stream would swallow exceptions of the work budget
  out << json;
}

std::string pointer_to(std::string_view name) {
  std::string pointer = "/";
  for (const char c : name) {
    if (c == '~' || c == '/')
      pointer += c == '~' ? "~0" : "~1";
    else
      pointer += c;
  }
  return pointer;
}

std::string without_blanks(std::string_view json) {
  std::string text;
  bool in_string = false, escaped = false;
  for (const char c : json) {
    if (!in_string && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) continue;
    text += c;
    in_string = in_string ? escaped || c != '"' : c == '"';
    escaped = in_string && !escaped && c == '\\';
  }
  return text;
}

}  // namespace engram::bridge
