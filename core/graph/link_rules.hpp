// SPDX-License-Identifier: MIT
// Rules that turn what a concept graph has counted into the weights of its links. All read the same numbers,
// C_ij (evidence of the episodes of both), a_i (of either) and their total T, which the graph keeps pair by
// pair as it learns: so a rule can be chosen, or changed, at any moment and is exact then.
#pragma once

#include <array>
#include <cstdint>

#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// How weights are made of what was active together; link_rules tells of each.
enum class LinkRule : std::uint8_t { hebb, cosine, covariance, correlation };

inline constexpr std::array<NamedValue<LinkRule>, 4> link_rules{{
    {LinkRule::hebb, "hebb"},
    {LinkRule::cosine, "cosine"},
    {LinkRule::covariance, "covariance"},
    {LinkRule::correlation, "correlation"},
}};

/// The weights of links, none below 0, as a walk needs them:
///     hebb         C_ij. A hub, active in most episodes, is linked to everything and draws every walk.
///     cosine       C_ij / sqrt(a_i a_j), in [0, 1]: what is common counts less, and still draws many walks
///     covariance   C_ij - a_i a_j / T: what goes beyond chance. A hub that is always on has no link at all.
///     correlation  that over sqrt(a_i (1 - a_i/T) a_j (1 - a_j/T)), in [0, 1]: beyond chance, and
///                  rare counts
/// Links at chance (within 1e-12 of C_ij) or below it are left out.
/// Shapes   C (n, n) symmetric without diagonal, a (n) -> (n, n), symmetric
/// Ranges   0 <= C_ij <= min(a_i, a_j) and a_i <= T but for rounding; all may be 0
/// Errors   std::invalid_argument if shapes do not fit.    Cost  O(entries of C)
SparseRows link_weights(LinkRule rule, const SparseRows& together, const Vector& activity, double total);

/// The same of one link, 0 where it is left out.  Ranges  total > 0 where c > 0
double link_weight(LinkRule rule, double together, double activity_i, double activity_j, double total);

}  // namespace engram::core
