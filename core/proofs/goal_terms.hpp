// SPDX-License-Identifier: MIT
// Terms that a search builds by filling in variables, apart from the table of the memory, which stays unchanged.
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

/// A table in which equal terms have the same number. Variables are numbered from 0 within each pattern. Statements are
/// normalised: <a --> (/, r, _, b)> becomes <(*, a, b) --> r>, and the condition (&/, a, ^go, +3) of a temporal implication
/// becomes its only event a.
class GoalTerms {
 public:
  /// Adds a term of the memory. `variables` lists the variables of its pattern by their numbers, and is extended.
  GoalTerm of(narsese::Term term, std::vector<narsese::Term>& variables);
  /// Adds a term without variables.
  GoalTerm of(narsese::Term term);

  /// The pattern with its bound variables replaced by their values. Unbound variables are renumbered in the order in
  /// which they occur; `free` lists them by their new numbers, and is extended.
  GoalTerm filled_in(GoalTerm pattern, const GoalBindings& bindings, std::vector<GoalTerm>& free);

  /// Whether the pattern matches `wanted`; if so, `bindings` has the values of its variables. A variable of `wanted` matches
  /// everything and binds nothing. If the match fails, `bindings` may have been extended. A commutative compound of two
  /// components is tried in both orders.
  bool match(GoalTerm pattern, GoalTerm wanted, GoalBindings& bindings) const;
  /// Matches a term of the memory that has no variables.
  bool match(GoalTerm pattern, narsese::Term wanted, GoalBindings& bindings);

  /// Whether it has variables.
  bool is_open(GoalTerm term) const { return nodes_[term].is_open; }
  /// Whether it is a variable.
  bool is_variable(GoalTerm term) const { return nodes_[term].label.kind == narsese::TermKind::variable; }
  /// Its kind and symbol.
  narsese::TermLabel label(GoalTerm term) const { return nodes_[term].label; }
  /// Its components, valid until the next term is added.
  std::span<const GoalTerm> components(GoalTerm term) const {
    return {children_.data() + nodes_[term].first, nodes_[term].count};
  }
  /// The same term in the memory's table, or no term if only this table has it.
  narsese::Term memory_term(GoalTerm term) const { return nodes_[term].term; }
  /// The term with the component at this place replaced.
  GoalTerm with_component(GoalTerm term, std::size_t place, GoalTerm component);
  /// The term with each occurrence of a part replaced.
  GoalTerm replaced(GoalTerm term, GoalTerm part, GoalTerm by);
  /// The variable with this number.
  GoalTerm variable(std::size_t number);

  /// The memory that the table takes, estimated.
  std::size_t bytes() const {
    return nodes_.size() * (sizeof(Node) + 3 * bytes_of_entry) + children_.size() * 4;
  }

 private:
  static constexpr std::size_t bytes_of_entry = 40;  // of a look-up
  struct Node {
    narsese::TermLabel label;
    narsese::Term term;       // the same term of the memory, if there is one
    std::uint32_t first = 0;  // of a variable its number
    std::uint32_t count = 0;
    bool is_open = false;
  };
  GoalTerm compound(narsese::TermLabel label, std::span<const GoalTerm> components, narsese::Term known = {});
  GoalTerm statement_of(narsese::Term term, std::vector<narsese::Term>& variables);

  std::vector<Node> nodes_;
  std::vector<GoalTerm> children_;
  std::vector<GoalTerm> variables_;                                             // by number
  std::unordered_map<narsese::Term, GoalTerm, narsese::HashOfTerm> of_memory_;  // looked up alone
  std::unordered_multimap<std::uint64_t, GoalTerm> by_hash_;                    // likewise
};

/// The only event of a sequence or parallel conjunction such as (&/, a, ^go, +3), here a. Any other term is returned
/// unchanged, also one of several events.
narsese::Term event_alone(narsese::Term term);

}  // namespace engram::core
