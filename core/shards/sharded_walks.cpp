// SPDX-License-Identifier: MIT
// Search and walks over a sharded memory, step by step: what a step has reached goes to who owns it.
#include <algorithm>
#include <limits>
#include <map>

#include "core/shards/fetched_links.hpp"
#include "core/shards/split.hpp"
#include "core/walks/spreading_activation.hpp"

namespace engram::core {

// neighbourhood (core/walks/neighbourhood.hpp): names to the statements in which they are, and back, hop by hop.
SplitScores split_k_hop(const Split& split) {
  const ShardedMemory& memory = split.memory;
  const auto numbers = memory.statement_numbers();
  const auto most = static_cast<std::size_t>(split.number("most"));
  const int hops = static_cast<int>(split.number("hops"));
  SplitScores scored{OwnValues(memory.own_statements(), 0.0), {}, {}};
  std::vector<char> known(memory.own_names(), 0), found(memory.own_statements(), 0);
  std::vector<std::uint32_t> border = split.names;
  for (const std::uint32_t name : border) known[name] = 1;
  std::size_t neighbours = 0;
  for (int hop = 1; hop <= hops && neighbours < most; ++hop) {
    if (share_of(memory.peers(), border.size()).all == 0) break;
    std::vector<std::uint32_t> fresh;
    std::vector<std::uint64_t> fresh_numbers;
    for (const std::uint32_t s : memory.statements_with(border)) {
      if (found[s] != 0) continue;
      found[s] = 1;
      fresh.push_back(s);
      fresh_numbers.push_back(numbers[s]);
    }
    auto all = gather(memory.peers(), std::span<const std::uint64_t>(fresh_numbers)).items;
    std::ranges::sort(all);
    all.resize(std::min(all.size(), most - neighbours));
    neighbours += all.size();
    std::vector<std::uint32_t> gone_on_from;
    for (const std::uint32_t s : fresh) {
      if (all.empty() || numbers[s] > all.back()) continue;
      scored.statements[s] = 1.0 / hop;
      if (memory.expectation(s) >= 0.5) gone_on_from.push_back(s);
    }
    border.clear();
    for (const std::uint32_t name : memory.names_in(gone_on_from)) {
      if (known[name] != 0) continue;
      known[name] = 1;
      border.push_back(name);
    }
  }
  return scored;
}

// The walk itself is that of one process, at every peer; what it goes along is fetched before each step.
SplitScores split_spreading_activation(const Split& split) {
  require_choice(split, "links", "hebb");
  ShardedMemory& memory = split.memory;
  if (memory.concepts() > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("a walk goes over 2^32 - 1 concepts at most, there are " +
                            std::to_string(memory.concepts()));
  FetchedLinks links(memory);
  std::vector<std::uint64_t> own;
  for (const std::uint32_t name : split.names) own.push_back(memory.name_numbers()[name]);
  auto cue = gather(memory.peers(), std::span<const std::uint64_t>(own)).items;
  std::ranges::sort(cue);
  std::vector<SparseVector::Entry> activation;
  for (const std::uint64_t number : cue) activation.emplace_back(static_cast<std::uint32_t>(number), 1.0);

  const LinkRows rows = [&](Index node) {
    std::vector<SparseVector::Entry> row;
    for (const auto& [other, weight] : links.of(static_cast<std::uint64_t>(node)))
      row.emplace_back(static_cast<std::uint32_t>(other), weight);
    return row;
  };
  const LinksToCome expect = [&](const std::vector<std::uint32_t>& nodes) {
    links.fetch({nodes.begin(), nodes.end()});
  };
  const SpreadingOptions options{split.number("passed_on"), split.number("threshold"),
                                 static_cast<int>(split.number("max_steps"))};
  const Spread spread = spread_activation(
      rows, SparseVector(static_cast<Index>(memory.concepts()), std::move(activation)), options, expect);
  SplitScores scored{{}, OwnValues(memory.own_names(), 0.0), {}};
  spread.activation.each([&](std::uint32_t number, double x) {
    if (const auto name = memory.own_name(number)) (*scored.concepts)[*name] = x;
  });
  scored.course.iterations = spread.steps;
  scored.course.converged = spread.converged;
  return scored;
}

}  // namespace engram::core
