// SPDX-License-Identifier: MIT
// Peers of Engram: libraries that do the same work. They are compiled with the instructions of the building machine.
// CMake renames the namespaces of header-only libraries for these files, because otherwise the linker would use one
// copy of their functions for the peers and for Engram, which is compiled for all machines. Therefore do not include
// Engram's headers here.
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

/// Softmax attention in three steps: all scores, their exponentials, the weighted values. Returns the sum of all
/// outputs.
double attend_by_eigen(FloatRows queries, FloatRows keys, FloatRows values);
#ifdef ENGRAM_OPENBLAS
double attend_by_openblas(FloatRows queries, FloatRows keys, FloatRows values);
#endif

/// One step of a modern Hopfield network: attention with the patterns as keys and values. Callers multiply the cue by
/// beta. Returns the new state.
std::vector<double> modern_step_by_eigen(FloatRows patterns, std::span<const float> cue);

/// Dense Hebb matrix W of a network of n spins, in floats. It stores n W. If all patterns consist of 1 and -1, this
/// matrix has integer entries, so the results are exact.
class FloatWeights {
 public:
  explicit FloatWeights(FloatRows patterns);
  ~FloatWeights();

  /// Updates one spin at a time, in sweeps over all spins, until a sweep changes none.  Returns  the product of the
  /// final state and the cue
  double recall_by_rows(std::span<const float> cue) const;
  /// Updates all spins at once.  Returns  the product of the new state and the cue
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

/// Computes next = M x for a sparse matrix M, in float or double.
template <class Number>
void multiply_by_eigen(const CompressedRows<Number>& matrix, std::span<const Number> x,
                       std::span<Number> next);

/// Runs `steps` steps of personalised PageRank, where the product of `matrix` and the ranks is the flow along links.
/// Returns the sum of the ranks.
double page_rank_by_eigen(const CompressedRows<double>& matrix, std::span<const double> restart,
                          double damping, int steps);

/// Runs `steps` steps of an attention economy (ECAN) with rent proportional to funds. Returns the sum of squared funds.
double economy_by_eigen(const CompressedRows<double>& matrix, std::span<const double> wages, double rent,
                        double spread, int steps);

/// Finds the keys with the largest products with a query by exhaustive search.
class KeyPeer {
 public:
  virtual ~KeyPeer() = default;
  /// Returns the sum of the indices of the best keys and of their products with the query.
  virtual double best(std::span<const float> query, std::size_t most) = 0;
};

std::unique_ptr<KeyPeer> brute_force_hnswlib(FloatRows keys);
#ifdef ENGRAM_FAISS
std::unique_ptr<KeyPeer> flat_faiss(FloatRows keys);
#endif

}  // namespace engram::benchmarks
