// SPDX-License-Identifier: MIT
#include "experiments/inputs/event_stream.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

void push(core::SparseRows& rows, const std::vector<std::uint32_t>& columns) {
  rows.push_row(columns, std::vector<double>(columns.size(), 1.0));
}

// Number of distractors; 0 if `distraction` is 0.
std::size_t distractors(const StoryOptions& options) {
  return options.distraction > 0 ? options.distractors : 0;
}

// Draws distinct sets of `active` out of `concepts` concepts, each ascending.
std::vector<std::vector<std::uint32_t>> draw_sets(const StoryOptions& options, core::Rng& rng) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (int attempt = 0; attempt < 100'000 && sets.size() < options.situations; ++attempt) {
    auto set = rng.permutation(static_cast<std::uint32_t>(options.concepts));
    set.resize(options.active);
    std::ranges::sort(set);
    if (std::ranges::find(sets, set) == sets.end()) sets.push_back(std::move(set));
  }
  core::require(sets.size() == options.situations, "too few concepts for the number of situations");
  return sets;
}

// Row z: mean distribution over the concepts of an episode in situation z.
Matrix mean_episodes(const StoryOptions& options, const std::vector<std::vector<std::uint32_t>>& sets) {
  const auto m = static_cast<double>(options.active), noise = static_cast<double>(distractors(options));
  Matrix mean = Matrix::Zero(static_cast<Index>(sets.size()),
                             static_cast<Index>(options.concepts + distractors(options)));
  for (Index z = 0; z < mean.rows(); ++z) {
    for (const std::uint32_t id : sets[static_cast<std::size_t>(z)])
      mean(z, id) = (1 - options.distraction) / m + options.distraction / (m + 1);
    for (Index id = static_cast<Index>(options.concepts); id < mean.cols(); ++id)
      mean(z, id) = options.distraction / (m + 1) / noise;
  }
  return mean;
}

// Row z: distribution of the episode that follows situation z, which is the sum over z' of P(z' | z) times the mean
// episode of situation z'.
Matrix following_episodes(const Matrix& mean, double jump) {
  const Index count = mean.rows();
  Matrix truth = Matrix::Zero(count, mean.cols());
  for (Index z = 0; z < count; ++z) {
    truth.row(z) = (1 - jump) * mean.row((z + 1) % count);
    for (Index other = 0; other < count; ++other)
      truth.row(z) += jump / static_cast<double>(count) * mean.row(other);
  }
  return truth;
}

// Mean entropy of the rows, in nats. All rows have equal weight: transitions are doubly stochastic, so in the long run
// all situations are equally frequent.
double mean_entropy(const Matrix& rows) {
  Vector entropy = Vector::Zero(rows.rows());
  for (Index z = 0; z < rows.rows(); ++z)
    for (const double p : rows.row(z))
      if (p > 0) entropy[z] -= p * core::log(p);
  return core::sum(entropy) / static_cast<double>(rows.rows());
}

}  // namespace

bool read_story(SpecObject& reader, std::string_view name, StoryOptions& story) {
  return reader.part(name, [&](SpecObject& inner) {
    inner.count("episodes", story.episodes, 20'000);
    inner.count("situations", story.situations, 1000);
    inner.count("concepts", story.concepts, 1000);
    inner.count("active", story.active, 64);
    inner.count("distractors", story.distractors, 1000);
    inner.number("distraction", story.distraction, 0, 1);
    inner.number("jump", story.jump, 0, 1);
    double sets = story.active <= story.concepts ? 1 : 0;  // number of possible sets: binomial coefficient
    for (std::size_t i = 0; i < story.active && sets < 1e9; ++i)
      sets = sets * static_cast<double>(story.concepts - i) / static_cast<double>(i + 1);
    if (sets < static_cast<double>(story.situations))
      throw SpecError(inner.at("situations"), "must be at most the number of sets of " +
                                                  std::to_string(story.active) + " out of " +
                                                  std::to_string(story.concepts) + " concepts, found " +
                                                  std::to_string(story.situations));
  });
}

EventStream event_stream(const Corpus& corpus) {
  const core::Memory& memory = corpus.session->memory();
  std::vector<std::vector<core::ConceptId>> background, episodes;
  for (const narsese::Sentence& sentence : corpus.said) {
    auto active = memory.known_concepts(sentence.term);
    if (active.empty()) continue;
    if (sentence.tense.kind != narsese::Tense::Kind::eternal)
      episodes.push_back(std::move(active));
    else if (episodes.empty())
      background.push_back(std::move(active));
  }
  std::vector<core::ConceptId> ids;
  for (const auto* list : {&background, &episodes})
    for (const auto& active : *list) ids.insert(ids.end(), active.begin(), active.end());
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());

  EventStream stream;
  stream.name = corpus.name;
  stream.episodes = stream.background = core::SparseRows(static_cast<Index>(ids.size()));
  for (const core::ConceptId id : ids) stream.concepts.push_back(narsese::print(memory.graph()[id].term));
  const auto add = [&](core::SparseRows& rows, std::vector<core::ConceptId> active) {
    for (core::ConceptId& id : active)
      id = static_cast<core::ConceptId>(std::ranges::lower_bound(ids, id) - ids.begin());
    push(rows, active);
  };
  for (auto& active : background) add(stream.background, std::move(active));
  for (auto& active : episodes) add(stream.episodes, std::move(active));
  return stream;
}

EventStream generate_stream(const StoryOptions& options, std::uint64_t seed) {
  core::require(options.situations > 0 && options.active > 0 && options.active <= options.concepts,
                "a situation needs between one and all of the concepts");
  core::require(
      options.distraction >= 0 && options.distraction <= 1 && options.jump >= 0 && options.jump <= 1,
      "chances must be in [0, 1]");
  core::require(options.distraction == 0 || options.distractors > 0,
                "distractors must be at least 1 unless distraction is 0");
  EventStream stream;
  stream.name = "generated";
  for (std::size_t i = 0; i < options.concepts; ++i) stream.concepts.push_back("c" + std::to_string(i + 1));
  for (std::size_t i = 0; i < distractors(options); ++i)
    stream.concepts.push_back("d" + std::to_string(i + 1));
  core::Rng structure(seed, "prediction sets"), rng(seed, "prediction stream");
  stream.sets = draw_sets(options, structure);
  const Matrix mean = mean_episodes(options, stream.sets);
  stream.truth = following_episodes(mean, options.jump);
  stream.floor = mean_entropy(stream.truth);

  stream.episodes = stream.background = core::SparseRows(static_cast<Index>(stream.concepts.size()));
  std::size_t situation = rng.below(options.situations);
  for (std::size_t t = 0; t < options.episodes; ++t) {
    auto active = stream.sets[situation];
    if (rng.uniform() < options.distraction)
      active.push_back(static_cast<std::uint32_t>(options.concepts + rng.below(options.distractors)));
    push(stream.episodes, active);
    stream.situation.push_back(situation);
    situation =
        rng.uniform() < options.jump ? rng.below(options.situations) : (situation + 1) % options.situations;
  }
  return stream;
}

}  // namespace engram::experiments
