// SPDX-License-Identifier: MIT
// Terms as a conclusion needs them: written in the one way that NAL's theorems make equal, or not at all.
#pragma once

#include <cstddef>
#include <span>

#include <boost/container/small_vector.hpp>

#include "narsese/term.hpp"

namespace engram::bridge {

/// Components of a term that is being made: most have few.
using Components = boost::container::small_vector<narsese::Term, 8>;

/// Conclusions are not drawn of larger terms, nor of deeper ones.
struct TermLimits {
  std::uint64_t max_complexity = 40;  // OpenNARS's count of nodes; chosen
  std::uint32_t max_depth = 24;       // chosen
};

/// The compound, image or statement with the symbol of `label` and these components, after the theorems
///   (&&,(&&,a,b),c) = (&&,a,b,c), and so for ||, &, | and &|     (--,(--,a)) = a
///   (|,{a},{b}) = {a,b}, (&,[a],[b]) = [a,b], and (&,{a,b},{b,c}) = {b}; (-,{a,b},{b}) = {a}
///   (/,(*,a,b),_,b) = a
/// No term where there is none: an empty set, a difference of a term to itself, a statement whose sides are equal or one
/// of which is a part of the other (but for products and images), anything past the limits.
/// Cost  O(components)
narsese::Term make_term(narsese::TermTable& table, narsese::TermLabel label,
                        std::span<const narsese::Term> components, const TermLimits& limits);

/// Whether a judgment may say it: each $x stands in an implication or equivalence, and joins two places of it (else it
/// says nothing), and no ?x is in it.
bool says_something(narsese::Term term);

}  // namespace engram::bridge
