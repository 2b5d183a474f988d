// SPDX-License-Identifier: MIT
// Names of enum values. An enum has one table with a row per value, in the order of the values. A row holds the
// `value`, its `name` in files, options and messages, and possibly further facts.
#pragma once

#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace engram::core {

/// A row of a table of names that holds only a value and its name.
template <class T>
struct NamedValue {
  T value;
  std::string_view name;
};

/// The enum type of the values in a table of names.
template <class Table>
using ValueOf = std::remove_cvref_t<decltype(std::ranges::range_value_t<Table>::value)>;

/// Returns the value with this name, or nothing. Use it to parse an option.
template <class Table>
constexpr std::optional<ValueOf<Table>> value_named(const Table& table, std::string_view name) {
  for (const auto& row : table)
    if (row.name == name) return row.value;
  return {};
}

/// Returns the row of a value. The table must have all values in order, because the value is the index.
template <class Table>
constexpr const auto& row_of(const Table& table, ValueOf<Table> value) {
  return table[static_cast<std::size_t>(value)];
}

/// Returns the name of a value in its table.
template <class Table>
constexpr std::string_view name_of(const Table& table, ValueOf<Table> value) {
  return row_of(table, value).name;
}

/// Returns all names in the order of the table, for messages and lists of choices.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace engram::core
