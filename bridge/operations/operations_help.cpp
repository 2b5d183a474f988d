// SPDX-License-Identifier: MIT
#include "bridge/operations/operations_help.hpp"

#include <nlohmann/json.hpp>

#include "bridge/operations/operations.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

// The limits of a number, without limits near the range of double.
std::string limits_of(const Field& field) {
  const bool is_whole = field.kind == Field::Kind::whole;
  const std::string kind = is_whole ? "a whole number" : "a number";
  const std::string least = narsese::print_number(field.least), most = narsese::print_number(field.most);
  const bool is_above_zero = field.least > 0 && field.least <= least_positive;
  const bool has_most = field.most < (is_whole ? 1e9 : 1e250);
  if (is_above_zero) return kind + " above 0" + (has_most ? " and at most " + most : "");
  if (has_most) return kind + " from " + least + " to " + most;
  return field.least > -largest_number ? kind + ", at least " + least : kind;
}

// The values that a field accepts; empty if its documentation defines them.
std::string values_of(const Field& field) {
  switch (field.kind) {
    case Field::Kind::number:
    case Field::Kind::whole:
      return limits_of(field);
    case Field::Kind::choice:
      return joined(field.names);
    case Field::Kind::flag:
      return "true or false";
    case Field::Kind::vector:
      return "a list of numbers";
    case Field::Kind::matrix:
      return "a list of rows of numbers";
    case Field::Kind::indices:
      return "a list of whole numbers";
    case Field::Kind::text:
    case Field::Kind::other:
      break;
  }
  return {};
}

std::string default_of(const Field& field) {
  if (field.is_required) return " (required)";
  if (field.otherwise.is_null()) return {};
  return " = " + (field.otherwise.is_string() ? field.otherwise.get<std::string>()
                                              : narsese::print_number(field.otherwise.get<double>()));
}

}  // namespace

std::string operations_help() {
  std::string text;
  for (const Operation& operation : operations()) {
    std::string required, optional;
    for (const Field& field : operation.fields) (field.is_required ? required : optional) += " " + field.name;
    if (forms_of(operation.name).size() > 1)  // the first field selects the form
      required.insert(1 + operation.fields[0].name.size(), "=" + joined(operation.fields[0].names, "|"));
    text += "  " + operation.name + required;
    if (!optional.empty()) text += " [" + optional.substr(1) + "]";
    text += "\n";
  }
  return text;
}

std::string operation_help(std::string_view name) {
  std::string text;
  for (const Operation& operation : forms_of(name)) {
    text += (text.empty() ? "" : "\n") + operation.name + ": " + operation.about + "\n";
    for (const Field& field : operation.fields) {
      const std::string values = values_of(field);
      text += "  " + field.name + default_of(field) + ": " + field.about +
              (values.empty() ? "" : " (" + values + ")") + "\n";
    }
    text += "Example: " + operation.example + "\n";
  }
  return text;
}

}  // namespace engram::bridge
