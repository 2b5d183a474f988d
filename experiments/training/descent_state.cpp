// SPDX-License-Identifier: MIT
#include "experiments/training/descent_state.hpp"

#include <vector>

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

}  // namespace engram::experiments
