// SPDX-License-Identifier: MIT
// Budgets as control: of all pairs of sentences the most urgent is next.
#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "bridge/reasoner/control.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::bridge {
namespace {

// Each sentence has a list of those that it will meet, made when its turn comes for the first time, and waits by the best
// pair that is left of it.
class ByUrgency : public WorthControl {
 public:
  ByUrgency(Urgency urgency, bool as_worth) : urgency_(std::move(urgency)), as_worth_(as_worth) {}

  void take(Knowledge& knowledge, SentenceId id) override {
    const KnownSentence& sentence = knowledge[id];
    Thought thought;
    if (sentence.rule == KnownSentence::told) {
      (as_worth_ ? thought.worth : thought.urgency) = urgency_(knowledge, id);
    } else {
      for (const SentenceId premise : sentence.premises)
        if (premise != KnownSentence::none) {
          thought.urgency = std::min(thought.urgency, thoughts_[premise].urgency);
          thought.worth *= thoughts_[premise].worth;
        }
      thought.own = own_worth(sentence);
      thought.worth *= thought.own;
    }
    thoughts_.resize(id);
    thoughts_.push_back(std::move(thought));
    if (!is_thought_of(thoughts_[id])) return;
    wait(id);
    const auto names = knowledge.names(id);
    if (by_name_.size() < knowledge.names()) by_name_.resize(knowledge.names());
    for (const NameId name : names) by_name_[name].push_back(id);
  }

  std::optional<Choice> choose(Knowledge& knowledge) override {
    while (!waiting_.empty()) {
      const SentenceId id = waiting_.top().id;
      waiting_.pop();
      Thought& thought = thoughts_[id];
      const bool first = thought.since == never;
      if (first) begin(knowledge, id);
      std::optional<Choice> choice;
      if (first) {
        // What it asks of others waits by what that is worth.
        if (knowledge[id].judges()) choice = Choice{.task = id};
      } else if (thought.next < thought.partners.size()) {
        const auto [other, name] = thought.partners[thought.next++];
        if (!thought.sorted) sort_partners(thought);
        choice = knowledge[other].judges() ? Choice{name, id, other} : Choice{name, other, id};
      }
      if (choice && !choice->alone()) --pairs_;
      if (thought.next < thought.partners.size()) {
        wait(id);
      } else {
        thought.partners = {};
        thought.next = 0;
      }
      if (choice) return choice;
    }
    return std::nullopt;
  }

  void reweigh(const std::function<double(SentenceId, double before)>& worth) override {
    for (SentenceId id = 0; id < thoughts_.size(); ++id) {
      Thought& thought = thoughts_[id];
      thought.worth = worth(id, thought.worth / thought.own) * thought.own;
    }
    for (Thought& thought : thoughts_) put_best_first(thought);
    wait_anew();
  }

  Retention retention(Knowledge&, SentenceId id) const override {
    return {thoughts_[id].urgency, thoughts_[id].worth};
  }

  void forget(const Forgotten& forgotten) override {
    const KeptIds& renumber = forgotten.sentences;
    renumber.close_up(thoughts_);
    forgotten.rename_by_name(by_name_);
    met_.clear();
    pairs_ = 0;
    for (Thought& thought : thoughts_) {
      thought.since = renumber.of_first(thought.since);
      thought.partners.erase(thought.partners.begin(),
                             thought.partners.begin() + static_cast<std::ptrdiff_t>(thought.next));
      thought.next = 0;
      std::erase_if(thought.partners, [&](const Partner& partner) { return !renumber.keeps(partner.id); });
      for (Partner& partner : thought.partners)
        partner = {renumber(partner.id), forgotten.names(partner.name)};
      thought.partners.shrink_to_fit();
      if (!thought.sorted) put_best_first(thought);
      pairs_ += thought.partners.size();
    }
    wait_anew();
  }

 private:
  static constexpr std::size_t never = 0;
  // That all sentences may wait for together, and one of them where these are taken: of a long list the best. Chosen: 80 MB.
  static constexpr std::size_t most_pairs = 10'000'000, fewest_partners = 100;

  struct Partner {
    SentenceId id;
    NameId name;
  };
  struct Thought {
    double urgency = 1, worth = 1, own = 1;  // own: of its worth what is not its premises'
    std::size_t since = never;               // how many sentences there were when its turn came
    std::vector<Partner> partners = {};
    std::size_t next = 0;
    bool sorted = true;  // what is left of the partners; else the first is the best
  };
  struct Waiting {
    double urgency, worth;
    SentenceId id;

    friend bool operator<(const Waiting& a, const Waiting& b) {
      return std::tuple(a.urgency, a.worth, b.id) < std::tuple(b.urgency, b.worth, a.id);
    }
  };

  // ONA's formula for what is derived: beside this factor it has the premises' worth. What is a guess, or only composed, is
  // worth much less, so that all that is certain of what is as urgent comes before. Without that the other steps hide a
  // proof of seven statements for more than 15,000 steps, with it all are found within 4,600 (generated chains, seeds 901
  // to 903, where .03 was chosen from 1, .3, .1, .05, .03 and .01).
  static double own_worth(const KnownSentence& sentence) {
    constexpr double weak = 0.03;
    const double expected = sentence.asks() ? 1 : narsese::expectation(sentence.truth);
    return (sentence.strong ? 1 : weak) * expected * core::log(2) /
           core::log(1 + static_cast<double>(sentence.term.complexity()));
  }

  static bool is_thought_of(const Thought& thought) { return thought.urgency > 0 && thought.worth > 0; }

  // By what its next pair is worth; before its turn came, by itself.
  void wait(SentenceId id) {
    const Thought& thought = thoughts_[id];
    double worth = thought.worth;
    if (thought.next < thought.partners.size()) worth *= thoughts_[thought.partners[thought.next].id].worth;
    waiting_.push({thought.urgency, worth, id});
  }

  void wait_anew() {
    waiting_ = {};
    for (SentenceId id = 0; id < thoughts_.size(); ++id) {
      const Thought& thought = thoughts_[id];
      if (thought.since == never ? is_thought_of(thought) : thought.next < thought.partners.size()) wait(id);
    }
  }

  static std::span<Partner> left_of(Thought& thought) {
    return std::span(thought.partners).subspan(thought.next);
  }
  void sort_partners(Thought& thought) const {
    std::ranges::stable_sort(left_of(thought), std::greater<>(),
                             [&](const Partner& partner) { return thoughts_[partner.id].worth; });
    thought.sorted = true;
  }
  // Enough while it waits. The others are sorted when its turn comes: of most it never does before all is weighed anew.
  void put_best_first(Thought& thought) const {
    const auto left = left_of(thought);
    const auto best = std::ranges::max_element(
        left, {}, [&](const Partner& partner) { return thoughts_[partner.id].worth; });
    if (best == left.end()) return;
    std::rotate(left.begin(), best, best + 1);
    thought.sorted = false;
  }

  void begin(Knowledge& knowledge, SentenceId id) {
    Thought& thought = thoughts_[id];
    thought.since = knowledge.size();
    met_.resize(knowledge.size(), KnownSentence::none);
    met_[id] = id;
    const bool judges = knowledge[id].judges();
    for (const NameId name : knowledge.names(id))
      for (const SentenceId other : by_name_[name]) {
        if (std::exchange(met_[other], id) == id || !is_left_to(id, other)) continue;
        if ((judges || knowledge[other].judges()) && knowledge.may_meet(id, other))
          thought.partners.push_back({other, name});
      }
    sort_partners(thought);
    const std::size_t room = std::max(most_pairs - std::min(pairs_, most_pairs), fewest_partners);
    if (thought.partners.size() > room) {
      thought.partners.resize(room);
      thought.partners.shrink_to_fit();
    }
    pairs_ += thought.partners.size();
  }

  // A pair is in the list of the less urgent one; of two as urgent, or where that one's list was made before the other was
  // there, of that whose turn comes first.
  bool is_left_to(SentenceId id, SentenceId other) const {
    const Thought &own = thoughts_[id], &its = thoughts_[other];
    if (its.urgency < own.urgency) return its.since != never && its.since <= id;
    return its.urgency > own.urgency || its.since == never || its.since <= id;
  }

  Urgency urgency_;
  bool as_worth_;
  std::vector<Thought> thoughts_;
  std::priority_queue<Waiting> waiting_;
  std::vector<std::vector<SentenceId>> by_name_;
  std::vector<SentenceId> met_;  // by whom last
  std::size_t pairs_ = 0;        // that are waited for
};

}  // namespace

std::unique_ptr<Control> by_urgency(Urgency urgency) {
  return std::make_unique<ByUrgency>(std::move(urgency), false);
}

std::unique_ptr<WorthControl> by_worth(Urgency urgency) {
  return std::make_unique<ByUrgency>(std::move(urgency), true);
}

}  // namespace engram::bridge
