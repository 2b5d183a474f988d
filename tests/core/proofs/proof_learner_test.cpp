// SPDX-License-Identifier: MIT
#include "core/proofs/proof_learner.hpp"

#include <Eigen/Dense>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/core/proofs/proof_samples.hpp"

namespace engram::core {
namespace {

// Random classes, and similarities between them, with the question whether t0 is a t3. Each is a memory of its own.
struct Kinds {
  Memory memory;
  std::optional<MemoryIndex> readings;
  ProofExample example;

  explicit Kinds(Rng& rng) {
    const auto name = [](std::uint64_t i) { return "t" + std::to_string(i); };
    std::vector<std::string> lines{"<t0 --> t1>.",        "<t1 --> t2>.",           "<t2 --> t3>.",
                                   "<t0 <-> t4>.",        "<t4 --> t2>. %0.8;0.9%", "<t1 <-> t5>. %1;0.7%",
                                   "<t5 --> t3>. %1;0.4%"};
    for (int i = 0; i < 10; ++i) {
      const auto a = rng.below(7), b = rng.below(7);
      const std::string between = i % 2 == 0 ? " <-> " : " --> ";
      const bool is_answer = (a == 0 && b == 3) || (a == 3 && b == 0);
      if (a != b && !is_answer) lines.push_back("<" + name(a) + between + name(b) + ">. %1;0.8%");
    }
    for (const std::string& line : lines) samples::say(memory, line);
    readings.emplace(memory);
    example.memory = &*readings;
    example.asked = samples::asked(memory, *readings, "<t0 --> t3>");
    example.proofs = {{0, 1, 2}};
  }
};

std::vector<std::unique_ptr<Kinds>> kinds(const char* stream, int count) {
  Rng rng(31, stream);
  std::vector<std::unique_ptr<Kinds>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Kinds>(rng));
  return all;
}

auto likelihood_of(const ProofExample& example, const ProofWeights& theta) {
  return LearntProofs(example, theta, {}).likelihood(theta);
}

const std::vector<StatementId> selected{0, 1, 2, 3, 4, 5, 6};

auto failure_of(const ProofExample& example, double reliability, const ProofWeights& theta) {
  return LearntProofs(example, theta, {}).failure_likelihood(selected, reliability, theta);
}

double mean_log_p(const std::vector<std::unique_ptr<Kinds>>& all, const ProofWeights& theta) {
  double sum = 0;
  for (const auto& one : all) sum += likelihood_of(one->example, theta)->log_p;
  return sum / static_cast<double>(all.size());
}

}  // namespace

TEST_CASE("a step uses the inverse of the prior precision and the gradients so far", "[core][proofs]") {
  constexpr Index n = static_cast<Index>(proof_features);
  constexpr double precision = 0.7;
  ProofLearner learner(plain_proof_weights, {.precision = precision, .reliability = 0.5});
  Eigen::MatrixXd information = Eigen::MatrixXd::Identity(n, n) * precision;
  Eigen::VectorXd theta = vector_of(plain_proof_weights);
  std::uint64_t count = 0;
  for (const auto& one : kinds("steps", 12)) {
    const ProofWeights at = proof_weights_of(theta);
    const bool fails = count % 3 == 2;
    const auto told = fails ? failure_of(one->example, 0.5, at) : likelihood_of(one->example, at);
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

TEST_CASE("unseen proofs become likelier, and a precise prior or a frozen weight is kept", "[core][proofs]") {
  const auto seen = kinds("seen", 12), unseen = kinds("unseen", 12);
  ProofLearner learner(plain_proof_weights, {.frozen = {ProofFeature::similarity}}),
      sure(plain_proof_weights, {.precision = 1e6});
  for (const auto& one : seen) {
    REQUIRE(learner.answered(one->example, {}));
    REQUIRE(sure.answered(one->example, {}));
  }
  CHECK(mean_log_p(unseen, learner.weights()) > mean_log_p(unseen, plain_proof_weights) + 0.2);
  CHECK(at(learner.weights(), ProofFeature::similarity) == at(plain_proof_weights, ProofFeature::similarity));
  CHECK(at(learner.weights(), ProofFeature::counterevidence) !=
        at(plain_proof_weights, ProofFeature::counterevidence));
  for (std::size_t f = 0; f < proof_features; ++f)
    CHECK(std::abs(sure.weights()[f] - plain_proof_weights[f]) < 1e-3);
  CHECK(learner.state().start == plain_proof_weights);

  // Statements that were selected and did not suffice become less likely.
  const ProofExample& example = unseen[0]->example;
  const double before = failure_of(example, 0.9, learner.weights())->log_p;
  REQUIRE(learner.failed(example, selected, {}));
  CHECK(failure_of(example, 0.9, learner.weights())->log_p > before);
  ProofExample useless = example;
  useless.proofs = {{3}};
  const ProofLearnerState state = learner.state();
  CHECK_FALSE(learner.answered(useless, {}));
  CHECK_FALSE(learner.failed(useless, {1, 2}, {}));
  CHECK(learner.state() == state);
}

TEST_CASE("a learner continues from its state to the same bits, and rejects states that are none",
          "[core][proofs]") {
  const auto questions = kinds("goes on", 8);
  ProofLearner through(plain_proof_weights);
  for (const auto& one : questions) through.answered(one->example, {});
  ProofLearner half(plain_proof_weights);
  for (std::size_t i = 0; i < 4; ++i) half.answered(questions[i]->example, {});
  ProofLearner rest(half.state());
  for (std::size_t i = 4; i < 8; ++i) rest.answered(questions[i]->example, {});
  CHECK(rest.state() == through.state());

  const auto refused = [&](auto change) {
    ProofLearnerState state = through.state();
    change(state);
    try {
      const ProofLearner learner(state);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  CHECK(refused([](auto&) {}).empty());
  CHECK(refused([](auto& state) { state.covariance.pop_back(); }) ==
        "there must be 78 covariances, found 77");
  CHECK(refused([](auto& state) { state.covariance[0] = -1; }) == "variances must be 0 or above, found -1");
  CHECK(refused([](auto& state) {
          state.covariance[1] = std::numeric_limits<double>::quiet_NaN();
        }).starts_with("covariances must be in [-1e6, 1e6], found "));
  CHECK(refused([](auto& state) { state.weights[3] = 31; }) == "weights must be in [-30, 30], found 31");
  CHECK(refused([](auto& state) { state.start[3] = -31; }) == "weights must be in [-30, 30], found -31");
  CHECK_THROWS_AS(ProofLearner(plain_proof_weights, {.precision = 0}), std::invalid_argument);
}

}  // namespace engram::core
