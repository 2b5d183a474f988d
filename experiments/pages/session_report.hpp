// SPDX-License-Identifier: MIT
// Report of a session with a live NARS: questions, answers, and the development of memory and budgets.
#pragma once

#include <string>
#include <vector>

#include "bridge/attach/attached_memory.hpp"

namespace engram::experiments {

/// A complete page from a transcript alone; equal transcripts give equal bytes.
///   timelines  over the entries of the transcript: numbers of statements, concepts and links at up to 120 moments; the
///              priorities of input and derived sentences as up to 800 evenly spaced dots. Marks show questions,
///              answered or not, and new processes
///   tables     each question with its answer and the statements sent for it; the strongest links; if a model learnt, a
///              description of its changes
/// `start` is the start record of the session.
std::string session_report(const bridge::SessionStart& start,
                           const std::vector<bridge::TranscriptEntry>& entries);

}  // namespace engram::experiments
