// SPDX-License-Identifier: MIT
// Theories of facts and rules in numeric form: forward closure, and random generation.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/numbers/random.hpp"

namespace engram::experiments {

/// Atom: <a --> [word]> if b is `none`, otherwise <(*, a, b) --> word>. Numbers from 0 up are names; numbers from
/// `first_variable` down are variables.
struct TheoryAtom {
  static constexpr int none = -1, first_variable = -2;
  int word = 0, a = 0, b = none;
  friend auto operator<=>(const TheoryAtom&, const TheoryAtom&) = default;
};

/// Rule: the conditions imply the conclusion. All variables of the conclusion occur in the conditions.
struct TheoryRule {
  std::vector<TheoryAtom> conditions;
  TheoryAtom conclusion;
  friend bool operator==(const TheoryRule&, const TheoryRule&) = default;
};

/// Substitution of names for variables.
using TheoryBinding = std::map<int, int>;
/// Applies a substitution to an atom. A binding may also replace names.
TheoryAtom bound(TheoryAtom atom, const TheoryBinding& binding);

/// Forward closure: all ground atoms that are stated or derivable, sorted by level. The level of an atom is the least
/// depth of its proofs; stated atoms have level 0.
class TheoryClosure {
 public:
  /// Computes the closure.  Cost  for each level, all matches of all rules
  TheoryClosure(const std::vector<TheoryAtom>& told, const std::vector<TheoryRule>& rules);
  const std::vector<TheoryAtom>& atoms() const { return atoms_; }
  std::size_t level(std::uint32_t atom) const { return levels_[atom]; }
  bool holds(const TheoryAtom& atom) const { return numbers_.contains(atom); }
  /// Index of a true atom in atoms().
  std::uint32_t number(const TheoryAtom& atom) const { return numbers_.at(atom); }
  /// All substitutions that satisfy the conditions of the rule.
  std::vector<TheoryBinding> matches(const TheoryRule& rule) const;

 private:
  void add(const TheoryAtom& atom, std::size_t level);
  void match(const TheoryRule& rule, std::size_t next, const TheoryBinding& so_far,
             std::vector<TheoryBinding>& found) const;

  std::map<TheoryAtom, std::uint32_t> numbers_;
  std::map<int, std::vector<std::uint32_t>> by_word_;
  std::vector<TheoryAtom> atoms_;
  std::vector<std::size_t> levels_;
};

/// A random theory. The first names are individuals; the first words are attributes.
struct Theory {
  static constexpr int individuals = 4, things = 2, names = individuals + things;
  static constexpr int attributes = 12, relations = 8, words = attributes + relations;
  static constexpr std::size_t least_statements = 15, most_statements = 20;
  std::vector<TheoryAtom> facts;
  std::vector<TheoryRule> rules;
};

/// Generates a random theory, by expanding proofs from their conclusions backwards. One proof has the given depth; if
/// that is at least 2, one of its rules has two derived conditions. Then adds distractors: facts that state of other
/// names what the proofs state, and rules that no facts satisfy. The frequencies of the forms of rules and facts are
/// chosen, not derived.
Theory draw_theory(std::size_t depth, core::Rng& rng);

}  // namespace engram::experiments
