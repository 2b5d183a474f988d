// SPDX-License-Identifier: MIT
#include "core/paths/path_learner.hpp"

#include <Eigen/Dense>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/core/paths/path_samples.hpp"

namespace engram::core {
namespace {

// Kinds of things, and relations between them, drawn; it is asked whether t0 is a t3. Each is a memory of its own.
struct Kinds {
  Memory memory;
  std::optional<Readings> readings;
  std::optional<RelationRules> rules;
  PathExample example;

  explicit Kinds(Rng& rng) {
    const auto name = [](std::uint64_t i) { return "t" + std::to_string(i); };
    std::vector<std::string> lines{"<t0 --> t1>.", "<t1 --> t2>.", "<t2 --> t3>."};
    for (int i = 0; i < 16; ++i) {
      const auto a = rng.below(7), b = rng.below(7);
      if (a == b) continue;
      const std::string between = i % 4 == 0 ? " <-> " : " --> ";
      lines.push_back(i % 2 == 0 ? "<" + name(a) + between + name(b) + ">."
                                 : "<(*," + name(a) + "," + name(b) + ") --> beside>.");
    }
    for (const std::string& line : lines) samples::say(memory, line);
    example.question = {samples::concept_of(memory, "t0"),
                        samples::concept_of(memory, "t3"),
                        {StepKind::inheritance, 0, false},
                        true};
    readings.emplace(memory);
    rules.emplace(*readings);
    example.memory = &*readings;
    example.rules = &*rules;
    example.proofs = {{0, 1, 2}};
  }
};

std::vector<std::unique_ptr<Kinds>> kinds(const char* stream, int count) {
  Rng rng(31, stream);
  std::vector<std::unique_ptr<Kinds>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Kinds>(rng));
  return all;
}

double mean_log_p(const std::vector<std::unique_ptr<Kinds>>& all, const PathWeights& theta) {
  double sum = 0;
  for (const auto& one : all) sum += path_likelihood(one->example, theta, {})->log_p;
  return sum / static_cast<double>(all.size());
}

const std::vector<StatementId> selected{0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

TEST_CASE(
    "how likely a question fails is one less what its statements hold, and its gradient that of finite "
    "differences",
    "[core][paths]") {
  PathAttentionOptions options;
  options.paths.width = 100000;
  options.paths.steps = 4;
  options.ways = 0;
  Rng rng(32, "path_learner_test");
  int others = 0;
  for (const auto& one : kinds("failure", 6)) {
    PathWeights theta = samples::random_path_weights(rng);
    const auto found = failure_likelihood(one->example, selected, 0.8, theta, options);
    REQUIRE(found);
    // The share of a proof that all of the given statements are is what they hold.
    PathExample as_proof = one->example;
    as_proof.proofs = {selected};
    const double share = std::exp(path_likelihood(as_proof, theta, options)->log_p);
    CHECK(found->log_p == Approx(std::log(1 - 0.8 * share)));
    others += samples::check_gradient(theta, found->gradient, [&] {
      return failure_likelihood(one->example, selected, 0.8, theta, options)->log_p;
    });
  }
  CHECK(others > 20);
  const auto one = kinds("failure", 1);
  CHECK_FALSE(failure_likelihood(one[0]->example, {1, 2}, 0.8, shipped_path_weights, {}));
}

TEST_CASE("a step is that of the inverse of what was known and what the question tells", "[core][paths]") {
  constexpr Index n = static_cast<Index>(path_features);
  constexpr double precision = 0.7;
  PathLearner learner(plain_path_weights, {.precision = precision, .reliability = 0.5});
  Eigen::MatrixXd information = Eigen::MatrixXd::Identity(n, n) * precision;
  Eigen::VectorXd theta = vector_of(plain_path_weights);
  std::uint64_t count = 0;
  for (const auto& one : kinds("steps", 12)) {
    const PathWeights at = path_weights_in(theta);
    const bool fails = count % 3 == 2;
    const auto told = fails ? failure_likelihood(one->example, selected, 0.5, at, {})
                            : path_likelihood(one->example, at, {});
    const Eigen::VectorXd g = vector_of(told->gradient);
    information += g * g.transpose();
    theta += information.inverse() * g;
    REQUIRE((fails ? learner.failed(one->example, selected, {}) : learner.answered(one->example, {})));
    ++count;
    for (Index f = 0; f < n; ++f)
      CHECK(learner.weights()[static_cast<std::size_t>(f)] == Approx(theta[f]).epsilon(1e-9).margin(1e-9));
  }
  CHECK(learner.state().answered == 8);
  CHECK(learner.state().failed == 4);
  const Eigen::MatrixXd covariance = information.inverse();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j)
      CHECK(learner.state().covariance[static_cast<std::size_t>(i * (i + 1) / 2 + j)] ==
            Approx(covariance(i, j)).epsilon(1e-9).margin(1e-9));
}

TEST_CASE("proofs become likelier that were not seen, and what the learner came with is kept",
          "[core][paths]") {
  const auto seen = kinds("seen", 12), unseen = kinds("unseen", 12);
  PathLearner learner(plain_path_weights, {.frozen = {PathFeature::inheritance_back}}),
      sure(plain_path_weights, {.precision = 1e6});
  for (const auto& one : seen) {
    REQUIRE(learner.answered(one->example, {}));
    REQUIRE(sure.answered(one->example, {}));
  }
  CHECK(mean_log_p(unseen, learner.weights()) > mean_log_p(unseen, plain_path_weights) + 0.2);
  CHECK(at(learner.weights(), PathFeature::inheritance_back) ==
        at(plain_path_weights, PathFeature::inheritance_back));
  CHECK(at(learner.weights(), PathFeature::inheritance_on) !=
        at(plain_path_weights, PathFeature::inheritance_on));
  for (std::size_t f = 0; f < path_features; ++f)
    CHECK(std::abs(sure.weights()[f] - plain_path_weights[f]) < 1e-3);
  CHECK(learner.state().start == plain_path_weights);

  // What was given and was no use is likely no longer.
  const PathExample& example = unseen[0]->example;
  const double before = failure_likelihood(example, selected, 0.9, learner.weights(), {})->log_p;
  REQUIRE(learner.failed(example, selected, {}));
  CHECK(failure_likelihood(example, selected, 0.9, learner.weights(), {})->log_p > before);
  PathExample useless = example;
  useless.proofs = {{3}};
  const PathLearnerState state = learner.state();
  CHECK_FALSE(learner.answered(useless, {}));
  CHECK_FALSE(learner.failed(useless, {1, 2}, {}));
  CHECK(learner.state() == state);
}

TEST_CASE("a learner goes on from its state to the same bits; what is no state is refused", "[core][paths]") {
  const auto questions = kinds("goes on", 8);
  PathLearner through(shipped_path_weights);
  for (const auto& one : questions) through.answered(one->example, {});
  PathLearner half(shipped_path_weights);
  for (std::size_t i = 0; i < 4; ++i) half.answered(questions[i]->example, {});
  PathLearner rest(half.state());
  for (std::size_t i = 4; i < 8; ++i) rest.answered(questions[i]->example, {});
  CHECK(rest.state() == through.state());

  const auto refused = [&](auto change) {
    PathLearnerState state = through.state();
    change(state);
    try {
      const PathLearner learner(state);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  CHECK(refused([](auto&) {}).empty());
  CHECK(refused([](auto& state) { state.covariance.pop_back(); }) ==
        "there must be 406 covariances, found 405");
  CHECK(refused([](auto& state) { state.covariance[0] = -1; }) == "variances must be 0 or above, found -1");
  CHECK(refused([](auto& state) {
          state.covariance[1] = std::numeric_limits<double>::quiet_NaN();
        }).starts_with("covariances must be in [-1e6, 1e6], found "));
  CHECK(refused([](auto& state) { state.weights[3] = 31; }) == "weights must be in [-30, 30], found 31");
  CHECK(refused([](auto& state) { state.start[3] = -31; }) == "weights must be in [-30, 30], found -31");
  CHECK_THROWS_AS(PathLearner(shipped_path_weights, {.precision = 0}), std::invalid_argument);
}

}  // namespace engram::core
