// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include "core/hopfield/hopfield_theory.hpp"
#include "experiments/capacity/capacity.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;
using namespace engram::experiments::capacity;
using engram::core::Index;
using engram::core::Matrix;
using engram::core::Rng;
using engram::core::Vector;

namespace {

TEST_CASE("random spins and normal matrices have the moments of their distributions", "[experiments]") {
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

TEST_CASE("figure names and point labels are unique", "[experiments][capacity]") {
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

TEST_CASE("a mean outside its bounds is reported with the claim's name", "[experiments][capacity]") {
  const Spec spec = resolve_spec(small, "");
  CHECK(spec.experiment->conclude(spec, rows_with(0.1379056)).answer ==
        "3 of 3 claims of the literature are reproduced within their bounds.");
  const Conclusion bad = spec.experiment->conclude(spec, rows_with(0.1379166));
  CHECK(bad.answer ==
        "2 of 3 claims of the literature are reproduced within their bounds; these are not: critical_load, "
        "critical load.");
  CHECK(bad.tables.front().rows[0].back().text == "differs");
  CHECK(bad.tables.front().rows[1].back().text == "agrees");
}

TEST_CASE("a claim whose bounds exclude the theory is reported as a finite-size effect",
          "[experiments][capacity]") {
  const Spec spec =
      resolve_spec({{"experiment", "capacity"}, {"inputs", Json::array()}, {"figures", {"overlap"}}}, "");
  // Result rows in which patterns are retrieved up to the load `lost_from` and lost beyond it. In theory they are lost
  // beyond 0.138 patterns for each spin.
  const auto answer_with = [&](double lost_from) {
    std::vector<Json> rows;
    for (const Figure& figure : all_figures()) {
      if (figure.name != "overlap") continue;
      for (const Point& point : figure.points) {
        const double retrieved = point.x < 0.135 ? engram::core::retrieval_overlap(point.x) : 0.95;
        rows.push_back({{"trial", rows.size()},
                        {"figure", figure.name},
                        {"point", point.label},
                        {"repetition", 0},
                        {"values", {point.x < lost_from ? retrieved : 0.0}}});
      }
    }
    return spec.experiment->conclude(spec, rows);
  };
  const Conclusion within = answer_with(0.165);
  CHECK(within.answer ==
        "7 of 7 claims of the literature are reproduced within their bounds. Within a finite-size bound that "
        "excludes the theory of infinitely many spins: retrieved, half are lost at load.");
  CHECK(within.tables.front().rows.back().back().text == "within the finite-size bound");
  const Conclusion outside = answer_with(0.145);
  CHECK(outside.tables.front().rows.back().back().text == "outside the finite-size bound");
  CHECK(outside.answer.find("these are not: retrieved, half are lost at load.") != std::string::npos);
  CHECK(outside.answer.find("finite-size") == std::string::npos);
}

TEST_CASE("capacity refuses unknown figures", "[experiments][capacity]") {
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
