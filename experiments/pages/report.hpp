// SPDX-License-Identifier: MIT
// Report page of a run.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/formats/conclusion.hpp"
#include "experiments/pages/unread_lines.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// The report as one page, without the pages of single cues. Plots are read from the folder.
std::string report_html(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion,
                        const UnreadLines& unread = {});

}  // namespace engram::experiments
