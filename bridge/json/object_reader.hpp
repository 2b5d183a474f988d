// SPDX-License-Identifier: MIT
// Typed access to parsed JSON. Accessors check the value and throw JsonError, which names the place by a JSON Pointer.
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

/// The place of a value in a JSON text. Its pointer is built only for an error, so the enclosing place and the member
/// name must outlive this object.
class JsonPlace {
 public:
  /// The place with this pointer; "" is the whole text.
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

/// Converts a whole number in any notation: 2, 2.0 or 2e0. Empty if it is not whole or does not fit the type.
template <class Whole>
std::optional<Whole> whole_in(const Json& json);

/// The text of a value for messages, truncated if it is long.
std::string describe(const Json& json);

/// A JSON value, which may be absent, and its place. Accessors throw JsonError if the value has another kind; its kind
/// is `missing` for an absent value, otherwise `wrong`.
class JsonValue {
 public:
  explicit JsonValue(const Json& json, JsonPlace place = JsonPlace()) : json_(&json), place_(place) {}

  /// Whether the value is present.
  explicit operator bool() const { return json_ != nullptr; }
  /// The value, which must be present.
  const Json& json() const { return *json_; }
  const JsonPlace& place() const { return place_; }
  std::string pointer() const { return place_.pointer(); }

  /// Throws JsonError with this expectation. The first overload reports the value as the finding.
  [[noreturn]] void refuse(std::string expected) const;
  [[noreturn]] void refuse(std::string expected, std::string found,
                           JsonError::Kind kind = JsonError::Kind::wrong) const;
  /// This value, or `other` in the same place if it is absent.
  JsonValue or_else(const Json& other) const { return json_ != nullptr ? *this : JsonValue(other, place_); }
  /// This value.  Errors  JsonError if it is absent
  const JsonValue& required(std::string_view what) const;

  /// The string; null if the value is absent or of another kind.
  const std::string* text_or_null() const;
  /// The value as a string; `what` describes the expectation.
  const std::string& text(std::string_view what = "a string") const;
  bool flag() const;
  double number() const;
  /// The number, in [least, most]; -0 becomes 0.
  double number(double least, double most) const;
  /// A whole number in any notation (whole_in).
  std::int64_t whole_number(std::int64_t least, std::int64_t most) const;
  /// A whole number, at least 0.
  std::uint64_t count(std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  /// The table entry with this name.
  template <class Table, class Name = std::identity>
  const auto& choice(std::string what, const Table& table, Name name = {}) const {
    const std::string* given = text_or_null();
    for (const auto& entry : table)
      if (given != nullptr && std::invoke(name, entry) == *given) return entry;
    std::vector<std::string> known;
    for (const auto& entry : table) known.emplace_back(std::invoke(name, entry));
    refuse_choice(std::move(what), known);
  }

  /// This value, which must be a list of at least `least` values.
  const JsonValue& list(std::string_view what = "a list", std::size_t least = 0) const;
  /// This value, which must be an object; `what` describes the expectation.
  const JsonValue& object(std::string_view what = "an object") const;
  /// Size of a list or object.
  std::size_t size() const;
  /// An item of a list.
  JsonValue operator[](std::size_t i) const&;
  JsonValue operator[](std::size_t i) const&& = delete;
  /// A member of an object, which may be absent.  Cost  O(members)
  JsonValue operator[](std::string_view name) const&;
  JsonValue operator[](std::string_view name) const&& = delete;

  /// Throws JsonError for an object that has none of the members that identify its kind.
  [[noreturn]] void refuse_kind(const std::string& what, const std::vector<std::string>& members) const;
  /// Throws JsonError (`unknown`) for the first member that is not in `known`, with the most similar name.
  void refuse_others(const std::vector<std::string>& known) const;

 private:
  explicit JsonValue(JsonPlace place) : place_(place) {}
  [[noreturn]] void refuse_choice(std::string what, const std::vector<std::string>& known) const;

  const Json* json_ = nullptr;
  JsonPlace place_;
};

/// Reads the members of an object and finds members that were never requested.
class ObjectReader {
 public:
  explicit ObjectReader(const JsonValue& value, std::string_view what = "an object")
      : value_(value.object(what)) {}

  JsonValue operator[](std::string_view name) {
    if (std::ranges::find(asked_, name) == asked_.end()) asked_.emplace_back(name);
    return value_[name];
  }
  const JsonValue& value() const { return value_; }
  /// Throws JsonError if there are other members. Call this after all requests.
  void refuse_others() const { value_.refuse_others(asked_); }

 private:
  JsonValue value_;
  std::vector<std::string> asked_;
};

}  // namespace engram::bridge
