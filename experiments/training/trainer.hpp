// SPDX-License-Identifier: MIT
// What `engram train` can learn: a class a method.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// What is told after each step: how many are done, and a way to have the state from which the next one goes on.
using TrainingTold = std::function<void(std::size_t done, const std::function<Json()>& state)>;

struct FinishedTraining {
  std::string model;    // the file's text
  std::string summary;  // for people
};

class Trainer {
 public:
  virtual ~Trainer() = default;

  /// What the result depends on: the spec with all defaults, and what is read, by digest.
  virtual const Json& spec() const = 0;
  virtual Json sha256_of_inputs() const = 0;

  /// Lines that were not taken in.
  virtual const Rejections& rejections() const {
    static const Rejections none;
    return none;
  }

  /// Steps at most, and what they are called; 0 where nothing can be learnt, and rejections tell why.
  virtual std::size_t steps() const = 0;
  virtual std::string units() const = 0;

  /// Goes on from a state that was told; returns how many steps were done by then.
  /// Errors  JsonError, std::invalid_argument
  virtual std::size_t resume(const bridge::JsonValue& state) = 0;

  /// The same for any number of threads.
  /// Errors  InputError; core::WorkStopped
  virtual FinishedTraining run(unsigned threads, const TrainingTold& told) = 0;
};

/// That of the spec's "method".
/// Errors  SpecError; InputError where what it reads cannot be
std::unique_ptr<Trainer> make_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders);

/// Each method's.
std::unique_ptr<Trainer> proof_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders);
std::unique_ptr<Trainer> prediction_trainer(const Json& spec,
                                            const std::vector<std::filesystem::path>& folders);
std::unique_ptr<Trainer> link_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders);

}  // namespace engram::experiments
