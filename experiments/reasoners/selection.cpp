// SPDX-License-Identifier: MIT
#include "experiments/reasoners/selection.hpp"

#include <algorithm>

#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "experiments/statistics/statistics.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"

namespace engram::experiments {
namespace {

using core::ConceptId;
using core::StatementId;
using Given = std::span<const StatementId>;

std::vector<bool> flags(core::Index size, std::span<const std::uint32_t> ids) {
  std::vector<bool> all(static_cast<std::size_t>(size));
  for (const std::uint32_t id : ids) all[id] = true;
  return all;
}

}  // namespace

Selection::Selection(const QuestionSet& set, const AskedQuestion& question, const core::Cue& cue,
                     const core::ConfiguredMethod& method)
    : set_(set), question_(question) {
  seconds_ = experiments::seconds([&] { recall_ = method.recall(set.corpus.session->index(), cue); });
  std::size_t most = 0;
  for (const Gate& gate : set.gates) most = std::max(most, gate.capacity(question.unit));
  first_ = first_items(recall_.statements, most, set.drawn);
}

Given Selection::given(const Gate& gate) const {
  return selected_statements(gate, question_.unit, first_, recall_.statements);
}

ProofCoverage Selection::proof(Given given) const {
  return expected_coverage(given, recall_.statements, question_.proofs);
}

core::QuestionAnswers Selection::answers(Given given, std::size_t most) const {
  core::Session session;
  std::vector<double> by_id;
  for (const StatementId id : given) {
    narsese::Sentence sentence = set_.corpus.premise(id);
    sentence.term = narsese::TermCopies(session.mutable_memory().terms())(sentence.term);
    const auto accepted = session.accept(sentence);
    if (!accepted || !*accepted) continue;  // the memory is full, or the sentence is a question
    by_id.resize(session.memory().statements().size());
    by_id[**accepted] = recall_.statements[id];
  }
  const core::Vector scores =
      Eigen::Map<const core::Vector>(by_id.data(), static_cast<core::Index>(by_id.size()));
  core::AnsweringOptions options;
  options.refresh = options.steps;  // the scores are never refreshed
  options.max_answers = most;
  return core::answer_question(
      session, narsese::print(question_.sentence),
      [&](core::Session& memory, const core::Cue&) {
        core::Vector all = core::Vector::Zero(static_cast<core::Index>(memory.memory().statements().size()));
        all.head(scores.size()) = scores;
        return all;
      },
      options);
}

RankingMeasures Selection::needed() const {
  const std::vector<bool> needed = is_needed();
  const auto held = static_cast<std::size_t>(std::ranges::count(needed, true));
  return {recall_.statements, needed, question_.needed() - held};
}

RankingMeasures Selection::wanted() const {
  return {recall_.concepts, flags(recall_.concepts.size(), question_.wanted), is_unnamed()};
}

std::optional<double> Selection::answer_rank() const {
  if (question_.answers.empty()) return {};
  const std::vector<bool> unnamed = is_unnamed();
  double total = 0;
  for (const ConceptId id : question_.answers)
    total += RankingMeasures(recall_.concepts, flags(recall_.concepts.size(), {&id, 1}), unnamed)
                 .reciprocal_rank();
  return total / static_cast<double>(question_.answers.size());
}

double Selection::rank(StatementId statement) const {
  return tied_ranks(recall_.statements, statement, std::vector<bool>(set_.corpus.held(), true)).average;
}

std::optional<NeededPlaces> Selection::needed_places() const {
  const core::Vector& scores = recall_.statements;
  const std::vector<bool> needed = is_needed();
  const auto above_others = area_under_curve(scores, needed);
  if (!above_others) return {};
  double rank_sum = 0, weakest = INFINITY, strongest_other = -INFINITY;
  Question::Proof held;
  for (StatementId id = 0; id < needed.size(); ++id) {
    double& bound = needed[id] ? weakest : strongest_other;
    bound = needed[id] ? std::min(bound, scores[id]) : std::max(bound, scores[id]);
    if (!needed[id]) continue;
    rank_sum += rank(id);
    held.push_back(id);
  }
  // The best statements up to the needed number, including statements with score 0.
  std::vector<StatementId> best = set_.drawn;
  std::ranges::nth_element(best, best.begin() + static_cast<std::ptrdiff_t>(held.size()) - 1,
                           std::ranges::greater(), [&](StatementId id) { return scores[id]; });
  best.resize(held.size());
  const auto count = static_cast<double>(held.size()), all = static_cast<double>(needed.size());
  return NeededPlaces{*above_others, rank_sum / count, (0.5 * all * (all + 1) - rank_sum) / (all - count),
                      expected_coverage(best, scores, {held}).whole, weakest - strongest_other};
}

std::vector<bool> Selection::is_needed() const {
  std::vector<bool> needed(set_.corpus.held());
  if (question_.proofs.empty()) return needed;
  for (const StatementId id : question_.proofs.front())
    if (set_.corpus.is_held(id)) needed[id] = true;
  return needed;
}

std::vector<bool> Selection::is_unnamed() const {
  const core::MemoryIndex& readings = set_.corpus.session->index();
  std::vector<bool> unnamed = flags(readings.concepts(), readings.active_concepts());
  for (const ConceptId id : question_.names) unnamed[id] = false;
  return unnamed;
}

}  // namespace engram::experiments
