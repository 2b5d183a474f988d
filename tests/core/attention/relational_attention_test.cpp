// SPDX-License-Identifier: MIT
#include "core/attention/relational_attention.hpp"

#include <complex>

#include "core/attention/attention.hpp"
#include "core/maps/simplex_map.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Complex = std::complex<double>;

RelationalAttention random_relations(Rng& rng, Index entities, Index relations, Index pairs) {
  return {normal_matrix(rng, entities, 2 * pairs), normal_matrix(rng, relations, 2 * pairs)};
}

Complex pair_of(const Matrix& m, Index row, Index pair) {
  return {m(row, pair), m(row, m.cols() / 2 + pair)};
}

// The score of a fact by the definition of ComplEx: Re <w, x, conj y>.
double complex_score(const RelationalAttention& model, const Fact& fact) {
  Complex sum = 0;
  for (Index j = 0; j < model.keys().cols() / 2; ++j)
    sum += pair_of(model.keys(), fact.head, j) * pair_of(model.maps(), fact.relation, j) *
           std::conj(pair_of(model.keys(), fact.tail, j));
  return sum.real();
}

double slow_loss(const RelationalAttention& model, const std::vector<Fact>& facts, double regularisation) {
  double total = 0;
  for (const Fact& fact : facts) {
    double sum = 0;
    for (std::uint32_t e = 0; e < model.entities(); ++e)
      sum += std::exp(complex_score(model, {fact.head, fact.relation, e}));
    total += std::log(sum) - complex_score(model, fact);
    for (Index j = 0; j < model.keys().cols() / 2; ++j)
      total += regularisation * (std::pow(std::abs(pair_of(model.keys(), fact.head, j)), 3) +
                                 std::pow(std::abs(pair_of(model.maps(), fact.relation, j)), 3) +
                                 std::pow(std::abs(pair_of(model.keys(), fact.tail, j)), 3));
  }
  return total / static_cast<double>(facts.size());
}

const std::vector<Fact> few_facts{{0, 1, 2}, {3, 0, 3}, {0, 1, 2}, {2, 2, 0}, {4, 0, 1}, {0, 0, 1}};

// Twelve entities on a circle: `next` for each, and the inverse `back` for all but every third.
struct Circle {
  std::vector<Fact> known, held_out;
};
Circle circle() {
  Circle facts;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const std::uint32_t next = (i + 1) % 12;
    facts.known.push_back({i, 0, next});
    (i % 3 == 0 ? facts.held_out : facts.known).push_back({next, 1, i});
  }
  return facts;
}

double share_first(const RelationalAttention& model, const std::vector<Fact>& facts) {
  const Matrix s = model.scores(facts);
  double first = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto row = static_cast<Index>(i);
    Index best = 0;
    s.row(row).maxCoeff(&best);
    if (best == static_cast<Index>(facts[i].tail)) first += 1;
  }
  return first / static_cast<double>(facts.size());
}

RelationalTrainingOptions small_training() {
  const RelationalTrainingOptions options{
      .pairs = 8, .batch = 7, .epochs = 60, .check_every = 10, .patience = 6};
  return options;
}

// The attention weight that the model gives to the tail of a fact among all entities.
double weight_of(const RelationalAttention& model, Fact fact) {
  return std::exp(-model.loss({&fact, 1}, 0, nullptr));
}

}  // namespace

TEST_CASE("scores of relational attention for a quarter turn, worked by hand", "[relational_attention]") {
  // The two entities have the complex keys 1 and i. The relation's map i is a quarter turn without scaling.
  const RelationalAttention model(Matrix{{1, 0}, {0, 1}}, Matrix{{0, 1}});
  const std::vector<Fact> asked{{0, 0, 0}, {1, 0, 0}};
  const Matrix wanted{{0, 1}, {-1, 0}};  // i * 1 = i is the second key, and i * i = -1 is minus the first key
  CHECK(distance(model.scores(asked), wanted) == 0);
  const double e = std::exp(1.0);
  CHECK(weight_of(model, {0, 0, 1}) == Approx(e / (1 + e)).epsilon(1e-14));
  CHECK(weight_of(model, {1, 0, 0}) == Approx(1 / (1 + e)).epsilon(1e-14));
}

TEST_CASE("scores of relational attention equal ComplEx and bilinear attention", "[relational_attention]") {
  Rng rng(11, "relational scores");
  for (const Index d : {1, 3, 8}) {
    const RelationalAttention model = random_relations(rng, 7, 4, d);
    for (std::uint32_t r = 0; r < 4; ++r) {
      // The map W_r of relation r as one matrix over all heads.
      Matrix map = Matrix::Zero(2 * d, 2 * d);
      for (Index j = 0; j < d; ++j) {
        const Complex w = pair_of(model.maps(), r, j);
        map(j, j) = map(d + j, d + j) = w.real();
        map(j, d + j) = w.imag();
        map(d + j, j) = -w.imag();
      }
      std::vector<Fact> asked;
      for (std::uint32_t h = 0; h < 7; ++h) asked.push_back({h, r, 0});
      const Matrix s = model.scores(asked);
      ScoreMaps bilinear;
      bilinear.bilinear = map;
      const Matrix same = scores(Score::bilinear, model.keys(), model.keys(), bilinear);
      CHECK(distance(s, same) < 1e-13);
      for (std::uint32_t h = 0; h < 7; ++h)
        for (std::uint32_t t = 0; t < 7; ++t)
          CHECK(s(h, t) == Approx(complex_score(model, {h, r, t})).margin(1e-13));
      for (std::uint32_t h = 0; h < 7; ++h) {
        const Vector p = apply(SimplexMap::softmax, s.row(h).transpose());
        for (std::uint32_t t = 0; t < 7; ++t)
          CHECK(weight_of(model, {h, r, t}) == Approx(p[t]).epsilon(1e-14));
      }
    }
  }
}

TEST_CASE("the loss of relational attention matches its definition, and its gradient finite differences",
          "[relational_attention]") {
  Rng rng(12, "relational gradient");
  for (const double regularisation : {0.0, 0.3}) {
    const RelationalAttention model = random_relations(rng, 5, 3, 3);
    RelationalGradient gradient;
    const double loss = model.loss(few_facts, regularisation, &gradient);
    CHECK(loss == Approx(slow_loss(model, few_facts, regularisation)).epsilon(1e-13));
    CHECK(loss == model.loss(few_facts, regularisation, nullptr));
    // This step balances rounding and curvature, which each cause errors of about 1e-10.
    const double step = 1e-5;
    for (const bool of_keys : {true, false}) {
      const Matrix& found = of_keys ? gradient.keys : gradient.maps;
      for (Index i = 0; i < found.size(); ++i) {
        const auto moved = [&](double by) {
          Matrix keys = model.keys(), maps = model.maps();
          (of_keys ? keys : maps).data()[i] += by;
          return slow_loss({keys, maps}, few_facts, regularisation);
        };
        CHECK(found.data()[i] == Approx((moved(step) - moved(-step)) / (2 * step)).margin(1e-8));
      }
    }
  }
}

TEST_CASE("relational attention handles very large and very small scores", "[relational_attention]") {
  const Matrix keys{{100, 0}, {-100, 0}, {0, 0}}, maps{{1, 0}};
  const RelationalAttention huge(keys, maps);
  const std::vector<Fact> right{{0, 0, 0}}, wrong{{0, 0, 1}};
  CHECK(weight_of(huge, right[0]) == 1);
  CHECK(weight_of(huge, wrong[0]) == 0);
  RelationalGradient gradient;
  CHECK(huge.loss(right, 0, &gradient) == 0);
  CHECK(gradient.keys.isZero(0));
  CHECK(huge.loss(wrong, 0, &gradient) == 2e4);  // the best score is 10^4, the tail's is -10^4
  CHECK(gradient.maps(0, 0) == 2e4);             // the derivative of w (100 - -100) 100 with respect to w
  const RelationalAttention tiny(1e-160 * keys, 1e-300 * maps);
  CHECK(tiny.loss(wrong, 1, &gradient) == Approx(std::log(3.0)).epsilon(1e-15));
  CHECK(gradient.keys.allFinite());
}

TEST_CASE("facts and their reciprocals", "[relational_attention]") {
  const auto both = with_reciprocals(std::vector<Fact>{{1, 0, 2}, {3, 1, 3}}, 2);
  CHECK(both == std::vector<Fact>{{1, 0, 2}, {3, 1, 3}, {2, 2, 1}, {3, 3, 3}});
}

TEST_CASE("training generalises an inverse relation to held-out facts", "[relational_attention]") {
  const Circle facts = circle();
  const auto known = with_reciprocals(facts.known, 2);
  const auto validate = [&](const RelationalAttention& model) { return -model.loss(known, 0, nullptr); };
  const RelationalTraining training = train_relations(12, 4, known, validate, small_training(), 3);
  CHECK(share_first(training.model, known) == 1);
  CHECK(share_first(training.model, facts.held_out) == 1);  // by chance: one in twelve
  CHECK(training.loss.back() < 0.5 * training.loss.front());
  CHECK(training.loss.front() < 1.05 * std::log(12.0));
  CHECK(training.validation.size() == 7);

  const RelationalTraining again = train_relations(12, 4, known, validate, small_training(), 3);
  CHECK((again.model.keys().array() == training.model.keys().array()).all());
  CHECK((again.model.maps().array() == training.model.maps().array()).all());
  const RelationalTraining other = train_relations(12, 4, known, validate, small_training(), 4);
  CHECK_FALSE(other.model.keys().isApprox(training.model.keys(), 1e-3));
}

TEST_CASE("training keeps the model of the best validation and stops early", "[relational_attention]") {
  const auto known = with_reciprocals(circle().known, 2);
  RelationalTrainingOptions options = small_training();
  options.patience = 2;
  std::vector<double> worth{0.1, 0.5, 0.7, 0.7, 0.6, 0.9};
  std::size_t asked = 0;
  std::vector<Matrix> seen;
  const RelationalTraining training = train_relations(
      12, 4, known,
      [&](const RelationalAttention& model) {
        seen.push_back(model.keys());
        return worth.at(asked++);
      },
      options, 1);
  CHECK(training.validation == std::vector<double>{0.1, 0.5, 0.7, 0.7, 0.6});
  CHECK(training.best_epoch == 20);
  CHECK(training.loss.size() == 40);
  CHECK((training.model.keys().array() == seen.at(2).array()).all());
  CHECK_FALSE((training.model.keys().array() == seen.at(4).array()).all());

  options.epochs = 0;
  const RelationalTraining untrained = train_relations(
      12, 4, known, [](const RelationalAttention&) { return 0.0; }, options, 1);
  CHECK(untrained.best_epoch == 0);
  CHECK((untrained.model.keys().array() == RelationalAttention(12, 4, 8, options.spread, 1).keys().array())
            .all());
  CHECK(untrained.model.keys().array().abs().maxCoeff() <= options.spread);
  CHECK(untrained.model.keys().array().abs().mean() == Approx(options.spread / 2).epsilon(0.2));
}

TEST_CASE("relational attention rejects ids out of range and NaN", "[relational_attention]") {
  const Matrix two = Matrix::Ones(2, 4);
  CHECK_INVALID(RelationalAttention(two, Matrix::Ones(1, 6)));
  CHECK_INVALID(RelationalAttention(Matrix::Ones(2, 3), Matrix::Ones(1, 3)));
  CHECK_INVALID(RelationalAttention(Matrix(0, 4), two));
  CHECK_INVALID(RelationalAttention(nan * two, two));
  CHECK_INVALID(RelationalAttention(0, 1, 1, 0.1, 1));
  CHECK_INVALID(RelationalAttention(1, 1, 1, 0.0, 1));
  const RelationalAttention model(two, two);
  const auto one = [](Fact fact) { return std::vector<Fact>{fact}; };
  CHECK_INVALID(model.scores(one({2, 0, 0})));
  CHECK_INVALID(model.scores(one({0, 2, 0})));
  CHECK_INVALID(model.loss(one({0, 0, 2}), 0, nullptr));
  CHECK_INVALID(model.loss({}, 0, nullptr));
  CHECK_INVALID(model.loss(one({0, 0, 0}), -1, nullptr));
  CHECK_INVALID(model.loss(one({0, 0, 0}), nan, nullptr));
  const auto zero = [](const RelationalAttention&) { return 0.0; };
  const auto none = [](const RelationalAttention&) { return nan; };
  const RelationalTrainingOptions good = small_training();
  CHECK_INVALID(train_relations(2, 1, {}, zero, good, 1));
  CHECK_INVALID(train_relations(2, 1, one({0, 1, 0}), zero, good, 1));
  CHECK_INVALID(train_relations(2, 1, one({0, 0, 0}), none, good, 1));
  for (const auto& spoil : std::vector<std::function<void(RelationalTrainingOptions&)>>{
           [](auto& o) { o.batch = 0; }, [](auto& o) { o.epochs = -1; }, [](auto& o) { o.check_every = 0; },
           [](auto& o) { o.patience = 0; }, [](auto& o) { o.learning_rate = 0; },
           [](auto& o) { o.pairs = 0; }}) {
    RelationalTrainingOptions bad = good;
    spoil(bad);
    CHECK_INVALID(train_relations(2, 1, one({0, 0, 0}), zero, bad, 1));
  }
}

}  // namespace engram::core
