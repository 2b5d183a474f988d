// SPDX-License-Identifier: MIT
#include "core/proofs/trained_hopfield.hpp"

#include <memory>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/index/hops.hpp"
#include "core/methods/method.hpp"
#include "core/proofs/proof_methods.hpp"
#include "tests/core/proofs/proof_samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Random people with mothers, fathers and friends, and some other statements; the question asks for a grandmother.
struct Household : ProofWorld {
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
    read(lines);
    const auto id = [&](const char* text) { return concept_of(memory, text); };
    example.query.pairs = {{id("p0"), id("p2"), StepKind::relation, id("grandmother")}};
    example.query.question.without = {5};
  }
};

auto households(const char* stream, int count) { return proof_worlds<Household>(31, stream, count); }

auto likelihood_of(const ProofExample& example, const HopfieldMaps& maps, int steps) {
  return TrainedHopfield(*example.memory, example.query.pairs.front(), example.query.question.without)
      .likelihood(example.proofs, maps, steps);
}

HopfieldMaps random_maps(Rng& rng) {
  HopfieldMaps maps;
  for (double& x : maps) x = uniform(rng, -1, 3);
  return maps;
}

// The parameters for which `gradient` differs from central differences.
std::vector<std::size_t> wrong_in(const HopfieldMaps& gradient, const ProofExample& example,
                                  HopfieldMaps maps, int steps) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < hopfield_maps; ++i) {
    const double expected = slope(maps[i], [&] { return likelihood_of(example, maps, steps)->log_p; });
    if (!(std::abs(gradient[i] - expected) <= 1e-6 * std::max(1.0, std::abs(gradient[i]))))
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

TEST_CASE("with equal maps it is the modern Hopfield network with the question as a field", "[proofs]") {
  Memory memory = told({"<(*,a,b) --> r>.", "<(*,b,c) --> s>.", "<a --> d>.", "<d --> c>.", "<e --> d>.",
                        // There are no rules, because a name can have two roles in a rule.
                        "<(*,e,c) --> r>.", "<(*,f,g) --> r>."});
  const MemoryIndex index(memory);
  const auto id = [&](const char* text) { return concept_of(memory, text); };
  const NamePair question{id("a"), id("c"), StepKind::relation, id("r")};
  Vector cue = Vector::Zero(index.concepts());
  for (const char* name : {"a", "c", "r"}) cue[id(name)] = 1;
  for (const double beta : {0.5, 8.0})
    for (const int steps : {1, 2, 5}) {
      const ModernHopfieldOptions options{.beta = beta, .max_steps = steps, .every_step = true};
      const Vector expected = recall_modern(index.keys(), cue, options, cue).weights;
      const Vector found = TrainedHopfield(index, question).recall(plain_hopfield_maps(beta), steps);
      CHECK((found - expected).lpNorm<Eigen::Infinity>() < 1e-12);
    }
}

TEST_CASE("the gradient of a proof's likelihood equals finite differences for every map", "[proofs]") {
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
  // The gradient is 0 only for maps to roles that no name of the question has.
  CHECK(std::ranges::count(matters, true) > 20);
}

TEST_CASE("the gradient check detects a wrong sign in each map", "[proofs]") {
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

TEST_CASE("the likelihood of a proof is the mean log p of its statements, and the best proof counts",
          "[proofs]") {
  Rng rng(34, "trained_hopfield_test");
  const auto all = households("likeliest", 1);
  ProofExample example = all.front()->example;
  const HopfieldMaps maps = random_maps(rng);
  const TrainedHopfield network(*example.memory, example.query.pairs.front(), example.query.question.without);
  const Vector p = network.recall(maps, 3);
  CHECK(std::abs(p.sum() - 1) < 1e-12);
  CHECK(p[5] == 0);  // excluded by `without`
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
  CHECK_INVALID(network.recall(maps, 0));
}

TEST_CASE("training of maps makes unseen proofs likelier, to the same bits for each number of threads",
          "[proofs]") {
  const auto learnt = households("learnt", 12), held = households("held out", 6),
             other = households("other", 12);
  const auto examples = examples_of(learnt), held_out = examples_of(held), unseen = examples_of(other);
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
  // The retrieval method with these maps gives the same scores.
  Household& household = *other.front();
  const MemoryIndex& index = *household.index;
  const ConfiguredMethod method("trained_hopfield", options_of(maps, 3));
  const Cue cue = cue_for(household.memory, term(household.memory, "<(*,p0,p2) --> grandmother>"));
  CHECK(method.recall(index, cue).statements ==
        TrainedHopfield(index, household.example.query.pairs.front()).recall(maps, 3));
}

TEST_CASE("a question from its second name gives the same recall", "[proofs]") {
  const auto all = households("turned", 1);
  const ProofExample& example = all.front()->example;
  Rng rng(35, "trained_hopfield_test");
  const HopfieldMaps maps = random_maps(rng);
  NamePair turned = example.query.pairs.front();
  std::swap(turned.from, *turned.to);
  turned.back = !turned.back;
  CHECK(TrainedHopfield(*example.memory, turned).recall(maps, 3) ==
        TrainedHopfield(*example.memory, example.query.pairs.front()).recall(maps, 3));
}

}  // namespace engram::core
