// SPDX-License-Identifier: MIT
// What libraries for matrices make of the same work. They are compiled for the instructions of the machine that builds
// them, Eigen under a name of its own: else the linker would take one copy of its functions for them and for Engram,
// which is measured as it is shipped. So no header of Engram's may stand here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engram::benchmarks {

/// Rows of numbers one behind the other. They outlive whoever is given them.
struct FloatRows {
  const float* numbers;
  std::ptrdiff_t rows, columns;
};

/// Softmax attention the usual way: all scores, their exponentials, then the values.
/// Shapes   queries (q, d), keys (n, d), values (n, v)
/// Returns  the sum of the q answers
double attend_by_eigen(FloatRows queries, FloatRows keys, FloatRows values);
#ifdef ENGRAM_OPENBLAS
double attend_by_openblas(FloatRows queries, FloatRows keys, FloatRows values);
#endif

/// A step of a modern network: as attention to the patterns, which are keys and values.
/// Shapes   patterns (n, d), cue (d), times beta -> (d)
std::vector<double> modern_step_by_eigen(FloatRows patterns, std::span<const float> cue);

/// Hebb's rule in floats: n W of patterns of 1 and -1 is whole, so nothing is rounded.
class FloatWeights {
 public:
  explicit FloatWeights(FloatRows patterns);
  ~FloatWeights();

  /// Sweeps until one changes nothing, a row of the matrix a spin.  Returns  how like the cue its end is: s' cue
  double recall_by_rows(std::span<const float> cue) const;
  /// One step of all spins at once, likewise.
  double step_by_eigen(std::span<const float> cue) const;
#ifdef ENGRAM_OPENBLAS
  double step_by_openblas(std::span<const float> cue) const;
#endif

 private:
  struct Matrix;
  std::unique_ptr<Matrix> weights_;
};

/// A sparse matrix (n, n): row i has the entries from starts[i] up to starts[i + 1]. They outlive whoever is given them.
template <class Number>
struct CompressedRows {
  std::span<const std::int32_t> starts, columns;
  std::span<const Number> values;
};

/// next = M x, in float or in double.
template <class Number>
void multiply_by_eigen(const CompressedRows<Number>& matrix, std::span<const Number> x,
                       std::span<Number> next);

/// Steps of personalised PageRank, where M x is what comes along links.
///   x <- (1 - damping) restart + damping M x
/// Returns  the sum of x
double page_rank_by_eigen(const CompressedRows<double>& matrix, std::span<const double> restart,
                          double damping, int steps);

/// Steps of an attention economy in proportion.
///   paid = (1 - rent) x + rent wages,  x <- spread M paid + (1 - spread) paid
/// Returns  the sum of the squares of x
double economy_by_eigen(const CompressedRows<double>& matrix, std::span<const double> wages, double rent,
                        double spread, int steps);

}  // namespace engram::benchmarks
