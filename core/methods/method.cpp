// SPDX-License-Identifier: MIT
#include "core/methods/method.hpp"

#include <algorithm>
#include <cmath>

#include "narsese/printer.hpp"

namespace engram::core {
namespace {

void check_value(const OptionFacts& option, const OptionValue& value) {
  bool fits = false;
  if (const double* x = std::get_if<double>(&value))
    fits = option.choices.empty() && !option.text && *x >= option.least && *x <= option.most &&
           (!option.whole || *x == std::floor(*x));
  else
    fits = option.text ||
           std::ranges::find(option.choices, std::get<std::string>(value)) != option.choices.end();
  if (fits) return;
  const auto* text = std::get_if<std::string>(&value);
  throw OptionError(option.name,
                    "option '" + option.name + "' must be " + option.expected() + ", found " +
                        (text ? '"' + *text + '"' : narsese::print_number(std::get<double>(value))));
}

}  // namespace

std::string OptionFacts::expected() const {
  if (text) return "a text";
  if (choices.empty())
    return std::string(whole ? "a whole number" : "a number") + " in [" + narsese::print_number(least) +
           ", " + narsese::print_number(most) + "]";
  std::string list = "one of ";
  for (std::size_t i = 0; i < choices.size(); ++i) list += (i > 0 ? ", " : "") + choices[i];
  return list;
}

bool Method::reads_file() const { return std::ranges::any_of(options, &OptionFacts::text); }

bool Method::reads_learner() const {
  return std::ranges::any_of(options, [](const OptionFacts& option) {
    return std::ranges::find(option.choices, "learnt") != option.choices.end();
  });
}

Options complete_options(const Method& method, const Options& given) {
  Options complete;
  for (const OptionFacts& option : method.options) complete[option.name] = option.default_value;
  for (const auto& [name, value] : given) {
    const auto option = std::ranges::find(method.options, name, &OptionFacts::name);
    if (option == method.options.end()) {
      std::string known;
      for (const OptionFacts& o : method.options) known += (known.empty() ? "" : ", ") + o.name;
      throw OptionError(name, "method '" + method.name + "' has no option '" + name + "'; it has " +
                                  (known.empty() ? "none" : known));
    }
    check_value(*option, value);
    complete[name] = value;
  }
  method.check(complete);
  return complete;
}

AnyRetriever make_retriever(const Method& method, const Options& given) {
  return method.retriever(complete_options(method, given));
}

}  // namespace engram::core
