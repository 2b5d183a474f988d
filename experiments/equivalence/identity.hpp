// SPDX-License-Identifier: MIT
// Identities of the experiment `equivalence`: two ways to compute a number, and the deviation between them.
#pragma once

#include <span>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/random_cases.hpp"

namespace engram::experiments::equivalence {

/// Largest deviation that rounding alone explains; larger ones count as differences.
inline constexpr double equal_within = 1e-12;

/// Computes both sides of one random case of a size. Returns their difference relative to the larger of 1 and the
/// largest compared magnitude, or NaN if either side is not finite.
using Deviation = double (*)(core::Index size, core::Rng& rng);

struct Identity {
  const char* name;
  const char* formula;  // formulas of both sides
  const char* words;    // explanation of the identity, or of the difference
  const char* source;
  Deviation deviation;
};

/// Settings in which both sides are equal.
std::span<const Identity> attention_identities();
std::span<const Identity> hopfield_identities();
std::span<const Identity> graph_identities();
std::span<const Identity> nal_identities();
/// Counterexamples: settings in which both sides seem equal but differ.
std::span<const Identity> partings();
std::span<const Identity> nal_partings();

/// The deviation between two results.  Errors  std::invalid_argument if shapes differ
double deviation_of(const core::Matrix& a, const core::Matrix& b);
double deviation_of(const core::Vector& a, const core::Vector& b);
double deviation_of(double a, double b);

/// The output of attention for one query.
core::Vector attended(const core::Matrix& keys, const core::Matrix& values, const core::Vector& query,
                      double scale);
/// The state after one step of modern Hopfield retrieval.
core::Vector modern_step(const core::Matrix& patterns, const core::Vector& cue, double beta);

}  // namespace engram::experiments::equivalence
