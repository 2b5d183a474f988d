// SPDX-License-Identifier: MIT
#include "experiments/prediction/prediction_training.hpp"

#include <algorithm>

#include "experiments/formats/files.hpp"

namespace engram::experiments::prediction {
namespace {

using core::Index;

// Limit on concepts: the memory for counts and couplings grows with their square.
constexpr std::size_t most_concepts = 2048;
constexpr Index fewest_episodes = 20;

}  // namespace

void read_fitting(SpecReader& reader, FittingOptions& options) {
  reader.number("smoothing", options.smoothing, 1e-6, 0.5);
  reader.count("dimensions", options.dimensions, 1024);
  reader.number("temperature", options.temperature, 1e-3, 1e3);
  reader.number("alpha", options.alpha, 1.001, 1.999);
  core::TrainingOptions& training = options.training;
  reader.number("learning_rate", training.adam.learning_rate, 1e-6, 10);
  reader.count("epochs", training.max_epochs, 100'000);
  reader.count("patience", training.patience, 100'000);
}

PredictionTrainingSpec read_prediction_training(const Json& json,
                                                const std::vector<std::filesystem::path>& folders) {
  return checked([&] {
    PredictionTrainingSpec training;
    Spec spec;
    SpecReader reader(JsonValue(json), folders);
    training.method = reader.choice("method", "", trained_methods());
    read_inputs(reader, spec, true);
    training.inputs = spec.inputs;
    if (spec.inputs.size() > 1)
      throw SpecError("/inputs", "must be one file, or none, found " + std::to_string(spec.inputs.size()) +
                                     ": a model is of one stream");
    if (spec.inputs.empty() && !read_story(reader, "generated", training.generator))
      throw SpecError("/inputs", "must be a file, since nothing is generated");
    reader.number("known", training.known, 0.01, 1);
    reader.number("validation", training.validation, 0.01, 0.9);
    reader.count("seed", training.fitting.seed, 9007199254740991, 0);
    read_fitting(reader, training.fitting);
    read_memory(reader, spec, false);
    training.memory = spec.memory;
    reader.refuse_others();
    training.resolved = reader.resolved;
    return training;
  });
}

std::optional<EventStream> file_stream(const Input& input, const core::MemoryOptions& memory,
                                       Rejections& rejections) {
  const Corpus corpus = load_corpus(input, memory);
  add_rejections(rejections, corpus);
  EventStream stream = event_stream(corpus);
  const auto refuse = [&](const std::string& what, std::size_t found) {
    rejections.emplace_back(
        input.name, core::RejectedLine{1, 1, "the file must " + what + ", found " + std::to_string(found)});
    return std::nullopt;
  };
  if (stream.episodes.rows() < fewest_episodes)
    return refuse("hold at least 20 judgments or goals with a tense",
                  static_cast<std::size_t>(stream.episodes.rows()));
  if (stream.concepts.size() > most_concepts)
    return refuse("name at most 2048 concepts", stream.concepts.size());
  return stream;
}

std::optional<EventStream> stream_of(const PredictionTrainingSpec& spec, Rejections& rejections) {
  if (spec.inputs.empty()) return generate_stream(spec.generator, spec.fitting.seed);
  return file_stream(spec.inputs.front(), spec.memory, rejections);
}

TrainedPrediction train_prediction(const PredictionTrainingSpec& spec, const EventStream& stream) {
  Split split;
  try {
    split = known_part(stream.episodes.rows(), spec.known, spec.validation);
  } catch (const std::invalid_argument& error) {
    throw InputError(stream.name + ": " + error.what());
  }
  const auto method = std::ranges::find(prediction_methods(), spec.method, &PredictionMethod::name);
  Predictor predictor = method->fit(stream, split, spec.fitting);
  TrainedPrediction trained;
  trained.training = std::move(predictor.training);
  trained.learnt = split.training.size();
  trained.held_back = split.validation.size();
  Json inputs = Json::object();
  for (const Input& input : spec.inputs) inputs[input.name] = sha256_of_file(input.path);
  const core::Training& training = trained.training;
  trained.model = {spec.method,
                   stream.concepts,
                   concept_embeddings(stream, split, spec.fitting),
                   training.parameters,
                   seen_episodes(stream, split.validation.last),
                   {{"by", "engram train"},
                    {"spec", spec.resolved},
                    {"sha256_of_inputs", inputs},
                    {"episodes", trained.learnt},
                    {"held_back", trained.held_back},
                    {"epochs", training.best_epoch},
                    {"loss_held_back",
                     {{"before", training.validation_loss.front()},
                      {"after", training.validation_loss[static_cast<std::size_t>(training.best_epoch)]}}}}};
  return trained;
}

}  // namespace engram::experiments::prediction
