// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_learning.hpp"

#include <set>

#include "bridge/models/model.hpp"
#include "core/events/event_filter.hpp"
#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

namespace engram::bridge::stream_learning_tests {

using core::EventFilter;
using core::Moment;

// Runs trials. In each trial one of three stimuli occurs among 40 noise events, and the operation with the number of
// the stimulus succeeds.
void live(EventFilter& filter, std::uint64_t seed, int trials, Moment& now) {
  core::Rng rng(seed, "stream learning");
  const auto happen = [&](const std::string& term) { filter.arrive({filter.kind(term), now}, 0, now); };
  for (int trial = 0; trial < trials; ++trial) {
    const auto stimulus = static_cast<core::OperationId>(rng.below(3));
    happen("s" + std::to_string(stimulus));
    for (int i = 0; i < 4; ++i) happen("noise" + std::to_string(rng.below(40)));
    filter.pass(now);
    filter.want(filter.kind("g"), 1, now);
    const auto operation = static_cast<core::OperationId>(rng.below(3));
    filter.acted(operation, ++now);
    if (operation == stimulus) happen("g");
    filter.pass(now);
    now += 30;
  }
}

StreamLearning after(int trials) {
  EventFilter filter;
  Moment now = 0;
  live(filter, 3, trials, now);
  return {{"^a", "^b", "^c"}, filter.learnt()};
}

TEST_CASE("a restored filter predicts and learns like the original", "[bridge][stream]") {
  // Learns combinations of at most two events. Combinations of three would depend on the order of the numbers of kinds,
  // which differs after restoring.
  core::EventFilterOptions pairs;
  pairs.outcomes.most_together = 2;
  EventFilter first(pairs);
  Moment now = 0;
  live(first, 3, 200, now);
  EventFilter second(pairs);
  second.restore(stream_learning_in(to_text({{"^a", "^b", "^c"}, first.learnt()})).outcomes);
  const core::EventKind of_first = first.find("g"), of_second = second.find("g");
  std::size_t met = 0;
  const core::LearntOutcomes learnt = first.learnt();
  for (const auto& event : learnt.goals.at(0).events) {
    if (event.terms.size() > 1) continue;
    const core::EventKind one = first.find(event.terms[0]), other = second.find(event.terms[0]);
    REQUIRE(other != core::EventKinds::none);
    CHECK(first.model().attention(of_first, one) == second.model().attention(of_second, other));
    for (core::OperationId a = 0; a < 3; ++a) {
      CHECK(first.model().link(of_first, one, a) == second.model().link(of_second, other, a));
      CHECK(first.model().prediction(of_first, std::vector<core::EventTrace>{{one}}, a) ==
            second.model().prediction(of_second, std::vector<core::EventTrace>{{other}}, a));
    }
    ++met;
  }
  CHECK(met > 40);
  // The original and the restored filter learn the same from later events.
  Moment later = now;
  live(first, 4, 50, now);
  live(second, 4, 50, later);
  CHECK(first.model().attention(of_first, first.find("s1")) ==
        Approx(second.model().attention(of_second, second.find("s1"))).epsilon(1e-9));
  // Refused, because the filter already has input.
  CHECK_THROWS_AS(second.restore(first.learnt()), std::invalid_argument);
}

TEST_CASE("evidence is matched to operations by name", "[bridge][stream]") {
  const StreamLearning learning = after(60);
  const StreamLearning turned = with_operations(learning, {"^c", "^new", "^a"}, 4);
  CHECK(turned.operations == std::vector<std::string>{"^c", "^new", "^a"});
  const auto& was = learning.outcomes.goals.at(0).events.at(0);
  const auto& is = turned.outcomes.goals.at(0).events.at(0);
  CHECK(is.terms == was.terms);
  CHECK(is.evidence == std::vector<double>{was.evidence[2], 0, was.evidence[0], 0});
  CHECK(is.reached == std::vector<double>{was.reached[2], 0, was.reached[0], 0});
  CHECK(with_operations(learning, {}, 10).operations == learning.operations);
}

TEST_CASE("a smaller filter restores as many events as it has room for", "[bridge][stream]") {
  core::EventFilterOptions few;
  few.max_kinds = 16;
  EventFilter filter(few);
  filter.restore(after(200).outcomes);
  REQUIRE(filter.learnt().goals.size() == 1);
  CHECK(filter.learnt().goals[0].term == "g");
  const core::LearntOutcomes restored = filter.learnt();
  std::set<std::string> terms;
  for (const auto& event : restored.goals[0].events) terms.insert(event.terms.begin(), event.terms.end());
  CHECK(terms.size() == 15);
}

TEST_CASE("a foreign, damaged or inconsistent learning file is refused and changes nothing",
          "[bridge][stream]") {
  const auto message = [](const std::string& text) {
    return testing::message_of<LearningError>([&] { stream_learning_in(text); });
  };
  const std::string text = to_text(after(20));
  CHECK(message(text) == "no error");
  CHECK(message("").find("is not a learning file of a stream") == 0);
  CHECK(message("{}").find("/engram_stream_learning") != std::string::npos);
  CHECK(message(text.substr(0, text.size() / 2)).find("is not a learning file of a stream") == 0);
  CHECK(message(R"({"engram_stream_learning":3})").find("of format 3") != std::string::npos);
  std::string changed = text;
  changed.replace(changed.find("noise"), 5, "voice");
  CHECK(message(changed).find("SHA-256") != std::string::npos);

  // Files of format 1 have single events only, no combinations.
  const auto old = nlohmann::ordered_json::parse(R"({"engram_stream_learning":1,"operations":["^a","^b"],
    "goals":[{"goal":"g","nothing":0.5,"evidence":[2,1],"reached":[1,0],
              "events":[{"event":"s","score":1.5,"evidence":[2,0],"reached":[2,0]}]}]})");
  const StreamLearning read = stream_learning_in(sealed(old).dump());
  CHECK(read.outcomes.goals.at(0).events.at(0).terms == std::vector<std::string>{"s"});
  core::EventFilterOptions two;
  two.outcomes.operations = 2;
  EventFilter from_old(two);
  from_old.restore(read.outcomes);
  CHECK(from_old.model().truth(from_old.find("g"), from_old.find("s"), 0).frequency == 1);

  core::LearntOutcomes bad = after(20).outcomes;
  const auto refused = [](const core::LearntOutcomes& learnt) {
    EventFilter filter;
    CHECK_THROWS_AS(filter.restore(learnt), std::invalid_argument);
    CHECK(filter.learnt().goals.empty());
  };
  auto& event = bad.goals[0].events[0];
  event.reached[0] = event.evidence[0] + 1;
  refused(bad);
  event.reached[0] = 0;
  event.score = 1e300;
  refused(bad);
  event.score = 0;
  event.evidence.pop_back();
  refused(bad);
  event.evidence.push_back(0);
  bad.goals.resize(17, bad.goals[0]);
  refused(bad);
}

}  // namespace engram::bridge::stream_learning_tests
