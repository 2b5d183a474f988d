// SPDX-License-Identifier: MIT
#include "core/events/outcome_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

OutcomeModel::OutcomeModel(const OutcomeOptions& options) : options_(options) {
  if (options.operations < 1 || options.operations > 1000 || options.goals < 1 || options.goals > 1000)
    throw std::invalid_argument("operations and goals must be in [1, 1000]");
  if (!(options.caution > 0 && options.caution <= 1e6) || !(options.fade >= 0 && options.fade < 1) ||
      !(options.share >= 0 && options.share < 1))
    throw std::invalid_argument("caution must be in (0, 1e6], fade and share in [0, 1)");
}

const OutcomeModel::Goal* OutcomeModel::find_goal(EventKind kind) const {
  const auto found = goals_.find(kind);
  return found == goals_.end() ? nullptr : &found->second;
}

const double* OutcomeModel::row_of(EventKind goal, EventKind kind) const {
  const Goal* of_goal = find_goal(goal);
  return of_goal == nullptr ? nullptr : of_goal->rows.find(kind);
}

OutcomeModel::Goal* OutcomeModel::find_or_add_goal(EventKind kind) {
  const auto found = goals_.find(kind);
  if (found != goals_.end()) return &found->second;
  if (goals_.size() == options_.goals) return nullptr;
  const std::size_t operations = options_.operations;
  return &goals_.emplace(kind, Goal{0, std::vector<double>(2 * operations), KindRows(1 + 2 * operations)})
              .first->second;
}

double OutcomeModel::base_rate(const Goal& goal, OperationId a) const {
  return (goal.totals[options_.operations + a] + 0.5) / (goal.totals[a] + 1);
}

double OutcomeModel::link_rate(const double* row, OperationId a, double base_rate) const {
  if (row == nullptr) return base_rate;
  return (row[1 + options_.operations + a] + options_.caution * base_rate) / (row[1 + a] + options_.caution);
}

// Sets `weights` to alpha_e of the situation and returns alpha_0.
double OutcomeModel::attend(const Goal& goal, std::span<const EventTrace> situation,
                            std::vector<double>& weights) const {
  weights.clear();
  double most = goal.base_score;
  for (const EventTrace& trace : situation) {
    const double* row = goal.rows.find(trace.kind);
    weights.push_back(row == nullptr ? 0 : row[0]);
    most = std::max(most, weights.back());
  }
  double total = core::exp(goal.base_score - most);
  const double nothing = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = situation[i].eligibility * core::exp(weights[i] - most);
    total += weights[i];
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
  const double r = experience.reached ? 1 : 0, keep = 1 - options_.fade;
  const auto log_likelihood = [&](double p) { return core::log(experience.reached ? p : 1 - p); };
  const double all = base_rate(goal, a);
  const double nothing = attend(goal, experience.situation, weights_);
  double predicted = nothing * all;
  for (std::size_t i = 0; i < weights_.size(); ++i)
    predicted += weights_[i] * link_rate(goal.rows.find(experience.situation[i].kind), a, all);
  const double had = log_likelihood(predicted);
  for (const EventTrace& trace : experience.situation) {
    double* row = goal.rows.at(trace.kind);
    const double x = trace.eligibility * experience.weight;
    row[0] += x * (log_likelihood(link_rate(row, a, all)) - had);
    double &n = row[1 + a], &w = row[1 + options_.operations + a];
    n = keep * n + x;
    w = keep * w + x * r;
  }
  goal.base_score += experience.weight * (log_likelihood(all) - had);
  share_attention(goal, experience);
  double &n = goal.totals[a], &w = goal.totals[options_.operations + a];
  n = keep * n + experience.weight;
  w = keep * w + experience.weight * r;
}

// Computes relative to the largest score, so that no weight overflows.
void OutcomeModel::share_attention(Goal& goal, const Experience& experience) const {
  if (options_.share == 0) return;
  double most = goal.base_score, sum = 0, all = experience.weight;
  for (const EventTrace& trace : experience.situation) most = std::max(most, goal.rows.find(trace.kind)[0]);
  const auto weight_of = [&](double score) { return core::exp(score - most); };
  sum = experience.weight * weight_of(goal.base_score);
  for (const EventTrace& trace : experience.situation) {
    const double x = trace.eligibility * experience.weight;
    sum += x * weight_of(goal.rows.find(trace.kind)[0]);
    all += x;
  }
  const auto mix = [&](double& score, double x) {
    const double share = options_.share * x;
    score = most + core::log((1 - share) * weight_of(score) + share * sum / all);
  };
  for (const EventTrace& trace : experience.situation)
    mix(goal.rows.at(trace.kind)[0], trace.eligibility * experience.weight);
  mix(goal.base_score, experience.weight);
}

double OutcomeModel::attention(EventKind goal, EventKind kind) const {
  const double* row = row_of(goal, kind);
  return row == nullptr ? 0 : row[0];
}

double OutcomeModel::information(EventKind goal, EventKind kind) const {
  const double* row = row_of(goal, kind);
  if (row == nullptr) return 0;
  double sum = 0;
  for (OperationId a = 0; a < options_.operations; ++a) {
    if (row[1 + a] == 0) continue;
    const double b = base_rate(goal, a), p = link_rate(row, a, b);
    sum += row[1 + a] * (p * core::log(p / b) + (1 - p) * core::log((1 - p) / (1 - b)));
  }
  return sum;
}

double OutcomeModel::prediction(EventKind goal, std::span<const EventTrace> situation, OperationId a) const {
  const Goal* of_goal = find_goal(goal);
  if (of_goal == nullptr || a >= options_.operations) return 0.5;
  std::vector<double> weights;
  const double all = base_rate(*of_goal, a);
  double predicted = attend(*of_goal, situation, weights) * all;
  for (std::size_t i = 0; i < weights.size(); ++i)
    predicted += weights[i] * link_rate(of_goal->rows.find(situation[i].kind), a, all);
  return predicted;
}

double OutcomeModel::link(EventKind goal, EventKind kind, OperationId a) const {
  const Goal* of_goal = find_goal(goal);
  if (of_goal == nullptr || a >= options_.operations) return 0.5;
  return link_rate(of_goal->rows.find(kind), a, base_rate(*of_goal, a));
}

double OutcomeModel::base_rate(EventKind goal, OperationId a) const {
  const Goal* of_goal = find_goal(goal);
  return of_goal == nullptr || a >= options_.operations ? 0.5 : base_rate(*of_goal, a);
}

narsese::TruthValue OutcomeModel::truth(EventKind goal, EventKind kind, OperationId a) const {
  const double* row = row_of(goal, kind);
  if (row == nullptr || a >= options_.operations || row[1 + a] == 0) return {0.5, 0};
  return {std::min(1.0, row[1 + options_.operations + a] / row[1 + a]), narsese::confidence_of(row[1 + a])};
}

std::vector<EventKind> OutcomeModel::goals() const {
  std::vector<EventKind> all;
  for (const auto& [kind, of_goal] : goals_) all.push_back(kind);
  return all;
}

std::vector<OutcomeModel::Link> OutcomeModel::links(std::size_t most, double least_evidence) const {
  std::vector<Link> all;
  for (const auto& [kind, of_goal] : goals_)
    for (EventKind event = 0; event < of_goal.rows.size(); ++event)
      for (OperationId a = 0; a < options_.operations; ++a)
        if (const double* row = of_goal.rows.find(event); row[1 + a] > 0 && row[1 + a] >= least_evidence)
          all.push_back({event, kind, a, truth(kind, event, a), row[0]});
  const auto better = [](const Link& x, const Link& y) {
    return std::tuple(-x.attention, -x.truth.confidence, x.goal, x.kind, x.operation) <
           std::tuple(-y.attention, -y.truth.confidence, y.goal, y.kind, y.operation);
  };
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), middle, all.end(), better);
  all.erase(middle, all.end());
  return all;
}

void OutcomeModel::forget(std::span<const EventKind> kinds) {
  for (const EventKind kind : kinds) goals_.erase(kind);
  for (auto& [kind, of_goal] : goals_) of_goal.rows.forget(kinds);
}

namespace {

constexpr double largest_score =
    1e6;  // of scores and evidence; chosen: each use adds at most 1, and evidence fades

void check(double score, const std::vector<double>& evidence, const std::vector<double>& reached,
           std::size_t operations) {
  bool fits =
      std::abs(score) <= largest_score && evidence.size() == operations && reached.size() == operations;
  for (std::size_t a = 0; fits && a < operations; ++a)
    fits = evidence[a] >= 0 && evidence[a] <= largest_score && reached[a] >= 0 &&
           reached[a] <= evidence[a] * (1 + 1e-9);
  if (!fits)
    throw std::invalid_argument("a stored goal or event must have a score, and evidence and successes of " +
                                std::to_string(operations) + " operations");
}

}  // namespace

LearntOutcomes OutcomeModel::learnt(const std::function<std::string(EventKind)>& term) const {
  LearntOutcomes all;
  const auto operations = static_cast<std::ptrdiff_t>(options_.operations);
  const auto parts_of = [&](const double* numbers) {
    return std::pair(std::vector(numbers, numbers + operations),
                     std::vector(numbers + operations, numbers + 2 * operations));
  };
  for (const auto& [kind, of_goal] : goals_) {
    auto [evidence, reached] = parts_of(of_goal.totals.data());
    LearntOutcomes::Goal goal{term(kind), of_goal.base_score, std::move(evidence), std::move(reached), {}};
    std::vector<std::pair<double, EventKind>> furthest;
    for (EventKind event = 0; event < of_goal.rows.size(); ++event)
      if (const double* row = of_goal.rows.find(event);
          std::any_of(row, row + 1 + 2 * operations, [](double x) { return x != 0; }))
        furthest.emplace_back(-std::abs(row[0]), event);
    std::ranges::sort(furthest);
    furthest.resize(std::min(furthest.size(), LearntOutcomes::most_events));
    for (const auto& [score, event] : furthest) {
      const double* row = of_goal.rows.find(event);
      auto [of_event, that_reached] = parts_of(row + 1);
      goal.events.push_back({term(event), row[0], std::move(of_event), std::move(that_reached)});
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
    check(goal.base_score, goal.evidence, goal.reached, options_.operations);
    for (const LearntOutcomes::Event& event : goal.events)
      check(event.score, event.evidence, event.reached, options_.operations);
  }
  goals_.clear();
  for (const LearntOutcomes::Goal& goal : learnt.goals) {
    Goal& own = *find_or_add_goal(kind(goal.term));
    own.base_score = goal.base_score;
    own.totals = goal.evidence;
    own.totals.insert(own.totals.end(), goal.reached.begin(), goal.reached.end());
    for (const LearntOutcomes::Event& event : goal.events) {
      double* row = own.rows.at(kind(event.term));
      *row++ = event.score;
      row = std::ranges::copy(event.evidence, row).out;
      std::ranges::copy(event.reached, row);
    }
  }
}

std::size_t OutcomeModel::bytes() const {
  std::size_t sum = 0;
  for (const auto& [kind, of_goal] : goals_) sum += of_goal.rows.bytes() + sizeof(of_goal);
  return sum;
}

}  // namespace engram::core
