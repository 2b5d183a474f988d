// SPDX-License-Identifier: MIT
#include "experiments/inputs/given_statements.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "core/budgets/budget_update.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/shapes.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

using core::StatementId;

namespace {

constexpr std::size_t most_exact = 12, draws = 9999;

// The statements tied with the last selected one: their number, and the number of selected ones.
struct Ties {
  std::size_t statements = 0, places = 0;

  // Probability that n particular tied statements are all selected.
  double chance_of_all(std::size_t n) const {
    double chance = 1;
    for (std::size_t i = 0; i < n; ++i)
      chance *= i < places ? static_cast<double>(places - i) / static_cast<double>(statements - i) : 0.0;
    return chance;
  }
};

using TiedSets = std::vector<std::set<StatementId>>;

// Removes supersets: if a superset is selected, the smaller set is, too.
TiedSets smallest(TiedSets sets) {
  std::ranges::sort(
      sets, [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  TiedSets kept;
  for (auto& set : sets)
    if (std::ranges::none_of(kept, [&](const auto& other) { return std::ranges::includes(set, other); }))
      kept.push_back(std::move(set));
  return kept;
}

// Probability that at least one set is selected completely, by inclusion-exclusion or by sampling.
double chance_of_any(const Ties& ties, const TiedSets& sets) {
  if (sets.empty()) return 0;
  if (sets.front().empty()) return 1;
  double chance = 0;
  if (sets.size() <= most_exact) {
    for (std::size_t chosen = 1; chosen < std::size_t{1} << sets.size(); ++chosen) {
      std::set<StatementId> all;
      for (std::size_t i = 0; i < sets.size(); ++i)
        if ((chosen >> i & 1) != 0) all.insert(sets[i].begin(), sets[i].end());
      chance += (std::popcount(chosen) % 2 == 1 ? 1 : -1) * ties.chance_of_all(all.size());
    }
    return std::clamp(chance, 0.0, 1.0);
  }
  std::set<StatementId> all;
  for (const auto& set : sets) all.insert(set.begin(), set.end());
  core::Rng rng(0, "ties");
  for (std::size_t draw = 0; draw < draws; ++draw) {
    std::set<StatementId> given;
    std::size_t left = ties.statements, places = ties.places;
    for (const StatementId id : all)
      if (rng.below(left--) < places) {
        given.insert(id);
        --places;
      }
    if (std::ranges::any_of(sets, [&](const auto& set) { return std::ranges::includes(given, set); }))
      chance += 1;
  }
  return chance / static_cast<double>(draws);
}

}  // namespace

std::string Gate::name() const {
  return std::to_string(amount) + (multiple ? "x" : "") +
         (share > 0 ? " above " + narsese::print_number(share) : "");
}

std::span<const StatementId> let_through(const Gate& gate, std::size_t needed,
                                         std::span<const StatementId> ranked, const core::Vector& scores) {
  const auto first = ranked.first(std::min(ranked.size(), gate.capacity(needed)));
  core::Vector best_first(static_cast<core::Index>(first.size()));
  for (std::size_t i = 0; i < first.size(); ++i) best_first[static_cast<core::Index>(i)] = scores[first[i]];
  return first.first(core::leading_count(best_first, gate.share));
}

GivenProof given_proof(std::span<const StatementId> given, const std::vector<Question::Proof>& proofs) {
  core::require(!proofs.empty(), "there must be a proof", proofs.size());
  const auto holds = [&](StatementId id) { return std::ranges::find(given, id) != given.end(); };
  const Question::Proof& first = proofs.front();
  const bool whole = std::ranges::any_of(
      proofs, [&](const Question::Proof& proof) { return std::ranges::all_of(proof, holds); });
  return {static_cast<double>(std::ranges::count_if(first, holds)) / static_cast<double>(first.size()),
          whole ? 1.0 : 0.0};
}

GivenProof expected_proof(std::span<const StatementId> given, const core::Vector& scores,
                          const std::vector<Question::Proof>& proofs) {
  core::require(!proofs.empty(), "there must be a proof", proofs.size());
  if (given.empty()) return {};
  const double cut = scores[given.back()];
  const Ties ties{static_cast<std::size_t>((scores.array() == cut).count()),
                  given.size() - static_cast<std::size_t>((scores.array() > cut).count())};
  const auto is_ranked = [&](StatementId id) { return id < static_cast<std::size_t>(scores.size()); };
  const auto is_above = [&](StatementId id) { return is_ranked(id) && scores[id] > cut; };
  const auto is_tied = [&](StatementId id) { return is_ranked(id) && scores[id] == cut; };

  const Question::Proof& first = proofs.front();
  const double kept = static_cast<double>(std::ranges::count_if(first, is_above)) +
                      static_cast<double>(std::ranges::count_if(first, is_tied)) *
                          static_cast<double>(ties.places) / static_cast<double>(ties.statements);
  std::vector<std::set<StatementId>> all;  // tied statements of each proof that can be complete
  for (const Question::Proof& proof : proofs) {
    std::set<StatementId> tied;
    bool possible = true;
    for (const StatementId id : proof) {
      possible = possible && (is_above(id) || is_tied(id));
      if (is_tied(id)) tied.insert(id);
    }
    if (possible && tied.size() <= ties.places) all.push_back(std::move(tied));
  }
  return {kept / static_cast<double>(first.size()), chance_of_any(ties, smallest(std::move(all)))};
}

std::vector<StatementId> order_of_ties(std::size_t statements, std::uint64_t seed) {
  return core::Rng(seed, "ties").permutation(static_cast<std::uint32_t>(statements));
}

}  // namespace engram::experiments
