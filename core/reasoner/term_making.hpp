// SPDX-License-Identifier: MIT
// Construction of the terms of conclusions: normalization by NAL's theorems, size limits, and introduction of
// variables.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "narsese/term.hpp"

namespace engram::core {

/// Components of a term under construction, stored inline up to eight, because most terms have few.
using Components = boost::container::small_vector<narsese::Term, 8>;

/// Limits on the terms of conclusions. Larger conclusions are dropped.
struct TermLimits {
  std::uint64_t max_complexity = 40;  // most nodes of a term, as OpenNARS counts; chosen
  std::uint32_t max_depth = 24;       // most levels of nesting; chosen
};

/// Makes the compound, image or statement with the symbol of `label` and these components, normalized by the theorems
///   (&&,(&&,a,b),c) = (&&,a,b,c), and so for ||, &, | and &|     (--,(--,a)) = a
///   (|,{a},{b}) = {a,b}, (&,[a],[b]) = [a,b], and (&,{a,b},{b,c}) = {b}; (-,{a,b},{b}) = {a}
///   (/,(*,a,b),_,b) = a
/// Returns  no term for an empty set, the difference of a term and itself, a term past the limits, or a trivial
///          statement. A statement is trivial if its sides are equal, or if one side contains the other outside of
///          products and images.
/// Cost  O(components)
narsese::Term make_term(narsese::TermTable& table, narsese::TermLabel label,
                        std::span<const narsese::Term> components, const TermLimits& limits);

/// Whether a judgment with this term is informative, so that a reasoner should keep it. It must not contain a query
/// variable ?x, and each independent variable $x must occur at least twice, within an implication or equivalence.
bool is_informative(narsese::Term term);

/// Result of introduce_variables(): a term in which variables replaced names.
struct Generalization {
  narsese::Term term;
  std::size_t variables = 0;  // number of new variables
};

/// Factor on the confidence of a conclusion for each new variable after the first. OpenNARS's.
inline constexpr double confidence_for_variable = 0.9;

/// Generalizes a conclusion: replaces terms that two of its inheritance statements share by variables. The variable is
/// $x if the term occurs on both sides of an implication or equivalence, else #x. A shared term is a subject, a
/// predicate or a component of one, as large as possible. It has no variables, and is neither the relation of an image
/// nor one of several components of a set. Each choice of up to three shared terms gives one result, except a choice
/// that would leave no name in any statement.
/// `label`, `parts`  symbol and components of the conclusion, which need not exist as a term
/// Source  OpenNARS 3, CompositionalRules.introduceVariables, which also replaces parts of shared terms; for sets: ONA,
///         VARS_IN_MULTI_ELEMENT_SETS_FILTER
std::vector<Generalization> introduce_variables(narsese::TermTable& table, narsese::TermLabel label,
                                                std::span<const narsese::Term> parts,
                                                const TermLimits& limits);

}  // namespace engram::core
