// SPDX-License-Identifier: MIT
// Experiment `equivalence`: in which settings are attention and Hopfield networks identical? It computes both sides of
// each identity on random cases, with the library's own code. It also measures counterexamples, which look like
// identities but are not.
#pragma once

#include "experiments/equivalence/identity.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::equivalence {

struct EquivalenceOptions {
  std::vector<std::size_t> sizes{1, 2, 7, 24, 60};  // sizes of random cases
};

/// The identities, then the counterexamples.
std::vector<Identity> all_identities();

Conclusion conclude_equivalence(const Spec& spec, const EquivalenceOptions& options,
                                const std::vector<Json>& rows);

}  // namespace engram::experiments::equivalence
