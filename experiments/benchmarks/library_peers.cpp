// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/library_peers.hpp"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#ifdef ENGRAM_OPENBLAS
#include <cblas.h>
#endif
#ifdef ENGRAM_FAISS
#include <faiss/IndexFlat.h>
#endif
#include <hnswlib/hnswlib.h>

#include <numeric>

namespace engram::benchmarks {
namespace {

using Eigen::Index;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const FloatMatrix>;

Rows mapped(FloatRows rows) { return {rows.numbers, rows.rows, rows.columns}; }

template <class Number>
auto vector_of(std::span<const Number> numbers) {
  using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

template <class Number>
auto matrix_of(const CompressedRows<Number>& matrix) {
  const auto n = static_cast<Index>(matrix.starts.size()) - 1;
  using Sparse = Eigen::SparseMatrix<Number, Eigen::RowMajor>;
  return Eigen::Map<const Sparse>(n, n, static_cast<Index>(matrix.values.size()), matrix.starts.data(),
                                  matrix.columns.data(), matrix.values.data());
}

template <class ScoreKeys, class AddValues>
double attend(Index queries, Index keys, Index columns, ScoreKeys score, AddValues add) {
  FloatMatrix weights(queries, keys), out(queries, columns);
  score(weights);
  for (Index i = 0; i < queries; ++i) {
    weights.row(i) = (weights.row(i).array() - weights.row(i).maxCoeff()).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  add(weights, out);
  return out.cast<double>().sum();
}

// Sets each spin to the sign of its field, or to the spin of the cue if the field is 0. Returns the product of the
// spins and the cue.
double like_cue(const Eigen::VectorXf& fields, const Eigen::Map<const Eigen::VectorXf>& cue) {
  return (fields.array() == 0)
      .select(cue, fields.array().sign())
      .cast<double>()
      .matrix()
      .dot(cue.cast<double>());
}

#ifdef ENGRAM_OPENBLAS
blasint size_of(Index i) { return static_cast<blasint>(i); }
#endif

#ifdef ENGRAM_FAISS
class FlatFaiss final : public KeyPeer {
 public:
  explicit FlatFaiss(FloatRows keys) : index_(static_cast<int>(keys.columns)) {
    index_.add(keys.rows, keys.numbers);
  }

  double best(std::span<const float> query, std::size_t most) override {
    std::vector<float> found(most);
    std::vector<faiss::Index::idx_t> keys(most);
    index_.search(1, query.data(), static_cast<faiss::Index::idx_t>(most), found.data(), keys.data());
    return std::accumulate(keys.begin(), keys.end(), 0.0) + std::accumulate(found.begin(), found.end(), 0.0);
  }

 private:
  faiss::IndexFlatIP index_;
};
#endif

class BruteForce final : public KeyPeer {
 public:
  explicit BruteForce(FloatRows keys)
      : space_(static_cast<std::size_t>(keys.columns)), index_(&space_, static_cast<std::size_t>(keys.rows)) {
    for (std::ptrdiff_t i = 0; i < keys.rows; ++i)
      index_.addPoint(keys.numbers + i * keys.columns, static_cast<hnswlib::labeltype>(i));
  }

  double best(std::span<const float> query, std::size_t most) override {
    double sum = 0;  // hnswlib's distance is 1 minus the product
    for (auto found = index_.searchKnn(query.data(), most); !found.empty(); found.pop())
      sum += static_cast<double>(found.top().second) + (1 - double{found.top().first});
    return sum;
  }

 private:
  hnswlib::InnerProductSpace space_;
  hnswlib::BruteforceSearch<float> index_;
};

}  // namespace

double attend_by_eigen(FloatRows queries, FloatRows keys, FloatRows values) {
  return attend(
      queries.rows, keys.rows, values.columns,
      [&](FloatMatrix& scores) { scores.noalias() = mapped(queries) * mapped(keys).transpose(); },
      [&](const FloatMatrix& weights, FloatMatrix& out) { out.noalias() = weights * mapped(values); });
}

#ifdef ENGRAM_OPENBLAS
double attend_by_openblas(FloatRows queries, FloatRows keys, FloatRows values) {
  openblas_set_num_threads(1);
  const blasint q = size_of(queries.rows), n = size_of(keys.rows), d = size_of(keys.columns),
                v = size_of(values.columns);
  return attend(
      queries.rows, keys.rows, values.columns,
      [&](FloatMatrix& scores) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, q, n, d, 1, queries.numbers, d, keys.numbers, d,
                    0, scores.data(), n);
      },
      [&](const FloatMatrix& weights, FloatMatrix& out) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, q, v, n, 1, weights.data(), n, values.numbers,
                    v, 0, out.data(), v);
      });
}
#endif

std::vector<double> modern_step_by_eigen(FloatRows patterns, std::span<const float> cue) {
  const Rows x = mapped(patterns);
  Eigen::VectorXf weights = x * vector_of(cue);
  weights = (weights.array() - weights.maxCoeff()).exp();
  weights /= weights.sum();
  const Eigen::VectorXf state = x.transpose() * weights;
  return {state.begin(), state.end()};
}

struct FloatWeights::Matrix {
  FloatMatrix w;
};

FloatWeights::FloatWeights(FloatRows patterns) : weights_(std::make_unique<Matrix>()) {
  weights_->w.noalias() = mapped(patterns).transpose() * mapped(patterns);
  weights_->w.diagonal().setZero();
}

FloatWeights::~FloatWeights() = default;

double FloatWeights::recall_by_rows(std::span<const float> cue) const {
  Eigen::VectorXf s = vector_of(cue);
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < s.size(); ++i) {
      const float h = weights_->w.row(i).dot(s);
      if (h * s[i] >= 0) continue;
      s[i] = -s[i];
      changed = true;
    }
  }
  return s.cast<double>().dot(vector_of(cue).cast<double>());
}

double FloatWeights::step_by_eigen(std::span<const float> cue) const {
  const Eigen::VectorXf s = vector_of(cue);
  const Eigen::VectorXf h = weights_->w * s;
  return like_cue(h, vector_of(cue));
}

#ifdef ENGRAM_OPENBLAS
double FloatWeights::step_by_openblas(std::span<const float> cue) const {
  openblas_set_num_threads(1);
  Eigen::VectorXf h(static_cast<Index>(cue.size()));
  const blasint n = size_of(weights_->w.rows());
  cblas_sgemv(CblasRowMajor, CblasNoTrans, n, n, 1, weights_->w.data(), n, cue.data(), 1, 0, h.data(), 1);
  return like_cue(h, vector_of(cue));
}
#endif

template <class Number>
void multiply_by_eigen(const CompressedRows<Number>& matrix, std::span<const Number> x,
                       std::span<Number> next) {
  using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;
  Eigen::Map<Vector>(next.data(), static_cast<Index>(next.size())).noalias() =
      matrix_of(matrix) * vector_of(x);
}
template void multiply_by_eigen(const CompressedRows<float>&, std::span<const float>, std::span<float>);
template void multiply_by_eigen(const CompressedRows<double>&, std::span<const double>, std::span<double>);

double page_rank_by_eigen(const CompressedRows<double>& matrix, std::span<const double> restart,
                          double damping, int steps) {
  const auto m = matrix_of(matrix);
  const auto start = vector_of(restart);
  Eigen::VectorXd x = start, next(start.size());
  for (int step = 0; step < steps; ++step) {
    next.noalias() = m * x;
    x = (1 - damping) * start + damping * next;
  }
  return x.sum();
}

double economy_by_eigen(const CompressedRows<double>& matrix, std::span<const double> wages, double rent,
                        double spread, int steps) {
  const auto m = matrix_of(matrix);
  const auto wage = vector_of(wages);
  Eigen::VectorXd x = wage, paid(wage.size());
  for (int step = 0; step < steps; ++step) {
    paid = (1 - rent) * x + rent * wage;
    x.noalias() = spread * (m * paid);
    x += (1 - spread) * paid;
  }
  return x.squaredNorm();
}

#ifdef ENGRAM_FAISS
std::unique_ptr<KeyPeer> flat_faiss(FloatRows keys) { return std::make_unique<FlatFaiss>(keys); }
#endif
std::unique_ptr<KeyPeer> brute_force_hnswlib(FloatRows keys) { return std::make_unique<BruteForce>(keys); }

}  // namespace engram::benchmarks
