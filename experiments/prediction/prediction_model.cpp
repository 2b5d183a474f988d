// SPDX-License-Identifier: MIT
#include "experiments/prediction/prediction_model.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "bridge/json/object_reader.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments::prediction {
namespace {

using bridge::JsonValue;
using core::Index;

constexpr std::int64_t version = 1;
// Largest number that a file may contain. It exceeds all trained values, and sums of products stay finite.
constexpr double largest = 1e6;
// Enough for the largest model that a spec allows, which has 2048 concepts in 1024 dimensions.
constexpr bridge::JsonLimits limits{
    .max_bytes = std::size_t{160} << 20, .max_depth = 16, .max_values = std::size_t{5} << 20};

core::Vector numbers_in(const JsonValue& given) {
  core::Vector numbers(static_cast<Index>(given.list("a list of numbers").size()));
  for (std::size_t i = 0; i < given.size(); ++i)
    numbers[static_cast<Index>(i)] = given[i].number(-largest, largest);
  return numbers;
}

std::vector<std::string> concepts_in(const JsonValue& given) {
  std::vector<std::string> concepts;
  std::set<std::string> known;
  for (std::size_t i = 0; i < given.list("a list of concepts", 1).size(); ++i) {
    concepts.push_back(given[i].text("a concept"));
    if (!known.insert(concepts.back()).second) given[i].refuse("a concept that is not in the list yet");
  }
  return concepts;
}

core::AttentionModel attention_of(const PredictionModel& model, core::Matrix embeddings) {
  core::AttentionModelOptions options;
  options.regulariser = *trained_regulariser(model.method);
  core::AttentionModel attention(std::move(embeddings), options);
  attention.set_parameters(model.parameters);
  return attention;
}

PredictionModel model_of(const Json& json) {
  bridge::ObjectReader reader((JsonValue(json)));
  const auto found = reader["engram_predictor"].required("a model of prediction").whole_number(1, 1'000'000);
  if (found != version)
    throw InputError("is a model of format " + std::to_string(found) + "; this program reads format " +
                     std::to_string(version));
  const std::string sum = reader["sha256"].required("the model's SHA-256").text();
  Json summed = json;
  summed.erase("sha256");
  if (sha256_of_text(summed.dump()) != sum)
    throw InputError("is damaged or was changed: its SHA-256 does not match its contents");
  PredictionModel model;
  model.method = reader["method"].choice("", trained_methods());
  model.concepts = concepts_in(reader["concepts"]);
  const JsonValue embeddings = reader["embeddings"], seen = reader["seen"];
  const core::Vector numbers = numbers_in(embeddings);
  const auto n = static_cast<Index>(model.concepts.size());
  if (numbers.size() == 0 || numbers.size() % n != 0)
    embeddings.refuse("the same number of numbers for each of " + std::to_string(n) + " concepts",
                      std::to_string(numbers.size()));
  model.embeddings = Eigen::Map<const core::Matrix>(numbers.data(), n, numbers.size() / n);
  model.parameters = numbers_in(reader["parameters"]);
  bridge::ObjectReader of_seen(seen);
  model.seen.episodes =
      of_seen["episodes"].required("the number of episodes").whole_number(0, std::int64_t{1} << 40);
  model.seen.sha256 = of_seen["sha256"].required("the SHA-256 of the episodes").text();
  of_seen.refuse_others();
  model.made = reader["made"].object().json();
  reader.refuse_others();
  try {
    attention_of(model, model.embeddings);
  } catch (const std::invalid_argument& error) {
    throw InputError(std::string("is no model: ") + error.what());
  }
  return model;
}

// Limit on the concepts of a file, because the memory for counts and couplings grows with the square of their number.
constexpr std::size_t most_concepts = 2048;
constexpr Index fewest_episodes = 20;

Json list_of(const double* begin, Index size) { return std::vector<double>(begin, begin + size); }

}  // namespace

SeenEpisodes seen_episodes(const EventStream& stream, Index episodes) {
  std::string text;
  for (Index t = 0; t < episodes; ++t) {
    std::set<std::string> active;
    for (const std::uint32_t id : stream.episodes.columns_of(t)) active.insert(stream.concepts[id]);
    for (const std::string& concept_name : active) text += concept_name + "\t";
    text += "\n";
  }
  return {episodes, sha256_of_text(text)};
}

bool begins_with(const EventStream& stream, const SeenEpisodes& seen) {
  return seen.episodes <= stream.episodes.rows() &&
         seen_episodes(stream, seen.episodes).sha256 == seen.sha256;
}

std::string to_text(const PredictionModel& model) {
  Json json = {{"engram_predictor", version},
               {"method", model.method},
               {"concepts", model.concepts},
               {"embeddings", list_of(model.embeddings.data(), model.embeddings.size())},
               {"parameters", list_of(model.parameters.data(), model.parameters.size())},
               {"seen", {{"episodes", model.seen.episodes}, {"sha256", model.seen.sha256}}},
               {"made", model.made}};
  json["sha256"] = sha256_of_text(json.dump());
  return json.dump() + "\n";
}

PredictionModel prediction_model_in(std::string_view text, const std::string& name) {
  const auto json = bridge::read_json(text, limits);
  try {
    if (!json) throw InputError("is no model: " + json.error().message());
    return model_of(*json);
  } catch (const bridge::JsonError& error) {
    throw InputError(name + ": is no model: " + error.message());
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
}

PredictionModel read_prediction_model(const std::filesystem::path& path) {
  return prediction_model_in(read_file(path), path.string());
}

Predictor predictor_of(const PredictionModel& model, const EventStream& stream) {
  std::map<std::string, Index> rows;
  for (std::size_t i = 0; i < model.concepts.size(); ++i)
    rows.emplace(model.concepts[i], static_cast<Index>(i));
  core::Matrix embeddings =
      core::Matrix::Zero(static_cast<Index>(stream.concepts.size()), model.embeddings.cols());
  double known = 0;
  for (std::size_t i = 0; i < stream.concepts.size(); ++i)
    if (const auto row = rows.find(stream.concepts[i]); row != rows.end()) {
      embeddings.row(static_cast<Index>(i)) = model.embeddings.row(row->second);
      ++known;
    }
  const core::AttentionModel attention = attention_of(model, std::move(embeddings));
  Predictor predictor{
      [&stream, attention](core::EpisodeRange range) { return attention.predict(stream.episodes, range); },
      {{"temperature", attention.temperature()},
       {"memory", attention.memory()},
       {"known", known / static_cast<double>(stream.concepts.size())}}};
  if (trained_regulariser(model.method)->map == core::SimplexMap::entmax)
    predictor.chosen.emplace_back("alpha", attention.alpha());
  return predictor;
}

// --- training

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
                                     ": a model has one stream");
    if (spec.inputs.empty() && !read_story(reader, "generated", training.generator))
      throw SpecError("/inputs", "must be a file, because /generated is false");
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
  const core::Training& training = trained.training;
  trained.model = {spec.method,
                   stream.concepts,
                   concept_embeddings(stream, split, spec.fitting),
                   training.parameters,
                   seen_episodes(stream, split.validation.last),
                   {{"by", "engram train"},
                    {"spec", spec.resolved},
                    {"sha256_of_inputs", sha256_of(spec.inputs)},
                    {"episodes", trained.learnt},
                    {"held_back", trained.held_back},
                    {"epochs", training.best_epoch},
                    {"loss_held_back",
                     {{"before", training.validation_loss.front()},
                      {"after", training.validation_loss[static_cast<std::size_t>(training.best_epoch)]}}}}};
  return trained;
}

}  // namespace engram::experiments::prediction
