// SPDX-License-Identifier: MIT
// Checkpoint of an unfinished training, in the folder of the model.
#pragma once

#include <filesystem>

#include "bridge/json/object_reader.hpp"
#include "core/numbers/optimiser.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/training/trainer.hpp"

namespace engram::experiments {

/// Converts the state of a gradient descent to JSON.
Json json_of(const core::TrainingState& state);
/// Restores a state from the JSON of json_of().  Errors  JsonError
core::TrainingState training_state_in(const bridge::JsonValue& given);

/// Checkpoint file OUT.unfinished:
///   {"engram_checkpoint": 1, "plan": {..}, "state": {..}, "sha256": HEX}
/// The plan holds everything that determines the result: the spec, digests of the inputs, and the program version.
/// Numbers of the state are written in the shortest form that gives the same double. The SHA-256 covers the object
/// without that member, written without whitespace. Writes are atomic, so a training that is killed at any moment can
/// resume and gives the same model.
class Checkpoint {
 public:
  /// The checkpoint of a training that writes this model.  Errors  InputError; std::system_error
  Checkpoint(const std::filesystem::path& model, const Trainer& trainer);

  /// Restores the state of the trainer and returns the number of finished steps. Without a file, returns 0.
  /// Errors  SpecError if the file is malformed or damaged, or has another format or plan; std::system_error
  std::size_t resume(Trainer& trainer) const;
  /// Writes the checkpoint.  Errors  std::system_error
  void write(Json state) const;
  /// Deletes the checkpoint. Call it after the model is written.
  void remove() const;

 private:
  std::filesystem::path path_;
  Json plan_;
};

}  // namespace engram::experiments
