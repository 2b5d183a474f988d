// SPDX-License-Identifier: MIT
#include "core/proofs/associations.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "core/numbers/work_budget.hpp"
#include "core/walks/path_search.hpp"

namespace engram::core {
namespace {

// The pair of a cue that is a statement about two names.
std::optional<NamePair> pair_of_statement(const MemoryIndex& memory, const Cue& cue) {
  const auto stated = cue.term ? relation_of(cue.term) : std::nullopt;
  if (!stated) return std::nullopt;
  const std::vector<ConceptId> named = cue.names();
  const auto concept_of = [&](narsese::Term name) -> std::optional<ConceptId> {
    const auto found = std::ranges::find(named, name, [&](ConceptId id) { return memory.term(id); });
    return found == named.end() ? std::nullopt : std::optional(*found);
  };
  const auto from = concept_of(stated->from), to = concept_of(stated->to);
  const bool is_open =
      stated->from.kind() == narsese::TermKind::variable || stated->to.kind() == narsese::TermKind::variable;
  if ((!from && !to) || (!(from && to) && !is_open)) return std::nullopt;
  NamePair pair;
  pair.kind = stated->kind;
  if (stated->kind == StepKind::relation) pair.relation = concept_of(stated->relation);
  pair.from = from ? *from : *to;
  if (from) pair.to = to;
  pair.back = !from && pair.kind != StepKind::similarity;
  return pair;
}

// The search for the paths of one pair of names.
class PathSearch {
 public:
  PathSearch(const ProofScorer& scorer, const NamePair& pair, std::span<const StatementId> without,
             const ProofSearchOptions& options, ProofForest& forest)
      : scorer_(scorer),
        memory_(scorer.memory()),
        pair_(pair),
        without_(without),
        options_(options),
        forest_(forest),
        is_backwards_(pair.back) {}

  // Searches, and returns the names that are reached, with their indices in `proved`.
  const std::map<ConceptId, std::uint32_t>& run() {
    // A path has the same steps from either end: begin at the name with fewer hops.
    if (pair_.to && hops_of(*pair_.to).size() < hops_of(pair_.from).size()) {
      std::swap(pair_.from, *pair_.to);
      pair_.back = !pair_.back && pair_.kind != StepKind::similarity;
      is_backwards_ = !is_backwards_;
    }
    push({.to = pair_.from, .expands = true}, 0);
    double best = std::numeric_limits<double>::infinity();
    while (!waiting_.empty() && forest_.work < options_.work) {
      const auto [cost, number] = waiting_.top();
      if (cost > best + options_.slack) break;
      waiting_.pop();
      const Step step = steps_[number];
      if (step.expands) {
        expand(step);
        continue;
      }
      const auto [known, is_new] =
          reached_.emplace(step.to, static_cast<std::uint32_t>(forest_.proved.size()));
      if (is_new) forest_.proved.push_back({no_goal_term, false, cost, {}});
      ProofForest::Step& made = forest_.proved[known->second].steps.emplace_back();
      made.statement = step.statement;
      made.move = ProofMove::association;
      made.features = step.features;
      if (step.from) made.premises = {*step.from};
      if (!pair_.to || step.to == *pair_.to) best = std::min(best, cost);
      // A path ends at the second name of its pair. The steps from any other name cost at least its cost as a hub, so
      // they are computed only when that cost is reached.
      if (!is_new || step.to == pair_.to || step.depth == most_proof_depth) continue;
      ProofFeatures hub{};
      scorer_.add_hub(hub, step.to);
      const double extra = std::max(0.0, scorer_.cost(hub) - least_step_cost);
      push({.to = step.to, .from = known->second, .depth = step.depth + 1, .cost = cost, .expands = true},
           cost + extra);
    }
    is_complete_ = waiting_.empty();
    return reached_;
  }

  bool is_complete() const { return is_complete_; }
  std::optional<ConceptId> goal() const { return pair_.to; }

 private:
  // A step to a name or, with `expands`, all steps from a reached name.
  struct Step {
    StatementId statement = 0;
    ConceptId to = 0;
    std::optional<std::uint32_t> from = {};  // index in `proved`; none: the first name
    std::uint32_t depth = 1;                 // steps of the path
    double cost = 0;                         // of the path to the name, if `expands`
    bool expands = false;
    ProofFeatures features{};
  };

  std::span<const Hop> hops_of(ConceptId name) const { return memory_.hops().from(name); }

  void push(const Step& step, double cost) {
    claim_.cover((steps_.size() + 1) * (sizeof(Step) + sizeof(Waiting) + sizeof(ProofForest::Step)));
    waiting_.emplace(cost, static_cast<std::uint32_t>(steps_.size()));
    steps_.push_back(step);
  }

  void expand(const Step& at_name) {
    const ConceptId name = at_name.to;
    const auto hops = hops_of(name);
    constexpr std::size_t hops_a_unit = 4;  // chosen: reading a hop costs less than reading a statement
    forest_.work += 1 + hops.size() / hops_a_unit;
    charge(32 * (1 + hops.size()));
    for (const Hop& hop : hops) {
      if (hop.to == pair_.from || !is_believed(hop.statement)) continue;
      if (std::ranges::binary_search(without_, hop.statement)) continue;
      Step step{.statement = hop.statement, .to = hop.to, .from = at_name.from, .depth = at_name.depth};
      step.features = scorer_.features(hop.statement, ProofMove::association);
      const bool has_direction = hop.kind != StepKind::similarity && hop.kind != StepKind::other;
      if (has_direction && hop.back != is_backwards_) at(step.features, ProofFeature::backwards) = 1;
      if (states_question(hop)) at(step.features, ProofFeature::asked) = 1;
      if (at_name.from) scorer_.add_hub(step.features, name);
      if (step.to != pair_.to) scorer_.add_nearness(step.features, step.to);
      scorer_.add_link(step.features, name, step.to);
      push(step, at_name.cost + scorer_.cost(step.features));
    }
  }

  bool is_believed(StatementId e) const {
    return memory_.evidence(static_cast<Index>(e)) > 0 && memory_.expectation(static_cast<Index>(e)) >= 0.5;
  }

  bool states_question(const Hop& hop) const {
    return pair_.kind != StepKind::other && hop.kind == pair_.kind && hop.back == pair_.back &&
           (hop.kind != StepKind::relation || !pair_.relation || hop.relation == *pair_.relation);
  }

  const ProofScorer& scorer_;
  const MemoryIndex& memory_;
  NamePair pair_;
  std::span<const StatementId> without_;
  const ProofSearchOptions& options_;
  ProofForest& forest_;
  bool is_backwards_;  // whether it goes from the second name of the question to the first
  bool is_complete_ = false;
  GrowingReservation claim_;
  std::map<ConceptId, std::uint32_t> reached_;
  std::vector<Step> steps_;
  using Waiting = std::pair<double, std::uint32_t>;  // cost, place in steps_
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
};

}  // namespace

std::vector<NamePair> name_pairs(const MemoryIndex& memory, const Cue& cue) {
  if (const auto pair = pair_of_statement(memory, cue)) return {*pair};
  constexpr std::size_t most_ends = 4;  // chosen: pairs grow with the square
  std::vector<QuestionEnd> ends = question_ends(memory, cue);
  const auto mentions = [&](const QuestionEnd& end) {
    return memory.mentions(static_cast<Index>(end.id)).size();
  };
  std::ranges::sort(ends, [&](const QuestionEnd& a, const QuestionEnd& b) {
    if (mentions(a) != mentions(b)) return mentions(a) < mentions(b);
    return narsese::compare(memory.term(a.id), memory.term(b.id)) < 0;
  });
  ends.resize(std::min(ends.size(), most_ends));
  std::vector<NamePair> pairs;
  for (std::size_t i = 0; i < ends.size(); ++i)
    for (std::size_t j = i + 1; j < ends.size(); ++j) pairs.push_back({ends[i].id, ends[j].id});
  if (ends.size() == 1) pairs.push_back({ends.front().id});
  return pairs;
}

ProofForest search_associations(const ProofScorer& scorer, std::span<const NamePair> pairs,
                                std::span<const StatementId> without, std::optional<ConceptId> answer,
                                const ProofSearchOptions& options) {
  ProofForest forest;
  forest.is_complete = true;
  ProofSearchOptions limited = options;  // each pair gets an equal share of the work
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const NamePair& pair = pairs[i];
    limited.work = options.work / pairs.size() * (i + 1);
    PathSearch search(scorer, pair, without, limited, forest);
    const auto& reached = search.run();
    forest.is_complete = forest.is_complete && search.is_complete();
    for (const auto& [name, place] : reached) {
      if (!pair.to || name == search.goal()) forest.answers.push_back(place);
      if (answer == name) forest.known_answer = place;
    }
  }
  std::ranges::sort(forest.answers, {},
                    [&](std::uint32_t place) { return std::pair(forest.proved[place].cost, place); });
  return forest;
}

}  // namespace engram::core
