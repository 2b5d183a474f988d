// SPDX-License-Identifier: MIT
// Unification of terms with variables: leaves and their positions, matching, and compatibility.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "narsese/term.hpp"

namespace engram::core {

/// A position in a term: a hash of the labels and component indices on the path from the root. All components of a
/// commutative term have the same index. The hash of a position is the same in every table and every run.
using Position = std::uint64_t;

/// An atom, operator or variable and its position in a term.
struct Leaf {
  narsese::Term term;
  Position position = 0;
};

/// Atoms, operators and variables of a term, from left to right, with repetitions, without intervals.
/// Cost  O(size)
std::vector<Leaf> leaves(narsese::Term term);
/// Appends the leaves of a term.
void add_leaves(narsese::Term term, std::vector<Leaf>& found);

/// The values of variables, in the order of binding.
using Bindings = std::vector<std::pair<narsese::Term, narsese::Term>>;

/// One-sided unification: extends `bindings` so that the pattern becomes the term. Variables of the term belong to a
/// question; they match anything and bind nothing. Returns false, with `bindings` unchanged, if they do not match.
/// A commutative compound with two components and a complexity of at most 64 is tried in both orders. Other
/// commutative compounds are tried only in their stored order.
/// Cost  O(size), with compounds in both orders at most O(size^2)
bool match(narsese::Term pattern, narsese::Term term, Bindings& bindings);

/// Whether two terms unify if each occurrence of a variable may have a different value. All terms that unify (in the
/// orders that match() tries) are compatible. The converse holds for terms without repeated variables.
/// Cost  as match()
bool compatible(narsese::Term a, narsese::Term b);

/// Hash of a term that ignores which variables it has: terms that differ only in their variables have the same shape.
std::uint64_t shape_of(narsese::Term term);

/// Whether a statement answers a question: replacing each query variable (?1) of the question by a term gives the
/// statement. Other variables of the question must stay variables.
/// Cost  as match()
bool fits(narsese::Term question, narsese::Term statement, narsese::TermTable& table);

}  // namespace engram::core
