// SPDX-License-Identifier: MIT
// What the report of `comparison` shows of single cues.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// The page of the cue of a row, relative to the report.
std::string cue_page(const Json& row);

/// Adds a page for every cue, up to 2000, and a section that shows the first 40 within the report: with the
/// report alone one still has these. The rows as they stand in results.jsonl are on the pages.
void add_cue_pages(const Spec& spec, const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments
