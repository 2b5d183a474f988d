// SPDX-License-Identifier: MIT
#include "experiments/inputs/given_statements.hpp"

#include <algorithm>

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
  auto given = ranked.first(std::min(ranked.size(), gate.capacity(needed)));
  while (!given.empty() && scores[given.back()] < gate.share * scores[given.front()])
    given = given.first(given.size() - 1);
  return given;
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
