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

double rate_of(const std::string& name, std::size_t capacity, const ConceptUses& uses) {
  const auto policy = std::ranges::find(policies(), name, &Policy::name);
  double best = -1;
  for (const auto& memory : policy->make(capacity, uses, 1)) {
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

TEST_CASE("popular concepts come as often as Zipf has it, and drift", "[experiments][forgetting]") {
  ZipfOptions options{20'000, 30, 1, 1.5, 0};
  const ConceptUses still = zipf_uses(options, 4);
  CHECK(still.episodes == zipf_uses(options, 4).episodes);
  CHECK(still.episodes != zipf_uses(options, 5).episodes);
  std::vector<double> times(30), weights(30);
  for (const auto& episode : still.episodes) {
    REQUIRE(episode.size() == 1);
    times[episode.front()] += 1;
  }
  // One draw an episode: the chance of each is its weight, which who knows the chances is told.
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
  // Two of 30 change at each of 1.5 swaps, but where both are the same one.
  CHECK(std::abs(moved / 400.0 - 1.5 * 2 * 29 / 30) < 0.3);
}

TEST_CASE("who knows the law of a drift comes near who knows the chances, and never sees more",
          "[experiments][forgetting]") {
  const ConceptUses still = zipf_uses({6000, 15, 2, 1.2, 0}, 9);
  // After long enough without drift the filter ranks concepts by their chances.
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
  // Its beliefs sum to as many concepts as an episode has.
  CHECK(std::abs(still.law.front().wanted.row(5999).sum() - 2) < 0.1);

  const ConceptUses drifting = zipf_uses({3000, 200, 3, 1, 0.1}, 2);
  const double lru = rate_of("least_recently_used", 20, drifting), law = rate_of("known_law", 20, drifting),
               chances = rate_of("known_chances", 20, drifting), optimum = rate_of("belady", 20, drifting),
               learnt = rate_of("learnt_budget", 20, drifting);
  CHECK(lru < learnt);
  CHECK(learnt < law + 0.01);
  CHECK(law < chances);
  CHECK(chances < optimum);
}

TEST_CASE("who knows a story's situation expects what the story then brings", "[experiments][forgetting]") {
  StoryOptions options{20'000, 5, 6, 2, 4, 0.4, 0.2};
  const ConceptUses uses = story_uses(options, 3);
  REQUIRE(uses.chances.size() == 5);
  const double discounts[] = {0.5, 0.8, 0.9, 0.95, 0.98};
  for (const std::size_t d : {0U, 2U}) {
    core::Matrix sum = core::Matrix::Zero(5, static_cast<Index>(uses.concepts));
    core::Vector times = core::Vector::Zero(5);
    std::vector<double> next(uses.concepts, 0);  // g^steps until the next use, from the end backwards
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

TEST_CASE("policies have names of their own, and the bounds are always there", "[experiments][forgetting]") {
  std::set<std::string> names;
  for (const Policy& policy : policies()) CHECK(names.insert(policy.name).second);
  const auto chosen = with_bounds({"random", "arc"});
  REQUIRE(chosen.size() == 4);
  CHECK(chosen[0]->name == "arc");
  CHECK(chosen[1]->name == "least_recently_used");
  CHECK(chosen[2]->name == "random");
  CHECK(chosen[3]->name == "belady");
}

const Json small_forgetting = {{"experiment", "forgetting"},
                               {"inputs", Json::array()},
                               {"seeds", {1, 2, 3}},
                               {"shares", {0.1, 0.5}},
                               {"zipf", {{"episodes", 120}, {"concepts", 40}}},
                               {"story", {{"episodes", 80}}}};

TEST_CASE("every policy sees every use, and none exceeds the optimum", "[experiments][forgetting]") {
  const Spec spec = resolve_spec(small_forgetting, "");
  const auto trials = spec.experiment->trials(spec);
  CHECK(trials->prepare().empty());
  REQUIRE(trials->count() == 2 * 3 * 2);
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial) {
    const TrialResult result = trials->run(trial);
    const bool zipf = result.rows.front().at("stream") == "zipf";
    CHECK(result.rows.size() == policies().size() - (zipf ? 0 : 1));  // known_law is of zipf alone
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
  CHECK(conclusion.answer.find("learnt_budget closes") != std::string::npos);
}

// Two streams: of 10 uses lru hits 2 and 4, the optimum 6 and 8, arc 3 and 8.
TEST_CASE("the share of the gap is what a hand count gives", "[experiments][forgetting]") {
  Json json = small_forgetting;
  json["policies"] = {"arc"};
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
  add(1, "arc", {3}, true), add(1, "least_recently_used", {2}, true), add(1, "belady", {6}, true);
  add(2, "arc", {8}, true), add(2, "least_recently_used", {4}, true), add(2, "belady", {8}, true);
  add(1, "arc", {3, 8}, false), add(1, "least_recently_used", {2, 4}, false),
      add(1, "belady", {6, 10}, false);
  const Json summary = spec.experiment->conclude(spec, rows).summary;
  const Json& zipf = summary.at("zipf").at("10 %").at("arc");
  CHECK(zipf.at("hit_rate").at("mean").get<double>() == Approx(0.55));
  CHECK(zipf.at("closed").at("mean").get<double>() == Approx((0.25 + 1) / 2));
  const Json& file = summary.at("a").at("10 %").at("arc");  // hits of all blocks by the gap of all
  CHECK(file.at("hit_rate").at("mean").get<double>() == Approx(0.55));
  CHECK(file.at("closed").at("mean").get<double>() == Approx((11.0 - 6) / (16 - 6)));
}

TEST_CASE("the spec of forgetting shows every default, and its mistakes are told by their place",
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
  CHECK(error("policies", {"arcc"}).find("did you mean \"arc\"?") != std::string::npos);
  CHECK(error("policies", {"arc", "lru"}) ==
        "/policies/1 must be the policy's name of today, \"least_recently_used\", found \"lru\"");
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
