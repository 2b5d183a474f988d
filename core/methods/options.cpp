// SPDX-License-Identifier: MIT
#include "core/methods/options.hpp"

#include <cmath>

#include "narsese/printer.hpp"

namespace engram::core {
namespace {

void check_value(const Option& option, const OptionValue& value) {
  bool fits = false;
  if (const double* x = std::get_if<double>(&value))
    fits = (option.kind == OptionKind::number || option.kind == OptionKind::whole) && *x >= option.least &&
           *x <= option.most && (option.kind != OptionKind::whole || *x == std::floor(*x));
  else
    fits = option.kind == OptionKind::text ||
           std::ranges::find(option.choices, std::get<std::string>(value)) != option.choices.end();
  if (fits) return;
  const auto* text = std::get_if<std::string>(&value);
  throw OptionError(option.name,
                    "option '" + option.name + "' must be " + option.expected() + ", found " +
                        (text ? '"' + *text + '"' : narsese::print_number(std::get<double>(value))));
}

}  // namespace

std::string Option::expected() const {
  if (kind == OptionKind::text) return "a text";
  if (kind != OptionKind::choice)
    return std::string(kind == OptionKind::whole ? "a whole number" : "a number") + " in [" +
           narsese::print_number(least) + ", " + narsese::print_number(most) + "]";
  std::string list = "one of ";
  for (std::size_t i = 0; i < choices.size(); ++i) list += (i > 0 ? ", " : "") + choices[i];
  return list;
}

std::vector<Option> with_defaults(std::span<const OptionSpec> table, const Retriever& defaults) {
  std::vector<Option> options;
  for (const OptionSpec& row : table) {
    Option option{std::string(row.name),
                  std::string(row.meaning),
                  row.kind,
                  row.least,
                  row.most,
                  {row.choices.begin(), row.choices.end()},
                  row.get(defaults)};
    if (row.kind == OptionKind::choice) {
      const auto first = std::ranges::find(option.choices, std::get<std::string>(option.default_value));
      std::rotate(option.choices.begin(), first, first + 1);
    }
    options.push_back(std::move(option));
  }
  return options;
}

Options complete_options(const std::vector<Option>& options, const Options& given, std::string_view method) {
  Options complete;
  for (const Option& option : options) complete[option.name] = option.default_value;
  for (const auto& [name, value] : given) {
    const auto option = std::ranges::find(options, name, &Option::name);
    if (option == options.end()) {
      std::string known;
      for (const Option& o : options) known += (known.empty() ? "" : ", ") + o.name;
      throw OptionError(name, "method '" + std::string(method) + "' has no option '" + name + "'; it has " +
                                  (known.empty() ? "none" : known));
    }
    check_value(*option, value);
    complete[name] = value;
  }
  return complete;
}

void assign_options(std::span<const OptionSpec> table, const Options& complete, Retriever& retriever) {
  for (const OptionSpec& row : table) row.set(retriever, complete.at(std::string(row.name)));
}

}  // namespace engram::core
