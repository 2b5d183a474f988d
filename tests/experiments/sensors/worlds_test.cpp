// SPDX-License-Identifier: MIT
#include "experiments/sensors/world.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/numbers/random.hpp"
#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments::sensors {
namespace {

using Operation = std::optional<std::size_t>;

// A run of a world: what the agent sensed in each step, and the outcome of its operation.
struct WorldRun {
  std::vector<Sensed> sensed;
  std::vector<Acted> acted;

  double share_right() const {
    double right = 0, trials = 0;
    for (const Acted& step : acted)
      if (step.right) {
        ++trials;
        right += *step.right ? 1 : 0;
      }
    return right / trials;
  }
  double score() const {
    double points = 0;
    for (const Acted& step : acted) points += step.score;
    return points;
  }
};

WorldRun run_of(World& world, std::size_t steps,
                const std::function<Operation(const Sensed&, const World&)>& policy) {
  WorldRun run;
  for (std::size_t step = 0; step < steps; ++step) {
    run.sensed.push_back(world.sense());
    const Operation done = policy(run.sensed.back(), world);
    run.acted.push_back(world.act(done));
  }
  return run;
}

Operation what_is_best(const Sensed&, const World& world) { return world.best(); }
Operation first_operation(const Sensed&, const World&) { return 0; }

auto at_random(core::Rng& rng) {
  return
      [&rng](const Sensed&, const World& world) -> Operation { return rng.below(world.operations().size()); };
}

std::vector<std::string> without_distractors(const Sensed& sensed) {
  std::vector<std::string> events;
  for (const std::string& event : sensed.events)
    if (!event.starts_with("distractor_")) events.push_back(event);
  std::ranges::sort(events);
  return events;
}

bool same_steps(const Sensed& a, const Sensed& b) {
  return a.events == b.events && a.relevant == b.relevant && a.goal == b.goal;
}

TEST_CASE("an agent that knows the world does every trial right, with any distractors",
          "[experiments][sensors]") {
  for (const WorldKind& kind : world_kinds())
    for (const std::size_t distractors : {0U, 40U}) {
      INFO(kind.name << ", " << distractors << " distractors");
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        WorldOptions options{.distractors = distractors, .stimuli = 4};
        const auto world = make_world(kind.name, options, seed);
        const WorldRun run = run_of(*world, 1000, what_is_best);
        CHECK(run.share_right() == 1);
        CHECK((run.score() > 0) == kind.points);
        const auto again = make_world(kind.name, options, seed);
        const auto nothing = run_of(*again, 1000, [](const Sensed&, const World&) { return Operation(); });
        if (!kind.points) CHECK(nothing.share_right() == 0);
      }
    }
}

// The standard errors come from the means of batches, because the steps of one run are correlated.
TEST_CASE("random actions reach the world's chance level", "[experiments][sensors]") {
  constexpr std::size_t batches = 40, steps = 5000;
  for (const WorldKind& kind : world_kinds())
    for (const std::size_t stimuli : {2U, 5U}) {
      WorldOptions options{.stimuli = stimuli, .width = stimuli + 2, .height = 6, .things = 0};
      const auto world = make_world(kind.name, options, stimuli);
      core::Rng rng(7, "at random");
      std::vector<double> right, score;
      for (std::size_t batch = 0; batch < batches; ++batch) {
        const WorldRun run = run_of(*world, steps, at_random(rng));
        right.push_back(run.share_right());
        score.push_back(run.score() / steps);
      }
      const auto check = [&](const std::vector<double>& found, double expected) {
        double mean = 0, variance = 0;
        for (const double x : found) mean += x / batches;
        for (const double x : found) variance += (x - mean) * (x - mean) / (batches - 1);
        INFO(kind.name << ", mean " << mean << " of batches, must be " << expected);
        CHECK(std::abs(mean - expected) <= 4 * std::sqrt(variance / batches));
      };
      check(right, world->chance());
      check(score, world->chance_score());
      CHECK(world->chance() < world->optimum());
      CHECK((world->chance_score() != 0) == kind.points);
    }
}

// The agent uses only distractors. Each distractor votes for the operation that was most often correct in its presence.
TEST_CASE("an agent that uses only distractors stays at the chance level", "[experiments][sensors]") {
  constexpr std::size_t trials = 6000;
  const auto world = make_world("conditioning", {.distractors = 20, .stimuli = 4}, 3);
  std::map<std::string, std::vector<double>> times_right;
  double right = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const Sensed sensed = world->sense();
    std::vector<double> votes(world->operations().size());
    for (const std::string& event : sensed.events)
      if (event.starts_with("distractor_")) {
        auto& times = times_right[event];
        times.resize(votes.size());
        const double all = times[0] + times[1] + times[2] + times[3] + 1;
        for (std::size_t i = 0; i < votes.size(); ++i) votes[i] += times[i] / all;
        ++times[*world->best()];
      }
    const auto operation = static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin());
    right += *world->act(operation).right ? 1 : 0;
  }
  CHECK(std::abs(right / trials - world->chance()) < 4 * std::sqrt(0.25 * 0.75 / trials));
}

TEST_CASE("equal seeds give equal worlds, and distractors do not change the world",
          "[experiments][sensors]") {
  for (const WorldKind& kind : world_kinds()) {
    INFO(kind.name);
    const auto run = [&](std::size_t distractors, std::uint64_t seed) {
      core::Rng rng(1, "the same operations");
      const auto world = make_world(kind.name, {.distractors = distractors, .stimuli = 8}, seed);
      return run_of(*world, 300, at_random(rng));
    };
    const WorldRun one = run(10, 5), same = run(10, 5), other = run(10, 6), bare = run(0, 5);
    bool differs = false;
    for (std::size_t i = 0; i < 300; ++i) {
      REQUIRE(same_steps(one.sensed[i], same.sensed[i]));
      REQUIRE(one.acted[i].events == same.acted[i].events);
      REQUIRE(without_distractors(one.sensed[i]) == without_distractors(bare.sensed[i]));
      REQUIRE(one.acted[i].right == bare.acted[i].right);
      differs = differs || without_distractors(one.sensed[i]) != without_distractors(other.sensed[i]);
    }
    CHECK(differs);
  }
}

TEST_CASE("each step has the requested number of distinct distractors, and relevant events are at any place",
          "[experiments][sensors]") {
  for (const WorldKind& kind : world_kinds()) {
    const auto world = make_world(kind.name, {.distractors = 9, .names = 12, .things = 0}, 2);
    core::Rng rng(1, "operations");
    const WorldRun run = run_of(*world, 4000, at_random(rng));
    std::set<std::string> names;
    std::vector<double> places(10);
    double steps = 0;
    for (const Sensed& sensed : run.sensed) {
      std::set<std::string> distractors;
      for (const std::string& event : sensed.events)
        if (event.starts_with("distractor_")) distractors.insert(event);
      REQUIRE(distractors.size() == 9);
      REQUIRE(sensed.events.size() >= 9 + sensed.relevant.size());
      for (const std::uint32_t place : sensed.relevant)
        REQUIRE(!sensed.events.at(place).starts_with("distractor_"));
      names.merge(distractors);
      if (sensed.relevant.size() != 1 || sensed.events.size() != 10) continue;
      ++places[sensed.relevant.front()];
      ++steps;
    }
    INFO(kind.name);
    CHECK(names.size() == 12);
    const bool has_others =
        kind.name == "companions" || kind.name == "conjunction" || kind.name == "exclusive_or";
    REQUIRE((steps > 100 || has_others));
    if (has_others) continue;
    for (const double times : places) CHECK(std::abs(times / steps - 0.1) < 5 * std::sqrt(0.1 * 0.9 / steps));
  }
  // With 100 distractors, every distractor occurs in every step.
  const auto flooded = make_world("conditioning", {.distractors = 100}, 2);
  const Sensed sensed = flooded->sense();
  CHECK(std::set<std::string>(sensed.events.begin(), sensed.events.end()).size() == 101);
}

// Checks the optimum of each world against an agent that knows the world's current rules. For `drift` the agent knows
// only the rule at the last occurrence of each stimulus.
TEST_CASE("the best agent reaches the optimum of the world", "[experiments][sensors]") {
  constexpr std::size_t batches = 40, steps = 5000;
  for (const WorldKind& kind : world_kinds())
    for (const std::uint64_t seed : {1U, 2U}) {
      const WorldOptions options{.stimuli = seed == 1 ? 2U : 5U, .drift = 0.03, .width = 6, .height = 5};
      const auto world = make_world(kind.name, options, seed);
      std::map<std::string, std::size_t> known;
      std::vector<double> right, score;
      for (std::size_t batch = 0; batch < batches; ++batch) {
        const WorldRun run = run_of(*world, steps, [&](const Sensed& sensed, const World& now) -> Operation {
          if (kind.name != "drift") return now.best();
          const auto [rule, is_new] = known.emplace(sensed.events.at(0), 0);
          // An outcome reveals the current rule, because there are only two operations.
          return std::exchange(rule->second, *now.best());
        });
        right.push_back(run.share_right());
        score.push_back(run.score() / steps);
      }
      const auto check = [&](const std::vector<double>& found, double expected) {
        double mean = 0, variance = 0;
        for (const double x : found) mean += x / batches;
        for (const double x : found) variance += (x - mean) * (x - mean) / (batches - 1);
        INFO(kind.name << ", mean " << mean << " of batches, must be " << expected);
        CHECK(std::abs(mean - expected) <= 4 * std::sqrt(variance / batches) + 1e-12);
      };
      check(right, world->optimum());
      check(score, world->optimum_score());
    }
  // By hand: for S = 2 stimuli and a change with probability 1/4 per trial, z = 1 - 2/4 = 1/2. Stimuli come back after
  // K trials, so E z^K = (1/2) / (2 - 1/2) = 1/3, and the optimum is (1 + 1/3) / 2.
  CHECK(std::abs(make_world("drift", {.drift = 0.25}, 1)->optimum() - 2.0 / 3) < 1e-12);
}

// Reference for the best list: tries all orders of the events with all operations on recorded trials.
double best_list_by_brute_force(World& world) {
  std::vector<std::pair<std::set<std::string>, std::size_t>> trials;
  std::set<std::string> events, seen;
  while (trials.size() < 12'000) {
    const Sensed sensed = world.sense();
    for (const std::uint32_t place : sensed.relevant) seen.insert(sensed.events[place]);
    if (const auto best = world.best()) trials.emplace_back(std::exchange(seen, {}), *best);
    world.act({});
  }
  for (const auto& [present, best] : trials) events.insert(present.begin(), present.end());
  std::vector<std::string> order(events.begin(), events.end());
  const std::size_t operations = world.operations().size();
  std::size_t lists = 1, most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) lists *= operations;
  std::map<std::pair<std::set<std::string>, std::size_t>, std::size_t> counts;
  for (const auto& trial : trials) ++counts[trial];
  do {
    for (std::size_t list = 0; list < lists; ++list) {
      std::size_t right = 0;
      for (const auto& [trial, times] : counts) {
        std::size_t rest = list;
        for (const std::string& event : order) {
          if (trial.first.contains(event)) {
            right += rest % operations == trial.second ? times : 0;
            break;
          }
          rest /= operations;
        }
      }
      most = std::max(most, right);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return static_cast<double>(most) / static_cast<double>(trials.size());
}

TEST_CASE("the best list of single events is as good as the best of all lists", "[experiments][sensors]") {
  // A list gives each event an operation, and the first event of the list that is present decides. By hand: in a
  // conjunction an event of a sensor that is off decides the trial. In silent worlds such events are missing: half of
  // the trials have both events, and each of them is alone in a quarter. In an exclusive or, `light_on` decides half of
  // its trials at best, and the tone decides all trials without light. In a sequence, `high` decides first for the
  // operation of high then low, which is right in 3/6 of all trials. Then `low` is right in 1/6.
  for (const auto& [name, silent, expected] : {std::tuple{"conditioning", false, 1.0},
                                               {"conjunction", false, 1.0},
                                               {"conjunction", true, 0.75},
                                               {"exclusive_or", false, 0.75},
                                               {"exclusive_or", true, 0.75},
                                               {"sequence", false, 2.0 / 3},
                                               {"t_maze", false, 1.0}}) {
    INFO(name << (silent ? ", silent" : ""));
    const auto world = make_world(name, {.silent = silent}, 3);
    CHECK(std::abs(*world->best_by_one_event() - expected) < 1e-12);
    CHECK(std::abs(best_list_by_brute_force(*world) - expected) < 0.02);
  }
  CHECK(!make_world("grid", {}, 1)->best_by_one_event());
}

TEST_CASE("Pong's ball comes down, and hits and misses are counted", "[experiments][sensors]") {
  const auto world = make_world("pong", {}, 1);
  // By hand: the ball starts at (25, 4), rises to 19 in 15 moves and falls to 0 in 19 more. The bat at 20 covers six
  // cells to either side, so it is below the ball in every step.
  const WorldRun still = run_of(*world, 34, [](const Sensed& sensed, const World&) {
    REQUIRE(sensed.events == std::vector<std::string>{"ball_equal"});
    REQUIRE(sensed.goal == "good_nar");
    return Operation();
  });
  for (std::size_t i = 0; i < 33; ++i) REQUIRE((!still.acted[i].right && still.acted[i].score == 0));
  CHECK(still.acted[33].right == true);
  CHECK(still.acted[33].score == 1);
  CHECK(still.acted[33].events == std::vector<std::string>{"good_nar"});

  // A bat that always moves left stops at -12, where it never meets the ball.
  const auto away = make_world("pong", {}, 1);
  const WorldRun missed = run_of(*away, 500, first_operation);
  CHECK(missed.share_right() == 0);
  CHECK(missed.score() < -20);
  // After its first move the bat is at 11, and the ball stays to its right.
  CHECK(missed.sensed[0].events[0] == "ball_equal");
  for (std::size_t i = 1; i < 34; ++i) REQUIRE(missed.sensed[i].events[0] == "ball_right");
}

TEST_CASE("every event, goal and operation of a world is valid Narsese", "[experiments][sensors]") {
  for (const WorldKind& kind : world_kinds()) {
    const auto world = make_world(kind.name, {.distractors = 20, .stimuli = 8, .things = 30}, 9);
    core::Rng rng(4, "operations");
    const WorldRun run = run_of(*world, 200, at_random(rng));
    std::set<std::string> terms;
    for (const std::string& operation : world->operations()) {
      REQUIRE(operation.starts_with("^"));
      terms.insert(operation);
    }
    for (const Sensed& sensed : run.sensed) {
      terms.insert(sensed.events.begin(), sensed.events.end());
      if (!sensed.goal.empty()) terms.insert(sensed.goal);
    }
    for (const Acted& acted : run.acted) terms.insert(acted.events.begin(), acted.events.end());
    CHECK(terms.size() > 100);
    for (const std::string& term : terms) {
      INFO(kind.name << ": " << term);
      narsese::TermTable table;
      REQUIRE(narsese::parse_term(term, table, {}, narsese::Dialect::ona).has_value());
    }
  }
}

TEST_CASE("invalid options of a world are refused", "[experiments][sensors]") {
  const auto refused = [](const std::string& name, const WorldOptions& options, const std::string& message) {
    CHECK_THROWS_WITH(make_world(name, options, 1), Catch::Matchers::Contains(message));
  };
  refused("gird", {}, "found gird");
  refused("pong", {.distractors = 101, .names = 200}, "distractors must be 0 to 100, found 101");
  refused("pong", {.distractors = 20, .names = 19}, "names must be 20 to 10000, found 19");
  refused("conditioning", {.stimuli = 9}, "stimuli must be 2 to 8, found 9");
  refused("conditioning", {.operations = 1}, "operations must be 2 to 8, found 1");
  refused("delayed", {.delay = 0}, "delay must be 1 to 10, found 0");
  refused("drift", {.drift = 0.6}, "drift must be 0 to 0.5");
  refused("companions", {.companions = 9}, "companions must be 0 to 8, found 9");
  refused("companions", {.fidelity = -0.1}, "fidelity must be 0 to 1");
  refused("t_maze", {.length = 11}, "length must be 0 to 10, found 11");
  refused("grid", {.width = 21}, "width must be 3 to 20, found 21");
  refused("grid", {.walls = 0.5}, "walls must be 0 to 0.4");
  refused("grid", {.walls = std::nan("")}, "walls must be 0 to 0.4");

  const auto world = make_world("conditioning", {}, 1);
  CHECK_THROWS_WITH(world->act(0), Catch::Matchers::Contains("act() must follow sense()"));
  world->sense();
  CHECK_THROWS_WITH(world->sense(), Catch::Matchers::Contains("must follow act()"));
  CHECK_THROWS_WITH(world->act(2), Catch::Matchers::Contains("one of the operations()"));
  CHECK_NOTHROW(world->act(1));
}

}  // namespace
}  // namespace engram::experiments::sensors
