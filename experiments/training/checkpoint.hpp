// SPDX-License-Identifier: MIT
// An unfinished training, as a file beside the model that it is to become.
#pragma once

#include <filesystem>
#include <optional>

#include "core/numbers/optimiser.hpp"
#include "experiments/training/training.hpp"

namespace engram::experiments {

/// What a training's result depends on: the spec with all defaults, what it reads by digest, and the program.
/// Errors  InputError; std::system_error
Json training_plan(const TrainingSpec& spec);

/// OUT.unfinished:
///   {"engram_checkpoint": 1, "plan": {..}, "state": {..}, "sha256": HEX}
/// with the state of Adam and of early stopping (core/numbers/optimiser.hpp), numbers in the shortest form that
/// gives the same double, and the SHA-256 of the object without it, written without blanks. It is written whole
/// or not at all: whoever kills a training at any moment leaves one that goes on to the same model.
class Checkpoint {
 public:
  /// Of the training that writes this model.
  Checkpoint(const std::filesystem::path& model, Json plan);

  /// Where the training was; nothing where there is no file.
  /// Errors  SpecError where the file is none, of another format or plan, or damaged; std::system_error
  std::optional<core::TrainingState> read() const;
  /// After an epoch; of a long training not after each: a hundredth of it is lost at most.
  /// Errors  std::system_error
  void write(const core::TrainingState& state) const;
  /// The model is there.
  void remove() const;

 private:
  std::filesystem::path path_;
  Json plan_;
};

}  // namespace engram::experiments
