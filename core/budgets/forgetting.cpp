// SPDX-License-Identifier: MIT
#include "core/budgets/forgetting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "core/budgets/nars_budgets.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {
namespace {

using narsese::Sentence;

constexpr std::uint64_t forgetting_seed = 1;

// log2 of x >= 1, exact at powers of two and linear in between.
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
          log2_in_lines(1.0 + node.activity + node.judged),
          log2_in_lines(1.0 + static_cast<double>(memory.graph().links_of(id).size()))};
}

LearntWorth::Features features_of(const Memory& memory, StatementId e, double of_its_concepts) {
  return {log2_in_lines(1.0 + static_cast<double>(memory.now() - memory.statements().updated(e))),
          log2_in_lines(1.0 + static_cast<double>(memory.statements().times(e))), of_its_concepts};
}

// A random active concept that is not in `than`; nothing if several draws find none.
std::optional<ConceptId> another(const Memory& memory, std::span<const ConceptId> than, Rng& rng) {
  constexpr int tries = 8;
  for (int i = 0; i < tries; ++i) {
    const auto id = static_cast<ConceptId>(rng.below(memory.graph().size()));
    if (memory.graph().was_active(id) && !std::ranges::binary_search(than, id)) return id;
  }
  return {};
}

// The `count` statements of the largest worth, in any order; the lower number among equals.
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

void LearntWorth::learn(const Features& recurred, const Features& other) {
  constexpr double rate = 0.25, least_square = 1e-8;  // chosen on streams whose seeds no test or page uses
  const double unforeseen = 1 / (1 + exp(of(recurred) - of(other)));
  for (std::size_t k = 1; k < features; ++k) {
    const double gradient = unforeseen * (recurred[k] - other[k]);
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
  Rng rng(forgetting_seed, "forgetting", memory.now());
  const ConceptId id = active[rng.below(active.size())];
  if (const auto other = memory.graph().was_active(id) ? another(memory, active, rng) : std::nullopt)
    of_concepts.learn(features_of(memory, id), features_of(memory, *other));

  const std::optional<StatementId> known = memory.find(next);
  const auto other = static_cast<StatementId>(rng.below(memory.statements().size()));
  if (!known || other == *known) return;
  const auto worth_of_concepts = [&](StatementId e) {
    double sum = 0;
    const auto active_in_e = memory.statements().active(e);
    for (const ConceptId i : active_in_e) sum += of_concepts.of(features_of(memory, i));
    return active_in_e.empty() ? 0.0 : sum / static_cast<double>(active_in_e.size());
  };
  of_statements.learn(features_of(memory, *known, worth_of_concepts(*known)),
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
  require(options.share > 0 && options.share <= 1, "the share to forget at a time must be in (0, 1]",
          options.share);
  require(options.least_evidence >= 0 && std::isfinite(options.least_evidence),
          "the least evidence must be finite and at least 0", options.least_evidence);
}

bool Forgetting::is_due(const Memory& memory) const {
  constexpr std::uint64_t few = 1000;  // chosen
  return is_on() && memory.graph().decay() > 0 &&
         memory.now() - std::min(memory.now(), state_.so_far.last) >= std::max(few, state_.so_far.left);
}

std::vector<double> Forgetting::worths(const Memory& memory) const {
  if (options_.policy == ForgettingPolicy::learnt) return state_.budgets.worths(memory);
  const Statements& statements = memory.statements();
  Rng rng(forgetting_seed, "forgetting at random", memory.now());
  std::vector<double> worths(statements.size());
  for (StatementId e = 0; e < worths.size(); ++e) {
    const auto last = static_cast<double>(statements.updated(e));
    switch (options_.policy) {
      case ForgettingPolicy::recent:
        worths[e] = last;
        break;
      case ForgettingPolicy::frequent:  // the fraction orders equal counts by recency
        worths[e] = static_cast<double>(statements.times(e)) + last / static_cast<double>(memory.now() + 1);
        break;
      case ForgettingPolicy::useful:
        worths[e] = ona::usefulness(statements.times(e), static_cast<std::int64_t>(memory.now()),
                                    static_cast<std::int64_t>(statements.updated(e)));
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
  const Statements& statements = memory.statements();
  const HebbianLinks links = memory.graph().hebbian_links();
  Kept kept{std::vector<bool>(statements.size(), false), std::vector<bool>(links.size(), false)};
  std::vector<StatementId> lasting;
  for (StatementId e = 0; e < statements.size(); ++e)
    if (memory.evidence(e) >= options_.least_evidence) lasting.push_back(e);
  std::vector<std::uint32_t> judged;  // links
  std::size_t faded = 0;
  for (std::uint32_t k = 0; k < links.size(); ++k) {
    const double evidence = memory.graph().judged_evidence(k, memory.now());
    if (evidence >= options_.least_evidence)
      judged.push_back(k);
    else
      faded += static_cast<std::size_t>(evidence > 0);
  }

  // Removing decayed evidence may free enough.
  const auto left_of = [&](std::size_t all) {
    return all -
           std::min(all, static_cast<std::size_t>(std::ceil(options_.share * static_cast<double>(all))));
  };
  if (reason != ForgettingReason::decayed && lasting.size() > left_of(statements.size()))
    lasting = most_worth(std::move(lasting), worths(memory), left_of(statements.size()));
  const std::size_t judged_in_all = judged.size() + faded;
  if (reason != ForgettingReason::decayed && judged.size() > left_of(judged_in_all)) {
    // Of judgements about links, forget the oldest.
    std::ranges::stable_sort(judged, std::greater(), [&](std::uint32_t k) { return links[k].updated; });
    judged.resize(left_of(judged_in_all));
  }
  if (lasting.size() == statements.size() && judged.size() == judged_in_all) return {};
  for (const StatementId e : lasting) kept.statements[e] = true;
  for (const std::uint32_t k : judged) kept.links[k] = true;
  return kept;
}

void Forgetting::record(ForgettingEvent event) {
  ForgettingHistory& so_far = state_.so_far;
  ++so_far.times[static_cast<std::size_t>(event.reason)];
  so_far.statements += event.statements;
  so_far.concepts += event.concepts;
  so_far.links += event.links;
  so_far.recent.push_back(std::move(event));
  if (so_far.recent.size() > ForgettingHistory::most_recent) so_far.recent.pop_front();
}

}  // namespace engram::core
