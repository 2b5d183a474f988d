// SPDX-License-Identifier: MIT
// How far the best method of each measure leads the others, and whether that may be chance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/statistics/statistics.hpp"

namespace engram::experiments {

/// What is measured of every method, pair by pair: value i of each list is of the same cue, seed or block.
struct Measure {
  std::string name;
  std::vector<std::vector<double>> values;  // one list a label; empty where a method was not measured
  bool higher_is_better = true;
  int decimals = 3;
};

/// The best of a measure against another method.
struct Lead {
  std::size_t measure = 0, best = 0, other = 0;  // numbers of the measure and of the labels
  std::size_t pairs = 0;
  Estimate difference;     // best less other
  RearrangementTest test;  // paired permutation
  double corrected = 1;    // its p by Holm's correction over all leads of all measures
  double delta = 0;        // Cliff's, above 0 where the best's values are the higher ones
  std::optional<double> d_z;
  bool clear = false;  // enough pairs, an interval beyond zero, and a corrected p of at most 0.05
};

struct Leads {
  std::vector<std::string> labels;
  std::vector<Measure> measures;
  std::vector<std::optional<std::size_t>> best;  // a measure: the label with the best mean, ties the first
  std::vector<Lead> leads;                       // of the best over every other, measure by measure
  /// Whether the best of a measure leads every other clearly.
  bool has_winner(std::size_t measure) const;
};

/// One list against another of as many values, without correction: a in the place of the best.
/// Errors  std::invalid_argument unless there are values, as many of each
Lead paired_lead(const std::vector<double>& a, const std::vector<double>& b);

/// Whether a lead is clear, given whether its interval lies beyond zero on the side that matters.
bool is_clear(const Lead& lead, bool beyond_zero);

/// Methods with fewer or more values than the best cannot be paired with it, and have no lead over them.
/// Cost  that of two intervals and a permutation test a lead
Leads find_leads(std::vector<std::string> labels, std::vector<Measure> measures);

/// "its lead over every other method is clear of zero", or over which others it may be chance; methods with the same mean
/// are named as such.
std::string lead_clause(const Leads& leads, std::size_t measure);

}  // namespace engram::experiments
