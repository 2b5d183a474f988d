// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of symmetric matrices, dense or sparse.
//
// Implemented by Eigen's SelfAdjointEigenSolver and, for large sparse matrices, by Spectra's implicitly restarted
// Lanczos iteration. Both are instantiated for a scalar type without vector instructions (OrderedReal in the .cpp).
// This makes all sums sequential, so the results have the same bits on every processor.
#pragma once

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Eigenvalues and eigenvectors (columns). A vector has length 1 and a positive largest component. If several
/// components equal the largest within 1e-8 of it, the first of them is positive.
struct Eigenpairs {
  Vector values;          // (k)
  Matrix vectors;         // (n, k)
  bool converged = true;  // false: fewer pairs than requested, because the iteration stalled
};

/// Computes all eigenvalues of a dense symmetric matrix M, in ascending order.
/// Shapes   M (n, n) -> (n); only the lower triangle is read
/// Errors   std::invalid_argument unless M is square and finite
/// Cost     O(n^3), about 4/3 n^3 operations; error about 1e-15 |M|
Vector eigenvalues(const Matrix& symmetric);

/// Computes all eigenpairs of a dense symmetric matrix M, in ascending order of the values. For a pair with value
/// lambda and vector u, |M u - lambda u| is about 1e-14 |M|.
/// Shapes   M (n, n); only the lower triangle is read
/// Errors   std::invalid_argument unless M is square and finite
/// Cost     O(n^3), about 9 n^3 operations
Eigenpairs eigenpairs(const Matrix& symmetric);

/// End of the spectrum: the smallest or the largest eigenvalues.
enum class SpectrumEnd { smallest, largest };

/// Computes the `count` outermost eigenpairs of a sparse symmetric matrix at one end of the spectrum, the outermost
/// first. The function omits the first `skip` pairs of every connected component of the matrix's graph. It solves
/// components separately, so an eigenvector is 0 outside of one component. Equal values are ordered by their
/// components' lowest indices. An eigenvalue of multiplicity m in one component has m orthogonal eigenvectors; they are
/// an arbitrary basis that depends on the order of the rows. For a pair with value lambda and vector u, |M u - lambda
/// u| is below 1e-10 |M|_1.
/// Shapes   M (n, n), symmetric -> min(count, available pairs)
/// Ranges   count <= max_sparse_eigenpairs if a component has more than max_dense_size rows
/// Errors   std::invalid_argument outside these ranges
/// Cost     a component of m rows: O(m^3) up to max_dense_size; beyond it O(entries + m c) an iteration with
///          c = count + skip, about 10 c iterations, more if eigenvalues are close together; O(m c) memory
/// Source   Lehoucq, Sorensen and Yang 1998 (ARPACK's method). Lanczos finds only one vector of a degenerate
///          eigenspace, so found vectors are deflated and the iteration restarts until it finds no pair that is further
///          out
Eigenpairs eigenpairs(const SparseRows& symmetric, Index count, SpectrumEnd end, Index skip = 0);

inline constexpr Index max_dense_size = 320;         // chosen: both methods cost about the same at this size
inline constexpr Index max_sparse_eigenpairs = 256;  // chosen: the cost grows with the square

}  // namespace engram::core
