// SPDX-License-Identifier: MIT
#include "core/events/event_policy.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "core/attention/continuous_attention.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {
namespace {

// The wanted goals; if there are none, all goals with experiences.
std::vector<WantedGoal> goals_now(const Candidates& now, const OutcomeModel& model) {
  if (!now.wanted.empty()) return {now.wanted.begin(), now.wanted.end()};
  std::vector<WantedGoal> all;
  for (const EventKind goal : model.goals()) all.push_back({goal, 1});
  return all;
}

class All : public EventPolicy {
 public:
  void score(const Candidates&, std::span<double> scores) override {
    std::fill(scores.begin(), scores.end(), 0.0);
  }
};

class First : public EventPolicy {
 public:
  void score(const Candidates&, std::span<double> scores) override {
    // Differences so small that they only order the events.
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = -1e-9 * static_cast<double>(i);
  }
};

class Oracle : public EventPolicy {
 public:
  void score(const Candidates& now, std::span<double> scores) override {
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] = now.events[i].relevant ? 0 : -std::numeric_limits<double>::infinity();
  }
};

// Score: log(1 + cycles since the event last occurred), with 2^40 cycles for a new event.
class Novelty : public EventPolicy {
 public:
  void score(const Candidates& now, std::span<double> scores) override {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double* seen = seen_.find(now.events[i].kind);
      scores[i] =
          core::log1p(seen == nullptr || seen[0] == 0 ? 0x1p40 : static_cast<double>(now.now) + 1 - seen[0]);
    }
  }
  void end_cycle(const Candidates& now) override {
    for (const CandidateEvent& event : now.events) seen_.at(event.kind)[0] = static_cast<double>(now.now) + 1;
  }
  void forget(std::span<const EventKind> kinds) override { seen_.forget(kinds); }

 private:
  KindRows seen_{1};
};

// Score: -log P(e | a), where a is the last operation (or none) and P the share of cycles after a in which e occurred.
// Older cycles count less, by a factor of 2^(-1 / memory) for each cycle after a. Instead of fading all counts, new
// counts grow.
class Surprise : public EventPolicy {
 public:
  Surprise(std::size_t operations, double memory)
      : growth_(core::exp(core::log(2.0) / memory)),
        total_(operations + 1),
        scale_(operations + 1, 1.0),
        counts_(operations + 1) {}

  void score(const Candidates& now, std::span<double> scores) override {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double* counts = counts_.find(now.events[i].kind);
      const double count = counts == nullptr ? 0 : counts[last_];
      scores[i] = -core::log((count + 0.5 * scale_[last_]) / (total_[last_] + scale_[last_]));
    }
  }
  void end_cycle(const Candidates& now) override {
    double& scale = scale_[last_];
    scale *= growth_;
    total_[last_] += scale;
    for (const CandidateEvent& event : now.events) counts_.at(event.kind)[last_] += scale;
    if (scale > 0x1p100) {
      for (EventKind kind = 0; kind < counts_.size(); ++kind) counts_.at(kind)[last_] /= scale;
      total_[last_] /= scale;
      scale = 1;
    }
    last_ = total_.size() - 1;
  }
  void acted(OperationId operation) override { last_ = std::min<std::size_t>(operation, total_.size() - 1); }
  void forget(std::span<const EventKind> kinds) override { counts_.forget(kinds); }

 private:
  double growth_;
  std::vector<double> total_, scale_;  // by operation; the last entry is for none
  std::size_t last_ = total_.size() - 1;
  KindRows counts_;
};

// Score: a number of the model for the event, summed over the wanted goals and weighted by their desire.
class FromModel : public EventPolicy {
 public:
  using Number = double (*)(const OutcomeModel& model, EventKind goal, EventKind kind);
  FromModel(const OutcomeModel& model, Number number) : model_(model), number_(number) {}
  void score(const Candidates& now, std::span<double> scores) override {
    const std::vector<WantedGoal> goals = goals_now(now, model_);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = 0;
      for (const WantedGoal& goal : goals)
        scores[i] += goal.desire * number_(model_, goal.kind, now.events[i].kind);
    }
  }

 private:
  const OutcomeModel& model_;
  Number number_;
};

// A policy's data by goal, for at most the number of goals in the model.
template <class Part>
class ByGoal {
 public:
  explicit ByGoal(const OutcomeModel& model) : most_(model.options().goals) {}
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

// Sets each score to `value` of the event, summed over the goals' parts and weighted by their desire.
template <class Part, class Value>
void add_scores(ByGoal<Part>& parts, const OutcomeModel& model, const Candidates& now,
                std::span<double> scores, Value value) {
  std::fill(scores.begin(), scores.end(), 0.0);
  for (const WantedGoal& goal : goals_now(now, model))
    if (Part* part = parts.find(goal.kind))
      for (std::size_t i = 0; i < scores.size(); ++i)
        scores[i] += goal.desire * value(*part, now.events[i].kind);
}

// Attention trained by gradients to predict success. For goal g, operation a and a situation:
//   P = 1 / (1 + exp(-(c_a + sum_e alpha_e v_ea))),   alpha = softmax of u with the eligibilities as prior
// u, v and c climb the gradient of log P(outcome) by AdaGrad:  d = r - P,  dv_ea = d alpha_e,
// du_e = d alpha_e (v_ea - sum alpha v).
// Score: u_e + sum_a |v_ea|, the event's attention plus its effect on the prediction.
class SoftAttention : public EventPolicy {
 public:
  SoftAttention(const OutcomeModel& model, double rate)
      : model_(model), rate_(rate), operations_(model.options().operations), parts_(model) {}

  void score(const Candidates& now, std::span<double> scores) override {
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
  // A row has u, then v by operation, each followed by the sum of its squared gradients.
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
  ByGoal<Part> parts_;
};

// Hard attention: events are drawn without replacement from softmax(theta) by Gumbel's trick. theta climbs the gradient
// of the expected success by REINFORCE, with the mean success so far as baseline b:
//   theta_e += rate x (r - b) ([e was passed on] - m pi_e),  m events passed on, pi = softmax(theta) over the situation
// The gradient is exact for m = 1; for larger m it is that of drawing with replacement.
// Source  Williams 1992
class Reinforce : public EventPolicy {
 public:
  Reinforce(const OutcomeModel& model, double rate, std::uint64_t seed)
      : model_(model), rate_(rate), parts_(model), draws_(seed, "reinforce") {}

  void score(const Candidates& now, std::span<double> scores) override {
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
  ByGoal<Part> parts_;
  Rng draws_;
};

// The weights of the last l experiences in the summary, the latest last.
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

// Continuous attention to an event's last experiences in their order, each with value r - b_a. The attention is a
// Gaussian density over the experiences (core/attention/continuous_attention.hpp) from scores that fall linearly with
// age. It reads a curve of four Gaussian basis functions, fitted by ridge regression, one curve for each operation.
// Score: the sum of the absolute values read, times the square root of the number of experiences.
class ContinuousHistory : public EventPolicy {
 public:
  ContinuousHistory(const OutcomeModel& model, std::size_t history)
      : model_(model), history_(history), parts_(model), weights_(history + 1) {
    for (std::size_t l = 1; l <= history; ++l) weights_[l] = history_weights(l, history);
  }

  void score(const Candidates& now, std::span<double> scores) override {
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
    const double r = (experience.reached ? 1 : 0) - model_.base_rate(experience.goal, experience.operation);
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
  // A row has the number of experiences, then operation and value of each, the latest last.
  struct Part {
    KindRows rows;
    void forget(std::span<const EventKind> kinds) { rows.forget(kinds); }
  };

  const OutcomeModel& model_;
  std::size_t history_;
  ByGoal<Part> parts_;
  std::vector<std::vector<double>> weights_;
};

// A modern Hopfield memory of the latest M situations with their operations and outcomes. Patterns are sets of kinds as
// 0/1 vectors of norm 1:
//   p = softmax(beta <pattern, candidates>)
//   w_ea, r_ea   sum of p over the patterns with e and operation a, and over the successful ones among them
//   W_a, R_a     the same sums over all patterns with a
// Score: sqrt(M) sum_a |r_ea - w_ea R_a / W_a|, the effect of e on the success of the completed situations.
class Completion : public EventPolicy {
 public:
  Completion(const OutcomeModel& model, std::size_t situations, double beta)
      : model_(model), situations_(situations), beta_(beta), parts_(model) {}

  void score(const Candidates& now, std::span<double> scores) override {
    std::vector<EventKind> candidates;
    for (const CandidateEvent& event : now.events) candidates.push_back(event.kind);
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<double> completed;
    const Part* completed_for = nullptr;
    add_scores(parts_, model_, now, scores, [&](const Part& part, EventKind kind) {
      if (completed_for != &part) {
        completed = complete(part, candidates);
        completed_for = &part;
      }
      return completed[static_cast<std::size_t>(std::lower_bound(candidates.begin(), candidates.end(), kind) -
                                                candidates.begin())];
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
  static void common(const Pattern& pattern, const std::vector<EventKind>& candidates, See see) {
    const std::vector<EventKind>& kinds = pattern.kinds;
    for (std::size_t i = 0, j = 0; i < kinds.size() && j < candidates.size();) {
      const EventKind here = kinds[i], there = candidates[j];
      if (here == there) see(j);
      i += here <= there;
      j += there <= here;
    }
  }

  // The scores by place in `candidates`.
  std::vector<double> complete(const Part& part, const std::vector<EventKind>& candidates) const {
    std::vector<double> scores(candidates.size());
    if (part.patterns.empty()) return scores;
    Vector overlaps(static_cast<Index>(part.patterns.size()));
    for (std::size_t m = 0; m < part.patterns.size(); ++m) {
      double overlap = 0;
      common(part.patterns[m], candidates, [&](std::size_t) { overlap += 1; });
      overlaps[static_cast<Index>(m)] =
          overlap / std::sqrt(static_cast<double>(part.patterns[m].kinds.size() * candidates.size()));
    }
    const Vector p = apply(Regulariser{SimplexMap::softmax}, overlaps, 1 / beta_);
    const double patterns = std::sqrt(static_cast<double>(part.patterns.size()));
    std::vector<double> with(candidates.size()), reached(candidates.size());
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
        common(pattern, candidates, [&](std::size_t place) {
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
  ByGoal<Part> parts_;
};

}  // namespace

std::unique_ptr<EventPolicy> make_event_policy(EventPolicyKind kind, const OutcomeModel& model,
                                               const EventPolicyRates& rates, std::uint64_t seed) {
  if (!(rates.surprise_memory >= 1) || !(rates.learning_rate > 0) || !(rates.reinforce_rate > 0) ||
      !(rates.beta > 0) || rates.history < 1 || rates.history > 64 || rates.situations < 1)
    throw std::invalid_argument("rates of event policies must be above 0, history in [1, 64]");
  switch (kind) {
    case EventPolicyKind::all:
    case EventPolicyKind::random:
      return std::make_unique<All>();
    case EventPolicyKind::first:
      return std::make_unique<First>();
    case EventPolicyKind::novelty:
      return std::make_unique<Novelty>();
    case EventPolicyKind::surprise:
      return std::make_unique<Surprise>(model.options().operations, rates.surprise_memory);
    case EventPolicyKind::temporal_links:
      return std::make_unique<FromModel>(model,
                                         [](const OutcomeModel& from, EventKind goal, EventKind event) {
                                           return from.information(goal, event);
                                         });
    case EventPolicyKind::single_events:
    case EventPolicyKind::predictive:
      return std::make_unique<FromModel>(model, [](const OutcomeModel& from, EventKind goal,
                                                   EventKind event) { return from.attention(goal, event); });
    case EventPolicyKind::soft_attention:
      return std::make_unique<SoftAttention>(model, rates.learning_rate);
    case EventPolicyKind::reinforce:
      return std::make_unique<Reinforce>(model, rates.reinforce_rate, seed);
    case EventPolicyKind::continuous:
      return std::make_unique<ContinuousHistory>(model, rates.history);
    case EventPolicyKind::completion:
      return std::make_unique<Completion>(model, rates.situations, rates.beta);
    case EventPolicyKind::oracle:
      return std::make_unique<Oracle>();
  }
  throw std::invalid_argument("unknown event policy");
}

}  // namespace engram::core
