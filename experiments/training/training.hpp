// SPDX-License-Identifier: MIT
// Training of proof_attention and trained_hopfield for `engram train`. Both learn from questions with known proofs.
// proof_attention can also learn from statements that are left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/proofs/proof_training.hpp"
#include "experiments/answering/answering.hpp"

namespace engram::experiments {

/// Training spec. Examples come from the questions of every seed of a set, and from the first part of the questions of
/// each file. With the objective "statements", examples are randomly drawn statements with one of their names left out.
struct TrainingSpec {
  std::string method;
  std::vector<answering::SeededSet> sets;
  std::vector<Input> inputs;
  answering::Half half = answering::Half::all;  // half of the questions of a file to use
  double input_share = 0.5;  // share of the questions of a file, or of drawn statements, to use
  std::vector<std::uint64_t> seeds{1, 2, 3, 4};
  std::vector<std::uint64_t> held_out{11, 12};  // of sets; of files, the last fifth is held out
  double distractors = 1;                       // distractors for each statement of a set
  std::size_t questions = 10'000;               // most examples, taken from all sets in turn
  std::string start = "plain";
  std::string labels = "proofs";
  std::string objective = "proofs";
  std::size_t statements = 100;  // most statements drawn from each memory
  core::ProofTrainingOptions training;
  int steps = 4;  // only for trained_hopfield
  core::MemoryOptions memory;
  Json resolved;  // the complete spec with defaults; it gives the same model
};

/// Parses and validates a training spec.  Errors  SpecError
TrainingSpec read_training_spec(const Json& spec, const std::vector<std::filesystem::path>& folders);

/// Digests of all input files, including those of WordNet.  Errors  InputError; std::system_error
Json sha256_of_inputs(const TrainingSpec& spec);

struct Trained {
  bridge::Model model;
  core::Training training;
  std::vector<std::string> names;  // names of the parameters
  core::Vector start;              // initial parameters
  std::size_t examples = 0,
              held_out = 0;  // numbers of examples
};

/// Trains a model. With `labels` "drawn", the proofs are replaced by other paths between the same names. Use this
/// control to see how little meaningless labels improve the held-out examples.
/// Errors  InputError if an input cannot be read or no example can be learnt from
Trained train(const TrainingSpec& spec);

}  // namespace engram::experiments
