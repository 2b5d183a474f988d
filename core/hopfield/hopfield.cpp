// SPDX-License-Identifier: MIT
#include "core/hopfield/hopfield.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {

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
  for (Index i = 0; i < h.size(); ++i)  // the diagonal's share of the background is taken out again
    h[i] = gain[i] * (h[i] - activity[i] * (background - activity[i] * gated[i])) + external[i];
  return h;
}

Vector DenseCouplings::field(const Vector& state, const Vector& external) const {
  return multiply(weights, state) + external;
}

DenseCouplings covariance_couplings(const Matrix& patterns) {
  require(patterns.size() > 0, "couplings need a pattern of one unit or more");
  for (const double x : patterns.reshaped()) require(x == 0 || x == 1, "a unit must be 0 or 1");
  const Index n = patterns.cols();
  const double a = sum(std::span(patterns.data(), static_cast<std::size_t>(patterns.size()))) /
                   static_cast<double>(patterns.size());
  // sum_k (x_i - a)(x_j - a) = C_ij - a (c_i + c_j) + a^2 k: the counts are whole numbers, and so exact.
  Matrix together = Matrix::Zero(n, n);
  std::vector<Index> active;
  for (Index k = 0; k < patterns.rows(); ++k) {
    active.clear();
    for (Index i = 0; i < n; ++i)
      if (patterns(k, i) != 0) active.push_back(i);
    spend(static_cast<std::uint64_t>(n) + active.size() * active.size());
    for (const Index i : active)
      for (const Index j : active) together(i, j) += 1;
  }
  DenseCouplings couplings{Matrix::Zero(n, n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      couplings.weights(i, j) = couplings.weights(j, i) =
          (together(i, j) - a * (together(i, i) + together(j, j)) +
           a * a * static_cast<double>(patterns.rows())) /
          static_cast<double>(n);
  return couplings;
}

double covariance_threshold(double activity) { return activity * (1 - activity) * (0.5 - activity); }

namespace {

// The state of a k-winners recall while it runs.
template <class Couplings>
class Winners {
 public:
  Winners(const Couplings& couplings, const Vector& external)
      : couplings_(couplings), external_(external), state_(Vector::Zero(couplings.size())) {}

  void set(Index unit, double value) {
    count_ += static_cast<Index>(value) - static_cast<Index>(state_[unit]);
    state_[unit] = value;
  }
  // Fields afresh from the state: updating them change by change would let rounding pile up.
  void refresh() {
    spend(4 * static_cast<std::uint64_t>(state_.size()));  // who wins and loses is looked for in all
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
  const Couplings& couplings_;
  const Vector& external_;
  Vector state_, field_;
  Index count_ = 0;
};

template <class Couplings>
WinnersRecall run_winners(const Couplings& couplings, const Vector& cue, Index k, double cue_strength,
                          int max_changes) {
  require_size("cue", cue.size(), couplings.size());
  require(k >= 1, "k winners need k of at least 1");
  const Vector external = cue * cue_strength;
  Winners<Couplings> units(couplings, external);
  for (Index i = 0; i < cue.size(); ++i)
    if (cue[i] > 0 && couplings.may_fire(i)) units.set(i, 1);
  units.refresh();

  while (units.count() > k) {  // a cue of too many units keeps those in the strongest fields
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
    const bool joins = join == lowest, leaves = !joins && leave == lowest;  // of equal changes the first
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

// One unit's field at a time. The graph's needs the background, a sum over all units that changes with each
// flip and is then taken afresh.
class SparseFields {
 public:
  explicit SparseFields(const SparseCouplings& couplings)
      : w_(couplings), gated_(Vector::Zero(couplings.size())) {}
  void set(Index i, double value) {
    gated_[i] = w_.gain[i] * value;
    stale_ = true;
  }
  double at(Index i) {
    if (stale_) background_ = dot(w_.activity, gated_);
    stale_ = false;
    const double others = background_ - w_.activity[i] * gated_[i];
    return w_.gain[i] * (w_.together.row_dot(i, gated_) - w_.activity[i] * others);
  }

 private:
  const SparseCouplings& w_;
  Vector gated_;
  double background_ = 0;
  bool stale_ = true;
};

class DenseFields {
 public:
  explicit DenseFields(const DenseCouplings& couplings)
      : w_(couplings), state_(Vector::Zero(couplings.size())) {}
  void set(Index i, double value) { state_[i] = value; }
  double at(Index i) const { return dot(row_span(w_.weights, i), as_span(state_)); }

 private:
  const DenseCouplings& w_;
  Vector state_;
};

template <class Fields, class Couplings>
ThresholdRecall run_by_threshold(const Couplings& couplings, const Vector& cue, double threshold,
                                 double cue_strength, int max_sweeps) {
  require_size("cue", cue.size(), couplings.size());
  require(std::isfinite(threshold), "the threshold must be finite");
  const Vector external = (cue * cue_strength).array() - threshold;
  Fields fields(couplings);
  Vector state = Vector::Zero(cue.size());
  const auto set = [&](Index i, double value) {
    state[i] = value;
    fields.set(i, value);
  };
  const auto energy = [&] {
    return -0.5 * (dot(state, couplings.field(state, external)) + dot(state, external));
  };
  for (Index i = 0; i < cue.size(); ++i)
    if (cue[i] > 0 && couplings.may_fire(i)) set(i, 1);
  ThresholdRecall recall;
  recall.energies.push_back(energy());
  while (static_cast<int>(recall.flips.size()) < max_sweeps && !recall.converged) {
    int flips = 0;
    for (Index i = 0; i < cue.size(); ++i) {
      if (!couplings.may_fire(i)) continue;
      spend(16);
      const double h = fields.at(i) + external[i];
      if (std::abs(h) <= zero_field || (h > 0) == (state[i] != 0)) continue;
      set(i, 1 - state[i]);
      ++flips;
    }
    recall.energies.push_back(energy());
    recall.flips.push_back(flips);
    recall.converged = flips == 0;
  }
  for (Index i = 0; i < state.size(); ++i)
    if (state[i] != 0) recall.active.push_back(static_cast<std::uint32_t>(i));
  return recall;
}

}  // namespace

WinnersRecall recall_winners(const SparseCouplings& couplings, const Vector& cue, Index k,
                             double cue_strength, int max_changes) {
  return run_winners(couplings, cue, k, cue_strength, max_changes);
}
WinnersRecall recall_winners(const DenseCouplings& couplings, const Vector& cue, Index k, double cue_strength,
                             int max_changes) {
  return run_winners(couplings, cue, k, cue_strength, max_changes);
}

ThresholdRecall recall_by_threshold(const SparseCouplings& couplings, const Vector& cue, double threshold,
                                    double cue_strength, int max_sweeps) {
  return run_by_threshold<SparseFields>(couplings, cue, threshold, cue_strength, max_sweeps);
}
ThresholdRecall recall_by_threshold(const DenseCouplings& couplings, const Vector& cue, double threshold,
                                    double cue_strength, int max_sweeps) {
  return run_by_threshold<DenseFields>(couplings, cue, threshold, cue_strength, max_sweeps);
}

}  // namespace engram::core
