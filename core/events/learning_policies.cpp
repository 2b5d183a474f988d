// SPDX-License-Identifier: MIT
#include "core/events/learning_policies.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "core/attention/continuous_attention.hpp"
#include "core/events/kind_rows.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {
namespace {

// What a policy has of each goal, of as many as the model tells apart.
template <class Part>
class OfGoals {
 public:
  explicit OfGoals(const OutcomeModel& model) : most_(model.options().goals) {}
  Part* find(EventKind goal) {
    const auto found = parts_.find(goal);
    return found == parts_.end() ? nullptr : &found->second;
  }
  template <class Make>
  Part* at(EventKind goal, Make make) {
    if (Part* found = find(goal)) return found;
    return parts_.size() == most_ ? nullptr : &parts_.emplace(goal, make()).first->second;
  }
  void forget(std::span<const EventKind> kinds) {
    for (const EventKind kind : kinds) parts_.erase(kind);
    for (auto& [goal, part] : parts_) part.forget(kinds);
  }

 private:
  std::size_t most_;
  std::map<EventKind, Part> parts_;
};

// Adds to each score what a goal's part says of the event, by its desire.
template <class Part, class Says>
void add_scores(OfGoals<Part>& parts, const OutcomeModel& model, const EventsNow& now,
                std::span<double> scores, Says says) {
  std::fill(scores.begin(), scores.end(), 0.0);
  for (const WantedGoal& goal : goals_now(now, model))
    if (Part* part = parts.find(goal.kind))
      for (std::size_t i = 0; i < scores.size(); ++i)
        scores[i] += goal.desire * says(*part, now.events[i].kind);
}

class SoftAttention : public EventPolicy {
 public:
  SoftAttention(const OutcomeModel& model, double rate)
      : model_(model), rate_(rate), operations_(model.options().operations), parts_(model) {}

  void score(const EventsNow& now, std::span<double> scores) override {
    add_scores(parts_, model_, now, scores, [&](const Part& part, EventKind kind) {
      const double* row = part.rows.find(kind);
      if (row == nullptr) return 0.0;
      double score = row[0];
      for (std::size_t a = 0; a < operations_; ++a) score += std::abs(row[2 + 2 * a]);
      return score;
    });
  }

  void learn(const Experience& experience) override {
    if (experience.operation >= operations_) return;
    Part* part = parts_.at(experience.goal, [&] {
      return Part{KindRows(2 + 2 * operations_), std::vector<double>(2 * operations_)};
    });
    if (part == nullptr || experience.situation.empty()) return;
    const std::size_t a = experience.operation, n = experience.situation.size();
    std::vector<double> alpha(n);
    double most = 0, total = 0, mean = 0;
    for (const EventTrace& trace : experience.situation) most = std::max(most, part->rows.at(trace.kind)[0]);
    for (std::size_t i = 0; i < n; ++i) {
      const EventTrace& trace = experience.situation[i];
      total += alpha[i] = trace.eligibility * core::exp(part->rows.find(trace.kind)[0] - most);
    }
    for (std::size_t i = 0; i < n; ++i)
      mean += (alpha[i] /= total) * part->rows.find(experience.situation[i].kind)[2 + 2 * a];
    const double p = 1 / (1 + core::exp(-(part->bias[2 * a] + mean)));
    const double d = experience.weight * ((experience.reached ? 1 : 0) - p);
    for (std::size_t i = 0; i < n; ++i) {
      double* row = part->rows.at(experience.situation[i].kind);
      const double of_value = d * alpha[i], of_score = d * alpha[i] * (row[2 + 2 * a] - mean);
      climb(row, of_score);
      climb(row + 2 + 2 * a, of_value);
    }
    climb(&part->bias[2 * a], d);
  }
  void forget(std::span<const EventKind> kinds) override { parts_.forget(kinds); }

 private:
  // Row: u, then v by operation; after each number the sum of its squared gradients.
  struct Part {
    KindRows rows;
    std::vector<double> bias;
    void forget(std::span<const EventKind> kinds) { rows.forget(kinds); }
  };
  void climb(double* parameter, double gradient) const {
    if (gradient == 0) return;
    parameter[1] += gradient * gradient;
    parameter[0] += rate_ * gradient / std::sqrt(parameter[1]);
  }

  const OutcomeModel& model_;
  double rate_;
  std::size_t operations_;
  OfGoals<Part> parts_;
};

class Reinforce : public EventPolicy {
 public:
  Reinforce(const OutcomeModel& model, double rate, std::uint64_t seed)
      : model_(model), rate_(rate), parts_(model), draws_(seed, "reinforce") {}

  void score(const EventsNow& now, std::span<double> scores) override {
    add_scores(parts_, model_, now, scores,
               [](const Part& part, EventKind kind) { return part.theta_of(kind); });
    for (double& score : scores) score -= core::log(-core::log(draws_.uniform()));
  }

  void learn(const Experience& experience) override {
    Part* part = parts_.at(experience.goal, [] { return Part{}; });
    if (part == nullptr || experience.situation.empty()) return;
    double most = -1e300, total = 0, passed = 0;
    for (const EventTrace& trace : experience.situation) {
      most = std::max(most, part->theta_of(trace.kind));
      passed += trace.passed ? 1 : 0;
    }
    for (const EventTrace& trace : experience.situation)
      total += core::exp(part->theta_of(trace.kind) - most);
    const double r = experience.reached ? 1 : 0;
    const double better = rate_ * experience.weight * (r - part->baseline());
    for (const EventTrace& trace : experience.situation) {
      const double share = core::exp(part->theta_of(trace.kind) - most) / total;
      part->theta.at(trace.kind)[0] += trace.eligibility * better * ((trace.passed ? 1 : 0) - passed * share);
    }
    part->tried += 1;
    part->reached += r;
  }
  void forget(std::span<const EventKind> kinds) override { parts_.forget(kinds); }

 private:
  struct Part {
    KindRows theta{1};
    double tried = 0, reached = 0;
    double theta_of(EventKind kind) const {
      const double* row = theta.find(kind);
      return row == nullptr ? 0 : row[0];
    }
    double baseline() const { return tried == 0 ? 0 : reached / tried; }
    void forget(std::span<const EventKind> kinds) { theta.forget(kinds); }
  };

  const OutcomeModel& model_;
  double rate_;
  OfGoals<Part> parts_;
  Rng draws_;
};

// How much each of the last l experiences counts in the summary, the latest last.
std::vector<double> history_weights(std::size_t l, std::size_t most) {
  const auto size = static_cast<Index>(l);
  Vector times(size), scores(size);
  constexpr double steepness = 3, ridge = 0.1, least_variance = 0.01;  // chosen
  for (Index i = 0; i < size; ++i) {
    times[i] = most == 1 ? 0 : -static_cast<double>(size - 1 - i) / static_cast<double>(most - 1);
    scores[i] = steepness * times[i];
  }
  GaussianBasis basis{Vector(4), Vector::Constant(4, 1.0 / 3)};
  for (Index b = 0; b < 4; ++b) basis.centres[b] = -static_cast<double>(b) / 3;
  const TimeMoments moments = time_moments(apply(Regulariser{SimplexMap::softmax}, scores), times);
  const TimeDensity density(1, moments.mean, std::max(moments.variance, least_variance));
  const Vector weights = RidgeFit(times, basis, ridge).event_weights(basis.expectations(density));
  return {weights.begin(), weights.end()};
}

class ContinuousHistory : public EventPolicy {
 public:
  ContinuousHistory(const OutcomeModel& model, std::size_t history)
      : model_(model), history_(history), parts_(model), weights_(history + 1) {
    for (std::size_t l = 1; l <= history; ++l) weights_[l] = history_weights(l, history);
  }

  void score(const EventsNow& now, std::span<double> scores) override {
    std::vector<double> context(model_.options().operations);
    add_scores(parts_, model_, now, scores, [&](const Part& part, EventKind kind) {
      const double* row = part.rows.find(kind);
      if (row == nullptr) return 0.0;
      const auto length = static_cast<std::size_t>(row[0]);
      std::fill(context.begin(), context.end(), 0.0);
      for (std::size_t i = 0; i < length; ++i)
        context[static_cast<std::size_t>(row[1 + 2 * i])] += weights_[length][i] * row[2 + 2 * i];
      double sum = 0;
      for (const double value : context) sum += std::abs(value);
      return std::sqrt(row[0]) * sum;
    });
  }

  void learn(const Experience& experience) override {
    if (experience.operation >= model_.options().operations) return;
    Part* part = parts_.at(experience.goal, [&] { return Part{KindRows(1 + 2 * history_)}; });
    if (part == nullptr) return;
    const double r =
        (experience.reached ? 1 : 0) - model_.on_the_whole(experience.goal, experience.operation);
    for (const EventTrace& trace : experience.situation) {
      double* row = part->rows.at(trace.kind);
      auto length = static_cast<std::size_t>(row[0]);
      if (length == history_) {
        std::copy(row + 3, row + 1 + 2 * history_, row + 1);
        --length;
      }
      row[1 + 2 * length] = experience.operation;
      row[2 + 2 * length] = trace.eligibility * experience.weight * r;
      row[0] = static_cast<double>(length + 1);
    }
  }
  void forget(std::span<const EventKind> kinds) override { parts_.forget(kinds); }

 private:
  // Row: how many, then operation and value of each, the latest last.
  struct Part {
    KindRows rows;
    void forget(std::span<const EventKind> kinds) { rows.forget(kinds); }
  };

  const OutcomeModel& model_;
  std::size_t history_;
  OfGoals<Part> parts_;
  std::vector<std::vector<double>> weights_;
};

class Completion : public EventPolicy {
 public:
  Completion(const OutcomeModel& model, std::size_t situations, double beta)
      : model_(model), situations_(situations), beta_(beta), parts_(model) {}

  void score(const EventsNow& now, std::span<double> scores) override {
    std::vector<EventKind> at_hand;
    for (const EventAtHand& event : now.events) at_hand.push_back(event.kind);
    std::sort(at_hand.begin(), at_hand.end());
    at_hand.erase(std::unique(at_hand.begin(), at_hand.end()), at_hand.end());
    std::vector<double> completed;
    const Part* completed_for = nullptr;
    add_scores(parts_, model_, now, scores, [&](const Part& part, EventKind kind) {
      if (completed_for != &part) {
        completed = complete(part, at_hand);
        completed_for = &part;
      }
      return completed[static_cast<std::size_t>(std::lower_bound(at_hand.begin(), at_hand.end(), kind) -
                                                at_hand.begin())];
    });
  }

  void learn(const Experience& experience) override {
    if (experience.operation >= model_.options().operations || experience.situation.empty()) return;
    Part* part = parts_.at(experience.goal, [] { return Part{}; });
    if (part == nullptr) return;
    Pattern pattern{experience.operation, experience.reached, {}};
    for (const EventTrace& trace : experience.situation) pattern.kinds.push_back(trace.kind);
    if (part->patterns.size() == situations_) part->patterns.pop_front();
    part->patterns.push_back(std::move(pattern));
  }
  void forget(std::span<const EventKind> kinds) override { parts_.forget(kinds); }

 private:
  struct Pattern {
    OperationId operation = 0;
    bool reached = false;
    std::vector<EventKind> kinds;  // ascending
  };
  struct Part {
    std::deque<Pattern> patterns;
    void forget(std::span<const EventKind> kinds) {
      for (Pattern& pattern : patterns)
        std::erase_if(pattern.kinds,
                      [&](EventKind kind) { return std::binary_search(kinds.begin(), kinds.end(), kind); });
      std::erase_if(patterns, [](const Pattern& pattern) { return pattern.kinds.empty(); });
    }
  };

  template <class See>
  static void common(const Pattern& pattern, const std::vector<EventKind>& at_hand, See see) {
    const std::vector<EventKind>& kinds = pattern.kinds;
    for (std::size_t i = 0, j = 0; i < kinds.size() && j < at_hand.size();) {
      const EventKind here = kinds[i], there = at_hand[j];
      if (here == there) see(j);
      i += here <= there;
      j += there <= here;
    }
  }

  // The scores, by place in at_hand.
  std::vector<double> complete(const Part& part, const std::vector<EventKind>& at_hand) const {
    std::vector<double> scores(at_hand.size());
    if (part.patterns.empty()) return scores;
    Vector overlaps(static_cast<Index>(part.patterns.size()));
    for (std::size_t m = 0; m < part.patterns.size(); ++m) {
      double overlap = 0;
      common(part.patterns[m], at_hand, [&](std::size_t) { overlap += 1; });
      overlaps[static_cast<Index>(m)] =
          overlap / std::sqrt(static_cast<double>(part.patterns[m].kinds.size() * at_hand.size()));
    }
    const Vector p = apply(Regulariser{SimplexMap::softmax}, overlaps, 1 / beta_);
    const double patterns = std::sqrt(static_cast<double>(part.patterns.size()));
    std::vector<double> with(at_hand.size()), reached(at_hand.size());
    for (OperationId a = 0; a < model_.options().operations; ++a) {
      double all = 0, all_reached = 0;
      std::fill(with.begin(), with.end(), 0.0);
      std::fill(reached.begin(), reached.end(), 0.0);
      for (std::size_t m = 0; m < part.patterns.size(); ++m) {
        const Pattern& pattern = part.patterns[m];
        if (pattern.operation != a) continue;
        const double weight = p[static_cast<Index>(m)], success = pattern.reached ? weight : 0;
        all += weight;
        all_reached += success;
        common(pattern, at_hand, [&](std::size_t place) {
          with[place] += weight;
          reached[place] += success;
        });
      }
      if (all > 0)
        for (std::size_t i = 0; i < scores.size(); ++i)
          scores[i] += patterns * std::abs(reached[i] - with[i] * all_reached / all);
    }
    return scores;
  }

  const OutcomeModel& model_;
  std::size_t situations_;
  double beta_;
  OfGoals<Part> parts_;
};

}  // namespace

std::unique_ptr<EventPolicy> soft_attention_to_events(const OutcomeModel& model,
                                                      const EventPolicyRates& rates) {
  return std::make_unique<SoftAttention>(model, rates.learning_rate);
}

std::unique_ptr<EventPolicy> reinforced_attention_to_events(const OutcomeModel& model,
                                                            const EventPolicyRates& rates,
                                                            std::uint64_t seed) {
  return std::make_unique<Reinforce>(model, rates.reinforce_rate, seed);
}

std::unique_ptr<EventPolicy> continuous_attention_to_events(const OutcomeModel& model,
                                                            const EventPolicyRates& rates) {
  return std::make_unique<ContinuousHistory>(model, rates.history);
}

std::unique_ptr<EventPolicy> completion_of_events(const OutcomeModel& model, const EventPolicyRates& rates) {
  return std::make_unique<Completion>(model, rates.situations, rates.beta);
}

}  // namespace engram::core
