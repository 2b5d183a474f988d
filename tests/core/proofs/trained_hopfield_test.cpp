// SPDX-License-Identifier: MIT
#include "core/proofs/trained_hopfield.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/methods/methods.hpp"
#include "core/methods/trained_hopfield.hpp"
#include "core/retrieval/name_places.hpp"
#include "tests/core/proofs/proof_samples.hpp"

namespace engram::core {
namespace {

// People with mothers, fathers and friends, drawn, some of them denied or of a kind; a grandmother is asked for.
struct Household {
  Memory memory;
  std::optional<MemoryIndex> readings;
  ProofExample example;

  explicit Household(Rng& rng) {
    const auto name = [](std::uint64_t i) { return "p" + std::to_string(i); };
    std::vector<std::string> lines{
        "<(*,p0,p1) --> mother>.",
        "<(*,p1,p2) --> father>.",
        "<(<($1 * #2) --> mother> && <(#2 * $3) --> father>) ==> <($1 * $3) --> grandmother>>.",
        "<(<($1 * #2) --> father> && <(#2 * $3) --> mother>) ==> <($1 * $3) --> grandfather>>.",
        "<(*,p0,p2) --> grandmother>. %0;0.9%",
        "<p1 --> person>. %1;0.4%",
        "<(&&,p3,p4,p1) --> near>."};
    for (int i = 0; i < 24; ++i) {
      const char* const relations[] = {"mother", "father", "friend"};
      const auto a = rng.below(8), b = rng.below(8);
      if (a != b)
        lines.push_back("<(*," + name(a) + "," + name(b) + ") --> " + relations[rng.below(3)] + ">.");
    }
    for (const std::string& line : lines) samples::say(memory, line);
    const auto id = [&](const char* text) { return samples::concept_of(memory, text); };
    example.asked.pairs = {{id("p0"), id("p2"), StepKind::relation, id("grandmother")}};
    readings.emplace(memory);
    example.memory = &*readings;
    example.proofs = {{0, 1, 2}};
    example.asked.question.without = {5};
  }
};

std::vector<std::unique_ptr<Household>> households(const char* stream, int count) {
  Rng rng(31, stream);
  std::vector<std::unique_ptr<Household>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Household>(rng));
  return all;
}

std::vector<ProofExample> examples_in(const std::vector<std::unique_ptr<Household>>& all) {
  std::vector<ProofExample> examples;
  for (const auto& household : all) examples.push_back(household->example);
  return examples;
}

auto likelihood_of(const ProofExample& example, const HopfieldMaps& maps, int steps) {
  return TrainedHopfield(*example.memory, example.asked.pairs.front(), example.asked.question.without)
      .likelihood(example.proofs, maps, steps);
}

HopfieldMaps random_maps(Rng& rng) {
  HopfieldMaps maps;
  for (double& x : maps) x = samples::uniform(rng, -1, 3);
  return maps;
}

// The parameters at which `gradient` is not what central differences give.
std::vector<std::size_t> wrong_in(const HopfieldMaps& gradient, const ProofExample& example,
                                  HopfieldMaps maps, int steps) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < hopfield_maps; ++i) {
    const double h = 1e-5, at = maps[i];
    maps[i] = at + h;
    const double up = likelihood_of(example, maps, steps)->log_p;
    maps[i] = at - h;
    const double down = likelihood_of(example, maps, steps)->log_p;
    maps[i] = at;
    if (!(std::abs(gradient[i] - (up - down) / (2 * h)) <= 1e-6 * std::max(1.0, std::abs(gradient[i]))))
      wrong.push_back(i);
  }
  return wrong;
}

double mean_log_share(const std::vector<ProofExample>& examples, const HopfieldMaps& maps, int steps) {
  double total = 0;
  for (const ProofExample& example : examples) total += likelihood_of(example, maps, steps)->log_p;
  return total / static_cast<double>(examples.size());
}

}  // namespace

TEST_CASE("keys are split by the places of names, as they stand", "[core][proofs]") {
  Memory memory;
  for (const char* line :
       {"<(*,a,b) --> r>.", "<{c} --> [d]>.",
        "<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> s>>.", "<(&&,a,b,c) --> d>."})
    samples::say(memory, line);
  const MemoryIndex readings(memory);
  const PlacedKeys& placed = readings.placed();
  const auto entry = [&](StatementId e, NamePlace place, const char* name) {
    const auto column = static_cast<std::uint32_t>(place) * static_cast<std::uint32_t>(readings.concepts()) +
                        samples::concept_of(memory, name);
    const auto columns = placed.keys.columns_of(e);
    const auto at = std::ranges::find(columns, column);
    return at == columns.end() ? 0.0
                               : placed.keys.values_of(e)[static_cast<std::size_t>(at - columns.begin())];
  };
  const auto key = [&](StatementId e, const char* name) {
    const auto columns = readings.keys().columns_of(e);
    const auto at = std::ranges::find(columns, samples::concept_of(memory, name));
    REQUIRE(at != columns.end());
    return readings.keys().values_of(e)[static_cast<std::size_t>(at - columns.begin())];
  };
  CHECK(entry(0, NamePlace::first, "a") == key(0, "a"));
  CHECK(entry(0, NamePlace::second, "b") == key(0, "b"));
  CHECK(entry(0, NamePlace::relation, "r") == key(0, "r"));
  CHECK(entry(1, NamePlace::first, "c") == key(1, "c"));
  CHECK(entry(1, NamePlace::second, "d") == key(1, "d"));
  CHECK(entry(2, NamePlace::conclusion, "s") == key(2, "s"));
  CHECK(entry(2, NamePlace::other, "s") == key(2, "s"));  // of a premise, too
  CHECK(entry(2, NamePlace::other, "r") == key(2, "r"));
  CHECK(entry(2, NamePlace::conclusion, "r") == 0);
  for (const char* name : {"a", "b", "c", "d"}) CHECK(entry(3, NamePlace::other, name) == key(3, name));
  CHECK(placed.keys.columns_of(0).size() == 3);
  CHECK(placed.keys.columns_of(2).size() == 3);
  CHECK(placed.kinds[0] == StepKind::relation);
  CHECK(placed.kinds[1] == StepKind::inheritance);
  CHECK(placed.kinds[2] == StepKind::other);
}

TEST_CASE("with every name alike it is the modern Hopfield network with the question as a field",
          "[core][proofs]") {
  Memory memory;  // no rule: in one, a name may stand in two places
  for (const char* line : {"<(*,a,b) --> r>.", "<(*,b,c) --> s>.", "<a --> d>.", "<d --> c>.", "<e --> d>.",
                           "<(*,e,c) --> r>.", "<(*,f,g) --> r>."})
    samples::say(memory, line);
  const MemoryIndex readings(memory);
  const auto id = [&](const char* text) { return samples::concept_of(memory, text); };
  const NamePair question{id("a"), id("c"), StepKind::relation, id("r")};
  Vector cue = Vector::Zero(readings.concepts());
  for (const char* name : {"a", "c", "r"}) cue[id(name)] = 1;
  for (const double beta : {0.5, 8.0})
    for (const int steps : {1, 2, 5}) {
      ModernHopfieldOptions options;
      options.beta = beta;
      options.max_steps = steps;
      options.every_step = true;
      const Vector expected = recall_modern(readings.keys(), cue, options, cue).weights;
      const Vector found = TrainedHopfield(readings, question).recall(plain_hopfield_maps(beta), steps);
      CHECK((found - expected).lpNorm<Eigen::Infinity>() < 1e-12);
    }
}

TEST_CASE("the gradient of a proof's likelihood is that of finite differences, on every map",
          "[core][proofs]") {
  Rng rng(32, "trained_hopfield_test");
  std::array<bool, hopfield_maps> matters{};
  for (const auto& household : households("gradient", 4))
    for (const int steps : {1, 2, 4}) {
      const HopfieldMaps maps = random_maps(rng);
      const auto found = likelihood_of(household->example, maps, steps);
      REQUIRE(found);
      CHECK(found->log_p < 0);
      CHECK(wrong_in(found->gradient, household->example, maps, steps).empty());
      for (std::size_t i = 0; i < hopfield_maps; ++i)
        matters[i] = matters[i] || std::abs(found->gradient[i]) > 1e-4;
    }
  // Every map but those to places where no such name stands.
  CHECK(std::ranges::count(matters, true) > 20);
}

TEST_CASE("a wrong sign in a gradient is seen, in whichever map it is", "[core][proofs]") {
  Rng rng(33, "trained_hopfield_test");
  const auto all = households("planted", 1);
  const ProofExample& example = all.front()->example;
  const HopfieldMaps maps = random_maps(rng);
  const HopfieldMaps gradient = likelihood_of(example, maps, 3)->gradient;
  std::size_t planted = 0;
  for (std::size_t i = 0; i < hopfield_maps; ++i) {
    if (std::abs(gradient[i]) < 1e-4) continue;
    HopfieldMaps wrong = gradient;
    wrong[i] = -wrong[i];
    CHECK(wrong_in(wrong, example, maps, 3) == std::vector<std::size_t>{i});
    ++planted;
  }
  CHECK(planted > 20);
}

TEST_CASE("how likely a proof is is the mean of its statements' log p, of several the likeliest",
          "[core][proofs]") {
  Rng rng(34, "trained_hopfield_test");
  const auto all = households("likeliest", 1);
  ProofExample example = all.front()->example;
  const HopfieldMaps maps = random_maps(rng);
  const TrainedHopfield network(*example.memory, example.asked.pairs.front(), example.asked.question.without);
  const Vector p = network.recall(maps, 3);
  CHECK(std::abs(p.sum() - 1) < 1e-12);
  CHECK(p[5] == 0);  // left out
  const auto mean = [&](const std::vector<StatementId>& proof) {
    double total = 0;
    for (const StatementId e : proof) total += std::log(p[e]);
    return total / static_cast<double>(proof.size());
  };
  example.proofs = {{0, 1, 2}, {3, 6}, {4}};
  const double most = std::max({mean({0, 1, 2}), mean({3, 6}), mean({4})});
  CHECK(network.likelihood(example.proofs, maps, 3)->log_p == Approx(most));
  example.proofs = {{0, 5}, {}};
  CHECK_FALSE(network.likelihood(example.proofs, maps, 3));
  CHECK_THROWS_AS(network.recall(maps, 0), std::invalid_argument);
}

TEST_CASE(
    "training makes proofs likely that it has not seen, the same for each number of threads, too, of maps",
    "[core][proofs]") {
  const auto learnt = households("learnt", 12), held = households("held out", 6),
             other = households("other", 12);
  const auto examples = examples_in(learnt), held_out = examples_in(held), unseen = examples_in(other);
  HopfieldTrainingOptions options;
  options.steps = 3;
  options.descent.max_epochs = 60;
  options.descent.adam.learning_rate = 0.3;
  const HopfieldMaps start = plain_hopfield_maps();
  const Training training = train_hopfield(start, examples, held_out, options);
  const HopfieldMaps maps = hopfield_maps_of(training.parameters);
  CHECK(training.best_epoch > 5);
  CHECK(mean_log_share(unseen, maps, 3) > mean_log_share(unseen, start, 3) + 0.5);
  CHECK(training.validation_loss[static_cast<std::size_t>(training.best_epoch)] ==
        Approx(-mean_log_share(held_out, maps, 3)));
  options.threads = 3;
  CHECK(hopfield_maps_of(train_hopfield(start, examples, held_out, options).parameters) == maps);
  // As a method's options it gives the same scores.
  Household& household = *other.front();
  const MemoryIndex& readings = *household.readings;
  const auto retriever = make_retriever(*find_method("trained_hopfield"), options_of(maps, 3));
  const Cue cue = cue_for(household.memory, samples::term(household.memory, "<(*,p0,p2) --> grandmother>"));
  CHECK(retriever(readings, cue).statements ==
        TrainedHopfield(readings, household.example.asked.pairs.front()).recall(maps, 3));
}

TEST_CASE("a question asked from its second name is the same question turned", "[core][proofs]") {
  const auto all = households("turned", 1);
  const ProofExample& example = all.front()->example;
  Rng rng(35, "trained_hopfield_test");
  const HopfieldMaps maps = random_maps(rng);
  NamePair turned = example.asked.pairs.front();
  std::swap(turned.from, *turned.to);
  turned.back = !turned.back;
  CHECK(TrainedHopfield(*example.memory, turned).recall(maps, 3) ==
        TrainedHopfield(*example.memory, example.asked.pairs.front()).recall(maps, 3));
}

}  // namespace engram::core
