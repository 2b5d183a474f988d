// SPDX-License-Identifier: MIT
// Controls by a queue of tasks, and controls by urgency.
#include "core/reasoner/control.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {
namespace {

// Combines a task with all earlier tasks, as the given-clause loop of theorem provers does. No pair occurs twice.
class QueueControl : public InferenceControl {
 public:
  // Sentences with a smaller order come first, then older ones.
  using Order = std::function<double(const KnownSentence&)>;

  explicit QueueControl(Order order) : order_of_(std::move(order)) {}

  void add(Knowledge& knowledge, SentenceId id) override {
    order_.push_back(order_of_(knowledge[id]));
    waiting_.push({order_[id], id});
  }

  std::optional<InferenceStep> choose(Knowledge& knowledge) override {
    for (;;) {
      if (!has_task_) {
        if (waiting_.empty()) return std::nullopt;
        begin(knowledge, waiting_.top().second);
        waiting_.pop();
        if (knowledge[task_].is_judgment()) return InferenceStep{.task = task_};
      }
      if (const auto next = next_pair(knowledge)) return next;
      has_task_ = false;
    }
  }

  // The first in the order stay longest. If only age determines the order, the newest stay.
  Retention retention(Knowledge&, SentenceId id) const override { return {-order_[id], 0}; }

  void forget(const ForgottenIds& forgotten) override {
    const IdRemap& renumber = forgotten.sentences;
    std::vector<Rank> waiting;
    for (; !waiting_.empty(); waiting_.pop())
      if (const auto [order, id] = waiting_.top(); renumber.keeps(id))
        waiting.emplace_back(order, renumber(id));
    waiting_ = decltype(waiting_)({}, std::move(waiting));
    renumber.compact(order_);
    // The position of the current task in the list of its current name.
    has_task_ = has_task_ && renumber.keeps(task_);
    if (has_task_ && name_ < names_.size()) {
      const std::vector<SentenceId>& others = processed_[names_[name_]];
      place_ = static_cast<std::size_t>(
          std::count_if(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(place_),
                        [&](SentenceId other) { return renumber.keeps(other); }));
      for (NameId& name : names_) name = forgotten.names(name);
    }
    if (has_task_) task_ = renumber(task_);
    forgotten.rename_by_name(processed_);
    for (SentenceId& by : met_by_) by = by == KnownSentence::none ? by : renumber(by);
    renumber.compact(met_by_);
  }

 private:
  using Rank = std::pair<double, SentenceId>;  // order and id; smaller is earlier

  void begin(Knowledge& knowledge, SentenceId id) {
    has_task_ = true;
    task_ = id;
    name_ = 0;
    place_ = 0;
    met_by_.resize(knowledge.size(), KnownSentence::none);
    names_.assign(knowledge.names(id).begin(), knowledge.names(id).end());
    if (processed_.size() < knowledge.names()) processed_.resize(knowledge.names());
    for (const NameId name : names_) processed_[name].push_back(id);
  }

  std::optional<InferenceStep> next_pair(Knowledge& knowledge) {
    for (; name_ < names_.size(); ++name_, place_ = 0) {
      const std::vector<SentenceId>& others = processed_[names_[name_]];
      while (place_ < others.size() && others[place_] != task_) {
        const SentenceId other = others[place_++];
        if (std::exchange(met_by_[other], task_) == task_) continue;
        const bool is_belief = knowledge[other].is_judgment();
        if ((!is_belief && !knowledge[task_].is_judgment()) || !knowledge.may_combine(task_, other)) continue;
        return is_belief ? InferenceStep{task_, other} : InferenceStep{other, task_};
      }
    }
    return std::nullopt;
  }

  Order order_of_;
  std::priority_queue<Rank, std::vector<Rank>, std::greater<>> waiting_;
  std::vector<double> order_;                       // by sentence
  std::vector<std::vector<SentenceId>> processed_;  // by name
  std::vector<SentenceId> met_by_;                  // by sentence: the last task that was combined with it
  bool has_task_ = false;
  SentenceId task_ = 0;
  std::vector<NameId> names_;  // of the current task
  std::size_t name_ = 0, place_ = 0;
};

// A priority queue of sentences. The first turn of a sentence creates the list of its partners. After that, the
// sentence waits with the priority of its best remaining pair.
class ByUrgency : public WorthControl {
 public:
  ByUrgency(Urgency urgency, bool as_worth) : urgency_(std::move(urgency)), as_worth_(as_worth) {}

  void add(Knowledge& knowledge, SentenceId id) override {
    const KnownSentence& sentence = knowledge[id];
    Entry entry;
    if (sentence.rule == KnownSentence::input) {
      (as_worth_ ? entry.worth : entry.urgency) = urgency_(knowledge, id);
    } else {
      for (const SentenceId premise : sentence.premises)
        if (premise != KnownSentence::none) {
          entry.urgency = std::min(entry.urgency, entries_[premise].urgency);
          entry.worth *= entries_[premise].worth;
        }
      entry.factor = own_factor(sentence);
      entry.worth *= entry.factor;
    }
    entries_.resize(id);
    entries_.push_back(std::move(entry));
    if (!is_used(entries_[id])) return;
    wait(id);
    const auto names = knowledge.names(id);
    if (by_name_.size() < knowledge.names()) by_name_.resize(knowledge.names());
    for (const NameId name : names) by_name_[name].push_back(id);
  }

  std::optional<InferenceStep> choose(Knowledge& knowledge) override {
    while (!waiting_.empty()) {
      const SentenceId id = waiting_.top().id;
      waiting_.pop();
      Entry& entry = entries_[id];
      const bool first = entry.listed_at == not_yet;
      if (first) begin(knowledge, id);
      std::optional<InferenceStep> choice;
      if (first) {
        // A question waits again, for its partners.
        if (knowledge[id].is_judgment()) choice = InferenceStep{.task = id};
      } else if (entry.next < entry.partners.size()) {
        const SentenceId other = entry.partners[entry.next++];
        if (!entry.sorted) sort_partners(entry);
        choice = knowledge[other].is_judgment() ? InferenceStep{id, other} : InferenceStep{other, id};
      }
      if (choice && !choice->is_single()) --pairs_;
      if (entry.next < entry.partners.size()) {
        wait(id);
      } else {
        entry.partners = {};
        entry.next = 0;
      }
      if (choice) return choice;
    }
    return std::nullopt;
  }

  void reweigh(const std::function<double(SentenceId, double before)>& worth) override {
    for (SentenceId id = 0; id < entries_.size(); ++id) {
      Entry& entry = entries_[id];
      entry.worth = worth(id, entry.worth / entry.factor) * entry.factor;
    }
    for (Entry& entry : entries_) put_best_first(entry);
    rebuild_queue();
  }

  Retention retention(Knowledge&, SentenceId id) const override {
    return {entries_[id].urgency, entries_[id].worth};
  }

  void forget(const ForgottenIds& forgotten) override {
    const IdRemap& renumber = forgotten.sentences;
    renumber.compact(entries_);
    forgotten.rename_by_name(by_name_);
    met_by_.clear();
    pairs_ = 0;
    for (Entry& entry : entries_) {
      entry.listed_at = renumber.kept_before(entry.listed_at);
      entry.partners.erase(entry.partners.begin(),
                           entry.partners.begin() + static_cast<std::ptrdiff_t>(entry.next));
      entry.next = 0;
      std::erase_if(entry.partners, [&](SentenceId partner) { return !renumber.keeps(partner); });
      for (SentenceId& partner : entry.partners) partner = renumber(partner);
      entry.partners.shrink_to_fit();
      if (!entry.sorted) put_best_first(entry);
      pairs_ += entry.partners.size();
    }
    rebuild_queue();
  }

 private:
  static constexpr std::size_t not_yet = 0;
  // Most pairs that wait in total, and most partners of one sentence after that. Longer lists keep the best partners.
  // Chosen: 40 MB.
  static constexpr std::size_t max_pairs = 10'000'000, min_partners = 100;

  struct Entry {
    double urgency = 1, worth = 1;
    double factor = 1;                // of its worth; the premises contribute the rest
    std::size_t listed_at = not_yet;  // number of sentences when the list of partners was made
    std::vector<SentenceId> partners = {};
    std::size_t next = 0;
    bool sorted = true;  // the remaining partners; otherwise only the first one is in place
  };
  struct Waiting {
    double urgency, worth;
    SentenceId id;

    friend bool operator<(const Waiting& a, const Waiting& b) {
      return std::tuple(a.urgency, a.worth, b.id) < std::tuple(b.urgency, b.worth, a.id);
    }
  };

  // ONA's factor on the worth of a conclusion. Weak conclusions (Rule::strong) are worth much less, so strong ones of
  // the same urgency come first. Otherwise weak conclusions hide a proof of seven statements for more than 15,000
  // steps. With the factor, all are found within 4,600 (generated chains, seeds 901 to 903; .03 was chosen from 1, .3,
  // .1, .05, .03 and .01).
  static double own_factor(const KnownSentence& sentence) {
    constexpr double weak = 0.03;
    const double expected = sentence.asks() ? 1 : narsese::expectation(sentence.truth);
    return (sentence.strong ? 1 : weak) * expected * core::log(2) /
           core::log(1 + static_cast<double>(sentence.term.complexity()));
  }

  static bool is_used(const Entry& entry) { return entry.urgency > 0 && entry.worth > 0; }

  // Waits with the worth of its next pair; before its first turn, with its own worth.
  void wait(SentenceId id) {
    const Entry& entry = entries_[id];
    double worth = entry.worth;
    if (entry.next < entry.partners.size()) worth *= entries_[entry.partners[entry.next]].worth;
    waiting_.push({entry.urgency, worth, id});
  }

  void rebuild_queue() {
    waiting_ = {};
    for (SentenceId id = 0; id < entries_.size(); ++id) {
      const Entry& entry = entries_[id];
      if (entry.listed_at == not_yet ? is_used(entry) : entry.next < entry.partners.size()) wait(id);
    }
  }

  static std::span<SentenceId> remaining(Entry& entry) {
    return std::span(entry.partners).subspan(entry.next);
  }
  void sort_partners(Entry& entry) const {
    std::ranges::stable_sort(remaining(entry), std::greater<>(),
                             [&](SentenceId partner) { return entries_[partner].worth; });
    entry.sorted = true;
  }
  // The queue needs only the best partner. The others are sorted on the next turn, which most entries do not reach
  // before the next reweigh().
  void put_best_first(Entry& entry) const {
    const auto left = remaining(entry);
    const auto best =
        std::ranges::max_element(left, {}, [&](SentenceId partner) { return entries_[partner].worth; });
    if (best == left.end()) return;
    std::rotate(left.begin(), best, best + 1);
    entry.sorted = false;
  }

  void begin(Knowledge& knowledge, SentenceId id) {
    Entry& entry = entries_[id];
    entry.listed_at = knowledge.size();
    met_by_.resize(knowledge.size(), KnownSentence::none);
    met_by_[id] = id;
    const bool is_judgment = knowledge[id].is_judgment();
    for (const NameId name : knowledge.names(id))
      for (const SentenceId other : by_name_[name]) {
        if (std::exchange(met_by_[other], id) == id || !belongs_to(id, other)) continue;
        if ((is_judgment || knowledge[other].is_judgment()) && knowledge.may_combine(id, other))
          entry.partners.push_back(other);
      }
    sort_partners(entry);
    const std::size_t room = std::max(max_pairs - std::min(pairs_, max_pairs), min_partners);
    if (entry.partners.size() > room) {
      entry.partners.resize(room);
      entry.partners.shrink_to_fit();
    }
    pairs_ += entry.partners.size();
  }

  // Whether a pair belongs to the list of `id`. The less urgent sentence gets the pair. With the same urgency, or if
  // the list of the less urgent one is older than the other sentence, the sentence with the earlier turn gets the pair.
  bool belongs_to(SentenceId id, SentenceId other) const {
    const Entry &own = entries_[id], &its = entries_[other];
    if (its.urgency < own.urgency) return its.listed_at != not_yet && its.listed_at <= id;
    return its.urgency > own.urgency || its.listed_at == not_yet || its.listed_at <= id;
  }

  Urgency urgency_;
  bool as_worth_;
  std::vector<Entry> entries_;
  std::priority_queue<Waiting> waiting_;
  std::vector<std::vector<SentenceId>> by_name_;
  std::vector<SentenceId> met_by_;  // by sentence: the last list that contains it, by owner
  std::size_t pairs_ = 0;           // waiting pairs
};

}  // namespace

std::unique_ptr<InferenceControl> first_in_first_out() {
  return std::make_unique<QueueControl>([](const KnownSentence&) { return 0; });
}

std::unique_ptr<InferenceControl> random_order(std::uint64_t seed) {
  return std::make_unique<QueueControl>(
      [random = Rng(seed, "control")](const KnownSentence&) mutable { return random.uniform(); });
}

std::unique_ptr<InferenceControl> simplest_first() {
  return std::make_unique<QueueControl>(
      [](const KnownSentence& sentence) { return static_cast<double>(sentence.term.complexity()); });
}

std::unique_ptr<InferenceControl> by_urgency(Urgency urgency) {
  return std::make_unique<ByUrgency>(std::move(urgency), false);
}

std::unique_ptr<WorthControl> by_worth(Urgency urgency) {
  return std::make_unique<ByUrgency>(std::move(urgency), true);
}

}  // namespace engram::core
