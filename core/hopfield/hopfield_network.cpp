// SPDX-License-Identifier: MIT
#include "core/hopfield/hopfield_network.hpp"

#include <cmath>
#include <numeric>

#include "core/hopfield/hopfield_dynamics.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

void require_network(const Matrix& weights, const Vector& cue, const Vector& field) {
  require_size("rows of weights", weights.rows(), cue.size());
  require_size("columns of weights", weights.cols(), cue.size());
  if (field.size() > 0) require_size("field", field.size(), cue.size());
  require(weights.allFinite() && field.allFinite(), "weights and field must be finite");
  require_spins(cue);
}

// A state and a dense matrix of couplings.
class DenseSpins {
 public:
  DenseSpins(const Matrix& weights, const Vector& cue, const Vector& external, ZeroField at_zero)
      : weights_(weights), external_(external), at_zero_(at_zero), state_(cue) {
    require_network(weights, cue, external);
  }

  int visit(std::span<const std::uint32_t> turn) {
    int flips = 0;
    for (const std::uint32_t i : turn) {
      const double next = next_spin(field(i), state_[i], at_zero_);
      flips += next != state_[i];
      state_[i] = next;
    }
    return flips;
  }
  int step() {
    Vector next(state_.size());
    for (Index i = 0; i < next.size(); ++i) next[i] = next_spin(field(i), state_[i], at_zero_);
    const auto flips = static_cast<int>((next.array() != state_.array()).count());
    state_ = std::move(next);
    return flips;
  }
  double field(Index i) const {
    const double learnt = dot(row_span(weights_, i), as_span(state_));
    return external_.size() > 0 ? learnt + external_[i] : learnt;
  }
  bool is_up(Index i) const { return state_[i] > 0; }
  void flip(Index i) { state_[i] = -state_[i]; }
  double energy() const { return hopfield_energy(weights_, state_, external_); }
  const Vector& state() const { return state_; }
  std::vector<bool> bits() const {
    std::vector<bool> packed(static_cast<std::size_t>(state_.size()));
    for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = is_up(static_cast<Index>(i));
    return packed;
  }

 private:
  const Matrix& weights_;
  const Vector& external_;
  ZeroField at_zero_;
  Vector state_;
};

}  // namespace

void require_spins(const Vector& state) {
  for (const double s : state) require(std::abs(s) == 1, "a spin must be +1 or -1", s);
}

double next_spin(double field, double spin, ZeroField at_zero) {
  if (std::abs(field) > zero_field) return field > 0 ? 1.0 : -1.0;
  return at_zero == ZeroField::keep ? spin : at_zero == ZeroField::plus ? 1.0 : -1.0;
}

std::vector<std::uint32_t> sweep_order(const std::vector<std::uint32_t>& given, Index n) {
  std::vector<std::uint32_t> order = given;
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }
  std::vector<bool> named(static_cast<std::size_t>(n), false);
  bool permutation = order.size() == named.size();
  for (std::size_t k = 0; permutation && k < order.size(); ++k) {
    permutation = order[k] < named.size() && !named[order[k]];
    if (permutation) named[order[k]] = true;
  }
  require(permutation, "order must name every spin once");
  return order;
}

Vector overlaps(const Matrix& patterns, const Vector& state) {
  require_size("state", state.size(), patterns.cols());
  return multiply(patterns, state) / static_cast<double>(state.size());
}

HopfieldRecall recall_hopfield(const Matrix& weights, const Vector& cue, const HopfieldOptions& options,
                               const StateObserver& observer) {
  DenseSpins spins(weights, cue, options.field, options.at_zero);
  return run_asynchronous(spins, cue.size(), options, observer);
}

HopfieldRecall recall_synchronous(const Matrix& weights, const Vector& cue, const HopfieldOptions& options) {
  DenseSpins spins(weights, cue, options.field, options.at_zero);
  return run_synchronous(spins, options);
}

std::size_t require_draws(const GlauberDraws& draws, Index spins) {
  require_positive("temperature", draws.temperature);
  require_size("uniforms", draws.uniforms.size(), static_cast<Index>(draws.sites.size()));
  for (const std::uint32_t site : draws.sites) require(site < spins, "a site must be one of the spins", site);
  for (const double u : draws.uniforms) require(u >= 0 && u < 1, "a uniform number must be in [0, 1)", u);
  return draws.sites.size();
}

double probability_of_plus(double field, double temperature) {
  // A ratio beyond the range of double is infinite, and its exponential the 0 or infinity it stands for.
  const double certain = std::abs(field) <= zero_field ? 0.0 : 2.0 * (field / temperature);
  return 1.0 / (1.0 + exp(-certain));
}

GlauberRecall recall_glauber(const Matrix& weights, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field) {
  DenseSpins spins(weights, cue, field, ZeroField::keep);
  return run_glauber(spins, cue.size(), draws);
}

}  // namespace engram::core
