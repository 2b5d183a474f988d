// SPDX-License-Identifier: MIT
// A classical Hopfield network with Hebb's rule, W = (1/n) sum_k x_k x_k' with W_ii = 0, that keeps its
// patterns as bits in place of the n^2 weights. With the overlaps m_k = x_k s, whole numbers,
//     n h_i = sum_k x_ki m_k - k s_i,
// where a flip of spin j changes each m_k by 2 x_kj s_j. So every field is exact, and so is every zero.
#pragma once

#include "core/hopfield/bit_patterns.hpp"
#include "core/hopfield/hopfield_network.hpp"

namespace engram::core {

/// recall_hopfield of core/hopfield/hopfield_network.hpp with W = hebb_weights(patterns): the same states,
/// flips and observations, with the same rules for order, zero fields and an external field. Energies are
/// those of the exact fields, rounded once or twice; the matrix's are rounded n times.
/// Errors   std::invalid_argument if shapes do not fit, the order is no permutation, a spin is not +1 or -1,
///          or a field is not finite
/// Cost     a sweep in the order 0, 1, 2, ... O(n k / 64) and O(k / 64 + 256) a flip; another order O(n k).
///          Deterministic
HopfieldRecall recall_hopfield(const BitPatterns& patterns, const Vector& cue,
                               const HopfieldOptions& options = {}, const StateObserver& observer = {});

/// recall_synchronous of core/hopfield/hopfield_network.hpp, as above.
HopfieldRecall recall_synchronous(const BitPatterns& patterns, const Vector& cue,
                                  const HopfieldOptions& options = {});

/// recall_glauber of core/hopfield/hopfield_network.hpp, as above; p_plus follows from the exact field.
/// Cost     O(k) a step
GlauberRecall recall_glauber(const BitPatterns& patterns, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field = {});

}  // namespace engram::core
