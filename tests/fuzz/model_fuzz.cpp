// SPDX-License-Identifier: MIT
// Fuzz target for forged models with a correct SHA-256. A model is refused with a reason, or it survives a round trip
// and works wherever models are used. libFuzzer makes new inputs (preset `fuzz`); replay.cpp replays the corpus.
//
// Format of an input: the text of a model, either of a method or of prediction. If the text is a JSON object, the
// target corrects its "sha256".
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bridge/files/sha256.hpp"
#include "bridge/json/json_reader.hpp"
#include "bridge/models/model.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/proofs/proof_training.hpp"
#include "core/session/session.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/prediction/prediction_model.hpp"
#include "tests/fuzz/promise.hpp"

using namespace engram;
using engram::fuzz::promise;

namespace {

constexpr std::uint64_t most_steps = 20'000'000;

std::string with_right_sum(const std::string& text) {
  auto json = bridge::read_json(text);
  if (!json || !json->is_object()) return text;
  bridge::Json model = *json;
  model.erase("sha256");
  model["sha256"] = bridge::sha256_of_text(model.dump());
  return model.dump();
}

// Recalls with the model's options and checks that all scores are finite.
void use(const bridge::Model& model, const std::string& text) {
  core::Session session;
  session.input(
      "<tim --> cat>. %0.9;0.8%\n<cat --> animal>.\n<(*,tim,tom) --> likes>.\n"
      "<(*,tom,ann) --> likes>.\n<<$x --> cat> ==> <$x --> animal>>.\n");
  const core::WorkBudget work({.steps = most_steps});
  try {
    const core::Recall recall = session.recall(core::ConfiguredMethod(model.method, model.options),
                                               *session.cue("<tim --> animal>?"));
    for (const double score : recall.statements.whole())
      promise(std::isfinite(score) && score >= 0, "scores are numbers, 0 or above", text);
  } catch (const core::OptionError&) {      // options that are valid alone, but exclude each other
  } catch (const core::WordVectorError&) {  // the model may name a missing file of word vectors
  } catch (const core::WorkStopped&) {
  }
  if (model.learning)
    promise(core::ProofLearner(*model.learning).state() == *model.learning,
            "a learner continues from the learnt state", text);
}

void check_method(const std::string& text) {
  std::optional<bridge::Model> model;
  try {
    model = bridge::model_in(text);
  } catch (const bridge::ModelError& error) {
    promise(*error.what() != '\0', "a refusal has a reason", text);
    return;
  }
  const std::string written = bridge::to_text(*model);
  promise(bridge::to_text(bridge::model_in(written)) == written,
          "writing and reading a model changes nothing", text, written);
  use(*model, text);
}

experiments::EventStream small_stream() {
  experiments::EventStream stream;
  stream.name = "small";
  stream.concepts = {"b", "a", "new"};
  stream.episodes = stream.background = core::SparseRows(3);
  for (const std::uint32_t id : {0U, 1U, 2U, 1U}) stream.episodes.push_row(std::vector{id}, std::vector{1.0});
  return stream;
}

void check_prediction(const std::string& text) {
  std::optional<experiments::prediction::PredictionModel> model;
  try {
    model = experiments::prediction::prediction_model_in(text, "model");
  } catch (const experiments::InputError& error) {
    promise(*error.what() != '\0', "a refusal has a reason", text);
    return;
  }
  const std::string written = experiments::prediction::to_text(*model);
  promise(experiments::prediction::to_text(experiments::prediction::prediction_model_in(written, "model")) ==
              written,
          "writing and reading a model changes nothing", text, written);
  const experiments::EventStream stream = small_stream();
  const core::Matrix p = experiments::prediction::predictor_of(*model, stream).predict({1, 4});
  for (core::Index i = 0; i < p.rows(); ++i)
    promise(std::abs(p.row(i).sum() - 1) < 1e-9 && p.row(i).minCoeff() >= 0, "predictions are distributions",
            text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string given(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {given, with_right_sum(given)}) {
    check_method(text);
    check_prediction(text);
  }
  return 0;
}
