// SPDX-License-Identifier: MIT
// Attention to a stretch of the event history.
#pragma once

#include "core/methods/method.hpp"

namespace engram::core {

/// Attention over the event history: where in time is what the cue is about, and what was active then?
///   time      of a statement: its last episode, the history's first at 0 and its last at 1 (alone: 1/2);
///             statements whose evidence is forgotten are no part of the history
///   density   mu and sigma^2 of the times under softmax(beta s), s the cosines of cue and statements, sigma
///             at least `least_width`; the density of these and alpha
///             (core/attention/continuous_attention.hpp)
///   budgets   a statement's is the density at its time, over the sum of all: whatever was said then, alike.
///             There is always one above 0: some event lies within sigma of mu, and a > sigma as sigma <= 1
///   concepts  V(t), the events' activations smoothed by basis functions (centres even over the history), in
///             the mean over the density; what that makes negative is 0. Only if nothing is left are they
///             the concepts of the budgeted statements
/// A density has one peak: of a cue whose statements were said at two times far apart it covers all between.
/// Cost O(p b^2 + b^3) time and O(p b) memory for b basis functions.
/// Source  Martins et al. 2020, "Sparse and Continuous Attention Mechanisms", its attention over a sequence
struct ContinuousAttentionRetriever {
  double alpha = 2;
  double beta = 32;  // chosen: among some hundred statements most of the softmax should be on the cued ones
  int basis_functions = 16;
  double ridge = 0.1;
  double least_width = 0.02;  // chosen: a fiftieth of the history
  Recall recall(const Readings& memory, const Vector& cue) const;
  static constexpr const char* no_sum =
      "weights go by time, not by concepts: every statement has the density at the time when it was "
      "said last, so there is no sum over what is shared";
};

}  // namespace engram::core
