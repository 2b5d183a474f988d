// SPDX-License-Identifier: MIT
// The trainer of `engram train` for proof_attention and trained_hopfield. It learns from questions with known proofs; weights of
// proof_attention also from statements that are left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/proofs/proof_training.hpp"
#include "experiments/answering/answering.hpp"

namespace engram::experiments {

/// Of each set the questions of every seed; of each file the first part of its questions. With the objective
/// "statements" in place of questions as many of what is known, drawn, each from one of its names that is drawn.
struct TrainingSpec {
  std::string method;
  std::vector<answering::SeededSet> sets;
  std::vector<Input> inputs;
  answering::Half half = answering::Half::all;  // of a file's questions that are seen at all
  double input_share = 0.5;  // of a file's questions, or drawn statements, that are seen at all
  std::vector<std::uint64_t> seeds{1, 2, 3, 4};
  std::vector<std::uint64_t> held_out{11, 12};  // of sets; of files the last fifth of what is seen
  double distractors = 1;                       // statements beside those of a set, for each of these
  std::size_t questions = 10'000;               // examples at most, taken from all sets in turn
  std::string start = "plain";
  std::string labels = "proofs";
  std::string objective = "proofs";
  std::size_t statements = 100;  // that are drawn of each memory, at most
  core::ProofTrainingOptions training;
  int steps = 4;  // of trained_hopfield
  core::MemoryOptions memory;
  Json resolved;  // everything, with defaults: a spec that gives the same model
};

/// Errors  SpecError
TrainingSpec read_training_spec(const Json& spec, const std::vector<std::filesystem::path>& folders);

/// Of each file that is read, WordNet's as well.  Errors  InputError; std::system_error
Json sha256_of_inputs(const TrainingSpec& spec);

struct Trained {
  bridge::Model model;
  core::Training training;
  std::vector<std::string> names;          // of the parameters
  core::Vector start;                      // where they began
  std::size_t examples = 0, held_out = 0;  // with a known proof, between two names; or left out
};

/// `labels` "drawn": in place of the proofs that are learnt from other paths between the same names, to see how
/// little of those held out is learnt from what means nothing.
/// Errors  InputError where an input cannot be read, or no example teaches
Trained train(const TrainingSpec& spec);

}  // namespace engram::experiments
