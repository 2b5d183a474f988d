// SPDX-License-Identifier: MIT
// Unification: what variables of two sentences stand for, so that two terms become one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bridge/reasoner/term_making.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// Which kinds of variables may stand for something.
struct Bindable {
  /// Of which sentence dependent variables may be bound: see apart().
  enum class Dependent : std::uint8_t { none, own, apart };  // of which sentence: see apart()

  bool independent = true;
  Dependent dependent = Dependent::none;
  bool query = false;
};

/// A substitution that grows and is taken back like a stack. Variables of two sentences must have numbers of their own:
/// see apart().
class Unifier {
 public:
  explicit Unifier(narsese::TermTable& table) : table_(table) {}

  /// Forgets all bindings; from now on these variables may be bound.
  void begin(Bindable bindable) {
    bindable_ = bindable;
    bound_.clear();
    steps_ = 0;
  }

  /// Extends the substitution so that both are one; commutative components are tried in every order, up to four of them,
  /// and the first order that fits stays.
  /// Where it returns false, go back to the size() before.
  /// Limits  max_steps for all since begin(), then false
  bool unify(narsese::Term a, narsese::Term b);
  std::size_t size() const { return bound_.size(); }
  /// Forgets the bindings made since there were so many.
  void go_back(std::size_t size) { bound_.resize(size); }
  /// Whether a #x stands for something.
  bool binds_dependent() const;

  /// The term with what its variables stand for; no term where that is past the limits or says nothing.
  narsese::Term substitute(narsese::Term term, const TermLimits& limits) const;

  static constexpr std::size_t max_steps = 2000;  // chosen

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

/// Whether a term is the question's with something in the place of each ?x, as unify() finds it: core/retrieval's fits()
/// makes the whole term anew, which is too much for what each new belief is held against.
bool fits(narsese::TermTable& table, narsese::Term question, narsese::Term answer);

/// The term with its variables numbered from another start, so that it shares none with a term that has less than
/// most_variables of them.
narsese::Term apart(narsese::TermTable& table, narsese::Term term);
inline constexpr std::int64_t most_variables = 1 << 20;

}  // namespace engram::bridge
