// SPDX-License-Identifier: MIT
#include "experiments/answering/answering.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>

#include "experiments/answering/result_tables.hpp"
#include "tests/experiments/answering/trial_rows.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::answering;
using namespace engram::testing;

namespace {

std::string answering_error(const Json& changes) { return spec_error(generated_json("answering", changes)); }

// A result row in the form that the experiment writes.
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
  const AnsweringOptions& options = options_of<AnsweringOptions>(spec);
  REQUIRE(options.sets.size() == 4);
  CHECK(options.sets[1].label == "families 3000");
  CHECK(options.sets[1].gates[0].capacity(3) == 12);
  CHECK(options.sets[3].label == "chains 300");
  CHECK(options.sets[3].gates[1].capacity(4) == 8);
  // The default is all methods that need no training and are not variants of another method.
  CHECK(spec.methods.size() ==
        static_cast<std::size_t>(std::ranges::count(core::methods(), false, &core::Method::only_by_name)));
  REQUIRE(options.ablation.size() == 1);
  CHECK(options.ablation[0].changed[0].label == "attention, beta 2");
  CHECK(std::get<double>(options.ablation[0].changed[0].method.options().at("beta")) == 2);
  CHECK(std::get<double>(options.ablation[0].changed[1].method.options().at("beta")) == 8);
  CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);

  const auto set = [](const Json& members) { return Json{{"sets", {members}}}; };
  const auto ablation = [](const Json& one) { return Json{{"ablation", {one}}}; };
  const auto changed = [](const Json& changes) {
    return Json{{"method", "attention"}, {"changes", changes}};
  };
  check_errors(
      generated_json("answering", Json::object()),
      {{{{"sets", Json::array()}}, "/inputs must "},
       {set({{"kind", "family"}}), "/sets/0/kind must be one of "},
       {set({{"kind", "families"}, {"noise", 0.1}}), "/sets/0/noise: unknown field "},
       {set({{"kind", "events"}, {"noise", 0.1}}), "/sets/0/noise: unknown field "},
       {set({{"kind", "chains"}, {"longest", 1}}), "/sets/0/longest must "},
       {set({{"kind", "chains"}, {"groups", 0}}), "/sets/0/groups must "},
       {{{"sets", {{{"kind", "chains"}}, {{"kind", "chains"}}}}}, "/sets/1: "},
       {{{"capacities", {3, 3}}}, "/capacities/1: '3' occurs twice"},
       {{{"cutoffs", {0}}}, "/cutoffs/0 must "},
       {ablation({{"method", "attention"}}), "/ablation/0/changes must "},
       {ablation(changed({{{"bete", 2}}})), "/ablation/0/changes/0/bete: "},
       {ablation(changed({{{"beta", 2}}, {{"beta", 2}}})), "/ablation/0: 'attention, beta 2' occurs twice"}});
  for (const Json& wrong : {Json("x"), Json("0x"), Json("03x"), Json("3"), Json("-1x"), Json(0), Json(1.5)})
    CHECK(answering_error({{"capacities", {wrong}}}).starts_with("/capacities/0 must "));
}

TEST_CASE("answering's measures of a file match values computed by hand", "[experiments][answering]") {
  const FileExperiment file(
      "answering",
      "<a --> b>.\n<b --> c>.\n<x --> y>.\n<a --> z>.\n"
      "<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
      "<x --> ?1>?\n//expected: Answer: <x --> y>.\n"
      "<q --> r>?\n<y --> x>?\n//expected: Answer: None.\n");
  const Spec spec =
      file.spec({{"methods", {"overlap"}}, {"capacities", {1, "1x", "2x"}}, {"cutoffs", {1, 3}}});
  const std::vector<Json> rows = rows_of(spec);
  // One row each for `overlap`, the baselines `frequency` and `uniform`, and the arms `everything` and `oracle`.
  REQUIRE(rows.size() == 5);
  const Json& row = row_of(rows, "overlap");
  // <q --> r> is left out, because it has neither premises nor an expected answer.
  CHECK(row.at("questions") == 3);
  CHECK(row.at("needed") == Json{2});
  // <a --> b>, <b --> c> and <a --> z> each share one of three words with the question, and <x --> y> shares none. The
  // first three are tied, so each expected measure is the mean over their orders.
  CHECK(measured(row, "given 1") == std::vector<double>{1});
  CHECK(measured(row, "given 2x") == std::vector<double>{3});
  CHECK(measured(row, "kept 1")[0] == Approx(1.0 / 3));
  CHECK(measured(row, "kept 1x")[0] == Approx(2.0 / 3));
  CHECK(measured(row, "whole 1x")[0] == Approx(1.0 / 3));
  CHECK(measured(row, "kept 2x") == std::vector<double>{1});
  CHECK(measured(row, "whole 1") == std::vector<double>{0});
  CHECK(measured(row, "whole 2x") == std::vector<double>{1});
  for (const auto& [arm, given] : {std::pair("oracle", 2.0), {"everything", 4.0}}) {
    CHECK(measured(row_of(rows, arm), "given 1") == std::vector<double>{given});
    CHECK(measured(row_of(rows, arm), "whole 1") == std::vector<double>{1});
  }
  // Reciprocal rank of the best premise: 1 in two of three orders of the ties, 1/2 in the third.
  const double first = 2.0 / 3 + 1.0 / 3 / 2;
  CHECK(std::abs(measured(row, "statements MRR")[0] - first) < 1e-15);
  CHECK(std::abs(measured(row, "statements nDCG@1")[0] - 2.0 / 3) < 1e-15);
  // The wanted concepts are b among {b, x, y, z} for the first question, and y among {a, b, c, y, z} for the second.
  REQUIRE(measured(row, "concepts recall@1").size() == 2);
  // b ranks first, because two matching statements contain b and only one contains z.
  CHECK(measured(row, "concepts recall@1")[0] == 1);
  CHECK(measured(row, "concepts recall@1")[1] == 1);
  const Json& uniform = row_of(rows, "uniform");
  CHECK(measured(uniform, "given 2x") == std::vector<double>{4});
  CHECK(measured(uniform, "concepts recall@1") == std::vector<double>{0.25, 0.2});
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
  // One absolute capacity and one proof length are not enough for a curve.
  REQUIRE(conclusion.plots.size() == 1);
  CHECK(conclusion.plots[0].name == "whole_a_nal");
  CHECK(conclusion.plots[0].series[0].points.size() == 3);
  REQUIRE(conclusion.pages.size() == 1);
  CHECK(conclusion.pages[0].path == "cues/1-1.html");
  CHECK(conclusion.pages[0].html.find("Missing for a whole proof:") != std::string::npos);
  CHECK(conclusion.answer == "No method gives a whole proof for any question.");

  write(file.folder.path / "b.nal", "<a --> b>.\n<a --> b>?\n");
  const Spec unlabelled = resolve_spec(file.json({{"inputs", {"b.nal"}}}), file.folder.path);
  CHECK_THROWS_AS(unlabelled.experiment->trials(unlabelled)->prepare(), SpecError);
}

TEST_CASE(
    "`questions` limits a file's questions, and curves go over selected statements, capacities and proof "
    "lengths",
    "[experiments][answering]") {
  const FileExperiment file("answering",
                            "<a --> b>.\n<b --> c>.\n<c --> d>.\n"
                            "<a --> c>?\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
                            "<a --> d>?\n//needed: <a --> b>.\n//needed: <b --> c>.\n//needed: <c --> d>.\n"
                            "<b --> d>?\n//needed: <b --> c>.\n//needed: <c --> d>.\n");
  const auto conclusion_of = [&](std::size_t questions) {
    const Spec spec = file.spec({{"methods", {"overlap"}},
                                 {"capacities", {2, 3, "1x", {{"capacity", 3}, {"share", 0.5}}}},
                                 {"questions", questions}});
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
  // Three statements hold the proof of <a --> c>, but not of <a --> d>: <b --> c> shares no word with the latter.
  CHECK(capacities[1].y == 0.5);
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
  // An ablation without changes is an error, because its label would be that of its base method.
  CHECK(answering_error(json).starts_with("/ablation/0: 'c' occurs twice"));
  Json with_change = json;
  with_change["ablation"] = {{{"method", "attention"}, {"changes", {{{"steps", 1}}}}}};
  const Spec spec = resolve_spec(with_change, "");
  const std::vector<Json> rows = rows_of(spec);
  // For each set and seed: one method, three baselines and two arms. The chains also have two configurations of the
  // ablation.
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
  const std::vector<RowSet> sets = row_sets(options_of<AnsweringOptions>(spec), rows);
  REQUIRE(sets.size() == 2);
  CHECK_FALSE(sets[0].ablation);
  CHECK(sets[1].ablation);
  CHECK(row_values(sets[1], "overlap", "kept 3x").size() == 2);  // one value for each of the two seeds
  CHECK(row_values(sets[1], "overlap", "kept 12").empty());
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  CHECK(conclusion.tables.back().name == "ablation");
  CHECK(conclusion.pages.size() == 3 + 4);
}

TEST_CASE("a question counts as kept if one of its known proofs is selected", "[experiments][answering]") {
  const FileExperiment file(
      "answering",
      "<a --> b>.\n<b --> c>.\n<a --> d>.\n<d --> c>.\n<d --> e>.\n<a --> c>?\n"
      "//needed: <a --> b>.\n//needed: <b --> c>.\n//or:\n//needed: <a --> d>.\n//needed: <d --> c>.\n");
  const Spec spec = file.spec({{"methods", {"uniform"}}, {"capacities", {1, 2, 3, 4, 5}}});
  // `uniform` ranks the five statements in random order. `whole k` is 1 if the first k statements contain one of the
  // two proofs. A larger k never loses a proof, and any four of the five statements contain one.
  const std::vector<Json> rows = rows_of(spec);
  const Json& measures = row_of(rows, "uniform").at("measures");
  CHECK(measures.at("whole 1") == Json{0.0});
  CHECK(measures.at("whole 4") == Json{1.0});
  CHECK(measures.at("whole 2").at(0) <= measures.at("whole 3").at(0));
  // The first four are all statements except <d --> e>.
  CHECK(row_of(rows, "overlap").at("measures").at("whole 4") == Json{1.0});
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
  const Spec spec =
      generated_spec("answering", {{"sets", {{{"kind", "wordnet"}, {"questions", 5}, {"capacities", {3}}}}},
                                   {"methods", {"overlap"}},
                                   {"seeds", {1, 2}}});
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 * 5);
  for (const Json& row : rows) {
    CHECK(row.at("set") == "wordnet");
    CHECK(row.at("questions") == 10);     // 5 questions that hold and their 5 unanswerable counterparts
    CHECK(row.at("sha256").size() == 2);  // digests of data.noun and index.noun
    CHECK(row.at("measures").at("whole 3").size() == 5);
  }
  CHECK(rows[0].at("statements") == rows[5].at("statements"));
  CHECK(rows[0].at("asked").size() == 5);
  CHECK(answering_error({{"sets", {{{"kind", "wordnet"}, {"groups", 3}}}}})
            .starts_with("/sets/0/groups: unknown field "));
}

TEST_CASE("taxonomies and events are generated by number of groups and measured like chains",
          "[experiments][answering]") {
  const Spec spec = generated_spec("answering", {{"sets",
                                                  {{{"kind", "taxonomies"}, {"groups", 4}, {"questions", 3}},
                                                   {{"kind", "events"}, {"groups", 4}, {"questions", 3}}}},
                                                 {"methods", {"spreading_activation"}},
                                                 {"seeds", {7}}});
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
  const Spec spec = generated_spec(
      "answering", {{"sets",
                     {{{"kind", "theories"}, {"groups", 6}, {"questions", 3}, {"shared_words", true}},
                      {{"kind", "compositions"}, {"groups", 2}, {"questions", 3}},
                      {{"kind", "compositions"},
                       {"label", "both"},
                       {"groups", 2},
                       {"questions", 3},
                       {"both_ways", true}}}},
                    {"methods", {"spreading_activation"}},
                    {"seeds", {7}}});
  const std::map<std::string, std::size_t> statements{{"compositions 2", 60 + 2 * 17}, {"both", 60 + 2 * 34}};
  for (const Json& row : rows_of(spec)) {
    CHECK(row.at("questions") == 3);
    if (const auto known = statements.find(row.at("set").get<std::string>()); known != statements.end())
      CHECK(row.at("statements") == known->second);
    else
      CHECK(row.at("set") == "theories 6");
  }
  CHECK(answering_error({{"sets", {{{"kind", "theories"}, {"joined", true}}}}})
            .starts_with("/sets/0/joined: unknown field "));
}

TEST_CASE("an ablation's differences to the base method and to the best are paired by seed",
          "[experiments][answering]") {
  const Spec spec = generated_spec(
      "answering",
      {{"sets", {{{"kind", "chains"}, {"capacities", {"2x"}}, {"label", "hard"}}}},
       {"methods", {"overlap"}},
       {"ablation",
        {{{"method", "attention"}, {"changes", {{{"steps", 1}}}}},
         {{"method", "bidirectional_spreading"}, {"label", "both"}, {"changes", {{{"steps", 2}}}}}}}});
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
  CHECK(table.rows[2][4].text == "-");  // the best configuration is not compared with itself
  CHECK(std::abs(number(3, 2) + 0.1) < 1e-15);
  CHECK(std::abs(number(0, 4) + 0.3) < 1e-15);
  CHECK(table.caption.find("best configuration (both)") != std::string::npos);
  CHECK(conclusion.summary.at("ablation").at("both").at("kept") == 0.9);
}

TEST_CASE("a gate stops at statements whose score is below a share of the best", "[experiments][answering]") {
  // <a --> b> shares both words with the question, and <a --> c> and <d --> b> share one of three words.
  const FileExperiment file(
      "answering", "<a --> b>.\n<a --> c>.\n<d --> b>.\n<e --> f>.\n<a --> b>?\n//needed: <a --> b>.\n");
  const Spec spec = file.spec({{"methods", {"overlap"}},
                               {"capacities",
                                {4,
                                 {{"capacity", 4}, {"share", 0.3}},
                                 {{"capacity", 2}, {"share", 0.3}},
                                 {{"capacity", "4x"}, {"share", 0.9}}}}});
  const Json measures = row_of(rows_of(spec), "overlap").at("measures");
  // <e --> f> shares no word with the question, so it is not selected.
  CHECK(measures.at("given 4") == Json{3.0});
  CHECK(measures.at("given 4 above 0.3") == Json{3.0});
  CHECK(measures.at("given 2 above 0.3") == Json{2.0});
  CHECK(measures.at("given 4x above 0.9") == Json{1.0});
  CHECK(resolve_spec(spec.resolved, file.folder.path).resolved == spec.resolved);
  CHECK(answering_error({{"capacities", Json::array({{{"capacity", 3}, {"share", 2}}})}})
            .starts_with("/capacities/0/share must "));
  CHECK(answering_error({{"capacities", Json::array({{{"share", 0.5}}})}})
            .starts_with("/capacities/0/capacity must "));
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
    // Has the highest mean of all configurations over the two seeds: 0.6.
    add(seed, "training", "candidate attention, steps 1", seed == 1 ? 0.9 : 0.3);
    add(seed, "training", "candidate attention, steps 6", 0.5);
  }
  for (const std::uint64_t seed : {11U, 12U}) {
    add(seed, "test", "overlap", 0.1);
    add(seed, "test", "candidate attention", 0.7);
    add(seed, "test", "candidate attention, steps 1", 0.6);
    // The best result on the test part, which must not influence the choice.
    add(seed, "test", "candidate attention, steps 6", 1);
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
  // The value 0.10 is from the test part; no table has training rows.
  CHECK(conclusion.tables[0].rows[0][1].text == "0.10");

  const auto error = [&](const char* pointer, const Json& value) {
    Json changed = json;
    changed[Json::json_pointer(pointer)] = value;
    return answering_error(changed);
  };
  CHECK(error("/tuning/seeds", {1, 12}).starts_with("/tuning/seeds/1 must be none of /seeds"));
  CHECK(error("/tuning/methods/1", {{"method", "cosine"}, {"changes", {Json::object()}}})
            .starts_with("/tuning/methods/1"));
  CHECK(error("/tuning/methods/1", {{"method", "pagerank"}, {"changes", {{{"damping", 0.5}}}}})
            .starts_with("/tuning/methods/1/changes must be 2 changes, as many as the first method has,"));
  CHECK(error("/methods/0", {{"method", "overlap"}, {"label", "oracle"}})
            .starts_with("/methods/0/label must "));
}

TEST_CASE("a live NARS answers from each method's selection, and its recording is replayed",
          "[experiments][answering]") {
  std::signal(SIGPIPE, SIG_IGN);
  // For <a --> c>, overlap ranks the two premises of the proof and <x --> c> first.
  const FileExperiment file(
      "answering",
      "<a --> b>.\n<b --> c>.\n<x --> c>.\n<x --> y>.\n<a --> c>?\n//expected: Answer: <a --> c>.\n"
      "//needed: <a --> b>.\n//needed: <b --> c>.\n<c --> y>?\n//expected: Answer: None.\n");
  Json json = {{"methods", {"overlap"}},
               {"capacities", {3, 1}},
               {"system",
                {{"name", "ona"},
                 {"command", {"python3", ENGRAM_SOURCE_DIR "/tests/program/fake_nars.py"}},
                 {"recording", (file.folder.path / "recording.jsonl").string()}}}};
  const Spec spec = file.spec(json);
  const std::vector<Json> rows = rows_of(spec);
  const auto values = [&](const std::string& method, const char* name) {
    return measured(row_of(rows, method), name);
  };
  CHECK(row_of(rows, "overlap").at("holds") == Json{true, false});
  // Expectation c (f - 0.5) + 0.5 of an answer with frequency f = 1 and confidence c = 0.81.
  const double derived = 0.81 * 0.5 + 0.5;
  CHECK(values("oracle", "answered 3") == std::vector<double>{1});
  CHECK(values("oracle", "support 3") == std::vector<double>{derived, 0.5});
  CHECK(values("overlap", "answered 3") == std::vector<double>{1});
  CHECK(values("overlap", "support 3") == std::vector<double>{derived, 0.5});
  // One of the two premises does not answer the question.
  CHECK(values("overlap", "answered 1") == std::vector<double>{0});
  CHECK(values("overlap", "wrong 1") == std::vector<double>{0});
  CHECK(values("everything", "answered 1") == std::vector<double>{1});
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  CHECK(conclusion.answer.find(
            "From the first proof alone, ona answers at least 0.95 of the questions of a.nal.") !=
        std::string::npos);
  const std::vector<Cell>& overlap = table_named(conclusion, "answers_a_nal").rows[0];
  CHECK(overlap[1].raw == "1");  // column 1: share of questions answered from 3 statements
  // Column 4, the area under the curve: the true question has more support than the false one.
  CHECK(overlap[4].raw == "1");
  CHECK(overlap[8].raw == "0.5");

  // The recording has answers to all questions, so neither a working command nor any command is needed.
  json["system"]["command"] = {"/no/such/program"};
  CHECK(rows_of(file.spec(json)) == rows);
  json["system"].erase("command");
  CHECK(rows_of(file.spec(json)) == rows);
  json["capacities"] = {2};
  CHECK_THROWS_WITH(rows_of(file.spec(json)), Catch::Matchers::Contains("the recording lacks"));
  json["system"]["recording"] = "none.jsonl";
  CHECK_THROWS(rows_of(file.spec(json)));
  CHECK(answering_error({{"system", {{"name", "onna"}}}})
            .starts_with("/system/name must be the name of a system, one of "));
  CHECK(answering_error({{"system", {{"name", "ona"}}}}).starts_with("/system must be "));
}

TEST_CASE("the first half of a file's questions is for training", "[experiments][answering]") {
  std::string text;
  for (const char* name : {"a", "b", "c", "d"})
    text += "<" + std::string(name) + " --> x>.\n<" + name + " --> x>?\n//needed: <" + name + " --> x>.\n";
  const FileExperiment file("answering", text);
  const Spec spec =
      file.spec({{"methods", {"overlap"}},
                 {"capacities", {1}},
                 {"tuning", {{"methods", {{{"method", "attention"}, {"changes", {{{"steps", 1}}}}}}}}}});
  const std::vector<Json> rows = rows_of(spec);
  // Two training rows of candidates; on the test part, five methods and arms, and the two candidates.
  REQUIRE(rows.size() == 2 + 5 + 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].at("part") == (i < 2 ? "training" : "test"));
    CHECK(rows[i].at("questions") == 2);
    CHECK(rows[i].at("measures").at("whole 1").size() == 2);
  }
  CHECK(rows[2].at("asked")[0].at("question") == "<c --> x>?");
}

TEST_CASE("a spec of `priming` gets the experiment's current name", "[experiments][answering]") {
  CHECK(answering_error({{"experiment", "priming"}}).starts_with("/experiment must be 'answering'"));
}
