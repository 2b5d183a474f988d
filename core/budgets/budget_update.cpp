// SPDX-License-Identifier: MIT
#include "core/budgets/budget_update.hpp"

#include <algorithm>
#include <cmath>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr int most_steps = 100;  // along links; chosen: conductors rarely have links to each other

bool in_unit_interval(double x) { return x >= 0 && x <= 1; }

// The absorbing random walk of budget from conductors to holders.
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

  // Logs the total that each link carried.
  void log_links(TransferLog& log) const {
    for (Index i = 0; i < through_.size(); ++i)
      if (through_[i] > 0)
        for_each_way(i, [&](std::uint32_t j, double share) {
          log.add({static_cast<std::uint32_t>(i), j, through_[i] * share, TransferReason::link});
        });
  }

  const Vector& held() const { return held_; }
  const Vector& stuck() const { return stuck_; }  // at conductors without a way on, and at ignored terms

 private:
  // Calls act(j, share) for each target of conductor i. Returns whether there was one.
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

void TransferLog::add(const Transfer& transfer) {
  if (!(transfer.amount > 0)) return;
  kept_.push_back({count_++, transfer});
  if (kept_.size() >= 2 * most_ + 1024) prune();
}

void TransferLog::add_changes(const Vector& before, const Vector& after, TransferReason reason) {
  require_size("budgets after", after.size(), before.size());
  for (Index i = 0; i < before.size(); ++i) {
    const auto id = static_cast<std::uint32_t>(i);
    if (before[i] > after[i]) add({id, {}, before[i] - after[i], reason});
    if (after[i] > before[i]) add({{}, id, after[i] - before[i], reason});
  }
}

void TransferLog::prune() {
  if (kept_.size() <= most_) return;
  const auto larger = [](const Numbered& a, const Numbered& b) {
    return a.transfer.amount != b.transfer.amount ? a.transfer.amount > b.transfer.amount
                                                  : a.number < b.number;
  };
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(most_);
  std::nth_element(kept_.begin(), end, kept_.end(), larger);
  kept_.erase(end, kept_.end());
}

std::vector<Transfer> TransferLog::transfers() const {
  TransferLog pruned = *this;
  pruned.prune();
  std::ranges::sort(pruned.kept_, {}, &Numbered::number);
  std::vector<Transfer> transfers;
  transfers.reserve(pruned.kept_.size());
  for (const Numbered& each : pruned.kept_) transfers.push_back(each.transfer);
  return transfers;
}

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
  return faded / sum(faded);  // some item has at least the mean share, so the sum is at least 1
}

Vector updated_budget(const Vector& faded, const Vector& relevance, const BudgetUpdate& update) {
  return apply(Prior{update.form, faded, update.alpha}, relevance, update.temperature);
}

std::size_t leading_count(const Vector& best_first, double share) {
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
  best.resize(leading_count(values, cut.share));
  std::ranges::sort(best);
  std::vector<SparseVector::Entry> kept;
  for (const std::uint32_t id : best) kept.emplace_back(id, weighed[id]);
  return {p.size(), std::move(kept)};
}

Vector conduct_to_holders(const Vector& p, const std::vector<Role>& roles, const SparseRows& links,
                          TransferLog* log) {
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

TermClass class_of(narsese::Term term) {
  if (term.has_variables()) return TermClass::variable;
  switch (term.kind()) {
    case narsese::TermKind::atom:
      return term.name() == "SELF" ? TermClass::self : TermClass::atom;
    case narsese::TermKind::op:
      return TermClass::op;
    case narsese::TermKind::statement:
      return TermClass::statement;
    case narsese::TermKind::compound:
    case narsese::TermKind::interval:
      return TermClass::compound;
    case narsese::TermKind::variable:
      break;
  }
  return TermClass::variable;
}

TermPolicy::TermPolicy() : roles_{} {
  for (const TermClassFacts& facts : term_classes) roles_[static_cast<std::size_t>(facts.value)] = facts.role;
}

TermPolicy::TermPolicy(const ActivationPolicy& memory) : TermPolicy() {
  if (memory.compounds) set(TermClass::compound, Role::holds);
  if (memory.self) set(TermClass::self, Role::holds);
  if (memory.statements) set(TermClass::statement, Role::holds);
}

void TermPolicy::set(TermClass term_class, Role role) {
  require(term_class != TermClass::variable || role == Role::ignored,
          "the class variable can only be ignored");
  roles_[static_cast<std::size_t>(term_class)] = role;
}

}  // namespace engram::core
