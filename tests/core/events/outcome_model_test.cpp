// SPDX-License-Identifier: MIT
#include "core/events/outcome_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

using namespace engram::core;
using Catch::Matchers::WithinAbs;

namespace {

// A direct implementation of the formulas in outcome_model.hpp, with maps. It enumerates all pairs of events, as the
// model does for few events.
struct PlainModel {
  double kappa, fade, share, beta = 0, gamma = 1;
  bool with_pairs = false;
  using Events = std::vector<EventKind>;  // one event, or two in order of time and then of kind
  std::map<std::pair<Events, OperationId>, double> n = {}, w = {}, s_by_operation = {};
  std::map<Events, double> s = {};
  std::map<OperationId, double> all_n = {}, all_w = {}, s0_by_operation = {};
  double s0 = 0;

  struct Awake {
    Events events;
    double eligibility;
    bool later;  // whether the second event is later, which makes it another pattern
  };
  std::vector<Awake> awake(std::span<const EventTrace> situation) const {
    std::vector<Awake> all;
    for (const EventTrace& one : situation) all.push_back({{one.kind}, one.eligibility, false});
    for (const EventTrace& one : situation)
      for (const EventTrace& other : situation) {
        if (!with_pairs || one.kind >= other.kind) continue;
        const bool turned = one.eligibility > other.eligibility;
        const EventTrace &first = turned ? other : one, &second = turned ? one : other;
        Events events{first.kind, second.kind};
        // The extra element marks an ordered pair.
        if (second.eligibility > first.eligibility) events.push_back(0);
        all.push_back({events, first.eligibility, second.eligibility > first.eligibility});
      }
    return all;
  }
  double prior(const Awake& one) const { return one.events.size() == 1 ? 1 : gamma; }
  double b(OperationId a) { return (all_w[a] + 0.5) / (all_n[a] + 1); }
  double p(const Events& e, OperationId a) { return (w[{e, a}] + kappa * b(a)) / (n[{e, a}] + kappa); }
  double p(EventKind e, OperationId a) { return p(Events{e}, a); }
  double prediction(std::span<const EventTrace> situation, OperationId a) {
    const double nothing = std::exp(s0) + beta * std::exp(s0_by_operation[a]);
    double total = nothing, sum = nothing * b(a);
    for (const Awake& one : awake(situation)) {
      const double weight = one.eligibility * prior(one) *
                            (std::exp(s[one.events]) + beta * std::exp(s_by_operation[{one.events, a}]));
      total += weight;
      sum += weight * p(one.events, a);
    }
    return sum / total;
  }
  void learn(const Experience& x) {
    const OperationId a = x.operation;
    const auto log_of = [&](double p) { return std::log(x.reached ? p : 1 - p); };
    const double had = log_of(prediction(x.situation, a)), all = log_of(b(a));
    const std::vector<Awake> patterns = awake(x.situation);
    std::map<Events, double> predicted_by;
    for (const Awake& one : patterns) predicted_by[one.events] = log_of(p(one.events, a));
    for (const Awake& one : patterns) {
      const double evidence = one.eligibility * x.weight;
      s[one.events] += evidence * (predicted_by[one.events] - had);
      s_by_operation[{one.events, a}] += evidence * (predicted_by[one.events] - had);
      auto& own_n = n[{one.events, a}];
      auto& own_w = w[{one.events, a}];
      own_n = (1 - fade) * own_n + evidence;
      own_w = (1 - fade) * own_w + (x.reached ? evidence : 0);
    }
    s0 += x.weight * (all - had);
    s0_by_operation[a] += x.weight * (all - had);
    double sum = x.weight * (std::exp(s0) + beta * std::exp(s0_by_operation[a]));
    double mass = x.weight * (1 + beta);
    for (const Awake& one : patterns) {
      const double part = one.eligibility * x.weight * prior(one);
      sum += part * (std::exp(s[one.events]) + beta * std::exp(s_by_operation[{one.events, a}]));
      mass += part * (1 + beta);
    }
    const auto shared = [&](double score, double part) {
      return std::log((1 - share * part) * std::exp(score) + share * part * sum / mass);
    };
    for (const Awake& one : patterns) {
      s[one.events] = shared(s[one.events], one.eligibility * x.weight);
      s_by_operation[{one.events, a}] = shared(s_by_operation[{one.events, a}], one.eligibility * x.weight);
    }
    s0 = shared(s0, x.weight);
    s0_by_operation[a] = shared(s0_by_operation[a], x.weight);
    all_n[a] = (1 - fade) * all_n[a] + x.weight;
    all_w[a] = (1 - fade) * all_w[a] + (x.reached ? x.weight : 0);
  }
};

std::vector<EventTrace> drawn_situation(Rng& rng, std::size_t kinds, bool traces) {
  std::vector<EventTrace> situation;
  for (EventKind kind = 0; kind < kinds; ++kind)
    if (rng.below(2) == 0) situation.push_back({kind, traces ? rng.uniform() : 1, false});
  return situation;
}

// Options of a mixture of single events for two operations, without fading and sharing.
OutcomeOptions plain_mixture(std::size_t goals) {
  return {.operations = 2,
          .goals = goals,
          .caution = 1,
          .fade = 0,
          .share = 0,
          .most_together = 1,
          .by_operation = 0};
}

EventPattern pattern_of(EventKind first, EventKind second) {
  EventPattern pattern(first);
  pattern.kinds[1] = second;
  pattern.size = 2;
  return pattern;
}

bool occurs(const std::vector<EventTrace>& situation, EventKind kind) {
  return std::ranges::any_of(situation, [&](const EventTrace& one) { return one.kind == kind; });
}

// Adds ten of a hundred irrelevant events, of the kinds from `first` on.
void add_irrelevant(std::vector<EventTrace>& situation, Rng& rng, EventKind first) {
  std::vector<std::uint32_t> others = rng.permutation(100);
  std::sort(others.begin(), others.begin() + 10);
  for (std::size_t i = 0; i < 10; ++i) situation.push_back({first + others[i], 1, false});
}

constexpr EventKind goal = 100;

}  // namespace

TEST_CASE("the first experiences match hand-computed values", "[events]") {
  OutcomeModel model(plain_mixture(4));
  const std::vector<EventTrace> situation{{0, 1, true}, {1, 0.5, false}};
  CHECK(model.prediction(goal, situation, 0) == 0.5);  // no experience yet
  model.learn({situation, 0, goal, true, 1});
  // All rates were 1/2, so no event gained attention. The counts n and w are 1 for event 0 and 1/2 for event 1. The
  // base rate b is (1 + 1/2) / 2.
  CHECK(model.attention(goal, 0) == 0);
  CHECK(model.base_rate(goal, 0) == 0.75);
  CHECK_THAT(model.link(goal, 0, 0), WithinAbs((1 + 0.75) / 2, 1e-15));
  CHECK_THAT(model.link(goal, 1, 0), WithinAbs((0.5 + 0.75) / 1.5, 1e-15));
  CHECK_THAT(model.truth(goal, 0, 0).frequency, WithinAbs(1, 0));
  CHECK_THAT(model.truth(goal, 0, 0).confidence, WithinAbs(0.5, 1e-15));
  CHECK(model.truth(goal, 0, 1).confidence == 0);
  // The attention alpha is 1 / 2.5 for event 0, 0.5 / 2.5 for event 1, and 1 / 2.5 for "no event".
  const double predicted = (0.875 + 0.5 * (1.25 / 1.5) + 0.75) / 2.5;
  CHECK_THAT(model.prediction(goal, situation, 0), WithinAbs(predicted, 1e-15));
  model.learn({situation, 0, goal, false, 1});
  CHECK_THAT(model.attention(goal, 0), WithinAbs(std::log(0.125) - std::log(1 - predicted), 1e-14));
  CHECK(model.attention(goal, 0) < 0);  // the most confident link was wrong
}

TEST_CASE("OutcomeModel equals a direct implementation on random experiences", "[events]") {
  const double fade = GENERATE(0.0, 0.05), share = GENERATE(0.0, 0.02), beta = GENERATE(0.0, 0.4);
  Rng rng(3, "outcomes");
  OutcomeModel model({.operations = 3,
                      .goals = 4,
                      .caution = 0.7,
                      .fade = fade,
                      .share = share,
                      .most_together = 1,
                      .by_operation = beta});
  PlainModel plain{0.7, fade, share, beta};
  for (int t = 0; t < 300; ++t) {
    const auto situation = drawn_situation(rng, 12, true);
    const auto a = static_cast<OperationId>(rng.below(3));
    const bool reached = rng.below(3) == 0;
    REQUIRE_THAT(model.prediction(goal, situation, a), WithinAbs(plain.prediction(situation, a), 1e-12));
    const Experience experience{situation, a, goal, reached, reached ? rng.uniform() : 1};
    model.learn(experience);
    plain.learn(experience);
  }
  for (EventKind kind = 0; kind < 12; ++kind) {
    if (beta == 0) CHECK_THAT(model.attention(goal, kind), WithinAbs(plain.s[{kind}], 1e-10));
    double information = 0;
    for (OperationId a = 0; a < 3; ++a) {
      CHECK_THAT(model.link(goal, kind, a), WithinAbs(plain.p(kind, a), 1e-12));
      const double p = plain.p(kind, a), b = plain.b(a);
      information += plain.n[{{kind}, a}] * (p * std::log(p / b) + (1 - p) * std::log((1 - p) / (1 - b)));
    }
    CHECK_THAT(model.information(goal, kind), WithinAbs(information, 1e-10));
  }
}

TEST_CASE("with few events, pairs are weighed as if all were enumerated", "[events]") {
  const bool traces = GENERATE(false, true);  // with traces, a pair of events has an order in time
  Rng rng(6, "pairs");
  OutcomeModel model({.operations = 2, .goals = 4, .most_together = 2, .by_operation = 0.3, .together = 0.1});
  PlainModel plain{0.5, 0.1, 0.003, 0.3, 0.1, true};
  for (int t = 0; t < 200; ++t) {
    const auto situation = drawn_situation(rng, 9, traces);
    const auto a = static_cast<OperationId>(rng.below(2));
    REQUIRE_THAT(model.prediction(goal, situation, a), WithinAbs(plain.prediction(situation, a), 1e-11));
    const Experience experience{situation, a, goal,
                                (occurs(situation, 0) != occurs(situation, 1)) == (a == 0), 1};
    model.learn(experience);
    plain.learn(experience);
  }
}

namespace {

// Trains with a rule of two sensors. Each sensor has two values, so they have the events 0 to 3, among ten of a hundred
// other events. Returns the share of correct predictions of the better operation in the last quarter of the trials.
double right_by(OutcomeModel& model, std::uint64_t seed, int trials, bool (*rule)(bool, bool)) {
  Rng rng(seed, "combinations");
  double right = 0;
  for (int t = 0; t < trials; ++t) {
    const bool x = rng.below(2) == 0, y = rng.below(2) == 0;
    std::vector<EventTrace> situation{{x ? 1u : 0u, 1, false}, {y ? 3u : 2u, 1, false}};
    add_irrelevant(situation, rng, 4);
    const bool second = model.prediction(goal, situation, 1) > model.prediction(goal, situation, 0);
    if (t >= trials * 3 / 4) right += second == rule(x, y) ? 1 : 0;
    const auto a = static_cast<OperationId>(rng.below(2));
    model.learn({situation, a, goal, (a == 1) == rule(x, y), 1});
  }
  return right / (trials - trials * 3 / 4);
}

bool both(bool x, bool y) { return x && y; }
bool one_of(bool x, bool y) { return x != y; }

}  // namespace

TEST_CASE("conjunctions and exclusive or of two events are learnt, single events cannot", "[events]") {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    OutcomeModel model({.operations = 2}), single({.operations = 2, .most_together = 1, .by_operation = 0});
    CHECK(right_by(model, seed, 240, one_of) >= 0.95);
    CHECK(right_by(single, seed, 240, one_of) < 0.8);
    OutcomeModel other({.operations = 2});
    CHECK(right_by(other, seed, 240, both) >= 0.95);
    // The model keeps links for the four pairs of sensor values, for no single event and for no other pair.
    std::set<EventPattern> known;
    for (const auto& link : model.links(100)) known.insert(link.pattern);
    CHECK(known.size() == 4);
    for (const EventPattern& pattern : known) {
      CHECK(pattern.size == 2);
      CHECK(pattern.kinds[1] < 4);
    }
  }
}

TEST_CASE("a pattern is an ordered pair if its events are at different times", "[events]") {
  OutcomeModel model({.operations = 2});
  Rng rng(8, "order");
  double right = 0;
  for (int t = 0; t < 200; ++t) {
    const bool turned = rng.below(2) == 0;
    const std::vector<EventTrace> situation{{0, turned ? 1 : 0.8, false}, {1, turned ? 0.8 : 1, false}};
    const bool second = model.prediction(goal, situation, 1) > model.prediction(goal, situation, 0);
    if (t >= 100) right += second == turned ? 1 : 0;
    const auto a = static_cast<OperationId>(rng.below(2));
    model.learn({situation, a, goal, (a == 1) == turned, 1});
  }
  CHECK(right >= 98);
  EventPattern pattern = pattern_of(0, 1);
  pattern.later = 2;
  CHECK(model.truth(goal, pattern, 0).frequency == 1);
  std::swap(pattern.kinds[0], pattern.kinds[1]);
  CHECK(model.truth(goal, pattern, 0).frequency == 0);
}

TEST_CASE("e-values match the formula", "[events]") {
  // Event 0 occurs in all of 5 successes and in none of 4 failures. Event 1 occurs in all examples.
  OutcomeModel model({.operations = 1, .most_together = 1});
  const std::vector<EventTrace> with{{0, 1, false}, {1, 1, false}}, without{{1, 1, false}};
  for (int t = 0; t < 5; ++t) model.learn({with, 0, goal, true, 1});
  for (int t = 0; t < 4; ++t) model.learn({without, 0, goal, false, 1});
  const auto same = [](double n) {
    return std::tgamma(n + 0.5) * std::tgamma(0.5) / (M_PI * std::tgamma(n + 1));
  };
  const double best = std::pow(5.0 / 9, 5) * std::pow(4.0 / 9, 4);
  CHECK_THAT(model.evidence_against_chance(goal, EventPattern(0)),
             Catch::Matchers::WithinRel(same(5) * same(4) / best, 1e-9));
  CHECK_THAT(model.evidence_against_chance(goal, EventPattern(1)),
             Catch::Matchers::WithinRel(same(5) * same(4), 1e-9));
  CHECK(model.evidence_against_chance(goal, EventPattern(7)) == 1);
}

TEST_CASE("the e-value of a pair is the smaller one of its events, each where the other occurred",
          "[events]") {
  // log_kt(a, b) is the log-probability of a sequence with a ones and b zeros under the Krichevsky-Trofimov mixture.
  // log_ml(a, b) is the one under the best fixed rate.
  const auto log_kt = [](double a, double b) {
    return std::lgamma(a + 0.5) + std::lgamma(b + 0.5) - std::log(M_PI) - std::lgamma(a + b + 1);
  };
  const auto log_ml = [](double a, double b) {
    const auto part = [&](double x) { return x == 0 ? 0 : x * std::log(x / (a + b)); };
    return part(a) + part(b);
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, "pair");
    OutcomeModel model({.operations = 2, .most_together = 2});
    // Numbers of examples by condition (event 0 or 1 occurred), operation, outcome, and whether the other event
    // occurred.
    double counts[2][2][2][2] = {};
    for (int t = 0; t < 60; ++t) {
      const bool x = rng.uniform() < 0.7, y = rng.uniform() < 0.6;
      const auto a = static_cast<OperationId>(rng.below(2));
      const bool reached = rng.uniform() < (x && y ? 0.9 : 0.2);
      std::vector<EventTrace> situation;
      if (x) situation.push_back({0, 1, false});
      if (y) situation.push_back({1, 1, false});
      model.learn({situation, a, goal, reached, 1});
      if (x) counts[0][a][reached][y] += 1;
      if (y) counts[1][a][reached][x] += 1;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const auto& condition : counts) {
      double sum = 0;
      for (const auto& [failed, reached] : condition)
        if (failed[0] + failed[1] > 0 && reached[0] + reached[1] > 0)
          sum += log_kt(reached[1], reached[0]) + log_kt(failed[1], failed[0]) -
                 log_ml(failed[1] + reached[1], failed[0] + reached[0]);
      least = std::min(least, sum);
    }
    CHECK_THAT(std::log(model.evidence_against_chance(goal, pattern_of(0, 1))),
               Catch::Matchers::WithinAbs(least, 1e-9));
  }
}

TEST_CASE("a restart of the counts includes a pattern that occurs for the first time", "[events]") {
  // Event 0 always occurs. Event 1 occurs only in the success that fills the counts. Two examples without event 1
  // follow.
  OutcomeModel model({.operations = 1, .most_together = 2});
  const std::vector<EventTrace> alone{{0, 1, false}}, both_events{{0, 1, false}, {1, 1, false}};
  for (int t = 0; t < 48; ++t) model.learn({alone, 0, goal, false, 1});
  for (int t = 0; t < 47; ++t) model.learn({alone, 0, goal, true, 1});
  model.learn({both_events, 0, goal, true, 1});
  for (const bool reached : {true, false}) model.learn({alone, 0, goal, reached, 1});
  const auto kt = [](double k, double n) {
    return std::exp(std::lgamma(k + 0.5) + std::lgamma(n - k + 0.5) - std::lgamma(n + 1)) / M_PI;
  };
  const double before = kt(1, 48) * kt(0, 48) / (std::pow(1.0 / 96, 1) * std::pow(95.0 / 96, 95));
  const double since = kt(0, 1) * kt(0, 1);
  CHECK_THAT(model.evidence_against_chance(goal, pattern_of(0, 1)),
             Catch::Matchers::WithinRel((before + since) / 2, 1e-9));
}

TEST_CASE("links are known as e-Benjamini-Hochberg over all examined patterns discovers them", "[events]") {
  constexpr EventKind events = 7;
  std::size_t discovered = 0, close = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed, "discoveries");
    OutcomeModel model({.operations = 1, .most_together = 2});
    std::set<std::pair<EventKind, EventKind>> pairs;
    std::set<EventKind> singles;
    for (int t = 0; t < 90; ++t) {
      std::vector<EventTrace> situation;
      for (EventKind event = 0; event < events; ++event)
        if (rng.below(2) == 0) situation.push_back({event, 1, false});
      for (const EventTrace& one : situation) {
        singles.insert(one.kind);
        for (const EventTrace& other : situation)
          if (one.kind < other.kind) pairs.emplace(one.kind, other.kind);
      }
      model.learn({situation, 0, goal,
                   rng.uniform() < (occurs(situation, 0) ? 0.8 : 0.1) + (occurs(situation, 1) ? 0.1 : 0), 1});
      if (t < 10) continue;
      // The log e-value of each pattern, minus the log of the number of patterns of its size. Single events and pairs
      // each get half of the false discovery rate.
      std::vector<std::pair<double, EventPattern>> all;
      const auto add = [&](const EventPattern& pattern, std::size_t of_size) {
        all.emplace_back(std::log(model.evidence_against_chance(goal, pattern)) -
                             std::log(2 * static_cast<double>(of_size)),
                         pattern);
      };
      for (const EventKind event : singles) add(EventPattern(event), singles.size());
      for (const auto& [first, second] : pairs) add(pattern_of(first, second), pairs.size());
      std::ranges::sort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
      std::size_t count = 0;
      for (std::size_t k = 1; k <= all.size(); ++k)
        if (all[k - 1].first >= -std::log(0.05 * static_cast<double>(k))) count = k;
      std::set<EventPattern> expected, listed;
      for (std::size_t k = 0; k < count; ++k) expected.insert(all[k].second);
      for (const OutcomeModel::Link& link : model.links(1000, 0)) listed.insert(link.pattern);
      CHECK(std::ranges::includes(expected, listed));  // links with almost the base rate are omitted
      for (const EventPattern& pattern : expected)
        if (std::abs(model.link(goal, pattern, 0) - model.base_rate(goal, 0)) > 0.1)
          CHECK(listed.contains(pattern));
      discovered += count;
      close += count < all.size() && all[count].first >= -std::log(0.05 * static_cast<double>(all.size()));
    }
  }
  CHECK(discovered > 500);
  CHECK(close > 20);
}

TEST_CASE("the share of false links is at most the false discovery rate", "[events]") {
  // One of two stimuli occurs among ten of a hundred other events. In half of the worlds no event affects the outcome.
  double false_shares = 0, found = 0;
  constexpr int worlds = 60;
  for (int world = 0; world < worlds; ++world) {
    Rng rng(static_cast<std::uint64_t>(world), "false discoveries");
    OutcomeModel model({.operations = 2});
    const bool matters = world % 2 == 0;
    for (int t = 0; t < 400; ++t) {
      const auto stimulus = static_cast<EventKind>(rng.below(2));
      std::vector<EventTrace> situation{{stimulus, 1, false}};
      add_irrelevant(situation, rng, 2);
      const auto a = static_cast<OperationId>(rng.below(2));
      // In worlds without an effect, the success rate rises with time, like that of a reasoner that learns.
      const bool reached = matters ? a == stimulus : rng.uniform() < 0.2 + 0.6 * t / 400;
      model.learn({situation, a, goal, reached, 1});
    }
    const auto links = model.links(1000);
    const auto wrong = std::ranges::count_if(links, [&](const OutcomeModel::Link& link) {
      return !matters || link.pattern.size > 1 || link.pattern.kinds[0] > 1;
    });
    if (!links.empty()) false_shares += static_cast<double>(wrong) / static_cast<double>(links.size());
    found += matters && links.size() >= 4 ? 1 : 0;
  }
  CHECK(false_shares / worlds <= 0.05);
  CHECK(found == worlds / 2);
}

TEST_CASE("the log-loss exceeds that of the best event by at most log(events + 1)", "[events]") {
  Rng rng(4, "regret");
  constexpr std::size_t kinds = 15;
  OutcomeModel model(plain_mixture(4));
  double lost = 0;
  std::vector<double> of_events(kinds);
  std::vector<EventTrace> all;
  for (EventKind kind = 0; kind < kinds; ++kind) all.push_back({kind, 1, false});
  for (int t = 0; t < 200; ++t) {
    const auto a = static_cast<OperationId>(rng.below(2));
    const bool reached = rng.below(10) < (a == 0 ? 8 : 3);
    const auto loss = [&](double p) { return -std::log(reached ? p : 1 - p); };
    lost += loss(model.prediction(goal, all, a));
    for (EventKind kind = 0; kind < kinds; ++kind) of_events[kind] += loss(model.link(goal, kind, a));
    model.learn({all, a, goal, reached, 1});
    for (const double of_event : of_events) REQUIRE(lost <= of_event + std::log(kinds + 1.0) + 1e-9);
  }
}

TEST_CASE("predictive events gain attention, accompanying events do not", "[events]") {
  Rng rng(5, "stimuli");
  OutcomeModel model;
  for (int t = 0; t < 80; ++t) {
    const auto stimulus = static_cast<EventKind>(rng.below(2)),
               beside = static_cast<EventKind>(2 + rng.below(20));
    const std::vector<EventTrace> situation{{stimulus, 1, false}, {beside, 1, false}};
    const auto a = static_cast<OperationId>(rng.below(2));
    model.learn({situation, a, goal, a == stimulus, 1});
  }
  for (EventKind beside = 2; beside < 22; ++beside)
    for (const EventKind stimulus : {0u, 1u})
      CHECK(model.attention(goal, stimulus) > model.attention(goal, beside) + 1);
  const auto links = model.links(4);
  REQUIRE(links.size() == 4);
  for (const auto& link : links) {
    CHECK(link.pattern.kinds[0] < 2);
    CHECK((link.operation == link.pattern.kinds[0] ? link.truth.frequency == 1 : link.truth.frequency == 0));
  }
}

TEST_CASE("forget removes all data, and excess goals and operations are ignored", "[events]") {
  OutcomeModel model(plain_mixture(1));
  const std::vector<EventTrace> situation{{0, 1, false}};
  model.learn({situation, 0, goal, true, 1});
  model.learn({situation, 0, goal, false, 1});
  model.learn({situation, 2, goal, true, 1});
  model.learn({situation, 0, goal + 1, true, 1});
  CHECK(model.goals() == std::vector<EventKind>{goal});
  CHECK(model.truth(goal, 0, 0).confidence > 0);
  const std::vector<EventKind> gone{0};
  model.forget(gone);
  CHECK(model.truth(goal, 0, 0).confidence == 0);
  CHECK(model.attention(goal, 0) == 0);
  CHECK_THROWS_AS(OutcomeModel({.operations = 0}), std::invalid_argument);
  CHECK_THROWS_AS(OutcomeModel({.fade = 1}), std::invalid_argument);
  CHECK_THROWS_AS(OutcomeModel({.caution = 0}), std::invalid_argument);
  CHECK_THROWS_AS(OutcomeModel({.share = 1}), std::invalid_argument);
  CHECK_THROWS_AS(OutcomeModel({.most_together = 5}), std::invalid_argument);
  CHECK_THROWS_AS(OutcomeModel({.together = 0}), std::invalid_argument);
  CHECK_THROWS_AS(OutcomeModel({.patterns = 1}), std::invalid_argument);
  CHECK_THROWS_AS(OutcomeModel({.false_discoveries = 0}), std::invalid_argument);
}
