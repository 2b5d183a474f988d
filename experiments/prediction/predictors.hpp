// SPDX-License-Identifier: MIT
// Predictors of the next episode, which are fitted on the same part of a stream, then frozen and tested.
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

/// The parts of a stream, in the order of time and disjoint.
struct Split {
  core::EpisodeRange training;  // for training; begins with episode 1, because episode 0 lacks a predecessor
  core::EpisodeRange validation;  // for early stopping, or to choose a method's parameter
  core::EpisodeRange held_out;    // for the test only
};

/// Splits a stream for a test. The share `origin` is known, and its last part, the share `validation` of it, is for
/// validation. The following episodes up to the share `end` are held out.
/// Errors   std::invalid_argument if a part would be empty
Split split_stream(core::Index episodes, double origin, double end, double validation);

/// Splits the first share `known` of a stream into training and validation, without a held-out part.
/// Errors   std::invalid_argument if a part would be empty
Split known_part(core::Index episodes, double known, double validation);

/// A fitted method. Row i of `predict(range)` is the distribution over concepts for episode range.first + i, without
/// smoothing. It depends only on earlier episodes. The stream must outlive the predictor.
struct Predictor {
  std::function<core::Matrix(core::EpisodeRange)> predict;
  std::vector<std::pair<std::string, double>> chosen = {};  // values chosen by validation or training
  core::Training training = {};                             // empty for untrained methods
};

/// Options for fitting the methods.
struct FittingOptions {
  core::Index dimensions = 48;  // dimensions of the embeddings
  std::uint64_t seed = 1;       // seed of the embeddings
  double temperature = 0.25;    // initial temperature of attention
  double alpha = 1.5;           // initial alpha of entmax
  double smoothing = 0.02;      // share of each prediction that is spread evenly before its log-loss
  core::TrainingOptions training;
};

/// A prediction method: its name in specs, and a function that fits it without reading the held-out part.
struct PredictionMethod {
  std::string name, summary;
  Predictor (*fit)(const EventStream& stream, const Split& split, const FittingOptions& options);
};

/// All methods, in the order of tables.
const std::vector<PredictionMethod>& prediction_methods();

/// The map of a trained method. Empty for untrained methods.
std::optional<core::Regulariser> trained_regulariser(std::string_view method);
/// The names of the trained methods.
std::vector<std::string> trained_methods();

/// Adds the baselines that every table contains: `markov` (a simple rule), `frequency` and `uniform`.
std::vector<std::string> with_prediction_baselines(std::vector<std::string> methods);

/// Mean smoothed log-loss of predictions over a range.
double mean_log_loss(const Predictor& predictor, const EventStream& stream, core::EpisodeRange range,
                     double smoothing);

/// Share of the episode's concepts that are among the k most probable, averaged over the orders of ties. A uniform
/// prediction scores k/n.
double recall_at(const core::Vector& p, std::span<const std::uint32_t> active, std::size_t k);

/// Initial embeddings of the attention methods, with rows of length 1: random indexing of the concepts that occur
/// together in the training part and the background (EventStream::background). In addition, each concept occurs once
/// alone.
core::Matrix concept_embeddings(const EventStream& stream, const Split& split, const FittingOptions& options);

}  // namespace engram::experiments::prediction
