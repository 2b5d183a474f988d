// SPDX-License-Identifier: MIT
// Leads: the difference between the best method of each measure and every other method, and its significance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/statistics/statistics.hpp"

namespace engram::experiments {

/// A measure with paired values for every method: value i of each list belongs to the same cue, seed or block.
struct Measure {
  std::string name;
  std::vector<std::vector<double>> values;  // one list for each label; empty if the method was not measured
  bool higher_is_better = true;
  int decimals = 3;
};

/// Comparison of the best method of a measure with another method.
struct Lead {
  std::size_t measure = 0, best = 0, other = 0;  // indices of the measure and of the labels
  std::size_t pairs = 0;
  Estimate difference;     // best minus other
  RearrangementTest test;  // paired permutation
  double corrected = 1;    // p by Holm's correction over all leads of all measures
  double delta = 0;        // Cliff's delta; positive if the values of the best method are higher
  std::optional<double> d_z;
  bool clear = false;  // enough pairs, an interval that excludes zero, and a corrected p of at most 0.05
};

struct Leads {
  std::vector<std::string> labels;
  std::vector<Measure> measures;
  std::vector<std::optional<std::size_t>> best;  // by measure: best label, the first of equals
  std::vector<Lead> leads;                       // of the best label over every other, measure by measure
  /// Whether the best method of a measure has a clear lead over every other.
  bool has_winner(std::size_t measure) const;
};

/// Compares two paired lists without correction; `a` takes the place of the best.
/// Errors  std::invalid_argument if the lists are empty or differ in length
Lead paired_lead(const std::vector<double>& a, const std::vector<double>& b);

/// Whether a lead is clear. `beyond_zero`: its interval excludes zero, on the side of the best.
bool is_clear(const Lead& lead, bool beyond_zero);

/// Finds the best method of each measure and its leads. Methods with another number of values cannot be paired with the
/// best, so there is no lead over them.
/// Cost  two intervals and a permutation test for each lead
Leads find_leads(std::vector<std::string> labels, std::vector<Measure> measures);

/// Clause such as "its lead over every other method is clear of zero", or the methods over which the lead may be
/// chance. Methods with the same mean are named.
std::string lead_clause(const Leads& leads, std::size_t measure);

}  // namespace engram::experiments
