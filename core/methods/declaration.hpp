// SPDX-License-Identifier: MIT
// How a retriever becomes a method: each of its fields is described once, and what the retriever has as a
// default is the option's. For the files that declare methods.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/methods/explanation.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

/// For fields of a retriever's part, such as its `options`:
///   const auto of = within(&R::options);  of(&EcanOptions::rent)
template <class Part>
auto within(Part part) {
  return [part](auto member) {
    return [ part, member ](auto& r) -> auto& { return std::invoke(part, r).*member; };
  };
}

/// A method in the making. A field is a pointer to a member of R, or what gives a reference to it (`within`).
/// R has `recall`; where some of its recalls have a sum, `explain` (null for those that have none) and
/// `no_sum`, why these, or all, have none; where fields may be wrong together, `check`, which throws
/// OptionError.
template <Retriever R>
class Declaration {
 public:
  /// `prototype`  holds the defaults
  Declaration(std::string name, std::string family, std::string summary, R prototype = {})
      : prototype_(std::move(prototype)) {
    method_.name = std::move(name);
    method_.family = std::move(family);
    method_.summary = std::move(summary);
    method_.is_local = requires { R::is_local; };
  }

  /// Which items get a score above 0; nothing said: all that hold evidence.
  Declaration& support(Support which) {
    method_.support = which;
    return *this;
  }
  /// Recalls tell their energies.
  Declaration& has_energy() {
    method_.has_energy = true;
    return *this;
  }

  /// A run that takes all methods leaves it out.
  Declaration& only_by_name() {
    method_.only_by_name = true;
    return *this;
  }

  /// A number in [least, most].
  template <class Field>
  Declaration& number(std::string name, Field field, double least, double most, std::string meaning) {
    return add(
        {std::move(name), std::move(meaning), {}, least, most, false, {}}, field,
        [](double x) { return OptionValue(x); },
        [](const OptionValue& value) { return std::get<double>(value); });
  }

  /// A whole number in [least, most], within what the field and a double can hold.
  template <class Field>
  Declaration& whole(std::string name, Field field, double least, double most, std::string meaning) {
    using T = std::remove_cvref_t<std::invoke_result_t<Field, R&>>;
    return add(
        {std::move(name), std::move(meaning), {}, least, most, true, {}}, field,
        [](T x) { return OptionValue(static_cast<double>(x)); },
        [](const OptionValue& value) { return static_cast<T>(std::get<double>(value)); });
  }

  /// One of several values by their names (core/numbers/names.hpp), the default's first.
  template <class Field, class Table>
  Declaration& choice(std::string name, Field field, const Table& table, std::string meaning) {
    using Row = std::ranges::range_value_t<Table>;
    std::vector<Row> rows(table.begin(), table.end());
    const auto first = std::ranges::find(rows, std::invoke(field, prototype_), &Row::value);
    std::rotate(rows.begin(), first, first + 1);
    return add(
        {std::move(name), std::move(meaning), {}, 0, 0, false, names_in(rows)}, field,
        [rows](const auto& x) {
          return OptionValue(std::string(std::ranges::find(rows, x, &Row::value)->name));
        },
        [rows](const OptionValue& value) { return *value_named(rows, std::get<std::string>(value)); });
  }

  /// yes or no.
  template <class Field>
  Declaration& yes_or_no(std::string name, Field field, std::string meaning) {
    constexpr std::array<NamedValue<bool>, 2> answers{{{true, "yes"}, {false, "no"}}};
    return choice(std::move(name), field, answers, std::move(meaning));
  }

  /// Any text.
  template <class Field>
  Declaration& text(std::string name, Field field, std::string meaning) {
    return add(
        {std::move(name), std::move(meaning), {}, 0, 0, false, {}, true}, field,
        [](const std::string& x) { return OptionValue(x); },
        [](const OptionValue& value) { return std::get<std::string>(value); });
  }

  /// From scores to a distribution: the map, and what the maps read.
  template <class Field>
  Declaration& map(Field field) {
    const auto of = within(field);
    constexpr Index usual_budget = 4;  // chosen
    std::invoke(field, prototype_).k = usual_budget;
    support(Support::by_map);
    return choice("map", of(&Regulariser::map), simplex_maps, "from scores to a distribution")
        .number("alpha", of(&Regulariser::alpha), 1.001, 1000,
                "of entmax (towards 1: softmax; 2: sparsemax) and normmax")
        .whole("k", of(&Regulariser::k), 1, 1e6, "of budget: how many may be chosen at once");
  }

  operator Method() const {  // NOLINT(google-explicit-constructor): what a declaration is for
    Method method = method_;
    method.check = [made = *this](const Options& complete) {
      if constexpr (requires(const R& r) { r.check(); }) made.from(complete).check();
    };
    method.retriever = [made = *this](const Options& complete) { return any_retriever(made.from(complete)); };
    method.explainer = [made = *this](const Options& complete, const Readings& readings, const Cue& cue,
                                      const Recall& recall) -> AnyExplainer {
      if constexpr (requires(const R& r) { r.explain(readings, cue, recall); })
        if (auto explainer = made.from(complete).explain(readings, cue, recall)) return explainer;
      if constexpr (requires { R::no_sum; })
        return unexplained(recall, R::no_sum);
      else
        return unexplained(recall, "its scores are no sums of parts");
    };
    return method;
  }

  /// What a recall with these options is made by.
  R from(const Options& complete) const {
    R retriever = prototype_;
    for (std::size_t i = 0; i < setters_.size(); ++i)
      setters_[i](retriever, complete.at(method_.options[i].name));
    return retriever;
  }

 private:
  using Setter = std::function<void(R&, const OptionValue&)>;

  template <class Field, class Get, class Set>
  Declaration& add(OptionFacts facts, Field field, Get get, Set set) {
    facts.default_value = get(std::invoke(field, prototype_));
    method_.options.push_back(std::move(facts));
    setters_.push_back([field, set](R& r, const OptionValue& value) { std::invoke(field, r) = set(value); });
    return *this;
  }

  R prototype_;
  Method method_;  // without what is made of the whole declaration
  std::vector<Setter> setters_;
};

}  // namespace engram::core
