// SPDX-License-Identifier: MIT
#include "experiments/prediction/predictors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/embeddings/embedding.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::experiments::prediction {
namespace {

using core::EpisodeRange;
using core::Index;
using core::Matrix;
using core::SparseRows;
using core::Vector;

constexpr const char* every_part = "every part of a stream must have at least one episode";

struct TrainedMap {
  std::string_view name;
  core::SimplexMap map;
};
constexpr std::array<TrainedMap, 3> trained_maps{{{"trained_attention", core::SimplexMap::softmax},
                                                  {"trained_entmax", core::SimplexMap::entmax},
                                                  {"trained_sparsemax", core::SimplexMap::sparsemax}}};

std::vector<std::uint32_t> active_in(const SparseRows& episodes, Index t) {
  const auto active = episodes.columns_of(t);
  return {active.begin(), active.end()};
}

// Predicts each episode from the episode before it.
template <class After>
std::function<Matrix(EpisodeRange)> from_last(const EventStream& stream, After after) {
  return [&stream, after](EpisodeRange range) {
    Matrix p(range.size(), stream.episodes.columns());
    for (Index i = 0; i < range.size(); ++i)
      p.row(i) = after(active_in(stream.episodes, range.first + i - 1)).transpose();
    return p;
  };
}

// Makes a predictor for each candidate value. Returns the one with the least log-loss on the validation part; the first
// one wins ties.
template <class Make>
Predictor choose(const char* what, const std::vector<double>& candidates, const EventStream& stream,
                 const Split& split, double smoothing, Make make) {
  Predictor best;
  double least = std::numeric_limits<double>::infinity();
  for (const double candidate : candidates) {
    Predictor predictor{make(candidate), {{what, candidate}}};
    const double loss = mean_log_loss(predictor, stream, split.validation, smoothing);
    if (loss < least) {
      least = loss;
      best = std::move(predictor);
    }
  }
  return best;
}

// The powers 2^from, 2^(from+1), ..., 2^to, all exact.
std::vector<double> powers_of_two(int from, int to) {
  std::vector<double> powers;
  for (int e = from; e <= to; ++e) powers.push_back(std::ldexp(1.0, e));
  return powers;
}

Vector mean_episode(const EventStream& stream, EpisodeRange range) {
  Vector mean = Vector::Zero(stream.episodes.columns());
  for (Index t = range.first; t < range.last; ++t) mean += core::episode_distribution(stream.episodes, t);
  return mean / static_cast<double>(range.size());
}

// --- the methods

Predictor fit_uniform(const EventStream& stream, const Split&, const FittingOptions&) {
  const Index n = stream.episodes.columns();
  return {[n](EpisodeRange range) {
    return Matrix(Matrix::Constant(range.size(), n, 1.0 / static_cast<double>(n)));
  }};
}

Predictor fit_frequency(const EventStream& stream, const Split& split, const FittingOptions&) {
  const Vector frequency = mean_episode(stream, split.training);
  return {from_last(stream, [frequency](const auto&) { return frequency; })};
}

// Recency: predicts that recently active concepts become active again. The prediction for episode t is proportional to
// sum_j decay^j y_{t-j}, with y_i the distribution of episode i over its concepts.
Predictor fit_recency(const EventStream& stream, const Split& split, const FittingOptions& options) {
  const auto make = [&stream](double decay) {
    return [&stream, decay](EpisodeRange range) {
      Matrix p(range.size(), stream.episodes.columns());
      Vector trace = Vector::Zero(p.cols());
      double weight = 0;
      for (Index t = 0; t + 1 < range.last; ++t) {
        trace = decay * trace + core::episode_distribution(stream.episodes, t);
        weight = decay * weight + 1;
        if (t + 1 >= range.first) p.row(t + 1 - range.first) = (trace / weight).transpose();
      }
      return p;
    };
  };
  return choose("decay", {0, 0.25, 0.5, 0.75, 0.875, 0.9375, 0.96875, 0.984375, 0.9921875}, stream, split,
                options.smoothing, make);
}

// Sum of the distributions of the episodes that followed a concept or episode, and their number.
struct Followers {
  Vector sum;
  double times = 0;
};

// Markov chain over concepts. The prediction is the mean over the concepts of the previous episode of
//     P(. | concept) = (sum of its followers + strength * frequency) / (times + strength).
Predictor fit_markov(const EventStream& stream, const Split& split, const FittingOptions& options) {
  const Index n = stream.episodes.columns();
  const Vector frequency = mean_episode(stream, split.training);
  std::vector<Followers> after(static_cast<std::size_t>(n), {Vector::Zero(n), 0});
  for (Index t = split.training.first; t < split.training.last; ++t)
    for (const std::uint32_t id : active_in(stream.episodes, t - 1)) {
      after[id].sum += core::episode_distribution(stream.episodes, t);
      after[id].times += 1;
    }
  const auto make = [&](double strength) {
    return from_last(stream, [=](const std::vector<std::uint32_t>& active) {
      Vector p = Vector::Zero(n);
      for (const std::uint32_t id : active)
        p += (after[id].sum + strength * frequency) / (after[id].times + strength);
      return Vector(p / static_cast<double>(active.size()));
    });
  };
  return choose("strength", powers_of_two(-6, 5), stream, split, options.smoothing, make);
}

// Markov chain over whole episodes, which falls back on the chain over concepts. It memorises each situation and
// recognises only exact repetitions.
Predictor fit_episode_markov(const EventStream& stream, const Split& split, const FittingOptions& options) {
  const Predictor concepts = fit_markov(stream, split, options);
  std::map<std::vector<std::uint32_t>, Followers> after;
  for (Index t = split.training.first; t < split.training.last; ++t) {
    auto [place, is_new] = after.try_emplace(active_in(stream.episodes, t - 1),
                                             Followers{Vector::Zero(stream.episodes.columns()), 0});
    place->second.sum += core::episode_distribution(stream.episodes, t);
    place->second.times += 1;
  }
  const auto make = [&](double strength) {
    return [=, &stream](EpisodeRange range) {
      Matrix p = concepts.predict(range);
      for (Index i = 0; i < range.size(); ++i)
        if (const auto place = after.find(active_in(stream.episodes, range.first + i - 1));
            place != after.end())
          p.row(i) = (place->second.sum.transpose() + strength * p.row(i)) / (place->second.times + strength);
      return p;
    };
  };
  Predictor predictor = choose("strength", powers_of_two(-6, 5), stream, split, options.smoothing, make);
  predictor.chosen.insert(predictor.chosen.end(), concepts.chosen.begin(), concepts.chosen.end());
  predictor.chosen.back().first = "strength_of_concepts";
  return predictor;
}

// Asymmetric Hopfield network of n concepts: W = (1/n) sum_t xi^{t+1} xi^t'. The vector xi^t has the activity (0 or 1)
// of each concept in episode t, minus the mean activity. Without this subtraction, frequent concepts would dominate,
// because episodes are sparse. The prediction is the softmax of the field W xi.
Predictor fit_hopfield(const EventStream& stream, const Split& split, const FittingOptions& options) {
  const Index n = stream.episodes.columns();
  Vector activity = Vector::Zero(n);
  for (Index t = split.training.first - 1; t < split.training.last; ++t)
    for (const std::uint32_t id : stream.episodes.columns_of(t)) activity[id] += 1;
  activity /= static_cast<double>(split.training.size() + 1);
  const auto pattern = [activity](const std::vector<std::uint32_t>& active) {
    Vector xi = -activity;
    for (const std::uint32_t id : active) xi[id] += 1;
    return xi;
  };
  Matrix weights = Matrix::Zero(n, n);
  for (Index t = split.training.first; t < split.training.last; ++t) {
    const Vector before = pattern(active_in(stream.episodes, t - 1));
    const Vector now = pattern(active_in(stream.episodes, t));
    for (Index i = 0; i < n; ++i) weights.row(i) += now[i] / static_cast<double>(n) * before.transpose();
  }
  const auto make = [&](double temperature) {
    return from_last(stream, [=](const std::vector<std::uint32_t>& active) {
      return core::apply(core::SimplexMap::softmax, core::multiply(weights, pattern(active)), temperature);
    });
  };
  return choose("temperature", powers_of_two(-10, 8), stream, split, options.smoothing, make);
}

core::AttentionModel make_model(const EventStream& stream, const Split& split, const FittingOptions& options,
                                core::Regulariser regulariser) {
  core::AttentionModelOptions model;
  model.regulariser = regulariser;
  model.smoothing = options.smoothing;
  model.temperature = options.temperature;
  return {concept_embeddings(stream, split, options), model};
}

std::function<Matrix(EpisodeRange)> predict_with(const EventStream& stream,
                                                 const core::AttentionModel& model) {
  return [&stream, model](EpisodeRange range) { return model.predict(stream.episodes, range); };
}

Predictor fit_untrained(const EventStream& stream, const Split& split, const FittingOptions& options) {
  return {predict_with(stream, make_model(stream, split, options, core::SimplexMap::softmax))};
}

Predictor fit_temperature(const EventStream& stream, const Split& split, const FittingOptions& options) {
  const auto make = [&](double temperature) {
    core::AttentionModelOptions model;
    model.temperature = temperature;
    return predict_with(stream, {concept_embeddings(stream, split, options), model});
  };
  return choose("temperature", powers_of_two(-8, 4), stream, split, options.smoothing, make);
}

Predictor fit_trained(const EventStream& stream, const Split& split, const FittingOptions& options,
                      core::Regulariser regulariser) {
  core::AttentionModel model = make_model(stream, split, options, regulariser);
  const auto loss_on = [&](EpisodeRange range) {
    return [&, range](const Vector& parameters, Vector* gradient) {
      model.set_parameters(parameters);
      return model.loss(stream.episodes, range, core::TrainingLoss::fenchel_young, gradient);
    };
  };
  core::Training training =
      core::train(model.parameters(), loss_on(split.training), loss_on(split.validation), options.training);
  model.set_parameters(training.parameters);
  std::vector<std::pair<std::string, double>> chosen{
      {"temperature", model.temperature()}, {"memory", model.memory()}, {"best_epoch", training.best_epoch}};
  if (regulariser.map == core::SimplexMap::entmax) chosen.emplace_back("alpha", model.alpha());
  return {predict_with(stream, model), std::move(chosen), std::move(training)};
}

template <core::SimplexMap map>
Predictor fit_map(const EventStream& stream, const Split& split, const FittingOptions& options) {
  return fit_trained(stream, split, options, {map, options.alpha});
}

Index place_of(double share, Index episodes) {
  return static_cast<Index>(std::floor(share * static_cast<double>(episodes)));
}

}  // namespace

Split split_stream(Index episodes, double origin, double end, double validation) {
  Split split = known_part(episodes, origin, validation);
  split.held_out.last = place_of(end, episodes);
  core::require(split.held_out.size() > 0, every_part);
  return split;
}

Split known_part(Index episodes, double known, double validation) {
  const Index end = place_of(known, episodes), held_back = place_of(validation, end);
  const Split split{{1, end - held_back}, {end - held_back, end}, {end, end}};
  core::require(split.training.size() > 0 && split.validation.size() > 0, every_part);
  return split;
}

std::optional<core::Regulariser> trained_regulariser(std::string_view method) {
  const auto trained = std::ranges::find(trained_maps, method, &TrainedMap::name);
  if (trained == trained_maps.end()) return {};
  return core::Regulariser(trained->map);
}

std::vector<std::string> trained_methods() {
  std::vector<std::string> names;
  for (const TrainedMap& trained : trained_maps) names.emplace_back(trained.name);
  return names;
}

const std::vector<PredictionMethod>& prediction_methods() {
  static const std::vector<PredictionMethod> all{
      {"trained_attention", "trained attention with softmax", fit_map<core::SimplexMap::softmax>},
      {"trained_entmax", "trained attention with alpha-entmax, alpha included",
       fit_map<core::SimplexMap::entmax>},
      {"trained_sparsemax", "trained attention with sparsemax", fit_map<core::SimplexMap::sparsemax>},
      {"untrained_attention", "attention with its initial parameters", fit_untrained},
      {"untrained_fitted", "untrained attention with a chosen temperature", fit_temperature},
      {"markov", "Markov chain over concepts", fit_markov},
      {"episode_markov", "Markov chain over whole episodes, else over concepts", fit_episode_markov},
      {"asymmetric_hopfield", "couplings from each episode to the next", fit_hopfield},
      {"recency", "recently active concepts", fit_recency},
      {"frequency", "frequently active concepts", fit_frequency},
      {"uniform", "the same probability for every concept", fit_uniform}};
  return all;
}

double mean_log_loss(const Predictor& predictor, const EventStream& stream, EpisodeRange range,
                     double smoothing) {
  const Matrix p = predictor.predict(range);
  Vector loss(range.size());
  for (Index i = 0; i < range.size(); ++i)
    loss[i] = core::smoothed_log_loss(
        p.row(i).transpose(), core::episode_distribution(stream.episodes, range.first + i), smoothing);
  return core::sum(loss) / static_cast<double>(range.size());
}

double recall_at(const Vector& p, std::span<const std::uint32_t> active, std::size_t k) {
  double found = 0;
  for (const std::uint32_t id : active) {
    const auto above = static_cast<double>(std::ranges::count_if(p, [&](double x) { return x > p[id]; }));
    const auto tied = static_cast<double>(std::ranges::count(p, p[id]));  // includes the concept `id`
    found += std::clamp((static_cast<double>(k) - above) / tied, 0.0, 1.0);
  }
  return found / static_cast<double>(active.size());
}

Matrix concept_embeddings(const EventStream& stream, const Split& split, const FittingOptions& options) {
  SparseRows said(stream.episodes.columns());
  const std::vector<double> ones(static_cast<std::size_t>(said.columns()), 1.0);
  const auto add = [&](std::span<const std::uint32_t> active) {
    said.push_row(active, std::span(ones).first(active.size()));
  };
  for (Index id = 0; id < said.columns(); ++id)
    add(std::vector<std::uint32_t>{static_cast<std::uint32_t>(id)});
  for (Index row = 0; row < stream.background.rows(); ++row) add(stream.background.columns_of(row));
  for (Index t = 0; t < split.training.last; ++t) add(stream.episodes.columns_of(t));
  Matrix embeddings =
      core::random_indexing(said, options.dimensions, std::min<Index>(4, options.dimensions), options.seed);
  for (Index id = 0; id < embeddings.rows(); ++id) {
    const double length =
        std::sqrt(core::dot(core::row_span(embeddings, id), core::row_span(embeddings, id)));
    if (length > 0) embeddings.row(id) /= length;
  }
  return embeddings;
}

std::vector<std::string> with_prediction_baselines(std::vector<std::string> methods) {
  for (const char* baseline : {"markov", "frequency", "uniform"})
    if (std::ranges::find(methods, baseline) == methods.end()) methods.emplace_back(baseline);
  return methods;
}

}  // namespace engram::experiments::prediction
