// SPDX-License-Identifier: MIT
// Structure in embeddings: what a compound is made of, and in which role. Co-activation alone cannot tell
// <a --> b> from <b --> a>.
#pragma once

#include <cstdint>
#include <span>

#include "core/numbers/shapes.hpp"
#include "narsese/term.hpp"

namespace engram::core {

/// Adds to the row of every compound and statement what its components give:
///   x_c <- x_c / |x_c| + s_c / |s_c|,  s_c = sum over its components k of R_role(k) f_k,
/// the components before what they compose; a zero vector adds nothing, atoms stay as they are.
///   f_k     of an atom: x_k / |x_k| + i_k over its length, i_k a random vector of length 1 drawn for its
///   name:
///           half what it goes with, half what it is, for two names that were only ever said together have
///           the same x. Of a compound: x_k / |x_k|
///   R_role  a permutation of the coordinates with random signs, drawn for the role: the connector or copula,
///           an image's placeholder, and the place among the components, but where order is without meaning
///           (sets, <->, &&) one role for all
/// As R is orthogonal, compounds alike in their roles are as similar as what fills them: by structure alone
/// cos(<a --> b>, <c --> d>) = (f_a.f_c + f_b.f_d) / 2 up to an error of some 1/sqrt(d) from what stands in
/// different roles, with f_a.f_c = cos(a, c) / 2 for two names and 1 for one.
/// Shapes   terms (n), rows (n, d) -> (n, d).  Terms that stand at no row (variables) add nothing
/// Errors   std::invalid_argument unless there is a row for each term
/// Cost     O(d components) and O(d) for each role
/// Source   Sahlgren, Holst and Kanerva 2008, "Permutations as a Means to Encode Order in Word Space"; Plate
///          1995 for roles bound to fillers
Matrix composed(std::span<const narsese::Term> terms, Matrix rows, std::uint64_t seed);

}  // namespace engram::core
