// SPDX-License-Identifier: MIT
#include "bridge/json/object_reader.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "narsese/printer.hpp"
#include "narsese/similar_names.hpp"

namespace engram::bridge {
namespace {

std::string quoted(const std::string& text) { return Json(text).dump(); }

std::string joined(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return list;
}

// Bounds that only exist because of the range of doubles. Messages replace them by "above 0" or omit them.
constexpr double as_good_as_zero = 1e-300, as_good_as_infinite = 1e300;

// A bound for messages, for example 1e250 instead of 251 digits.
std::string bound_text(double bound) {
  if (std::abs(bound) < 1e15 && (bound == 0 || std::abs(bound) >= 1e-6)) return narsese::print_number(bound);
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), bound, std::chars_format::scientific).ptr;
  std::string short_one(text.data(), end);
  std::erase(short_one, '+');
  return short_one;
}

std::string range_in_words(double least, double most) {
  const bool is_above_zero = least > 0 && least <= as_good_as_zero;
  const bool has_least = least > -as_good_as_infinite, has_most = most < as_good_as_infinite;
  const std::string from = bound_text(least), to = bound_text(most);
  if (is_above_zero) return has_most ? "a number above 0 and at most " + to : "a number above 0";
  if (has_least && has_most) return "a number in [" + from + ", " + to + "]";
  if (has_least) return "a number of at least " + from;
  return has_most ? "a number of at most " + to : "a number in the range of a double";
}

// Integer bounds have at most 64 bits, so all their digits are shown.
template <class Number>
std::string whole_number_in(Number least, Number most) {
  constexpr auto largest = static_cast<Number>(std::numeric_limits<std::int64_t>::max());
  if (most >= largest && std::numeric_limits<Number>::is_signed && least < 0)
    return "a whole number in the range of 64 bits";
  if (most >= largest)
    return "a whole number of at least " + std::to_string(least) + " in the range of 64 bits";
  return "a whole number in [" + std::to_string(least) + ", " + std::to_string(most) + "]";
}

// The message for an unknown name, with the most similar known one.
std::string unknown_name(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = narsese::nearest_name(name, known);
  return describe(name) + (nearest.empty() ? "" : " (did you mean " + quoted(nearest) + "?)");
}

}  // namespace

std::string JsonPlace::pointer() const {
  if (outer_ == nullptr) return std::string(token_);
  return outer_->pointer() + (index_ == no_index ? pointer_to(token_) : "/" + std::to_string(index_));
}

std::string describe(const Json& json) {
  if (json.is_object()) return "an object";
  if (json.is_array()) return "an array";
  constexpr std::size_t longest = 24;
  std::string text = json.dump();
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

template <class Whole>
std::optional<Whole> whole_in(const Json& json) {
  using Range = std::numeric_limits<Whole>;
  if (json.is_number_unsigned()) {
    const auto number = json.get<std::uint64_t>();
    return number <= static_cast<std::uint64_t>(Range::max()) ? std::optional(static_cast<Whole>(number))
                                                              : std::nullopt;
  }
  if (json.is_number_integer()) {
    const auto number = json.get<std::int64_t>();
    return Range::is_signed || number >= 0 ? std::optional(static_cast<Whole>(number)) : std::nullopt;
  }
  if (!json.is_number_float()) return {};
  // The limits of 64-bit types are powers of 2, or one less. -2^63 may be the rounded value of a smaller number.
  const auto number = json.get<double>();
  const double least = Range::is_signed ? std::nextafter(-std::ldexp(1.0, Range::digits), 0) : 0;
  if (number != std::floor(number) || number < least || number >= std::ldexp(1.0, Range::digits)) return {};
  return static_cast<Whole>(number);
}
template std::optional<std::int64_t> whole_in(const Json&);
template std::optional<std::uint64_t> whole_in(const Json&);

void JsonValue::refuse(std::string expected, std::string found, JsonError::Kind kind) const {
  throw JsonError{pointer(), 0, 1, std::move(expected), std::move(found), kind};
}

void JsonValue::refuse(std::string expected) const {
  if (json_ == nullptr) refuse(std::move(expected), "nothing", JsonError::Kind::missing);
  refuse(std::move(expected), describe(*json_));
}

void JsonValue::refuse_choice(std::string what, const std::vector<std::string>& known) const {
  what += (what.empty() ? "one of " : ", one of ") + joined(known);
  const std::string* given = text_or_null();
  if (given == nullptr) refuse(std::move(what));
  refuse(std::move(what), unknown_name(*given, known));
}

const JsonValue& JsonValue::required(std::string_view what) const {
  if (json_ == nullptr) refuse(std::string(what));
  return *this;
}

const std::string* JsonValue::text_or_null() const {
  return json_ == nullptr ? nullptr : json_->get_ptr<const std::string*>();
}

const std::string& JsonValue::text(std::string_view what) const {
  const std::string* given = text_or_null();
  if (given == nullptr) refuse(std::string(what));
  return *given;
}

bool JsonValue::flag() const {
  if (json_ == nullptr || !json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

double JsonValue::number() const {
  if (json_ == nullptr || !json_->is_number()) refuse("a number");
  return json_->get<double>();  // JSON cannot write infinities, and read_json rejects overflow
}

double JsonValue::number(double least, double most) const {
  const bool is_number = json_ != nullptr && json_->is_number();
  const double value = is_number ? json_->get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!(value >= least && value <= most)) refuse(range_in_words(least, most));
  return value + 0.0;
}

std::int64_t JsonValue::whole_number(std::int64_t least, std::int64_t most) const {
  const auto number = json_ == nullptr ? std::nullopt : whole_in<std::int64_t>(*json_);
  if (!number || *number < least || *number > most) refuse(whole_number_in(least, most));
  return *number;
}

std::uint64_t JsonValue::count(std::uint64_t least, std::uint64_t most) const {
  const auto number = json_ == nullptr ? std::nullopt : whole_in<std::uint64_t>(*json_);
  if (!number || *number < least || *number > most) refuse(whole_number_in(least, most));
  return *number;
}

const JsonValue& JsonValue::list(std::string_view what, std::size_t least) const {
  if (json_ == nullptr || !json_->is_array()) refuse(std::string(what));
  if (size() < least) refuse(std::string(what), size() == 0 ? "none" : std::to_string(size()));
  return *this;
}

const JsonValue& JsonValue::object(std::string_view what) const {
  if (json_ == nullptr || !json_->is_object()) refuse(std::string(what));
  return *this;
}

std::size_t JsonValue::size() const { return json_->size(); }

JsonValue JsonValue::operator[](std::size_t i) const& { return JsonValue((*json_)[i], {&place_, i}); }

JsonValue JsonValue::operator[](std::string_view name) const& {
  const auto member = json_->find(name);
  if (member == json_->end()) return JsonValue(JsonPlace(&place_, name));
  return JsonValue(*member, {&place_, std::string_view(member.key())});
}

void JsonValue::refuse_kind(const std::string& what, const std::vector<std::string>& members) const {
  refuse(what + ", an object with one of the members " + joined(members),
         json_->empty() ? "an empty object" : "one with " + unknown_name(json_->begin().key(), members));
}

void JsonValue::refuse_others(const std::vector<std::string>& known) const {
  for (const auto& [name, value] : json_->items())
    if (std::ranges::find(known, name) == known.end())
      (*this)[name].refuse("no members" + (known.empty() ? "" : " but " + joined(known)),
                           unknown_name(name, known), JsonError::Kind::unknown);
}

}  // namespace engram::bridge
