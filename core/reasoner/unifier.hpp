// SPDX-License-Identifier: MIT
// Unification of terms: finds values of variables that make two terms equal.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/reasoner/term_making.hpp"
#include "narsese/term.hpp"

namespace engram::core {

/// The kinds of variables that a Unifier may bind: independent ($x), dependent (#x) and query variables (?x).
struct Bindable {
  /// Which dependent variables may be bound: none, the ones of the original sentence (own), or the ones of the sentence
  /// that rename_apart() renamed.
  enum class Dependent : std::uint8_t { none, own, renamed };

  bool independent = true;
  Dependent dependent = Dependent::none;
  bool query = false;
};

/// A substitution (values of variables) that unify() extends, with backtracking. The two terms must have distinct
/// variables: call rename_apart() for one of them.
class Unifier {
 public:
  static constexpr std::size_t max_steps = 2000;  // most steps of unification since begin(); chosen

  explicit Unifier(narsese::TermTable& table) : table_(table) {}

  /// Starts a new unification: removes all bindings, and sets the kinds of variables that may be bound.
  void begin(Bindable bindable) {
    bindable_ = bindable;
    bound_.clear();
    steps_ = 0;
  }

  /// Extends the substitution so that both terms become equal, and returns whether that succeeded. In a commutative
  /// term with up to four components, unify() tries every order of the components; the first order that unifies stays.
  /// After a failure, call go_back() with the earlier size() to remove partial bindings.
  /// Limits  fails after max_steps since begin()
  bool unify(narsese::Term a, narsese::Term b);
  /// Number of bound variables. Save it before unify(), for go_back().
  std::size_t size() const { return bound_.size(); }
  /// Backtracks: removes the bindings after the first `size`.
  void go_back(std::size_t size) { bound_.resize(size); }
  /// Whether a dependent variable (#x) is bound.
  bool binds_dependent() const;

  /// Applies the substitution: returns the term with its bound variables replaced by their values.
  /// Returns  no term if make_term() gives none for a part of it
  narsese::Term substitute(narsese::Term term, const TermLimits& limits) const;

 private:
  narsese::Term walk(narsese::Term term) const;
  bool may_bind(narsese::Term variable) const;
  bool occurs(narsese::Term variable, narsese::Term term, std::uint32_t depth) const;
  bool unify_in_some_order(narsese::Term a, narsese::Term b);
  narsese::Term substitute(narsese::Term term, const TermLimits& limits, std::uint32_t depth) const;

  narsese::TermTable& table_;
  Bindable bindable_;
  std::vector<std::pair<narsese::Term, narsese::Term>> bound_;
  std::size_t steps_ = 0;
};

/// Whether `answer` answers `question`: unify() finds values of the query variables ?x that make both equal. Use it in
/// a reasoner for every new belief: it is faster than fits() in core/index, which builds the whole term.
bool matches_question(narsese::TermTable& table, narsese::Term question, narsese::Term answer);

/// Renames the variables of a term, so that it shares none with another term: adds renamed_from to the number of each
/// variable. The other term must have fewer variables than renamed_from.
narsese::Term rename_apart(narsese::TermTable& table, narsese::Term term);
inline constexpr std::int64_t renamed_from = 1 << 20;

}  // namespace engram::core
