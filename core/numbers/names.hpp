// SPDX-License-Identifier: MIT
// Values that have names, most of them those of an enum. Each enum has one table of all its values, in their
// order: rows with the `value`, its `name` in files, on the command line and in messages, and perhaps more
// facts about it.
#pragma once

#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace engram::core {

/// A row that tells no more than the name.
template <class T>
struct NamedValue {
  T value;
  std::string_view name;
};

/// What the rows of a table name.
template <class Table>
using ValueOf = std::remove_cvref_t<decltype(std::ranges::range_value_t<Table>::value)>;

/// The value of that name; nothing where the table has no such name.
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

/// All names, in their order.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace engram::core
