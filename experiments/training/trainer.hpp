// SPDX-License-Identifier: MIT
// Interface of the trainers of `engram train`; each method has one.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Callback after each step: the number of finished steps, and a function that returns the state for resuming.
using OnTrainingStep = std::function<void(std::size_t done, const std::function<Json()>& state)>;

/// Result of a training.
struct FinishedTraining {
  std::string model;    // text of the model file
  std::string summary;  // text for the user
};

/// Training of one method, as a spec describes it.
class Trainer {
 public:
  virtual ~Trainer() = default;

  /// Everything that determines the result: the spec with all defaults, and the digests of all inputs.
  virtual const Json& spec() const = 0;
  virtual Json sha256_of_inputs() const = 0;

  /// Rejected lines of the inputs.
  virtual const Rejections& rejections() const {
    static const Rejections none;
    return none;
  }

  /// Largest number of steps, and the name of these steps, such as "epochs". If the number is 0, there is nothing to
  /// learn, and rejections() has the reason.
  virtual std::size_t steps() const = 0;
  virtual std::string units() const = 0;

  /// Restores a state that OnTrainingStep received. Returns the number of finished steps.
  /// Errors  JsonError, std::invalid_argument
  virtual std::size_t resume(const bridge::JsonValue& state) = 0;

  /// Runs the training. The result does not depend on the number of threads.
  /// Errors  InputError; core::WorkStopped
  virtual FinishedTraining run(unsigned threads, const OnTrainingStep& on_step) = 0;
};

/// Creates the trainer of the "method" of the spec.
/// Errors  SpecError; InputError if an input cannot be read
std::unique_ptr<Trainer> make_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders);

/// Trainers of the methods.
std::unique_ptr<Trainer> proof_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders);
std::unique_ptr<Trainer> prediction_trainer(const Json& spec,
                                            const std::vector<std::filesystem::path>& folders);
std::unique_ptr<Trainer> link_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders);

}  // namespace engram::experiments
