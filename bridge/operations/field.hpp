// SPDX-License-Identifier: MIT
// Declarations of the fields of requests, from which validation, the schema, help and tests follow. Private to this
// layer.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bridge/json/json_reader.hpp"
#include "core/numbers/names.hpp"

namespace engram::bridge {

/// Smallest positive and largest magnitude that numeric fields without other limits accept. Both are far from the
/// limits of double, so that simple formulas neither underflow nor overflow.
inline constexpr double least_positive = 1e-300, largest_number = 1e300;

/// A field of an operation: its kind, limits, default and documentation. The functions in `fields` create it.
struct Field {
  enum class Kind : std::uint8_t { number, whole, choice, text, flag, vector, matrix, indices, other };

  std::string name;
  Kind kind = Kind::other;
  std::string about;                    // documentation: a noun phrase
  double least = 0, most = 0;           // limits of a number or a whole number
  std::vector<std::string> names = {};  // alternatives of a choice
  /// Name of its definition in bridge/schema/protocol.schema.json. Empty if the kind and the limits define the field
  /// completely.
  std::string definition = {};
  bool is_required = false;
  Json otherwise = {};  // default; null: none, or one that depends on other fields

  Field required() && {
    is_required = true;
    return std::move(*this);
  }
  Field or_else(Json value) && {
    otherwise = std::move(value);
    return std::move(*this);
  }
};

/// Functions that create fields, for the tables of operations.
namespace fields {

inline Field number(const char* name, const std::string& about, double least = -largest_number,
                    double most = largest_number) {
  return {name, Field::Kind::number, about, least, most};
}
/// A number above 0.
inline Field positive(const char* name, const char* about) {
  return number(name, about, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max());
}
/// A number in [0, 1].
inline Field share(const char* name, const char* about) { return number(name, about, 0, 1); }
inline Field whole(const char* name, const std::string& about, double least = 1, double most = 1e9) {
  return {name, Field::Kind::whole, about, least, most};
}
inline Field choice(const char* name, const char* about, std::vector<std::string> names) {
  return {name, Field::Kind::choice, about, 0, 0, std::move(names)};
}
/// One of the names in a table of named values. The second overload has a default.
template <class Table>
Field choice_in(const char* name, const char* about, const Table& table) {
  return choice(name, about, core::names_in(table));
}
template <class Table>
Field choice_in(const char* name, const char* about, const Table& table, core::ValueOf<Table> otherwise) {
  return choice_in(name, about, table).or_else(std::string(core::name_of(table, otherwise)));
}
inline Field text(const char* name, const char* about, const char* definition = "") {
  return {name, Field::Kind::text, about, 0, 0, {}, definition};
}
/// True or false.
inline Field flag(const char* name, const char* about) { return {name, Field::Kind::flag, about}; }
inline Field vector(const char* name, const std::string& about, const char* definition = "vector") {
  return {name, Field::Kind::vector, about, 0, 0, {}, definition};
}
/// A list of rows.
inline Field matrix(const char* name, const char* about, const char* definition = "matrix") {
  return {name, Field::Kind::matrix, about, 0, 0, {}, definition};
}
/// A list of whole numbers.
inline Field indices(const char* name, const char* about) {
  return {name, Field::Kind::indices, about, 0, 0, {}, "indices"};
}
/// A field that its operation parses itself.
inline Field other(const char* name, const char* about, const char* definition) {
  return {name, Field::Kind::other, about, 0, 0, {}, definition};
}

}  // namespace fields
}  // namespace engram::bridge
