// SPDX-License-Identifier: MIT
#include "core/events/event_filter.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace engram::core;

namespace {

std::vector<std::string> terms_of(const EventFilter& filter, const std::vector<PassedEvent>& passed) {
  std::vector<std::string> terms;
  for (const PassedEvent& event : passed) terms.emplace_back(filter.term(event.event.kind));
  return terms;
}

void arrive(EventFilter& filter, const std::string& term, Moment now, bool relevant = false) {
  filter.arrive({filter.kind(term), now, relevant}, 0, now);
}

// Reports an operation and whether its goal was reached a moment later. Then time passes until the next trial.
void act(EventFilter& filter, Moment& now, OperationId operation, bool reached) {
  filter.acted(operation, now);
  if (reached) arrive(filter, "goal", now + 1);
  filter.pass(now + 1);
  now += 50;
}

// One trial: a stimulus among distractors, a random operation, the outcome, and a pause.
// Returns  whether the stimulus was passed on
bool live(EventFilter& filter, Rng& rng, Moment& now, std::size_t distractors) {
  const std::uint64_t stimulus = rng.below(2);
  const std::vector<std::uint32_t> names = rng.permutation(100);
  const std::uint64_t place = rng.below(distractors + 1);
  for (std::size_t i = 0; i <= distractors; ++i)
    if (i == place)
      arrive(filter, "stimulus_" + std::to_string(stimulus), now, true);
    else
      arrive(filter, "x" + std::to_string(names[i]), now);
  filter.want(filter.kind("goal"), 1, now);
  const auto passed = terms_of(filter, filter.pass(now));
  const auto operation = static_cast<OperationId>(rng.below(2));
  filter.acted(operation, now);
  if (operation == stimulus) {
    arrive(filter, "goal", now + 1, true);
    CHECK(std::ranges::count(terms_of(filter, filter.pass(now + 1)), "goal") == 1);
  }
  now += 50;
  return std::ranges::any_of(passed, [](const std::string& term) { return term.starts_with("stimulus"); });
}

double share_passed(EventPolicyKind policy, std::uint64_t seed) {
  EventFilter filter({.policy = policy, .pass = 1, .seed = seed});
  Rng rng(seed, "life");
  Moment now = 0;
  double passed = 0;
  for (int t = 0; t < 200; ++t) {
    const bool was_passed = live(filter, rng, now, 20);
    passed += t >= 100 && was_passed;
  }
  return passed / 100;
}

}  // namespace

TEST_CASE("learning policies pass the stimulus on among twenty distractors", "[events]") {
  for (const auto policy : {EventPolicyKind::temporal_links, EventPolicyKind::single_events,
                            EventPolicyKind::predictive, EventPolicyKind::oracle}) {
    INFO(name_of(event_policies, policy));
    CHECK(share_passed(policy, 7) >= 0.98);
  }
  for (const auto policy :
       {EventPolicyKind::soft_attention, EventPolicyKind::continuous, EventPolicyKind::completion}) {
    INFO(name_of(event_policies, policy));
    CHECK(share_passed(policy, 7) > 0.3);
  }
  for (const auto policy : {EventPolicyKind::random, EventPolicyKind::first}) {
    INFO(name_of(event_policies, policy));
    CHECK(share_passed(policy, 7) < 0.2);
  }
  CHECK(share_passed(EventPolicyKind::all, 7) == 1);
}

TEST_CASE("reinforce learns to pass on the event that precedes success", "[events]") {
  // The filter passes on one of two events. If it passes on `good`, any operation reaches the goal.
  EventFilter filter({.policy = EventPolicyKind::reinforce, .pass = 1});
  Moment now = 0;
  double good = 0;
  for (int t = 0; t < 300; ++t) {
    arrive(filter, "good", now);
    arrive(filter, "bad", now);
    filter.want(filter.kind("goal"), 1, now);
    const auto passed = terms_of(filter, filter.pass(now));
    REQUIRE(passed.size() == 1);
    act(filter, now, 0, passed[0] == "good");
    good += t >= 200 && passed[0] == "good";
  }
  CHECK(good > 90);
}

TEST_CASE("at most K events are passed on in order of arrival, reached goals first", "[events]") {
  EventFilter filter({.policy = EventPolicyKind::first, .pass = 2});
  for (const char* term : {"a", "b", "c", "goal"}) arrive(filter, term, 0);
  CHECK(terms_of(filter, filter.pass(0)) == std::vector<std::string>{"a", "b"});
  filter.want(filter.kind("goal"), 1, 1);
  for (const char* term : {"a", "b", "c", "goal"}) arrive(filter, term, 2);
  CHECK(terms_of(filter, filter.pass(2)) == std::vector<std::string>{"a", "goal"});
  CHECK(filter.counts().arrived == 8);
  CHECK(filter.counts().passed == 4);
  CHECK(filter.counts().not_passed == 4);
}

TEST_CASE("an operation fails if its goal is not reached within the horizon", "[events]") {
  EventFilter filter({.horizon = 10, .outcomes = {.fade = 0.02}});
  const EventKind goal = filter.kind("goal");
  for (const Moment late : {10, 11}) {
    const Moment begin = filter.counts().operations == 0 ? 0 : 100;
    arrive(filter, "s", begin);
    filter.want(goal, 1, begin);
    filter.pass(begin);
    filter.acted(0, begin);
    arrive(filter, "goal", begin + late);
  }
  CHECK(filter.counts().reached == 1);
  CHECK(filter.counts().failed == 1);
  // A success after ten cycles counts as evidence e^(-10/20). It fades by 0.98 before the failure of weight 1.
  const auto truth = filter.model().truth(goal, filter.kind("s"), 0);
  const double late = std::exp(-10.0 / 20) * 0.98;
  CHECK_THAT(truth.frequency, Catch::Matchers::WithinAbs(late / (late + 1), 1e-12));
}

TEST_CASE("operations are ordered by predicted success, with the link that supports them", "[events]") {
  EventFilter filter;
  Rng rng(3, "life");
  Moment now = 0;
  for (int t = 0; t < 100; ++t) live(filter, rng, now, 5);
  arrive(filter, "stimulus_1", now);
  arrive(filter, "x3", now);
  filter.pass(now);
  const auto operations = filter.operations(filter.kind("goal"), now);
  CHECK(operations[0].operation == 1);
  CHECK(operations[0].success > 0.9);
  REQUIRE(operations[0].because.size > 0);
  CHECK(operations[0].because.has(filter.find("stimulus_1")));
  CHECK(operations[0].truth.frequency == 1);
  for (std::size_t i = 1; i < operations.size(); ++i) CHECK(operations[i].success < 0.6);
}

TEST_CASE("too many candidates: the lowest-scored ones are dropped and counted", "[events]") {
  EventFilter filter({.policy = EventPolicyKind::first, .pass = 1000, .max_waiting = 100, .max_kinds = 5000});
  filter.want(filter.kind("goal"), 1, 0);
  for (int i = 0; i < 1000; ++i) {
    arrive(filter, "e" + std::to_string(i), 0);
    REQUIRE(filter.waiting() <= 100);
  }
  arrive(filter, "goal", 0);
  const auto passed = terms_of(filter, filter.pass(0));
  CHECK(passed.front() == "e0");
  CHECK(passed.back() == "goal");
  CHECK(filter.counts().dropped + passed.size() == 1001);
}

TEST_CASE("new names, wrong times and unknown operations keep memory bounded", "[events]") {
  for (const auto& policy : event_policies) {
    INFO(policy.name);
    EventFilter filter({.policy = policy.value,
                        .pass = 3,
                        .outcomes = {.patterns = 128},
                        .max_situation = 50,
                        .max_open = 4,
                        .max_kinds = 64});
    std::size_t most = 0;
    for (int t = 0; t < 3000; ++t) {
      const Moment now = t;
      for (int i = 0; i < 3; ++i)
        arrive(filter, "fresh_" + std::to_string(3 * t + i), i == 0 ? now - 1'000'000 : now);
      if (t % 3 == 0) filter.want(filter.kind("goal"), 1, now);
      filter.pass(now);
      filter.acted(static_cast<OperationId>(t % 12), now - 5);
      if (t % 7 == 0) arrive(filter, "goal", now);
      most = std::max(most, filter.bytes());
    }
    CHECK(filter.counts().unknown_operations == 500);
    CHECK(filter.counts().disordered >= 2999);
    CHECK(most < 400'000);
  }
}

TEST_CASE("kinds of past goals can be evicted, whether reached or failed", "[events]") {
  EventFilter filter({.horizon = 3, .max_open = 4, .max_kinds = 32});
  for (int t = 0; t < 2000; ++t) {
    const std::string goal = "goal_" + std::to_string(t);
    arrive(filter, "e" + std::to_string(t % 5), t);
    filter.want(filter.kind(goal), 1, t);
    filter.pass(t);
    filter.acted(0, t);
    if (t % 2 == 0) arrive(filter, goal, t);
  }
  CHECK(filter.counts().reached > 900);
  CHECK(filter.counts().failed > 900);
}

TEST_CASE("equal calls give equal choices", "[events]") {
  for (const auto& policy : event_policies) {
    const auto run = [&] {
      EventFilter filter({.policy = policy.value, .pass = 2, .seed = 9});
      Rng rng(1, "life");
      Moment now = 0;
      std::string all;
      for (int t = 0; t < 40; ++t) {
        for (int i = 0; i < 6; ++i) arrive(filter, "e" + std::to_string(rng.below(9)), now);
        filter.want(filter.kind("goal"), 1, now);
        for (const auto& term : terms_of(filter, filter.pass(now))) all += term + " ";
        filter.acted(static_cast<OperationId>(rng.below(3)), now);
        if (rng.below(2) == 0) arrive(filter, "goal", now + 1);
        now += 30;
      }
      return all;
    };
    CHECK(run() == run());
  }
}

namespace {

// Two sensors arrive, each on or off. Returns whether they differ.
bool arrive_sensors(EventFilter& filter, Rng& rng, Moment now) {
  const bool x = rng.below(2) == 0, y = rng.below(2) == 0;
  arrive(filter, x ? "x1" : "x0", now);
  arrive(filter, y ? "y1" : "y0", now);
  return x != y;
}

// One trial of two sensors: the first operation is right if they differ. Returns the terms that were passed on.
std::vector<std::string> live_exclusive_or(EventFilter& filter, Rng& rng, Moment& now, bool swapped,
                                           std::optional<OperationId> does) {
  const bool differ = arrive_sensors(filter, rng, now);
  for (const std::uint32_t name : rng.permutation(50))
    if (name < 6) arrive(filter, "d" + std::to_string(name), now);
  filter.want(filter.kind("goal"), 1, now);
  std::vector<std::string> terms;
  for (const PassedEvent& event : filter.pass(now)) terms.push_back(filter.term(event.pattern));
  const OperationId operation = does.value_or(static_cast<OperationId>(rng.below(2)));
  act(filter, now, operation, (operation == 0) == (differ != swapped));
  return terms;
}

}  // namespace

TEST_CASE("events that matter together are passed on as a compound event, or else together", "[events]") {
  for (const bool compounds : {true, false}) {
    EventFilter filter({.outcomes = {.operations = 2}, .compounds = compounds});
    Rng rng(1, "life");
    Moment now = 0;
    int together = 0;
    for (int t = 0; t < 200; ++t) {
      const auto terms = live_exclusive_or(filter, rng, now, false, {});
      if (t < 150) continue;
      const bool has_compound = std::ranges::any_of(terms, [](const std::string& term) {
        return term.starts_with("(&/,x") || term.starts_with("(&/,y");
      });
      const auto parts = std::ranges::count_if(
          terms, [](const std::string& term) { return term.starts_with("x") || term.starts_with("y"); });
      together += compounds ? has_compound : parts == 2 && !has_compound;
    }
    CHECK(together >= 48);
  }
}

TEST_CASE("advice is given on a mismatch, and no oftener", "[events]") {
  EventFilter filter({.outcomes = {.operations = 2}});
  Rng rng(2, "life");
  Moment now = 0;
  for (int t = 0; t < 200; ++t) live_exclusive_or(filter, rng, now, false, {});
  REQUIRE_FALSE(filter.take_advice().empty());  // half of the random operations were wrong
  CHECK(filter.take_advice().empty());
  // A reasoner that always acts as the filter predicts gets no advice.
  for (int t = 0; t < 100; ++t) {
    const bool differ = arrive_sensors(filter, rng, now);
    filter.want(filter.kind("goal"), 1, now);
    filter.pass(now);
    act(filter, now, differ ? 0 : 1, true);
  }
  CHECK(filter.take_advice().empty());
  // After a swap, a reasoner that never changes gets advice that its operations fail, but not at each of a thousand
  // failures.
  std::size_t advised = 0, low = 0;
  for (int t = 0; t < 1000; ++t) {
    const bool differ = arrive_sensors(filter, rng, now);
    filter.want(filter.kind("goal"), 1, now);
    filter.pass(now);
    for (const Advice& one : filter.take_advice()) {
      ++advised;
      low += one.truth.frequency < 0.5;
      CHECK(one.truth.confidence < 0.95);
    }
    filter.acted(differ ? 0 : 1, now);
    now += 50;
  }
  CHECK(low >= 4);
  CHECK(advised < 500);
  EventFilter silent({.outcomes = {.operations = 2}, .advise = false});
  now = 0;
  for (int t = 0; t < 200; ++t) live_exclusive_or(silent, rng, now, t > 100, {});
  CHECK(silent.take_advice().empty());
}

TEST_CASE("advice that is never heeded becomes rare", "[events]") {
  // Event x needs operation 0, and event y operation 1. The reasoner first tries both operations. Then it always does
  // operation 0.
  EventFilter filter({.outcomes = {.operations = 2}});
  Rng rng(3, "stubborn");
  Moment now = 0;
  std::size_t advised = 0, late = 0, mismatches = 0;
  for (int t = 0; t < 4000; ++t) {
    const bool x = rng.below(2) == 0;
    arrive(filter, x ? "x" : "y", now);
    filter.want(filter.kind("goal"), 1, now);
    filter.pass(now);
    const OperationId operation = t < 100 ? static_cast<OperationId>(rng.below(2)) : 0;
    act(filter, now, operation, operation == (x ? 0 : 1));
    for (const Advice& one : filter.take_advice()) {
      if (t < 100) continue;
      ++advised;
      late += t >= 2000;
      CHECK(filter.term(one.pattern) == "y");
    }
    mismatches += t >= 100 && !x;
  }
  CHECK(mismatches > 1900);
  CHECK(advised >= 16);
  // Two links give advice 32 times each and then at each power of 2. A link whose strength changes gives advice more
  // often.
  CHECK(advised <= 160);
  CHECK(late <= 8);
}

TEST_CASE("nothing is passed on if a past event predicts best", "[events]") {
  // A trial has a stimulus, then noise while the goal is still wanted, and then the goal.
  EventFilter filter({.outcomes = {.operations = 2}});
  Rng rng(3, "life");
  Moment now = 0;
  double passed = 0;
  for (int t = 0; t < 200; ++t) {
    const auto stimulus = static_cast<OperationId>(rng.below(2));
    arrive(filter, "s" + std::to_string(stimulus), now);
    for (int i = 0; i < 5; ++i) arrive(filter, "d" + std::to_string(rng.below(40)), now);
    filter.want(filter.kind("goal"), 1, now);
    filter.pass(now);
    const auto operation = static_cast<OperationId>(rng.below(2));
    filter.acted(operation, now);
    for (int step = 0; step < 4; ++step) {
      now += 2;
      for (int i = 0; i < 5; ++i) arrive(filter, "d" + std::to_string(rng.below(40)), now);
      const auto some = filter.pass(now).size();
      if (t >= 100) passed += static_cast<double>(some);
    }
    if (operation == stimulus) arrive(filter, "goal", ++now);
    filter.pass(now);
    now += 50;
  }
  CHECK(passed / 400 < 1);
}

TEST_CASE("EventFilter rejects invalid options", "[events]") {
  CHECK_THROWS_AS(EventFilter({.pass = 0}), std::invalid_argument);
  CHECK_THROWS_AS(EventFilter({.horizon = 0}), std::invalid_argument);
  CHECK_THROWS_AS(EventFilter({.eligibility = 0}), std::invalid_argument);
  CHECK_THROWS_AS(EventFilter({.max_waiting = 0}), std::invalid_argument);
  CHECK_THROWS_AS(EventFilter({.rates = {.history = 65}}), std::invalid_argument);
}
