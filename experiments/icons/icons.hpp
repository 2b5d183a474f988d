// SPDX-License-Identifier: MIT
// Icons: the two-picture story. A memory holds a skull and an apple; a damaged skull is the query. Hopfield's
// network and attention both pull it to the skull, not to the apple, and the report shows how, step by step.
#pragma once

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct IconsOptions {
  std::vector<double> damage{0.1, 0.2, 0.3, 0.4};  // share of a picture's pixels that is flipped
};

class Icons final : public Experiment {
 public:
  const char* name() const override { return "icons"; }
  void read(SpecReader& reader, Spec& spec) override;
  std::unique_ptr<Trials> trials(const Spec& spec) const override;
  Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const override;
  Measures measures() const override;

 private:
  IconsOptions options_;
};

}  // namespace engram::experiments
