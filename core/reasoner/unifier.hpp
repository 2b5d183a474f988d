// SPDX-License-Identifier: MIT
// Unification of terms.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/reasoner/term_making.hpp"
#include "narsese/term.hpp"

namespace engram::core {

/// Kinds of variables that a unifier may bind.
struct Bindable {
  /// Dependent variables that may be bound: those of the sentence that was not renamed (own), or of the renamed one.
  enum class Dependent : std::uint8_t { none, own, renamed };

  bool independent = true;
  Dependent dependent = Dependent::none;
  bool query = false;
};

/// A substitution with backtracking. The two terms must have distinct variables (rename_apart).
class Unifier {
 public:
  static constexpr std::size_t max_steps = 2000;  // chosen

  explicit Unifier(narsese::TermTable& table) : table_(table) {}

  /// Removes all bindings, and sets the kinds of variables that may be bound.
  void begin(Bindable bindable) {
    bindable_ = bindable;
    bound_.clear();
    steps_ = 0;
  }

  /// Extends the substitution so that both terms become equal. Up to four commutative components are tried in every
  /// order; the first order that unifies stays. After a failure, call go_back() with the earlier size().
  /// Limits  fails after max_steps since begin()
  bool unify(narsese::Term a, narsese::Term b);
  /// Number of bindings.
  std::size_t size() const { return bound_.size(); }
  /// Removes the bindings after the first `size`.
  void go_back(std::size_t size) { bound_.resize(size); }
  /// Whether a #x is bound.
  bool binds_dependent() const;

  /// The term with its bound variables replaced.
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

/// Whether `answer` is an instance of `question` with each ?x replaced, as unify() decides. Faster than core/index's
/// fits(), which builds the whole term; the reasoner calls this one for every new belief.
bool matches_question(narsese::TermTable& table, narsese::Term question, narsese::Term answer);

/// The term with renamed_from added to the number of each variable. It shares no variable with a term that has fewer
/// variables than renamed_from.
narsese::Term rename_apart(narsese::TermTable& table, narsese::Term term);
inline constexpr std::int64_t renamed_from = 1 << 20;

}  // namespace engram::core
