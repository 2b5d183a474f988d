// SPDX-License-Identifier: MIT
// Options of retrieval methods. A table has one row for each option of a method, as constexpr data; parsing, checks,
// messages, schemas and help texts are made from the table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

class Retriever;

/// Value of an option: a number, or a text such as the name of a choice.
using OptionValue = std::variant<double, std::string>;
/// Options that a user gave: values by the name of the option.
using Options = std::map<std::string, OptionValue>;

/// Error in the options of a method: an unknown option, a value outside its range, or options that exclude each other.
/// `option` is the name of the option.
struct OptionError : std::invalid_argument {
  OptionError(std::string option_name, const std::string& message)
      : std::invalid_argument(message), option(std::move(option_name)) {}
  std::string option;
};

/// Type of an option's value.
enum class OptionKind : std::uint8_t {
  number,  // in [least, most]
  whole,   // a whole number in [least, most]
  choice,  // one of the choices
  text,    // any text
};

/// Row of an option table: the name, meaning and range of one option, and functions that access its field. `get` reads
/// the field of the option in a retriever; `set` assigns a checked value to it.
struct OptionSpec {
  std::string_view name, meaning;
  OptionKind kind = OptionKind::number;
  double least = 0, most = 0;
  std::span<const std::string_view> choices = {};
  OptionValue (*get)(const Retriever& retriever) = nullptr;
  void (*set)(Retriever& retriever, const OptionValue& value) = nullptr;
};

/// Option of a method, as users see it: the table row together with the default value.
struct Option {
  std::string name, meaning;
  OptionKind kind = OptionKind::number;
  double least = 0, most = 0;
  std::vector<std::string> choices;  // the default first
  OptionValue default_value;

  /// The allowed values in words, for messages: "a number in [1, 100]" or "one of softmax, sparsemax, argmax".
  std::string expected() const;
};

/// Makes the options of a method from its table. Defaults are the values of the fields in `defaults`.
std::vector<Option> with_defaults(std::span<const OptionSpec> table, const Retriever& defaults);
/// Checks the given values and adds the defaults of all other options. Returns a value for every option.
/// Errors  OptionError; the message names `method`
Options complete_options(const std::vector<Option>& options, const Options& given, std::string_view method);
/// Assigns the value of each option in the table to its field of the retriever. `complete` must have a checked value
/// for each.
void assign_options(std::span<const OptionSpec> table, const Options& complete, Retriever& retriever);

// Functions that make the rows of a table. The template arguments are the path from the retriever to the option's
// field: pointers to members, and perhaps an array index at the end. For example, whole_option<&R::options,
// &EcanOptions::focus>(...) sets retriever.options.focus.

/// The class that has the data member, for a pointer to a data member. option_field() uses it to find the retriever's
/// class.
template <class Member>
struct ClassOf;
/// Specialisation for pointers to data members, the only kind of pointer in a path.
template <class Class, class Type>
struct ClassOf<Type Class::*> {
  using type = Class;
};

/// Returns the part of an object that a path of member pointers and array indexes leads to.
template <auto step, auto... rest>
constexpr auto& part_of(auto& object) {
  if constexpr (!std::is_member_pointer_v<decltype(step)>)
    return object[step];
  else if constexpr (sizeof...(rest) == 0)
    return object.*step;
  else
    return part_of<rest...>(object.*step);
}

/// Returns the field of an option in a retriever. The template arguments are the path to the field.
template <auto first, auto... rest>
const auto& option_field(const Retriever& retriever) {
  return part_of<first, rest...>(static_cast<const typename ClassOf<decltype(first)>::type&>(retriever));
}
/// Returns the field of an option in a retriever, so that it can be assigned.
template <auto first, auto... rest>
auto& option_field(Retriever& retriever) {
  return part_of<first, rest...>(static_cast<typename ClassOf<decltype(first)>::type&>(retriever));
}

/// Makes the row of a numeric option with values in [least, most].
template <auto... path>
constexpr OptionSpec number_option(std::string_view name, double least, double most,
                                   std::string_view meaning) {
  return {name,
          meaning,
          OptionKind::number,
          least,
          most,
          {},
          [](const Retriever& r) { return OptionValue(static_cast<double>(option_field<path...>(r))); },
          [](Retriever& r, const OptionValue& value) {
            auto& field = option_field<path...>(r);
            field = static_cast<std::remove_reference_t<decltype(field)>>(std::get<double>(value));
          }};
}

/// Makes the row of an option for whole numbers in [least, most]. Both bounds must fit the field's type and be exact in
/// double.
template <auto... path>
constexpr OptionSpec whole_option(std::string_view name, double least, double most,
                                  std::string_view meaning) {
  OptionSpec row = number_option<path...>(name, least, most, meaning);
  row.kind = OptionKind::whole;
  return row;
}

/// Array of the names in a table of named values (core/numbers/names.hpp).
template <const auto& table>
inline constexpr auto choice_names = [] {
  std::array<std::string_view, table.size()> names;
  std::ranges::transform(table, names.begin(), [](const auto& row) { return row.name; });
  return names;
}();

/// Makes the row of an option that chooses one name from a table of named values; the field has the type of these
/// values. No two rows of `table` may have the same value.
template <const auto& table, auto... path>
constexpr OptionSpec choice_option(std::string_view name, std::string_view meaning) {
  return {name,
          meaning,
          OptionKind::choice,
          0,
          0,
          choice_names<table>,
          [](const Retriever& r) {
            const auto& field = option_field<path...>(r);
            const auto row =
                std::ranges::find_if(table, [&](const auto& each) { return each.value == field; });
            return OptionValue(std::string(row->name));
          },
          [](Retriever& r, const OptionValue& value) {
            option_field<path...>(r) = *value_named(table, std::get<std::string>(value));
          }};
}

inline constexpr std::array<NamedValue<bool>, 2> yes_and_no{{{true, "yes"}, {false, "no"}}};
/// Makes the row of an option that is yes or no; the field is a bool.
template <auto... path>
constexpr OptionSpec yes_or_no_option(std::string_view name, std::string_view meaning) {
  return choice_option<yes_and_no, path...>(name, meaning);
}

/// Makes the row of an option that accepts any text; the field is a std::string.
template <auto... path>
constexpr OptionSpec text_option(std::string_view name, std::string_view meaning) {
  return {name,
          meaning,
          OptionKind::text,
          0,
          0,
          {},
          [](const Retriever& r) { return OptionValue(option_field<path...>(r)); },
          [](Retriever& r, const OptionValue& value) {
            option_field<path...>(r) = std::get<std::string>(value);
          }};
}

/// Makes the rows of the three options that describe a simplex map, a function that turns scores into a distribution
/// (core/maps/simplex_map.hpp). The field is a Regulariser; use default_map() for its default.
template <auto... path>
constexpr std::array<OptionSpec, 3> simplex_map_options() {
  return {choice_option<simplex_maps, path..., &Regulariser::map>("map", "from scores to a distribution"),
          number_option<path..., &Regulariser::alpha>(
              "alpha", 1.001, 1000, "of entmax (towards 1: softmax; 2: sparsemax) and normmax"),
          whole_option<path..., &Regulariser::k>("k", 1, 1e6, "of budget: how many may be chosen at once")};
}
/// Returns a simplex map as the default of an option field: with k = 4, so that `budget` chooses four items unless the
/// user sets k. Chosen.
inline Regulariser default_map(Regulariser map) {
  map.k = 4;
  return map;
}

/// Number of table rows in one argument of option_table(): 1 for a row, n for an array of n rows.
template <class Rows>
inline constexpr std::size_t option_rows = 1;
template <std::size_t n>
inline constexpr std::size_t option_rows<std::array<OptionSpec, n>> = n;

/// Makes the option table of a method: joins rows and arrays of rows in the order of the arguments.
template <class... Rows>
constexpr auto option_table(const Rows&... rows) {
  std::array<OptionSpec, (option_rows<Rows> + ... + 0)> table;
  std::size_t next = 0;
  const auto add = [&](const auto& part) {
    if constexpr (std::is_same_v<decltype(part), const OptionSpec&>)
      table[next++] = part;
    else
      for (const OptionSpec& row : part) table[next++] = row;
  };
  (add(rows), ...);
  return table;
}

}  // namespace engram::core
