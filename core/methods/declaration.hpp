// SPDX-License-Identifier: MIT
// Declaration of a method: a retriever, and for each option its name, range, meaning and the field that holds it.
// For the files that define methods.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/methods/explanation.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

/// Accessor of fields of a member, such as the retriever's `options`:
///   const auto of = within(&R::options);  of(&EcanOptions::rent)
template <class Part>
auto within(Part part) {
  return [part](auto member) {
    return [ part, member ](auto& r) -> auto& { return std::invoke(part, r).*member; };
  };
}

/// Options of a retriever, with the offset of the field that holds each. The retriever's type does not appear, so that its code is compiled
/// once for all retrievers, and once for each type of field.
class OptionTable {
 public:
  /// Assigns an option's value to the field at this address.
  using Assign = std::function<void(void* field, const OptionValue& value)>;

  /// Adds an option. Its field starts `offset` bytes after the start of the retriever.
  void add(OptionFacts facts, std::size_t offset, Assign assign) {
    facts_.push_back(std::move(facts));
    places_.push_back({offset, std::move(assign)});
  }
  /// Assigns all options to the retriever at this address.
  void assign(void* retriever, const Options& complete) const {
    for (std::size_t i = 0; i < facts_.size(); ++i)
      places_[i].assign(static_cast<std::byte*>(retriever) + places_[i].offset, complete.at(facts_[i].name));
  }
  /// Name, range, meaning and default of each option, in the order of declaration.
  const std::vector<OptionFacts>& facts() const { return facts_; }

 private:
  struct Place {
    std::size_t offset;
    Assign assign;
  };
  std::vector<OptionFacts> facts_;
  std::vector<Place> places_;
};

/// Assigns a number to a field of type T.
template <class T>
void assign_number(void* field, const OptionValue& value) {
  *static_cast<T*>(field) = static_cast<T>(std::get<double>(value));
}

/// Adds an option that is one of the rows of a table (core/numbers/names.hpp), the default's row first.
template <class T>
void add_choice(OptionTable& table, std::string name, std::string meaning, std::size_t offset,
                const T& default_value, std::vector<NamedValue<T>> rows) {
  const auto first = std::ranges::find(rows, default_value, &NamedValue<T>::value);
  std::rotate(rows.begin(), first, first + 1);
  OptionFacts facts{std::move(name), std::move(meaning), std::string(rows.front().name), 0, 0,
                    false,           names_in(rows)};
  table.add(std::move(facts), offset, [rows = std::move(rows)](void* field, const OptionValue& value) {
    *static_cast<T*>(field) = *value_named(rows, std::get<std::string>(value));
  });
}

/// A method under construction. A field is a pointer to a member of R, or an accessor that returns a reference to a part
/// of R (`within`); it must lie inside R, not on the heap. R has `recall`. R may have `explain`, which returns null for
/// recalls without a sum; `no_sum`, the reason why some recalls, or all, have none; and `check`, which throws
/// OptionError if fields are wrong together.
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

  /// Which items get a score above 0. Default: all that hold evidence.
  Declaration& support(Support which) {
    method_.support = which;
    return *this;
  }
  /// Recalls report energies.
  Declaration& has_energy() {
    method_.has_energy = true;
    return *this;
  }

  /// Runs that take all methods leave this one out.
  Declaration& only_by_name() {
    method_.only_by_name = true;
    return *this;
  }

  /// A number in [least, most].
  template <class Field>
  Declaration& number(std::string name, Field field, double least, double most, std::string meaning) {
    return add_number(std::move(name), std::invoke(field, prototype_), least, most, false,
                      std::move(meaning));
  }

  /// A whole number in [least, most]; both must fit the field and be exact in double.
  template <class Field>
  Declaration& whole(std::string name, Field field, double least, double most, std::string meaning) {
    return add_number(std::move(name), std::invoke(field, prototype_), least, most, true, std::move(meaning));
  }

  /// One of several values by name (core/numbers/names.hpp); the default is listed first.
  template <class Field, class Table>
  Declaration& choice(std::string name, Field field, const Table& table, std::string meaning) {
    auto& target = std::invoke(field, prototype_);
    std::vector<NamedValue<std::remove_cvref_t<decltype(target)>>> rows;
    for (const auto& row : table) rows.push_back({row.value, row.name});
    add_choice(options_, std::move(name), std::move(meaning), offset_of(&target), target, std::move(rows));
    return *this;
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
    std::string& target = std::invoke(field, prototype_);
    options_.add({std::move(name), std::move(meaning), target, 0, 0, false, {}, true}, offset_of(&target),
                 [](void* at, const OptionValue& value) {
                   *static_cast<std::string*>(at) = std::get<std::string>(value);
                 });
    return *this;
  }

  /// The options of a simplex map, which turns scores into a distribution.
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
    method.options = options_.facts();
    const auto made = std::make_shared<const Declaration>(*this);
    method.check = [made](const Options& complete) {
      if constexpr (requires(const R& r) { r.check(); }) made->from(complete).check();
    };
    method.retriever = [made](const Options& complete) { return any_retriever(made->from(complete)); };
    method.explainer = [made](const Options& complete, const MemoryIndex& readings, const Cue& cue,
                              const Recall& recall) -> AnyExplainer {
      if constexpr (requires(const R& r) { r.explain(readings, cue, recall); })
        if (auto explainer = made->from(complete).explain(readings, cue, recall)) return explainer;
      if constexpr (requires { R::no_sum; })
        return unexplained(recall, R::no_sum);
      else
        return unexplained(recall, "its scores are no sums of parts");
    };
    return method;
  }

  /// The retriever with these options.
  R from(const Options& complete) const {
    R retriever = prototype_;
    options_.assign(&retriever, complete);
    return retriever;
  }

 private:
  std::size_t offset_of(const void* field) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(field) -
                                                 reinterpret_cast<const std::byte*>(&prototype_));
    if (offset >= sizeof(R))
      throw std::logic_error("an option of " + method_.name + " is not a part of the retriever");
    return offset;
  }

  template <class T>
  Declaration& add_number(std::string name, T& target, double least, double most, bool whole,
                          std::string meaning) {
    options_.add({std::move(name), std::move(meaning), static_cast<double>(target), least, most, whole, {}},
                 offset_of(&target), assign_number<T>);
    return *this;
  }

  R prototype_;
  Method method_;  // without options and functions
  OptionTable options_;
};

}  // namespace engram::core
