// SPDX-License-Identifier: MIT
// Examples of a training spec, and the memories that they refer to.
#pragma once

#include <memory>
#include <vector>

#include "experiments/answering/question_sets.hpp"
#include "experiments/training/training.hpp"

namespace engram::experiments {

/// A question set with its examples, which refer to its memory.
struct Lesson {
  QuestionSet set;
  std::vector<core::ProofExample> examples;
};

struct Examples {
  std::vector<std::unique_ptr<Lesson>> lessons;
  std::vector<core::ProofExample> learnt, held_out;
};

/// Examples of all sets and files, taken in turn. Statements that give the answer to a question are hidden, unless a
/// proof needs them.
/// Errors  InputError, SpecError
Examples examples_of(const TrainingSpec& spec);

}  // namespace engram::experiments
