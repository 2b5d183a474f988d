// SPDX-License-Identifier: MIT
#include "core/attention/attention_model.hpp"

#include "core/numbers/optimiser.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Random episodes of one to three concepts out of n.
SparseRows random_episodes(Rng& rng, Index count, Index n) {
  Matrix a = Matrix::Zero(count, n);
  for (Index t = 0; t < count; ++t)
    for (std::uint64_t k = 0; k <= rng.below(3); ++k) a(t, below(rng, n)) = 1;
  return sparse(a);
}

Vector predicted_next(const AttentionModel& model, const SparseRows& episodes) {
  return model.predict(episodes, {episodes.rows(), episodes.rows() + 1}).row(0).transpose();
}

AttentionModel random_model(Rng& rng, Index n, Index d, const Regulariser& map) {
  const AttentionModelOptions options{.regulariser = map, .temperature = 0.8};
  AttentionModel model(unit_rows(rng, n, d), options);
  Vector parameters = model.parameters();
  parameters += 0.3 * normal_vector(rng, parameters.size());
  model.set_parameters(parameters);
  return model;
}

// Reference implementation of the scores before each target, without recursion.
struct Reference {
  std::vector<Vector> scores;
  double temperature = 0;
};

Reference reference(const Matrix& x, const Vector& parameters, const SparseRows& episodes,
                    EpisodeRange targets) {
  const Index d = x.cols();
  const Matrix query_map = Matrix::Map(parameters.data(), d, d);
  const Matrix key_map = Matrix::Map(parameters.data() + d * d, d, d);
  const Vector bias = parameters.segment(2 * d * d, d);
  const double gamma = 1 / (1 + std::exp(-parameters[2 * d * d + d + 1]));
  const double range = std::log(1e4);
  Reference result{{}, std::exp(range * std::tanh(parameters[2 * d * d + d] / range))};
  for (Index target = targets.first; target < targets.last; ++target) {
    Vector context = Vector::Zero(d);
    double weights = 0;
    for (Index t = 0; t < target; ++t) {
      const double weight = std::pow(gamma, static_cast<double>(target - 1 - t));
      for (const std::uint32_t id : episodes.columns_of(t))
        context += weight / static_cast<double>(episodes.columns_of(t).size()) * x.row(id).transpose();
      weights += weight;
    }
    result.scores.push_back(x * key_map.transpose() * (query_map * context / weights + bias));
  }
  return result;
}

// The mean Fenchel-Young loss of the targets. Omega*(s/T) is the optimal value of the map's objective.
double fenchel_young(const Regulariser& map, const Reference& r, const SparseRows& episodes,
                     EpisodeRange targets) {
  double total = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    const Vector y = episode_distribution(episodes, targets.first + i);
    const Vector scaled = r.scores[static_cast<std::size_t>(i)] / r.temperature;
    total += omega_of(map, y) + programme_value(map, scaled) - y.dot(scaled);
  }
  return total / static_cast<double>(targets.size());
}

// The gradient by fourth-order central differences.
template <class Function>
Vector finite_differences(const Vector& at, Function f) {
  constexpr double h = 2e-4;
  Vector gradient(at.size()), x = at;
  const auto moved = [&](Index i, double by) {
    x[i] = at[i] + by;
    const double value = f(x);
    x[i] = at[i];
    return value;
  };
  for (Index i = 0; i < at.size(); ++i)
    gradient[i] = (8 * (moved(i, h) - moved(i, -h)) - (moved(i, 2 * h) - moved(i, -2 * h))) / (12 * h);
  return gradient;
}

// Compares a gradient with finite differences, whose errors are about 1e-8. The gradients are between 0.01 and 1.
void check_gradient(const Vector& gradient, const Vector& expected) {
  REQUIRE(gradient.size() == expected.size());
  for (Index i = 0; i < gradient.size(); ++i) {
    INFO("parameter " << i << " of " << gradient.size());
    CHECK(std::abs(gradient[i] - expected[i]) <= 1e-8 + 1e-6 * std::abs(expected[i]));
  }
}

const std::vector<Regulariser>& trained_maps() {
  static const std::vector<Regulariser> all{
      SimplexMap::softmax, SimplexMap::sparsemax, {SimplexMap::entmax, 1.3}, {SimplexMap::entmax, 1.7}};
  return all;
}

}  // namespace

TEST_CASE("predictions match a naive implementation", "[attention_model]") {
  Rng rng(1, "attention model definition");
  for (const Regulariser& map : trained_maps()) {
    const Matrix x = unit_rows(rng, 7, 4);
    const AttentionModelOptions options{.regulariser = map};
    AttentionModel model(x, options);
    model.set_parameters(model.parameters() + 0.5 * normal_vector(rng, model.parameters().size()));
    const SparseRows episodes = random_episodes(rng, 9, 7);
    const Reference expected = reference(x, model.parameters(), episodes, {3, 9});
    const Matrix p = model.predict(episodes, {3, 9});
    REQUIRE(p.rows() == 6);
    Regulariser learnt = map;
    learnt.alpha = model.alpha();
    for (Index i = 0; i < p.rows(); ++i)
      CHECK(distance(Vector(p.row(i).transpose()), apply(learnt, expected.scores[static_cast<std::size_t>(i)],
                                                         expected.temperature)) < 1e-11);
  }
}

TEST_CASE("an untrained model is attention with the Hebbian scores X X'", "[attention_model]") {
  Rng rng(2, "untrained");
  const Matrix x = unit_rows(rng, 6, 5);
  const AttentionModel model(x, {});
  CHECK(model.temperature() == Approx(0.25).epsilon(1e-14));
  CHECK(model.memory() == Approx(0.3).epsilon(1e-14));
  const SparseRows one = sparse(Matrix{{0, 1, 0, 0, 1, 0}});
  const Vector scores = x * (x.row(1) + x.row(4)).transpose() / 2;
  CHECK(distance(predicted_next(model, one), apply(SimplexMap::softmax, scores, 0.25)) < 1e-13);
}

TEST_CASE("the gradient of the log-loss matches finite differences in every parameter", "[attention_model]") {
  Rng rng(3, "gradient of the log-loss");
  for (const Regulariser& map : trained_maps())
    for (int trial = 0; trial < 5; ++trial) {
      AttentionModel model = random_model(rng, 6, 3, map);
      const SparseRows episodes = random_episodes(rng, 8, 6);
      const EpisodeRange targets{2, 8};
      const Vector at = model.parameters();
      CHECK(at.size() == 2 * 9 + 3 + 2 + (map.map == SimplexMap::entmax ? 1 : 0));
      Vector gradient;
      model.loss(episodes, targets, TrainingLoss::log_loss, &gradient);
      check_gradient(gradient, finite_differences(at, [&](const Vector& parameters) {
                       model.set_parameters(parameters);
                       return model.loss(episodes, targets, TrainingLoss::log_loss, nullptr);
                     }));
    }
}

TEST_CASE("the Fenchel-Young gradient matches finite differences, except alpha, which follows the log-loss",
          "[attention_model]") {
  Rng rng(4, "gradient of fenchel-young");
  for (const Regulariser& map : trained_maps())
    for (int trial = 0; trial < 5; ++trial) {
      const Matrix x = unit_rows(rng, 6, 3);
      const AttentionModelOptions options{.regulariser = map, .temperature = 0.8};
      AttentionModel model(x, options);
      model.set_parameters(model.parameters() + 0.3 * normal_vector(rng, model.parameters().size()));
      const SparseRows episodes = random_episodes(rng, 8, 6);
      const EpisodeRange targets{1, 8};
      const Vector at = model.parameters();
      Regulariser held = map;
      held.alpha = model.alpha();
      Vector gradient, judged;
      const double loss = model.loss(episodes, targets, TrainingLoss::fenchel_young, &gradient);
      CHECK(loss == model.loss(episodes, targets, TrainingLoss::log_loss, &judged));
      Vector expected = finite_differences(at, [&](const Vector& parameters) {
        return fenchel_young(held, reference(x, parameters, episodes, targets), episodes, targets);
      });
      if (map.map == SimplexMap::entmax) expected[at.size() - 1] = judged[at.size() - 1];
      check_gradient(gradient, expected);
    }
}

TEST_CASE("the loss is the mean smoothed log-loss of the next episode's concepts", "[attention_model]") {
  const Vector p = vector({0.5, 0.5, 0, 0}), y = vector({0.5, 0, 0.5, 0});
  // Smoothing by 0.2 over four concepts changes p to (1 - 0.2) p + 0.2 / 4, so the targets have 0.45 and 0.05.
  CHECK(smoothed_log_loss(p, y, 0.2) == Approx(-0.5 * (std::log(0.45) + std::log(0.05))).epsilon(1e-14));
  CHECK(smoothed_log_loss(p, vector({1, 0, 0, 0}), 0) == Approx(std::log(2.0)).epsilon(1e-14));
  CHECK(smoothed_log_loss(p, y, 0) == infinity);
  Rng rng(5, "loss");
  const AttentionModel model = random_model(rng, 5, 3, {SimplexMap::entmax, 1.5});
  const SparseRows episodes = random_episodes(rng, 6, 5);
  const Matrix predicted = model.predict(episodes, {2, 6});
  double total = 0;
  for (Index i = 0; i < 4; ++i)
    total += smoothed_log_loss(predicted.row(i).transpose(), episode_distribution(episodes, 2 + i), 0.02);
  CHECK(model.loss(episodes, {2, 6}, TrainingLoss::log_loss, nullptr) == Approx(total / 4).epsilon(1e-14));
}

TEST_CASE("temperature, memory and alpha are in range for all parameters", "[attention_model]") {
  Rng rng(6, "ranges");
  for (const double extreme : {-1e300, -500.0, -40.0, 0.0, 40.0, 500.0, 1e300}) {
    AttentionModel model = random_model(rng, 5, 3, {SimplexMap::entmax, 1.5});
    Vector parameters = model.parameters();
    parameters.tail(3).setConstant(extreme);
    model.set_parameters(parameters);
    CHECK(model.temperature() > 0.9e-4);
    CHECK(model.temperature() < 1.1e4);
    CHECK(model.memory() >= 0);
    CHECK(model.memory() <= 1);
    CHECK(model.alpha() >= 1);
    CHECK(model.alpha() <= 2);
    const Vector p = predicted_next(model, random_episodes(rng, 6, 5));
    CHECK(p.sum() == Approx(1).epsilon(1e-9));
    CHECK(p.minCoeff() >= 0);
  }
}

TEST_CASE("later episodes do not affect a prediction", "[attention_model]") {
  Rng rng(7, "no peeking");
  const AttentionModel model = random_model(rng, 6, 4, SimplexMap::softmax);
  Matrix a = dense(random_episodes(rng, 10, 6)), b = a;
  for (Index t = 6; t < 10; ++t) b.row(t) = a.row(t).reverse();
  const Matrix p = model.predict(sparse(a), {1, 11}), q = model.predict(sparse(b), {1, 11});
  CHECK(p.topRows(6) == q.topRows(6));
  CHECK(p.bottomRows(4) != q.bottomRows(4));
  const Vector alone = predicted_next(model, sparse(a.topRows(4)));
  CHECK(alone == Vector(p.row(3).transpose()));
}

TEST_CASE("permuting the concepts permutes the predictions", "[attention_model]") {
  Rng rng(8, "equivariance");
  const Matrix x = unit_rows(rng, 6, 4);
  const auto order = rng.permutation(6);
  const Matrix a = dense(random_episodes(rng, 7, 6));
  Matrix renamed_x(6, 4), renamed_a(7, 6);
  for (Index i = 0; i < 6; ++i) {
    renamed_x.row(i) = x.row(order[static_cast<std::size_t>(i)]);
    renamed_a.col(i) = a.col(order[static_cast<std::size_t>(i)]);
  }
  const Vector p = predicted_next(AttentionModel(x, {}), sparse(a));
  const Vector q = predicted_next(AttentionModel(renamed_x, {}), sparse(renamed_a));
  for (Index i = 0; i < 6; ++i) CHECK(q[i] == Approx(p[order[static_cast<std::size_t>(i)]]).epsilon(1e-12));
}

TEST_CASE("training learns a cycle, under every map", "[attention_model]") {
  Matrix cycle = Matrix::Zero(40, 5);
  for (Index t = 0; t < 40; ++t) cycle(t, t % 5) = 1;
  const SparseRows episodes = sparse(cycle);
  for (const Regulariser& map : trained_maps()) {
    Rng rng(9, "cycle");
    const AttentionModelOptions options{.regulariser = map};
    AttentionModel model(unit_rows(rng, 5, 8), options);
    const auto on = [&](EpisodeRange range) {
      return [&, range](const Vector& parameters, Vector* gradient) {
        model.set_parameters(parameters);
        return model.loss(episodes, range, TrainingLoss::fenchel_young, gradient);
      };
    };
    const Training training = train(model.parameters(), on({1, 20}), on({20, 30}));
    model.set_parameters(training.parameters);
    const double before = training.validation_loss.front();
    const double after = model.loss(episodes, {30, 40}, TrainingLoss::log_loss, nullptr);
    CHECK(before > 1.5);
    CHECK(after < 0.05);  // the minimum with smoothing is log(1 / (0.98 + 0.02 / 5)) = 0.016
    Index best = 0;
    predicted_next(model, episodes).maxCoeff(&best);
    CHECK(best == 0);
  }
}

TEST_CASE("the model rejects invalid input", "[attention_model]") {
  Rng rng(10, "errors");
  const Matrix x = unit_rows(rng, 4, 3);
  AttentionModelOptions bad{.temperature = 0};
  CHECK_INVALID(AttentionModel(x, bad));
  bad = {};
  bad.memory = 1;
  CHECK_INVALID(AttentionModel(x, bad));
  bad = {};
  bad.smoothing = 0;
  CHECK_INVALID(AttentionModel(x, bad));
  bad = {};
  bad.regulariser = {SimplexMap::entmax, 2.0};
  CHECK_INVALID(AttentionModel(x, bad));
  CHECK_INVALID(AttentionModel(Matrix(0, 3), {}));
  for (const double broken : {nan, infinity}) {
    Matrix broken_x = x;
    broken_x(3, 2) = broken;
    CHECK_INVALID(AttentionModel(broken_x, {}));
    for (double AttentionModelOptions::*option :
         {&AttentionModelOptions::temperature, &AttentionModelOptions::memory,
          &AttentionModelOptions::smoothing}) {
      bad = {};
      bad.*option = broken;
      CHECK_INVALID(AttentionModel(x, bad));
    }
    AttentionModel model(x, {});
    const Vector start = model.parameters();
    for (Index i = 0; i < start.size(); ++i) {
      Vector parameters = 2 * start;
      parameters[i] = broken;
      CHECK_INVALID(model.set_parameters(parameters));
    }
    CHECK(model.parameters() == start);
  }
  AttentionModel model(x, {});
  CHECK_INVALID(model.set_parameters(Vector::Zero(3)));
  const SparseRows episodes = random_episodes(rng, 5, 4);
  CHECK_INVALID(predicted_next(model, SparseRows(4)));
  CHECK_INVALID(predicted_next(model, random_episodes(rng, 5, 3)));
  CHECK_INVALID(model.loss(episodes, {0, 3}, TrainingLoss::log_loss, nullptr));
  CHECK_INVALID(model.loss(episodes, {3, 3}, TrainingLoss::log_loss, nullptr));
  CHECK_INVALID(model.loss(episodes, {3, 6}, TrainingLoss::log_loss, nullptr));
  const SparseRows silent = sparse(Matrix{{1, 0, 0, 0}, {0, 0, 0, 0}});
  CHECK_INVALID(model.loss(silent, {1, 2}, TrainingLoss::log_loss, nullptr));
  CHECK_INVALID(predicted_next(model, silent));
}

}  // namespace engram::core
