// SPDX-License-Identifier: MIT
#include "bridge/operations/operations.hpp"

#include <algorithm>

#include "bridge/operations/operations_help.hpp"
#include "narsese/similar_names.hpp"

namespace engram::bridge {

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : separator).append(name);
  return text;
}

std::span<const Operation> operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> rows = memory_operations();
    for (Operation& kernel : kernel_operations()) rows.push_back(std::move(kernel));
    return rows;
  }();
  return all;
}

std::span<const Operation> forms_of(std::string_view name) {
  const auto all = operations();
  const auto first = std::ranges::find(all, name, &Operation::name);
  const auto last =
      std::find_if(first, all.end(), [&](const Operation& operation) { return operation.name != name; });
  return {first, last};
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const Operation& operation : operations())
    if (names.empty() || names.back() != operation.name) names.push_back(operation.name);
  return names;
}

const Operation& operation_of(const Json& request) {
  const JsonValue root(request);
  const JsonValue op = root.object()["op"];
  const std::string& name = op.text();
  const auto forms = forms_of(name);
  if (forms.empty()) {
    const std::vector<std::string> names = operation_names();
    const std::string nearest = narsese::nearest_name(name, names);
    throw RequestError{"unknown_op",
                       "unknown op '" + name + "'" +
                           (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)") + "; known are " +
                           joined(names),
                       {{"pointer", "/op"}}};
  }
  if (forms.size() == 1) return forms.front();
  std::vector<std::string> values;
  for (const Operation& form : forms)
    values.insert(values.end(), form.fields.front().names.begin(), form.fields.front().names.end());
  const JsonValue field = root[forms.front().fields.front().name];
  const std::string& value = field.choice("", values);
  return *std::ranges::find_if(forms, [&](const Operation& form) {
    return std::ranges::find(form.fields.front().names, value) != form.fields.front().names.end();
  });
}

}  // namespace engram::bridge
