// SPDX-License-Identifier: MIT
// One task after the other meets all that were thought of before it: so each pair is met once, and only what was thought
// of is met at all (the given-clause loop of theorem provers).
#include <algorithm>
#include <compare>
#include <queue>
#include <utility>
#include <vector>

#include "bridge/reasoner/control.hpp"
#include "core/numbers/random.hpp"

namespace engram::bridge {
namespace {

// Smaller is earlier.
struct Rank {
  double order = 0;
  SentenceId id = 0;

  friend auto operator<=>(const Rank&, const Rank&) = default;
};

class QueueControl : public Control {
 public:
  void take(Knowledge& knowledge, SentenceId id) override {
    const double order = order_of(knowledge, id);
    order_.resize(id);
    order_.push_back(order);
    waiting_.push({order, id});
  }

  std::optional<Choice> choose(Knowledge& knowledge) override {
    for (;;) {
      if (!at_hand_) {
        if (waiting_.empty()) return std::nullopt;
        begin(knowledge, waiting_.top().id);
        waiting_.pop();
        if (knowledge[task_].judges()) return Choice{.task = task_};
      }
      if (const auto next = next_pair(knowledge)) return next;
      at_hand_ = false;
    }
  }

  // What comes first stays longest. Where the age alone says what comes first, the newest stay.
  Retention retention(Knowledge&, SentenceId id) const override { return {-order_[id], 0}; }

  void forget(const Forgotten& forgotten) override {
    const KeptIds& renumber = forgotten.sentences;
    std::vector<Rank> waiting;
    for (; !waiting_.empty(); waiting_.pop())
      if (const Rank& rank = waiting_.top(); renumber.keeps(rank.id))
        waiting.push_back({rank.order, renumber(rank.id)});
    waiting_ = decltype(waiting_)({}, std::move(waiting));
    renumber.close_up(order_);
    // Where the task at hand has got to among those of its name.
    at_hand_ = at_hand_ && renumber.keeps(task_);
    if (at_hand_ && name_ < names_.size()) {
      const std::vector<SentenceId>& others = thought_of_[names_[name_]];
      place_ = static_cast<std::size_t>(
          std::count_if(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(place_),
                        [&](SentenceId other) { return renumber.keeps(other); }));
      for (NameId& name : names_) name = forgotten.names(name);
    }
    if (at_hand_) task_ = renumber(task_);
    forgotten.rename_by_name(thought_of_);
    // Whom it has met: all up to there.
    for (SentenceId& by : met_) by = by == KnownSentence::none ? by : renumber(by);
    renumber.close_up(met_);
  }

 protected:
  virtual double order_of(Knowledge& knowledge, SentenceId id) = 0;

 private:
  void begin(Knowledge& knowledge, SentenceId id) {
    at_hand_ = true;
    task_ = id;
    name_ = 0;
    place_ = 0;
    met_.resize(knowledge.size(), KnownSentence::none);
    names_.assign(knowledge.names(id).begin(), knowledge.names(id).end());
    if (thought_of_.size() < knowledge.names()) thought_of_.resize(knowledge.names());
    for (const NameId name : names_) thought_of_[name].push_back(id);
  }

  std::optional<Choice> next_pair(Knowledge& knowledge) {
    for (; name_ < names_.size(); ++name_, place_ = 0) {
      const std::vector<SentenceId>& others = thought_of_[names_[name_]];
      while (place_ < others.size() && others[place_] != task_) {
        const SentenceId other = others[place_++];
        if (std::exchange(met_[other], task_) == task_) continue;
        const bool task_judges = knowledge[task_].judges();
        const bool other_judges = knowledge[other].judges();
        if ((!task_judges && !other_judges) || !knowledge.may_meet(task_, other)) continue;
        return other_judges ? Choice{names_[name_], task_, other} : Choice{names_[name_], other, task_};
      }
    }
    return std::nullopt;
  }

  std::priority_queue<Rank, std::vector<Rank>, std::greater<>> waiting_;
  std::vector<double> order_;                        // of each sentence
  std::vector<std::vector<SentenceId>> thought_of_;  // by name
  std::vector<SentenceId> met_;                      // by whom last
  bool at_hand_ = false;
  SentenceId task_ = 0;
  std::vector<NameId> names_;  // the task's
  std::size_t name_ = 0, place_ = 0;
};

class FirstInFirstOut : public QueueControl {
  double order_of(Knowledge&, SentenceId) override { return 0; }
};

class RandomOrder : public QueueControl {
 public:
  explicit RandomOrder(std::uint64_t seed) : random_(seed, "control") {}

 private:
  double order_of(Knowledge&, SentenceId) override { return random_.uniform(); }
  core::Rng random_;
};

class SimplestFirst : public QueueControl {
  double order_of(Knowledge& knowledge, SentenceId id) override {
    return static_cast<double>(knowledge[id].term.complexity());
  }
};

}  // namespace

std::unique_ptr<Control> first_in_first_out() { return std::make_unique<FirstInFirstOut>(); }
std::unique_ptr<Control> random_order(std::uint64_t seed) { return std::make_unique<RandomOrder>(seed); }
std::unique_ptr<Control> simplest_first() { return std::make_unique<SimplestFirst>(); }

}  // namespace engram::bridge
