// SPDX-License-Identifier: MIT
#include "core/events/event_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/numbers/numeric.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const EventFilterOptions& checked(const EventFilterOptions& options) {
  constexpr Moment most_cycles = 1'000'000'000;
  require(options.pass >= 1, "pass must be at least 1");
  require(options.window >= 1 && options.window <= most_cycles, "window must be in [1, 10^9] cycles");
  require(options.horizon >= 1 && options.horizon <= most_cycles, "horizon must be in [1, 10^9] cycles");
  require(options.linger >= 0 && options.linger <= most_cycles, "linger must be in [0, 10^9] cycles");
  require(options.eligibility > 0 && options.temperature > 0, "eligibility and temperature must be above 0");
  require(options.max_waiting >= 1 && options.max_situation >= 1 && options.max_open >= 1,
          "max_waiting, max_situation and max_open must be at least 1");
  return options;
}

}  // namespace

EventFilter::EventFilter(const EventFilterOptions& options)
    : options_(checked(options)),
      kinds_(options.max_kinds),
      model_(options.outcomes),
      policy_(make_event_policy(options.policy, model_, options.rates, options.seed)),
      ties_(options.seed, "event ties") {}

EventKind EventFilter::kind(std::string_view term) {
  return kinds_.intern(term, [this](const std::vector<EventKind>& kinds) { forget(kinds); });
}

LearntOutcomes EventFilter::learnt() const {
  return model_.learnt([this](EventKind kind) { return std::string(term(kind)); });
}

void EventFilter::restore(const LearntOutcomes& learnt) {
  if (counts_.arrived + counts_.operations > 0)
    throw std::invalid_argument("learnt outcomes must be restored before the first event or operation");
  kinds_ = EventKinds(options_.max_kinds);
  LearntOutcomes fitting = learnt;  // with few enough events that no term evicts another
  const std::size_t goals = std::max<std::size_t>(fitting.goals.size(), 1);
  const std::size_t room = (options_.max_kinds - std::min(goals, options_.max_kinds)) / goals;
  for (LearntOutcomes::Goal& goal : fitting.goals) goal.events.resize(std::min(goal.events.size(), room));
  model_.restore(fitting, [this](const std::string& term) { return kind(term); });
}

void EventFilter::forget(const std::vector<EventKind>& kinds) {
  const auto gone = [&](EventKind kind) { return std::binary_search(kinds.begin(), kinds.end(), kind); };
  counts_.dropped += static_cast<std::uint64_t>(
      std::erase_if(waiting_, [&](const Waiting& waiting) { return gone(waiting.event.kind); }));
  std::erase_if(seen_, [&](const Seen& seen) { return gone(seen.kind); });
  for (OpenOperation& open : open_)
    std::erase_if(open.situation, [&](const EventTrace& trace) { return gone(trace.kind); });
  model_.forget(kinds);
  policy_->forget(kinds);
}

// Closes operations beyond the horizon as failed, and gives up goals beyond theirs.
void EventFilter::advance_to(Moment now) {
  now_ = std::max(now_, now);
  while (!open_.empty() && now_ - open_.front().when > options_.horizon) {
    const OpenOperation open = std::move(open_.front());
    open_.pop_front();
    close(open, false);
    unpin_unless_awaited(open.goal);
  }
  std::vector<EventKind> given_up;
  std::erase_if(wanted_, [&](const Wanted& wanted) {
    if (wanted.until >= now_) return false;
    given_up.push_back(wanted.goal.kind);
    return true;
  });
  for (const EventKind goal : given_up) unpin_unless_awaited(goal);
}

bool EventFilter::is_awaited(EventKind goal) const {
  return std::ranges::any_of(wanted_, [&](const Wanted& wanted) { return wanted.goal.kind == goal; }) ||
         std::ranges::any_of(open_, [&](const OpenOperation& open) { return open.goal == goal; });
}

void EventFilter::unpin_unless_awaited(EventKind goal) { kinds_.pin(goal, is_awaited(goal)); }

void EventFilter::close(const OpenOperation& open, bool reached) {
  const auto age = static_cast<double>(now_ - open.when);
  const Experience experience{open.situation, open.operation, open.goal, reached,
                              reached ? core::exp(-age / options_.eligibility) : 1};
  policy_->learn(experience);
  model_.learn(experience);
  ++(reached ? counts_.reached : counts_.failed);
}

void EventFilter::reach(EventKind goal) {
  for (const OpenOperation& open : open_)
    if (open.goal == goal) close(open, true);
  std::erase_if(open_, [&](const OpenOperation& open) { return open.goal == goal; });
  std::erase_if(wanted_, [&](const Wanted& wanted) { return wanted.goal.kind == goal; });
  unpin_unless_awaited(goal);
}

void EventFilter::arrive(const CandidateEvent& event, std::uint64_t tag, Moment now) {
  advance_to(now);
  ++counts_.arrived;
  if (event.time != now_) ++counts_.disordered;
  const bool reached = is_awaited(event.kind);
  if (reached) reach(event.kind);
  waiting_.push_back({event, tag, now_, reached});
  if (waiting_.size() > options_.max_waiting) drop_lowest();
}

void EventFilter::want(EventKind goal, double desire, Moment now) {
  advance_to(now);
  const Moment until = now_ + options_.horizon;
  const auto found =
      std::find_if(wanted_.begin(), wanted_.end(), [&](const Wanted& w) { return w.goal.kind == goal; });
  if (found != wanted_.end()) {
    *found = {{goal, desire}, until};
    return;
  }
  if (wanted_.size() == options_.outcomes.goals) return;
  kinds_.pin(goal, true);
  wanted_.push_back({{goal, desire}, until});
}

// Scores the candidates and returns at most `most` of those with budget, in order of arrival. Reached goals come before
// all others, ties are broken at random.
std::vector<EventFilter::Chosen> EventFilter::choose(std::size_t most) {
  std::vector<CandidateEvent> events;
  events.reserve(waiting_.size());
  for (const Waiting& waiting : waiting_) events.push_back(waiting.event);
  goals_.clear();
  for (const Wanted& wanted : wanted_) goals_.push_back(wanted.goal);
  std::vector<double> scores(events.size());
  const Candidates candidates{now_, events, goals_};
  policy_->score(candidates, scores);
  Vector finite(static_cast<Index>(events.size()));
  std::vector<std::uint32_t> places;
  std::vector<Chosen> chosen;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (waiting_[i].reached_goal)
      chosen.push_back({i, infinity, 1, 0});
    else if (scores[i] > -infinity) {
      finite[static_cast<Index>(places.size())] = scores[i];
      places.push_back(i);
    }
  }
  if (!places.empty()) {
    finite.conservativeResize(static_cast<Index>(places.size()));
    const Vector budgets = apply(options_.map.at_most(finite.size()), finite, options_.temperature);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto at = static_cast<Index>(i);
      if (budgets[at] > 0) chosen.push_back({places[i], finite[at], budgets[at], ties_.bits()});
    }
  }
  const auto better = [](const Chosen& a, const Chosen& b) {
    return a.score != b.score ? a.score > b.score : a.tie != b.tie ? a.tie < b.tie : a.place < b.place;
  };
  if (chosen.size() > most) {
    std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most), chosen.end(),
                     better);
    chosen.resize(most);
  }
  std::sort(chosen.begin(), chosen.end(), [](const Chosen& a, const Chosen& b) { return a.place < b.place; });
  return chosen;
}

// Drops to three quarters of the limit, so that the amortised cost of an arrival is constant.
void EventFilter::drop_lowest() {
  const std::vector<Chosen> kept = choose(std::max<std::size_t>(1, options_.max_waiting * 3 / 4));
  std::vector<Waiting> left;
  for (const Chosen& chosen : kept) left.push_back(waiting_[chosen.place]);
  counts_.dropped += waiting_.size() - left.size();
  waiting_ = std::move(left);
}

std::vector<PassedEvent> EventFilter::pass(Moment now, std::vector<std::uint64_t>* discarded) {
  advance_to(now);
  ++counts_.cycles;
  const bool everything = options_.policy == EventPolicyKind::all;
  const std::vector<Chosen> chosen = choose(everything ? waiting_.size() : options_.pass);
  std::vector<PassedEvent> passed;
  std::vector<Waiting> lingering;
  std::vector<CandidateEvent> events;
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < waiting_.size(); ++i) {
    const Waiting& waiting = waiting_[i];
    events.push_back(waiting.event);
    const bool is_chosen = next < chosen.size() && chosen[next].place == i;
    seen_.push_back({waiting.event.kind, now_, is_chosen});
    if (is_chosen) {
      passed.push_back({waiting.event, waiting.tag, chosen[next++].budget});
    } else if (now_ - waiting.arrived < options_.linger) {
      lingering.push_back(waiting);
    } else {
      ++counts_.not_passed;
      if (discarded != nullptr) discarded->push_back(waiting.tag);
    }
  }
  policy_->end_cycle({now_, events, goals_});
  waiting_ = std::move(lingering);
  counts_.passed += passed.size();
  while (!seen_.empty() &&
         (now_ - seen_.front().when > options_.window || seen_.size() > options_.max_situation))
    seen_.pop_front();
  return passed;
}

std::vector<EventTrace> EventFilter::situation(Moment now) const {
  std::vector<EventTrace> traces;
  for (auto seen = seen_.rbegin(); seen != seen_.rend() && now - seen->when <= options_.window; ++seen)
    traces.push_back(
        {seen->kind, core::exp(-static_cast<double>(now - seen->when) / options_.eligibility), seen->passed});
  std::stable_sort(traces.begin(), traces.end(),
                   [](const EventTrace& a, const EventTrace& b) { return a.kind < b.kind; });
  traces.erase(std::unique(traces.begin(), traces.end(),
                           [](const EventTrace& a, const EventTrace& b) { return a.kind == b.kind; }),
               traces.end());
  return traces;
}

void EventFilter::acted(OperationId operation, Moment now) {
  advance_to(now);
  ++counts_.operations;
  policy_->acted(operation);
  if (operation >= options_.outcomes.operations) {
    ++counts_.unknown_operations;
    return;
  }
  if (wanted_.empty()) return;
  const std::vector<EventTrace> traces = situation(now_);
  for (const Wanted& wanted : wanted_) {
    if (open_.size() == options_.max_open) {
      const OpenOperation oldest = std::move(open_.front());
      open_.pop_front();
      close(oldest, false);
      unpin_unless_awaited(oldest.goal);
    }
    open_.push_back({operation, wanted.goal.kind, now_, traces});
  }
}

std::vector<OperationBudget> EventFilter::operations(EventKind goal, Moment now) const {
  const std::vector<EventTrace> traces = situation(std::max(now, now_));
  EventKind attended = EventKinds::none;
  double most = -infinity;
  for (const EventTrace& trace : traces)
    if (const double attention = model_.attention(goal, trace.kind); attention > most) {
      most = attention;
      attended = trace.kind;
    }
  std::vector<OperationBudget> all;
  for (OperationId a = 0; a < options_.outcomes.operations; ++a) {
    OperationBudget budget{a, model_.prediction(goal, traces, a), {0.5, 0}, attended};
    if (attended != EventKinds::none) budget.truth = model_.truth(goal, attended, a);
    all.push_back(budget);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const OperationBudget& a, const OperationBudget& b) { return a.success > b.success; });
  return all;
}

std::vector<std::uint64_t> EventFilter::waiting_tags() const {
  std::vector<std::uint64_t> tags;
  for (const Waiting& waiting : waiting_) tags.push_back(waiting.tag);
  return tags;
}

std::size_t EventFilter::bytes() const {
  std::size_t sum =
      kinds_.bytes() + model_.bytes() + waiting_.capacity() * sizeof(Waiting) + seen_.size() * sizeof(Seen);
  for (const OpenOperation& open : open_)
    sum += sizeof(open) + open.situation.capacity() * sizeof(EventTrace);
  return sum;
}

}  // namespace engram::core
