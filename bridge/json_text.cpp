// SPDX-License-Identifier: MIT
#include "bridge/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "narsese/utf8.hpp"

namespace engram::bridge {
namespace {

using Json = nlohmann::json;

std::size_t column_at(std::string_view text, std::size_t offset) {
  return narsese::count_code_points(text.substr(0, offset)) + 1;
}

// Follows the library's SAX events, whose names are given, and stops at the first thing wrong.
class Checker {
 public:
  Checker(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

  const std::optional<JsonError>& error() const { return error_; }

  bool null() { return complete(); }
  bool boolean(bool) { return complete(); }
  bool number_integer(Json::number_integer_t) { return complete(); }
  bool number_unsigned(Json::number_unsigned_t) { return complete(); }
  bool number_float(Json::number_float_t, const std::string&) { return complete(); }
  bool string(const std::string&) { return complete(); }
  bool binary(const Json::binary_t&) { return complete(); }
  bool start_object(std::size_t) { return open(false); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(true); }
  bool end_array() { return close(); }

  bool key(const std::string& name) {
    Level& object = levels_.back();
    object.name = name;
    return object.names.insert(name).second || refuse("each name once in an object", "one twice");
  }

  bool parse_error(std::size_t bytes_read, const std::string& last_token, const Json::exception& error) {
    constexpr int number_overflow = 406;  // the library's number for it
    const std::size_t offset = std::min(bytes_read - std::min<std::size_t>(bytes_read, 1), text_.size());
    if (error.id == number_overflow)
      refuse("a number in the range of a double", last_token.substr(0, 24));
    else
      refuse_syntax(error.what());
    error_->offset = offset;
    error_->column = column_at(text_, offset);
    return false;
  }

 private:
  // An array or object that is being read.
  struct Level {
    bool is_array = false;
    std::size_t complete = 0;  // an array's values so far
    std::string name;          // of an object's last member
    std::set<std::string> names;
  };

  bool open(bool is_array) {
    if (levels_.size() == max_depth_)
      return refuse("at most " + std::to_string(max_depth_) + " levels of arrays and objects", "more");
    levels_.push_back({is_array, 0, {}, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return complete();
  }
  bool complete() {
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().complete;
    return true;
  }

  bool refuse(std::string expected, std::string found) {
    error_.emplace();
    for (const Level& level : levels_)
      error_->pointer += pointer_to(level.is_array ? std::to_string(level.complete) : level.name);
    error_->expected = std::move(expected);
    error_->found = std::move(found);
    return false;
  }

  // The library says "syntax error while parsing X - REASON; expected Y" or ".. - REASON; last read: '..'".
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
    error_->pointer.clear();  // what is no JSON has no values to point to
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::vector<Level> levels_;
  std::optional<JsonError> error_;
};

}  // namespace

std::string JsonError::message() const {
  return (pointer.empty() ? "" : pointer + ": ") + "expected " + expected + ", found " + found;
}

std::string pointer_to(std::string_view name) {
  std::string pointer = "/";
  for (const char c : name) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}

std::optional<JsonError> check_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes)
    return JsonError{"", 0, 1, "at most " + std::to_string(limits.max_bytes) + " bytes of JSON",
                     std::to_string(text.size())};
  // The library takes a NUL for the end of the text and would pass over what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return JsonError{"", nul, column_at(text, nul), "JSON", "a NUL byte"};
  Checker checker(text, limits.max_depth);
  Json::sax_parse(text.data(), text.data() + text.size(), &checker);
  return checker.error();
}

}  // namespace engram::bridge
