// SPDX-License-Identifier: MIT
#include "experiments/training/checkpoint.hpp"

#include <vector>

#include "bridge/models/model.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

using bridge::JsonValue;

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

}  // namespace

Json json_of(const core::TrainingState& state) {
  return {
      {"parameters", list_of(state.parameters)},      {"mean", list_of(state.adam.mean)},
      {"square", list_of(state.adam.square)},         {"mean_power", state.adam.mean_power},
      {"square_power", state.adam.square_power},      {"best_parameters", list_of(state.so_far.parameters)},
      {"best_epoch", state.so_far.best_epoch},        {"loss", state.so_far.training_loss},
      {"loss_held_out", state.so_far.validation_loss}};
}

core::TrainingState training_state_in(const JsonValue& given) {
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

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t version = 1;
constexpr const char* advice = "; train without --resume, or write to another file";

}  // namespace

Checkpoint::Checkpoint(const fs::path& model, const Trainer& trainer)
    : path_(model.string() + ".unfinished"),
      plan_({{"spec", trainer.spec()},
             {"sha256_of_inputs", trainer.sha256_of_inputs()},
             {"program", version_line()}}) {}

std::size_t Checkpoint::resume(Trainer& trainer) const {
  std::error_code ignored;
  if (!fs::exists(path_, ignored)) return 0;
  const auto refuse = [&](const std::string& why) -> SpecError {
    return {"--resume", path_.string() + " " + why + advice};
  };
  const auto json = bridge::read_json(read_file(path_), file_limits);
  if (!json) throw refuse("is not an unfinished training: " + json.error().message());
  try {
    bridge::ObjectReader reader((JsonValue(*json)));
    const auto found =
        reader["engram_checkpoint"].required("the format of a checkpoint").whole_number(1, 1'000'000);
    if (found != version)
      throw refuse("has format " + std::to_string(found) + "; this program reads format " +
                   std::to_string(version));
    reader["sha256"].required("its SHA-256").text();
    if (!bridge::seal_holds(*json))
      throw refuse("is damaged or was changed: its SHA-256 does not match its content");
    const Json& plan = reader["plan"].object().json();
    if (plan != plan_) {
      const Json changes = Json::diff(plan, plan_);
      throw refuse("belongs to another spec, input or build (at " +
                   (changes.empty() ? "the order of members" : changes[0].at("path").get<std::string>()) +
                   ")");
    }
    const JsonValue state = reader["state"];
    reader.refuse_others();
    return trainer.resume(state.object());
  } catch (const bridge::JsonError& error) {
    throw refuse("is not an unfinished training: " + error.message());
  } catch (const std::invalid_argument& error) {
    throw refuse(std::string("is not an unfinished training: ") + error.what());
  }
}

void Checkpoint::write(Json state) const {
  const Json json =
      bridge::sealed({{"engram_checkpoint", version}, {"plan", plan_}, {"state", std::move(state)}});
  write_file(path_, json.dump() + "\n");
}

void Checkpoint::remove() const { fs::remove(path_); }

}  // namespace engram::experiments
