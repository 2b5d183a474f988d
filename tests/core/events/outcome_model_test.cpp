// SPDX-License-Identifier: MIT
#include "core/events/outcome_model.hpp"

#include <cmath>
#include <map>
#include <stdexcept>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

using namespace engram::core;
using Catch::Matchers::WithinAbs;

namespace {

// A direct implementation of the formulas in outcome_model.hpp, with maps.
struct PlainModel {
  double kappa, fade, share;
  std::map<std::pair<EventKind, OperationId>, double> n = {}, w = {};
  std::map<EventKind, double> s = {};
  std::map<OperationId, double> all_n = {}, all_w = {};
  double s0 = 0;

  double b(OperationId a) { return (all_w[a] + 0.5) / (all_n[a] + 1); }
  double p(EventKind e, OperationId a) { return (w[{e, a}] + kappa * b(a)) / (n[{e, a}] + kappa); }
  double prediction(std::span<const EventTrace> situation, OperationId a) {
    double total = std::exp(s0), sum = std::exp(s0) * b(a);
    for (const EventTrace& trace : situation) {
      const double weight = trace.eligibility * std::exp(s[trace.kind]);
      total += weight;
      sum += weight * p(trace.kind, a);
    }
    return sum / total;
  }
  void learn(const Experience& x) {
    const OperationId a = x.operation;
    const auto log_of = [&](double p) { return std::log(x.reached ? p : 1 - p); };
    const double had = log_of(prediction(x.situation, a)), all = log_of(b(a));
    std::map<EventKind, double> said;
    for (const EventTrace& trace : x.situation) said[trace.kind] = log_of(p(trace.kind, a));
    for (const EventTrace& trace : x.situation) {
      const double evidence = trace.eligibility * x.weight;
      s[trace.kind] += evidence * (said[trace.kind] - had);
      auto& own_n = n[{trace.kind, a}];
      auto& own_w = w[{trace.kind, a}];
      own_n = (1 - fade) * own_n + evidence;
      own_w = (1 - fade) * own_w + (x.reached ? evidence : 0);
    }
    s0 += x.weight * (all - had);
    double sum = x.weight * std::exp(s0), mass = x.weight;
    for (const EventTrace& trace : x.situation) {
      sum += trace.eligibility * x.weight * std::exp(s[trace.kind]);
      mass += trace.eligibility * x.weight;
    }
    const auto shared = [&](double score, double part) {
      return std::log((1 - share * part) * std::exp(score) + share * part * sum / mass);
    };
    for (const EventTrace& trace : x.situation)
      s[trace.kind] = shared(s[trace.kind], trace.eligibility * x.weight);
    s0 = shared(s0, x.weight);
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

constexpr EventKind goal = 100;

}  // namespace

TEST_CASE("the first experiences match hand-computed values", "[events]") {
  OutcomeModel model({.operations = 2, .goals = 4, .caution = 1, .fade = 0, .share = 0});
  const std::vector<EventTrace> situation{{0, 1, true}, {1, 0.5, false}};
  CHECK(model.prediction(goal, situation, 0) == 0.5);  // no experience yet
  model.learn({situation, 0, goal, true, 1});
  // All rates were 1/2, so no event gained attention; n = w = 1 and 1/2; b = (1 + 1/2) / 2.
  CHECK(model.attention(goal, 0) == 0);
  CHECK(model.base_rate(goal, 0) == 0.75);
  CHECK_THAT(model.link(goal, 0, 0), WithinAbs((1 + 0.75) / 2, 1e-15));
  CHECK_THAT(model.link(goal, 1, 0), WithinAbs((0.5 + 0.75) / 1.5, 1e-15));
  CHECK_THAT(model.truth(goal, 0, 0).frequency, WithinAbs(1, 0));
  CHECK_THAT(model.truth(goal, 0, 0).confidence, WithinAbs(0.5, 1e-15));
  CHECK(model.truth(goal, 0, 1).confidence == 0);
  // alpha = 1 / 2.5, 0.5 / 2.5, and 1 / 2.5 for "no event".
  const double predicted = (0.875 + 0.5 * (1.25 / 1.5) + 0.75) / 2.5;
  CHECK_THAT(model.prediction(goal, situation, 0), WithinAbs(predicted, 1e-15));
  model.learn({situation, 0, goal, false, 1});
  CHECK_THAT(model.attention(goal, 0), WithinAbs(std::log(0.125) - std::log(1 - predicted), 1e-14));
  CHECK(model.attention(goal, 0) < 0);  // the most confident link was wrong
}

TEST_CASE("OutcomeModel equals a direct implementation on random experiences", "[events]") {
  const double fade = GENERATE(0.0, 0.05), share = GENERATE(0.0, 0.02);
  Rng rng(3, "outcomes");
  OutcomeModel model({.operations = 3, .goals = 4, .caution = 0.7, .fade = fade, .share = share});
  PlainModel plain{0.7, fade, share};
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
    CHECK_THAT(model.attention(goal, kind), WithinAbs(plain.s[kind], 1e-10));
    double information = 0;
    for (OperationId a = 0; a < 3; ++a) {
      CHECK_THAT(model.link(goal, kind, a), WithinAbs(plain.p(kind, a), 1e-12));
      const double p = plain.p(kind, a), b = plain.b(a);
      information += plain.n[{kind, a}] * (p * std::log(p / b) + (1 - p) * std::log((1 - p) / (1 - b)));
    }
    CHECK_THAT(model.information(goal, kind), WithinAbs(information, 1e-10));
  }
}

TEST_CASE("the log-loss exceeds that of the best event by at most log(events + 1)", "[events]") {
  Rng rng(4, "regret");
  constexpr std::size_t kinds = 15;
  OutcomeModel model({.operations = 2, .goals = 4, .caution = 1, .fade = 0, .share = 0});
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
    CHECK(link.kind < 2);
    CHECK((link.operation == link.kind ? link.truth.frequency == 1 : link.truth.frequency == 0));
  }
}

TEST_CASE("forget removes all data, and excess goals and operations are ignored", "[events]") {
  OutcomeModel model({.operations = 2, .goals = 1, .caution = 1, .fade = 0, .share = 0});
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
}
