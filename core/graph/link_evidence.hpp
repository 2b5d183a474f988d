// SPDX-License-Identifier: MIT
// The Hebbian links of a memory as what they are evidence for: that two concepts go together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/memory.hpp"
#include "narsese/link_judgement.hpp"

namespace engram::core {

/// A link as a judgement <(*,source,target) --> associated>.
struct LinkJudgement {
  narsese::Term source, target;  // in the order of narsese::compare
  double weight = 0;             // W, positive evidence
  narsese::TruthValue truth;     // f = w+/w, c = w/(w+k)
};

/// The `top` best links (of one concept, where that is given) that have evidence now: by W (as f and c
/// give it), then confidence, then the order of the terms. The order is one of what is told, not of ids: who
/// is told these judgements, in any order, gives the same list. (Expectation would put a link the higher the
/// less is known of it: most have f < 1/2.)
/// Cost  O(links), and O(top log top) to sort
std::vector<LinkJudgement> best_links(const Memory& memory, std::optional<ConceptId> of, std::size_t top);

/// The link as a line of a section of links (narsese/link_judgement.hpp), under any relation. An empty memory that reads
/// the section has every truth value to the last bit.
std::string print(const LinkJudgement& link, std::string_view relation = narsese::link_relation);

}  // namespace engram::core
