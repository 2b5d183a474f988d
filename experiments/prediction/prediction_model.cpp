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
constexpr double largest = 1e6;  // above all trained values; keeps sums of products finite
// Enough for the limits of specs: 2048 concepts in 1024 dimensions.
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
    if (!known.insert(concepts.back()).second) given[i].refuse("a concept that did not stand before");
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
    throw InputError("is damaged or was changed: its SHA-256 is not that of what it holds");
  PredictionModel model;
  model.method = reader["method"].choice("", trained_methods());
  model.concepts = concepts_in(reader["concepts"]);
  const JsonValue embeddings = reader["embeddings"], seen = reader["seen"];
  const core::Vector numbers = numbers_in(embeddings);
  const auto n = static_cast<Index>(model.concepts.size());
  if (numbers.size() == 0 || numbers.size() % n != 0)
    embeddings.refuse("as many numbers for each of " + std::to_string(n) + " concepts",
                      std::to_string(numbers.size()));
  model.embeddings = Eigen::Map<const core::Matrix>(numbers.data(), n, numbers.size() / n);
  model.parameters = numbers_in(reader["parameters"]);
  bridge::ObjectReader of_seen(seen);
  model.seen.episodes = of_seen["episodes"].required("how many").whole_number(0, std::int64_t{1} << 40);
  model.seen.sha256 = of_seen["sha256"].required("the SHA-256 of what was seen").text();
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

}  // namespace engram::experiments::prediction
