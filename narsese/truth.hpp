// SPDX-License-Identifier: MIT
// NAL truth values, and the truth functions that compute the truth of a conclusion from its premises.
//
// f1, c1 and f2, c2 belong to the premises in the order of the rule. and(x, y) = xy, or(x, y) = 1 - (1-x)(1-y). If a
// formula gives evidence w, then c = w / (w + k) with k = evidential_horizon. All frequencies and confidences are in
// [0, 1]. A confidence of 1 is not capped.
// Source  Wang 2013, "Non-Axiomatic Logic", appendix B; OpenNARS 3, inference.TruthFunctions (reliance, desire); ONA,
//         Truth.c, for goals
#pragma once

#include <algorithm>

#ifdef __FAST_MATH__
#error "Engram must not be built with -ffast-math or -Ofast: NAL revision would depend on the argument order"
#endif

namespace engram::narsese {

/// Amounts of evidence, 0 <= positive <= total (w+ and w).
struct Evidence {
  double positive = 0;
  double total = 0;
};

/// Truth value: frequency f = w+/w and confidence c = w/(w+k), each in [0, 1].
/// Source   Wang 2013, "Non-Axiomatic Logic", section 3.2
struct TruthValue {
  double frequency = 1.0;   // the default of ONA, OpenNARS and PyNARS
  double confidence = 0.9;  // likewise

  friend bool operator==(const TruthValue&, const TruthValue&) = default;
};

/// NAL's personality parameter k: the amount of evidence with confidence 1/2. All three systems use 1.
inline constexpr double evidential_horizon = 1.0;

/// Confidence is capped at this value before it becomes evidence, because c = 1 is infinite evidence. ONA and
/// OpenNARS use the same value.
inline constexpr double max_confidence = 0.99;

/// Greatest double below 1: the greatest confidence with finite evidence.
inline constexpr double greatest_confidence = 1 - 0x1p-53;

/// w = k c/(1-c), w+ = f w, with c at most `most_confidence`.
inline Evidence to_evidence(TruthValue truth, double most_confidence = max_confidence) {
  const double confidence = std::min(truth.confidence, most_confidence);
  const double total = evidential_horizon * confidence / (1.0 - confidence);
  return {truth.frequency * total, total};
}

/// f = w+/w and c = w/(w+k). Without evidence f is 1/2.
inline TruthValue to_truth(Evidence evidence) {
  if (evidence.total <= 0) return {0.5, 0.0};
  return {evidence.positive / evidence.total, evidence.total / (evidence.total + evidential_horizon)};
}

/// NAL revision: adds the evidence of both premises. Bitwise commutative.
inline TruthValue revise(TruthValue a, TruthValue b) {
  const Evidence x = to_evidence(a);
  const Evidence y = to_evidence(b);
  return to_truth({x.positive + y.positive, x.total + y.total});
}

/// Expectation e = c (f - 1/2) + 1/2, in [0, 1].
inline double expectation(TruthValue truth) { return truth.confidence * (truth.frequency - 0.5) + 0.5; }

/// OpenNARS's confidence in structural rules, which assume the meaning of a compound.
inline constexpr double structural_reliance = 0.9;

/// The truth value of an input with its confidence capped at max_confidence, so that later evidence can change it.
inline TruthValue bounded(TruthValue input) {
  return {input.frequency, std::min(input.confidence, max_confidence)};
}

/// Confidence of an amount of evidence, c = w / (w + k).
inline double confidence_of(double evidence) { return evidence / (evidence + evidential_horizon); }
/// Probabilistic or: 1 - (1-x)(1-y).
inline double either(double x, double y) { return 1 - (1 - x) * (1 - y); }

/// f1, c1: the conclusion restates the premise.
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
/// {M --> P, M --> S} |- S <-> P:  f = f1 f2 / f0, w = f0 c1 c2 with f0 = or(f1, f2); f = 0 if f0 = 0
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

/// {A ==> B, B!} |- A!: the more confident of two truth values: the deduction of both premises, and the negation of
/// the deduction from the negated goal, which assumes that nothing else leads to B.
/// Source   ONA, Truth_GoalDeduction
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

/// Deduction with a certain second premise, (1, 1):  f1, c = f1 c1
inline TruthValue sure_deduction(TruthValue a) { return {a.frequency, a.frequency * a.confidence}; }
/// Abduction with a certain second premise, (1, 1):  f1, w = c1
inline TruthValue sure_abduction(TruthValue a) { return {a.frequency, confidence_of(a.confidence)}; }
/// Deduction with the meaning of a compound as second premise, (1, reliance):  f1, c = f1 c1 reliance
inline TruthValue structural_deduction(TruthValue a) {
  return {a.frequency, a.frequency * a.confidence * structural_reliance};
}
/// Negation of the structural deduction, for the part that a compound excludes:  1 - f1, c = f1 c1 reliance
inline TruthValue structural_exclusion(TruthValue a) { return negation(structural_deduction(a)); }
/// {S <-> P} |- [S] --> [P]:  f1, c = f1^2 c1 reliance, a structural deduction followed by a certain one
inline TruthValue structural_similarity(TruthValue a) { return sure_deduction(structural_deduction(a)); }

/// {S and P, S} |- P if the first is false:  negation of the certain deduction of (1 - f1) f2, c1 c2
inline TruthValue reduced_conjunction(TruthValue a, TruthValue b) {
  return negation(sure_deduction(intersection(negation(a), b)));
}
/// {S or P, S} |- P if the second is false:  certain deduction of f1 (1 - f2), c1 c2
inline TruthValue reduced_disjunction(TruthValue a, TruthValue b) {
  return sure_deduction(intersection(a, negation(b)));
}
/// {S - P, S} |- P:  certain deduction of f2 (1 - f1), c1 c2
inline TruthValue reduced_difference(TruthValue a, TruthValue b) { return reduced_disjunction(b, a); }
/// {S - P, P} |- S:  negation of the certain deduction of (1 - f1)(1 - f2), c1 c2
inline TruthValue reduced_remainder(TruthValue a, TruthValue b) {
  return reduced_conjunction(a, negation(b));
}

/// {C and S of some instance, C of this instance} |- S of this instance: analogy of the second premise with f1, w =
/// c1
inline TruthValue anonymous_analogy(TruthValue a, TruthValue b) {
  return analogy(b, {a.frequency, confidence_of(a.confidence)});
}

/// For goals: {A ==> B, B!} |- A!:  f = f1 f2, c = c1 c2
inline TruthValue desire_deduction(TruthValue a, TruthValue b) { return intersection(a, b); }
/// For goals: {A ==> B, A!} |- B!:  f = f2, w = f1 c1 c2
inline TruthValue desire_induction(TruthValue a, TruthValue b) { return abduction(a, b); }
/// For goals: {A!, A <=> B} |- B!:  f = f1 f2, c = f2 c1 c2
inline TruthValue desire_strong(TruthValue a, TruthValue b) { return analogy(a, b); }

/// An event's truth value taken as eternal:  f1, w = c1
inline TruthValue eternalization(TruthValue a) { return {a.frequency, confidence_of(a.confidence)}; }

}  // namespace engram::narsese
