// SPDX-License-Identifier: MIT
#include "core/attention/attention_model.hpp"

#include <cmath>
#include <span>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

using Span = std::span<const double>;

double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }
double logit(double share) { return log(share / (1.0 - share)); }

// r tanh(x / r) with r = log_range, and its inverse.
constexpr double log_range = 9.210340371976182;  // log highest_temperature
double squashed(double x) { return log_range * (2.0 * sigmoid(2.0 * x / log_range) - 1.0); }
double unsquashed(double log_temperature) {
  return 0.5 * log_range * logit(0.5 * (1.0 + log_temperature / log_range));
}

bool learns_alpha(const Regulariser& regulariser) { return regulariser.map == SimplexMap::entmax; }

// W x, W (r, x.size()) stored by rows.
Vector multiply_rows(Span w, Span x) {
  Vector out(static_cast<Index>(w.size() / x.size()));
  for (Index i = 0; i < out.size(); ++i)
    out[i] = dot(w.subspan(static_cast<std::size_t>(i) * x.size(), x.size()), x);
  return out;
}

// out += W' y, W (y.size(), out.size()) stored by rows.
void add_transposed(Vector& out, Span w, const Vector& y) {
  for (Index i = 0; i < y.size(); ++i)
    out += y[i] * Eigen::Map<const Vector>(w.data() + i * out.size(), out.size());
}

// w += y x', w (y.size(), x.size()) stored by rows.
void add_outer(double* w, const Vector& y, Span x) {
  const auto size = static_cast<Index>(x.size());
  const Eigen::Map<const Vector> row(x.data(), size);
  for (Index i = 0; i < y.size(); ++i)
    if (y[i] != 0) Eigen::Map<Vector>(w + i * size, size) += y[i] * row;
}

Vector row(const Matrix& m, Index i) { return m.row(i).transpose(); }

}  // namespace

Vector episode_distribution(const SparseRows& episodes, Index episode) {
  const auto active = episodes.columns_of(episode);
  require(!active.empty(), "an episode needs at least one concept");
  Vector y = Vector::Zero(episodes.columns());
  for (const std::uint32_t id : active) y[id] = 1.0 / static_cast<double>(active.size());
  return y;
}

double smoothed_log_loss(const Vector& p, const Vector& y, double smoothing) {
  require_size("prediction", p.size(), y.size());
  const double floor = smoothing / static_cast<double>(p.size());
  double loss = 0;
  for (Index i = 0; i < p.size(); ++i)
    if (y[i] > 0) loss -= y[i] * log((1.0 - smoothing) * p[i] + floor);
  return loss;
}

AttentionModel::AttentionModel(Matrix embeddings, const AttentionModelOptions& options)
    : embeddings_(std::move(embeddings)), options_(options) {
  require(embeddings_.rows() > 0 && dimensions() > 0, "a model needs concepts and dimensions");
  for (const double x : embeddings_.reshaped()) require(std::isfinite(x), "embeddings must be finite", x);
  require(options.temperature > 1 / highest_temperature && options.temperature < highest_temperature,
          "temperature must be in (1e-4, 1e4)", options.temperature);
  require(options.memory > 0 && options.memory < 1, "memory must be in (0, 1)", options.memory);
  require(options.smoothing > 0 && options.smoothing < 1, "smoothing must be in (0, 1)", options.smoothing);
  parameters_ = Vector::Zero(alpha_at() + (learns_alpha(options.regulariser) ? 1 : 0));
  for (Index i = 0; i < dimensions(); ++i)
    parameters_[i * dimensions() + i] = parameters_[key_map_at() + i * dimensions() + i] = 1.0;
  parameters_[temperature_at()] = unsquashed(log(options.temperature));
  parameters_[memory_at()] = logit(options.memory);
  if (!learns_alpha(options.regulariser)) return;
  require(options.regulariser.alpha > 1 && options.regulariser.alpha < 2, "a learnt alpha must be in (1, 2)",
          options.regulariser.alpha);
  parameters_[alpha_at()] = logit(options.regulariser.alpha - 1.0);
}

void AttentionModel::set_parameters(const Vector& parameters) {
  require_size("parameters", parameters.size(), parameters_.size());
  for (const double x : parameters) require(std::isfinite(x), "parameters must be finite", x);
  parameters_ = parameters;
}

double AttentionModel::temperature() const { return exp(squashed(parameters_[temperature_at()])); }
double AttentionModel::memory() const { return sigmoid(parameters_[memory_at()]); }
double AttentionModel::alpha() const {
  return learns_alpha(options_.regulariser) ? 1.0 + sigmoid(parameters_[alpha_at()])
                                            : options_.regulariser.alpha;
}

Regulariser AttentionModel::regulariser() const {
  Regulariser regulariser = options_.regulariser;
  regulariser.alpha = alpha();
  return regulariser;
}

// Intermediate values of the forward pass; row i belongs to target targets.first + i.
struct AttentionModel::Forward {
  Matrix contexts;  // (targets, d)
  Matrix d_memory;  // d context / d gamma
  Matrix queries;   // (targets, d)
  Matrix keys;      // (n, d)
};

AttentionModel::Forward AttentionModel::forward(const SparseRows& episodes, EpisodeRange targets) const {
  require_size("columns of episodes", episodes.columns(), embeddings_.rows());
  require(targets.first >= 1 && targets.first < targets.last && targets.last <= episodes.rows() + 1,
          "targets must not be empty, nor start at the first episode");
  const Index d = dimensions();
  const double gamma = memory();
  Forward f{Matrix(targets.size(), d), Matrix(targets.size(), d), Matrix(targets.size(), d),
            Matrix(embeddings_.rows(), d)};
  const Span query_map = as_span(parameters_).first(static_cast<std::size_t>(d * d));
  const Span key_map = as_span(parameters_).subspan(static_cast<std::size_t>(d * d), query_map.size());
  for (Index c = 0; c < f.keys.rows(); ++c)
    f.keys.row(c) = multiply_rows(key_map, row_span(embeddings_, c)).transpose();
  // u = sum gamma^j m, v = sum gamma^j, context = u / v; u_gamma and v_gamma are their derivatives.
  Vector u = Vector::Zero(d), u_gamma = Vector::Zero(d);
  double v = 0, v_gamma = 0;
  for (Index t = 0; t + 1 < targets.last; ++t) {
    u_gamma = u + gamma * u_gamma;
    v_gamma = v + gamma * v_gamma;
    u *= gamma;
    v = 1.0 + gamma * v;
    const auto active = episodes.columns_of(t);
    require(!active.empty(), "an episode needs at least one concept");
    for (const std::uint32_t id : active)
      u += embeddings_.row(id).transpose() / static_cast<double>(active.size());
    const Index i = t + 1 - targets.first;
    if (i < 0) continue;
    f.contexts.row(i) = (u / v).transpose();
    f.d_memory.row(i) = ((u_gamma - u * (v_gamma / v)) / v).transpose();
    f.queries.row(i) =
        (multiply_rows(query_map, row_span(f.contexts, i)) + parameters_.segment(bias_at(), d)).transpose();
  }
  return f;
}

Matrix AttentionModel::predict(const SparseRows& episodes, EpisodeRange targets) const {
  const Forward f = forward(episodes, targets);
  Matrix p(targets.size(), embeddings_.rows());
  for (Index i = 0; i < targets.size(); ++i)
    p.row(i) = apply(regulariser(), multiply(f.keys, row(f.queries, i)), temperature()).transpose();
  return p;
}

// The derivatives of one target's loss with respect to its scores and alpha.
struct AttentionModel::Backward {
  Vector d_scores;
  double d_alpha = 0;
};

AttentionModel::Backward AttentionModel::backward(const Vector& p, const Vector& y,
                                                  TrainingLoss followed) const {
  const Regulariser map = regulariser();
  const double T = temperature(), kept = 1.0 - options_.smoothing;
  Vector d_p = Vector::Zero(p.size());
  for (Index i = 0; i < p.size(); ++i)
    if (y[i] > 0) d_p[i] = -y[i] * kept / (kept * p[i] + options_.smoothing / static_cast<double>(p.size()));
  Backward b;
  if (followed == TrainingLoss::fenchel_young)
    b.d_scores = (p - y) / T;
  else
    b.d_scores = jacobian_product_at(map, p, d_p, T);  // the Jacobian is symmetric
  if (learns_alpha(map)) b.d_alpha = dot(d_p, derivative_in_alpha_at(map, p));
  return b;
}

double AttentionModel::loss(const SparseRows& episodes, EpisodeRange targets, TrainingLoss followed,
                            Vector* gradient) const {
  require(targets.last <= episodes.rows(), "targets must be episodes");
  const Forward f = forward(episodes, targets);
  const Regulariser map = regulariser();
  const Index d = dimensions();
  const double share = 1.0 / static_cast<double>(targets.size()), gamma = memory();
  const double squashed_log = log(temperature()) / log_range,
               squash_slope = 1.0 - squashed_log * squashed_log;
  Matrix d_keys = Matrix::Zero(f.keys.rows(), d);
  Vector losses(targets.size());
  if (gradient != nullptr) *gradient = Vector::Zero(parameters_.size());
  for (Index i = 0; i < targets.size(); ++i) {
    const Vector query = row(f.queries, i), scores = multiply(f.keys, query);
    const Vector p = apply(map, scores, temperature());
    const Vector y = episode_distribution(episodes, targets.first + i);
    losses[i] = smoothed_log_loss(p, y, options_.smoothing);
    if (gradient == nullptr) continue;
    // Backpropagates from the loss to the scores, to queries and keys, and through the query to the context.
    const Backward b = backward(p, y, followed);
    const Vector d_scores = share * b.d_scores, d_query = multiply_transposed(f.keys, d_scores);
    add_outer(d_keys.data(), d_scores, as_span(query));
    add_outer(gradient->data(), d_query, row_span(f.contexts, i));
    gradient->segment(bias_at(), d) += d_query;
    Vector d_context = Vector::Zero(d);
    add_transposed(d_context, as_span(parameters_).first(static_cast<std::size_t>(d * d)), d_query);
    // Both losses are functions of s/T, so the derivative in log T is -s . d_scores; d sigmoid = x (1 - x).
    (*gradient)[temperature_at()] -= dot(scores, d_scores) * squash_slope;
    (*gradient)[memory_at()] += gamma * (1.0 - gamma) * dot(as_span(d_context), row_span(f.d_memory, i));
    if (learns_alpha(map))
      (*gradient)[alpha_at()] += (map.alpha - 1.0) * (2.0 - map.alpha) * share * b.d_alpha;
  }
  if (gradient != nullptr)
    for (Index c = 0; c < d_keys.rows(); ++c)
      add_outer(gradient->data() + key_map_at(), row(d_keys, c), row_span(embeddings_, c));
  return sum(losses) * share;
}

}  // namespace engram::core
