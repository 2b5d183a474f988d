// SPDX-License-Identifier: MIT
#include "experiments/prediction/prediction_model.hpp"

#include <numeric>

#include "experiments/formats/files.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments::prediction {
namespace {

using core::Index;

EventStream named_stream(std::vector<std::string> concepts,
                         const std::vector<std::vector<std::uint32_t>>& episodes) {
  EventStream stream;
  stream.name = "named";
  stream.concepts = std::move(concepts);
  stream.episodes = stream.background = core::SparseRows(static_cast<Index>(stream.concepts.size()));
  for (const auto& active : episodes)
    stream.episodes.push_row(active, std::vector<double>(active.size(), 1.0));
  return stream;
}

// A stream of 40 episodes with one concept each, which repeats the three concepts of `order`.
EventStream cycle(std::vector<std::string> concepts, std::vector<std::uint32_t> order) {
  std::vector<std::vector<std::uint32_t>> episodes;
  for (std::size_t t = 0; t < 40; ++t) episodes.push_back({order[t % 3]});
  return named_stream(std::move(concepts), episodes);
}

PredictionModel trained_model(const EventStream& stream, const char* method = "trained_attention") {
  PredictionTrainingSpec spec;
  spec.method = method;
  spec.fitting.dimensions = 8;
  spec.fitting.training.max_epochs = 60;
  return train_prediction(spec, stream).model;
}

std::string refusal(const std::string& text) {
  try {
    prediction_model_in(text, "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The text of a changed model, with its checksum updated.
std::string resummed(const PredictionModel& model, const std::function<void(Json&)>& change) {
  Json json = Json::parse(to_text(model));
  change(json);
  json.erase("sha256");
  json["sha256"] = sha256_of_text(json.dump());
  return json.dump();
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a model predicts another stream with the concepts matched by name", "[experiments][prediction]") {
  const EventStream first = cycle({"a", "b", "c"}, {0, 1, 2}),
                    second = cycle({"c", "new", "a", "b"}, {2, 3, 0});
  for (const char* method : {"trained_attention", "trained_entmax", "trained_sparsemax"}) {
    const PredictionModel model = trained_model(first, method);
    const Predictor predictor = predictor_of(model, second);
    const core::Matrix p = predictor.predict({20, 23});  // episodes 20 to 22 are c, a and b
    for (Index i = 0; i < 3; ++i) {
      CHECK(p.row(i).sum() == Approx(1));
      CHECK(p(i, std::array<Index, 3>{0, 2, 3}[static_cast<std::size_t>(i)]) > 0.8);
    }
    const auto known = std::ranges::find(predictor.chosen, "known", &std::pair<std::string, double>::first);
    REQUIRE(known != predictor.chosen.end());
    CHECK(known->second == 0.75);
  }
}

TEST_CASE("concepts that a model does not know get equal probabilities", "[experiments][prediction]") {
  const PredictionModel model = trained_model(cycle({"a", "b", "c"}, {0, 1, 2}));
  const core::Matrix p = predictor_of(model, cycle({"x", "y", "z"}, {0, 1, 2})).predict({5, 7});
  for (const double share : p.reshaped()) CHECK(share == Approx(1.0 / 3).epsilon(1e-12));
}

TEST_CASE("training alone gives exactly the model that the experiment trains at that origin",
          "[experiments][prediction]") {
  const EventStream stream = generate_stream({.episodes = 60}, 5);
  PredictionTrainingSpec spec;
  spec.method = "trained_entmax";
  spec.known = 0.5;
  spec.fitting.seed = 5;
  spec.fitting.dimensions = 12;
  spec.fitting.training.max_epochs = 20;
  const PredictionModel model = train_prediction(spec, stream).model;
  const Split split = split_stream(60, 0.5, 1, 0.25);
  const auto method = std::ranges::find(prediction_methods(), "trained_entmax", &PredictionMethod::name);
  const core::Matrix there = method->fit(stream, split, spec.fitting).predict(split.held_out);
  const PredictionModel again = prediction_model_in(to_text(model), "m");
  CHECK(to_text(again) == to_text(model));
  CHECK(predictor_of(again, stream).predict(split.held_out) == there);
  CHECK(model.seen.episodes == 30);
}

TEST_CASE("a stream that begins with a model's training episodes is recognised",
          "[experiments][prediction]") {
  const EventStream stream = generate_stream({.episodes = 40}, 2),
                    other = generate_stream({.episodes = 40}, 3);
  const SeenEpisodes seen = seen_episodes(stream, 30);
  CHECK(begins_with(stream, seen));
  CHECK_FALSE(begins_with(other, seen));
  // Concepts are compared by name, so their order may differ. The stream may also continue after these episodes.
  std::vector<std::string> names(stream.concepts.rbegin(), stream.concepts.rend());
  std::vector<std::vector<std::uint32_t>> episodes;
  for (Index t = 0; t < 31; ++t) {
    episodes.emplace_back();
    for (const std::uint32_t id : stream.episodes.columns_of(t))
      episodes.back().insert(episodes.back().begin(), static_cast<std::uint32_t>(names.size()) - 1 - id);
  }
  CHECK(begins_with(named_stream(names, episodes), seen));
  episodes[29].pop_back();
  CHECK_FALSE(begins_with(named_stream(names, episodes), seen));
  episodes.resize(20);
  CHECK_FALSE(begins_with(named_stream(names, episodes), seen));
}

TEST_CASE("an invalid prediction model is refused", "[experiments][prediction]") {
  const PredictionModel model = trained_model(cycle({"a", "b", "c"}, {0, 1, 2}));
  const std::string text = to_text(model);
  CHECK(refusal(text).empty());
  CHECK(refusal(resummed(model, [](Json&) {})).empty());
  CHECK(says(refusal(""), "m: is no model"));
  CHECK(says(refusal("{}"), "m: is no model: /engram_predictor"));
  CHECK(says(refusal(text.substr(0, text.size() / 2)), "is no model"));
  std::string damaged = text;
  damaged.replace(damaged.find("\"a\""), 3, "\"d\"");
  CHECK(says(refusal(damaged), "damaged"));
  const auto refused = [&](auto change) { return refusal(resummed(model, change)); };
  CHECK(says(refused([](Json& json) { json["engram_predictor"] = 2; }), "format 2"));
  CHECK(says(refused([](Json& json) { json["method"] = "markov"; }), "/method"));
  CHECK(says(refused([](Json& json) { json["concepts"][1] = "a"; }), "/concepts/1"));
  CHECK(says(refused([](Json& json) { json["concepts"] = Json::array(); }), "/concepts"));
  CHECK(says(refused([](Json& json) { json["embeddings"].erase(0); }), "/embeddings"));
  CHECK(says(refused([](Json& json) { json["embeddings"] = Json::array(); }), "/embeddings"));
  CHECK(says(refused([](Json& json) { json["parameters"].erase(0); }), "is no model: parameters"));
  CHECK(says(refused([](Json& json) { json["parameters"][3] = 1e300; }), "/parameters/3"));
  CHECK(says(refused([](Json& json) { json["parameters"][3] = "x"; }), "/parameters/3"));
  CHECK(says(refused([](Json& json) { json["seen"].erase("episodes"); }), "/seen/episodes"));
  CHECK(says(refused([](Json& json) { json.erase("made"); }), "/made"));
  CHECK(says(refused([](Json& json) { json["more"] = 1; }), "more"));
}

}  // namespace engram::experiments::prediction
