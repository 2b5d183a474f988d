// SPDX-License-Identifier: MIT
#include "experiments/inputs/given_statements.hpp"

#include <algorithm>

#include "core/budgets/budget_update.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/shapes.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

using core::StatementId;

std::string Gate::name() const {
  return std::to_string(amount) + (multiple ? "x" : "") +
         (share > 0 ? " above " + narsese::print_number(share) : "");
}

std::span<const StatementId> let_through(const Gate& gate, std::size_t needed,
                                         std::span<const StatementId> ranked, const core::Vector& scores) {
  const auto first = ranked.first(std::min(ranked.size(), gate.capacity(needed)));
  core::Vector best_first(static_cast<core::Index>(first.size()));
  for (std::size_t i = 0; i < first.size(); ++i) best_first[static_cast<core::Index>(i)] = scores[first[i]];
  return first.first(core::given(best_first, gate.share));
}

GivenProof given_proof(std::span<const StatementId> given, const std::vector<Question::Proof>& proofs) {
  core::require(!proofs.empty(), "there must be a proof", proofs.size());
  const auto holds = [&](StatementId id) { return std::ranges::find(given, id) != given.end(); };
  const Question::Proof& first = proofs.front();
  return {static_cast<double>(std::ranges::count_if(first, holds)) / static_cast<double>(first.size()),
          std::ranges::any_of(
              proofs, [&](const Question::Proof& proof) { return std::ranges::all_of(proof, holds); })};
}

std::vector<StatementId> order_of_ties(std::size_t statements, std::uint64_t seed) {
  return core::Rng(seed, "ties").permutation(static_cast<std::uint32_t>(statements));
}

}  // namespace engram::experiments
