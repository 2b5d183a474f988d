// SPDX-License-Identifier: MIT
#include "core/budgets/forgetting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "core/budgets/ona_control.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {
namespace {

using narsese::Sentence;

constexpr std::uint64_t lots = 1;  // the seed of all lots: a policy has no other chance

// log2 of x >= 1 where that is whole, and straight lines between.
double log2_in_lines(double x) {
  constexpr int mantissa_bits = 52, bias = 1023;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto fraction = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  return static_cast<double>(static_cast<int>(bits >> mantissa_bits) - bias) +
         static_cast<double>(fraction) * 0x1p-52;
}

LearntWorth::Features features_of(const Memory& memory, ConceptId id) {
  const Concept node = memory.graph()[id];
  return {log2_in_lines(1.0 + static_cast<double>(memory.now() - node.updated)),
          log2_in_lines(1.0 + node.activity + node.told),
          log2_in_lines(1.0 + static_cast<double>(memory.graph().links_of(id).size()))};
}

LearntWorth::Features features_of(const Memory& memory, StatementId e, double of_its_concepts) {
  return {log2_in_lines(1.0 + static_cast<double>(memory.now() - memory.statements().updated(e))),
          log2_in_lines(1.0 + static_cast<double>(memory.statements().times(e))), of_its_concepts};
}

// Any other that holds activation, by lot; nothing where none is found soon.
std::optional<ConceptId> another(const Memory& memory, std::span<const ConceptId> than, Rng& rng) {
  constexpr int tries = 8;
  for (int i = 0; i < tries; ++i) {
    const auto id = static_cast<ConceptId>(rng.below(memory.graph().size()));
    if (memory.graph().was_active(id) && !std::ranges::binary_search(than, id)) return id;
  }
  return {};
}

// The numbers that are worth most, in any order; of as much worth the lower ones.
std::vector<StatementId> most_worth(std::vector<StatementId> ids, const std::vector<double>& worths,
                                    std::size_t count) {
  const auto before = [&](StatementId a, StatementId b) {
    return worths[a] != worths[b] ? worths[a] > worths[b] : a < b;
  };
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, ids.size()));
  if (end != ids.end()) std::ranges::nth_element(ids, end, before);
  ids.erase(end, ids.end());
  return ids;
}

}  // namespace

double LearntWorth::of(const Features& x) const {
  double worth = 0;
  for (std::size_t k = 0; k < features; ++k) worth += weights[k] * x[k];
  return worth;
}

void LearntWorth::learn(const Features& came_up, const Features& other) {
  constexpr double rate = 0.25, least_square = 1e-8;  // chosen, on streams of other seeds than those told of
  const double unforeseen = 1 / (1 + exp(of(came_up) - of(other)));
  for (std::size_t k = 1; k < features; ++k) {
    const double gradient = unforeseen * (came_up[k] - other[k]);
    squares[k] += gradient * gradient;
    weights[k] += rate * gradient / std::sqrt(squares[k] + least_square);
  }
}

StatementBudgets::StatementBudgets() {
  of_concepts.weights = {-1, 0, 0};
  of_statements.weights = {-1, 0, 1};
}

void StatementBudgets::learn(const Memory& memory, const Sentence& next) {
  if (memory.now() % every != 0 || memory.statements().empty()) return;
  const std::vector<ConceptId> active = memory.known_concepts(next.term);
  if (active.empty()) return;
  Rng rng(lots, "forgetting", memory.now());
  const ConceptId id = active[rng.below(active.size())];
  if (const auto other = memory.graph().was_active(id) ? another(memory, active, rng) : std::nullopt)
    of_concepts.learn(features_of(memory, id), features_of(memory, *other));

  const std::optional<StatementId> said = memory.find(next);
  const auto other = static_cast<StatementId>(rng.below(memory.statements().size()));
  if (!said || other == *said) return;
  const auto worth_of_concepts = [&](StatementId e) {
    double sum = 0;
    const auto its = memory.statements().active(e);
    for (const ConceptId i : its) sum += of_concepts.of(features_of(memory, i));
    return its.empty() ? 0.0 : sum / static_cast<double>(its.size());
  };
  of_statements.learn(features_of(memory, *said, worth_of_concepts(*said)),
                      features_of(memory, other, worth_of_concepts(other)));
  double& of_mean = of_statements.weights[mean_of_concepts];
  of_mean = std::max(of_mean, 0.0);
}

std::vector<double> StatementBudgets::worths(const Memory& memory) const {
  std::vector<double> of_concept(memory.graph().size());
  for (ConceptId id = 0; id < of_concept.size(); ++id)
    if (memory.graph().was_active(id)) of_concept[id] = of_concepts.of(features_of(memory, id));
  std::vector<double> worths(memory.statements().size());
  for (StatementId e = 0; e < worths.size(); ++e) {
    double sum = 0;
    const auto active = memory.statements().active(e);
    for (const ConceptId i : active) sum += of_concept[i];
    const double mean = active.empty() ? 0 : sum / static_cast<double>(active.size());
    worths[e] = of_statements.of(features_of(memory, e, mean));
  }
  return worths;
}

Forgetting::Forgetting(ForgettingOptions options) : options_(options) {
  require(options.share > 0 && options.share <= 1, "the share that is forgotten at a time must be in (0, 1]",
          options.share);
  require(options.least_evidence >= 0 && std::isfinite(options.least_evidence),
          "the least evidence must be finite and not negative", options.least_evidence);
}

bool Forgetting::is_due(const Memory& memory) const {
  constexpr std::uint64_t few = 1000;  // chosen
  return is_on() && memory.graph().decay() > 0 &&
         memory.now() - std::min(memory.now(), state_.so_far.last) >= std::max(few, state_.so_far.left);
}

std::vector<double> Forgetting::worths(const Memory& memory) const {
  if (options_.policy == ForgettingPolicy::learnt) return state_.budgets.worths(memory);
  const Statements& said = memory.statements();
  Rng rng(lots, "forgetting at random", memory.now());
  std::vector<double> worths(said.size());
  for (StatementId e = 0; e < worths.size(); ++e) {
    const auto last = static_cast<double>(said.updated(e));
    switch (options_.policy) {
      case ForgettingPolicy::recent:
        worths[e] = last;
        break;
      case ForgettingPolicy::frequent:  // whole numbers, and below 1 how lately
        worths[e] = static_cast<double>(said.times(e)) + last / static_cast<double>(memory.now() + 1);
        break;
      case ForgettingPolicy::useful:
        worths[e] = ona::usefulness(said.times(e), static_cast<ona::Cycle>(memory.now()),
                                    static_cast<ona::Cycle>(said.updated(e)));
        break;
      case ForgettingPolicy::evidence:
        worths[e] = memory.evidence(e);
        break;
      case ForgettingPolicy::random:
        worths[e] = rng.uniform();
        break;
      case ForgettingPolicy::none:
      case ForgettingPolicy::learnt:
        break;
    }
  }
  return worths;
}

std::optional<Kept> Forgetting::choose(const Memory& memory, ForgettingReason reason) const {
  const Statements& said = memory.statements();
  const HebbianLinks links = memory.graph().hebbian_links();
  Kept kept{std::vector<bool>(said.size(), false), std::vector<bool>(links.size(), false)};
  std::vector<StatementId> lasting;
  for (StatementId e = 0; e < said.size(); ++e)
    if (memory.evidence(e) >= options_.least_evidence) lasting.push_back(e);
  std::vector<std::uint32_t> told;
  std::size_t faded = 0;
  for (std::uint32_t k = 0; k < links.size(); ++k) {
    const double evidence = memory.graph().told_evidence(k, memory.now());
    if (evidence >= options_.least_evidence)
      told.push_back(k);
    else
      faded += static_cast<std::size_t>(evidence > 0);
  }

  // Of a full memory what has decayed away is perhaps enough.
  const auto left_of = [&](std::size_t all) {
    return all -
           std::min(all, static_cast<std::size_t>(std::ceil(options_.share * static_cast<double>(all))));
  };
  if (reason != ForgettingReason::decayed && lasting.size() > left_of(said.size()))
    lasting = most_worth(std::move(lasting), worths(memory), left_of(said.size()));
  const std::size_t told_in_all = told.size() + faded;
  if (reason != ForgettingReason::decayed && told.size() > left_of(told_in_all)) {
    // What was told of links goes as it was told: what is oldest first.
    std::ranges::stable_sort(told, std::greater(), [&](std::uint32_t k) { return links[k].updated; });
    told.resize(left_of(told_in_all));
  }
  if (lasting.size() == said.size() && told.size() == told_in_all) return {};
  for (const StatementId e : lasting) kept.statements[e] = true;
  for (const std::uint32_t k : told) kept.links[k] = true;
  return kept;
}

void Forgetting::note(ForgettingEvent event) {
  ForgottenSoFar& so_far = state_.so_far;
  ++so_far.times[static_cast<std::size_t>(event.reason)];
  so_far.statements += event.statements;
  so_far.concepts += event.concepts;
  so_far.links += event.links;
  so_far.recent.push_back(std::move(event));
  if (so_far.recent.size() > ForgottenSoFar::most_recent) so_far.recent.pop_front();
}

}  // namespace engram::core
