// SPDX-License-Identifier: MIT
// Terms with variables against terms: where their names stand, whether they match, whether they could.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "narsese/term.hpp"

namespace engram::core {

/// Where in a term something stands: the nodes above it and which of their components it is in, all alike
/// where order is without meaning. The same number for the same place, in every table and run.
using Position = std::uint64_t;

/// A name, or a variable, and its place.
struct Leaf {
  narsese::Term term;
  Position position = 0;
};

/// Atoms, operators and variables of a term from the left, each time they occur; intervals are left out.
/// Cost  O(size)
std::vector<Leaf> leaves(narsese::Term term);
/// Appends them.
void add_leaves(narsese::Term term, std::vector<Leaf>& found);

/// What variables stand for, in the order in which they were met.
using Bindings = std::vector<std::pair<narsese::Term, narsese::Term>>;

/// Up to this complexity a commutative compound with two components is tried in both orders; longer ones, and
/// those with more components, are taken in the order that terms keep.
inline constexpr std::uint64_t most_turned = 64;

/// Matching, unification with one side fixed: extends `bindings` such that the pattern becomes the term, in
/// which variables (a question's) stand for anything and bind nothing. Where it cannot, it returns false and
/// leaves the bindings as they were.
/// Cost  O(size); what is turned, up to the square of its size
bool match(narsese::Term pattern, narsese::Term term, Bindings& bindings);

/// Whether two terms could be made equal if every variable, each time it occurs, stood for anything: all
/// terms that unify (turned no more than above) are compatible, and for terms without repeated variables the
/// converse holds.
/// Cost  as above
bool compatible(narsese::Term a, narsese::Term b);

/// The number of a term in which all variables are alike: terms that differ in variables alone have the same.
std::uint64_t shape_of(narsese::Term term);

/// A rule as premises and a conclusion: <(a && b) ==> c>, <a ==> <b ==> c>>, and of <a <=> b> both readings.
struct RulePattern {
  std::uint32_t statement = 0;
  std::vector<narsese::Term> premises;  // 1 to 8
  narsese::Term conclusion;
};

/// Appends the rules that a term states: an implication states one, an equivalence one in each direction, any other
/// term none. Rules with more than eight premises are left out.
void add_rule_patterns(std::uint32_t statement, narsese::Term term, std::vector<RulePattern>& rules);

}  // namespace engram::core
