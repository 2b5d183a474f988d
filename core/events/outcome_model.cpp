// SPDX-License-Identifier: MIT
#include "core/events/outcome_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "narsese/truth.hpp"

namespace engram::core {
namespace {

constexpr double most_evidence = 13.815510557964274;  // largest log e-value, log 10^6; chosen
constexpr double promising = 2.302585092994046;  // log e-value from which a test may discover a row, log 10
constexpr double counted = 48;                   // successes and failures after which counts restart; chosen
constexpr std::size_t most_counted = 1024;       // examples after which counts restart in any case; chosen
constexpr std::size_t grown_from = 8,
                      grown_by = 12;     // best patterns that grow, and events that they grow by; chosen
constexpr double examined_pairs = 2048;  // times 1/2, in addition to 4 n; chosen
constexpr double slow_fade = 0.01;       // of the long run; chosen after ONA's largest confidence
constexpr double alike = 0.1;            // difference of rates that links() leaves out; chosen

// Tables of log Gamma(n + 1/2), log n! and n log n.
struct LogTables {
  std::vector<double> half{core::log(3.141592653589793) / 2}, factorial{0}, power{0};
  LogTables() {
    for (std::size_t i = 1; i <= most_counted; ++i) {
      const auto n = static_cast<double>(i);
      half.push_back(half.back() + core::log(n - 0.5));
      factorial.push_back(factorial.back() + core::log(n));
      power.push_back(n * core::log(n));
    }
  }
};

// The log probability of a sequence with k of n events, by the Krichevsky-Trofimov mixture.
double log_mixture(const LogTables& tables, std::size_t k, std::size_t n) {
  return tables.half[k] + tables.half[n - k] - 2 * tables.half[0] - tables.factorial[n];
}

// The log e-value of an event that k of n successes and l of m failures have.
double log_e_value(std::size_t k, std::size_t n, std::size_t l, std::size_t m) {
  static const LogTables tables;
  const double best = tables.power[k + l] + tables.power[n + m - k - l] - tables.power[n + m];
  return log_mixture(tables, k, n) + log_mixture(tables, l, m) - best;
}

// The pattern without one of its parts.
EventPattern without(const EventPattern& pattern, std::size_t part) {
  EventPattern rest;
  bool later = false;
  for (std::size_t i = 0; i < pattern.size; ++i) {
    later = later || (pattern.later >> i & 1) != 0;
    if (i == part) continue;
    if (later && rest.size > 0) rest.later |= static_cast<std::uint8_t>(1U << rest.size);
    rest.kinds[rest.size++] = pattern.kinds[i];
    later = false;
  }
  return rest;
}

// The pattern of these events, which must be of different kinds.
EventPattern pattern_of_traces(std::span<EventTrace> traces) {
  std::ranges::sort(traces, [](const EventTrace& a, const EventTrace& b) {
    return a.eligibility != b.eligibility ? a.eligibility < b.eligibility : a.kind < b.kind;
  });
  EventPattern pattern;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    pattern.kinds[i] = traces[i].kind;
    if (i > 0 && traces[i].eligibility > traces[i - 1].eligibility)
      pattern.later |= static_cast<std::uint8_t>(1U << i);
  }
  pattern.size = static_cast<std::uint8_t>(traces.size());
  return pattern;
}

}  // namespace

OutcomeModel::OutcomeModel(const OutcomeOptions& options)
    : options_(options),
      log_together_(core::log(options.together)),
      log_by_operation_(options.by_operation > 0 ? core::log(options.by_operation)
                                                 : -std::numeric_limits<double>::infinity()) {
  if (options.operations < 1 || options.operations > 1000 || options.goals < 1 || options.goals > 1000)
    throw std::invalid_argument("operations and goals must be in [1, 1000]");
  if (!(options.caution > 0 && options.caution <= 1e6) || !(options.fade >= 0 && options.fade < 1) ||
      !(options.share >= 0 && options.share < 1))
    throw std::invalid_argument("caution must be in (0, 1e6], fade and share in [0, 1)");
  if (options.most_together < 1 || options.most_together > EventPattern::most ||
      !(options.together > 0 && options.together <= 1) ||
      !(options.by_operation >= 0 && options.by_operation <= 1))
    throw std::invalid_argument(
        "most_together must be in [1, 4], together in (0, 1], by_operation in [0, 1]");
  if (options.patterns < 16 || options.patterns > 1'000'000 ||
      !(options.false_discoveries > 0 && options.false_discoveries < 1))
    throw std::invalid_argument("patterns must be in [16, 10^6], false_discoveries in (0, 1)");
  for (std::size_t i = 1; i < priors_.size(); ++i) priors_[i] = priors_[i - 1] * options.together;
  zeros_.resize(width());
}

// --- rows ----------------------------------------------------------------------------------------------------------

const OutcomeModel::Goal* OutcomeModel::find_goal(EventKind kind) const {
  const auto found = goals_.find(kind);
  return found == goals_.end() ? nullptr : &found->second;
}

OutcomeModel::Goal* OutcomeModel::find_or_add_goal(EventKind kind) {
  const auto found = goals_.find(kind);
  if (found != goals_.end()) return &found->second;
  if (goals_.size() == options_.goals) return nullptr;
  Goal goal;
  goal.base.resize(1 + options_.operations);
  goal.totals.resize(2 * options_.operations);
  goal.rows = KindRows(width());
  goal.pattern_rows = KindRows(width());
  goal.counts.resize(2 * options_.operations);
  return &goals_.emplace(kind, std::move(goal)).first->second;
}

OutcomeModel::RowId OutcomeModel::find_row(const Goal& goal, const EventPattern& pattern) const {
  if (pattern.size == 1) return goal.rows.find(pattern.kinds[0]) == nullptr ? no_row : pattern.kinds[0];
  const auto found = goal.places.find(pattern);
  return found == goal.places.end() ? no_row : first_slot + found->second;
}

const double* OutcomeModel::row(const Goal& goal, RowId id) const {
  if (id == no_row) return zeros_.data();
  return id >= first_slot ? goal.pattern_rows.find(id - first_slot) : goal.rows.find(id);
}

double* OutcomeModel::row(Goal& goal, RowId id) const {
  return id >= first_slot ? goal.pattern_rows.at(id - first_slot) : goal.rows.at(id);
}

const double* OutcomeModel::row_of(EventKind goal, const EventPattern& pattern) const {
  const Goal* of_goal = find_goal(goal);
  if (of_goal == nullptr || pattern.size == 0) return nullptr;
  const RowId id = find_row(*of_goal, pattern);
  return id == no_row ? nullptr : row(*of_goal, id);
}

EventPattern OutcomeModel::pattern_of(const Goal& goal, RowId id) const {
  return id >= first_slot ? goal.slots[id - first_slot] : EventPattern(id);
}

OutcomeModel::RowId OutcomeModel::add_pattern(Goal& goal, const EventPattern& pattern) const {
  if (goal.places.size() >= options_.patterns) return no_row;
  auto slot = static_cast<std::uint32_t>(goal.slots.size());
  if (goal.free_slots.empty()) {
    goal.slots.emplace_back();
  } else {
    slot = goal.free_slots.back();
    goal.free_slots.pop_back();
  }
  goal.slots[slot] = pattern;
  goal.places.emplace(pattern, slot);
  std::fill_n(goal.pattern_rows.at(slot), width(), 0.0);
  return first_slot + slot;
}

void OutcomeModel::remove_slot(Goal& goal, std::uint32_t slot) const {
  const RowId id = first_slot + slot;
  goal.places.erase(goal.slots[slot]);
  goal.slots[slot] = {};
  goal.free_slots.push_back(slot);
  goal.promising.erase(id);
}

// Removes the third of the patterns with the least gain, because they can gain least attention before better patterns
// have it.
void OutcomeModel::evict_patterns(Goal& goal) const {
  std::vector<std::tuple<double, double, std::uint32_t>> known;
  for (std::uint32_t slot = 0; slot < goal.slots.size(); ++slot)
    if (goal.slots[slot].size > 0) {
      const double* data = goal.pattern_rows.find(slot);
      known.emplace_back(gain(data), -data[at_times()], slot);
    }
  const auto last = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 3);
  std::nth_element(known.begin(), last, known.end());
  std::vector<std::uint32_t> slots;
  for (auto one = known.begin(); one != last; ++one) slots.push_back(std::get<2>(*one));
  std::ranges::sort(slots, std::greater{});
  for (const std::uint32_t slot : slots) remove_slot(goal, slot);
}

// --- attention -----------------------------------------------------------------------------------------------------

double OutcomeModel::base_rate(const Goal& goal, OperationId a) const {
  return (goal.totals[options_.operations + a] + 0.5) / (goal.totals[a] + 1);
}

double OutcomeModel::link_rate(const double* row, OperationId a, double base_rate) const {
  const double n = row[at_evidence() + a], w = row[at_reached() + a];
  return (w + options_.caution * base_rate) / (n + options_.caution);
}

// The largest score, without the prior of the pattern.
double OutcomeModel::gain(const double* row) const {
  double most = row[0];
  for (OperationId a = 0; a < options_.operations; ++a) most = std::max(most, row[1 + a] + log_by_operation_);
  return most;
}

// The highest score s for the operation. Weights e^s are computed relative to it, so that none overflows.
double OutcomeModel::highest_score(const Goal& goal, std::span<const AwakeRow> awake, OperationId a) const {
  double highest = std::max(goal.base[0], goal.base[1 + a]);
  for (const AwakeRow& one : awake) {
    const double* data = row(goal, one.id);
    highest = std::max({highest, data[0], data[1 + a]});
  }
  return highest;
}

// Lists the awake rows: single events in their order, then patterns. Unknown rows have no number.
void OutcomeModel::find_awake(const Goal& goal, std::span<const EventTrace> situation,
                              std::vector<AwakeRow>& awake) const {
  awake.clear();
  for (const EventTrace& trace : situation)
    awake.push_back({EventPattern(trace.kind), find_row(goal, EventPattern(trace.kind)), trace.eligibility});
  if (options_.most_together < 2 || situation.size() < 2) return;
  std::vector<std::pair<double, std::uint32_t>> leaders;
  for (std::uint32_t i = 0; i < situation.size(); ++i) {
    const double* data = row(goal, awake[i].id);
    leaders.emplace_back(-4 * std::max(gain(data), data[at_best()]) - core::log1p(data[at_times()]), i);
  }
  const auto most =
      static_cast<std::size_t>(std::sqrt(8.0 * static_cast<double>(situation.size()) + examined_pairs));
  const std::size_t count = std::min(most, leaders.size());
  std::partial_sort(leaders.begin(), leaders.begin() + static_cast<std::ptrdiff_t>(count), leaders.end());
  std::array<EventTrace, EventPattern::most> traces;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      traces[0] = situation[leaders[i].second];
      traces[1] = situation[leaders[j].second];
      const EventPattern pattern = pattern_of_traces({traces.data(), 2});
      awake.push_back(
          {pattern, find_row(goal, pattern), std::min(traces[0].eligibility, traces[1].eligibility)});
    }
  std::size_t first = situation.size();
  for (std::size_t size = 3; size <= options_.most_together; ++size) {
    std::vector<std::pair<double, std::size_t>> best;
    for (std::size_t i = first; i < awake.size(); ++i)
      if (const double gained = awake[i].id == no_row ? 0 : gain(row(goal, awake[i].id)); gained > 1)
        best.emplace_back(-gained, i);
    std::ranges::sort(best);
    best.resize(std::min(best.size(), grown_from));
    first = awake.size();
    for (const auto& [gained, place] : best) {
      const AwakeRow from = awake[place];
      for (std::size_t i = 0; i < std::min(count, grown_by); ++i) {
        const EventTrace& added = situation[leaders[i].second];
        if (from.pattern.has(added.kind)) continue;
        double eligibility = traces[from.pattern.size].eligibility = added.eligibility;
        traces[from.pattern.size].kind = added.kind;
        for (std::size_t part = 0; part < from.pattern.size; ++part) {
          traces[part] =
              *std::ranges::lower_bound(situation, from.pattern.kinds[part], {}, &EventTrace::kind);
          eligibility = std::min(eligibility, traces[part].eligibility);
        }
        const EventPattern pattern = pattern_of_traces({traces.data(), size});
        const auto same = [&](const AwakeRow& other) { return other.pattern == pattern; };
        if (std::any_of(awake.begin() + static_cast<std::ptrdiff_t>(first), awake.end(), same)) continue;
        awake.push_back({pattern, find_row(goal, pattern), eligibility});
      }
    }
  }
}

// Sets `weights` to alpha_e of the awake rows for operation a and returns alpha_0.
double OutcomeModel::attend(const Goal& goal, std::span<const AwakeRow> awake, OperationId a,
                            std::vector<double>& weights) const {
  weights.clear();
  const double beta = options_.by_operation, most = highest_score(goal, awake, a);
  const auto weight_of = [&](const double* data) {
    return core::exp(data[0] - most) + (beta > 0 ? beta * core::exp(data[1 + a] - most) : 0);
  };
  const double unknown = weight_of(zeros_.data());
  double total = weight_of(goal.base.data());
  const double nothing = total;
  for (const AwakeRow& one : awake) {
    const double weight = one.id == no_row ? unknown : weight_of(row(goal, one.id));
    weights.push_back(one.eligibility * priors_[one.pattern.size - 1] * weight);
    total += weights.back();
  }
  for (double& weight : weights) weight /= total;
  return nothing / total;
}

void OutcomeModel::learn(const Experience& experience) {
  const OperationId a = experience.operation;
  if (a >= options_.operations) return;
  Goal* const of_goal = find_or_add_goal(experience.goal);
  if (of_goal == nullptr) return;
  Goal& goal = *of_goal;
  for (const EventTrace& trace : experience.situation) {
    double& times = goal.rows.at(trace.kind)[at_times()];
    if (times == 0) goal.singles += 1;
    times += 1;
  }
  find_awake(goal, experience.situation, awake_);
  const std::size_t events = experience.situation.size();
  const auto pairs = static_cast<std::size_t>(
      std::ranges::count_if(awake_, [](const AwakeRow& one) { return one.pattern.size == 2; }));
  if (2 * pairs + events < events * events) goal.is_complete = false;
  const auto unknown = static_cast<std::size_t>(
      std::ranges::count_if(awake_, [](const AwakeRow& one) { return one.id == no_row; }));
  if (unknown > 0 && goal.places.size() + unknown > options_.patterns && !goal.places.empty()) {
    evict_patterns(goal);
    goal.is_complete = false;
    for (AwakeRow& one : awake_) one.id = find_row(goal, one.pattern);
  }
  for (AwakeRow& one : awake_)
    if (one.id == no_row) {
      one.id = add_pattern(goal, one.pattern);
      if (one.id == no_row)
        goal.is_complete = false;
      else
        goal.examined += 1;
    }
  std::erase_if(awake_, [](const AwakeRow& one) { return one.id == no_row; });
  count(goal, experience);

  const double r = experience.reached ? 1 : 0, keep = 1 - options_.fade;
  const auto log_likelihood = [&](double p) { return core::log(experience.reached ? p : 1 - p); };
  const double all = base_rate(goal, a);
  double predicted = attend(goal, awake_, a, weights_) * all;
  for (std::size_t i = 0; i < awake_.size(); ++i)
    predicted += weights_[i] * link_rate(row(goal, awake_[i].id), a, all);
  const double had = log_likelihood(predicted), of_base = log_likelihood(all);
  for (const AwakeRow& one : awake_) {
    double* data = row(goal, one.id);
    const double x = one.eligibility * experience.weight;
    const bool is_known = data[at_evidence() + a] > 0;
    const double gained = x * ((is_known ? log_likelihood(link_rate(data, a, all)) : of_base) - had);
    data[0] += gained;
    data[1 + a] += gained;
    double &n = data[at_evidence() + a], &w = data[at_reached() + a];
    n = keep * n + x;
    w = keep * w + x * r;
    double &slow_n = data[at_slow() + a], &slow_w = data[at_slow() + options_.operations + a];
    slow_n = (1 - slow_fade) * slow_n + x;
    slow_w = (1 - slow_fade) * slow_w + x * r;
    if (one.pattern.size > 1) data[at_times()] += 1;
  }
  for (double* base : {&goal.base[0], &goal.base[1 + a]}) *base += experience.weight * (of_base - had);
  share_attention(goal, experience);
  double &n = goal.totals[a], &w = goal.totals[options_.operations + a];
  n = keep * n + experience.weight;
  w = keep * w + experience.weight * r;

  for (const EventTrace& trace : experience.situation) goal.rows.at(trace.kind)[at_best()] = 0;
  for (const AwakeRow& one : awake_)
    if (one.pattern.size > 1) {
      const double gained = gain(row(goal, one.id));
      for (const EventKind kind : one.pattern.parts()) {
        double& best = goal.rows.at(kind)[at_best()];
        best = std::max(best, gained);
      }
    }
}

void OutcomeModel::share_attention(Goal& goal, const Experience& experience) {
  if (options_.share == 0) return;
  const OperationId a = experience.operation;
  const double beta = options_.by_operation, most = highest_score(goal, awake_, a);
  weights_.clear();  // e^s_e and e^s_ea, relative to e^most: for "no event", then for the awake rows
  double sum = 0, all = 0;
  const auto add = [&](const double* scores, double x) {
    const double for_all = core::exp(scores[0] - most), for_one = core::exp(scores[1 + a] - most);
    weights_.insert(weights_.end(), {for_all, for_one});
    sum += x * for_all + x * beta * for_one;
    all += x * (1 + beta);
  };
  add(goal.base.data(), experience.weight);
  for (const AwakeRow& one : awake_)
    add(row(goal, one.id), one.eligibility * experience.weight * priors_[one.pattern.size - 1]);
  auto weight = weights_.cbegin();
  const auto mix = [&](double* scores, double x) {
    const double share = options_.share * x;
    for (double* score : {scores, scores + 1 + a})
      *score = most + core::log((1 - share) * *weight++ + share * sum / all);
  };
  mix(goal.base.data(), experience.weight);
  for (const AwakeRow& one : awake_) mix(row(goal, one.id), one.eligibility * experience.weight);
}

// --- tests ---------------------------------------------------------------------------------------------------------

// Counts the example for the tests.
void OutcomeModel::count(Goal& goal, const Experience& experience) {
  const std::size_t place = experience.operation + (experience.reached ? options_.operations : 0);
  goal.counts[place] += 1;
  for (const AwakeRow& one : awake_) row(goal, one.id)[at_counts() + place] += 1;
  for (const AwakeRow& one : awake_)
    if (log_evidence(goal, one.id) >= promising)
      goal.promising.insert(one.id);
    else
      goal.promising.erase(one.id);
  const auto middle = goal.counts.begin() + static_cast<std::ptrdiff_t>(options_.operations);
  const double failures = std::accumulate(goal.counts.begin(), middle, 0.0);
  const double successes = std::accumulate(middle, goal.counts.end(), 0.0);
  const bool is_full = failures + successes >= static_cast<double>(most_counted);
  if ((failures >= counted && successes >= counted) || is_full) restart_counts(goal);
}

// Stores the e-values and sets the counts to 0.
void OutcomeModel::restart_counts(Goal& goal) const {
  std::vector<std::pair<RowId, std::array<double, EventPattern::most>>> evidence;
  const auto visit = [&](RowId id) {
    const double* data = row(std::as_const(goal), id);
    const EventPattern pattern = pattern_of(goal, id);
    auto& logs = evidence.emplace_back(id, std::array<double, EventPattern::most>{}).second;
    for (std::size_t part = 0; part < pattern.size; ++part)
      logs[part] = log_evidence(goal, data, pattern, part);
  };
  for (EventKind kind = 0; kind < goal.rows.size(); ++kind)
    if (goal.rows.find(kind)[at_times()] > 0) visit(kind);
  for (std::uint32_t slot = 0; slot < goal.slots.size(); ++slot)
    if (goal.slots[slot].size > 0) visit(first_slot + slot);
  for (const auto& [id, logs] : evidence) {
    double* data = row(goal, id);
    std::ranges::copy(logs, data + at_tests());
    std::fill_n(data + at_counts(), 2 * options_.operations, 0.0);
  }
  std::ranges::fill(goal.counts, 0.0);
  goal.has_restarted = true;
  goal.is_complete = true;
}

// The log e-value of the pattern against "this part does not matter if the others are there".
double OutcomeModel::log_evidence(const Goal& goal, const double* data, const EventPattern& pattern,
                                  std::size_t part) const {
  const double before = data[at_tests() + part];
  if (pattern.size > 2 || (pattern.size == 2 && !goal.is_complete))
    return goal.has_restarted ? core::log((1 + core::exp(before)) / 2) : 0;
  const double* all = goal.counts.data();
  if (pattern.size > 1) all = row(goal, find_row(goal, without(pattern, part))) + at_counts();
  const double* own = data + at_counts();
  double sum = 0;
  for (OperationId a = 0; a < options_.operations; ++a) {
    const auto at = [&](const double* counts, bool success) {
      return static_cast<std::size_t>(counts[a + (success ? options_.operations : 0)]);
    };
    const std::size_t n = at(all, true), m = at(all, false);
    if (n > 0 && m > 0) sum += log_e_value(std::min(at(own, true), n), n, std::min(at(own, false), m), m);
  }
  if (goal.has_restarted) sum = core::log((core::exp(std::min(sum, 600.0)) + core::exp(before)) / 2);
  return std::min(sum, most_evidence);
}

double OutcomeModel::log_evidence(const Goal& goal, RowId id) const {
  const double* data = row(goal, id);
  const EventPattern pattern = pattern_of(goal, id);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t part = 0; part < pattern.size; ++part)
    least = std::min(least, log_evidence(goal, data, pattern, part));
  return least;
}

// The e-Benjamini-Hochberg procedure. It discovers the k rows with the largest e-values. k is the largest number for
// which each of these e-values is at least 2 m / (alpha k). For the row of a single event, m is the number of examined
// single events; for a pattern, it is the number of examined patterns. Without patterns the factor 2 is 1.
std::vector<OutcomeModel::RowId> OutcomeModel::known_rows(const Goal& goal) const {
  const double classes = options_.most_together > 1 ? 2 : 1;
  std::vector<std::pair<double, RowId>> candidates;
  for (const RowId id : goal.promising) {
    const double examined = id >= first_slot ? goal.examined : goal.singles;
    candidates.emplace_back(core::log(classes * examined) - log_evidence(goal, id), id);
  }
  std::ranges::sort(candidates);
  std::size_t known = 0;
  for (std::size_t k = 1; k <= candidates.size(); ++k)
    if (candidates[k - 1].first <= core::log(options_.false_discoveries * static_cast<double>(k))) known = k;
  std::vector<RowId> rows;
  for (std::size_t k = 0; k < known; ++k) rows.push_back(candidates[k].second);
  std::ranges::sort(rows);
  return rows;
}

double OutcomeModel::long_run_frequency(EventKind goal, const EventPattern& pattern, OperationId a) const {
  const double* data = row_of(goal, pattern);
  if (data == nullptr || a >= options_.operations) return 0.5;
  const double n = data[at_slow() + a], w = data[at_slow() + options_.operations + a];
  return n > 0 ? std::min(1.0, w / n) : 0.5;
}

double OutcomeModel::evidence_against_chance(EventKind goal, const EventPattern& pattern) const {
  const Goal* of_goal = find_goal(goal);
  const RowId id = of_goal == nullptr || pattern.size == 0 ? no_row : find_row(*of_goal, pattern);
  return id == no_row ? 1 : core::exp(log_evidence(*of_goal, id));
}

// --- queries -------------------------------------------------------------------------------------------------------

double OutcomeModel::attention(EventKind goal, const EventPattern& pattern) const {
  const double* data = row_of(goal, pattern);
  return (data == nullptr ? 0 : gain(data)) + log_prior(pattern);
}

double OutcomeModel::information(EventKind goal, EventKind kind) const {
  const double* data = row_of(goal, EventPattern(kind));
  if (data == nullptr) return 0;
  double sum = 0;
  for (OperationId a = 0; a < options_.operations; ++a) {
    const double n = data[at_evidence() + a];
    if (n == 0) continue;
    const double b = base_rate(goal, a), p = link_rate(data, a, b);
    sum += n * (p * core::log(p / b) + (1 - p) * core::log((1 - p) / (1 - b)));
  }
  return sum;
}

double OutcomeModel::prediction(EventKind goal, std::span<const EventTrace> situation, OperationId a) const {
  const Goal* of_goal = find_goal(goal);
  if (of_goal == nullptr || a >= options_.operations) return 0.5;
  std::vector<AwakeRow> awake;
  std::vector<double> weights;
  find_awake(*of_goal, situation, awake);
  const double all = base_rate(*of_goal, a);
  double predicted = attend(*of_goal, awake, a, weights) * all;
  for (std::size_t i = 0; i < weights.size(); ++i)
    predicted += weights[i] * link_rate(row(*of_goal, awake[i].id), a, all);
  return predicted;
}

std::vector<OutcomeModel::Outlook> OutcomeModel::outlook(EventKind goal,
                                                         std::span<const EventTrace> situation) const {
  std::vector<Outlook> all(options_.operations);
  for (Outlook& one : all) one.truth = {0.5, 0};
  const Goal* of_goal = find_goal(goal);
  if (of_goal == nullptr) return all;
  std::vector<AwakeRow> awake;
  std::vector<double> weights;
  find_awake(*of_goal, situation, awake);
  const std::vector<RowId> known = known_rows(*of_goal);
  const Outlook* never_done = nullptr;  // of the first operation that was never done; the others get a copy
  for (OperationId a = 0; a < options_.operations; ++a) {
    Outlook& one = all[a];
    one.done = of_goal->totals[a] > 0;
    if (!one.done && never_done != nullptr) {
      one = *never_done;
      continue;
    }
    if (!one.done) never_done = &one;
    const double base = base_rate(*of_goal, a);
    one.attention = attend(*of_goal, awake, a, weights);
    one.success = one.attention * base;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      one.success += weights[i] * link_rate(row(*of_goal, awake[i].id), a, base);
      if (weights[i] <= one.attention || awake[i].id == no_row) continue;
      one.attention = weights[i];
      one.attended = awake[i].pattern;
      one.known = std::ranges::binary_search(known, awake[i].id);
    }
    if (one.attended.size > 0) one.truth = truth(goal, one.attended, a);
  }
  return all;
}

OutcomeModel::Attention OutcomeModel::attention(EventKind goal, std::span<const EventTrace> situation) const {
  Attention found;
  const Goal* of_goal = find_goal(goal);
  if (of_goal == nullptr) return found;
  std::vector<AwakeRow> awake;
  find_awake(*of_goal, situation, awake);
  std::erase_if(awake, [](const AwakeRow& one) { return one.id == no_row && one.pattern.size > 1; });
  for (const AwakeRow& one : awake) found.patterns.push_back(one.pattern);
  for (OperationId a = 0; a < options_.operations; ++a) {
    if (of_goal->totals[a] == 0) continue;
    found.operations.push_back(a);
    found.nothing.push_back(std::max(of_goal->base[0], of_goal->base[1 + a] + log_by_operation_));
    std::vector<double>& scores = found.scores.emplace_back();
    for (const AwakeRow& one : awake) {
      const double* data = row(*of_goal, one.id);
      scores.push_back(std::max(data[0], data[1 + a] + log_by_operation_) + log_prior(one.pattern));
    }
  }
  return found;
}

double OutcomeModel::link(EventKind goal, const EventPattern& pattern, OperationId a) const {
  const Goal* of_goal = find_goal(goal);
  if (of_goal == nullptr || a >= options_.operations) return 0.5;
  return link_rate(row(*of_goal, find_row(*of_goal, pattern)), a, base_rate(*of_goal, a));
}

double OutcomeModel::base_rate(EventKind goal, OperationId a) const {
  const Goal* of_goal = find_goal(goal);
  return of_goal == nullptr || a >= options_.operations ? 0.5 : base_rate(*of_goal, a);
}

narsese::TruthValue OutcomeModel::truth(EventKind goal, const EventPattern& pattern, OperationId a) const {
  const double* data = row_of(goal, pattern);
  if (data == nullptr || a >= options_.operations) return {0.5, 0};
  const double n = data[at_evidence() + a], w = data[at_reached() + a];
  if (n == 0) return {0.5, 0};
  return {std::min(1.0, w / n), narsese::confidence_of(n)};
}

std::vector<EventKind> OutcomeModel::goals() const {
  std::vector<EventKind> all;
  for (const auto& [kind, of_goal] : goals_) all.push_back(kind);
  return all;
}

std::vector<OutcomeModel::Link> OutcomeModel::links(std::size_t most, double least_evidence) const {
  std::vector<Link> all;
  for (const auto& [kind, of_goal] : goals_)
    for (const RowId id : known_rows(of_goal)) {
      const double* data = row(of_goal, id);
      const EventPattern pattern = pattern_of(of_goal, id);
      double least = 1, largest = 0;
      for (OperationId a = 0; a < options_.operations; ++a)
        if (data[at_evidence() + a] > 0) {
          const double rate = link_rate(data, a, base_rate(of_goal, a));
          least = std::min(least, rate);
          largest = std::max(largest, rate);
        }
      for (OperationId a = 0; a < options_.operations; ++a) {
        const double n = data[at_evidence() + a], base = base_rate(of_goal, a);
        if (n == 0 || n < least_evidence) continue;
        const bool differs = largest - least >= alike || std::abs(link_rate(data, a, base) - base) >= alike;
        if (differs)
          all.push_back({pattern, kind, a, truth(kind, pattern, a), gain(data) + log_prior(pattern)});
      }
    }
  const auto better = [](const Link& x, const Link& y) {
    return std::tuple(-x.attention, -x.truth.confidence, x.goal, x.pattern, x.operation) <
           std::tuple(-y.attention, -y.truth.confidence, y.goal, y.pattern, y.operation);
  };
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), middle, all.end(), better);
  all.erase(middle, all.end());
  return all;
}

void OutcomeModel::forget(std::span<const EventKind> kinds) {
  for (const EventKind kind : kinds) goals_.erase(kind);
  for (auto& [goal_kind, goal] : goals_) {
    restart_counts(goal);  // the kinds may come back
    for (std::uint32_t slot = 0; slot < goal.slots.size(); ++slot)
      if (goal.slots[slot].size > 0 && goal.slots[slot].has_any(kinds)) remove_slot(goal, slot);
    for (const EventKind kind : kinds) goal.promising.erase(kind);
    goal.rows.forget(kinds);
  }
}

// --- storage -------------------------------------------------------------------------------------------------------

namespace {

constexpr double largest_score =
    1e6;  // of scores and evidence; chosen: each use adds at most 1, and evidence fades

bool are_scores(const std::vector<double>& scores, std::size_t count) {
  return (scores.empty() || scores.size() == count) &&
         std::ranges::all_of(scores, [](double score) { return std::abs(score) <= largest_score; });
}

void check(double score, const std::vector<double>& evidence, const std::vector<double>& reached,
           const std::vector<double>& scores, std::size_t operations) {
  bool fits = std::abs(score) <= largest_score && evidence.size() == operations &&
              reached.size() == operations && are_scores(scores, operations);
  for (std::size_t a = 0; fits && a < operations; ++a)
    fits = evidence[a] >= 0 && evidence[a] <= largest_score && reached[a] >= 0 &&
           reached[a] <= evidence[a] * (1 + 1e-9);
  if (!fits)
    throw std::invalid_argument("a stored goal or event must have a score, and evidence and successes of " +
                                std::to_string(operations) + " operations");
}

void check(const LearntOutcomes::Event& event, std::size_t operations) {
  check(event.score, event.evidence, event.reached, event.scores, operations);
  const bool fits = !event.terms.empty() && event.terms.size() <= EventPattern::most &&
                    (event.tests.empty() || event.tests.size() == event.terms.size()) &&
                    are_scores(event.tests, event.tests.size()) && event.times >= 0 && event.times <= 1e15 &&
                    std::abs(event.best) <= largest_score && event.later < 1U << event.terms.size() &&
                    (event.later & 1) == 0;
  if (!fits) throw std::invalid_argument("a stored event must have one to four terms, and their tests");
}

}  // namespace

LearntOutcomes OutcomeModel::learnt(const std::function<std::string(EventKind)>& term) const {
  LearntOutcomes all;
  const auto operations = static_cast<std::ptrdiff_t>(options_.operations);
  for (const auto& [kind, of_goal] : goals_) {
    const auto totals = of_goal.totals.begin();
    LearntOutcomes::Goal goal{term(kind),
                              of_goal.base[0],
                              {totals, totals + operations},
                              {totals + operations, totals + 2 * operations},
                              {of_goal.base.begin() + 1, of_goal.base.end()},
                              of_goal.examined,
                              {}};
    std::vector<std::pair<double, RowId>> furthest;
    const auto add = [&](RowId id) {
      if (const double* data = row(of_goal, id);
          std::any_of(data, data + width(), [](double x) { return x != 0; }))
        furthest.emplace_back(-std::max(std::abs(data[0]), std::abs(gain(data))), id);
    };
    for (EventKind event = 0; event < of_goal.rows.size(); ++event) add(event);
    for (std::uint32_t slot = 0; slot < of_goal.slots.size(); ++slot)
      if (of_goal.slots[slot].size > 0) add(first_slot + slot);
    std::ranges::sort(furthest);
    furthest.resize(std::min(furthest.size(), LearntOutcomes::most_events));
    for (const auto& [score, id] : furthest) {
      const double* data = row(of_goal, id);
      const EventPattern pattern = pattern_of(of_goal, id);
      LearntOutcomes::Event event;
      for (const EventKind part : pattern.parts()) event.terms.push_back(term(part));
      event.later = pattern.later;
      event.score = data[0];
      event.scores.assign(data + 1, data + 1 + operations);
      event.evidence.assign(data + at_evidence(), data + at_reached());
      event.reached.assign(data + at_reached(), data + at_times());
      event.times = data[at_times()];
      event.best = data[at_best()];
      for (std::size_t part = 0; part < pattern.size; ++part)
        event.tests.push_back(log_evidence(of_goal, data, pattern, part));
      goal.events.push_back(std::move(event));
    }
    all.goals.push_back(std::move(goal));
  }
  return all;
}

void OutcomeModel::restore(const LearntOutcomes& learnt,
                           const std::function<EventKind(const std::string&)>& kind) {
  if (learnt.goals.size() > options_.goals)
    throw std::invalid_argument("there must be at most " + std::to_string(options_.goals) + " goals, found " +
                                std::to_string(learnt.goals.size()));
  for (const LearntOutcomes::Goal& goal : learnt.goals) {
    check(goal.base_score, goal.evidence, goal.reached, goal.scores, options_.operations);
    if (!(goal.examined >= 0 && goal.examined <= 1e15))
      throw std::invalid_argument("a stored goal must have a number of examined patterns");
    for (const LearntOutcomes::Event& event : goal.events) check(event, options_.operations);
  }
  goals_.clear();
  for (const LearntOutcomes::Goal& goal : learnt.goals) {
    Goal& own = *find_or_add_goal(kind(goal.term));
    own.base[0] = goal.base_score;
    std::ranges::copy(goal.scores, own.base.begin() + 1);
    own.totals = goal.evidence;
    own.totals.insert(own.totals.end(), goal.reached.begin(), goal.reached.end());
    own.examined = goal.examined;
    for (const LearntOutcomes::Event& event : goal.events) {
      if (event.terms.size() > options_.most_together) continue;
      // Events of one cycle are ordered by their numbers, which are new.
      std::vector<std::tuple<int, EventKind, double>> parts;  // group of equal time, kind, test
      for (std::size_t part = 0; part < event.terms.size(); ++part)
        parts.emplace_back(std::popcount(static_cast<unsigned>(event.later) & ((2U << part) - 1)),
                           kind(event.terms[part]), event.tests.empty() ? 0 : event.tests[part]);
      std::ranges::sort(parts);
      EventPattern pattern;
      pattern.later = event.later;
      for (const auto& [group, part, test] : parts) pattern.kinds[pattern.size++] = part;
      RowId id = pattern.size == 1 ? pattern.kinds[0] : find_row(own, pattern);
      if (id == no_row) id = add_pattern(own, pattern);
      if (id == no_row) continue;
      double* data = row(own, id);
      data[0] = event.score;
      std::ranges::copy(event.scores, data + 1);
      std::ranges::copy(event.evidence, data + at_evidence());
      std::ranges::copy(event.reached, data + at_reached());
      std::copy_n(data + at_evidence(), 2 * options_.operations, data + at_slow());
      data[at_times()] = event.times;
      data[at_best()] = event.best;
      if (pattern.size == 1) own.singles += 1;
      for (std::size_t part = 0; part < parts.size(); ++part)
        data[at_tests() + part] = std::min(std::get<2>(parts[part]), most_evidence);
    }
    own.examined = std::max(own.examined, static_cast<double>(own.places.size()));
    own.has_restarted = true;
    for (EventKind event = 0; event < own.rows.size(); ++event)
      if (log_evidence(own, event) >= promising) own.promising.insert(event);
    for (std::uint32_t slot = 0; slot < own.slots.size(); ++slot)
      if (log_evidence(own, first_slot + slot) >= promising) own.promising.insert(first_slot + slot);
  }
}

std::size_t OutcomeModel::bytes() const {
  constexpr std::size_t node = 4 * sizeof(void*);  // overhead of a node in a set or map
  std::size_t sum =
      awake_.capacity() * sizeof(AwakeRow) + (weights_.capacity() + zeros_.capacity()) * sizeof(double);
  for (const auto& [kind, goal] : goals_) {
    sum += sizeof(kind) + sizeof(goal) + node + goal.rows.bytes() + goal.pattern_rows.bytes();
    sum += (goal.base.capacity() + goal.totals.capacity() + goal.counts.capacity()) * sizeof(double);
    sum += goal.slots.capacity() * sizeof(EventPattern) + goal.free_slots.capacity() * sizeof(std::uint32_t);
    sum += goal.places.size() * (sizeof(*goal.places.begin()) + node) +
           goal.places.bucket_count() * sizeof(void*);
    sum += goal.promising.size() * (sizeof(RowId) + node);
  }
  return sum;
}

}  // namespace engram::core
