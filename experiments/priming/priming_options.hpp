// SPDX-License-Identifier: MIT
// What the experiment `priming` can be told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/runs/method_choice.hpp"

namespace engram::experiments {

/// How many statements a reasoner is given: a number, or a multiple of what the question needs.
struct StatementCapacity {
  std::size_t amount = 12;
  bool multiple = false;
  std::string name() const { return std::to_string(amount) + (multiple ? "x" : ""); }
  std::size_t of(std::size_t needed) const { return multiple ? amount * needed : amount; }
};

/// A kind of generated knowledge (experiments/inputs/proof_sets.hpp); one of it is made for every seed.
struct GeneratedSet {
  std::string kind, label;
  std::size_t groups = 30, questions = 10;
  double noise = 0.05, cross_links = 0.1;  // of chains
  std::size_t rules = 40, longest = 4;     // of chains
  std::vector<StatementCapacity> capacities;
  bool ablation = false;
};

/// A method and what it becomes when options of it are changed.
struct Ablation {
  MethodChoice base;
  std::vector<MethodChoice> changed;
};

struct PrimingSpec {
  std::vector<GeneratedSet> generated;
  std::vector<StatementCapacity> capacities;  // of files
  std::vector<std::size_t> cutoffs;           // of nDCG and recall
  std::vector<Ablation> ablation;
};

}  // namespace engram::experiments
