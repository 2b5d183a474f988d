// SPDX-License-Identifier: MIT
// Ways to predict the next episode: each is fitted on the same part of a stream, then frozen and asked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attention_model.hpp"
#include "core/numbers/optimiser.hpp"
#include "experiments/inputs/event_stream.hpp"

namespace engram::experiments::prediction {

/// Which episodes of a stream are predicted for what; in the order of time, none in two parts.
struct Split {
  core::EpisodeRange training;    // what methods learn from, the first episode aside: nothing came before it
  core::EpisodeRange validation;  // what chooses one number a method, or when training stops
  core::EpisodeRange held_out;    // what counts
};

/// The first `origin` of the episodes, of which the last `validation` chooses; what follows up to `end`
/// counts.
/// Errors   std::invalid_argument if a part would be empty
Split split_stream(core::Index episodes, double origin, double end, double validation);

/// The first `known` of the episodes alone, of which the last `validation` chooses: nothing is held out.
/// Errors   std::invalid_argument if a part would be empty
Split known_part(core::Index episodes, double known, double validation);

/// A fitted method. Row i of `predict(range)` is a distribution over concepts, not yet smoothed, for episode
/// range.first + i, worked out from the episodes before that one alone. The stream must outlive it.
struct Predictor {
  std::function<core::Matrix(core::EpisodeRange)> predict;
  std::vector<std::pair<std::string, double>> chosen = {};  // what validation or training chose
  core::Training training = {};                             // empty for what is not trained
};

/// What the methods are fitted with.
struct FittingOptions {
  core::Index dimensions = 48;  // of the embeddings
  std::uint64_t seed = 1;       // likewise
  double temperature = 0.25;    // at which attention starts
  double alpha = 1.5;           // at which entmax starts
  double smoothing = 0.02;      // of every log-loss: what share of a prediction is spread evenly
  core::TrainingOptions training;
};

/// The name of a method in specs, and how it is fitted: from what stands before the held-out part alone.
struct PredictionMethod {
  std::string name, summary;
  Predictor (*fit)(const EventStream& stream, const Split& split, const FittingOptions& options);
};

/// In the order in which tables show them.
const std::vector<PredictionMethod>& prediction_methods();

/// The map that a method learns to use, where it is one that is trained; and the names of these.
std::optional<core::Regulariser> trained_regulariser(std::string_view method);
std::vector<std::string> trained_methods();

/// These methods and what each has to beat, in each table: `markov` (a simple rule), `frequency`, `uniform`.
std::vector<std::string> with_prediction_baselines(std::vector<std::string> methods);

/// Mean smoothed log-loss of predictions over a range.
double mean_log_loss(const Predictor& predictor, const EventStream& stream, core::EpisodeRange range,
                     double smoothing);

/// Share of the episode's concepts that are among the k best, on average over the orders of tied ones: with
/// no preferences at all it is k/n.
double recall_at(const core::Vector& p, std::span<const std::uint32_t> active, std::size_t k);

/// The embeddings that all attention starts from: random indexing of what the fitted parts and the background
/// mention together, each concept also once by itself; rows of length 1.
core::Matrix concept_embeddings(const EventStream& stream, const Split& split, const FittingOptions& options);

}  // namespace engram::experiments::prediction
