// SPDX-License-Identifier: MIT
#include "bridge/json/object_reader.hpp"

#include "narsese/nearest_name.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

std::string quoted(const std::string& text) { return Json(text).dump(); }

std::string joined(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return list;
}

template <class Number>
std::string whole_number_in(Number least, Number most) {
  return "a whole number in [" + std::to_string(least) + ", " + std::to_string(most) + "]";
}

// A name that is not known, and which was perhaps meant.
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

void JsonValue::refuse(std::string expected, std::string found, JsonError::Kind kind) const {
  throw JsonError{pointer(), 0, 1, std::move(expected), std::move(found), kind};
}

void JsonValue::refuse(std::string expected) const {
  if (json_ == nullptr) refuse(std::move(expected), "nothing", JsonError::Kind::missing);
  refuse(std::move(expected), describe(*json_));
}

void JsonValue::refuse_choice(std::string what, const std::vector<std::string>& known) const {
  what += (what.empty() ? "one of " : ", one of ") + joined(known);
  if (json_ == nullptr || !json_->is_string()) refuse(std::move(what));
  refuse(std::move(what), unknown_name(json_->get<std::string>(), known));
}

const JsonValue& JsonValue::required(std::string_view what) const {
  if (json_ == nullptr) refuse(std::string(what));
  return *this;
}

const std::string& JsonValue::text(std::string_view what) const {
  if (json_ == nullptr || !json_->is_string()) refuse(std::string(what));
  return json_->get_ref<const std::string&>();
}

bool JsonValue::flag() const {
  if (json_ == nullptr || !json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

double JsonValue::number() const {
  if (json_ == nullptr || !json_->is_number()) refuse("a number");
  return json_->get<double>();  // JSON has no infinities, and read_json refuses what overflows
}

double JsonValue::number(double least, double most) const {
  const bool is_number = json_ != nullptr && json_->is_number();
  const double value = is_number ? json_->get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!(value >= least && value <= most))
    refuse("a number in [" + narsese::print_number(least) + ", " + narsese::print_number(most) + "]");
  return value + 0.0;
}

std::int64_t JsonValue::whole_number(std::int64_t least, std::int64_t most) const {
  const bool is_whole = json_ != nullptr && json_->is_number_integer() &&
                        !(json_->is_number_unsigned() &&
                          json_->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max());
  if (!is_whole || json_->get<std::int64_t>() < least || json_->get<std::int64_t>() > most)
    refuse(whole_number_in(least, most));
  return json_->get<std::int64_t>();
}

std::uint64_t JsonValue::count(std::uint64_t least, std::uint64_t most) const {
  const bool is_count = json_ != nullptr && json_->is_number_unsigned();
  if (!is_count || json_->get<std::uint64_t>() < least || json_->get<std::uint64_t>() > most)
    refuse(whole_number_in(least, most));
  return json_->get<std::uint64_t>();
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
