// SPDX-License-Identifier: MIT
#include "core/budgets/bounded_memory.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <iterator>
#include <limits>
#include <list>
#include <map>

#include "core/budgets/level_bag.hpp"
#include "core/budgets/ona_control.hpp"
#include "core/budgets/ranked_memory.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

using Id = BoundedMemory::Id;
using Ids = ConceptIds;

// Budgets and links of the concepts that one rule still knows.
class Budgets {
 public:
  explicit Budgets(const BudgetRule& rule) : rule_(rule) {
    require(rule.durability > 0 && rule.durability < 1, "durability must be in (0, 1)", rule.durability);
    require(rule.association >= 0, "association must not be negative", rule.association);
    require(rule.lag >= 1, "lag must be at least 1", rule.lag);
    require(rule.ghosts >= 0, "ghosts must not be negative", rule.ghosts);
  }

  void learn(std::span<const Id> active) {
    charge(32 * known_.size());
    for (auto& [id, known] : known_) known.budget *= rule_.durability, known.follows = 0;
    for (const Id id : active) {
      known_[id].budget += 1;
      known_[id].times += 1;
    }
    if (rule_.association == 0) return;
    for (std::size_t ago = 1; ago <= before_.size(); ++ago)
      for (const Id earlier : before_[ago - 1])
        if (const auto place = known_.find(earlier); place != known_.end())
          for (const Id id : active) place->second.followers[id] += 1.0 / static_cast<double>(ago);
    before_.emplace_front(active.begin(), active.end());
    if (before_.size() > static_cast<std::size_t>(rule_.lag)) before_.pop_back();
    for (const Id id : active) {
      const Known& from = known_[id];
      for (const auto& [follower, weight] : from.followers)
        if (const auto place = known_.find(follower); place != known_.end())
          place->second.follows += weight / (from.times + 1) / static_cast<double>(active.size());
    }
  }

  double worth(Id id) const {
    const auto place = known_.find(id);
    if (place == known_.end()) return 0;
    return (1 - rule_.durability) * place->second.budget + rule_.association * place->second.follows;
  }

  /// Drops the numbers of concepts that are neither held nor worth remembering.
  void forget(std::span<const Id> held, std::size_t capacity) {
    Ids ids;
    for (const auto& [id, known] : known_) ids.push_back(id);
    const auto ghosts = static_cast<std::size_t>(rule_.ghosts * static_cast<double>(capacity));
    for (const Id id : beyond_ghosts(ids, held, ghosts, [&](Id one) { return worth(one); })) {
      known_.erase(id);
      charge(32 * known_.size());
      for (auto& [other, known] : known_) known.followers.erase(id);
    }
  }

 private:
  struct Known {
    double budget = 0, times = 0;
    double follows = 0;  // s_i, of this episode
    std::map<Id, double> followers;
  };
  BudgetRule rule_;
  std::map<Id, Known> known_;
  std::deque<Ids> before_;  // the last episode first
};

class ByBudget : public RankedMemory {
 public:
  ByBudget(std::size_t capacity, const BudgetRule& rule) : RankedMemory(capacity), budgets_(rule) {}
  void experience(std::span<const Id> active) override {
    budgets_.learn(active);
    keep(active, [&](Id id) { return budgets_.worth(id); });
    budgets_.forget(held(), capacity());
  }

 private:
  Budgets budgets_;
};

class ByBestBudget : public RankedMemory {
 public:
  ByBestBudget(std::size_t capacity, const std::vector<BudgetRule>& rules, double fade)
      : RankedMemory(capacity), fade_(fade) {
    require(!rules.empty(), "there must be a rule to choose");
    require(fade > 0 && fade <= 1, "fade must be in (0, 1]", fade);
    for (const BudgetRule& rule : rules) candidates_.push_back({Budgets(rule), {}, 0});
  }

  void experience(std::span<const Id> active) override {
    for (Candidate& candidate : candidates_) {
      candidate.hits *= fade_;
      for (const Id id : active) candidate.hits += contains(candidate.held, id) ? 1 : 0;
      candidate.budgets.learn(active);
      candidate.held = most_worth(united(candidate.held, active), capacity(),
                                  [&](Id id) { return candidate.budgets.worth(id); });
    }
    const Candidate& best = *std::ranges::max_element(candidates_, {}, &Candidate::hits);
    keep(active, [&](Id id) { return best.budgets.worth(id); });
    for (Candidate& candidate : candidates_)
      candidate.budgets.forget(united(candidate.held, held()), capacity());
  }

 private:
  struct Candidate {
    Budgets budgets;
    Ids held;  // had it been alone
    double hits;
  };
  double fade_;
  std::vector<Candidate> candidates_;
};

class ByUse : public RankedMemory {
 public:
  ByUse(std::size_t capacity, bool by_count) : RankedMemory(capacity), by_count_(by_count) {}
  void experience(std::span<const Id> active) override {
    ++now_;
    for (const Id id : active) {
      Use& use = uses_[id];
      use.count += by_count_ ? 1 : 0;
      use.last = now_;
    }
    Ids left;
    keep(
        active, [&](Id id) { return uses_.at(id); }, &left);
    for (const Id id : left) uses_.erase(id);
  }

 private:
  struct Use {
    std::uint64_t count = 0, last = 0;
    auto operator<=>(const Use&) const = default;
  };
  bool by_count_;
  std::uint64_t now_ = 0;
  std::map<Id, Use> uses_;
};

class AtRandom : public RankedMemory {
 public:
  AtRandom(std::size_t capacity, std::uint64_t seed)
      : RankedMemory(capacity), rng_(seed, "random replacement") {}
  void experience(std::span<const Id> active) override {
    std::map<Id, double> lots;
    for (const Id id : united(held(), active)) lots[id] = contains(active, id) ? 1.0 : rng_.uniform();
    keep(active, [&](Id id) { return lots.at(id); });
  }

 private:
  Rng rng_;
};

class Needed : public RankedMemory {
 public:
  Needed(std::size_t capacity, std::span<const Ids> episodes) : RankedMemory(capacity) {
    for (std::size_t t = 0; t < episodes.size(); ++t)
      for (const Id id : episodes[t]) uses_[id].push_back(t);
  }
  void experience(std::span<const Id> active) override {
    keep(active, [&](Id id) { return -next_use(id); });
    ++now_;
  }

 private:
  double next_use(Id id) const {
    const auto place = uses_.find(id);
    if (place == uses_.end()) return std::numeric_limits<double>::infinity();
    const auto next = std::ranges::upper_bound(place->second, now_);
    return next == place->second.end() ? std::numeric_limits<double>::infinity() : static_cast<double>(*next);
  }
  std::size_t now_ = 0;
  std::map<Id, std::vector<std::size_t>> uses_;
};

// The four lists of ARC, the most recently used first.
class Arc : public BoundedMemory {
 public:
  explicit Arc(std::size_t capacity) : capacity_(capacity) {
    require(capacity >= 1, "the capacity must be at least 1", capacity);
  }

  bool holds(Id id) const override { return in(once_, id) || in(often_, id); }
  void experience(std::span<const Id> active) override {
    for (const Id id : active) use(id);
  }

 private:
  using List = std::list<Id>;
  static bool in(const List& list, Id id) { return std::ranges::find(list, id) != list.end(); }
  static void move_last(List& from, List& to) { to.splice(to.begin(), from, std::prev(from.end())); }

  void use(Id id) {
    if (holds(id)) {
      once_.remove(id);
      often_.remove(id);
    } else if (in(once_gone_, id)) {
      wanted_once_ = std::min(
          capacity_, wanted_once_ + std::max<std::size_t>(1, often_gone_.size() / once_gone_.size()));
      replace(false);
      once_gone_.remove(id);
    } else if (in(often_gone_, id)) {
      const std::size_t less = std::max<std::size_t>(1, once_gone_.size() / often_gone_.size());
      wanted_once_ -= std::min(wanted_once_, less);
      replace(true);
      often_gone_.remove(id);
    } else {
      make_room();
      once_.push_front(id);
      return;
    }
    often_.push_front(id);
  }

  void make_room() {
    const std::size_t recent = once_.size() + once_gone_.size(),
                      all = recent + often_.size() + often_gone_.size();
    if (recent == capacity_) {
      if (once_.size() < capacity_) {
        once_gone_.pop_back();
        replace(false);
      } else {
        once_.pop_back();
      }
    } else if (all >= capacity_) {
      if (all == 2 * capacity_) often_gone_.pop_back();
      replace(false);
    }
  }

  void replace(bool was_often_gone) {
    if (once_.size() + often_.size() < capacity_) return;
    const bool over = once_.size() > wanted_once_ || (was_often_gone && once_.size() == wanted_once_);
    if (!once_.empty() && (over || often_.empty()))
      move_last(once_, once_gone_);
    else
      move_last(often_, often_gone_);
  }

  std::size_t capacity_, wanted_once_ = 0;
  List once_, often_, once_gone_, often_gone_;
};

class Useful : public BoundedMemory {
 public:
  explicit Useful(std::size_t capacity) : concepts_(capacity) {}
  bool holds(Id id) const override { return concepts_.find(id) != nullptr; }
  void experience(std::span<const Id> active) override {
    for (const Id id : active) concepts_.activate(id, 1);
    concepts_.cycle();
  }

 private:
  ona::Concepts concepts_;
};

// What the two systems that have bags do with a concept's budget.
struct BagBudgets {
  const BagRules& bag;
  narsese::BudgetValue (*activate)(const narsese::BudgetValue& of_concept, const narsese::BudgetValue& task);
  narsese::BudgetValue (*forget)(const narsese::BudgetValue& budget);
};
const BagBudgets opennars_budgets{opennars_bag, opennars::activate, [](const narsese::BudgetValue& budget) {
                                    return opennars::forget(budget, opennars::concept_uses);
                                  }};
const BagBudgets pynars_budgets{pynars_bag, pynars::activate, pynars::forget};

class InBag : public BoundedMemory {
 public:
  InBag(std::size_t capacity, const BagBudgets& budgets)
      : budgets_(budgets), bag_(capacity, 100, budgets.bag) {}
  bool holds(Id id) const override { return bag_.find(id) != nullptr; }
  void experience(std::span<const Id> active) override {
    constexpr narsese::BudgetValue task{0.8, 0.5, 0.5};
    for (const Id id : active) {
      const auto held = bag_.pick_out(id);
      bag_.put_in({id, held ? budgets_.activate(held->budget, task) : task});
    }
    if (auto taken = bag_.take_out()) bag_.put_in({taken->id, budgets_.forget(taken->budget)});
  }

 private:
  const BagBudgets& budgets_;
  LevelBag bag_;
};

}  // namespace

std::unique_ptr<BoundedMemory> keep_by_budget(std::size_t capacity, const BudgetRule& rule) {
  return std::make_unique<ByBudget>(capacity, rule);
}
std::unique_ptr<BoundedMemory> keep_by_best_budget(std::size_t capacity, const std::vector<BudgetRule>& rules,
                                                   double fade) {
  return std::make_unique<ByBestBudget>(capacity, rules, fade);
}
std::unique_ptr<BoundedMemory> keep_recent(std::size_t capacity) {
  return std::make_unique<ByUse>(capacity, false);
}
std::unique_ptr<BoundedMemory> keep_frequent(std::size_t capacity) {
  return std::make_unique<ByUse>(capacity, true);
}
std::unique_ptr<BoundedMemory> keep_at_random(std::size_t capacity, std::uint64_t seed) {
  return std::make_unique<AtRandom>(capacity, seed);
}
std::unique_ptr<BoundedMemory> keep_adaptively(std::size_t capacity) {
  return std::make_unique<Arc>(capacity);
}
std::unique_ptr<BoundedMemory> keep_useful(std::size_t capacity) {
  return std::make_unique<Useful>(capacity);
}
std::unique_ptr<BoundedMemory> keep_in_bag(std::size_t capacity) {
  return std::make_unique<InBag>(capacity, opennars_budgets);
}
std::unique_ptr<BoundedMemory> keep_in_pynars_bag(std::size_t capacity) {
  return std::make_unique<InBag>(capacity, pynars_budgets);
}
std::unique_ptr<BoundedMemory> keep_needed(std::size_t capacity, std::span<const Ids> episodes) {
  return std::make_unique<Needed>(capacity, episodes);
}

}  // namespace engram::core
