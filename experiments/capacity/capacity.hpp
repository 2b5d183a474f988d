// SPDX-License-Identifier: MIT
// Capacity: how many patterns does each memory hold? Figures of the literature, reproduced; the same question
// asked of the concept graph of real files; and single recalls with their energies.
#pragma once

#include "experiments/capacity/figure.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct CapacityOptions {
  std::size_t cues = 50;             // a trial
  std::vector<std::string> figures;  // of the literature, by name
  double effort = 1;                 // share of a figure's repetitions

  /// Whether a figure is measured, or made from the rows of one that is.
  bool wants(const Figure& figure) const;
};

class Capacity final : public Experiment {
 public:
  const char* name() const override { return "capacity"; }
  void read(SpecReader& reader, Spec& spec) override;
  std::unique_ptr<Trials> trials(const Spec& spec) const override;
  Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const override;
  Measures measures() const override;

 private:
  CapacityOptions options_;
};

}  // namespace engram::experiments
