// SPDX-License-Identifier: MIT
// The share of walks that hubs attract on the example files, under every link rule and learning rule.
#include <fstream>
#include <numeric>

#include "core/graph/link_learning.hpp"
#include "core/session/session.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

Session read(const std::string& file, const std::optional<LinkLearning>& learning) {
  Session session(with_rule(learning));
  std::ifstream in(ENGRAM_SOURCE_DIR "/experiments/data/" + file);
  REQUIRE(session.read(in).accepted > 100);
  return session;
}

// The `count` concepts with the highest activity.
std::vector<ConceptId> hubs_of(const MemoryIndex& memory, std::size_t count) {
  auto ids = memory.active_concepts();
  std::stable_sort(ids.begin(), ids.end(),
                   [&](ConceptId a, ConceptId b) { return memory.activity(a) > memory.activity(b); });
  ids.resize(count);
  return ids;
}

// The mean share of steps from other concepts that lead to a hub.
double taken_by(const std::vector<ConceptId>& hubs, const SparseRows& links) {
  double shares = 0;
  int concepts = 0;
  for (Index i = 0; i < links.rows(); ++i) {
    if (std::ranges::count(hubs, static_cast<ConceptId>(i)) > 0) continue;
    double all = 0, to_hubs = 0;
    for (std::size_t k = 0; k < links.columns_of(i).size(); ++k) {
      all += links.values_of(i)[k];
      if (std::ranges::count(hubs, links.columns_of(i)[k]) > 0) to_hubs += links.values_of(i)[k];
    }
    if (!(all > 0)) continue;
    shares += to_hubs / all;
    ++concepts;
  }
  return shares / concepts;
}

std::map<std::string, double> hub_shares(const std::string& file) {
  Session without = read(file, {});
  const MemoryIndex& plain = without.index();
  const auto hubs = hubs_of(plain, 5);
  std::map<std::string, double> taken;
  const auto note = [&](std::string name, std::string_view rule, const SparseRows& links) {
    taken[name.append(rule)] = taken_by(hubs, links);
  };
  for (const auto& facts : link_rules)
    note("counts by ", facts.name, link_weights(facts.value, plain.links(), plain.activity(), plain.total()));
  for (const LearningRuleFacts& facts : learning_rules)
    note("learnt by ", facts.name, read(file, LinkLearning{.rule = facts.value}).index().learnt());
  return taken;
}

// With plain counts, 45 % of the steps from other concepts of the family lead to one of five hubs (parent, grandfather,
// ...).
TEST_CASE("hubs attract half of the steps with plain counts, and far fewer with normalised weights",
          "[hubs]") {
  auto family = hub_shares("family.nal");
  const double plain = family["counts by hebb"];
  CHECK(plain == Approx(0.454).margin(0.001));
  CHECK(family["learnt by hebb"] == Approx(plain).epsilon(1e-9));
  CHECK(family["counts by covariance"] == Approx(0.288).margin(0.001));
  CHECK(family["learnt by covariance"] == Approx(family["counts by covariance"]).epsilon(1e-9));
  CHECK(family["counts by cosine"] < 0.6 * plain);
  CHECK(family["counts by correlation"] == Approx(0.168).margin(0.001));
  CHECK(family["learnt by oja"] == Approx(0.247).margin(0.001));
  CHECK(family["learnt by storkey"] < 0.65 * plain);
  // Decay and the threshold of bcm do not hold back a concept that is in a tenth of all episodes.
  CHECK(family["learnt by decay"] > 0.9 * plain);
  CHECK(family["learnt by bcm"] > 0.9 * plain);

  auto living = hub_shares("living_things.nal");
  for (const char* rule :
       {"counts by correlation", "counts by cosine", "learnt by oja", "learnt by storkey"}) {
    INFO(rule);
    CHECK(living[rule] < 0.9 * living["counts by hebb"]);
  }
  // If the concepts are about equally common, the rule makes little difference.
  for (const auto& [rule, share] : hub_shares("day_at_the_farm.nal")) {
    INFO(rule);
    CHECK(share > 0.1);
    CHECK(share < 0.13);
  }
}

}  // namespace
}  // namespace engram::core
