// SPDX-License-Identifier: MIT
// Peers of Engram: matrix libraries that do the same work. They are compiled with the instructions of the building
// machine. Eigen has another name in these files. Otherwise the linker would use one copy of its functions for both,
// and Engram would not be measured as it is shipped. Therefore do not include Engram's headers here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engram::benchmarks {

/// View of a row-major matrix. The numbers must outlive it.
struct FloatRows {
  const float* numbers;
  std::ptrdiff_t rows, columns;
};

/// Softmax attention in the usual three steps: all scores, their exponentials, the weighted values.
double attend_by_eigen(FloatRows queries, FloatRows keys, FloatRows values);
#ifdef ENGRAM_OPENBLAS
double attend_by_openblas(FloatRows queries, FloatRows keys, FloatRows values);
#endif

/// A step of a modern Hopfield network: attention with the patterns as keys and values.
std::vector<double> modern_step_by_eigen(FloatRows patterns, std::span<const float> cue);

/// Dense Hebb matrix in floats. It stores n W, whose entries are integers for patterns of 1 and -1, so nothing is
/// rounded.
class FloatWeights {
 public:
  explicit FloatWeights(FloatRows patterns);
  ~FloatWeights();

  /// Sweeps by rows of the matrix until a sweep changes nothing.  Returns  the product of the final state and the cue
  double recall_by_rows(std::span<const float> cue) const;
  /// Updates all spins at once.  Returns  as recall_by_rows()
  double step_by_eigen(std::span<const float> cue) const;
#ifdef ENGRAM_OPENBLAS
  double step_by_openblas(std::span<const float> cue) const;
#endif

 private:
  struct Matrix;
  std::unique_ptr<Matrix> weights_;
};

/// View of a sparse matrix (n, n) in compressed rows: row i has the entries from starts[i] to starts[i + 1]. The spans
/// must outlive it.
template <class Number>
struct CompressedRows {
  std::span<const std::int32_t> starts, columns;
  std::span<const Number> values;
};

/// Computes next = M x in float or double.
template <class Number>
void multiply_by_eigen(const CompressedRows<Number>& matrix, std::span<const Number> x,
                       std::span<Number> next);

/// Runs steps of personalised PageRank, where M x is the flow along links.
double page_rank_by_eigen(const CompressedRows<double>& matrix, std::span<const double> restart,
                          double damping, int steps);

/// Runs steps of an attention economy with proportional rent.
double economy_by_eigen(const CompressedRows<double>& matrix, std::span<const double> wages, double rent,
                        double spread, int steps);

}  // namespace engram::benchmarks
