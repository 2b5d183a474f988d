// SPDX-License-Identifier: MIT
// Equivalence: where are attention and Hopfield networks the same thing? Each identity is computed both ways
// by the code that everything else uses, on random cases; so is what is taken for an identity and is none.
#pragma once

#include "experiments/equivalence/identity.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct EquivalenceOptions {
  std::vector<std::size_t> sizes{1, 2, 7, 24, 60};  // of random cases
};

/// What holds, then what parts.
std::vector<Identity> all_identities();

class Equivalence final : public Experiment {
 public:
  const char* name() const override { return "equivalence"; }
  void read(SpecReader& reader, Spec& spec) override;
  std::vector<std::string> methods(const Spec& spec) const override;
  std::unique_ptr<Trials> trials(const Spec& spec) const override;
  Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const override;
  Measures measures() const override;

 private:
  EquivalenceOptions options_;
};

}  // namespace engram::experiments
