// SPDX-License-Identifier: MIT
// OpenNARS's and PyNARS's control: a bag of concepts, each with a bag of tasks and one of beliefs.
#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_set>

#include "bridge/reasoner/control.hpp"
#include "core/budgets/level_bag.hpp"

namespace engram::bridge {
namespace {

using core::LevelBag;
using narsese::BudgetValue;

// Of OpenNARS 3's parameters.
constexpr std::size_t most_concepts = 10'000, most_links = 100;
constexpr int concept_levels = 1000, link_levels = 10;
constexpr std::size_t beliefs_at_once = 3;

// What the two systems do differently.
struct System {
  const core::BagRules& bag;
  BudgetValue (*forget_concept)(const BudgetValue&);
  BudgetValue (*forget_task)(const BudgetValue&);
  BudgetValue (*forget_belief)(const BudgetValue&);
  BudgetValue (*activate)(const BudgetValue& of_concept, const BudgetValue& link);
};

constexpr double task_uses = 20, belief_uses = 50;
const System opennars_system{
    core::opennars_bag,
    [](const BudgetValue& budget) { return core::opennars::forget(budget, core::opennars::concept_uses); },
    [](const BudgetValue& budget) { return core::opennars::forget(budget, task_uses); },
    [](const BudgetValue& budget) { return core::opennars::forget(budget, belief_uses); },
    core::opennars::activate};
const System pynars_system{core::pynars_bag, core::pynars::forget, core::pynars::forget, core::pynars::forget,
                           core::pynars::activate};
constexpr BudgetValue of_judgment{0.8, 0.5, 0}, of_question{0.9, 0.9, 0};
constexpr double leak = 0.4;

// Rounds without a new pair after which nothing is left to think of, as far as the bags let one see. Chosen.
constexpr std::size_t most_idle = 20'000;

double either(double a, double b) { return 1 - (1 - a) * (1 - b); }

class Bags : public Control {
 public:
  explicit Bags(const System& system)
      : system_(system), concepts_(most_concepts, concept_levels, system.bag) {}

  void take(Knowledge& knowledge, SentenceId id) override {
    const KnownSentence sentence = knowledge[id];
    const bool judges = sentence.judges();
    BudgetValue budget =
        sentence.rule == KnownSentence::told ? (judges ? of_judgment : of_question) : derived_;
    const auto complexity = static_cast<double>(sentence.term.complexity());
    budget.quality = judges ? core::truth_to_quality(sentence.truth) : 1;
    if (sentence.rule != KnownSentence::told) {
      budget.quality /= complexity;
      budget.durability /= complexity;
      if (sentence.rule != KnownSentence::revision) {
        budget.priority *= leak;
        budget.durability *= leak;
      }
    }
    if (judges) pending_.push_back({.task = id});
    const auto names = knowledge.names(id);
    while (links_.size() < knowledge.names()) links_.emplace_back();
    BudgetValue link = budget;
    link.priority /= std::sqrt(static_cast<double>(std::max<std::size_t>(names.size(), 1)));
    for (const NameId name : names) {
      const LevelBag::Item* held = concepts_.find(name);
      BudgetValue activated = held ? system_.activate(held->budget, link) : link;
      concepts_.pick_out(name);
      concepts_.put_in({name, activated});
      Links& links = links_[name];
      if (!links.tasks) {
        links.tasks.emplace(most_links, link_levels, system_.bag);
        links.beliefs.emplace(most_links, link_levels, system_.bag);
      }
      links.tasks->put_in({id, link});
      if (judges) links.beliefs->put_in({id, link});
    }
  }

  std::optional<Choice> choose(Knowledge& knowledge) override {
    for (std::size_t idle = 0; pending_.empty(); ++idle) {
      if (idle == most_idle) return std::nullopt;
      think(knowledge);
    }
    const Pending next = pending_.front();
    pending_.pop_front();
    derived_ = next.derived;
    return Choice{next.name, next.task, next.belief};
  }

  // The highest priority of its links: what is in no bag is lost to it already.
  Retention retention(Knowledge& knowledge, SentenceId id) const override {
    Retention best{-1, 0};
    for (const NameId name : knowledge.names(id))
      for (const auto* bag : {&links_[name].tasks, &links_[name].beliefs})
        if (const LevelBag::Item* link = *bag ? (*bag)->find(id) : nullptr)
          best = std::max(best, {link->budget.priority, link->budget.durability});
    return best;
  }

  void forget(const Forgotten& forgotten) override {
    const auto to_now = [](const KeptIds& renumber) {
      return [&renumber](std::uint32_t id) {
        return renumber.keeps(id) ? std::optional(renumber(id)) : std::nullopt;
      };
    };
    const KeptIds& renumber = forgotten.sentences;
    concepts_.renumber(to_now(forgotten.names));
    std::vector<Links> links;
    for (NameId name = 0; name < links_.size(); ++name)
      if (forgotten.names.keeps(name)) links.push_back(std::move(links_[name]));
    links_ = std::move(links);
    for (Links& of_name : links_)
      for (auto* bag : {&of_name.tasks, &of_name.beliefs})
        if (*bag) (*bag)->renumber(to_now(renumber));
    std::erase_if(pending_, [&](const Pending& next) {
      return !renumber.keeps(next.task) ||
             (next.belief != KnownSentence::none && !renumber.keeps(next.belief));
    });
    for (Pending& next : pending_) {
      if (next.belief != KnownSentence::none) {
        next.name = forgotten.names(next.name);
        next.belief = renumber(next.belief);
      }
      next.task = renumber(next.task);
    }
    std::unordered_set<std::uint64_t> thought_of;
    for (const std::uint64_t pair : thought_of_) {
      const auto least = static_cast<SentenceId>(pair >> 32), other = static_cast<SentenceId>(pair);
      if (renumber.keeps(least) && renumber.keeps(other))
        thought_of.insert(std::uint64_t{renumber(least)} << 32 | renumber(other));
    }
    thought_of_ = std::move(thought_of);
  }

 private:
  struct Links {
    std::optional<LevelBag> tasks, beliefs;
  };
  struct Pending {
    NameId name = 0;
    SentenceId task = KnownSentence::none, belief = KnownSentence::none;
    BudgetValue derived = of_judgment;  // of what follows
  };

  // One concept, one of its tasks, a few of its beliefs.
  void think(Knowledge& knowledge) {
    auto at_hand = concepts_.take_out();
    if (!at_hand) return;
    Links& links = links_[at_hand->id];
    if (auto task = links.tasks->take_out()) {
      std::vector<LevelBag::Item> beliefs;
      for (std::size_t i = 0; i < beliefs_at_once; ++i) {
        auto belief = links.beliefs->take_out();
        if (!belief) break;
        add_pair(knowledge, at_hand->id, *task, *belief);
        belief->budget = system_.forget_belief(belief->budget);
        beliefs.push_back(*belief);
      }
      for (const LevelBag::Item& belief : beliefs) links.beliefs->put_in(belief);
      task->budget = system_.forget_task(task->budget);
      links.tasks->put_in(*task);
    }
    at_hand->budget = system_.forget_concept(at_hand->budget);
    concepts_.put_in(*at_hand);
  }

  void add_pair(Knowledge& knowledge, NameId name, const LevelBag::Item& task, const LevelBag::Item& belief) {
    if (task.id == belief.id || !knowledge.may_meet(task.id, belief.id)) return;
    const bool judges = knowledge[task.id].judges();
    const SentenceId least = judges ? std::min(task.id, belief.id) : task.id;
    const SentenceId other = judges ? std::max(task.id, belief.id) : belief.id;
    if (!thought_of_.insert(std::uint64_t{least} << 32 | other).second) return;
    pending_.push_back({name,
                        task.id,
                        belief.id,
                        {either(task.budget.priority, belief.budget.priority),
                         task.budget.durability * belief.budget.durability, 0}});
  }

  const System& system_;
  LevelBag concepts_;
  std::vector<Links> links_;  // by name
  std::deque<Pending> pending_;
  std::unordered_set<std::uint64_t> thought_of_;  // looked up; walked only to make another one
  BudgetValue derived_ = of_judgment;
};

}  // namespace

std::unique_ptr<Control> opennars_bags() { return std::make_unique<Bags>(opennars_system); }
std::unique_ptr<Control> pynars_bags() { return std::make_unique<Bags>(pynars_system); }

}  // namespace engram::bridge
