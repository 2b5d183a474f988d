// SPDX-License-Identifier: MIT
#include "experiments/prediction/prediction.hpp"

namespace engram::experiments {
namespace {

void read_own_parts(ObjectReader& reader, PredictionOptions& prediction) {
  std::vector<std::string> known;
  for (const PredictionMethod& method : prediction_methods()) known.push_back(method.name);
  prediction.methods = reader.names("methods", known);
  prediction.generated = read_story(reader, "generated", prediction.generator);
  reader.ascending("origins", prediction.origins, 0.01, 0.99);
  reader.number("validation", prediction.validation, 0.01, 0.9);
  reader.numbers("recall_at", prediction.recall_at, 1, 1000);
  FittingOptions& options = prediction.fitting;
  reader.number("smoothing", options.smoothing, 1e-6, 0.5);
  reader.count("dimensions", options.dimensions, 1024);
  reader.number("temperature", options.temperature, 1e-3, 1e3);
  reader.number("alpha", options.alpha, 1.001, 1.999);
  core::TrainingOptions& training = options.training;
  reader.number("learning_rate", training.adam.learning_rate, 1e-6, 10);
  reader.count("epochs", training.max_epochs, 100'000);
  reader.count("patience", training.patience, 100'000);
}

}  // namespace

void Prediction::read(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec, true);
  read_own_parts(reader, options_);
  if (spec.inputs.empty() && !options_.generated)
    throw SpecError("/inputs", "expected a list of files, since no stream is generated");
  read_seeds(reader, spec, 10);
  read_memory(reader, spec, false);
}

std::vector<std::string> Prediction::methods(const Spec& /*spec*/) const { return options_.methods; }

Measures Prediction::measures() const {
  return {"stream by stream, in files block of episodes by block of episodes", [](const Json& row) {
            const bool generated = row.at("generated").get<bool>();
            const auto first = whole(row.at("held_out").at(0));
            std::vector<Observation> all;
            if (!row.contains("log_loss")) return all;
            const Json& losses = row.at("log_loss");
            for (std::size_t i = 0; i < losses.size(); ++i)
              all.push_back({"log-loss", row.at("method").get<std::string>(),
                             generated ? "seed " + row.at("seed").dump()
                                       : "block " + std::to_string((first + i) / episode_block),
                             losses[i].get<double>(), row.at("stream").get<std::string>()});
            return all;
          }};
}

std::unique_ptr<Experiment> prediction_experiment() { return std::make_unique<Prediction>(); }

}  // namespace engram::experiments
