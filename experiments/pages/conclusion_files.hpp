// SPDX-License-Identifier: MIT
// A conclusion as files: tables, plots, pictures, pages and the report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"
#include "experiments/pages/unread_lines.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Writes tables/ (CSV, Markdown, LaTeX), plots/ (scripts, and SVG and PDF where gnuplot and Graphviz are
/// there), cues/, summary.json and report.html into the folder of a run.
/// Returns  the pictures that could not be drawn, and why: a run does not fail for a picture
/// Errors   std::system_error for the disk; what core::check_cancelled() throws while a program draws
std::vector<std::string> write_conclusion(const std::filesystem::path& folder, const Spec& spec,
                                          const Conclusion& conclusion, const UnreadLines& unread);

}  // namespace engram::experiments
