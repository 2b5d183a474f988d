// SPDX-License-Identifier: MIT
// Term table for one proof search. The search stores the terms that it builds here, so the term table of the memory
// stays unchanged.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "narsese/term.hpp"

namespace engram::core {

/// Handle of a term in GoalTerms: its number in the table.
using GoalTerm = std::uint32_t;
inline constexpr GoalTerm no_goal_term = ~GoalTerm{0};

/// Variable bindings: the value of each variable of a pattern, indexed by the number of the variable. Variables without
/// a value have no_goal_term.
using GoalBindings = std::vector<GoalTerm>;

/// Hash-consed term table: equal terms get the same number. Terms with variables are patterns, whose variables are
/// numbered from 0. Statements are normalised, so that equivalent forms become equal: <a --> (/, r, _, b)> becomes <(*,
/// a, b) --> r>, and the condition (&/, a, ^go, +3) of a temporal implication becomes its only event a.
class GoalTerms {
 public:
  /// Converts a term of the memory to a term of this table, and returns its number. `variables` maps variable numbers
  /// to the variables of the pattern; new variables are appended.
  GoalTerm of(narsese::Term term, std::vector<narsese::Term>& variables);
  /// Converts a term without variables, and returns its number.
  GoalTerm of(narsese::Term term);

  /// Returns the pattern with its bound variables replaced by their values. Unbound variables get new numbers in the
  ///         order of their first occurrence. `free` maps the new numbers to the unbound variables, and new ones are
  ///         appended.
  GoalTerm filled_in(GoalTerm pattern, const GoalBindings& bindings, std::vector<GoalTerm>& free);

  /// Matches a pattern with the term `wanted`, and stores the values of the variables of the pattern in `bindings`. A
  /// variable in `wanted` matches every term and is not bound. The match tries both orders of a commutative compound
  /// with two components. Returns whether the pattern matches. If it does not, `bindings` may contain values of the
  /// failed attempt.
  bool match(GoalTerm pattern, GoalTerm wanted, GoalBindings& bindings) const;

  /// Whether the term contains variables.
  bool is_open(GoalTerm term) const { return nodes_[term].is_open; }
  bool is_variable(GoalTerm term) const { return nodes_[term].label.kind == narsese::TermKind::variable; }
  /// The kind and symbol of the term.
  narsese::TermLabel label(GoalTerm term) const { return nodes_[term].label; }
  /// The components of the term. The span is invalidated when a term is added.
  std::span<const GoalTerm> components(GoalTerm term) const {
    return {children_.data() + nodes_[term].first, nodes_[term].count};
  }
  /// The equal term in the term table of the memory, or a null term if it exists only here.
  narsese::Term memory_term(GoalTerm term) const { return nodes_[term].term; }
  /// Returns the term with the component at index `place` replaced.
  GoalTerm with_component(GoalTerm term, std::size_t place, GoalTerm component);
  /// Returns the term with every occurrence of `part` replaced by `by`.
  GoalTerm replaced(GoalTerm term, GoalTerm part, GoalTerm by);
  /// Returns the variable with this number, and adds it if it is new.
  GoalTerm variable(std::size_t number);

  /// Estimated size of the table in bytes.
  std::size_t bytes() const {
    return nodes_.size() * (sizeof(Node) + 3 * bytes_of_entry) + children_.size() * 4;
  }

 private:
  static constexpr std::size_t bytes_of_entry = 40;  // bytes of an entry of a hash map, estimated
  struct Node {
    narsese::TermLabel label;
    narsese::Term term;       // the equal term of the memory, or null
    std::uint32_t first = 0;  // index of the first component in children_; for a variable, its number
    std::uint32_t count = 0;
    bool is_open = false;
  };
  GoalTerm compound(narsese::TermLabel label, std::span<const GoalTerm> components, narsese::Term known = {});
  GoalTerm statement_of(narsese::Term term, std::vector<narsese::Term>& variables);

  std::vector<Node> nodes_;
  std::vector<GoalTerm> children_;
  std::vector<GoalTerm> variables_;  // variables, indexed by number
  std::unordered_map<narsese::Term, GoalTerm, narsese::HashOfTerm> of_memory_;  // never iterated
  std::unordered_multimap<std::uint64_t, GoalTerm> by_hash_;                    // never iterated
};

/// The only event of a sequence or parallel conjunction, without operations and intervals: a for (&/, a, ^go, +3).
/// Returns the term unchanged if it has several events or is another kind of term.
narsese::Term event_alone(narsese::Term term);

}  // namespace engram::core
