// SPDX-License-Identifier: MIT
// What the parts of the experiment `links` share: links.cpp gives the rows, links_conclusion.cpp concludes.
#pragma once

#include <string>
#include <vector>

#include "experiments/runs/spec.hpp"

namespace engram::experiments {

inline constexpr const char* trained_links = "trained_attention";
/// What every method has to beat; `links` measures them whether a spec names them or not.
inline constexpr const char* link_floors[] = {"constant", "relation_frequency", "pair_rules"};

/// Published figures: {"sets": [{"set", "sha256": [of files], "figures": [{"model", "mrr", "hits@1",
/// "hits@10", "source", "setup"}]}]}. Returns those of the set that all of these files belong to; none for
/// others, since figures on other splits cannot be compared.
/// Errors   SpecError for a file that is not of this form
Json published_figures(const std::filesystem::path& file, const std::vector<std::string>& sha256);

}  // namespace engram::experiments
