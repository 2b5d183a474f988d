// SPDX-License-Identifier: MIT
#include "core/events/event_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
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
  require(options.margin >= 0 && options.margin <= 1, "margin must be in [0, 1]");
  require(options.max_waiting >= 1 && options.max_situation >= 1 && options.max_open >= 1,
          "max_waiting, max_situation and max_open must be at least 1");
  return options;
}

// With the policy `single_events`, the model is the mixture of single events for all operations.
OutcomeOptions outcome_options(const EventFilterOptions& options) {
  OutcomeOptions outcomes = options.outcomes;
  if (options.policy == EventPolicyKind::single_events) {
    outcomes.most_together = 1;
    outcomes.by_operation = 0;
  }
  return outcomes;
}

// Limits of advice, chosen. A change of a link's strength by told_change restarts its count of mismatches. The first
// always_told mismatches all lead to advice, later ones only if their number is a power of 2.
constexpr double told_change = 0.2;
constexpr std::uint64_t always_told = 32;
constexpr std::size_t max_told = 4096;  // most links with a count; a further one clears all counts
constexpr std::size_t max_advice = 64;  // most links that wait for take_advice()

}  // namespace

EventFilter::EventFilter(const EventFilterOptions& options)
    : options_(checked(options)),
      kinds_(options.max_kinds),
      model_(outcome_options(options)),
      policy_(make_event_policy(options.policy, model_, options.rates, options.seed)),
      ties_(options.seed, "event ties") {}

EventKind EventFilter::kind(std::string_view term) {
  return kinds_.intern(term, [this](const std::vector<EventKind>& kinds) { forget(kinds); });
}

std::string EventFilter::term(const EventPattern& pattern) const {
  if (pattern.size == 1) return std::string(term(pattern.kinds[0]));
  std::string sequence = "(&/";
  for (const EventKind kind : pattern.parts()) sequence.append(",").append(term(kind));
  return sequence + ")";
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
  for (LearntOutcomes::Goal& goal : fitting.goals) {
    std::set<std::string> terms;
    std::erase_if(goal.events, [&](const LearntOutcomes::Event& event) {
      std::set<std::string> added(event.terms.begin(), event.terms.end());
      std::erase_if(added, [&](const std::string& term) { return terms.contains(term); });
      if (terms.size() + added.size() > room) return true;
      terms.merge(added);
      return false;
    });
  }
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
  const auto told_of = [&](EventKind goal, const EventPattern& pattern) {
    return gone(goal) || pattern.has_any(kinds);
  };
  std::erase_if(advice_, [&](const Advice& one) { return told_of(one.goal, one.pattern); });
  std::erase_if(told_,
                [&](const auto& one) { return told_of(std::get<0>(one.first), std::get<1>(one.first)); });
  std::erase_if(acted_for_, [&](const auto& one) { return gone(one.first); });
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
  const auto acted = acted_for_.find(goal);
  const bool is_ignored = acted != acted_for_.end() && !acted->second;
  if (acted_for_.size() < max_told || acted != acted_for_.end()) acted_for_[goal] = false;
  if (found != wanted_.end()) {
    *found = {{goal, desire}, until, is_ignored};
    return;
  }
  if (wanted_.size() == options_.outcomes.goals) return;
  kinds_.pin(goal, true);
  wanted_.push_back({{goal, desire}, until, is_ignored});
}

// Scores the candidates and returns at most `most` of those with budget, in order of arrival. Reached goals come before
// all others, ties are broken at random.
std::vector<EventFilter::Chosen> EventFilter::choose(std::size_t most, bool with_patterns) {
  goals_.clear();
  for (const Wanted& wanted : wanted_) goals_.push_back(wanted.goal);
  std::vector<Chosen> chosen;
  for (std::uint32_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].reached_goal) chosen.push_back({i, infinity, 1, 0, EventPattern(waiting_[i].event.kind)});
  add_chosen(chosen, with_patterns);
  const auto better = [](const Chosen& a, const Chosen& b) {
    return a.score != b.score ? a.score > b.score : a.tie != b.tie ? a.tie < b.tie : a.place < b.place;
  };
  if (chosen.size() > most) {
    std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most), chosen.end(),
                     better);
    chosen.resize(most);
  }
  std::sort(chosen.begin(), chosen.end(), [](const Chosen& a, const Chosen& b) {
    return a.place != b.place ? a.place < b.place : a.pattern < b.pattern;
  });
  return chosen;
}

// Appends the candidates that get a budget. The policy `predictive` has a budget for each operation of each goal, and
// the budget of a candidate is their mean.
void EventFilter::add_chosen(std::vector<Chosen>& chosen, bool with_patterns) {
  std::vector<CandidateEvent> events;
  events.reserve(waiting_.size());
  for (const Waiting& waiting : waiting_) events.push_back(waiting.event);
  std::vector<WantedGoal> goals = goals_;
  if (goals.empty())
    for (const EventKind goal : model_.goals()) goals.push_back({goal, 1});
  const bool by_patterns = with_patterns && options_.policy == EventPolicyKind::predictive;
  if (by_patterns && add_patterns(chosen, goals)) return;
  std::vector<double> scores(events.size());
  policy_->score({now_, events, goals_}, scores);
  Vector finite(static_cast<Index>(events.size()));
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < events.size(); ++i)
    if (!waiting_[i].reached_goal && scores[i] > -infinity) {
      finite[static_cast<Index>(places.size())] = scores[i];
      places.push_back(i);
    }
  if (places.empty()) return;
  finite.conservativeResize(static_cast<Index>(places.size()));
  const Vector budgets = apply(options_.map.at_most(finite.size()), finite, options_.temperature);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto at = static_cast<Index>(i);
    if (budgets[at] > 0)
      chosen.push_back(
          {places[i], finite[at], budgets[at], ties_.bits(), EventPattern(events[places[i]].kind)});
  }
}

// Appends single events and patterns that have an event of this cycle. Past events and "no event" also take part of the
// budget, so nothing is passed on if they predict best. Returns whether anything was learnt yet.
bool EventFilter::add_patterns(std::vector<Chosen>& chosen, std::span<const WantedGoal> goals) {
  std::map<EventKind, std::uint32_t> places;  // of the last candidate of each kind
  for (std::uint32_t i = 0; i < waiting_.size(); ++i)
    if (!waiting_[i].reached_goal) places[waiting_[i].event.kind] = i;
  if (places.empty()) return true;
  const std::vector<EventTrace> traces = situation(now_, true);
  std::map<EventPattern, double> budgets_by_pattern;
  double desired = 0;
  for (const WantedGoal& goal : goals) {
    const OutcomeModel::Attention attention = model_.attention(goal.kind, traces);
    const auto count = static_cast<Index>(attention.patterns.size());
    Vector scores(count + 1);
    for (std::size_t a = 0; a < attention.operations.size(); ++a) {
      for (Index i = 0; i < count; ++i) scores[i] = attention.scores[a][static_cast<std::size_t>(i)];
      scores[count] = attention.nothing[a];
      const Vector budgets = apply(options_.map.at_most(scores.size()), scores, options_.temperature);
      desired += goal.desire;
      for (Index i = 0; i < count; ++i)
        if (budgets[i] > 0)
          budgets_by_pattern[attention.patterns[static_cast<std::size_t>(i)]] += goal.desire * budgets[i];
    }
  }
  if (desired == 0) return false;
  for (const auto& [pattern, budget] : budgets_by_pattern) {
    std::optional<std::uint32_t> last;  // the last event of the pattern in this cycle
    for (const EventKind kind : pattern.parts())
      if (const auto place = places.find(kind); place != places.end())
        last = std::max(last.value_or(0), place->second);
    if (last) chosen.push_back({*last, budget / desired, budget / desired, ties_.bits(), pattern});
  }
  return true;
}

// Drops to three quarters of the limit, so that the amortised cost of an arrival is constant.
void EventFilter::drop_lowest() {
  const std::vector<Chosen> kept = choose(std::max<std::size_t>(1, options_.max_waiting * 3 / 4), false);
  std::vector<Waiting> left;
  for (const Chosen& chosen : kept) left.push_back(waiting_[chosen.place]);
  counts_.dropped += waiting_.size() - left.size();
  waiting_ = std::move(left);
}

std::vector<PassedEvent> EventFilter::pass(Moment now, std::vector<std::uint64_t>* discarded) {
  advance_to(now);
  ++counts_.cycles;
  const bool everything = options_.policy == EventPolicyKind::all;
  const std::vector<Chosen> chosen = choose(everything ? waiting_.size() : options_.pass, true);
  if (std::ranges::any_of(wanted_, &Wanted::is_ignored)) {
    const std::vector<EventTrace> traces = situation(now_, true);
    for (const Wanted& wanted : wanted_)
      if (wanted.is_ignored) compare(wanted.goal.kind, traces, {});
  }
  std::vector<bool> is_passed(waiting_.size());
  std::vector<PassedEvent> passed;
  const auto pass_one = [&](std::uint32_t place, const Chosen& one, const EventPattern& pattern) {
    passed.push_back({waiting_[place].event, waiting_[place].tag, one.budget, pattern, {}});
  };
  for (const Chosen& one : chosen) {
    if (one.pattern.size > 1 && options_.compounds) pass_one(one.place, one, one.pattern);
    for (std::uint32_t i = 0; i < waiting_.size(); ++i) {
      const EventKind kind = waiting_[i].event.kind;
      if (one.pattern.size == 1 ? i != one.place : !one.pattern.has(kind)) continue;
      if (one.pattern.size > 1 && options_.compounds) {
        if (i != one.place) passed.back().others.push_back(waiting_[i].tag);
      } else if (!is_passed[i]) {
        pass_one(i, one, EventPattern(kind));
      }
      is_passed[i] = true;
    }
  }
  std::vector<Waiting> lingering;
  std::vector<CandidateEvent> events;
  for (std::uint32_t i = 0; i < waiting_.size(); ++i) {
    const Waiting& waiting = waiting_[i];
    events.push_back(waiting.event);
    seen_.push_back({waiting.event.kind, now_, is_passed[i]});
    if (is_passed[i]) continue;
    if (now_ - waiting.arrived < options_.linger) {
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

// Returns the recent events, each kind once with its latest time. `with_waiting` adds the candidates.
std::vector<EventTrace> EventFilter::situation(Moment now, bool with_waiting) const {
  std::vector<EventTrace> traces;
  if (with_waiting)
    for (const Waiting& waiting : waiting_) traces.push_back({waiting.event.kind, 1, false});
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
  const std::vector<EventTrace> traces = situation(now_, false);
  for (Wanted& wanted : wanted_) {
    if (const auto acted = acted_for_.find(wanted.goal.kind); acted != acted_for_.end()) acted->second = true;
    wanted.is_ignored = false;
    compare(wanted.goal.kind, traces, operation);
    if (open_.size() == options_.max_open) {
      const OpenOperation oldest = std::move(open_.front());
      open_.pop_front();
      close(oldest, false);
      unpin_unless_awaited(oldest.goal);
    }
    open_.push_back({operation, wanted.goal.kind, now_, traces});
  }
}

// Adds advice: links in favour of an operation that was not done, and links against the operation that was done. If
// none was done, an operation is advised if its predicted success is above 1/2.
void EventFilter::compare(EventKind goal, std::span<const EventTrace> traces,
                          std::optional<OperationId> done) {
  if (!options_.advise) return;
  const std::vector<OutcomeModel::Outlook> outlook = model_.outlook(goal, traces);
  const auto best = std::ranges::max_element(
      outlook, {}, [](const OutcomeModel::Outlook& one) { return one.done ? one.success : 0; });
  if (!best->done || best->attended.size == 0) return;
  const auto operation = static_cast<OperationId>(best - outlook.begin());
  if (operation == done) told_.erase({goal, best->attended, operation});
  const double other = done ? outlook[*done].success : 0.5 - options_.margin;
  const bool is_better = operation != done && (best->known || best->attention >= 0.5) &&
                         best->success - other >= options_.margin;
  if (is_better && best->success > 0.5) tell(best->attended, operation, goal);
  if (!done) return;
  const OutcomeModel::Outlook& worse = outlook[*done];
  if (is_better && best->attended != worse.attended) {
    const narsese::TruthValue truth = model_.truth(goal, best->attended, *done);
    if (truth.confidence > 0 && truth.frequency < best->truth.frequency) tell(best->attended, *done, goal);
  }
  if (worse.attended.size == 0 || worse.truth.confidence == 0) return;
  const bool was_better =
      model_.long_run_frequency(goal, worse.attended, *done) - worse.truth.frequency >= options_.margin;
  if (was_better || (is_better && worse.known && worse.truth.frequency < best->truth.frequency))
    tell(worse.attended, *done, goal);
}

void EventFilter::tell(const EventPattern& pattern, OperationId operation, EventKind goal) {
  narsese::TruthValue truth = model_.truth(goal, pattern, operation);
  if (truth.confidence ==
      0)  // never tried: what the model expects of it, with the evidence that it starts from
    truth = {model_.link(goal, pattern, operation), narsese::confidence_of(options_.outcomes.caution)};
  const double strength = (2 * truth.frequency - 1) * truth.confidence;
  const std::tuple link{goal, pattern, operation};
  if (told_.size() >= max_told && !told_.contains(link)) told_.clear();
  Told& told = told_[link];
  if (std::abs(strength - told.strength) >= told_change) told = {strength, 0};
  const std::uint64_t times = ++told.unheeded;
  if ((times > always_told && (times & (times - 1)) != 0) || advice_.size() >= max_advice) return;
  const auto same = [&](const Advice& one) {
    return one.pattern == pattern && one.operation == operation && one.goal == goal;
  };
  std::erase_if(advice_, same);
  advice_.push_back({pattern, operation, goal, truth});
}

std::vector<Advice> EventFilter::take_advice() {
  counts_.advice += advice_.size();
  return std::exchange(advice_, {});
}

std::vector<OperationBudget> EventFilter::operations(EventKind goal, Moment now) const {
  const std::vector<OutcomeModel::Outlook> outlook =
      model_.outlook(goal, situation(std::max(now, now_), false));
  std::vector<OperationBudget> all;
  for (OperationId a = 0; a < outlook.size(); ++a)
    all.push_back({a, outlook[a].success, outlook[a].truth, outlook[a].attended});
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
  constexpr std::size_t node = 6 * sizeof(void*);  // overhead of a node in a map
  sum += told_.size() * (sizeof(*told_.begin()) + node) + acted_for_.size() * node;
  return sum + advice_.capacity() * sizeof(Advice);
}

}  // namespace engram::core
