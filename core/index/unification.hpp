// SPDX-License-Identifier: MIT
// Unification of terms with variables: lists the leaves of a term with their positions, matches a pattern with a term,
// and tests whether two patterns can be equal.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "narsese/term.hpp"

namespace engram::core {

/// Position in a term: a hash of the path from the root, with the label (kind, connector and size) of each term on it
/// and the index of each component. All components of a commutative term have the same index. The hash of a position is
/// the same in every table and every run.
using Position = std::uint64_t;

/// Leaf of a term: an atom, operator or variable, with its position in the term.
struct Leaf {
  narsese::Term term;
  Position position = 0;
};

/// The leaves of a term from left to right: its atoms, operators and variables, with repetitions, but no intervals.
/// Cost  O(size)
std::vector<Leaf> leaves(narsese::Term term);
/// Appends the leaves of a term to `found`, in the order of leaves(). Use it to reuse the memory of `found`.
void add_leaves(narsese::Term term, std::vector<Leaf>& found);

/// Values that matching has given to variables: pairs of variable and value, in the order of binding.
using Bindings = std::vector<std::pair<narsese::Term, narsese::Term>>;

/// One-sided unification: looks for values of the pattern's variables that make the pattern equal to `term`. Values in
/// `bindings` are fixed; new ones are appended. Returns whether the pattern matches; if not, `bindings` does not
/// change. Variables in `term` belong to a question: they match anything and bind nothing. A commutative compound with
/// two components and a complexity of at most 64 is tried in both orders, other commutative compounds only in their
/// stored order.
/// Cost  O(size), with compounds in both orders at most O(size^2)
bool match(narsese::Term pattern, narsese::Term term, Bindings& bindings);

/// Whether two terms could unify: tests them as if each occurrence of a variable could have a different value. Use it
/// as a fast filter. All terms that unify (in the orders that match() tries) are compatible. The converse holds for
/// terms without repeated variables.
/// Cost  O(size), with compounds in both orders at most O(size^2)
bool compatible(narsese::Term a, narsese::Term b);

/// Hash of a term in which all variables count as equal, so terms that differ only in their variables have the same
/// hash. Use it to group patterns before compatible(), which gives the same result for all patterns of a group.
std::uint64_t shape_of(narsese::Term term);

/// Whether a statement answers a question: if each query variable (?1) of the question is replaced by some term, the
/// question equals the statement. Other variables of the question must stay variables. May add terms to `table`.
/// Cost  O(size), with compounds in both orders at most O(size^2)
bool fits(narsese::Term question, narsese::Term statement, narsese::TermTable& table);

}  // namespace engram::core
