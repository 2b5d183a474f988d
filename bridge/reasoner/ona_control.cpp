// SPDX-License-Identifier: MIT
// ONA's control: a short queue of events, each thought of once with the beliefs of the concepts of highest priority.
#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "bridge/reasoner/control.hpp"
#include "core/budgets/ona_control.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::bridge {
namespace {

using narsese::Punctuation;

// Of ONA's Config.h.
constexpr std::size_t most_events = 40, most_beliefs = 80;  // the task itself among these
constexpr double log_of_durability = -1.00005000333e-4;     // of an event: .9999 a cycle

class OnaQueue : public Control {
 public:
  void take(Knowledge& knowledge, SentenceId id) override {
    const KnownSentence sentence = knowledge[id];
    double priority = 1;
    if (sentence.rule != KnownSentence::told) {
      const double expected =
          sentence.punctuation == Punctuation::question ? 1 : narsese::expectation(sentence.truth);
      priority = at_hand_ * belief_ * expected * core::log(2) /
                 core::log(1 + static_cast<double>(sentence.term.complexity()));
    }
    heat_.resize(id + std::size_t{1});
    heat_[id] = {priority, cycle_};
    const auto names = knowledge.names(id);
    if (beliefs_.size() < knowledge.names()) beliefs_.resize(knowledge.names());
    if (sentence.judges())
      for (const NameId name : names) beliefs_[name].push_back(id);
    // Decay leaves the order as it is, so what comes later counts for more in place of what waits for less.
    events_.emplace(-core::log(priority) + log_of_durability * static_cast<double>(cycle_), id);
    if (events_.size() > most_events) events_.erase(std::prev(events_.end()));
  }

  std::optional<Choice> choose(Knowledge& knowledge) override {
    for (;;) {
      while (next_ < partners_.size()) {
        const SentenceId belief = partners_[next_++];
        if (belief == task_ || !knowledge.may_meet(task_, belief) ||
            !thought_of_.insert(pair(knowledge, belief)).second)
          continue;
        belief_ = priority_of(belief);
        return Choice{.task = task_, .belief = belief};
      }
      if (events_.empty()) return std::nullopt;
      begin(knowledge);
      if (knowledge[task_].judges()) return Choice{.task = task_};
    }
  }

  Retention retention(Knowledge&, SentenceId id) const override { return {priority_of(id), 0}; }

  void forget(const Forgotten& forgotten) override {
    const KeptIds& renumber = forgotten.sentences;
    decltype(events_) events;
    for (const auto& [rank, id] : events_)
      if (renumber.keeps(id)) events.emplace(rank, renumber(id));
    events_ = std::move(events);
    decltype(thought_of_) thought_of;
    for (const auto& [one, other] : thought_of_)
      if (renumber.keeps(one) && renumber.keeps(other)) thought_of.emplace(renumber(one), renumber(other));
    thought_of_ = std::move(thought_of);
    renumber.close_up(heat_);
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
  struct Heat {
    double priority = 0;
    std::int64_t since = 0;
  };

  double priority_of(SentenceId id) const {
    return heat_[id].priority *
           core::power(core::ona::concept_durability, static_cast<unsigned>(cycle_ - heat_[id].since));
  }

  std::pair<SentenceId, SentenceId> pair(Knowledge& knowledge, SentenceId belief) const {
    if (!knowledge[task_].judges()) return {task_, belief};
    return {std::min(task_, belief), std::max(task_, belief)};
  }

  void begin(Knowledge& knowledge) {
    ++cycle_;
    task_ = events_.begin()->second;
    events_.erase(events_.begin());
    at_hand_ = priority_of(task_);
    belief_ = 1;
    partners_.clear();
    next_ = 0;
    for (const NameId name : knowledge.names(task_))
      partners_.insert(partners_.end(), beliefs_[name].begin(), beliefs_[name].end());
    std::ranges::sort(partners_);
    partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
    const auto hotter = [&](SentenceId a, SentenceId b) {
      return std::tuple(-priority_of(a), b) < std::tuple(-priority_of(b), a);
    };
    const std::size_t most = std::min(most_beliefs, partners_.size());
    std::partial_sort(partners_.begin(), partners_.begin() + static_cast<std::ptrdiff_t>(most),
                      partners_.end(), hotter);
    partners_.resize(most);
    heat_[task_] = {std::max(at_hand_, heat_[task_].priority), cycle_};
  }

  std::set<std::pair<double, SentenceId>> events_;  // the most urgent first
  std::vector<Heat> heat_;                          // of each sentence
  std::vector<std::vector<SentenceId>> beliefs_;    // by name
  std::set<std::pair<SentenceId, SentenceId>> thought_of_;
  std::int64_t cycle_ = 0;
  SentenceId task_ = 0;
  std::vector<SentenceId> partners_;
  std::size_t next_ = 0;
  double at_hand_ = 1, belief_ = 1;
};

}  // namespace

std::unique_ptr<Control> ona_queue() { return std::make_unique<OnaQueue>(); }

}  // namespace engram::bridge
