// SPDX-License-Identifier: MIT
// The links that a walk follows.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/link_rules.hpp"
#include "core/methods/method.hpp"
#include "core/walks/forward_push.hpp"

namespace engram::core {

/// A memory that learns by no rule was asked for what it learnt.
struct NoLearner : OptionError {
  NoLearner() : OptionError("links", "option 'links': the memory learns by no rule (memory.learning)") {}
};

/// Rules of choice over what is counted, and nothing for what the memory's own rule has learnt, by their
/// names.
std::vector<NamedValue<std::optional<LinkRule>>> walked_link_names();
inline constexpr const char* walked_links_meaning =
    "how they are weighed; all but hebb hold hubs back; learnt: memory.learning";

/// The links that a walk follows: weighed by a rule, or without one what the memory's own has learnt.
/// `weighed` keeps those that have to be made.
/// Errors   NoLearner
const SparseRows& walked_links(const MemoryIndex& memory, std::optional<LinkRule> rule, SparseRows& weighed);

/// The same, row by row, for walks that come to few.  Errors  NoLearner  Of a memory that outlives it
LinkRows walked_rows(const MemoryIndex& memory, std::optional<LinkRule> rule);
/// How many links each row has, those without weight as well.
LinkCounts walked_counts(const MemoryIndex& memory, std::optional<LinkRule> rule);

}  // namespace engram::core
