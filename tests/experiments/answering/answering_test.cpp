// SPDX-License-Identifier: MIT
#include "experiments/answering/answering.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>

#include "experiments/spec/experiment.hpp"
#include "tests/experiments/answering/trial_rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::answering;
using namespace engram::testing;

namespace {

std::string answering_error(const Json& changes) {
  Json json = {{"experiment", "answering"}, {"inputs", Json::array()}};
  json.update(changes);
  try {
    resolve_spec(json, "");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

bool begins_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

const Json& row_of(const std::vector<Json>& rows, const std::string& method) {
  for (const Json& row : rows)
    if (row.at("method") == method) return row;
  throw std::out_of_range(method);
}

// A result row as the experiment writes it.
Json made_row(const std::string& set, std::uint64_t seed, const std::string& method,
              const std::vector<double>& kept) {
  return {{"trial", seed},     {"set", set},     {"part", "test"},
          {"statements", 100}, {"questions", 2}, {"needed", {2, 2}},
          {"method", method},  {"seed", seed},   {"measures", {{"kept 2x", kept}, {"whole 2x", kept}}}};
}

}  // namespace

TEST_CASE("answering's resolved spec has every default, and errors have their place",
          "[experiments][answering]") {
  const Json json = {{"experiment", "answering"},
                     {"inputs", Json::array()},
                     {"ablation", {{{"method", "attention"}, {"changes", {{{"beta", 2}}, {{"steps", 1}}}}}}}};
  const Spec spec = resolve_spec(json, "");
  const AnsweringOptions& options =
      dynamic_cast<const ExperimentOf<AnsweringOptions>&>(*spec.experiment).options();
  REQUIRE(options.sets.size() == 4);
  CHECK(options.sets[1].label == "families 3000");
  CHECK(options.sets[1].gates[0].capacity(3) == 12);
  CHECK(options.sets[3].label == "chains 300");
  CHECK(options.sets[3].gates[1].capacity(4) == 8);
  // All methods that work untrained and are not variants of another.
  CHECK(spec.methods.size() ==
        static_cast<std::size_t>(std::ranges::count(core::methods(), false, &core::Method::only_by_name)));
  REQUIRE(options.ablation.size() == 1);
  CHECK(options.ablation[0].changed[0].label == "attention, beta 2");
  CHECK(std::get<double>(options.ablation[0].changed[0].method.options().at("beta")) == 2);
  CHECK(std::get<double>(options.ablation[0].changed[1].method.options().at("beta")) == 8);
  CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);

  const auto set = [](const Json& members) { return Json{{"sets", {members}}}; };
  CHECK(begins_with(answering_error({{"sets", Json::array()}}), "/inputs must "));
  CHECK(begins_with(answering_error(set({{"kind", "family"}})), "/sets/0/kind must be one of "));
  CHECK(begins_with(answering_error(set({{"kind", "families"}, {"noise", 0.1}})),
                    "/sets/0/noise: unknown field "));
  CHECK(begins_with(answering_error(set({{"kind", "events"}, {"noise", 0.1}})),
                    "/sets/0/noise: unknown field "));
  CHECK(begins_with(answering_error(set({{"kind", "chains"}, {"longest", 1}})), "/sets/0/longest must "));
  CHECK(begins_with(answering_error(set({{"kind", "chains"}, {"groups", 0}})), "/sets/0/groups must "));
  CHECK(begins_with(answering_error({{"sets", {{{"kind", "chains"}}, {{"kind", "chains"}}}}}), "/sets/1: "));
  for (const Json& wrong : {Json("x"), Json("0x"), Json("03x"), Json("3"), Json("-1x"), Json(0), Json(1.5)})
    CHECK(begins_with(answering_error({{"capacities", {wrong}}}), "/capacities/0 must "));
  CHECK(begins_with(answering_error({{"capacities", {3, 3}}}), "/capacities/1: '3' stands twice"));
  CHECK(begins_with(answering_error({{"cutoffs", {0}}}), "/cutoffs/0 must "));
  const auto ablation = [](const Json& one) { return Json{{"ablation", {one}}}; };
  CHECK(begins_with(answering_error(ablation({{"method", "attention"}})), "/ablation/0/changes must "));
  CHECK(begins_with(answering_error(ablation({{"method", "attention"}, {"changes", {{{"bete", 2}}}}})),
                    "/ablation/0/changes/0/bete: "));
  CHECK(begins_with(
      answering_error(ablation({{"method", "attention"}, {"changes", {{{"beta", 2}}, {{"beta", 2}}}}})),
      "/ablation/0: 'attention, beta 2' stands twice"));
}

TEST_CASE("answering's measures of a file match values computed by hand", "[experiments][answering]") {
  const Folder folder("answering");
  write(folder.path / "a.nal",
        "<a --> b>.\n<b --> c>.\n<x --> y>.\n<a --> z>.\n"
        "<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
        "<x --> ?1>?\n//expected: Answer: <x --> y>.\n"
        "<q --> r>?\n<y --> x>?\n//expected: Answer: None.\n");
  const Spec spec = resolve_spec({{"experiment", "answering"},
                                  {"inputs", {"a.nal"}},
                                  {"sets", Json::array()},
                                  {"methods", {"overlap"}},
                                  {"capacities", {1, "1x", "2x"}},
                                  {"cutoffs", {1, 3}}},
                                 folder.path);
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 5);  // overlap, frequency, uniform; everything, oracle
  const Json& row = row_of(rows, "overlap");
  CHECK(row.at("questions") == 3);  // <q --> r> names no premises; <y --> x> has no answer
  CHECK(row.at("needed") == Json{2});
  const auto values = [&](const Json& of, const char* name) {
    return of.at("measures").at(name).get<std::vector<double>>();
  };
  // <a --> b>, <b --> c> and <a --> z> each share one of three words with the question, <x --> y> shares none. The
  // three are tied, so the measures are expectations over their orders.
  CHECK(values(row, "given 1") == std::vector<double>{1});
  CHECK(values(row, "given 2x") == std::vector<double>{3});
  CHECK(values(row, "kept 1")[0] == Approx(1.0 / 3));
  CHECK(values(row, "kept 1x")[0] == Approx(2.0 / 3));
  CHECK(values(row, "whole 1x")[0] == Approx(1.0 / 3));
  CHECK(values(row, "kept 2x") == std::vector<double>{1});
  CHECK(values(row, "whole 1") == std::vector<double>{0});
  CHECK(values(row, "whole 2x") == std::vector<double>{1});
  for (const auto& [arm, given] : {std::pair("oracle", 2.0), {"everything", 4.0}}) {
    CHECK(values(row_of(rows, arm), "given 1") == std::vector<double>{given});
    CHECK(values(row_of(rows, arm), "whole 1") == std::vector<double>{1});
  }
  const double first = 2.0 / 3 + 1.0 / 3 / 2;  // the first premise is first in two of three orders
  CHECK(std::abs(values(row, "statements MRR")[0] - first) < 1e-15);
  CHECK(std::abs(values(row, "statements nDCG@1")[0] - 2.0 / 3) < 1e-15);
  // Wanted concepts: b of {b, x, y, z} for the first question, y of {a, b, c, y, z} for the second.
  REQUIRE(values(row, "concepts recall@1").size() == 2);
  CHECK(values(row, "concepts recall@1")[0] == 1);  // b is in both premises, z in one statement
  CHECK(values(row, "concepts recall@1")[1] == 1);
  const Json& uniform = row_of(rows, "uniform");
  CHECK(values(uniform, "given 2x") == std::vector<double>{4});
  CHECK(values(uniform, "concepts recall@1") == std::vector<double>{0.25, 0.2});
  REQUIRE(row.at("shown").size() == 1);
  CHECK(row.at("shown")[0].at("ranks") == Json{2.0, 2.0});
  CHECK(rows[0].at("asked")[0].at("proofs") == Json{{0, 1}});
  CHECK(rows[0].at("texts").at("1") == "<b --> c>.");

  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  std::vector<std::string> names;
  for (const Table& table : conclusion.tables) names.push_back(table.name);
  CHECK(names == std::vector<std::string>{"whole", "kept", "whole_leads", "kept_leads", "gates_a_nal",
                                          "lengths_a_nal", "ranking_a_nal"});
  CHECK(conclusion.tables[0].head == std::vector<std::string>{"method", "a.nal: 1"});
  CHECK(conclusion.tables[0].rows.back()[0].text == "oracle");
  CHECK(conclusion.tables[0].rows.back()[1].raw == "1");
  const Table& gates = conclusion.tables[4];
  CHECK(gates.head == std::vector<std::string>{"method", "1", "given", "1x", "given", "2x", "given"});
  CHECK(gates.rows[0][5].raw == "1");
  CHECK(gates.rows[0][6].raw == "3");
  CHECK(conclusion.tables[5].head == std::vector<std::string>{"method", "2 (1)"});
  REQUIRE(conclusion.plots.size() == 1);  // one capacity and one length give no curve
  CHECK(conclusion.plots[0].name == "whole_a_nal");
  CHECK(conclusion.plots[0].series[0].points.size() == 3);
  REQUIRE(conclusion.pages.size() == 1);
  CHECK(conclusion.pages[0].path == "cues/1-1.html");
  CHECK(conclusion.pages[0].html.find("It lacks:") != std::string::npos);
  CHECK(conclusion.answer == "No allocator gives a whole proof for any question.");

  write(folder.path / "b.nal", "<a --> b>.\n<a --> b>?\n");
  const Spec unlabelled = resolve_spec(
      {{"experiment", "answering"}, {"inputs", {"b.nal"}}, {"sets", Json::array()}}, folder.path);
  CHECK_THROWS_AS(unlabelled.experiment->trials(unlabelled)->prepare(), SpecError);
}

TEST_CASE(
    "`questions` limits a file's questions, and curves go over selected statements, capacities and proof "
    "lengths",
    "[experiments][answering]") {
  const Folder folder("curves");
  write(folder.path / "a.nal",
        "<a --> b>.\n<b --> c>.\n<c --> d>.\n"
        "<a --> c>?\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
        "<a --> d>?\n//needed: <a --> b>.\n//needed: <b --> c>.\n//needed: <c --> d>.\n"
        "<b --> d>?\n//needed: <b --> c>.\n//needed: <c --> d>.\n");
  const auto conclusion_of = [&](std::size_t questions) {
    const Spec spec = resolve_spec({{"experiment", "answering"},
                                    {"inputs", {"a.nal"}},
                                    {"sets", Json::array()},
                                    {"methods", {"overlap"}},
                                    {"capacities", {2, 3, "1x", {{"capacity", 3}, {"share", 0.5}}}},
                                    {"questions", questions}},
                                   folder.path);
    const std::vector<Json> rows = rows_of(spec);
    CHECK(row_of(rows, "oracle").at("questions") == questions);
    return spec.experiment->conclude(spec, rows);
  };
  CHECK(conclusion_of(1).plots.size() == 2);
  const std::vector<Plot> plots = conclusion_of(2).plots;
  REQUIRE(plots.size() == 3);
  CHECK(plots[0].name == "whole_a_nal");
  CHECK(plots[1].name == "whole_by_capacity_a_nal");
  CHECK(plots[2].name == "whole_by_length_a_nal");
  const auto& capacities = plots[1].series[0].points;
  REQUIRE(capacities.size() == 2);
  CHECK(capacities[0].x == 2);
  CHECK(capacities[1].x == 3);
  CHECK(capacities[1].y == 0.5);  // no question word of <a --> d> leads to b and c
  const auto& lengths = plots[2].series[0].points;
  REQUIRE(lengths.size() == 2);
  CHECK(lengths[0].x == 2);
  CHECK(lengths[1].x == 3);
  CHECK(lengths[1].y == 0);
}

TEST_CASE("each seed generates its own sets, and only sets for the ablation have its configurations",
          "[experiments][answering]") {
  const Json json = {{"experiment", "answering"},
                     {"inputs", Json::array()},
                     {"sets",
                      {{{"kind", "families"}, {"groups", 5}, {"questions", 3}},
                       {{"kind", "chains"}, {"groups", 12}, {"questions", 4}, {"label", "hard"}}}},
                     {"methods", {"bidirectional_spreading"}},
                     {"ablation", {{{"method", "cosine"}, {"label", "c"}, {"changes", {Json::object()}}}}},
                     {"seeds", {7, 8}}};
  // An ablation without changes would have the label of its base method.
  CHECK(begins_with(answering_error(json), "/ablation/0: 'c' stands twice"));
  Json with_change = json;
  with_change["ablation"] = {{{"method", "attention"}, {"changes", {{{"steps", 1}}}}}};
  const Spec spec = resolve_spec(with_change, "");
  const std::vector<Json> rows = rows_of(spec);
  // Baselines and arms for each set, configurations only for the chains.
  REQUIRE(rows.size() == 2 * 6 + 2 * 8);
  for (const Json& row : rows) {
    const auto kept = row.at("measures").at(row.at("set") == "hard" ? "kept 3x" : "kept 12");
    CHECK(row.at("questions") == kept.size());
    if (row.at("method") == "bidirectional_spreading" && row.at("set") == "families 5")
      for (const Json& share : kept) CHECK(share == 1);
    const bool is_method = row.at("method") == "bidirectional_spreading" || row.at("method") == "overlap" ||
                           row.at("method") == "frequency" || row.at("method") == "uniform";
    CHECK(row.contains("shown") == (row.at("seed") == 7 && is_method));
  }
  CHECK(rows[0].at("seed") == 7);
  CHECK(rows[6].at("seed") == 8);
  CHECK(rows_of(spec) == rows);
  const std::vector<RowSet> sets =
      row_sets(dynamic_cast<const ExperimentOf<AnsweringOptions>&>(*spec.experiment).options(), rows);
  REQUIRE(sets.size() == 2);
  CHECK_FALSE(sets[0].ablation);
  CHECK(sets[1].ablation);
  CHECK(row_values(sets[1], "overlap", "kept 3x").size() == 2);  // one for each seed
  CHECK(row_values(sets[1], "overlap", "kept 12").empty());
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  CHECK(conclusion.tables.back().name == "ablation");
  CHECK(conclusion.pages.size() == 3 + 4);
}

TEST_CASE("a question counts as kept if one of its known proofs is selected", "[experiments][answering]") {
  const Folder folder("proofs");
  write(folder.path / "a.nal",
        "<a --> b>.\n<b --> c>.\n<a --> d>.\n<d --> c>.\n<d --> e>.\n<a --> c>?\n"
        "//needed: <a --> b>.\n//needed: <b --> c>.\n//or:\n//needed: <a --> d>.\n//needed: <d --> c>.\n");
  const Spec spec = resolve_spec({{"experiment", "answering"},
                                  {"inputs", {"a.nal"}},
                                  {"sets", Json::array()},
                                  {"methods", {"uniform"}},
                                  {"capacities", {1, 2, 3, 4, 5}}},
                                 folder.path);
  // For a random order of the five statements: whether one of the two proofs is among the first k. More capacity never
  // loses a proof, and any four of the five statements contain one.
  const std::vector<Json> rows = rows_of(spec);
  const Json& measures = row_of(rows, "uniform").at("measures");
  CHECK(measures.at("whole 1") == Json{0.0});
  CHECK(measures.at("whole 4") == Json{1.0});
  CHECK(measures.at("whole 2").at(0) <= measures.at("whole 3").at(0));
  CHECK(row_of(rows, "overlap").at("measures").at("whole 4") == Json{1.0});  // all but <d --> e>
  CHECK(row_of(rows, "overlap").at("measures").at("whole 1") == Json{0.0});
}

TEST_CASE("files are shown without their folders unless two have the same name", "[experiments][answering]") {
  const auto titles = [](const std::vector<std::string>& labels) {
    std::vector<Json> rows;
    for (const std::string& label : labels) {
      rows.push_back(made_row(label, 1, "overlap", {1}));
      rows.back().erase("seed");
    }
    std::vector<std::string> all;
    for (const RowSet& set : row_sets({}, rows)) all.push_back(set.title);
    return all;
  };
  CHECK(titles({"../data/a.nal", "b.nal"}) == std::vector<std::string>{"a.nal", "b.nal"});
  CHECK(titles({"x/a.nal", "y/a.nal", "b.nal"}) == std::vector<std::string>{"x/a.nal", "y/a.nal", "b.nal"});
}

TEST_CASE("each seed draws other WordNet questions, and rows have the digests of WordNet's files",
          "[experiments][answering]") {
  const Spec spec = resolve_spec({{"experiment", "answering"},
                                  {"inputs", Json::array()},
                                  {"sets", {{{"kind", "wordnet"}, {"questions", 5}, {"capacities", {3}}}}},
                                  {"methods", {"overlap"}},
                                  {"seeds", {1, 2}}},
                                 "");
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 * 5);
  for (const Json& row : rows) {
    CHECK(row.at("set") == "wordnet");
    CHECK(row.at("questions") == 10);     // half of them do not hold
    CHECK(row.at("sha256").size() == 2);  // data.noun and index.noun
    CHECK(row.at("measures").at("whole 3").size() == 5);
  }
  CHECK(rows[0].at("statements") == rows[5].at("statements"));
  CHECK(rows[0].at("asked").size() == 5);
  CHECK(begins_with(answering_error({{"sets", {{{"kind", "wordnet"}, {"groups", 3}}}}}),
                    "/sets/0/groups: unknown field "));
}

TEST_CASE("taxonomies and events are generated by number of groups and measured like chains",
          "[experiments][answering]") {
  const Spec spec = resolve_spec({{"experiment", "answering"},
                                  {"inputs", Json::array()},
                                  {"sets",
                                   {{{"kind", "taxonomies"}, {"groups", 4}, {"questions", 3}},
                                    {{"kind", "events"}, {"groups", 4}, {"questions", 3}}}},
                                  {"methods", {"spreading_activation"}},
                                  {"seeds", {7}}},
                                 "");
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 * 6);
  for (const Json& row : rows) {
    CHECK(row.at("statements") == (row.at("set") == "taxonomies 4" ? 100 : 80));
    CHECK(row.at("questions") == 3);
    const auto& kept = row.at("measures").at("kept 3x");
    for (const Json& share : kept) {
      if (row.at("method") == "spreading_activation") CHECK(share.get<double>() > 0.24);
    }
    CHECK(row.at("measures").contains("kept 2x"));
  }
}

TEST_CASE("theories and compositions are generated by number of groups, with their flags",
          "[experiments][answering]") {
  const Spec spec =
      resolve_spec({{"experiment", "answering"},
                    {"inputs", Json::array()},
                    {"sets",
                     {{{"kind", "theories"}, {"groups", 6}, {"questions", 3}, {"shared_words", true}},
                      {{"kind", "compositions"}, {"groups", 2}, {"questions", 3}},
                      {{"kind", "compositions"},
                       {"label", "both"},
                       {"groups", 2},
                       {"questions", 3},
                       {"both_ways", true}}}},
                    {"methods", {"spreading_activation"}},
                    {"seeds", {7}}},
                   "");
  const std::map<std::string, std::size_t> statements{{"compositions 2", 60 + 2 * 17}, {"both", 60 + 2 * 34}};
  for (const Json& row : rows_of(spec)) {
    CHECK(row.at("questions") == 3);
    if (const auto known = statements.find(row.at("set").get<std::string>()); known != statements.end())
      CHECK(row.at("statements") == known->second);
    else
      CHECK(row.at("set") == "theories 6");
  }
  CHECK(begins_with(answering_error({{"sets", {{{"kind", "theories"}, {"joined", true}}}}}),
                    "/sets/0/joined: unknown field "));
}

TEST_CASE("an ablation's differences to the base method and to the best are paired by seed",
          "[experiments][answering]") {
  const Spec spec = resolve_spec(
      {{"experiment", "answering"},
       {"inputs", Json::array()},
       {"sets", {{{"kind", "chains"}, {"capacities", {"2x"}}, {"label", "hard"}}}},
       {"methods", {"overlap"}},
       {"ablation",
        {{{"method", "attention"}, {"changes", {{{"steps", 1}}}}},
         {{"method", "bidirectional_spreading"}, {"label", "both"}, {"changes", {{{"steps", 2}}}}}}}},
      "");
  std::vector<Json> rows;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const double more = 0.1 * static_cast<double>(seed);
    for (const char* baseline : {"overlap", "frequency", "uniform"})
      rows.push_back(made_row("hard", seed, baseline, {0.1, 0.1}));
    rows.push_back(made_row("hard", seed, "configuration attention", {0.5, 0.7}));
    rows.push_back(made_row("hard", seed, "configuration attention, steps 1", {0.5 - more, 0.7 - more}));
    rows.push_back(made_row("hard", seed, "configuration both", {0.8, 1.0}));
    rows.push_back(made_row("hard", seed, "configuration both, steps 2", {0.8, 0.8}));
  }
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  const Table& table = conclusion.tables.back();
  REQUIRE(table.name == "ablation");
  CHECK(table.head == std::vector<std::string>{"configuration", "hard: kept 2x", "less the unchanged", "p",
                                               "less the best", "p of that"});
  REQUIRE(table.rows.size() == 4);
  const auto number = [&](std::size_t row, std::size_t column) {
    return std::stod(table.rows[row][column].raw);
  };
  CHECK(std::abs(number(0, 1) - 0.6) < 1e-15);
  CHECK(table.rows[0][2].text == "-");
  CHECK(std::abs(number(1, 2) + 0.15) < 1e-15);
  CHECK(std::abs(std::stod(table.rows[1][2].bounds->first) + 0.2) < 1e-15);
  CHECK(std::abs(number(1, 4) + 0.45) < 1e-15);
  CHECK(table.rows[2][4].text == "-");  // the best itself
  CHECK(std::abs(number(3, 2) + 0.1) < 1e-15);
  CHECK(std::abs(number(0, 4) + 0.3) < 1e-15);
  CHECK(table.caption.find("best configuration (both)") != std::string::npos);
  CHECK(conclusion.summary.at("ablation").at("both").at("kept") == 0.9);
}

TEST_CASE("a gate stops at statements whose score is below a share of the best", "[experiments][answering]") {
  const Folder folder("shares");
  // <a --> b> shares both words with the question, <a --> c> and <d --> b> share one of three.
  write(folder.path / "a.nal",
        "<a --> b>.\n<a --> c>.\n<d --> b>.\n<e --> f>.\n<a --> b>?\n//needed: <a --> b>.\n");
  const Spec spec = resolve_spec({{"experiment", "answering"},
                                  {"inputs", {"a.nal"}},
                                  {"sets", Json::array()},
                                  {"methods", {"overlap"}},
                                  {"capacities",
                                   {4,
                                    {{"capacity", 4}, {"share", 0.3}},
                                    {{"capacity", 2}, {"share", 0.3}},
                                    {{"capacity", "4x"}, {"share", 0.9}}}}},
                                 folder.path);
  const Json measures = row_of(rows_of(spec), "overlap").at("measures");
  CHECK(measures.at("given 4") == Json{3.0});  // a statement without shared words is not selected
  CHECK(measures.at("given 4 above 0.3") == Json{3.0});
  CHECK(measures.at("given 2 above 0.3") == Json{2.0});
  CHECK(measures.at("given 4x above 0.9") == Json{1.0});
  CHECK(resolve_spec(spec.resolved, folder.path).resolved == spec.resolved);
  CHECK(begins_with(answering_error({{"capacities", Json::array({{{"capacity", 3}, {"share", 2}}})}}),
                    "/capacities/0/share must "));
  CHECK(begins_with(answering_error({{"capacities", Json::array({{{"share", 0.5}}})}}),
                    "/capacities/0/capacity must "));
}

TEST_CASE("tuning uses only training questions, and tables show only test questions",
          "[experiments][answering]") {
  Json json = {{"experiment", "answering"},
               {"inputs", Json::array()},
               {"sets", {{{"kind", "chains"}, {"capacities", {"2x"}}, {"label", "hard"}}}},
               {"methods", {"overlap"}},
               {"seeds", {11, 12}},
               {"tuning",
                {{"seeds", {1, 2}},
                 {"methods", {{{"method", "attention"}, {"changes", {{{"steps", 1}}, {{"steps", 6}}}}}}}}}};
  const Spec spec = resolve_spec(json, "");
  std::vector<Json> rows;
  const auto add = [&](std::uint64_t seed, const char* part, const std::string& method, double whole) {
    rows.push_back(made_row("hard", seed, method, {whole, whole}));
    rows.back()["part"] = part;
  };
  for (const std::uint64_t seed : {1U, 2U}) {
    add(seed, "training", "candidate attention", 0.5);
    add(seed, "training", "candidate attention, steps 1", seed == 1 ? 0.9 : 0.3);  // the best on average
    add(seed, "training", "candidate attention, steps 6", 0.5);
  }
  for (const std::uint64_t seed : {11U, 12U}) {
    add(seed, "test", "overlap", 0.1);
    add(seed, "test", "candidate attention", 0.7);
    add(seed, "test", "candidate attention, steps 1", 0.6);
    add(seed, "test", "candidate attention, steps 6", 1);  // must not influence the choice
  }
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  const Table &choices = conclusion.tables[conclusion.tables.size() - 2], &tuned = conclusion.tables.back();
  REQUIRE(choices.name == "choices");
  CHECK(choices.rows[0][1].text == "attention, steps 1");
  CHECK(choices.rows[0][2].text == "0.500");
  CHECK(choices.rows[0][3].text == "0.600");
  REQUIRE(tuned.name == "tuned");
  REQUIRE(tuned.rows.size() == 2);
  CHECK(tuned.rows[0][1].text == "0.70");
  CHECK(tuned.rows[1][0].text == "attention, steps 1, tuned");
  CHECK(tuned.rows[1][1].text == "0.60");
  CHECK(conclusion.tables[0].rows[0][1].text == "0.10");  // training rows are in no table

  const auto error = [&](const char* pointer, const Json& value) {
    Json changed = json;
    changed[Json::json_pointer(pointer)] = value;
    return answering_error(changed);
  };
  CHECK(begins_with(error("/tuning/seeds", {1, 12}), "/tuning/seeds/1 must be none of /seeds"));
  CHECK(begins_with(error("/tuning/methods/1", {{"method", "cosine"}, {"changes", {Json::object()}}}),
                    "/tuning/methods/1"));
  CHECK(begins_with(error("/tuning/methods/1", {{"method", "pagerank"}, {"changes", {{{"damping", 0.5}}}}}),
                    "/tuning/methods/1/changes must be as many changes as the first method has, 2"));
  CHECK(begins_with(error("/methods/0", {{"method", "overlap"}, {"label", "oracle"}}),
                    "/methods/0/label must "));
}

TEST_CASE("a live NARS answers from each method's selection, and its recording is replayed",
          "[experiments][answering]") {
  std::signal(SIGPIPE, SIG_IGN);
  const Folder folder("live");
  // Overlap selects the proof of <a --> c> first, and <x --> c>.
  write(folder.path / "a.nal",
        "<a --> b>.\n<b --> c>.\n<x --> c>.\n<x --> y>.\n<a --> c>?\n//expected: Answer: <a --> c>.\n"
        "//needed: <a --> b>.\n//needed: <b --> c>.\n<c --> y>?\n//expected: Answer: None.\n");
  Json json = {{"experiment", "answering"},
               {"inputs", {"a.nal"}},
               {"sets", Json::array()},
               {"methods", {"overlap"}},
               {"capacities", {3, 1}},
               {"system",
                {{"name", "ona"},
                 {"command", {"python3", ENGRAM_SOURCE_DIR "/tests/program/fake_nars.py"}},
                 {"recording", (folder.path / "recording.jsonl").string()}}}};
  const Spec spec = resolve_spec(json, folder.path);
  const std::vector<Json> rows = rows_of(spec);
  const auto values = [&](const std::string& method, const char* name) {
    return row_of(rows, method).at("measures").at(name).get<std::vector<double>>();
  };
  CHECK(row_of(rows, "overlap").at("holds") == Json{true, false});
  const double derived = 0.81 * 0.5 + 0.5;  // expectation of the stand-in's conclusion
  CHECK(values("oracle", "answered 3") == std::vector<double>{1});
  CHECK(values("oracle", "support 3") == std::vector<double>{derived, 0.5});
  CHECK(values("overlap", "answered 3") == std::vector<double>{1});
  CHECK(values("overlap", "support 3") == std::vector<double>{derived, 0.5});
  CHECK(values("overlap", "answered 1") == std::vector<double>{0});  // half a proof
  CHECK(values("overlap", "wrong 1") == std::vector<double>{0});
  CHECK(values("everything", "answered 1") == std::vector<double>{1});
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  CHECK(conclusion.answer.find("ona answers what is asked of a.nal from a proof alone.") !=
        std::string::npos);
  const auto answers = std::ranges::find(conclusion.tables, std::string("answers_a_nal"), &Table::name);
  REQUIRE(answers != conclusion.tables.end());
  CHECK(answers->rows[0][1].raw == "1");  // overlap, 3 statements: answered
  CHECK(answers->rows[0][4].raw == "1");  // and the area: true questions have support
  CHECK(answers->rows[0][8].raw == "0.5");

  // Recorded questions are not asked again, so the command is not needed.
  json["system"]["command"] = {"/no/such/program"};
  CHECK(rows_of(resolve_spec(json, folder.path)) == rows);
  json["system"].erase("command");
  CHECK(rows_of(resolve_spec(json, folder.path)) == rows);
  json["capacities"] = {2};
  CHECK_THROWS_WITH(rows_of(resolve_spec(json, folder.path)),
                    Catch::Matchers::Contains("the recording lacks"));
  json["system"]["recording"] = "none.jsonl";
  CHECK_THROWS(rows_of(resolve_spec(json, folder.path)));
  CHECK(begins_with(answering_error({{"system", {{"name", "onna"}}}}),
                    "/system/name must be the name of a system, one of "));
  CHECK(begins_with(answering_error({{"system", {{"name", "ona"}}}}), "/system must be "));
}

TEST_CASE("the first half of a file's questions is for training", "[experiments][answering]") {
  const Folder folder("halves");
  std::string text;
  for (const char* name : {"a", "b", "c", "d"})
    text += "<" + std::string(name) + " --> x>.\n<" + name + " --> x>?\n//needed: <" + name + " --> x>.\n";
  write(folder.path / "a.nal", text);
  const Spec spec =
      resolve_spec({{"experiment", "answering"},
                    {"inputs", {"a.nal"}},
                    {"sets", Json::array()},
                    {"methods", {"overlap"}},
                    {"capacities", {1}},
                    {"tuning", {{"methods", {{{"method", "attention"}, {"changes", {{{"steps", 1}}}}}}}}}},
                   folder.path);
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 + 5 + 2);  // candidates; methods and arms; candidates
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].at("part") == (i < 2 ? "training" : "test"));
    CHECK(rows[i].at("questions") == 2);
    CHECK(rows[i].at("measures").at("whole 1").size() == 2);
  }
  CHECK(rows[2].at("asked")[0].at("question") == "<c --> x>?");
}

TEST_CASE("a spec of `priming` gets the experiment's current name", "[experiments][answering]") {
  CHECK(begins_with(answering_error({{"experiment", "priming"}}), "/experiment must be 'answering'"));
}
