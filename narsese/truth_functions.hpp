// SPDX-License-Identifier: MIT
// NAL's truth functions: the truth value of a conclusion from those of its premises.
//
// With f1, c1 and f2, c2 of the premises in the order in which the rule has them; and(x, y) = xy, or(x, y) = 1 - (1-x)(1-y);
// where evidence w is told, c = w / (w + k), k = evidential_horizon. All frequencies and confidences are in [0, 1]. A
// confidence of 1 is taken as it is.
// Source  Wang 2013, "Non-Axiomatic Logic", appendix B; OpenNARS 3, inference.TruthFunctions, for what the book leaves
//         open (reliance, desire); ONA, Truth.c, for goals
#pragma once

#include <algorithm>

#include "narsese/truth_value.hpp"

namespace engram::narsese {

/// OpenNARS's trust in what a structural rule supposes of the meaning of compounds.
inline constexpr double structural_reliance = 0.9;

/// The truth value of an input as a reasoner takes it: its confidence is at most max_confidence, so that evidence
/// to the contrary can always change it.
inline TruthValue bounded(TruthValue told) {
  return {told.frequency, std::min(told.confidence, max_confidence)};
}

/// c = w / (w + k): confidence of so much evidence.
inline double confidence_of(double evidence) { return evidence / (evidence + evidential_horizon); }
/// Probabilistic or, of two degrees in [0, 1].
inline double either(double x, double y) { return 1 - (1 - x) * (1 - y); }

/// f1, c1: what is only written in another way.
inline TruthValue identity(TruthValue a) { return a; }
/// 1 - f1, c1
inline TruthValue negation(TruthValue a) { return {1 - a.frequency, a.confidence}; }
/// {S --> P} |- P --> S:  f = 1, w = f1 c1
inline TruthValue conversion(TruthValue a) { return {1, confidence_of(a.frequency * a.confidence)}; }
/// {--S ==> P} |- --P ==> S:  f = 0, w = (1 - f1) c1
inline TruthValue contraposition(TruthValue a) {
  return {0, confidence_of((1 - a.frequency) * a.confidence)};
}

/// {M --> P, S --> M} |- S --> P:  f = f1 f2, c = f1 f2 c1 c2
inline TruthValue deduction(TruthValue a, TruthValue b) {
  const double f = a.frequency * b.frequency;
  return {f, f * a.confidence * b.confidence};
}
/// {P --> M, S --> M} |- S --> P:  f = f2, w = f1 c1 c2
inline TruthValue abduction(TruthValue a, TruthValue b) {
  return {b.frequency, confidence_of(a.frequency * a.confidence * b.confidence)};
}
/// {M --> P, M --> S} |- S --> P:  f = f1, w = f2 c1 c2
inline TruthValue induction(TruthValue a, TruthValue b) { return abduction(b, a); }
/// {M --> P, S --> M} |- P --> S:  f = 1, w = f1 f2 c1 c2
inline TruthValue exemplification(TruthValue a, TruthValue b) {
  return {1, confidence_of(a.frequency * b.frequency * a.confidence * b.confidence)};
}
/// {M --> P, M --> S} |- S <-> P:  f = f1 f2 / f0, w = f0 c1 c2 with f0 = or(f1, f2); f = 0 where f0 is
inline TruthValue comparison(TruthValue a, TruthValue b) {
  const double f0 = either(a.frequency, b.frequency);
  return {f0 == 0 ? 0 : a.frequency * b.frequency / f0, confidence_of(f0 * a.confidence * b.confidence)};
}
/// {M --> P, S <-> M} |- S --> P:  f = f1 f2, c = f2 c1 c2
inline TruthValue analogy(TruthValue a, TruthValue b) {
  return {a.frequency * b.frequency, b.frequency * a.confidence * b.confidence};
}
/// {M <-> P, S <-> M} |- S <-> P:  f = f1 f2, c = or(f1, f2) c1 c2
inline TruthValue resemblance(TruthValue a, TruthValue b) {
  return {a.frequency * b.frequency, either(a.frequency, b.frequency) * a.confidence * b.confidence};
}

/// {A ==> B, B!} |- A!, where what is not known to lead to it is taken not to: with d the deduction of both, and
/// n = not (deduction of not-a and b), the more confident of d and n.
/// Source  ONA, Truth_GoalDeduction
inline TruthValue goal_deduction(TruthValue goal, TruthValue by) {
  const TruthValue met = deduction(goal, by);
  const TruthValue denied = negation(deduction(negation(goal), by));
  return met.confidence >= denied.confidence ? met : denied;
}

/// f = f1 f2, c = c1 c2
inline TruthValue intersection(TruthValue a, TruthValue b) {
  return {a.frequency * b.frequency, a.confidence * b.confidence};
}
/// f = or(f1, f2), c = c1 c2
inline TruthValue set_union(TruthValue a, TruthValue b) {
  return {either(a.frequency, b.frequency), a.confidence * b.confidence};
}
/// f = f1 (1 - f2), c = c1 c2
inline TruthValue difference(TruthValue a, TruthValue b) { return intersection(a, negation(b)); }

/// A deduction whose other premise is sure, (1, 1):  f1, c = f1 c1
inline TruthValue sure_deduction(TruthValue a) { return {a.frequency, a.frequency * a.confidence}; }
/// An abduction whose other premise is sure:  f1, w = c1
inline TruthValue sure_abduction(TruthValue a) { return {a.frequency, confidence_of(a.confidence)}; }
/// A deduction whose other premise is the meaning of a compound, (1, reliance):  f1, c = f1 c1 reliance
inline TruthValue structural_deduction(TruthValue a) {
  return {a.frequency, a.frequency * a.confidence * structural_reliance};
}
/// Of what the compound takes away: negation of the structural deduction:  1 - f1, c = f1 c1 reliance
inline TruthValue structural_exclusion(TruthValue a) { return negation(structural_deduction(a)); }
/// {S <-> P} |- [S] --> [P]: first of the sets' similarity, then of that inheritance:  f1, c = f1^2 c1 reliance
inline TruthValue structural_similarity(TruthValue a) { return sure_deduction(structural_deduction(a)); }

/// {S and P, S} |- P where the first is false:  negation of the sure deduction of (1 - f1) f2, c1 c2
inline TruthValue reduced_conjunction(TruthValue a, TruthValue b) {
  return negation(sure_deduction(intersection(negation(a), b)));
}
/// {S or P, S} |- P where the second is false:  sure deduction of f1 (1 - f2), c1 c2
inline TruthValue reduced_disjunction(TruthValue a, TruthValue b) {
  return sure_deduction(intersection(a, negation(b)));
}
/// {S - P, S} |- P:  sure deduction of f2 (1 - f1), c1 c2
inline TruthValue reduced_difference(TruthValue a, TruthValue b) { return reduced_disjunction(b, a); }
/// {S - P, P} |- S:  negation of the sure deduction of (1 - f1)(1 - f2), c1 c2
inline TruthValue reduced_remainder(TruthValue a, TruthValue b) {
  return reduced_conjunction(a, negation(b));
}

/// {C and S, of something; C of this one} |- S of this one: analogy of the second with f1, w = c1
inline TruthValue anonymous_analogy(TruthValue a, TruthValue b) {
  return analogy(b, {a.frequency, confidence_of(a.confidence)});
}

/// Of goals. {A ==> B, B!} |- A!:  f = f1 f2, c = c1 c2
inline TruthValue desire_deduction(TruthValue a, TruthValue b) { return intersection(a, b); }
/// {A ==> B, A!} |- B!:  f = f2, w = f1 c1 c2
inline TruthValue desire_induction(TruthValue a, TruthValue b) { return abduction(a, b); }
/// {A!, A <=> B} |- B!:  f = f1 f2, c = f2 c1 c2
inline TruthValue desire_strong(TruthValue a, TruthValue b) { return analogy(a, b); }

/// What was true at a moment, taken as always true:  f1, w = c1
inline TruthValue eternalization(TruthValue a) { return {a.frequency, confidence_of(a.confidence)}; }

}  // namespace engram::narsese
