// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/numbers/numeric.hpp"
#include "experiments/forgetting/policies.hpp"
#include "experiments/inputs/event_stream.hpp"
#include "experiments/spec/experiment.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments::forgetting {
namespace {

using core::Index;

// Hit rate of a policy on a stream. A policy that is an upper bound may run several memories; then the highest hit rate
// counts.
double rate_of(const std::string& name, std::size_t capacity, const ConceptUses& uses) {
  const auto policy = std::ranges::find(policies(), name, &Policy::name);
  REQUIRE(policy != policies().end());
  double best = -1;
  for (const auto& memory : make_memories(*policy, capacity, uses)) {
    double hits = 0, all = 0;
    for (const auto& episode : uses.episodes) {
      for (const auto id : episode) hits += memory->holds(id) ? 1 : 0;
      all += static_cast<double>(episode.size());
      memory->experience(episode);
    }
    best = std::max(best, hits / all);
  }
  return best;
}

TEST_CASE("concepts of a zipf stream have Zipf frequencies, and their ranks drift",
          "[experiments][forgetting]") {
  ZipfOptions options{20'000, 30, 1, 1.5, 0};
  const ConceptUses still = zipf_uses(options, 4);
  CHECK(still.episodes == zipf_uses(options, 4).episodes);
  CHECK(still.episodes != zipf_uses(options, 5).episodes);
  std::vector<double> times(30), weights(30);
  for (const auto& episode : still.episodes) {
    REQUIRE(episode.size() == 1);
    times[episode.front()] += 1;
  }
  // With one concept for each episode, the probability that a concept occurs equals its weight in the draw, which the
  // policy `known_chances` knows.
  for (Index i = 0; i < 30; ++i) weights[static_cast<std::size_t>(i)] = still.chances.front().wanted(7, i);
  const double all = core::sum(weights);
  std::vector<double> sorted = weights;
  std::ranges::sort(sorted, std::greater());
  for (std::size_t r = 0; r < 30; ++r)
    REQUIRE(sorted[r] == Approx(std::pow(static_cast<double>(r + 1), -1.5)).epsilon(1e-12));
  for (std::size_t i = 0; i < 30; ++i)
    REQUIRE(std::abs(times[i] / 20'000 - weights[i] / all) < 5 * std::sqrt(weights[i] / all / 20'000));

  options.active = 3;
  options.swaps = 1.5;
  options.episodes = 400;
  const ConceptUses drifting = zipf_uses(options, 4);
  int moved = 0;
  for (std::size_t t = 0; t < 400; ++t) {
    const auto& episode = drifting.episodes[t];
    REQUIRE(episode.size() == 3);
    REQUIRE(std::ranges::is_sorted(episode));
    REQUIRE(std::set(episode.begin(), episode.end()).size() == 3);
    const auto& wanted = drifting.chances.front().wanted;
    for (Index i = 0; t > 0 && i < 30; ++i)
      moved += wanted(static_cast<Index>(t), i) != wanted(static_cast<Index>(t) - 1, i) ? 1 : 0;
  }
  // On average 1.5 swaps per episode exchange the ranks of two concepts each. A swap changes nothing if it draws the
  // same of the 30 concepts twice.
  CHECK(std::abs(moved / 400.0 - 1.5 * 2 * 29 / 30) < 0.3);
}

TEST_CASE(
    "known_law ranks concepts as known_chances does without drift, and is between recent and known_chances",
    "[experiments][forgetting]") {
  const ConceptUses still = zipf_uses({6000, 15, 2, 1.2, 0}, 9);
  // Without drift, and after enough episodes, the policy `known_law` ranks concepts by their true probabilities.
  std::vector<Index> by_law(15), by_chance(15);
  for (Index i = 0; i < 15; ++i)
    by_law[static_cast<std::size_t>(i)] = by_chance[static_cast<std::size_t>(i)] = i;
  const auto order = [](const core::Matrix& wanted) {
    return [&wanted](Index a, Index b) { return wanted(5999, a) > wanted(5999, b); };
  };
  std::ranges::sort(by_law, order(still.law.front().wanted));
  std::ranges::sort(by_chance, order(still.chances.front().wanted));
  by_law.resize(6);
  by_chance.resize(6);
  CHECK(by_law == by_chance);
  // Each episode has two concepts, so the estimated probabilities of all concepts sum to about 2.
  CHECK(std::abs(still.law.front().wanted.row(5999).sum() - 2) < 0.1);

  const ConceptUses drifting = zipf_uses({3000, 200, 3, 1, 0.1}, 2);
  const double lru = rate_of("recent", 20, drifting), law = rate_of("known_law", 20, drifting),
               chances = rate_of("known_chances", 20, drifting), optimum = rate_of("belady", 20, drifting),
               learnt = rate_of("learnt", 20, drifting);
  CHECK(lru < learnt);
  CHECK(learnt < law + 0.01);
  CHECK(law < chances);
  CHECK(chances < optimum);
}

TEST_CASE("the foresight of a story is the mean discounted time to the next use",
          "[experiments][forgetting]") {
  StoryOptions options{20'000, 5, 6, 2, 4, 0.4, 0.2};
  const ConceptUses uses = story_uses(options, 3);
  REQUIRE(uses.chances.size() == 5);
  const double discounts[] = {0.5, 0.8, 0.9, 0.95, 0.98};
  for (const std::size_t d : {0U, 2U}) {
    core::Matrix sum = core::Matrix::Zero(5, static_cast<Index>(uses.concepts));
    core::Vector times = core::Vector::Zero(5);
    // For each concept discounts[d]^n, with n the steps until its next use, computed backwards.
    std::vector<double> next(uses.concepts, 0);
    for (std::size_t t = uses.episodes.size() - 200; t-- > 0;) {
      for (double& value : next) value *= discounts[d];
      for (const auto id : uses.episodes[t + 1]) next[id] = discounts[d];
      const auto z = static_cast<Index>(uses.chances[d].state[t]);
      times[z] += 1;
      for (std::size_t i = 0; i < next.size(); ++i) sum(z, static_cast<Index>(i)) += next[i];
    }
    for (Index z = 0; z < 5; ++z)
      for (Index i = 0; i < sum.cols(); ++i)
        REQUIRE(std::abs(sum(z, i) / times[z] - uses.chances[d].wanted(z, i)) < 0.03);
  }
}

TEST_CASE("policies have distinct names, and the ends of the gap are always included",
          "[experiments][forgetting]") {
  std::set<std::string> names;
  for (const Policy& policy : policies()) CHECK(names.insert(policy.name).second);
  const auto chosen = with_gap_ends({"random", "frequent"});
  REQUIRE(chosen.size() == 4);
  CHECK(chosen[0]->name == "frequent");
  CHECK(chosen[1]->name == "random");
  CHECK(chosen[2]->name == "recent");
  CHECK(chosen[3]->name == "belady");
  CHECK_THROWS_AS(make_memories(*chosen[3], 0, {}), std::invalid_argument);
}

// Reference implementation that replays the uses one by one. It evicts the least frequently used concept if `by_count`,
// otherwise the least recently used one.
std::vector<bool> plain_hits(const ConceptUses& uses, std::size_t capacity, bool by_count) {
  // For each stored concept: number of uses (0 unless `by_count`), time of the last use.
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> held;
  std::vector<bool> hits;
  std::size_t now = 0;
  for (const auto& episode : uses.episodes) {
    for (const auto id : episode) hits.push_back(held.contains(id));
    for (const auto id : episode) {
      if (!held.contains(id) && held.size() == capacity)
        held.erase(std::ranges::min_element(held, {}, [](const auto& one) { return one.second; }));
      auto& [times, last] = held[id];
      times += by_count ? 1 : 0;
      last = ++now;
    }
  }
  return hits;
}

TEST_CASE("recent and frequent are LRU and LFU", "[experiments][forgetting]") {
  const ConceptUses uses = zipf_uses({400, 40, 3, 1, 0.5}, 6);
  for (const std::size_t capacity : {1U, 4U, 15U})
    for (const std::string name : {"recent", "frequent"}) {
      const auto memory = std::move(
          make_memories(*std::ranges::find(policies(), name, &Policy::name), capacity, uses).front());
      std::vector<bool> hits;
      for (const auto& episode : uses.episodes) {
        for (const auto id : episode) hits.push_back(memory->holds(id));
        memory->experience(episode);
        std::size_t held = 0;
        for (std::uint32_t id = 0; id < 40; ++id) held += memory->holds(id) ? 1 : 0;
        REQUIRE(held <= capacity);
      }
      CHECK(hits == plain_hits(uses, capacity, name == "frequent"));
    }
}

const Json small_forgetting = {{"experiment", "forgetting"},
                               {"inputs", Json::array()},
                               {"seeds", {1, 2, 3}},
                               {"shares", {0.1, 0.5}},
                               {"zipf", {{"episodes", 120}, {"concepts", 40}}},
                               {"story", {{"episodes", 80}}}};

TEST_CASE("every policy sees every use, and belady has the most hits", "[experiments][forgetting]") {
  const Spec spec = resolve_spec(small_forgetting, "");
  const auto trials = spec.experiment->trials(spec);
  CHECK(trials->prepare().empty());
  REQUIRE(trials->count() == 2 * 3 * 2);
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial) {
    const TrialResult result = trials->run(trial);
    const bool zipf = result.rows.front().at("stream") == "zipf";
    // Only the stream `zipf` has the policy `known_law`.
    CHECK(result.rows.size() == policies().size() - (zipf ? 0 : 1));
    const double most = result.rows.back().at("hits").at(0).get<double>();
    CHECK(result.rows.back().at("method") == "belady");
    for (const Json& row : result.rows) {
      CHECK(row.at("hits").at(0).get<double>() <= most);
      if (zipf) CHECK(row.at("uses").at(0).get<double>() == 360);
      if (zipf) CHECK(row.at("capacity") == (row.at("share") == 0.1 ? 4 : 20));
      rows.push_back(row);
    }
  }
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  CHECK(conclusion.tables.size() == 5);
  CHECK(conclusion.plots.size() == 2);
  CHECK(conclusion.answer.find("learnt closes") != std::string::npos);
}

// Two streams of 10 uses each. The hits are 2 and 4 for `recent`, 6 and 8 for `belady`, 3 and 8 for `useful`. `closed`
// is the share of the gap from `recent` to `belady` that a policy closes: (3 - 2) / (6 - 2) and (8 - 4) / (8 - 4).
TEST_CASE("hit rates and closed gaps match a hand-computed example", "[experiments][forgetting]") {
  Json json = small_forgetting;
  json["policies"] = {"useful"};
  const Spec spec = resolve_spec(json, "");
  std::vector<Json> rows;
  const auto add = [&](int seed, const char* method, std::vector<double> hits, bool generated) {
    rows.push_back({{"trial", seed},
                    {"stream", generated ? "zipf" : "a.nal"},
                    {"generated", generated},
                    {"seed", seed},
                    {"concepts", 40},
                    {"share", 0.1},
                    {"capacity", 4},
                    {"method", method},
                    {"uses", std::vector<double>(hits.size(), 10)},
                    {"hits", hits}});
  };
  add(1, "useful", {3}, true), add(1, "recent", {2}, true), add(1, "belady", {6}, true);
  add(2, "useful", {8}, true), add(2, "recent", {4}, true), add(2, "belady", {8}, true);
  add(1, "useful", {3, 8}, false), add(1, "recent", {2, 4}, false), add(1, "belady", {6, 10}, false);
  const Json summary = spec.experiment->conclude(spec, rows).summary;
  const Json& zipf = summary.at("zipf").at("10 %").at("useful");
  CHECK(zipf.at("hit_rate").at("mean").get<double>() == Approx(0.55));
  CHECK(zipf.at("closed").at("mean").get<double>() == Approx((0.25 + 1) / 2));
  // For a file, `closed` is computed from the hits summed over its blocks.
  const Json& file = summary.at("a").at("10 %").at("useful");
  CHECK(file.at("hit_rate").at("mean").get<double>() == Approx(0.55));
  CHECK(file.at("closed").at("mean").get<double>() == Approx((11.0 - 6) / (16 - 6)));
}

TEST_CASE("the resolved spec of forgetting has every default, and errors name the place of a mistake",
          "[experiments][forgetting]") {
  const auto error = [](const char* name, const Json& value) {
    Json json = small_forgetting;
    json[name] = value;
    try {
      resolve_spec(json, "");
    } catch (const SpecError& told) {
      return std::string(told.what());
    }
    return std::string();
  };
  const Spec spec = resolve_spec({{"experiment", "forgetting"}, {"inputs", Json::array()}}, "");
  CHECK(spec.experiment->methods(spec).size() == policies().size());
  CHECK(spec.resolved.at("zipf").at("swaps") == 0.2);
  CHECK(spec.resolved.at("story").at("situations") == 40);
  CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);
  CHECK(error("policies", {"recnt"}).find("did you mean \"recent\"?") != std::string::npos);
  // `learnt_budget` was a policy in earlier versions. The error lists the policies that exist now.
  const std::string removed = error("policies", {"recent", "learnt_budget"});
  CHECK(removed.find("/policies/1") == 0);
  for (const Policy& policy : policies()) CHECK(removed.find('"' + policy.name + '"') != std::string::npos);
  CHECK(error("shares", {0.2, 0.1}).find("/shares/1") == 0);
  CHECK(error("shares", {0}).find("/shares/0") == 0);
  CHECK(error("zipf", 3).find("/zipf must be an object") == 0);
  CHECK(error("zipf", {{"concepts", 2}}).find("/zipf/active") == 0);
  CHECK(error("zipf", {{"swap", 2}}).find("/zipf/swap: unknown field") == 0);
  CHECK(error("story", {{"jump", 2}}).find("/story/jump") == 0);
  CHECK(error("cues", 3).find("/cues: unknown field") == 0);
  Json nothing = small_forgetting;
  nothing["zipf"] = nothing["story"] = false;
  CHECK_THROWS_AS(resolve_spec(nothing, ""), SpecError);
}

}  // namespace
}  // namespace engram::experiments::forgetting
