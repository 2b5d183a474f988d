// SPDX-License-Identifier: MIT
#include "core/hopfield/dense_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hopfield/hopfield_dynamics.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr double exact_range = 0x1p53;   // integers and integer sums up to this are exact in double
constexpr double relative_zero = 1e-12;  // chosen: rounding errors of large sums are about 1e-13 of the terms

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

// The terms F(r + 1) - F(r - 1) that a pattern with x_ki = 1 and r_k = r adds to the field of spin i; with x_ki = -1 it
// subtracts them. If F may overflow, all terms are divided by a positive number that depends only on `top`. Polynomials
// need only r >= 0, because F is even or odd.
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

  // Whether a sum of terms with magnitudes of total `size` is exact.
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

  // See hopfield_dynamics.hpp.
  int visit(std::span<const std::uint32_t> turn) {
    int flips = 0;
    for (const Index i : turn) {
      if (sign_of_field(i) * state_[i] >= 0) continue;
      flip(i);
      ++flips;
    }
    return flips;
  }

  double energy() const {
    Vector values(static_cast<Index>(overlaps_.size()));
    for (std::size_t k = 0; k < overlaps_.size(); ++k)
      values[static_cast<Index>(k)] = value_of(options_, static_cast<double>(overlaps_[k]));
    return -sum(values);
  }

  const Vector& state() const { return state_; }

 private:
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

  void flip(Index i) {
    state_[i] = -state_[i];
    for (std::size_t k = 0; k < overlaps_.size(); ++k)
      overlaps_[k] += static_cast<Index>(2 * patterns_(static_cast<Index>(k), i) * state_[i]);
  }

  std::int64_t& at(Index r) {
    return counts_[static_cast<std::size_t>(r + static_cast<Index>(counts_.size() / 2))];
  }

  // Sets at(r) to the sum of x_ki over the patterns with r_k = r.
  void count(Index i) {
    charge(overlaps_.size() + 4 * counts_.size());
    std::fill(counts_.begin(), counts_.end(), 0);
    const bool even = options_.separation == DenseSeparation::polynomial && options_.n % 2 == 0;
    for (std::size_t k = 0; k < overlaps_.size(); ++k) {
      const auto x = static_cast<Index>(patterns_(static_cast<Index>(k), i));
      const Index r = overlaps_[k] - x * static_cast<Index>(state_[i]);
      if (options_.separation == DenseSeparation::exponential || r >= 0)
        at(r) += x;
      else if (options_.separation == DenseSeparation::polynomial)  // the differences of an even F are odd
        at(-r) += even ? -x : x;
    }
  }

  const Matrix& patterns_;
  const DenseOptions& options_;
  FieldTerms terms_;
  Vector state_;
  std::vector<Index> overlaps_;  // x_k s
  std::vector<std::int64_t> counts_;
};

}  // namespace

HopfieldRecall recall_dense(const Matrix& patterns, const Vector& cue, const DenseOptions& options) {
  DenseNetwork network(patterns, cue, options);
  HopfieldOptions rules;
  rules.order = options.order;
  rules.max_sweeps = options.max_sweeps;
  return run_asynchronous(network, cue.size(), rules, {});
}

namespace {

class Episodes {
 public:
  Episodes(const SparseRows& episodes, const Vector& weights, const Vector& cue,
           const DenseEpisodesOptions& options)
      : options_(options), weights_(weights / sum(weights)), by_unit_(episodes.transposed()) {
    active_.assign(static_cast<std::size_t>(cue.size()), false);
    overlaps_.assign(static_cast<std::size_t>(weights.size()), 0);
    for (Index i = 0; i < cue.size(); ++i)
      if (cue[i] > 0 && !by_unit_.columns_of(i).empty()) flip(i);
  }

  void flip(Index unit) {
    const int step = active_[static_cast<std::size_t>(unit)] ? -1 : 1;
    charge(overlaps_.size());
    active_[static_cast<std::size_t>(unit)] = step > 0;
    for (int& r : overlaps_) r -= step;
    for (const std::uint32_t k : by_unit_.columns_of(unit)) overlaps_[k] += 2 * step;
  }

  // Recomputes the sums. An exponential F is relative to e^(beta top); no overlap is above top, even after a flip.
  void refresh() {
    top_ = *std::ranges::max_element(overlaps_) + 1;
    const Index count = weights_.size();
    charge(64 * static_cast<std::uint64_t>(count));
    Vector here(count);
    more_.resize(count);
    less_.resize(count);
    for (Index k = 0; k < count; ++k) {
      const int r = overlaps_[static_cast<std::size_t>(k)];
      here[k] = weights_[k] * value(r);
      more_[k] = weights_[k] * value(r + 1);
      less_[k] = weights_[k] * value(r - 1);
    }
    here_ = sum(here);
    all_more_ = sum(more_);
    all_less_ = sum(less_);
  }

  // sum_k d_k F(r_k) after a flip of unit i. If the unit becomes silent, r_k falls by 1 in its episodes and rises by 1
  // in the others.
  double after(Index i) const {
    const bool is_active = active_[static_cast<std::size_t>(i)];
    const Vector& own = is_active ? less_ : more_;
    const Vector& others = is_active ? more_ : less_;
    double total = is_active ? all_more_ : all_less_;
    for (const std::uint32_t k : by_unit_.columns_of(i)) total += own[k] - others[k];
    return std::max(total, 0.0);
  }

  // The unit that lowers the energy most by its flip, or -1.
  Index steepest() const {
    Index best = -1;
    charge(2 * by_unit_.entries() + 8 * active_.size());
    double highest = here_;
    // Smaller differences are ties; the first unit wins.
    const double differs = relative_zero * (here_ + std::max(all_more_, all_less_));
    for (Index i = 0; i < by_unit_.rows(); ++i) {
      if (by_unit_.columns_of(i).empty()) continue;
      const double total = after(i);
      if (!(total - highest > differs)) continue;
      best = i;
      highest = total;
    }
    return best;
  }

  double energy() const { return energy_of(here_); }
  double cost(Index i) const { return std::max(energy_of(after(i)) - energy(), 0.0); }
  std::vector<std::uint32_t> active() const {
    std::vector<std::uint32_t> units;
    for (std::size_t i = 0; i < active_.size(); ++i)
      if (active_[i]) units.push_back(static_cast<std::uint32_t>(i));
    return units;
  }

 private:
  bool is_exponential() const { return options_.separation == EpisodeSeparation::exponential; }
  double value(int r) const {
    if (is_exponential()) return exp(options_.beta * static_cast<double>(r - top_));
    return r > 0 ? power(static_cast<double>(r), options_.n) : 0.0;
  }
  double energy_of(double total) const {
    // A lower bound on the total keeps the energy finite if the sum underflows.
    if (!is_exponential()) return -total;
    return -(log(std::max(total, 1e-300)) / options_.beta + static_cast<double>(top_));
  }

  const DenseEpisodesOptions& options_;
  Vector weights_;
  SparseRows by_unit_;
  std::vector<bool> active_;
  std::vector<int> overlaps_;
  int top_ = 0;
  Vector more_, less_;  // d_k F(r_k + 1), d_k F(r_k - 1)
  double here_ = 0, all_more_ = 0, all_less_ = 0;
};

void require_memory(const SparseRows& episodes, const Vector& weights, const Vector& cue,
                    const DenseEpisodesOptions& options) {
  require_size("weights", weights.size(), episodes.rows());
  require_size("cue", cue.size(), episodes.columns());
  for (const double d : weights)
    require(d >= 0 && std::isfinite(d), "weights must be finite and not negative", d);
  const double total = sum(weights);
  require_positive("the sum of the weights", total);
  require(options.n >= 1 && options.n <= 30, "n must be in [1, 30]", options.n);
  require(options.beta > 0 && options.beta <= 100, "beta must be in (0, 100]", options.beta);
  require(options.max_changes >= 1, "max_changes must be at least 1", options.max_changes);
}

}  // namespace

DenseEpisodesRecall recall_dense_episodes(const SparseRows& episodes, const Vector& weights,
                                          const Vector& cue, const DenseEpisodesOptions& options) {
  require_memory(episodes, weights, cue, options);
  Episodes memory(episodes, weights, cue, options);
  memory.refresh();
  DenseEpisodesRecall recall;
  recall.energies.push_back(memory.energy());
  const bool nothing = memory.active().empty();
  while (recall.changes < options.max_changes && !recall.converged) {
    const Index unit = nothing ? -1 : memory.steepest();
    recall.converged = unit < 0;
    if (recall.converged) break;
    memory.flip(unit);
    memory.refresh();
    recall.energies.push_back(memory.energy());
    ++recall.changes;
  }
  recall.active = memory.active();
  recall.costs.resize(static_cast<Index>(recall.active.size()));
  for (Index j = 0; j < recall.costs.size(); ++j)
    recall.costs[j] = memory.cost(recall.active[static_cast<std::size_t>(j)]);
  return recall;
}

namespace {

double x_log_x(double x) { return x > 0 ? x * log(x) : 0.0; }

// g and its integral.
class ContinuousSeparation {
 public:
  explicit ContinuousSeparation(const ContinuousMemoryOptions& options) : options_(options) {}

  // X' g(X q) from the overlaps. Values that would overflow are computed relative to the largest, which keeps the
  // signs.
  Vector drive(const Matrix& patterns, const Vector& overlaps) const {
    const double scale = overlaps.lpNorm<Eigen::Infinity>();
    const bool in_range = std::isfinite(is_exponential() ? exp(options_.inner_beta * max(overlaps))
                                                         : power(scale, options_.power));
    Vector values(overlaps.size());
    for (Index k = 0; k < values.size(); ++k) {
      if (is_exponential())
        values[k] = exp(options_.inner_beta * (in_range ? overlaps[k] : overlaps[k] - max(overlaps)));
      else
        values[k] = power(in_range ? overlaps[k] : overlaps[k] / scale, options_.power);
    }
    constexpr double largest = std::numeric_limits<double>::max();
    Vector sums = multiply_transposed(patterns, values);
    for (double& sum : sums) {
      if (!in_range) sum *= largest;
      if (std::isinf(sum)) sum = std::copysign(largest, sum);
    }
    return sums;
  }

  double integral(double overlap) const {
    if (is_exponential()) return exp(options_.inner_beta * overlap) / options_.inner_beta;
    return power(overlap, options_.power + 1) / (options_.power + 1);
  }

 private:
  bool is_exponential() const { return options_.inner_beta > 0; }

  const ContinuousMemoryOptions& options_;
};

double continuous_energy(const ContinuousSeparation& separation, const Vector& overlaps, const Vector& state,
                         double beta) {
  Vector stored(overlaps.size()), unit(state.size());
  for (Index k = 0; k < stored.size(); ++k) stored[k] = separation.integral(overlaps[k]);
  for (Index i = 0; i < unit.size(); ++i) {
    if (std::abs(state[i]) > 1) return std::numeric_limits<double>::infinity();
    unit[i] = (x_log_x(1 + state[i]) + x_log_x(1 - state[i])) / 2;
  }
  return sum(unit) / beta - sum(stored);
}

void require_options(const ContinuousMemoryOptions& options) {
  require(options.power >= 1, "the power must be at least 1", options.power);
  require(options.inner_beta >= 0 && std::isfinite(options.inner_beta),
          "inner_beta must be finite and not negative", options.inner_beta);
  require_positive("beta", options.beta);
  require(options.step > 0 && options.step <= 1, "a step must be in (0, 1]", options.step);
  require(options.max_steps >= 1, "max_steps must be at least 1", options.max_steps);
}

}  // namespace

ContinuousMemoryRecall recall_continuous(const Matrix& patterns, const Vector& cue,
                                         const ContinuousMemoryOptions& options) {
  require(patterns.rows() >= 1, "a continuous memory needs at least one pattern");
  require_size("cue", cue.size(), patterns.cols());
  require(patterns.allFinite() && cue.allFinite(), "patterns and cue must be finite");
  require_options(options);
  Vector u = Vector::Zero(cue.size());
  if (options.step < 1)
    for (Index i = 0; i < cue.size(); ++i) {
      require(std::abs(cue[i]) < 1, "steps of less than 1 need a cue in (-1, 1)");
      u[i] = (log1p(cue[i]) - log1p(-cue[i])) / (2 * options.beta);
    }

  const ContinuousSeparation separation(options);
  ContinuousMemoryRecall recall;
  recall.state = cue;
  Vector overlaps = multiply(patterns, cue);
  recall.energies.push_back(continuous_energy(separation, overlaps, cue, options.beta));
  while (static_cast<int>(recall.iterates.size()) < options.max_steps &&
         (options.every_step || !recall.converged)) {
    const Vector drive = separation.drive(patterns, overlaps);
    double change = 0;
    for (Index i = 0; i < u.size(); ++i) {
      u[i] = options.step < 1 ? u[i] + options.step * (drive[i] - u[i]) : drive[i];
      const double next = tanh(options.beta * u[i]);
      change = std::max(change, std::abs(next - recall.state[i]));
      recall.state[i] = next;
    }
    overlaps = multiply(patterns, recall.state);
    recall.energies.push_back(continuous_energy(separation, overlaps, recall.state, options.beta));
    recall.iterates.push_back(recall.state);
    recall.converged = change <= options.tolerance;
  }
  return recall;
}

}  // namespace engram::core
