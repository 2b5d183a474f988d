// SPDX-License-Identifier: MIT
#include "experiments/answering/calibration.hpp"

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments::answering {

TEST_CASE("the promise is 1 minus the largest score that was left out", "[experiments][answering]") {
  core::Vector scores(4);
  scores << 1, 0.25, 0.1, 0;
  const std::vector<core::StatementId> none, first{0}, others{2, 1}, two{1, 0}, all{0, 1, 2};
  CHECK(promised(scores, none) == 0);
  CHECK(promised(scores, others) == 0);
  CHECK(promised(scores, first) == 0.75);
  CHECK(promised(scores, two) == 0.9);
  CHECK(promised(scores, all) == 1);
}

TEST_CASE("calibration bins and the expected calibration error match values computed by hand",
          "[experiments][answering]") {
  CHECK(calibration_bins({}).empty());
  CHECK(calibration_error({}) == 0);
  const auto bins =
      calibration_bins({{0.2, false}, {0.4, true}, {0.8, true}, {0.85, true}, {0.995, true}, {1, false}});
  REQUIRE(bins.size() == 3);
  CHECK(bins[0].to == 0.5);
  CHECK(bins[0].questions == 2);
  CHECK(bins[0].promised == Approx(0.3));
  CHECK(bins[0].kept.mean == 0.5);
  CHECK(bins[1].from == 0.8);  // the probability 0.8 is in this bin, because a bin includes its lower bound
  CHECK(bins[1].questions == 2);
  CHECK(bins[1].kept.mean == 1);
  CHECK(bins[2].to == 1);
  CHECK(bins[2].promised == Approx(0.9975));
  CHECK(calibration_error(bins) == Approx((0.2 + 0.175 + 0.4975) / 3));
}

TEST_CASE("calibrated promises have almost no calibration error", "[experiments][answering]") {
  core::Rng rng(3, "promises");
  std::vector<Promise> honest, boasting;
  for (int i = 0; i < 20'000; ++i) {
    const double p = rng.uniform();
    honest.push_back({p, rng.uniform() < p});
    boasting.push_back({p, rng.uniform() < p * p});
  }
  CHECK(calibration_error(calibration_bins(honest)) < 0.01);
  CHECK(calibration_error(calibration_bins(boasting)) > 0.1);
  for (const CalibrationBin& bin : calibration_bins(honest)) {
    CHECK(bin.kept.low <= bin.promised + 0.01);
    CHECK(bin.kept.high >= bin.promised - 0.01);
  }
}

TEST_CASE("the calibration table has a row for each bin and a total over all seeds",
          "[experiments][answering]") {
  const auto row = [](const char* method, const Json& promises) {
    Json json = {{"method", method}, {"part", test}};
    if (!promises.is_null()) json["promises"] = {{"6", promises}};
    return json;
  };
  const std::vector<Json> rows{row("a", {{0.6, true}, {0.97, true}}), row("b", nullptr),
                               row("a", {{0.7, false}, {0.99, true}})};
  RowSet set{"s", "s", "s", true, false, {Gate{6}, Gate{18}}, {}};
  for (const Json& one : rows) set.rows.push_back(&one);
  const Table table = calibration_table(set, {"a", "b"});
  CHECK(table.name == "calibration_s");
  REQUIRE(table.rows.size() == 4);
  const auto texts = [&](std::size_t i) {
    std::string text;
    for (const Cell& one : table.rows[i]) text += one.text + "|";
    return text;
  };
  CHECK(texts(0) == "a|6|0.50 to 0.80|2|0.650|0.500 [0.095, 0.905]|0.150|");
  CHECK(texts(1).find("a|6|0.95 to 0.99|1|0.970|1.000 [0.207, 1.000]|0.030|") == 0);
  CHECK(texts(3).find("a|6|all|4|0.815|0.750") == 0);
  // Mean of |promised - kept| over the 4 questions: (2 x .15 + .03 + .01) / 4.
  CHECK(table.rows[3].back().text == "0.085");
  CHECK(calibration_table(set, {"b"}).rows.empty());
}

}  // namespace engram::experiments::answering
