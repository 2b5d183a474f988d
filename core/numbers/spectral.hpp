// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of symmetric matrices, dense or sparse.
//
// The work is done by Eigen's SelfAdjointEigenSolver and, for large sparse matrices, by Spectra's implicitly
// restarted Lanczos iteration, both instantiated for a scalar type that no vector unit knows (OrderedReal in
// the .cpp): their sums are then taken element by element, so that the results are the same bits on every
// processor and for every width of registers that the compiler may target.
#pragma once

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Eigenvectors are the columns: each of length 1, and its largest component is positive (components that are
/// as large up to a share of 1e-8: the one of the lowest index is).
struct Eigenpairs {
  Vector values;          // (k)
  Matrix vectors;         // (n, k)
  bool converged = true;  // false: there are fewer than were asked for, since the iteration stood still
};

/// All eigenvalues, ascending.
/// Shapes   M (n, n), of which the lower triangle is read -> (n)
/// Errors   std::invalid_argument unless M is square and finite
/// Cost     O(n^3), some 4/3 n^3 operations; error about 1e-15 |M|
Vector eigenvalues(const Matrix& symmetric);

/// All eigenpairs, values ascending. |M u - lambda u| is about 1e-14 |M|.  Cost  O(n^3), some 9 n^3
/// operations
Eigenpairs eigenpairs(const Matrix& symmetric);

/// From which end of the spectrum eigenpairs are taken.
enum class SpectrumEnd { smallest, largest };

/// The `count` eigenpairs at one end of the spectrum, the outermost first, of each connected component but
/// its first `skip`. Every component (as the matrix says who is joined to whom) is a matrix of its own, so an
/// eigenvector is 0 outside of one component; equal values stand in the order of their components' lowest
/// indices. Within one component an eigenvalue of multiplicity m gets m orthogonal eigenvectors; which basis
/// of their space it is has no meaning, and another order of the rows gives another one. |M u - lambda u| is
/// below 1e-10 |M|_1.
/// Shapes   M (n, n), symmetric -> min(count, what there is)
/// Ranges   count <= max_sparse_eigenpairs if a component has more than max_dense_size rows
/// Errors   std::invalid_argument outside of these
/// Cost     a component of m rows: O(m^3) up to max_dense_size; beyond it O(entries + m c) an iteration with
///          c = count + skip, some 10 c iterations, more where eigenvalues crowd; O(m c) memory
/// Source   Lehoucq, Sorensen and Yang 1998 (ARPACK's method). Lanczos sees but one vector of a degenerate
///          eigenspace: what is found is swept out and the rest is asked again until it holds nothing further
///          out.
Eigenpairs eigenpairs(const SparseRows& symmetric, Index count, SpectrumEnd end, Index skip = 0);

inline constexpr Index max_dense_size = 320;         // chosen: where the two ways cost about the same
inline constexpr Index max_sparse_eigenpairs = 256;  // chosen: beyond it the cost grows with the square

}  // namespace engram::core
