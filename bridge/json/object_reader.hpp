// SPDX-License-Identifier: MIT
// JSON from outside, value by value: each is checked where it is read, and what is wrong there is told with its
// JSON Pointer, as JsonError. For who reads JSON as values; bridge's other public headers show none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/json_reader.hpp"

namespace engram::bridge {

/// Where a value stands. The pointer is put together only where something is wrong; so what a place is in, and
/// the name of a member, must last as long as it does.
class JsonPlace {
 public:
  /// The place of this pointer; of a whole text: "".
  explicit JsonPlace(std::string_view pointer = {}) : token_(pointer) {}
  JsonPlace(const JsonPlace* outer, std::string_view member) : outer_(outer), token_(member) {}
  JsonPlace(const JsonPlace* outer, std::size_t index) : outer_(outer), index_(index) {}

  std::string pointer() const;

 private:
  static constexpr std::size_t no_index = static_cast<std::size_t>(-1);
  const JsonPlace* outer_ = nullptr;
  std::string_view token_;
  std::size_t index_ = no_index;
};

/// A whole number, however it is written: 2, 2.0 or 2e0; nothing if it is none, or not of that type.
template <class Whole>
std::optional<Whole> whole_in(const Json& json);

/// A value for people: as it is written, cut where it is long.
std::string describe(const Json& json);

/// A value, or that there is none, and its place. Each reader throws JsonError for what is not of the kind said:
/// `missing` where there is no value, else `wrong`.
class JsonValue {
 public:
  explicit JsonValue(const Json& json, JsonPlace place = JsonPlace()) : json_(&json), place_(place) {}

  /// Whether there is one.
  explicit operator bool() const { return json_ != nullptr; }
  /// Of one that is there.
  const Json& json() const { return *json_; }
  const JsonPlace& place() const { return place_; }
  std::string pointer() const { return place_.pointer(); }

  /// Found is, if nothing else is said, the value.
  [[noreturn]] void refuse(std::string expected) const;
  [[noreturn]] void refuse(std::string expected, std::string found,
                           JsonError::Kind kind = JsonError::Kind::wrong) const;
  /// Itself; where there is none, the other value in its place.
  JsonValue or_else(const Json& other) const { return json_ != nullptr ? *this : JsonValue(other, place_); }
  /// Itself, which must be there.
  const JsonValue& required(std::string_view what) const;

  /// The value as a text.  Errors  JsonError unless it is one: `what` is said to be expected
  const std::string& text(std::string_view what = "a string") const;
  bool flag() const;
  double number() const;
  /// In [least, most]; -0 as 0.
  double number(double least, double most) const;
  /// A whole number, however it is written (whole_in).
  std::int64_t whole_number(std::int64_t least, std::int64_t most) const;
  /// A whole number that is not below 0.
  std::uint64_t count(std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  /// The entry of a table that has this name.
  template <class Table, class Name = std::identity>
  const auto& choice(std::string what, const Table& table, Name name = {}) const {
    const auto* given = json_ == nullptr ? nullptr : json_->template get_ptr<const std::string*>();
    for (const auto& entry : table)
      if (given != nullptr && std::invoke(name, entry) == *given) return entry;
    std::vector<std::string> known;
    for (const auto& entry : table) known.emplace_back(std::invoke(name, entry));
    refuse_choice(std::move(what), known);
  }

  /// A list, of so many values at least.
  const JsonValue& list(std::string_view what = "a list", std::size_t least = 0) const;
  /// An object; `what` is said to be expected.
  const JsonValue& object(std::string_view what = "an object") const;
  /// Of a list or an object.
  std::size_t size() const { return json_->size(); }
  /// An entry of a list, in it.
  JsonValue operator[](std::size_t i) const& { return JsonValue((*json_)[i], {&place_, i}); }
  JsonValue operator[](std::size_t i) const&& = delete;
  /// A member of an object, or that there is none.  Cost  O(members)
  JsonValue operator[](std::string_view name) const&;
  JsonValue operator[](std::string_view name) const&& = delete;

  /// Refuses an object that has none of the members by which its kind is told.
  [[noreturn]] void refuse_kind(const std::string& what, const std::vector<std::string>& members) const;
  /// Refuses (`unknown`) the first member of an object that has none of these names, with the nearest of them.
  void refuse_others(const std::vector<std::string>& known) const;

 private:
  explicit JsonValue(JsonPlace place) : place_(place) {}
  [[noreturn]] void refuse_choice(std::string what, const std::vector<std::string>& known) const;

  const Json* json_ = nullptr;
  JsonPlace place_;
};

/// Hands out the members of an object, and so knows which of them nobody asked for.
class ObjectReader {
 public:
  explicit ObjectReader(const JsonValue& value, std::string_view what = "an object")
      : value_(value.object(what)) {}

  JsonValue operator[](std::string_view name) {
    if (std::ranges::find(asked_, name) == asked_.end()) asked_.emplace_back(name);
    return value_[name];
  }
  const JsonValue& value() const { return value_; }
  /// Call when all members have been asked for.
  void refuse_others() const { value_.refuse_others(asked_); }

 private:
  JsonValue value_;
  std::vector<std::string> asked_;
};

}  // namespace engram::bridge
