// SPDX-License-Identifier: MIT
// Helpers for the tests of proofs.
#pragma once

#include <memory>

#include "core/proofs/proof_attention.hpp"
#include "core/proofs/proof_training.hpp"
#include "tests/core/samples.hpp"

namespace engram::core::samples {

inline ProofWeights random_proof_weights(Rng& rng) {
  ProofWeights theta;
  for (double& x : theta) x = uniform(rng, -1.5, 0.5);
  return theta;
}

inline ProofQuery asked(Memory& memory, const MemoryIndex& index, const std::string& question) {
  return proof_query(index, cue_for(memory, term(memory, question)));
}

/// A memory of random statements with a question and its known proof.
struct ProofWorld {
  Memory memory;
  std::optional<MemoryIndex> index;
  ProofExample example;

  void read(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) say(memory, line);
    index.emplace(memory);
    example.memory = &*index;
    example.proofs = {{0, 1, 2}};
  }
};

/// `count` random worlds. Each one is made by World(rng, others...).
template <class World, class... Others>
std::vector<std::unique_ptr<World>> proof_worlds(std::uint64_t seed, const char* stream, int count,
                                                 const Others&... others) {
  Rng rng(seed, stream);
  std::vector<std::unique_ptr<World>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<World>(rng, others...));
  return all;
}

template <class World>
std::vector<ProofExample> examples_of(const std::vector<std::unique_ptr<World>>& all) {
  std::vector<ProofExample> examples;
  for (const auto& world : all) examples.push_back(world->example);
  return examples;
}

/// Checks the gradient of log_total() by central differences. Returns the number of nonzero derivatives.
template <class LogTotal>
int check_gradient(ProofWeights& theta, const ProofWeights& gradient, LogTotal log_total) {
  int others = 0;
  for (std::size_t f = 0; f < proof_features; ++f) {
    INFO(proof_feature_facts[f].name);
    CHECK(std::abs(gradient[f] - slope(theta[f], log_total)) <= 1e-6 * std::max(1.0, std::abs(gradient[f])));
    others += std::abs(gradient[f]) > 1e-9 ? 1 : 0;
  }
  return others;
}

}  // namespace engram::core::samples
