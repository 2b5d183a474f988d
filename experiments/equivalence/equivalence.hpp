// SPDX-License-Identifier: MIT
// Equivalence: where are attention and Hopfield networks the same thing? Each identity is computed both ways
// by the code that everything else uses, on random cases; so is what is taken for an identity and is none.
#pragma once

#include "experiments/equivalence/identity.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::equivalence {

struct EquivalenceOptions {
  std::vector<std::size_t> sizes{1, 2, 7, 24, 60};  // of random cases
};

/// What holds, then what parts.
std::vector<Identity> all_identities();

Conclusion conclude_equivalence(const Spec& spec, const EquivalenceOptions& options,
                                const std::vector<Json>& rows);

}  // namespace engram::experiments::equivalence
