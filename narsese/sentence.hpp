// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "narsese/budget_value.hpp"
#include "narsese/symbols.hpp"
#include "narsese/tense.hpp"
#include "narsese/term.hpp"
#include "narsese/truth_value.hpp"

namespace engram::narsese {

/// One sentence as it was written: what was left out stays left out.
struct Sentence {
  Term term;
  Punctuation punctuation = Punctuation::judgment;
  Tense tense;
  std::optional<TruthValue> truth;  // judgments and goals only
  std::optional<BudgetValue> budget;
  std::optional<double> delay = {};  // ONA's dt=: cycles from an implication's first side to its second

  bool asks() const { return punctuation == Punctuation::question || punctuation == Punctuation::quest; }
  /// The truth value as written, or NARS's default.
  TruthValue truth_or_default() const { return truth.value_or(TruthValue{}); }

  friend bool operator==(const Sentence&, const Sentence&) = default;
};

}  // namespace engram::narsese
