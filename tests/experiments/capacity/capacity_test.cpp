// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include "core/hopfield/hopfield_network.hpp"
#include "core/learning/pattern_weights.hpp"
#include "experiments/capacity/figure.hpp"
#include "experiments/capacity/pattern_network.hpp"
#include "experiments/inputs/random_cases.hpp"
#include "experiments/spec/experiment.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;
using engram::core::Index;
using engram::core::Matrix;
using engram::core::Rng;
using engram::core::Vector;

namespace {

TEST_CASE("a network of patterns takes the steps of its couplings", "[experiments][capacity]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed, "capacity_test");
    const auto n = static_cast<Index>(1 + rng.below(60)), p = static_cast<Index>(1 + rng.below(30));
    const Matrix x = random_spins(rng, p, n), w = engram::core::hebb_weights(x);
    const Vector cue = random_state(rng, n);
    PatternNetwork network(x);
    network.start(cue);
    CHECK(std::abs(network.energy() - engram::core::hopfield_energy(w, cue)) < 1e-11);
    CHECK(network.overlap(0) == engram::core::overlaps(x, cue)[0]);
    const auto slow = engram::core::recall_hopfield(w, cue);
    for (const int flips : slow.flips) CHECK(network.sweep() == flips);
    CHECK(network.state() == slow.state);
    network.start(cue);
    network.settle();
    CHECK(network.state() == slow.state);

    engram::core::GlauberDraws draws{0.7, {}, Vector(200)};
    for (double& u : draws.uniforms) {
      u = rng.uniform();
      draws.sites.push_back(static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(n))));
    }
    network.start(cue);
    for (std::size_t t = 0; t < draws.sites.size(); ++t)
      network.glauber(draws.sites[t], 0.7, draws.uniforms[static_cast<Index>(t)]);
    CHECK(network.state() == engram::core::recall_glauber(w, cue, draws).state);
  }
}

TEST_CASE("random cases are what they say", "[experiments]") {
  Rng rng(1, "random_cases_test");
  const Matrix spins = random_spins(rng, 100, 130);
  CHECK((spins.array().abs() == 1).all());
  CHECK(std::abs(spins.mean()) < 0.03);
  const Matrix normal = normal_matrix(rng, 100, 200);
  CHECK(std::abs(normal.mean()) < 0.03);
  CHECK(std::abs(normal.array().square().mean() - 1) < 0.05);
  CHECK(std::abs(normal.array().pow(4).mean() - 3) < 0.3);
  CHECK(std::abs(unit_rows(rng, 5, 7).row(3).norm() - 1) < 1e-12);
  const double flipped =
      (damaged(rng, spins, 4, 0.3).array() != spins.row(4).transpose().array()).cast<double>().mean();
  CHECK(std::abs(flipped - 0.3) < 0.15);
  CHECK(damaged(rng, spins, 4, 0) == Vector(spins.row(4).transpose()));
  const Matrix w = random_links(rng, 9, 0.2).dense();
  CHECK(w == Matrix(w.transpose()));
  CHECK(w.diagonal().isZero());
  for (Index i = 0; i < 9; ++i) CHECK(w(i, (i + 1) % 9) > 0);
}

TEST_CASE("figures have names of their own, and points with labels of their own", "[experiments][capacity]") {
  std::set<std::string> names;
  std::size_t claims = 0;
  for (const Figure& figure : all_figures()) {
    CAPTURE(figure.name);
    CHECK(names.insert(figure.name).second);
    CHECK_FALSE(figure.source.empty());
    CHECK_FALSE(figure.note.empty());
    std::set<std::string> labels;
    for (const Point& point : figure.points) {
      CHECK(labels.insert(point.label).second);
      CHECK(point.repetitions >= 1);
      claims += is_claimed(point) ? 1U : 0U;
    }
  }
  for (const Figure& figure : all_figures())
    if (!figure.rows_of.empty()) CHECK(names.contains(figure.rows_of));
  CHECK(claims >= 50);
}

const Json small = {
    {"experiment", "capacity"}, {"inputs", Json::array()}, {"figures", {"critical_load", "subsets"}}};

std::vector<Json> rows_with(double critical_load) {
  std::vector<Json> rows;
  const auto add = [&](const char* figure, const char* point, double value) {
    rows.push_back({{"trial", rows.size()},
                    {"figure", figure},
                    {"point", point},
                    {"repetition", 0},
                    {"values", {value}}});
  };
  add("critical_load", "critical load", critical_load);
  add("critical_load", "overlap there", 0.967417);
  add("subsets", "k-subsets", 0);
  return rows;
}

TEST_CASE("a mean outside its bounds is told, and which one", "[experiments][capacity]") {
  const Spec spec = resolve_spec(small, "");
  CHECK(spec.experiment->conclude(spec, rows_with(0.1379056)).answer ==
        "3 of 3 claims of the literature are reproduced within their bounds.");
  const Conclusion bad = spec.experiment->conclude(spec, rows_with(0.1379166));
  CHECK(bad.answer ==
        "2 of 3 claims of the literature are reproduced within their bounds; these are not: critical_load, "
        "critical load.");
  CHECK(bad.tables.front().rows[0].back().text == "does not");
  CHECK(bad.tables.front().rows[1].back().text == "agrees");
}

TEST_CASE("a spec of capacity names figures that there are", "[experiments][capacity]") {
  Json json = small;
  json["figures"] = {"critical_lode"};
  std::string message;
  try {
    resolve_spec(json, "");
  } catch (const SpecError& error) {
    message = error.what();
  }
  CHECK(message.find("did you mean \"critical_load\"?") != std::string::npos);
  json["figures"] = {"subsets", "subsets"};
  CHECK_THROWS_AS(resolve_spec(json, ""), SpecError);
  json["figures"] = {"subsets"};
  json["effort"] = 0;
  CHECK_THROWS_AS(resolve_spec(json, ""), SpecError);
}

}  // namespace
