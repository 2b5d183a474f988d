// SPDX-License-Identifier: MIT
#include "core/hopfield/hopfield.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/hopfield/hopfield_dynamics.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

void require_network(const Matrix& weights, const Vector& cue, const Vector& field) {
  require_size("rows of weights", weights.rows(), cue.size());
  require_size("columns of weights", weights.cols(), cue.size());
  if (field.size() > 0) require_size("field", field.size(), cue.size());
  require(weights.allFinite() && field.allFinite(), "weights and field must be finite");
  require_spins(cue);
}

// Spins with a dense coupling matrix, for hopfield_dynamics.hpp.
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

void require_draws(const GlauberDraws& draws, Index spins) {
  require_positive("temperature", draws.temperature);
  require_size("uniforms", draws.uniforms.size(), static_cast<Index>(draws.sites.size()));
  for (const std::uint32_t site : draws.sites) require(site < spins, "a site must be one of the spins", site);
  for (const double u : draws.uniforms) require(u >= 0 && u < 1, "a uniform number must be in [0, 1)", u);
}

double probability_of_plus(double field, double temperature) {
  // An infinite ratio is fine, because its exponential is 0 or infinity.
  const double certain = std::abs(field) <= zero_field ? 0.0 : 2.0 * (field / temperature);
  return 1.0 / (1.0 + exp(-certain));
}

GlauberRecall recall_glauber(const Matrix& weights, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field) {
  DenseSpins spins(weights, cue, field, ZeroField::keep);
  return run_glauber(spins, cue.size(), draws);
}

double hopfield_energy(const Matrix& weights, const Vector& state, const Vector& field) {
  const double coupling = field.size() > 0 ? dot(field, state) : 0.0;
  return -0.5 * dot(state, multiply(weights, state)) - coupling;
}

double SparseCouplings::weight(Index i, Index j) const {
  if (i == j) return 0;
  const auto columns = together.columns_of(i);
  const auto place = std::lower_bound(columns.begin(), columns.end(), static_cast<std::uint32_t>(j));
  double shared = 0;
  if (place != columns.end() && *place == static_cast<std::uint32_t>(j))
    shared = together.values_of(i)[static_cast<std::size_t>(place - columns.begin())];
  return gain[i] * gain[j] * (shared - activity[i] * activity[j]);
}

Vector SparseCouplings::field(const Vector& state, const Vector& external) const {
  require_size("state", state.size(), size());
  require_size("external field", external.size(), size());
  const Vector gated = gain.cwiseProduct(state);
  const double background = dot(activity, gated);
  Vector h = together.multiply(gated);
  for (Index i = 0; i < h.size(); ++i)  // subtracts the diagonal's share of the background
    h[i] = gain[i] * (h[i] - activity[i] * (background - activity[i] * gated[i])) + external[i];
  return h;
}

namespace {

// The units of a k-winners recall.
class Winners {
 public:
  Winners(const SparseCouplings& couplings, const Vector& external)
      : couplings_(couplings), external_(external), state_(Vector::Zero(couplings.size())) {}

  void set(Index unit, double value) {
    count_ += static_cast<Index>(value) - static_cast<Index>(state_[unit]);
    state_[unit] = value;
  }
  // Recomputes the fields, because incremental updates would accumulate rounding errors.
  void refresh() {
    charge(4 * static_cast<std::uint64_t>(state_.size()));  // includes the search for winners
    field_ = couplings_.field(state_, external_);
  }

  Index strongest_loser() const {
    Index best = -1;
    for (Index i = 0; i < state_.size(); ++i)
      if (state_[i] == 0 && couplings_.may_fire(i) && (best < 0 || field_[i] > field_[best])) best = i;
    return best;
  }
  Index weakest_winner() const {
    Index worst = -1;
    for (Index i = 0; i < state_.size(); ++i)
      if (state_[i] != 0 && (worst < 0 || field_[i] <= field_[worst])) worst = i;
    return worst;
  }
  double energy() const {
    // s'Ws = s'(h - b)
    return -0.5 * (dot(state_, field_) + dot(state_, external_));
  }

  const Vector& field() const { return field_; }
  const Vector& state() const { return state_; }
  Index count() const { return count_; }

 private:
  const SparseCouplings& couplings_;
  const Vector& external_;
  Vector state_, field_;
  Index count_ = 0;
};

}  // namespace

WinnersRecall recall_winners(const SparseCouplings& couplings, const Vector& cue, Index k,
                             double cue_strength, int max_changes) {
  require_size("cue", cue.size(), couplings.size());
  require(k >= 1, "k of the winners must be at least 1", k);
  const Vector external = cue * cue_strength;
  Winners units(couplings, external);
  for (Index i = 0; i < cue.size(); ++i)
    if (cue[i] > 0 && couplings.may_fire(i)) units.set(i, 1);
  units.refresh();

  while (units.count() > k) {
    units.set(units.weakest_winner(), 0);
    units.refresh();
  }
  WinnersRecall recall;
  recall.energies.push_back(units.energy());
  while (recall.changes < max_changes && !recall.converged) {
    const Index in = units.strongest_loser();
    const Index out = units.weakest_winner();
    const double join = in >= 0 && units.count() < k ? -units.field()[in] : 0.0;
    const double leave = out >= 0 ? units.field()[out] : 0.0;
    const double exchange =
        in >= 0 && out >= 0 ? units.field()[out] - units.field()[in] + couplings.weight(in, out) : 0.0;
    const double lowest = std::min({join, leave, exchange});
    recall.converged = lowest >= -zero_field;
    if (recall.converged) break;
    const bool joins = join == lowest, leaves = !joins && leave == lowest;  // ties: the first of these
    if (!leaves) units.set(in, 1);
    if (!joins) units.set(out, 0);
    units.refresh();
    recall.energies.push_back(units.energy());
    ++recall.changes;
  }
  recall.field = units.field();
  for (Index i = 0; i < units.state().size(); ++i)
    if (units.state()[i] != 0) recall.winners.push_back(static_cast<std::uint32_t>(i));
  return recall;
}

}  // namespace engram::core
