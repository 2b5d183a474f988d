// SPDX-License-Identifier: MIT
#include "experiments/inputs/concept_uses.hpp"

#include <algorithm>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"

namespace engram::experiments {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

// Weights of the ranks 1, 2, ...: rank r has weight r^-exponent.
Vector zipf_weights(const ZipfOptions& options) {
  Vector weights(static_cast<Index>(options.concepts));
  for (Index r = 0; r < weights.size(); ++r)
    weights[r] = core::exp(-options.exponent * core::log(static_cast<double>(r + 1)));
  return weights;
}

// Probability that the concept of each rank occurs in an episode: 1 - exp(-x w) for weight w. The factor x is chosen so
// that the probabilities add up to `active`. This models concepts that arrive at random times until `active` distinct
// ones have arrived.
Vector inclusion_chances(const Vector& weights, double active) {
  double least = 0, most = 1;
  const auto chances = [&](double x) {
    Vector p(weights.size());
    for (Index r = 0; r < p.size(); ++r) p[r] = -core::expm1(-x * weights[r]);
    return p;
  };
  while (core::sum(chances(most)) < active && most < 1e12) most *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = (least + most) / 2;
    (core::sum(chances(middle)) < active ? least : most) = middle;
  }
  return chances(most);
}

// Classes of ranks with nearly equal probabilities. `chance` is the mean probability in each class, `share` the share
// of all ranks that belong to the class.
struct RankClasses {
  std::vector<double> chance, share;
};

RankClasses rank_classes(const Vector& chances) {
  RankClasses classes;
  const Index n = chances.size();
  for (Index first = 0; first < n;) {
    const Index width = std::min(std::max<Index>(1, first / 8), n - first);
    classes.chance.push_back(core::sum(core::as_span(chances).subspan(static_cast<std::size_t>(first),
                                                                      static_cast<std::size_t>(width))) /
                             static_cast<double>(width));
    classes.share.push_back(static_cast<double>(width) / static_cast<double>(n));
    first += width;
  }
  return classes;
}

// Bayesian filter: the expected probability of each concept after each episode, from the generator and the past
// episodes. It multiplies the probability of each rank class by the likelihood of the episode. `drift` is the
// probability that a swap then gives the concept a random rank.
Foresight filtered_by_law(const ConceptUses& uses, const RankClasses& classes, double drift) {
  const std::size_t count = classes.chance.size();
  std::vector<std::vector<double>> belief(uses.concepts, classes.share);
  Foresight law{Matrix(static_cast<Index>(uses.episodes.size()), static_cast<Index>(uses.concepts)), {}};
  for (std::size_t t = 0; t < uses.episodes.size(); ++t) {
    law.state.push_back(t);
    for (std::size_t i = 0; i < uses.concepts; ++i) {
      const bool used = std::ranges::binary_search(uses.episodes[t], static_cast<std::uint32_t>(i));
      std::vector<double>& b = belief[i];
      for (std::size_t c = 0; c < count; ++c) b[c] *= used ? classes.chance[c] : 1 - classes.chance[c];
      const double all = core::sum(b);
      for (std::size_t c = 0; c < count; ++c) b[c] = (1 - drift) * b[c] / all + drift * classes.share[c];
      law.wanted(static_cast<Index>(t), static_cast<Index>(i)) = core::dot(b, classes.chance);
    }
  }
  return law;
}

// Row z: probability of each concept in an episode of situation z.
Matrix situation_chances(const EventStream& stream, const StoryOptions& options) {
  Matrix chances = Matrix::Zero(static_cast<Index>(stream.sets.size()), stream.episodes.columns());
  chances.rightCols(chances.cols() - static_cast<Index>(options.concepts))
      .setConstant(options.distraction / static_cast<double>(options.distractors));
  for (Index z = 0; z < chances.rows(); ++z)
    for (const std::uint32_t id : stream.sets[static_cast<std::size_t>(z)]) chances(z, id) = 1;
  return chances;
}

// Expectation of g^n for each situation z and each concept, where g is `discount` and n the number of episodes after z
// until the concept is active. Solves v_z = g sum over z' of P(z' | z) (a_z' + (1 - a_z') v_z') by iteration, where a_z
// is the probability that the concept is active in situation z.
Matrix discounted_wait(const Matrix& chances, double jump, double discount) {
  Matrix wait = Matrix::Zero(chances.rows(), chances.cols());
  const Index count = chances.rows();
  double change = 1;
  while (change > 1e-9) {
    const Matrix here = (chances.array() + (1 - chances.array()) * wait.array()).matrix();
    const Vector mean =
        core::multiply_transposed(here, Vector::Constant(count, 1 / static_cast<double>(count)));
    Matrix next(count, chances.cols());
    for (Index z = 0; z < count; ++z)
      next.row(z) = discount * ((1 - jump) * here.row((z + 1) % count) + jump * mean.transpose());
    change = (next - wait).cwiseAbs().maxCoeff();
    wait = std::move(next);
  }
  return wait;
}

}  // namespace

ConceptUses uses_of(const Corpus& corpus, bool events) {
  const core::Memory& memory = corpus.session->memory();
  ConceptUses uses{corpus.name + (events ? ", events" : ""), false, 0, {}, {}, {}};
  std::vector<core::ConceptId> ids;
  for (const narsese::Sentence& sentence : corpus.said) {
    if (events && sentence.tense.kind == narsese::Tense::Kind::eternal) continue;
    auto active = memory.known_concepts(sentence.term);
    if (active.empty()) continue;
    ids.insert(ids.end(), active.begin(), active.end());
    uses.episodes.push_back(std::move(active));
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (auto& episode : uses.episodes)
    for (core::ConceptId& id : episode)
      id = static_cast<core::ConceptId>(std::ranges::lower_bound(ids, id) - ids.begin());
  uses.concepts = ids.size();
  return uses;
}

ConceptUses zipf_uses(const ZipfOptions& options, std::uint64_t seed) {
  core::require(options.active >= 1 && options.active <= options.concepts,
                "an episode needs between one and all of the concepts");
  core::Rng rng(seed, "zipf uses");
  const auto n = static_cast<std::uint32_t>(options.concepts);
  const Vector weights = zipf_weights(options);
  std::vector<double> up_to(options.concepts);  // cumulative weights of the ranks
  double all = 0;
  for (std::size_t r = 0; r < options.concepts; ++r) up_to[r] = all += weights[static_cast<Index>(r)];
  std::vector<std::uint32_t> of_rank = rng.permutation(n);

  ConceptUses uses{"zipf", true, options.concepts, {}, {}, {}};
  Foresight chances{Matrix(static_cast<Index>(options.episodes), static_cast<Index>(n)), {}};
  for (std::size_t t = 0; t < options.episodes; ++t) {
    std::vector<std::uint32_t> episode;
    while (episode.size() < options.active) {
      const auto place = std::ranges::lower_bound(up_to, rng.uniform() * all);
      const std::uint32_t id = of_rank[std::min<std::size_t>(static_cast<std::size_t>(place - up_to.begin()),
                                                             options.concepts - 1)];
      if (std::ranges::find(episode, id) == episode.end()) episode.push_back(id);
    }
    std::ranges::sort(episode);
    uses.episodes.push_back(std::move(episode));
    for (double left = options.swaps; left > 0; --left)
      if (left >= 1 || rng.uniform() < left) std::swap(of_rank[rng.below(n)], of_rank[rng.below(n)]);
    for (std::size_t r = 0; r < options.concepts; ++r)
      chances.wanted(static_cast<Index>(t), of_rank[r]) = weights[static_cast<Index>(r)];
    chances.state.push_back(t);
  }
  uses.chances.push_back(std::move(chances));
  const double drift = std::min(1.0, 2 * options.swaps / static_cast<double>(n));
  uses.law.push_back(filtered_by_law(
      uses, rank_classes(inclusion_chances(weights, static_cast<double>(options.active))), drift));
  return uses;
}

ConceptUses story_uses(const StoryOptions& options, std::uint64_t seed) {
  const EventStream stream = generate_stream(options, seed);
  ConceptUses uses{"story", true, stream.concepts.size(), {}, {}, {}};
  for (Index t = 0; t < stream.episodes.rows(); ++t) {
    const auto active = stream.episodes.columns_of(t);
    uses.episodes.emplace_back(active.begin(), active.end());
  }
  const Matrix chances = situation_chances(stream, options);
  for (const double discount : {0.5, 0.8, 0.9, 0.95, 0.98})
    uses.chances.push_back({discounted_wait(chances, options.jump, discount), stream.situation});
  return uses;
}

}  // namespace engram::experiments
