// SPDX-License-Identifier: MIT
// A session with a live NARS as one page: what was asked and answered, and how memory and budgets went.
#pragma once

#include <string>
#include <vector>

#include "bridge/attach/attached_memory.hpp"

namespace engram::experiments {

/// One page with everything in it, from a transcript alone: the same transcript gives the same bytes.
///   timelines  over the transcript's entries: statements, concepts and links of the memory, looked at 120
///              moments at most, and the priority of what the NARS was told and inferred, 800 dots at most
///              (evenly spaced); with a mark at each question, answered or not, and at each new process
///   tables     each question with its answer and what was told for it; the strongest links; where a model
///              learnt, what it learnt, in words
/// `start` as of the session.
std::string session_report(const bridge::SessionStart& start,
                           const std::vector<bridge::TranscriptEntry>& entries);

}  // namespace engram::experiments
