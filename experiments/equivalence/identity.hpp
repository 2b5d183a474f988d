// SPDX-License-Identifier: MIT
// What the experiment `equivalence` computes: two ways to a number, side by side.
#pragma once

#include <span>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/random_cases.hpp"

namespace engram::experiments::equivalence {

/// Deviations up to this count as none: rounding alone.
inline constexpr double equal_within = 1e-12;

/// One random case of a size: how far the two sides are apart, relative to the larger of 1 and the largest
/// magnitude among what is compared; NaN where either side is not finite.
using Deviation = double (*)(core::Index size, core::Rng& rng);

struct Identity {
  const char* name;
  const char* formula;  // both sides
  const char* words;    // of an identity, what it says; of settings that part, why they do
  const char* source;
  Deviation deviation;
};

/// Where both sides are the same thing.
std::span<const Identity> attention_identities();
std::span<const Identity> hopfield_identities();
std::span<const Identity> graph_identities();
std::span<const Identity> nal_identities();
/// Where they seem to be, and are not.
std::span<const Identity> partings();
std::span<const Identity> nal_partings();

/// Errors  std::invalid_argument if shapes differ
double deviation_of(const core::Matrix& a, const core::Matrix& b);
double deviation_of(const core::Vector& a, const core::Vector& b);
double deviation_of(double a, double b);

/// The output of attention for one query.
core::Vector attended(const core::Matrix& keys, const core::Matrix& values, const core::Vector& query,
                      double scale);
/// The state after one step of modern Hopfield retrieval.
core::Vector modern_step(const core::Matrix& patterns, const core::Vector& cue, double beta);

}  // namespace engram::experiments::equivalence
