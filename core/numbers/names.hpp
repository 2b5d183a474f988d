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

/// A row without further facts.
template <class T>
struct NamedValue {
  T value;
  std::string_view name;
};

/// The enum of a table.
template <class Table>
using ValueOf = std::remove_cvref_t<decltype(std::ranges::range_value_t<Table>::value)>;

/// The value with this name, if any.
template <class Table>
constexpr std::optional<ValueOf<Table>> value_named(const Table& table, std::string_view name) {
  for (const auto& row : table)
    if (row.name == name) return row.value;
  return {};
}

/// The row of a value.
template <class Table>
constexpr const auto& row_of(const Table& table, ValueOf<Table> value) {
  return table[static_cast<std::size_t>(value)];
}

/// The name of a value.
template <class Table>
constexpr std::string_view name_of(const Table& table, ValueOf<Table> value) {
  return row_of(table, value).name;
}

/// All names, in the order of the table.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace engram::core
