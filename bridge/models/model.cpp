// SPDX-License-Identifier: MIT
#include "bridge/models/model.hpp"

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bridge/files/files.hpp"
#include "bridge/files/sha256.hpp"
#include "bridge/json/core_json.hpp"
#include "core/proofs/proof_methods.hpp"

namespace engram::bridge {
namespace {

constexpr std::uint64_t version = 1;
constexpr JsonLimits limits{.max_bytes = std::size_t{1} << 20, .max_depth = 16, .max_members = 10'000};

Json learning_json(const core::ProofLearnerState& state) {
  return {{"start", options_json(core::options_of(state.start))},
          {"covariance", state.covariance},
          {"answered", state.answered},
          {"failed", state.failed}};
}

core::ProofLearnerState learning_in(const JsonValue& given, const core::Options& options) {
  ObjectReader reader(given);
  core::ProofLearnerState state;
  state.weights = core::proof_settings(options).theta;
  const JsonValue start = reader["start"], covariance = reader["covariance"];
  for (std::size_t f = 0; f < core::proof_features; ++f)
    state.start[f] = start.object()[core::proof_feature_facts[f].name].required("a weight").number();
  for (std::size_t i = 0; i < covariance.list().size(); ++i)
    state.covariance.push_back(covariance[i].number());
  state.answered = reader["answered"].required("the number of answered questions").count();
  state.failed = reader["failed"].required("the number of failed questions").count();
  reader.refuse_others();
  try {
    return core::ProofLearner(state).state();
  } catch (const std::invalid_argument& error) {
    throw ModelError(given.pointer() + ": " + error.what());
  }
}

Model model_of(const Json& json) {
  ObjectReader reader((JsonValue(json)));
  if (const auto found = reader["engram_model"].required("an Engram model").count(1, 1'000'000);
      found != version)
    throw ModelError("is a model of format " + std::to_string(found) + "; this program reads format " +
                     std::to_string(version));
  reader["sha256"].required("the SHA-256 of the model").text();
  if (!seal_holds(json))
    throw ModelError("is damaged or was changed: its SHA-256 does not match its contents");
  Model model;
  if (json.value("method", Json()) == "path_attention")
    throw ModelError(
        "is a model of path_attention, whose weights its successor proof_attention cannot use; "
        "train it again with `engram train proof_attention`");
  const core::Method& method = reader["method"].choice("", core::methods(), &core::Method::name);
  model.method = method.name;
  const JsonValue options = reader["options"];
  try {
    model.options = core::ConfiguredMethod(method, options_in(options)).options();
  } catch (const core::OptionError& error) {
    throw ModelError(options.pointer() + "/" + error.option + ": " + error.what());
  }
  model.made = reader["made"].object().json();
  if (const JsonValue learning = reader["learning"]) {
    if (model.method != core::proof_attention_name)
      throw ModelError("/learning: only models of " + std::string(core::proof_attention_name) +
                       " can have it");
    model.learning = learning_in(learning, model.options);
  }
  reader.refuse_others();
  return model;
}

}  // namespace

Json to_json(const Model& model) {
  Json json = {{"engram_model", version},
               {"method", model.method},
               {"options", options_json(model.options)},
               {"made", model.made}};
  if (model.learning) json["learning"] = learning_json(*model.learning);
  return sealed(std::move(json));
}

std::string to_text(const Model& model) { return to_json(model).dump(2) + "\n"; }

Model model_in(std::string_view text) {
  const auto json = read_json(text, limits);
  if (!json) throw ModelError("is no model: " + json.error().message());
  try {
    return model_of(*json);
  } catch (const JsonError& error) {
    throw ModelError("is no model: " + error.message());
  }
}

Model read_model(const std::filesystem::path& path) try {
  if (!std::filesystem::is_regular_file(path)) {
    errno = std::filesystem::exists(path) ? EINVAL : ENOENT;
    throw_file_error(path);
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text(limits.max_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (in.fail() && !in.eof())) throw_file_error(path);
  text.resize(static_cast<std::size_t>(in.gcount()));
  return model_in(text);
} catch (const ModelError& error) {
  throw ModelError(path.string() + ": " + error.what());
}

nlohmann::ordered_json sealed(nlohmann::ordered_json object) {
  object["sha256"] = sha256_of_text(object.dump());
  return object;
}

bool seal_holds(const nlohmann::ordered_json& object) {
  nlohmann::ordered_json without = object;
  without.erase("sha256");
  return object.contains("sha256") && object["sha256"] == sha256_of_text(without.dump());
}

}  // namespace engram::bridge
