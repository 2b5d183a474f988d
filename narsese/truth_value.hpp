// SPDX-License-Identifier: MIT
// NAL's measure of evidence, in its two written forms: (frequency, confidence) and amounts (w+, w).
#pragma once

#ifdef __FAST_MATH__
#error "Engram must not be built with -ffast-math or -Ofast: NAL revision would depend on the argument order"
#endif

#include <algorithm>

namespace engram::narsese {

/// Amounts of evidence, w = w+ + w-: 0 <= positive <= total.
struct Evidence {
  double positive = 0;
  double total = 0;
};

/// frequency f = w+/w and confidence c = w/(w+k), each in [0, 1].
/// Source  Wang 2013, "Non-Axiomatic Logic", section 3.2
struct TruthValue {
  double frequency = 1.0;   // the default of ONA, OpenNARS and PyNARS
  double confidence = 0.9;  // likewise

  friend bool operator==(const TruthValue&, const TruthValue&) = default;
};

/// NAL's personality parameter k: evidence that makes confidence 1/2. The value of all three systems.
inline constexpr double evidential_horizon = 1.0;

/// Confidence above this is read as this when it is turned into evidence: c = 1 would be endless evidence.
/// The value of ONA and OpenNARS.
inline constexpr double max_confidence = 0.99;

/// The greatest confidence that is not endless evidence in double.
inline constexpr double greatest_confidence = 1 - 0x1p-53;

/// w = k c/(1-c), w+ = f w; c above `most_confidence` counts as that.
inline Evidence to_evidence(TruthValue truth, double most_confidence = max_confidence) {
  const double confidence = std::min(truth.confidence, most_confidence);
  const double total = evidential_horizon * confidence / (1.0 - confidence);
  return {truth.frequency * total, total};
}

/// f = w+/w (1/2 where there is no evidence), c = w/(w+k).
inline TruthValue to_truth(Evidence evidence) {
  if (evidence.total <= 0) return {0.5, 0.0};
  return {evidence.positive / evidence.total, evidence.total / (evidence.total + evidential_horizon)};
}

/// NAL revision: the evidence of both, added. Commutative to the last bit.
inline TruthValue revise(TruthValue a, TruthValue b) {
  const Evidence x = to_evidence(a);
  const Evidence y = to_evidence(b);
  return to_truth({x.positive + y.positive, x.total + y.total});
}

/// e = c (f - 1/2) + 1/2, in [0, 1]: the expected frequency of future evidence.
inline double expectation(TruthValue truth) { return truth.confidence * (truth.frequency - 0.5) + 0.5; }

}  // namespace engram::narsese
