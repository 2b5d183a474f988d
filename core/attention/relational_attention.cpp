// SPDX-License-Identifier: MIT
#include "core/attention/relational_attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/optimiser.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {
namespace {

void fill_uniform(Matrix& m, double spread, Rng rng) {
  for (double& x : m.reshaped<Eigen::RowMajor>()) x = spread * (2 * rng.uniform() - 1);
}

Index at(std::uint32_t id) { return static_cast<Index>(id); }

// Replaces a row of scores s by exp(s - max s). Returns max s and the sum.
struct Normaliser {
  double largest, sum;
};
Normaliser exponentials(std::span<double> row) {
  const double largest = max(row);
  for (double& s : row) s = exp(s - largest);
  return {largest, sum(row)};
}

std::span<double> row_of(Matrix& m, Index row) {
  return {m.data() + row * m.cols(), static_cast<std::size_t>(m.cols())};
}

// The sum of |v|^3 over pairs. Adds `share` times its gradient, 3 |v| v, to `gradient` unless that is null.
double cubed_norms(const double* v, Index pairs, double share, double* gradient) {
  std::vector<double> cubes(static_cast<std::size_t>(pairs));
  for (Index j = 0; j < pairs; ++j) {
    const double a = v[j], b = v[pairs + j], norm = std::sqrt(a * a + b * b);
    cubes[static_cast<std::size_t>(j)] = norm * norm * norm;
    if (gradient == nullptr) continue;
    gradient[j] += 3 * share * norm * a;
    gradient[pairs + j] += 3 * share * norm * b;
  }
  return sum(cubes);
}

}  // namespace

std::vector<Fact> with_reciprocals(std::span<const Fact> facts, std::uint32_t relations) {
  std::vector<Fact> all(facts.begin(), facts.end());
  all.reserve(2 * facts.size());
  for (const Fact& fact : facts) all.push_back({fact.tail, fact.relation + relations, fact.head});
  return all;
}

RelationalAttention::RelationalAttention(Index entities, Index relations, Index pairs, double spread,
                                         std::uint64_t seed) {
  require(entities >= 1 && relations >= 1 && pairs >= 1, "there must be entities, relations and pairs");
  require(spread > 0 && spread <= 1, "spread must be in (0, 1]", spread);
  keys_.resize(entities, 2 * pairs);
  maps_.resize(relations, 2 * pairs);
  fill_uniform(keys_, spread, Rng(seed, "relational attention keys"));
  fill_uniform(maps_, spread, Rng(seed, "relational attention maps"));
}

RelationalAttention::RelationalAttention(Matrix keys, Matrix maps)
    : keys_(std::move(keys)), maps_(std::move(maps)) {
  require(keys_.rows() > 0 && maps_.rows() > 0 && keys_.cols() > 0 && keys_.cols() % 2 == 0,
          "keys and maps need rows, and pairs of columns");
  require_size("columns of maps", maps_.cols(), keys_.cols());
  require(keys_.allFinite() && maps_.allFinite(), "keys and maps must be finite");
}

void RelationalAttention::require_in_range(std::span<const Fact> facts) const {
  for (const Fact& fact : facts)
    require(at(fact.head) < entities() && at(fact.tail) < entities() && at(fact.relation) < relations(),
            "a fact names an entity or relation that is out of range");
}

Matrix RelationalAttention::queries(std::span<const Fact> asked) const {
  const Index d = pairs();
  Matrix q(static_cast<Index>(asked.size()), 2 * d);
  for (Index i = 0; i < q.rows(); ++i) {
    const Fact& fact = asked[static_cast<std::size_t>(i)];
    const auto x = keys_.row(at(fact.head)).array();
    const auto w = maps_.row(at(fact.relation)).array();
    q.row(i).head(d) = x.head(d) * w.head(d) - x.tail(d) * w.tail(d);
    q.row(i).tail(d) = x.head(d) * w.tail(d) + x.tail(d) * w.head(d);
  }
  return q;
}

Matrix RelationalAttention::scores(std::span<const Fact> asked) const {
  require_in_range(asked);
  return product(queries(asked), keys_.transpose());
}

double RelationalAttention::loss(std::span<const Fact> facts, double regularisation,
                                 RelationalGradient* gradient) const {
  require(!facts.empty(), "a loss needs facts");
  require(regularisation >= 0, "regularisation must not be negative", regularisation);
  require_in_range(facts);
  const Index d = pairs();
  const double share = 1.0 / static_cast<double>(facts.size());
  const Matrix q = queries(facts);
  Matrix d_scores = product(q, keys_.transpose());  // overwritten by weights, then derivatives
  std::vector<double> losses;
  for (Index i = 0; i < q.rows(); ++i) {
    const Index tail = at(facts[static_cast<std::size_t>(i)].tail);
    const double score = d_scores(i, tail);
    const Normaliser normaliser = exponentials(row_of(d_scores, i));
    losses.push_back(log(normaliser.sum) + (normaliser.largest - score));
    d_scores.row(i) *= share / normaliser.sum;
    d_scores(i, tail) -= share;
  }
  if (gradient != nullptr) {
    gradient->keys = product(d_scores.transpose(), q);
    gradient->maps = Matrix::Zero(maps_.rows(), maps_.cols());
    const Matrix d_queries = product(d_scores, keys_);
    for (Index i = 0; i < q.rows(); ++i) {
      const Fact& fact = facts[static_cast<std::size_t>(i)];
      const auto g = d_queries.row(i).array();
      const auto x = keys_.row(at(fact.head)).array();
      const auto w = maps_.row(at(fact.relation)).array();
      auto d_x = gradient->keys.row(at(fact.head)).array();
      auto d_w = gradient->maps.row(at(fact.relation)).array();
      d_x.head(d) += g.head(d) * w.head(d) + g.tail(d) * w.tail(d);
      d_x.tail(d) += g.tail(d) * w.head(d) - g.head(d) * w.tail(d);
      d_w.head(d) += g.head(d) * x.head(d) + g.tail(d) * x.tail(d);
      d_w.tail(d) += g.tail(d) * x.head(d) - g.head(d) * x.tail(d);
    }
  }
  if (regularisation > 0) {
    const auto place = [&](Matrix RelationalGradient::*of, Index row) {
      return gradient == nullptr ? nullptr : (gradient->*of).data() + row * 2 * d;
    };
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const Index head = at(facts[i].head), relation = at(facts[i].relation), tail = at(facts[i].tail);
      const double s = share * regularisation;
      const double norms =
          cubed_norms(keys_.data() + head * 2 * d, d, s, place(&RelationalGradient::keys, head)) +
          cubed_norms(maps_.data() + relation * 2 * d, d, s, place(&RelationalGradient::maps, relation)) +
          cubed_norms(keys_.data() + tail * 2 * d, d, s, place(&RelationalGradient::keys, tail));
      losses[i] += regularisation * norms;
    }
  }
  return sum(losses) * share;
}

RelationalTraining train_relations(Index entities, Index relations, std::span<const Fact> facts,
                                   const std::function<double(const RelationalAttention&)>& validate,
                                   const RelationalTrainingOptions& options, std::uint64_t seed) {
  require(!facts.empty(), "training needs facts");
  require(options.batch >= 1 && options.epochs >= 0 && options.check_every >= 1 && options.patience >= 1,
          "batch, check_every and patience must be at least 1, epochs at least 0");
  RelationalAttention model(entities, relations, options.pairs, options.spread, seed);
  RelationalTraining training{model, 0, {}, {validate(model)}};
  require(!std::isnan(training.validation.front()), "a validation is not a number");
  Adagrad keys(model.keys_.size(), options.learning_rate), maps(model.maps_.size(), options.learning_rate);
  const auto entries = [](Matrix& m) { return std::span(m.data(), static_cast<std::size_t>(m.size())); };
  // Runs an epoch in a new random order of the facts. Returns the mean of the losses before each step.
  const auto run_epoch = [&](int number) {
    Rng rng(seed, "relational attention order", static_cast<std::uint64_t>(number));
    const auto order = rng.permutation(static_cast<std::uint32_t>(facts.size()));
    std::vector<double> losses;
    std::vector<Fact> batch;
    RelationalGradient gradient;
    for (std::size_t first = 0; first < order.size(); first += options.batch) {
      batch.clear();
      for (std::size_t i = first; i < std::min(first + options.batch, order.size()); ++i)
        batch.push_back(facts[order[i]]);
      const double loss = model.loss(batch, options.regularisation, &gradient);
      losses.push_back(loss * static_cast<double>(batch.size()));
      keys.step(entries(model.keys_), entries(gradient.keys));
      maps.step(entries(model.maps_), entries(gradient.maps));
    }
    return sum(losses) / static_cast<double>(facts.size());
  };
  double best = training.validation.front();
  for (int epoch = 1, worse = 0; epoch <= options.epochs && worse < options.patience; ++epoch) {
    training.loss.push_back(run_epoch(epoch));
    if (epoch % options.check_every != 0 && epoch != options.epochs) continue;
    const double value = validate(model);
    require(!std::isnan(value), "a validation is not a number");
    training.validation.push_back(value);
    worse = value > best ? 0 : worse + 1;
    if (worse > 0) continue;
    best = value;
    training.model = model;
    training.best_epoch = epoch;
  }
  return training;
}

}  // namespace engram::core
