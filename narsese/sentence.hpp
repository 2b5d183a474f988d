// SPDX-License-Identifier: MIT
// Sentences: a term with punctuation, tense, truth value and budget.
#pragma once

#include <cstdint>
#include <optional>

#include "narsese/symbols.hpp"
#include "narsese/term.hpp"
#include "narsese/truth.hpp"

namespace engram::narsese {

/// Shares of the reasoner's resources, written $priority;durability;quality$. All are in [0, 1]: priority is the
/// share of attention, durability slows its decay, quality is the long-term worth.
/// Source   Wang 2013, section 5.2; the defaults are OpenNARS's for judgments
struct BudgetValue {
  double priority = 0.8;
  double durability = 0.5;
  double quality = 0.95;

  friend bool operator==(const BudgetValue&, const BudgetValue&) = default;
};

/// When a sentence is true: always, relative to now, or at a cycle.
struct Tense {
  /// Kind of tense.
  enum class Kind : std::uint8_t {
    eternal,
    past,     // :\:
    present,  // :|:
    future,   // :/:
    offset,   // :+5: or :-5:, cycles from now
    at,       // :!5:, a cycle counted from the start
  };
  Kind kind = Kind::eternal;
  std::int64_t cycles = 0;  // for offset and at

  friend bool operator==(const Tense&, const Tense&) = default;
};

/// A sentence as written. Parts that the text omits stay empty, so printing gives the same text.
struct Sentence {
  Term term;
  Punctuation punctuation = Punctuation::judgment;
  Tense tense;
  std::optional<TruthValue> truth;  // judgments and goals only
  std::optional<BudgetValue> budget;
  std::optional<double> delay = {};  // ONA's dt=: cycles from an implication's antecedent to its consequent

  bool asks() const { return punctuation == Punctuation::question || punctuation == Punctuation::quest; }
  /// The written truth value, or the default of TruthValue if the text omits it.
  TruthValue truth_or_default() const { return truth.value_or(TruthValue{}); }

  friend bool operator==(const Sentence&, const Sentence&) = default;
};

}  // namespace engram::narsese
