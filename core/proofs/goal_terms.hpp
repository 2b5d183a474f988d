// SPDX-License-Identifier: MIT
// Terms that a search makes of those of a memory, by filling in variables. The memory's own table stays as it is.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "narsese/term.hpp"

namespace engram::core {

/// A term of GoalTerms.
using GoalTerm = std::uint32_t;
inline constexpr GoalTerm no_goal_term = ~GoalTerm{0};

/// What the variables of a pattern stand for, by their numbers; no_goal_term: nothing yet.
using GoalBindings = std::vector<GoalTerm>;

/// Makes equal terms once, so that comparing two is comparing their numbers. Variables are numbered from 0 within
/// the pattern in which they stand. Statements are brought to one form: an image on either side becomes the relation
/// of a product, and of what an event is told with (&/, a, ^go, +3) the event alone stays.
class GoalTerms {
 public:
  /// The memory's term; `variables`: those of its pattern, each at the place of its number.
  GoalTerm of(narsese::Term term, std::vector<narsese::Term>& variables);
  /// The same of a term without variables.
  GoalTerm of(narsese::Term term);

  /// The pattern with its variables replaced. Those that stand for nothing are numbered anew in the order in which
  /// they occur: `free` says which number each has, and grows by those that are new.
  GoalTerm filled_in(GoalTerm pattern, const GoalBindings& bindings, std::vector<GoalTerm>& free);

  /// Whether the pattern can be made `wanted`; its variables are bound to what they must be then. Variables of
  /// `wanted` stand for anything, and bind nothing. Where it fails the bindings may have grown.
  /// A commutative compound of two is tried in both orders.
  bool match(GoalTerm pattern, GoalTerm wanted, GoalBindings& bindings) const;
  /// The same for a term of the memory, without variables.
  bool match(GoalTerm pattern, narsese::Term wanted, GoalBindings& bindings);

  bool is_open(GoalTerm term) const { return nodes_[term].is_open; }
  bool is_variable(GoalTerm term) const { return nodes_[term].label.kind == narsese::TermKind::variable; }
  narsese::TermLabel label(GoalTerm term) const { return nodes_[term].label; }
  std::span<const GoalTerm> components(GoalTerm term) const {
    return {children_.data() + nodes_[term].first, nodes_[term].count};
  }
  /// The memory's term that it is; no term where it was made here alone.
  narsese::Term memory_term(GoalTerm term) const { return nodes_[term].term; }
  /// With another component at this place.
  GoalTerm with_component(GoalTerm term, std::size_t place, GoalTerm component);
  GoalTerm variable(std::size_t number);

  /// About so many.
  std::size_t bytes() const {
    return nodes_.size() * (sizeof(Node) + 3 * bytes_of_entry) + children_.size() * 4;
  }

 private:
  static constexpr std::size_t bytes_of_entry = 40;  // of a look-up
  struct Node {
    narsese::TermLabel label;
    narsese::Term term;       // of the memory, where it is one
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

/// (&/, a, ^go, +3) and its like as a; any other term, and one of several events, as it is.
narsese::Term event_alone(narsese::Term term);

}  // namespace engram::core
