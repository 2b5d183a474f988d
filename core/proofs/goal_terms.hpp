// SPDX-License-Identifier: MIT
// The table of the terms that a search for proofs builds. The term table of the memory stays unchanged.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "narsese/term.hpp"

namespace engram::core {

/// The number of a term in GoalTerms.
using GoalTerm = std::uint32_t;
inline constexpr GoalTerm no_goal_term = ~GoalTerm{0};

/// The value of each variable of a pattern, by the variable's number; no_goal_term if it is not bound.
using GoalBindings = std::vector<GoalTerm>;

/// A hash-consed term table: equal terms have the same number. Variables are numbered from 0 within each pattern.
/// Statements are normalised: <a --> (/, r, _, b)> becomes <(*, a, b) --> r>, and the condition (&/, a, ^go, +3) of a
/// temporal implication becomes its only event a.
class GoalTerms {
 public:
  /// Adds a term of the memory. `variables` lists the variables of its pattern by their numbers, and is extended.
  GoalTerm of(narsese::Term term, std::vector<narsese::Term>& variables);
  /// Adds a term without variables.
  GoalTerm of(narsese::Term term);

  /// Replaces the bound variables of a pattern by their values. Unbound variables are renumbered in the order of their
  /// occurrence; `free` lists them by their new numbers, and is extended.
  GoalTerm filled_in(GoalTerm pattern, const GoalBindings& bindings, std::vector<GoalTerm>& free);

  /// Whether the pattern matches `wanted`; if so, `bindings` has the values of its variables. A variable of `wanted`
  /// matches everything and binds nothing. If the match fails, `bindings` may have been extended. A commutative
  /// compound of two components is tried in both orders.
  bool match(GoalTerm pattern, GoalTerm wanted, GoalBindings& bindings) const;

  /// Whether the term has variables.
  bool is_open(GoalTerm term) const { return nodes_[term].is_open; }
  bool is_variable(GoalTerm term) const { return nodes_[term].label.kind == narsese::TermKind::variable; }
  /// The kind and symbol of the term.
  narsese::TermLabel label(GoalTerm term) const { return nodes_[term].label; }
  /// The components of the term. The span is valid until another term is added.
  std::span<const GoalTerm> components(GoalTerm term) const {
    return {children_.data() + nodes_[term].first, nodes_[term].count};
  }
  /// The equal term in the memory's table, or no term if only this table has it.
  narsese::Term memory_term(GoalTerm term) const { return nodes_[term].term; }
  /// The term with the component at this place replaced.
  GoalTerm with_component(GoalTerm term, std::size_t place, GoalTerm component);
  /// The term with each occurrence of a part replaced.
  GoalTerm replaced(GoalTerm term, GoalTerm part, GoalTerm by);
  /// The variable with this number.
  GoalTerm variable(std::size_t number);

  /// Estimate of the memory of the table in bytes.
  std::size_t bytes() const {
    return nodes_.size() * (sizeof(Node) + 3 * bytes_of_entry) + children_.size() * 4;
  }

 private:
  static constexpr std::size_t bytes_of_entry = 40;  // of a hash map
  struct Node {
    narsese::TermLabel label;
    narsese::Term term;       // the equal term of the memory, if there is one
    std::uint32_t first = 0;  // index of the first component in children_; for a variable, its number
    std::uint32_t count = 0;
    bool is_open = false;
  };
  GoalTerm compound(narsese::TermLabel label, std::span<const GoalTerm> components, narsese::Term known = {});
  GoalTerm statement_of(narsese::Term term, std::vector<narsese::Term>& variables);

  std::vector<Node> nodes_;
  std::vector<GoalTerm> children_;
  std::vector<GoalTerm> variables_;  // by number
  std::unordered_map<narsese::Term, GoalTerm, narsese::HashOfTerm>
      of_memory_;                                             // its order of iteration is never used
  std::unordered_multimap<std::uint64_t, GoalTerm> by_hash_;  // likewise
};

/// The only event of a sequence or parallel conjunction, such as a in (&/, a, ^go, +3). Returns any other term
/// unchanged, including one with several events.
narsese::Term event_alone(narsese::Term term);

}  // namespace engram::core
