// SPDX-License-Identifier: MIT
// An unfinished training, as a file beside the model that it is to become.
#pragma once

#include <filesystem>
#include <functional>

#include "experiments/training/trainer.hpp"

namespace engram::experiments {

/// OUT.unfinished:
///   {"engram_checkpoint": 1, "plan": {..}, "state": {..}, "sha256": HEX}
/// with what the result depends on (spec, inputs by digest, program), the trainer's state, numbers in the
/// shortest form that gives the same double, and the SHA-256 of the object without it, written without blanks.
/// It is written whole or not at all: whoever kills a training at any moment leaves one that goes on to the same
/// model.
class Checkpoint {
 public:
  /// Of the training that writes this model.  Errors  InputError; std::system_error
  Checkpoint(const std::filesystem::path& model, const Trainer& trainer);

  /// Goes on from where the training was, and returns how many steps were done by then; 0 where there is no file.
  /// Errors  SpecError where the file is none, of another format or plan, or damaged; std::system_error
  std::size_t resume(Trainer& trainer) const;
  /// Errors  std::system_error
  void write(Json state) const;
  /// The model is there.
  void remove() const;

 private:
  std::filesystem::path path_;
  Json plan_;
};

}  // namespace engram::experiments
