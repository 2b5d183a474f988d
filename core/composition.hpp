// SPDX-License-Identifier: MIT
// Structure in embeddings: what a compound is made of, and in which role. Co-activation alone cannot tell
// <a --> b> from <b --> a>.
#pragma once

#include <cstdint>
#include <span>

#include "core/shapes.hpp"
#include "narsese/term.hpp"

namespace engram::core {

/// Adds to the row of every compound and statement what its components give:
///   x_c <- x_c / |x_c| + s_c / |s_c|,  s_c = sum over its components k of R_role(k) x_k / |x_k|,
/// the components before what they compose; a zero vector adds nothing, atoms stay as they are. R_role is a
/// permutation of the coordinates with random signs, drawn for the role: the connector or copula, an image's
/// placeholder, and the place among the components, but where order is without meaning (sets, <->, &&) one
/// role for all. As R is orthogonal, compounds alike in their roles are as similar as what fills them: for
/// rows without x_c,  cos(<a --> b>, <c --> d>) = (cos(a, c) + cos(b, d)) / 2,  up to an error of some
/// 1/sqrt(d) from what stands in different roles; <a --> b> and <b --> a> are no more alike than a and b.
/// Shapes   terms (n), rows (n, d) -> (n, d).  Terms that stand at no row (variables) add nothing
/// Errors   std::invalid_argument unless there is a row for each term
/// Cost     O(d components) and O(d) for each role
/// Source   Sahlgren, Holst and Kanerva 2008, "Permutations as a Means to Encode Order in Word Space"; Plate
///          1995 for roles bound to fillers
Matrix composed(std::span<const narsese::Term> terms, Matrix rows, std::uint64_t seed);

}  // namespace engram::core
