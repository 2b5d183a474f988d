// SPDX-License-Identifier: MIT
#include "core/shards/sharded_recall.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/numbers/rank.hpp"
#include "core/shards/split.hpp"

namespace engram::core {
namespace {

using SplitMethod = SplitScores (*)(const Split&);
// A line each.
const std::map<std::string, SplitMethod>& all_split() {
  static const std::map<std::string, SplitMethod> all{
      {"attention", split_attention},
      {"entmax_attention", split_attention},
      {"sparsemax_attention", split_attention},
      {"argmax_attention", split_attention},
      {"hopfield", split_hopfield},
      {"modern_hopfield", split_modern_hopfield},
      {"k_hop", split_k_hop},
      {"spreading_activation", split_spreading_activation},
  };
  return all;
}

// The best of all peers' own, by score and number.
template <class Text>
ShardedRecall::Ranked best_of(Peers& peers, const OwnValues& scores, std::span<const std::uint64_t> numbers,
                              std::size_t top, const Text& text) {
  struct Head {
    double score;
    std::uint64_t number, bytes;
  };
  std::vector<Head> heads;
  std::string texts;
  for (const std::uint32_t own :
       rank(SparseVector(Vector(Eigen::Map<const Vector>(scores.data(), static_cast<Index>(scores.size())))),
            top)) {
    const std::string words = text(own);
    heads.push_back({scores[own], numbers[own], words.size()});
    texts += words;
  }
  const auto all_heads = gather(peers, std::span<const Head>(heads)).items;
  const auto all_texts = gather(peers, std::span<const char>(texts)).items;
  std::vector<std::pair<Head, std::string>> all;
  const char* at = all_texts.data();
  for (const Head& head : all_heads) {
    all.emplace_back(head, std::string(at, head.bytes));
    at += head.bytes;
  }
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    return a.first.score != b.first.score ? a.first.score > b.first.score : a.first.number < b.first.number;
  });
  ShardedRecall::Ranked ranked;
  for (std::size_t k = 0; k < std::min(top, all.size()); ++k)
    ranked.emplace_back(std::move(all[k].second), all[k].first.score);
  return ranked;
}

}  // namespace

OwnValues query_of(const ShardedMemory& memory, OwnValues query) {
  for (std::size_t i = 0; i < query.size(); ++i) query[i] *= memory.rarity(i);
  const double length = std::sqrt(memory.dot_over_names(query, query));
  if (length > 0)
    for (double& x : query) x /= length;
  return query;
}

void require_choice(const Split& split, const char* option, const char* value) {
  if (split.choice(option) != value)
    throw OptionError(option, "option '" + std::string(option) + "' must be " + value +
                                  " where a memory is split over processes, found " + split.choice(option));
}

std::vector<std::string> split_methods() {
  std::vector<std::string> names;
  for (const auto& [name, method] : all_split()) names.push_back(name);
  return names;
}

ShardedRecall sharded_recall(ShardedMemory& memory, const Method& method, const Options& given,
                             narsese::Term cue, std::size_t top) {
  const auto split_method = all_split().find(method.name);
  if (split_method == all_split().end()) {
    std::string names;
    for (const std::string& name : split_methods()) names += (names.empty() ? "" : ", ") + name;
    throw OptionError("method", "'" + method.name + "' cannot be split over processes; these can: " + names);
  }
  const Options options = complete_options(method, given);
  Split split{memory, options, OwnValues(memory.own_names(), 0.0), {}};
  for (const narsese::Term name : memory.names_of(cue))
    if (const auto own = memory.find_name(name); own && memory.activity(*own) > 0) {
      split.cue[*own] = 1;
      split.names.push_back(static_cast<std::uint32_t>(*own));
    }
  ShardedRecall recall;
  recall.knows_cue = share_of(memory.peers(), split.names.size()).all > 0;
  if (!recall.knows_cue || memory.statements() == 0) return recall;

  SplitScores scored = split_method->second(split);
  recall.course = std::move(scored.course);
  if (!scored.concepts) {
    OwnValues shares = scored.statements;
    if (const double total = memory.sum_over_statements(shares); total > 0)
      for (double& x : shares) x /= total;
    scored.concepts = memory.concept_scores(shares);
  } else {
    scored.statements = memory.similarity(query_of(memory, *scored.concepts));
    for (double& x : scored.statements) x = std::max(x, 0.0);
  }
  recall.concepts = best_of(memory.peers(), *scored.concepts, memory.name_numbers(), top,
                            [&](std::size_t own) { return memory.name(own); });
  recall.statements = best_of(memory.peers(), scored.statements, memory.statement_numbers(), top,
                              [&](std::size_t own) { return memory.statement(own); });
  return recall;
}

}  // namespace engram::core
