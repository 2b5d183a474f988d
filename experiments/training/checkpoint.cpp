// SPDX-License-Identifier: MIT
#include "experiments/training/checkpoint.hpp"

#include <algorithm>

#include "experiments/answering/question_sets.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/provenance/manifest.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t version = 1;
constexpr const char* advice = "; train without --resume, or write to another file";

Json list_of(const core::Vector& values) { return Json(std::vector<double>(values.begin(), values.end())); }

std::vector<double> numbers_in(const JsonValue& given) {
  std::vector<double> values;
  for (std::size_t i = 0; i < given.required("a list of numbers").list("a list of numbers").size(); ++i)
    values.push_back(given[i].number());
  return values;
}

core::Vector vector_in(const JsonValue& given) {
  const std::vector<double> values = numbers_in(given);
  return core::Vector(Eigen::Map<const core::Vector>(values.data(), static_cast<core::Index>(values.size())));
}

Json json_of(const core::TrainingState& state) {
  return {
      {"parameters", list_of(state.parameters)},      {"mean", list_of(state.adam.mean)},
      {"square", list_of(state.adam.square)},         {"mean_power", state.adam.mean_power},
      {"square_power", state.adam.square_power},      {"best_parameters", list_of(state.so_far.parameters)},
      {"best_epoch", state.so_far.best_epoch},        {"loss", state.so_far.training_loss},
      {"loss_held_out", state.so_far.validation_loss}};
}

core::TrainingState state_in(const JsonValue& given) {
  bridge::ObjectReader reader(given);
  core::TrainingState state;
  state.parameters = vector_in(reader["parameters"]);
  state.adam.mean = vector_in(reader["mean"]);
  state.adam.square = vector_in(reader["square"]);
  state.adam.mean_power = reader["mean_power"].required("a number").number(0, 1);
  state.adam.square_power = reader["square_power"].required("a number").number(0, 1);
  state.so_far.parameters = vector_in(reader["best_parameters"]);
  state.so_far.best_epoch =
      static_cast<int>(reader["best_epoch"].required("an epoch").whole_number(0, 1'000'000));
  state.so_far.training_loss = numbers_in(reader["loss"]);
  state.so_far.validation_loss = numbers_in(reader["loss_held_out"]);
  reader.refuse_others();
  return state;
}

}  // namespace

Json training_plan(const TrainingSpec& spec) {
  Json inputs = Json::object();
  for (const Input& input : spec.inputs) inputs[input.name] = sha256_of_file(input.path);
  for (const SeededSet& set : spec.sets)
    if (set.kind == wordnet_kind)
      for (const fs::path& file : require_wordnet()) inputs[file.string()] = sha256_of_file(file);
  return {{"spec", spec.resolved}, {"sha256_of_inputs", inputs}, {"program", version_line()}};
}

Checkpoint::Checkpoint(const fs::path& model, Json plan)
    : path_(model.string() + ".unfinished"), plan_(std::move(plan)) {}

std::optional<core::TrainingState> Checkpoint::read() const {
  std::error_code ignored;
  if (!fs::exists(path_, ignored)) return std::nullopt;
  const auto refuse = [&](const std::string& why) -> SpecError {
    return {"--resume", path_.string() + " " + why + advice};
  };
  const auto json = bridge::read_json(read_file(path_), file_limits);
  if (!json) throw refuse("is no unfinished training: " + json.error().message());
  try {
    bridge::ObjectReader reader((JsonValue(*json)));
    const auto found =
        reader["engram_checkpoint"].required("the format of a checkpoint").whole_number(1, 1'000'000);
    if (found != version)
      throw refuse("is of format " + std::to_string(found) + "; this program reads format " +
                   std::to_string(version));
    const std::string sum = reader["sha256"].required("its SHA-256").text();
    Json summed = *json;
    summed.erase("sha256");
    if (sha256_of_text(summed.dump()) != sum)
      throw refuse("is damaged or was changed: its SHA-256 is not that of what it holds");
    const Json& plan = reader["plan"].object().json();
    if (plan != plan_) {
      const Json changes = Json::diff(plan, plan_);
      throw refuse("is a training of another spec, input or build (at " +
                   (changes.empty() ? "the order of members" : changes[0].at("path").get<std::string>()) +
                   ")");
    }
    core::TrainingState state = state_in(reader["state"]);
    reader.refuse_others();
    return state;
  } catch (const bridge::JsonError& error) {
    throw refuse("is no unfinished training: " + error.message());
  }
}

void Checkpoint::write(const core::TrainingState& state) const {
  // So that all that is written, of a state that grows, stays within a hundred times the last one.
  if (state.epoch() % std::max(1, state.epoch() / 100) != 0) return;
  Json json = {{"engram_checkpoint", version}, {"plan", plan_}, {"state", json_of(state)}};
  json["sha256"] = sha256_of_text(json.dump());
  write_file(path_, json.dump() + "\n");
}

void Checkpoint::remove() const { fs::remove(path_); }

}  // namespace engram::experiments
