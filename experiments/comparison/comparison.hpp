// SPDX-License-Identifier: MIT
// The comparison: for every question of a Narsese file (or, if it asks none, for statements with one concept held out),
// which statements does each method select, what does Engram's reasoner answer from them, and how far do the methods
// agree?
#pragma once

#include "experiments/spec/experiment.hpp"

namespace engram::experiments::comparison {

struct ComparisonOptions {
  std::size_t top = 10;       // entries of a ranking that are written out
  std::size_t cues = 50;      // held-out cues a file
  std::size_t capacity = 12;  // statements a reasoner would be given
};

/// The measures of a row, by their columns in the table of methods.
std::vector<Observation> observed_measures(const Json& row);

Conclusion conclude_comparison(const Spec& spec, const ComparisonOptions& options,
                               const std::vector<Json>& rows);

/// Adds a page for every cue, up to 2000, and a section at the head of the report that shows the first 40: their answers,
/// and what each method selected. The rows as they stand in results.jsonl are on the pages.
void add_cue_pages(const Spec& spec, const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::comparison
