// SPDX-License-Identifier: MIT
// Experiment `equivalence`: where are attention and Hopfield networks identical? The experiment is a table of claims
// about pairs of formulas that look the same. The library computes both formulas on random cases, and the deviation
// between the results shows whether they are equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/inputs/random_cases.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::equivalence {

struct EquivalenceOptions {
  std::vector<std::size_t> sizes{1, 2, 7, 24, 60};  // sizes of random cases
};

/// Largest deviation that rounding alone explains; larger ones count as differences.
inline constexpr double equal_within = 1e-12;

/// Computes both sides of a claim for one random case. Returns their difference relative to the larger of 1 and the
/// largest compared magnitude, or NaN if either side is not finite.
using Deviation = double (*)(Index size, Rng& rng);

/// The expected result of a claim: both sides are equal (an identity), or they differ (a counterexample).
enum class Sides : std::uint8_t { equal, different };

struct Claim {
  const char* name;
  const char* formula;  // formulas of both sides
  const char* words;    // explanation of the identity, or of the difference
  const char* source;
  Deviation deviation;
  Sides sides = Sides::equal;
};

/// All claims: first the identities, then the counterexamples.
std::vector<Claim> all_claims();
/// The groups of claims, one for each file.
std::span<const Claim> attention_claims();
std::span<const Claim> hopfield_claims();
std::span<const Claim> counterexamples();
std::span<const Claim> nars_claims();

/// The deviation between two results.  Errors  std::invalid_argument if shapes differ
double deviation_of(const Matrix& a, const Matrix& b);
double deviation_of(const Vector& a, const Vector& b);
double deviation_of(double a, double b);

/// The product of two matrices, summed in the library's fixed order.
Matrix product(const Matrix& a, const Matrix& b);
/// The output of attention for one query.
Vector attended(const Matrix& keys, const Matrix& values, const Vector& query, double scale);
/// The state after one step of modern Hopfield retrieval.
Vector modern_step(const Matrix& patterns, const Vector& cue, double beta);

}  // namespace engram::experiments::equivalence
