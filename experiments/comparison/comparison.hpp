// SPDX-License-Identifier: MIT
// Experiment `comparison`. For every question of a Narsese file: which statements does each method select, what does
// Engram's reasoner answer from them, and how far do the methods agree? In a file without questions, statements with
// one concept held out take their place.
#pragma once

#include "experiments/spec/experiment.hpp"

namespace engram::experiments::comparison {

struct ComparisonOptions {
  std::size_t top = 10;       // entries of each ranking in the results
  std::size_t cues = 50;      // held-out cues for each file
  std::size_t capacity = 12;  // statements that the reasoner gets
};

/// Measures of a row, named like the columns of the table of methods.
std::vector<Observation> observed_measures(const Json& row);

Conclusion conclude_comparison(const Spec& spec, const ComparisonOptions& options,
                               const std::vector<Json>& rows);

/// Adds a page for every cue, up to 2000, with its raw rows of results.jsonl. Also adds a section at the beginning of
/// the report, with the answers and selected statements of the first 40 cues.
void add_cue_pages(const Spec& spec, const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::comparison
