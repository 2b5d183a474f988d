// SPDX-License-Identifier: MIT
#include "core/paths/path_attention.hpp"

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/numbers/numeric.hpp"
#include "core/retrieval/concept_embedding.hpp"

namespace engram::core {
namespace {

using Steps = std::vector<std::pair<ConceptId, Pass>>;

Steps steps_of(const PathLattice::Way& way) {
  Steps steps;
  for (const PathLattice::Step* step : way.steps) steps.emplace_back(step->from, step->pass);
  return steps;
}

bool are_same(const Steps& a, const Steps& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.statement == y.second.statement && x.second.to == y.second.to;
  });
}

std::vector<Pass> passes_of(const PathLattice::Way& way) {
  std::vector<Pass> steps;
  for (const PathLattice::Step* step : way.steps) steps.push_back(step->pass);
  return steps;
}

// What a lattice comes to with derivations; shares are amounts still.
struct Amounts {
  double total = 0;
  boost::container::flat_map<StatementId, double> of;
  PathWeights features{};
  std::vector<PathGuess> guesses;
};

class Attending {
 public:
  Attending(const Readings& memory, const RelationRules& rules, const PathQuestion& question,
            const PathWeights& theta, const PathAttentionOptions& options, const PathStatements& statements)
      : memory_(memory),
        rules_(rules),
        scorer_(memory, rules, question, embedding_of(memory, theta, options)),
        theta_(theta),
        options_(options),
        statements_(statements) {}

  Amounts from(bool from_end) const {
    const PathLattice lattice(memory_, memory_.passes(), scorer_, theta_, options_.paths, from_end,
                              statements_);
    Amounts amounts;
    amounts.total = lattice.total();
    if (!(lattice.total() > 0)) return amounts;
    for (const auto& [e, share] : lattice.marginals())  // ascending
      amounts.of.emplace_hint(amounts.of.end(), e, share * lattice.total());
    if (options_.features) {
      const PathWeights expected = lattice.expected_features();
      for (std::size_t f = 0; f < path_features; ++f) amounts.features[f] = expected[f] * lattice.total();
    }
    for (const PathLattice::Way& way : lattice.best(options_.ways)) add(way, amounts);
    if (!statements_.kept.empty()) add_kept(from_end, amounts);
    return amounts;
  }

 private:
  static std::shared_ptr<const Embedding> embedding_of(const Readings& memory, const PathWeights& theta,
                                                       const PathAttentionOptions& options) {
    const auto first = theta.begin() + static_cast<std::ptrdiff_t>(PathFeature::embedding_1);
    const bool counts =
        options.features || std::any_of(first, first + embedding_bands, [](double x) { return x != 0; });
    const bool is_told = options.embedding.kind != EmbeddingKind::incidence;
    return counts && is_told ? embedded(memory, options.embedding) : nullptr;
  }

  // Of a path alone the lattice knows.
  void add(const PathLattice::Way& way, Amounts& amounts) const {
    const double t = options_.paths.temperature;
    const std::vector<Pass> steps = passes_of(way);
    const Derivations derived = derivations(memory_.passes(), rules_, scorer_.question(), steps,
                                            exp(at(theta_, PathFeature::rule_use) / t), statements_);
    const double more = way.weight * exp(at(theta_, PathFeature::derived) / t) * derived.total;
    PathGuess& guess = amounts.guesses.emplace_back();
    guess.steps = steps_of(way);
    guess.used = derived.best;
    guess.is_derived = derived.total > 0;
    guess.share = way.weight + more;
    if (options_.map.map != SimplexMap::softmax) add_uses(derived, more / guess.share, guess);
    if (options_.features) add_features(way, 1, guess.features);
    if (options_.features && guess.is_derived) {
      at(guess.features, PathFeature::derived) = 1;
      at(guess.features, PathFeature::rule_use) = static_cast<double>(guess.used.size());
    }
    if (!(more > 0)) return;
    amounts.total += more;
    for (const Pass& step : steps) amounts.of[step.statement] += more;
    for (const auto& [e, times] : derived.used) amounts.of[e] += more * times;
    if (!options_.features) return;
    add_features(way, more, amounts.features);
    at(amounts.features, PathFeature::derived) += more;
    at(amounts.features, PathFeature::rule_use) += more * derived.uses;
  }

  static void add_uses(const Derivations& derived, double share, PathGuess& guess) {
    std::map<StatementId, double> uses;
    for (const auto& [from, step] : guess.steps) uses[step.statement] += 1;
    for (const auto& [e, times] : derived.used) uses[e] += share * times;
    guess.uses.assign(uses.begin(), uses.end());
  }

  // All these paths are in the lattice, if not among its best.
  void add_kept(bool from_end, Amounts& amounts) const {
    const PathStatements alone{statements_.kept, statements_.without, {}};
    const PathLattice lattice(memory_, memory_.passes(), scorer_, theta_, options_.paths, from_end, alone);
    for (const PathLattice::Way& way : lattice.best(options_.ways)) {
      const auto steps = steps_of(way);
      if (std::ranges::none_of(amounts.guesses,
                               [&](const PathGuess& known) { return are_same(known.steps, steps); }))
        add(way, amounts);
    }
  }

  void add_features(const PathLattice::Way& way, double amount, PathWeights& features) const {
    const auto add = [&](PathFeature f, double x) { at(features, f) += amount * x; };
    scorer_.first(way.steps.front()->pass, add);
    scorer_.last(way.steps.back()->pass, add);
    for (std::size_t i = 0; i < way.steps.size(); ++i) {
      scorer_.step(way.steps[i]->pass, way.steps[i]->from, add);
      if (i > 0) scorer_.joint(way.steps[i - 1]->pass, way.steps[i]->from, way.steps[i]->pass, add);
    }
  }

  const Readings& memory_;
  const RelationRules& rules_;
  PathScorer scorer_;
  const PathWeights& theta_;
  const PathAttentionOptions& options_;
  const PathStatements& statements_;
};

bool is_hub(const Readings& memory, ConceptId id) { return memory.mentions(id).size() > most_left_by; }

// Puts the larger share first; of those alike but for the order in which they were added up, by their terms,
// which are the same whatever was said first.
void sort_by_share(const Readings& memory, std::vector<PathGuess>& guesses) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < guesses.size(); ++i)
    order.emplace_back(std::round(log(guesses[i].share) * 1e9), i);
  const auto before = [&](const auto& x, const auto& y) {
    return narsese::compare(memory.statement_term(x.second.statement),
                            memory.statement_term(y.second.statement)) < 0;
  };
  std::ranges::sort(order, [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    return std::ranges::lexicographical_compare(guesses[a.second].steps, guesses[b.second].steps, before);
  });
  std::vector<PathGuess> sorted;
  sorted.reserve(guesses.size());
  for (const auto& [share, i] : order) sorted.push_back(std::move(guesses[i]));
  guesses = std::move(sorted);
}

}  // namespace

std::vector<StatementId> PathGuess::statements() const {
  std::set<StatementId> all(used.begin(), used.end());
  for (const auto& [from, step] : steps) all.insert(step.statement);
  return {all.begin(), all.end()};
}

PathAttention::PathAttention(const Readings& memory, const RelationRules& rules, const PathQuestion& question,
                             const PathWeights& theta, const PathAttentionOptions& options,
                             const PathStatements& statements) {
  const Attending attending(memory, rules, question, theta, options, statements);
  const bool has_two_ends = question.to && !statements.only;
  const bool from_start = !has_two_ends || !is_hub(memory, question.from) || is_hub(memory, *question.to);
  const bool from_end = has_two_ends && (!is_hub(memory, *question.to) || is_hub(memory, question.from));
  Amounts best = attending.from(!from_start);
  if (from_start && from_end) {
    Amounts other = attending.from(true);
    if (other.total > best.total) std::swap(best, other);
    // Paths weigh the same from either end: what one lattice has lost the other may hold.
    for (PathGuess& guess : other.guesses)
      if (std::ranges::none_of(best.guesses,
                               [&](const PathGuess& known) { return are_same(known.steps, guess.steps); }))
        best.guesses.push_back(std::move(guess));
  }
  total_ = best.total;
  if (!(total_ > 0)) return;
  guesses_ = std::move(best.guesses);
  for (PathGuess& guess : guesses_) {
    guess.share /= total_;
    guess.certainty = options.certainty.*GuessCertainty::of(guess.is_derived, question.to.has_value());
  }
  sort_by_share(memory, guesses_);
  for (const auto& [e, amount] : best.of) marginals_.emplace_back(e, amount / total_);
  for (std::size_t f = 0; f < path_features; ++f) expected_[f] = best.features[f] / total_;
  if (options.map.map != SimplexMap::softmax && !guesses_.empty()) share_by(options.map);
}

void PathAttention::share_by(const Regulariser& map) {
  Vector scores(static_cast<Index>(guesses_.size()));
  constexpr double least = std::numeric_limits<double>::min();  // 0 has no logarithm
  for (std::size_t i = 0; i < guesses_.size(); ++i)
    scores[static_cast<Index>(i)] = log(std::max(least, guesses_[i].share));
  const Vector weights = apply(map.at_most(scores.size()), scores);
  double sum = 0;
  for (const double weight : weights) sum += weight;  // of a budget k
  std::map<StatementId, double> marginals;
  for (std::size_t i = 0; i < guesses_.size(); ++i) {
    guesses_[i].share = weights[static_cast<Index>(i)] / sum;
    if (guesses_[i].share > 0)
      for (const auto& [e, times] : guesses_[i].uses) marginals[e] += guesses_[i].share * times;
  }
  std::erase_if(guesses_, [](const PathGuess& guess) { return !(guess.share > 0); });
  marginals_.assign(marginals.begin(), marginals.end());
}

std::vector<std::pair<StatementId, double>> budgets(const PathAttention& attention) {
  constexpr double least = 1e-300;  // chosen: what is given has some
  boost::container::flat_map<StatementId, double> found;
  double rest = 1;
  for (const PathGuess& guess : attention.guesses()) {
    for (const StatementId e : guess.statements()) found.try_emplace(e, rest);
    rest = std::max(least, rest * (1 - guess.certainty));
  }
  for (const auto& [e, share] : attention.marginals())
    found.try_emplace(e, std::max(least, rest * std::min(1.0, share)));
  return {found.begin(), found.end()};
}

}  // namespace engram::core
