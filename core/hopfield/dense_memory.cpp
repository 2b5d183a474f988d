// SPDX-License-Identifier: MIT
#include "core/hopfield/dense_memory.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

using Counts = std::vector<std::int64_t>;

// Up to this whole numbers, and so sums of them, are exact in double.
constexpr double exact_range = 0x1p53;
// Chosen: a larger sum of inexact terms may cancel to some 1e-13 of them.
constexpr double relative_zero = 1e-12;

double value_of(const DenseOptions& options, double overlap) {
  switch (options.separation) {
    case DenseSeparation::exponential:
      return exp(overlap);
    case DenseSeparation::rectified:
      return overlap > 0 ? power(overlap, options.n) : 0.0;
    case DenseSeparation::polynomial:
      break;
  }
  return power(overlap, options.n);
}

// What a pattern with x_ki = 1 and r_k = r adds to the field of spin i, F(r + 1) - F(r - 1), over a positive
// number that depends on `top` alone where F would leave the range of double; with x_ki = -1 it adds the
// opposite. Polynomials are asked for r >= 0 only, as F is even or odd.
class FieldTerms {
 public:
  FieldTerms(const DenseOptions& options, Index spins)
      : options_(options), largest_(power(static_cast<double>(spins + 1), options.n)) {}

  double at(Index r, Index top) const {
    if (is_exponential()) return exp(static_cast<double>(r - top));  // times e^top (e - 1/e)
    const double unit = largest_ < 1e290 ? 1.0 : static_cast<double>(top + 1);
    return value_of(options_, static_cast<double>(r + 1) / unit) -
           value_of(options_, static_cast<double>(r - 1) / unit);
  }

  // Whether terms whose magnitudes sum to `size` were added without rounding.
  bool exact(double size) const {
    return !is_exponential() && largest_ <= exact_range && size <= exact_range;
  }

 private:
  bool is_exponential() const { return options_.separation == DenseSeparation::exponential; }

  const DenseOptions& options_;
  double largest_;
};

class DenseNetwork {
 public:
  DenseNetwork(const Matrix& patterns, const Vector& state, const DenseOptions& options)
      : patterns_(patterns), options_(options), terms_(options, state.size()), state_(state) {
    require(patterns.rows() > 0, "a dense associative memory needs at least one pattern");
    require_size("cue", state.size(), patterns.cols());
    require_spins(state);
    for (const double x : patterns.reshaped()) require(x == 1 || x == -1, "a spin must be +1 or -1", x);
    require(options.n >= 1, "n must be at least 1", options.n);
    overlaps_.resize(static_cast<std::size_t>(patterns.rows()));
    for (Index k = 0; k < patterns.rows(); ++k)
      overlaps_[static_cast<std::size_t>(k)] = static_cast<Index>(dot(row_span(patterns, k), as_span(state)));
    counts_.resize(static_cast<std::size_t>(2 * state.size() + 1));
  }

  // -1, 0 or 1.
  int sign_of_field(Index i) {
    count(i);
    const auto n = static_cast<Index>(counts_.size() / 2);
    Index top = n;
    while (top >= -n && at(top) == 0) --top;
    double total = 0, size = 0;
    for (Index r = top; r >= -n; --r) {
      if (at(r) == 0) continue;
      const double term = static_cast<double>(at(r)) * terms_.at(r, top);
      total += term;
      size += std::abs(term);
    }
    if (std::abs(total) <= (terms_.exact(size) ? 0.0 : relative_zero * size)) return 0;
    return total > 0 ? 1 : -1;
  }

  double energy() const {
    Vector values(static_cast<Index>(overlaps_.size()));
    for (std::size_t k = 0; k < overlaps_.size(); ++k)
      values[static_cast<Index>(k)] = value_of(options_, static_cast<double>(overlaps_[k]));
    return -sum(values);
  }

  const Vector& state() const { return state_; }

  void flip(Index i) {
    state_[i] = -state_[i];
    for (std::size_t k = 0; k < overlaps_.size(); ++k)
      overlaps_[k] += static_cast<Index>(2 * patterns_(static_cast<Index>(k), i) * state_[i]);
  }

 private:
  std::int64_t& at(Index r) {
    return counts_[static_cast<std::size_t>(r + static_cast<Index>(counts_.size() / 2))];
  }

  // counts_ of r: the sum of x_ki over the patterns with r_k = r.
  void count(Index i) {
    charge(overlaps_.size() + 4 * counts_.size());
    std::fill(counts_.begin(), counts_.end(), 0);
    const bool even = options_.separation == DenseSeparation::polynomial && options_.n % 2 == 0;
    for (std::size_t k = 0; k < overlaps_.size(); ++k) {
      const auto x = static_cast<Index>(patterns_(static_cast<Index>(k), i));
      const Index r = overlaps_[k] - x * static_cast<Index>(state_[i]);
      if (options_.separation == DenseSeparation::exponential || r >= 0)
        at(r) += x;
      else if (options_.separation == DenseSeparation::polynomial)  // of an even F the differences are odd
        at(-r) += even ? -x : x;                                    // (a rectified F is 0 up to r + 1 = 0)
    }
  }

  const Matrix& patterns_;
  const DenseOptions& options_;
  FieldTerms terms_;
  Vector state_;
  std::vector<Index> overlaps_;  // x_k s, whole numbers kept up to date
  Counts counts_;
};

}  // namespace

HopfieldRecall recall_dense(const Matrix& patterns, const Vector& cue, const DenseOptions& options) {
  DenseNetwork network(patterns, cue, options);
  const std::vector<std::uint32_t> order = sweep_order(options.order, cue.size());
  HopfieldRecall recall;
  recall.energies.push_back(network.energy());
  while (static_cast<int>(recall.flips.size()) < options.max_sweeps && !recall.converged) {
    int flips = 0;
    for (const Index i : order) {
      if (network.sign_of_field(i) * network.state()[i] >= 0) continue;
      network.flip(i);
      ++flips;
    }
    recall.energies.push_back(network.energy());
    recall.flips.push_back(flips);
    recall.converged = flips == 0;
  }
  recall.state = network.state();
  return recall;
}

}  // namespace engram::core
