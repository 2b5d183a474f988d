// SPDX-License-Identifier: MIT
// The examples of a training spec, and the memories that they are of.
#pragma once

#include <memory>
#include <vector>

#include "experiments/answering/question_sets.hpp"
#include "experiments/training/training.hpp"

namespace engram::experiments {

/// What examples point to.
struct Lesson {
  QuestionSet set;
  std::vector<core::ProofExample> examples;
};

struct Examples {
  std::vector<std::unique_ptr<Lesson>> lessons;
  std::vector<core::ProofExample> learnt, held_out;
};

/// Of all sets and files in turn. What says the answer of a question is not seen, unless a proof needs it.
/// Errors  InputError, SpecError
Examples examples_of(const TrainingSpec& spec);

}  // namespace engram::experiments
