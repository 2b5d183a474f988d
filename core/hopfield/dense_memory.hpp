// SPDX-License-Identifier: MIT
// Dense associative memories: spins s_i of +1 or -1 whose energy is a steep function of the overlap with each
// pattern, E = -sum_k F(x_k s). The steeper F, the less the patterns get into each other's way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/hopfield/hopfield_network.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

/// F, for an overlap x:
///   polynomial   x^n        n = 2 is the classical network with Hebb's rule: E = 2N E_classical - N P
///   rectified    max(x, 0)^n
///   exponential  e^x
enum class DenseSeparation : std::uint8_t { polynomial, rectified, exponential };
inline constexpr std::array<NamedValue<DenseSeparation>, 3> dense_separations{
    {{DenseSeparation::polynomial, "polynomial"},
     {DenseSeparation::rectified, "rectified"},
     {DenseSeparation::exponential, "exponential"}}};

/// How steep the wells of patterns are, and how long a recall goes on.
struct DenseOptions {
  DenseSeparation separation = DenseSeparation::polynomial;
  unsigned n = 3;  // the degree; chosen: the least that holds more than the classical network
  std::vector<std::uint32_t> order = {};  // of the spins within a sweep; empty: 0, 1, 2, ...
  int max_sweeps = 100;                   // chosen, as for the classical network
};

/// Asynchronous recall: s_i <- sign of  sum_k F(x_ki + r_k) - F(-x_ki + r_k),  r_k = sum_{j != i} x_kj s_j,
/// which is where the energy is lower; sweeps until one changes nothing. A spin whose two energies are equal
/// keeps its state. To know that, patterns are counted by r before F is taken, so that what cancels does so
/// exactly, and sums of whole numbers up to 2^53 are exact; of other sums, those below 1e-12 of their terms'
/// magnitudes count as zero. F may leave the range of double: signs are found relative to the largest term.
/// Shapes   patterns (k, N), cue (N), all +1 or -1; k >= 1
/// Ranges   energies never rise; one beyond the range of double is infinite or NaN
/// Errors   std::invalid_argument if shapes do not fit, a spin is not +1 or -1, the order is no permutation,
///          or n < 1
/// Cost     O(N (k + N)) a sweep; deterministic
/// Source   Krotov and Hopfield 2016; Demircigil et al. 2017 (exponential)
HopfieldRecall recall_dense(const Matrix& patterns, const Vector& cue, const DenseOptions& options = {});

}  // namespace engram::core
