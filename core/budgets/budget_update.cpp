// SPDX-License-Identifier: MIT
#include "core/budgets/budget_update.hpp"

#include <algorithm>
#include <cmath>

#include "core/budgets/budget_allocator.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/rank.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr int most_steps = 100;  // of budget on its way along links; chosen: few conduct to one another

bool in_unit_interval(double x) { return x >= 0 && x <= 1; }

// Budget on its way from those that conduct to those that hold.
class Absorption {
 public:
  Absorption(const Vector& p, const std::vector<Role>& roles, const SparseRows& links)
      : roles_(roles),
        links_(links),
        held_(Vector::Zero(p.size())),
        stuck_(held_),
        moving_(held_),
        through_(held_) {
    for (Index i = 0; i < p.size(); ++i) {
      const Role role = roles[static_cast<std::size_t>(i)];
      (role == Role::holds ? held_ : role == Role::conducts ? moving_ : stuck_)[i] = p[i];
    }
  }

  void run() {
    for (int step = 0; step < most_steps && (moving_.array() > 0).any(); ++step) {
      const Vector pulses = moving_;
      moving_.setZero();
      charge(static_cast<std::uint64_t>(pulses.size()));
      for (Index i = 0; i < pulses.size(); ++i)
        if (pulses[i] > 0) send(i, pulses[i]);
    }
    stuck_ += moving_;
  }

  // Of each link, all that went along it.
  void log_links(TransferLog& log) const {
    for (Index i = 0; i < through_.size(); ++i)
      if (through_[i] > 0)
        for_each_way(i, [&](std::uint32_t j, double share) {
          log.add({static_cast<std::uint32_t>(i), j, through_[i] * share, TransferReason::link});
        });
  }

  const Vector& held() const { return held_; }
  const Vector& stuck() const { return stuck_; }  // where it had no way to go on, or was ignored

 private:
  // do(j, share) for those to whom i may hand something on; false where there are none.
  template <class Do>
  bool for_each_way(Index i, Do act) const {
    const auto columns = links_.columns_of(i);
    const auto weights = links_.values_of(i);
    charge(4 * columns.size());
    double total = 0;
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (roles_[columns[k]] != Role::ignored) total += weights[k];
    for (std::size_t k = 0; k < columns.size() && total > 0; ++k)
      if (roles_[columns[k]] != Role::ignored && weights[k] > 0) act(columns[k], weights[k] / total);
    return total > 0;
  }

  void send(Index i, double pulse) {
    const bool has_way = for_each_way(i, [&](std::uint32_t j, double share) {
      (roles_[j] == Role::holds ? held_ : moving_)[j] += pulse * share;
    });
    (has_way ? through_ : stuck_)[i] += pulse;
  }

  const std::vector<Role>& roles_;
  const SparseRows& links_;
  Vector held_, stuck_, moving_, through_;
};

}  // namespace

Vector faded_budget(const Vector& q, const Vector& durability, double fresh) {
  require(q.size() > 0, "a budget needs at least one item");
  require_size("durability", durability.size(), q.size());
  require(in_unit_interval(fresh), "the fresh share must be in [0, 1]");
  for (const double d : durability) require(in_unit_interval(d), "durability must be in [0, 1]");
  for (const double share : q) require(share >= 0, "a budget must be at least 0", share);
  const double total = sum(q), n = static_cast<double>(q.size());
  require(std::isfinite(total), "a budget must have a finite sum");

  Vector faded(q.size());
  for (Index i = 0; i < q.size(); ++i) {
    const double of_mean = total > 0 ? (1 - fresh) * (q[i] / total * n) + fresh : 1.0;
    faded[i] = durability[i] == 0 ? 1.0 : of_mean > 0 ? exp(durability[i] * log(of_mean)) : 0.0;
  }
  return faded / sum(faded);  // somebody has the mean share at least, so the sum is at least 1
}

Vector updated_budget(const Vector& faded, const Vector& relevance, const BudgetUpdate& update) {
  return apply(Prior{update.form, faded, update.alpha}, relevance, update.temperature);
}

std::size_t given(const Vector& best_first, double share) {
  require(in_unit_interval(share), "the share of the largest must be in [0, 1]");
  if (best_first.size() == 0) return 0;
  const double least = share * best_first[0];
  const auto end = std::partition_point(best_first.begin(), best_first.end(),
                                        [&](double value) { return value >= least; });
  return static_cast<std::size_t>(end - best_first.begin());
}

SparseVector cut_to_capacity(const SparseVector& p, const Cut& cut) {
  SparseVector weighed = p;
  if (cut.selection == Selection::budget && p.size() > 0 && max(p) > 0) {
    const Vector& all = p;
    const auto places = std::min(static_cast<Index>(cut.capacity), p.size());
    weighed = all.cwiseProduct(apply({SimplexMap::budget, 0, places}, all / max(p), cut.temperature));
  }
  const double total = sum(p);
  std::vector<std::uint32_t> best = rank(weighed, cut.capacity);
  if (cut.selection == Selection::threshold)
    std::erase_if(best, [&](std::uint32_t id) { return p[id] < cut.threshold * total; });
  Vector values(static_cast<Index>(best.size()));
  for (std::size_t k = 0; k < best.size(); ++k) values[static_cast<Index>(k)] = weighed[best[k]];
  best.resize(given(values, cut.share));
  std::ranges::sort(best);
  std::vector<SparseVector::Entry> kept;
  for (const std::uint32_t id : best) kept.emplace_back(id, weighed[id]);
  return {p.size(), std::move(kept)};
}

Vector handed_on(const Vector& p, const std::vector<Role>& roles, const SparseRows& links, TransferLog* log) {
  require_size("roles", static_cast<Index>(roles.size()), p.size());
  require_size("links", links.rows(), p.size());
  Absorption walk(p, roles, links);
  walk.run();
  if (log != nullptr) walk.log_links(*log);
  const double arrived = sum(walk.held());
  Vector settled = arrived > 0 ? Vector(walk.held() * (sum(p) / arrived)) : Vector(Vector::Zero(p.size()));
  if (log != nullptr) log->add_changes(walk.held() + walk.stuck(), settled, TransferReason::link);
  return settled;
}

}  // namespace engram::core
