// SPDX-License-Identifier: MIT
#include "experiments/inputs/episodes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "core/hopfield/dense_memory.hpp"
#include "core/learning/pattern_weights.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "experiments/statistics/statistics.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

using core::ConceptId;
using core::Index;
using core::Matrix;
using core::StatementId;
using core::Vector;

std::vector<StatementId> choose_statements(const Corpus& corpus, core::Rng& rng, std::size_t count) {
  auto order = rng.permutation(static_cast<std::uint32_t>(corpus.session->memory().statements().size()));
  order.resize(std::min(count, order.size()));
  std::ranges::sort(order);
  return order;
}

// Copies sentences by printing and parsing, because terms belong to the table of the memory that read them.
core::Memory memory_of(const Corpus& corpus, const std::vector<StatementId>& chosen,
                       const core::MemoryOptions& options) {
  core::Memory memory(options);
  for (const StatementId id : chosen) {
    const std::string text = narsese::print(corpus.session->memory().statements()[id].sentence);
    const auto sentence = narsese::parse_sentence(text, memory.terms());
    if (!sentence || !memory.accept(*sentence)) throw std::logic_error("cannot store again: " + text);
  }
  return memory;
}

std::vector<EpisodeCue> choose_cues(const core::Memory& memory, const core::MemoryIndex& readings,
                                    core::Rng& rng, std::size_t most, const Corruption& corruption) {
  const auto holders = readings.active_concepts();
  std::vector<EpisodeCue> cues;
  for (const StatementId id : rng.permutation(static_cast<std::uint32_t>(memory.statements().size()))) {
    const auto& active = memory.statements()[id].active;
    if (active.size() < 2) continue;
    if (cues.size() == most) break;
    const auto wanted = std::lround(corruption.share * static_cast<double>(active.size()));
    const auto missing = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, active.size() - 1);
    EpisodeCue cue{id, Vector::Zero(static_cast<core::Index>(memory.graph().size())), {}};
    for (const std::uint32_t place : rng.permutation(static_cast<std::uint32_t>(active.size()))) {
      if (cue.missing.size() < missing)
        cue.missing.push_back(active[place]);
      else
        cue.activation[active[place]] = 1.0;
    }
    for (std::size_t wrong = 0; wrong < corruption.noise && active.size() + wrong < holders.size();) {
      const ConceptId other = holders[rng.below(holders.size())];
      if (std::ranges::binary_search(active, other) || cue.activation[other] > 0) continue;
      cue.activation[other] = 1.0;
      ++wrong;
    }
    cues.push_back(std::move(cue));
  }
  return cues;
}

double largest_overlap(const core::Memory& memory, StatementId statement) {
  const auto& own = memory.statements()[statement].active;
  std::size_t largest = 0;
  for (StatementId other = 0; other < memory.statements().size(); ++other) {
    if (other == statement) continue;
    const auto& active = memory.statements()[other].active;
    const auto shared =
        std::ranges::count_if(active, [&](ConceptId id) { return std::ranges::binary_search(own, id); });
    largest = std::max(largest, static_cast<std::size_t>(shared));
  }
  return static_cast<double>(largest) / static_cast<double>(own.size());
}

namespace {

using SpinRecall = std::function<Vector(const Vector& cue)>;

// Wraps a spin network as a memory: converts the cue to spins, and the final spins to activation.
NamedMemory over_spins(std::string name, const core::MemoryIndex& readings,
                       std::shared_ptr<const Matrix> patterns, SpinRecall spin_recall) {
  return {std::move(name), [&readings, patterns = std::move(patterns), spin_recall = std::move(spin_recall)](
                               const core::MemoryIndex&, const core::Cue& cue) {
            const auto holders = readings.active_concepts();
            Vector state(static_cast<Index>(holders.size()));
            for (Index j = 0; j < state.size(); ++j)
              state[j] = cue.activation[holders[static_cast<std::size_t>(j)]] > 0 ? 1 : -1;
            state = spin_recall(state);
            Vector active = Vector::Zero(readings.concepts());
            for (Index j = 0; j < state.size(); ++j)
              active[holders[static_cast<std::size_t>(j)]] = state[j] > 0 ? 1 : 0;
            core::Recall recall;
            recall.concepts = std::move(active);
            recall.statements = Vector((core::overlaps(*patterns, state).array() + 1) / 2);
            return recall;
          }};
}

std::vector<NamedMemory> spin_memories(const core::MemoryIndex& readings) {
  constexpr std::size_t most_concepts = 1024;
  const auto holders = readings.active_concepts();
  if (holders.empty() || holders.size() > most_concepts) return {};
  const Matrix a = readings.episodes().dense();
  const auto x = std::make_shared<Matrix>(a.rows(), static_cast<Index>(holders.size()));
  for (Index j = 0; j < x->cols(); ++j)
    x->col(j) = 2 * a.col(static_cast<Index>(holders[static_cast<std::size_t>(j)])).array() - 1;

  std::vector<NamedMemory> memories;
  for (const auto& [name, rule] :
       {std::pair("Hebb spins", core::WeightRule::hebb),
        std::pair("Storkey spins", core::WeightRule::storkey),
        std::pair("pseudo-inverse spins", core::WeightRule::pseudo_inverse_zero_diag)})
    memories.push_back(
        over_spins(name, readings, x, [w = core::pattern_weights(rule, *x)](const Vector& cue) {
          return core::recall_hopfield(w, cue).state;
        }));
  for (const auto& [name, separation] :
       {std::pair("cubic dense spins", core::DenseSeparation::polynomial),
        std::pair("exponential dense spins", core::DenseSeparation::exponential)})
    memories.push_back(over_spins(name, readings, x, [x, separation = separation](const Vector& cue) {
      return core::recall_dense(*x, cue, {.separation = separation, .n = 3, .order = {}}).state;
    }));
  return memories;
}

}  // namespace

std::vector<NamedMemory> memories_by(const std::vector<MethodChoice>& methods,
                                     const core::MemoryIndex& readings) {
  std::vector<NamedMemory> memories;
  for (const MethodChoice& choice : methods)
    memories.push_back(
        {choice.label, [method = choice.method](const core::MemoryIndex& memory, const core::Cue& cue) {
           return method.recall(memory, cue);
         }});
  for (NamedMemory& spins : spin_memories(readings)) memories.push_back(std::move(spins));
  return memories;
}

CompletionScore score_completion(const EpisodeCue& cue, const core::MemoryIndex& readings,
                                 const core::Recall& recall) {
  std::vector<bool> counted(static_cast<std::size_t>(readings.concepts()));
  for (const ConceptId id : readings.active_concepts()) counted[id] = cue.activation[id] == 0;
  const auto missing = static_cast<double>(cue.missing.size());
  CompletionScore score;
  for (const ConceptId id : cue.missing) {
    const TiedRanks ranks = tied_ranks(recall.concepts, id, counted);
    score.reciprocal_rank += ranks.expected_reciprocal() / missing;
    score.hit += ranks.chance_within(missing) / missing;
  }
  const std::vector<bool> all(static_cast<std::size_t>(readings.statements()), true);
  score.statement_reciprocal_rank = tied_ranks(recall.statements, cue.statement, all).expected_reciprocal();
  return score;
}

}  // namespace engram::experiments
