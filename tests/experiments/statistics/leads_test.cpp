// SPDX-License-Identifier: MIT
#include "experiments/statistics/statistics.hpp"

#include "experiments/formats/tables.hpp"
#include "experiments/prediction/predictors.hpp"
#include "experiments/spec/method_choice.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using namespace engram::experiments::prediction;

namespace {

// Values of three methods for eight cues. Method a is far above b, and c is similar to a.
const std::vector<double> a{0.9, 0.8, 0.95, 0.85, 0.9, 0.7, 0.99, 0.8},
    b{0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.4, 0.3}, c{0.8, 0.9, 0.9, 0.84, 0.91, 0.71, 0.9, 0.8};

Table three_rows() {
  Table table{"t", "", {"method", "value"}, {}};
  for (const char* name : {"a", "b", "c"}) table.rows.push_back({cell(name), cell("0")});
  return table;
}

}  // namespace

TEST_CASE("a lead is the paired difference with its interval, p value and effect sizes",
          "[experiments][leads]") {
  const Leads leads = find_leads({"a", "b"}, {{"m", {a, b}}});
  REQUIRE(leads.leads.size() == 1);
  const Lead& lead = leads.leads[0];
  std::vector<double> difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(a[i] - b[i]);
  CHECK(lead.best == 0);
  CHECK(lead.other == 1);
  CHECK(lead.pairs == 8);
  CHECK(lead.difference.mean == bootstrap_mean(difference)->mean);
  CHECK(lead.difference.low == bootstrap_mean(difference)->low);
  CHECK(lead.test.p == 2 / 256.0);  // all eight differences have the same sign, so p = 2 / 2^8
  CHECK(lead.corrected == lead.test.p);
  CHECK(lead.delta == 1);
  CHECK(*lead.d_z == *effect_size(difference));
  CHECK(lead.clear);
  CHECK(leads.has_winner(0));
}

TEST_CASE("the clause names a lead that may be chance, which prevents a winner", "[experiments][leads]") {
  const Leads leads = find_leads({"a", "b", "c"}, {{"m", {a, b, c}}});
  CHECK(lead_clause(leads, 0) == "its lead over c may be chance");
  CHECK_FALSE(leads.has_winner(0));
  CHECK(lead_clause(find_leads({"a", "b"}, {{"m", {a, b}}}), 0) ==
        "its lead over every other method is clear of zero");
  CHECK(lead_clause(find_leads({"a", "b"}, {{"m", {{0.9}, {0.1}}}}), 0) ==
        "with so few values, every lead may be chance");
}

TEST_CASE("the clause names methods with the same mean as the best", "[experiments][leads]") {
  CHECK(lead_clause(find_leads({"a", "d", "b"}, {{"m", {a, a, b}}}), 0) ==
        "d has the same mean; its lead over every other method is clear of zero");
  CHECK(lead_clause(find_leads({"a", "d", "c", "e"}, {{"m", {a, a, c, a}}}), 0) ==
        "d, e have the same mean; its lead over c may be chance");
  CHECK(lead_clause(find_leads({"a", "d"}, {{"m", {a, a}}}), 0) == "d has the same mean");
  CHECK(lead_clause(find_leads({"a", "b"}, {{"m", {{1}, {1}}}}), 0) == "b has the same mean");
}

TEST_CASE("p values are corrected over all measures of a table, which can cost a winner",
          "[experiments][leads]") {
  // The corrected p is 6 x 2/256 <= 0.05 for six comparisons, but 7 x 2/256 > 0.05 for seven.
  for (const std::size_t measures : {6U, 7U}) {
    const Leads leads = find_leads({"a", "b"}, std::vector<Measure>(measures, {"m", {a, b}}));
    CHECK(leads.leads[0].corrected == static_cast<double>(measures) * 2 / 256);
    CHECK(leads.has_winner(0) == (measures == 6));
  }
}

TEST_CASE("the best is the lowest if lower is better, and a tie goes to the first", "[experiments][leads]") {
  const Leads leads = find_leads({"a", "b"}, {{"rank", {a, b}, false}, {"tie", {a, a}}});
  CHECK(leads.best[0] == std::size_t{1});
  CHECK(leads.leads[0].difference.mean < 0);
  CHECK(leads.leads[0].delta == -1);
  CHECK(leads.has_winner(0));
  CHECK(leads.best[1] == std::size_t{0});
  CHECK(leads.leads[1].test.p == 1);
  CHECK_FALSE(leads.has_winner(1));
}

TEST_CASE("five pairs never have a winner", "[experiments][leads]") {
  const Leads five = find_leads({"a", "b"}, {{"m", {{1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}}}});
  CHECK_FALSE(five.has_winner(0));
  const Leads six = find_leads({"a", "b"}, {{"m", {{1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}}}});
  CHECK(six.has_winner(0));
}

TEST_CASE("an unmeasured method has no lead, and a measure without values has no best",
          "[experiments][leads]") {
  const Leads leads = find_leads({"a", "b"}, {{"m", {a, {}}}, {"none", {{}, {}}}});
  CHECK(leads.best[0] == std::size_t{0});
  CHECK(leads.leads.empty());
  CHECK_FALSE(leads.has_winner(0));  // the other method has no values, so there is no competitor
  CHECK_FALSE(leads.best[1]);
  CHECK_FALSE(leads.has_winner(1));
}

TEST_CASE("only a winner is marked, in its row and column", "[experiments][leads]") {
  Table table = three_rows();
  mark_winners(table, find_leads({"a", "b", "c"}, {{"m", {b, a, b}}}), {0}, {1});
  CHECK_FALSE(table.rows[0][1].winner);
  CHECK(table.rows[1][1].winner);
  CHECK_FALSE(table.rows[1][0].winner);
  table = three_rows();
  mark_winners(table, find_leads({"a", "b", "c"}, {{"m", {a, b, c}}}), {0}, {1});
  for (const auto& row : table.rows) CHECK_FALSE(row[1].winner);
}

TEST_CASE("the table of leads has a row for each lead and names the correction", "[experiments][leads]") {
  const Table table = leads_table(
      find_leads({"a", "b", "c"}, {{"m", {a, b, c}}, {"rank", {a, b, c}, false, 1}}), "cue by cue");
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0][2].text == "b");
  CHECK(table.rows[0][9].text == "yes");
  CHECK(table.rows[1][9].text == "no");
  CHECK(table.rows[2][1].text == "b");  // lower values of `rank` are better, so b is the best
  CHECK(contains(table.caption, "over the 4 rows"));
  CHECK(contains(table.caption, "cue by cue"));
}

TEST_CASE("baselines are added once, whatever the labels of other methods", "[experiments][baselines]") {
  const auto names = [](const std::vector<MethodChoice>& methods) {
    std::vector<std::string> labels;
    for (const MethodChoice& method : methods) labels.push_back(method.label);
    return labels;
  };
  CHECK(names(with_baselines({})) == std::vector<std::string>{"overlap", "frequency", "uniform"});
  const auto all = with_baselines(
      {{"chance", core::ConfiguredMethod("uniform")}, {"overlap", core::ConfiguredMethod("attention")}});
  CHECK(names(all) == std::vector<std::string>{"chance", "overlap", "baseline overlap", "frequency"});
  CHECK(all[2].method.name() == "overlap");
  CHECK(with_prediction_baselines({"frequency", "recency"}) ==
        std::vector<std::string>{"frequency", "recency", "markov", "uniform"});
}
