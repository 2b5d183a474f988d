// SPDX-License-Identifier: MIT
#include "core/hopfield/hopfield.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

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

namespace {

// The state of a k-winners recall while it runs.
class Winners {
 public:
  Winners(const SparseCouplings& couplings, const Vector& external)
      : couplings_(couplings), external_(external), state_(Vector::Zero(couplings.size())) {}

  void set(Index unit, double value) {
    count_ += static_cast<Index>(value) - static_cast<Index>(state_[unit]);
    state_[unit] = value;
  }
  // Fields afresh from the state: updating them change by change would let rounding pile up.
  void refresh() {
    charge(4 * static_cast<std::uint64_t>(state_.size()));  // the search for winners reads all states
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

}  // namespace engram::core
