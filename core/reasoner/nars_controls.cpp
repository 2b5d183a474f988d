// SPDX-License-Identifier: MIT
// The controls of OpenNARS, PyNARS and ONA.
#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/budgets/nars_budgets.hpp"
#include "core/numbers/numeric.hpp"
#include "core/reasoner/control.hpp"

namespace engram::core {

using narsese::BudgetValue;
using narsese::Punctuation;

namespace {

// The pairs of task and belief that were used. The roles of two judgments do not matter.
class UsedPairs {
 public:
  // Returns whether the pair is new.
  bool insert(const Knowledge& knowledge, SentenceId task, SentenceId belief) {
    if (knowledge[task].is_judgment() && belief < task) std::swap(task, belief);
    return pairs_.insert(std::uint64_t{task} << 32 | belief).second;
  }
  void renumber(const IdRemap& sentences) {
    for (const std::uint64_t pair : std::exchange(pairs_, {})) {
      const auto task = static_cast<SentenceId>(pair >> 32), belief = static_cast<SentenceId>(pair);
      if (sentences.keeps(task) && sentences.keeps(belief))
        pairs_.insert(std::uint64_t{sentences(task)} << 32 | sentences(belief));
    }
  }

 private:
  std::unordered_set<std::uint64_t> pairs_;
};

// Parameters of OpenNARS 3.
constexpr std::size_t max_concepts = 10'000, max_links = 100;
constexpr int concept_levels = 1000, link_levels = 10;
constexpr std::size_t beliefs_at_once = 3;

// The differences between the two systems with bags.
struct BagSystem {
  const BagRules& bag;
  BudgetValue (*forget_concept)(const BudgetValue&);
  BudgetValue (*forget_task)(const BudgetValue&);
  BudgetValue (*forget_belief)(const BudgetValue&);
  BudgetValue (*activate)(const BudgetValue& of_concept, const BudgetValue& link);
};

constexpr double task_uses = 20, belief_uses = 50;
const BagSystem opennars_system{
    opennars_bag, [](const BudgetValue& budget) { return opennars::forget(budget, opennars::concept_uses); },
    [](const BudgetValue& budget) { return opennars::forget(budget, task_uses); },
    [](const BudgetValue& budget) { return opennars::forget(budget, belief_uses); }, opennars::activate};
const BagSystem pynars_system{pynars_bag, pynars::forget, pynars::forget, pynars::forget, pynars::activate};
constexpr BudgetValue judgment_budget{0.8, 0.5, 0}, question_budget{0.9, 0.9, 0};
constexpr double leak = 0.4;

// The control ends after this number of visits without a new pair. Chosen.
constexpr std::size_t max_idle = 20'000;

double probabilistic_or(double a, double b) { return 1 - (1 - a) * (1 - b); }

class Bags : public InferenceControl {
 public:
  explicit Bags(const BagSystem& system)
      : system_(system), concepts_(max_concepts, concept_levels, system.bag) {}

  void add(Knowledge& knowledge, SentenceId id) override {
    const KnownSentence sentence = knowledge[id];
    const bool is_judgment = sentence.is_judgment();
    BudgetValue budget =
        sentence.rule == KnownSentence::input ? (is_judgment ? judgment_budget : question_budget) : derived_;
    const auto complexity = static_cast<double>(sentence.term.complexity());
    budget.quality = is_judgment ? truth_to_quality(sentence.truth) : 1;
    if (sentence.rule != KnownSentence::input) {
      budget.quality /= complexity;
      budget.durability /= complexity;
      if (sentence.rule != KnownSentence::revision) {
        budget.priority *= leak;
        budget.durability *= leak;
      }
    }
    if (is_judgment) pending_.push_back({.task = id});
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
        links.tasks.emplace(max_links, link_levels, system_.bag);
        links.beliefs.emplace(max_links, link_levels, system_.bag);
      }
      links.tasks->put_in({id, link});
      if (is_judgment) links.beliefs->put_in({id, link});
    }
  }

  std::optional<InferenceStep> choose(Knowledge& knowledge) override {
    for (std::size_t idle = 0; pending_.empty(); ++idle) {
      if (idle == max_idle) return std::nullopt;
      visit_concept(knowledge);
    }
    const Pending next = pending_.front();
    pending_.pop_front();
    derived_ = next.derived;
    return InferenceStep{next.task, next.belief};
  }

  // The highest priority of its links. A sentence in no bag can never be used again, so it goes first.
  Retention retention(Knowledge& knowledge, SentenceId id) const override {
    Retention best{-1, 0};
    for (const NameId name : knowledge.names(id))
      for (const auto* bag : {&links_[name].tasks, &links_[name].beliefs})
        if (const LevelBag::Item* link = *bag ? (*bag)->find(id) : nullptr)
          best = std::max(best, {link->budget.priority, link->budget.durability});
    return best;
  }

  void forget(const ForgottenIds& forgotten) override {
    const auto remap = [](const IdRemap& renumber) {
      return [&renumber](std::uint32_t id) {
        return renumber.keeps(id) ? std::optional(renumber(id)) : std::nullopt;
      };
    };
    const IdRemap& renumber = forgotten.sentences;
    concepts_.renumber(remap(forgotten.names));
    std::vector<Links> links;
    for (NameId name = 0; name < links_.size(); ++name)
      if (forgotten.names.keeps(name)) links.push_back(std::move(links_[name]));
    links_ = std::move(links);
    for (Links& of_name : links_)
      for (auto* bag : {&of_name.tasks, &of_name.beliefs})
        if (*bag) (*bag)->renumber(remap(renumber));
    std::erase_if(pending_, [&](const Pending& next) {
      return !renumber.keeps(next.task) ||
             (next.belief != KnownSentence::none && !renumber.keeps(next.belief));
    });
    for (Pending& next : pending_) {
      if (next.belief != KnownSentence::none) next.belief = renumber(next.belief);
      next.task = renumber(next.task);
    }
    used_pairs_.renumber(renumber);
  }

 private:
  struct Links {
    std::optional<LevelBag> tasks, beliefs;
  };
  struct Pending {
    SentenceId task = KnownSentence::none, belief = KnownSentence::none;
    BudgetValue derived = judgment_budget;  // of the conclusions
  };

  // Takes a concept, one of its tasks and a few of its beliefs out of their bags, and queues the new pairs.
  void visit_concept(Knowledge& knowledge) {
    auto visited = concepts_.take_out();
    if (!visited) return;
    Links& links = links_[visited->id];
    if (auto task = links.tasks->take_out()) {
      std::vector<LevelBag::Item> beliefs;
      for (std::size_t i = 0; i < beliefs_at_once; ++i) {
        auto belief = links.beliefs->take_out();
        if (!belief) break;
        add_pair(knowledge, *task, *belief);
        belief->budget = system_.forget_belief(belief->budget);
        beliefs.push_back(*belief);
      }
      for (const LevelBag::Item& belief : beliefs) links.beliefs->put_in(belief);
      task->budget = system_.forget_task(task->budget);
      links.tasks->put_in(*task);
    }
    visited->budget = system_.forget_concept(visited->budget);
    concepts_.put_in(*visited);
  }

  void add_pair(Knowledge& knowledge, const LevelBag::Item& task, const LevelBag::Item& belief) {
    if (task.id == belief.id || !knowledge.may_combine(task.id, belief.id)) return;
    if (!used_pairs_.insert(knowledge, task.id, belief.id)) return;
    pending_.push_back({task.id,
                        belief.id,
                        {probabilistic_or(task.budget.priority, belief.budget.priority),
                         task.budget.durability * belief.budget.durability, 0}});
  }

  const BagSystem& system_;
  LevelBag concepts_;
  std::vector<Links> links_;  // by name
  std::deque<Pending> pending_;
  UsedPairs used_pairs_;
  BudgetValue derived_ = judgment_budget;
};

// Parameters of ONA's Config.h.
constexpr std::size_t max_ona_events = 40, max_ona_beliefs = 80;  // the beliefs may include the task
constexpr double log_of_durability = -1.00005000333e-4;           // of an event: .9999 for each cycle

class OnaQueue : public InferenceControl {
 public:
  void add(Knowledge& knowledge, SentenceId id) override {
    const KnownSentence sentence = knowledge[id];
    double priority = 1;
    if (sentence.rule != KnownSentence::input) {
      const double expected =
          sentence.punctuation == Punctuation::question ? 1 : narsese::expectation(sentence.truth);
      priority = task_priority_ * belief_priority_ * expected * core::log(2) /
                 core::log(1 + static_cast<double>(sentence.term.complexity()));
    }
    activation_.resize(id + std::size_t{1});
    activation_[id] = {priority, cycle_};
    const auto names = knowledge.names(id);
    if (beliefs_.size() < knowledge.names()) beliefs_.resize(knowledge.names());
    if (sentence.is_judgment())
      for (const NameId name : names) beliefs_[name].push_back(id);
    // A later event gets a higher rank, as if all others decayed.
    events_.emplace(-core::log(priority) + log_of_durability * static_cast<double>(cycle_), id);
    if (events_.size() > max_ona_events) events_.erase(std::prev(events_.end()));
  }

  std::optional<InferenceStep> choose(Knowledge& knowledge) override {
    for (;;) {
      while (next_ < partners_.size()) {
        const SentenceId belief = partners_[next_++];
        if (belief == task_ || !knowledge.may_combine(task_, belief) ||
            !used_pairs_.insert(knowledge, task_, belief))
          continue;
        belief_priority_ = priority_of(belief);
        return InferenceStep{.task = task_, .belief = belief};
      }
      if (events_.empty()) return std::nullopt;
      begin(knowledge);
      if (knowledge[task_].is_judgment()) return InferenceStep{.task = task_};
    }
  }

  Retention retention(Knowledge&, SentenceId id) const override { return {priority_of(id), 0}; }

  void forget(const ForgottenIds& forgotten) override {
    const IdRemap& renumber = forgotten.sentences;
    decltype(events_) events;
    for (const auto& [rank, id] : events_)
      if (renumber.keeps(id)) events.emplace(rank, renumber(id));
    events_ = std::move(events);
    used_pairs_.renumber(renumber);
    renumber.compact(activation_);
    forgotten.rename_by_name(beliefs_);
    partners_.erase(partners_.begin(), partners_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
    renumber.rename(partners_);
    if (renumber.keeps(task_)) {
      task_ = renumber(task_);
    } else {
      task_ = 0;
      partners_.clear();
    }
  }

 private:
  struct Activation {
    double priority = 0;
    std::int64_t since = 0;
  };

  double priority_of(SentenceId id) const {
    return activation_[id].priority *
           power(ona::concept_durability, static_cast<unsigned>(cycle_ - activation_[id].since));
  }

  void begin(Knowledge& knowledge) {
    ++cycle_;
    task_ = events_.begin()->second;
    events_.erase(events_.begin());
    task_priority_ = priority_of(task_);
    belief_priority_ = 1;
    partners_.clear();
    next_ = 0;
    for (const NameId name : knowledge.names(task_))
      partners_.insert(partners_.end(), beliefs_[name].begin(), beliefs_[name].end());
    std::ranges::sort(partners_);
    partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
    const auto comes_first = [&](SentenceId a, SentenceId b) {
      return std::tuple(-priority_of(a), b) < std::tuple(-priority_of(b), a);
    };
    const std::size_t most = std::min(max_ona_beliefs, partners_.size());
    std::partial_sort(partners_.begin(), partners_.begin() + static_cast<std::ptrdiff_t>(most),
                      partners_.end(), comes_first);
    partners_.resize(most);
    activation_[task_] = {std::max(task_priority_, activation_[task_].priority), cycle_};
  }

  std::set<std::pair<double, SentenceId>> events_;  // the highest priority first
  std::vector<Activation> activation_;              // by sentence
  std::vector<std::vector<SentenceId>> beliefs_;    // by name
  UsedPairs used_pairs_;
  std::int64_t cycle_ = 0;
  SentenceId task_ = 0;
  std::vector<SentenceId> partners_;
  std::size_t next_ = 0;
  double task_priority_ = 1, belief_priority_ = 1;
};

}  // namespace

std::unique_ptr<InferenceControl> opennars_bags() { return std::make_unique<Bags>(opennars_system); }
std::unique_ptr<InferenceControl> pynars_bags() { return std::make_unique<Bags>(pynars_system); }
std::unique_ptr<InferenceControl> ona_queue() { return std::make_unique<OnaQueue>(); }

}  // namespace engram::core
