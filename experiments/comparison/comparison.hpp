// SPDX-License-Identifier: MIT
// The comparison: for every question of a Narsese file (or, where it asks none, for statements with one
// concept held out), what does each method put first, and how far do the methods agree?
#pragma once

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct ComparisonOptions {
  std::size_t top = 10;       // entries of a ranking that are written out
  std::size_t cues = 50;      // held-out cues a file
  std::size_t capacity = 12;  // statements a reasoner would be given
};

class Comparison final : public Experiment {
 public:
  const char* name() const override { return "comparison"; }
  void read(SpecReader& reader, Spec& spec) override;
  std::unique_ptr<Trials> trials(const Spec& spec) const override;
  Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const override;
  Measures measures() const override;

 private:
  ComparisonOptions options_;
};

}  // namespace engram::experiments
