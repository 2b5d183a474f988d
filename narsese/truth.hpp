// SPDX-License-Identifier: MIT
// NAL truth values, and the truth functions that compute the truth of a conclusion from its premises.
//
// Notation: f1, c1 and f2, c2 are the frequency and confidence of the first and second premise, in the order of the
// rule. and(x, y) = xy, or(x, y) = 1 - (1-x)(1-y). If a formula gives the evidence w of the conclusion, its confidence
// is c = w / (w + k) with k = evidential_horizon. All frequencies and confidences are in [0, 1]. A confidence of 1 is
// not capped.
// Source  Wang 2013, "Non-Axiomatic Logic", appendix B; OpenNARS 3, inference.TruthFunctions (reliance, desire); ONA,
//         Truth.c, for goals
#pragma once

#include <algorithm>

#ifdef __FAST_MATH__
#error "Engram must not be built with -ffast-math or -Ofast: NAL revision would depend on the argument order"
#endif

namespace engram::narsese {

/// Amounts of evidence for a statement: positive (w+) and in all (w), with 0 <= w+ <= w.
struct Evidence {
  double positive = 0;
  double total = 0;
};

/// Truth value: frequency f = w+/w and confidence c = w/(w+k), each in [0, 1]. w+ is the positive evidence, w all
/// evidence, and k = 1 the evidential_horizon.
/// Source   Wang 2013, "Non-Axiomatic Logic", section 3.2
struct TruthValue {
  double frequency = 1.0;   // the default of ONA, OpenNARS and PyNARS
  double confidence = 0.9;  // the default of ONA, OpenNARS and PyNARS

  friend bool operator==(const TruthValue&, const TruthValue&) = default;
};

/// NAL's personality parameter k: the amount of evidence that gives a confidence of 1/2. ONA, OpenNARS and PyNARS use
/// 1.
inline constexpr double evidential_horizon = 1.0;

/// Largest confidence in conversions to evidence, because c = 1 would be infinite evidence. ONA and OpenNARS use the
/// same value.
inline constexpr double max_confidence = 0.99;

/// Greatest double below 1: the greatest confidence with finite evidence.
inline constexpr double greatest_confidence = 1 - 0x1p-53;

/// Converts a truth value (f, c) to evidence: w = k c/(1-c) in all, of which w+ = f w is positive. c is capped at
/// `most_confidence` first.
inline Evidence to_evidence(TruthValue truth, double most_confidence = max_confidence) {
  const double confidence = std::min(truth.confidence, most_confidence);
  const double total = evidential_horizon * confidence / (1.0 - confidence);
  return {truth.frequency * total, total};
}

/// Converts evidence (positive w+ of w in all) to a truth value: f = w+/w and c = w/(w+k). Without evidence f is 1/2
/// and c is 0.
inline TruthValue to_truth(Evidence evidence) {
  if (evidence.total <= 0) return {0.5, 0.0};
  return {evidence.positive / evidence.total, evidence.total / (evidence.total + evidential_horizon)};
}

/// NAL revision: the truth value of a statement with two independent sources of evidence, whose evidence is added.
/// Bitwise commutative.
inline TruthValue revise(TruthValue a, TruthValue b) {
  const Evidence x = to_evidence(a);
  const Evidence y = to_evidence(b);
  return to_truth({x.positive + y.positive, x.total + y.total});
}

/// Expectation e = c (f - 1/2) + 1/2, in [0, 1]: the frequency that a reasoner predicts for new evidence. Use it to
/// rank statements.
inline double expectation(TruthValue truth) { return truth.confidence * (truth.frequency - 0.5) + 0.5; }

/// OpenNARS's confidence in premises that follow from the meaning of a compound, such as (a & b) --> a. Structural
/// rules use it.
inline constexpr double structural_reliance = 0.9;

/// The truth value of an input with its confidence capped at max_confidence, so that later evidence can change it.
inline TruthValue bounded(TruthValue input) {
  return {input.frequency, std::min(input.confidence, max_confidence)};
}

/// Confidence of an amount w of evidence: c = w / (w + k) with k = evidential_horizon.
inline double confidence_of(double evidence) { return evidence / (evidence + evidential_horizon); }
/// Probabilistic or: 1 - (1-x)(1-y).
inline double either(double x, double y) { return 1 - (1 - x) * (1 - y); }

/// Truth of a conclusion that restates the premise: f = f1, c = c1.
inline TruthValue identity(TruthValue a) { return a; }
/// Negation, {S} |- --S:  f = 1 - f1, c = c1
inline TruthValue negation(TruthValue a) { return {1 - a.frequency, a.confidence}; }
/// Conversion, {S --> P} |- P --> S:  f = 1, c = w / (w + k) with evidence w = f1 c1
inline TruthValue conversion(TruthValue a) { return {1, confidence_of(a.frequency * a.confidence)}; }
/// Contraposition, {--S ==> P} |- --P ==> S:  f = 0, c = w / (w + k) with evidence w = (1 - f1) c1
inline TruthValue contraposition(TruthValue a) {
  return {0, confidence_of((1 - a.frequency) * a.confidence)};
}

/// Deduction, {M --> P, S --> M} |- S --> P:  f = f1 f2, c = f1 f2 c1 c2
inline TruthValue deduction(TruthValue a, TruthValue b) {
  const double f = a.frequency * b.frequency;
  return {f, f * a.confidence * b.confidence};
}
/// Abduction, {P --> M, S --> M} |- S --> P:  f = f2, c = w / (w + k) with evidence w = f1 c1 c2
inline TruthValue abduction(TruthValue a, TruthValue b) {
  return {b.frequency, confidence_of(a.frequency * a.confidence * b.confidence)};
}
/// Induction, {M --> P, M --> S} |- S --> P:  f = f1, c = w / (w + k) with evidence w = f2 c1 c2
inline TruthValue induction(TruthValue a, TruthValue b) { return abduction(b, a); }
/// Exemplification, {M --> P, S --> M} |- P --> S:  f = 1, c = w / (w + k) with evidence w = f1 f2 c1 c2
inline TruthValue exemplification(TruthValue a, TruthValue b) {
  return {1, confidence_of(a.frequency * b.frequency * a.confidence * b.confidence)};
}
/// Comparison, {M --> P, M --> S} |- S <-> P:  f = f1 f2 / f0, c = w / (w + k) with evidence w = f0 c1 c2, where f0 =
/// or(f1, f2) = 1 - (1 - f1)(1 - f2); f = 0 if f0 = 0
inline TruthValue comparison(TruthValue a, TruthValue b) {
  const double f0 = either(a.frequency, b.frequency);
  return {f0 == 0 ? 0 : a.frequency * b.frequency / f0, confidence_of(f0 * a.confidence * b.confidence)};
}
/// Analogy, {M --> P, S <-> M} |- S --> P:  f = f1 f2, c = f2 c1 c2
inline TruthValue analogy(TruthValue a, TruthValue b) {
  return {a.frequency * b.frequency, b.frequency * a.confidence * b.confidence};
}
/// Resemblance, {M <-> P, S <-> M} |- S <-> P:  f = f1 f2, c = f0 c1 c2, where f0 = or(f1, f2) = 1 - (1 - f1)(1 - f2)
inline TruthValue resemblance(TruthValue a, TruthValue b) {
  return {a.frequency * b.frequency, either(a.frequency, b.frequency) * a.confidence * b.confidence};
}

/// Goal deduction, {A ==> B, B!} |- A!: returns the more confident of two truth values. One is the deduction from both
/// premises. The other is the negation of the deduction from the negated goal, which assumes that nothing else leads to
/// B.
/// Source   ONA, Truth_GoalDeduction
inline TruthValue goal_deduction(TruthValue goal, TruthValue by) {
  const TruthValue met = deduction(goal, by);
  const TruthValue denied = negation(deduction(negation(goal), by));
  return met.confidence >= denied.confidence ? met : denied;
}

/// Truth of "both premises hold":  f = f1 f2, c = c1 c2
inline TruthValue intersection(TruthValue a, TruthValue b) {
  return {a.frequency * b.frequency, a.confidence * b.confidence};
}
/// Truth of "at least one premise holds":  f = or(f1, f2) = 1 - (1 - f1)(1 - f2), c = c1 c2
inline TruthValue set_union(TruthValue a, TruthValue b) {
  return {either(a.frequency, b.frequency), a.confidence * b.confidence};
}
/// Truth of "the first premise holds and the second does not":  f = f1 (1 - f2), c = c1 c2
inline TruthValue difference(TruthValue a, TruthValue b) { return intersection(a, negation(b)); }

/// Deduction with a second premise of truth value (1, 1):  f = f1, c = f1 c1
inline TruthValue sure_deduction(TruthValue a) { return {a.frequency, a.frequency * a.confidence}; }
/// Abduction with a second premise of truth value (1, 1):  f = f1, c = w / (w + k) with evidence w = c1
inline TruthValue sure_abduction(TruthValue a) { return {a.frequency, confidence_of(a.confidence)}; }
/// Structural deduction, with a second premise that follows from the meaning of a compound:  f = f1, c = f1 c1
/// structural_reliance
inline TruthValue structural_deduction(TruthValue a) {
  return {a.frequency, a.frequency * a.confidence * structural_reliance};
}
/// Negation of structural_deduction(), for the part that a compound excludes:  f = 1 - f1, c = f1 c1
/// structural_reliance
inline TruthValue structural_exclusion(TruthValue a) { return negation(structural_deduction(a)); }
/// {S <-> P} |- [S] --> [P], a structural deduction followed by a sure one:  f = f1, c = f1^2 c1 structural_reliance
inline TruthValue structural_similarity(TruthValue a) { return sure_deduction(structural_deduction(a)); }

/// {S and P, S} |- P, useful if the first premise is false. The truth is the negation of the sure deduction from (f, c)
/// with f = (1 - f1) f2, c = c1 c2.
inline TruthValue reduced_conjunction(TruthValue a, TruthValue b) {
  return negation(sure_deduction(intersection(negation(a), b)));
}
/// {S or P, S} |- P, useful if the second premise is false. The truth is the sure deduction from (f, c) with f = f1 (1
/// - f2), c = c1 c2.
inline TruthValue reduced_disjunction(TruthValue a, TruthValue b) {
  return sure_deduction(intersection(a, negation(b)));
}
/// {S - P, S} |- P for the difference S - P. The truth is the sure deduction from (f, c) with f = f2 (1 - f1), c = c1
/// c2.
inline TruthValue reduced_difference(TruthValue a, TruthValue b) { return reduced_disjunction(b, a); }
/// {S - P, P} |- S for the difference S - P. The truth is the negation of the sure deduction from (f, c) with f = (1 -
/// f1)(1 - f2), c = c1 c2.
inline TruthValue reduced_remainder(TruthValue a, TruthValue b) {
  return reduced_conjunction(a, negation(b));
}

/// Rule {C and S hold for some instance, C holds for this instance} |- S holds for this instance. The truth is the
/// analogy of the second premise with (f1, w / (w + k)), evidence w = c1.
inline TruthValue anonymous_analogy(TruthValue a, TruthValue b) {
  return analogy(b, {a.frequency, confidence_of(a.confidence)});
}

/// Truth for goals, {A ==> B, B!} |- A!:  f = f1 f2, c = c1 c2
inline TruthValue desire_deduction(TruthValue a, TruthValue b) { return intersection(a, b); }
/// Truth for goals, {A ==> B, A!} |- B!:  f = f2, c = w / (w + k) with evidence w = f1 c1 c2
inline TruthValue desire_induction(TruthValue a, TruthValue b) { return abduction(a, b); }
/// Truth for goals, {A!, A <=> B} |- B!:  f = f1 f2, c = f2 c1 c2
inline TruthValue desire_strong(TruthValue a, TruthValue b) { return analogy(a, b); }

/// Eternalization: the truth value of an event, used as evidence for the eternal statement:  f = f1, c = w / (w + k)
/// with evidence w = c1
inline TruthValue eternalization(TruthValue a) { return {a.frequency, confidence_of(a.confidence)}; }

}  // namespace engram::narsese
