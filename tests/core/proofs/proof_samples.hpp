// SPDX-License-Identifier: MIT
// Helpers for the tests of proofs.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "core/proofs/proof_attention.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core::samples {

inline ProofWeights random_proof_weights(Rng& rng) {
  ProofWeights theta;
  for (double& x : theta) x = uniform(rng, -1.5, 0.5);
  return theta;
}

inline ProofQuery asked(Memory& memory, const MemoryIndex& index, const std::string& question) {
  return proof_query(index, cue_for(memory, term(memory, question)));
}

/// Checks the gradient of log_total() by central differences. Returns the number of weights that matter.
template <class LogTotal>
int check_gradient(ProofWeights& theta, const ProofWeights& gradient, LogTotal log_total) {
  int others = 0;
  for (std::size_t f = 0; f < proof_features; ++f) {
    const double h = 1e-5, at = theta[f];
    theta[f] = at + h;
    const double up = log_total();
    theta[f] = at - h;
    const double down = log_total();
    theta[f] = at;
    INFO(proof_feature_facts[f].name);
    CHECK(std::abs(gradient[f] - (up - down) / (2 * h)) <= 1e-6 * std::max(1.0, std::abs(gradient[f])));
    others += std::abs(gradient[f]) > 1e-9 ? 1 : 0;
  }
  return others;
}

}  // namespace engram::core::samples
