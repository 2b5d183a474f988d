// SPDX-License-Identifier: MIT
#include <algorithm>

#include "experiments/capacity/capacity.hpp"
#include "experiments/inputs/episodes.hpp"

namespace engram::experiments::capacity {
namespace {

// The best possible probability of a correct answer from the statements alone: of the statements that contain the cue,
// the share that also contains the missing concept.
double possible(const EpisodeCue& cue, const core::Memory& memory) {
  const auto& own = memory.statements()[cue.statement].active;
  double containing = 0, right = 0;
  for (const core::Statement& statement : memory.statements()) {
    std::size_t shared = 0;
    for (const core::ConceptId id : statement.active) shared += cue.activation[id] > 0 ? 1 : 0;
    if (shared + cue.missing.size() < own.size() || statement.active.size() != own.size()) continue;
    ++containing;
    right += std::ranges::includes(statement.active, own) ? 1 : 0;
  }
  return right / containing;
}

}  // namespace

std::vector<std::size_t> episode_loads(const Corpus& corpus) {
  const std::size_t all = corpus.session->memory().statements().size();
  std::vector<std::size_t> loads;
  for (const std::size_t load : {4U, 8U, 12U, 16U, 24U, 32U, 48U, 64U, 96U, 128U})
    if (load < all) loads.push_back(load);
  loads.push_back(all);
  return loads;
}

TrialResult episode_trial(const Spec& spec, std::size_t cues_asked, const Corpus& corpus, std::uint64_t seed,
                          std::size_t stored) {
  core::Rng rng(seed, "capacity episodes " + corpus.name);  // one order for all loads
  const auto chosen = choose_statements(corpus, rng, stored);
  const core::Memory memory = memory_of(corpus, chosen, spec.memory);
  const core::MemoryIndex readings(memory);
  core::Rng cue_rng(seed, "capacity cues " + corpus.name, stored);
  const auto cues = choose_cues(memory, readings, cue_rng, cues_asked, {});
  TrialResult result;
  if (cues.empty()) return result;
  double open = 0;
  for (const EpisodeCue& cue : cues) open += possible(cue, memory);
  const auto n = static_cast<double>(cues.size());
  for (const auto& [name, recall] : memories_by(spec.methods, readings)) {
    double recalled = 0;
    const double time = seconds([&, &retrieve = recall] {
      for (const EpisodeCue& cue : cues)
        recalled += score_completion(cue, readings, retrieve(readings, core::Cue(cue.activation))).hit;
    });
    result.rows.push_back({{"figure", "episodes"},
                           {"file", corpus.name},
                           {"seed", seed},
                           {"stored", memory.statements().size()},
                           {"method", name},
                           {"cues", cues.size()},
                           {"recalled", recalled / n},
                           {"possible", open / n}});
    result.timings.push_back({{"method", name}, {"seconds", time}});
  }
  return result;
}

}  // namespace engram::experiments::capacity
