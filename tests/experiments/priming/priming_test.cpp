// SPDX-License-Identifier: MIT
#include "experiments/priming/priming.hpp"

#include <cmath>

#include "experiments/spec/experiment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;

namespace {

std::string priming_error(const Json& changes) {
  Json json = {{"experiment", "priming"}, {"inputs", Json::array()}};
  json.update(changes);
  try {
    resolve_spec(json, "");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

bool begins_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

std::vector<Json> rows_of(const Spec& spec) {
  const auto trials = spec.experiment->trials(spec);
  trials->prepare();
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial)
    for (Json& row : trials->run(trial).rows) rows.push_back(std::move(row));
  return rows;
}

const Json& row_of(const std::vector<Json>& rows, const std::string& method) {
  for (const Json& row : rows)
    if (row.at("method") == method) return row;
  throw std::out_of_range(method);
}

// A row as the experiment writes it.
Json made_row(const std::string& set, std::uint64_t seed, const std::string& method,
              const std::vector<double>& kept) {
  return {{"trial", seed}, {"set", set},       {"generated", true}, {"statements", 100},
          {"cues", 2},     {"method", method}, {"seed", seed},      {"measures", {{"kept 2x", kept}}}};
}

}  // namespace

TEST_CASE("priming's spec is complete, and says where it is wrong", "[experiments][priming]") {
  const Json json = {{"experiment", "priming"},
                     {"inputs", Json::array()},
                     {"ablation", {{{"method", "attention"}, {"changes", {{{"beta", 2}}, {{"steps", 1}}}}}}}};
  const Spec spec = resolve_spec(json, "");
  const PrimingOptions& options =
      dynamic_cast<const ExperimentOf<PrimingOptions>&>(*spec.experiment).options();
  REQUIRE(options.generated.size() == 4);
  CHECK(options.generated[1].label == "families 3000");
  CHECK(options.generated[1].capacities[0].of(3) == 12);
  CHECK(options.generated[3].label == "chains 300");
  CHECK(options.generated[3].capacities[1].of(4) == 8);
  CHECK(spec.methods.size() == core::methods().size());
  REQUIRE(options.ablation.size() == 1);
  CHECK(options.ablation[0].changed[0].label == "attention, beta 2");
  CHECK(std::get<double>(options.ablation[0].changed[0].options.at("beta")) == 2);
  CHECK(std::get<double>(options.ablation[0].changed[1].options.at("beta")) == 8);
  CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);

  const auto set = [](const Json& members) { return Json{{"generated", {members}}}; };
  CHECK(begins_with(priming_error({{"generated", Json::array()}}), "/inputs must "));
  CHECK(begins_with(priming_error(set({{"kind", "family"}})), "/generated/0/kind must be one of "));
  CHECK(begins_with(priming_error(set({{"kind", "families"}, {"noise", 0.1}})),
                    "/generated/0/noise: unknown field "));
  CHECK(begins_with(priming_error(set({{"kind", "events"}, {"noise", 0.1}})),
                    "/generated/0/noise: unknown field "));
  CHECK(begins_with(priming_error(set({{"kind", "chains"}, {"longest", 1}})), "/generated/0/longest must "));
  CHECK(begins_with(priming_error(set({{"kind", "chains"}, {"groups", 0}})), "/generated/0/groups must "));
  CHECK(begins_with(priming_error({{"generated", {{{"kind", "chains"}}, {{"kind", "chains"}}}}}),
                    "/generated/1: "));
  for (const Json& wrong : {Json("x"), Json("0x"), Json("03x"), Json("3"), Json("-1x"), Json(0), Json(1.5)})
    CHECK(begins_with(priming_error({{"capacities", {wrong}}}), "/capacities/0 must "));
  CHECK(begins_with(priming_error({{"capacities", {3, 3}}}), "/capacities/1: '3' stands twice"));
  CHECK(begins_with(priming_error({{"cutoffs", {0}}}), "/cutoffs/0 must "));
  const auto ablation = [](const Json& one) { return Json{{"ablation", {one}}}; };
  CHECK(begins_with(priming_error(ablation({{"method", "attention"}})), "/ablation/0/changes must "));
  CHECK(begins_with(priming_error(ablation({{"method", "attention"}, {"changes", {{{"bete", 2}}}}})),
                    "/ablation/0/changes/0/bete: "));
  CHECK(begins_with(
      priming_error(ablation({{"method", "attention"}, {"changes", {{{"beta", 2}}, {{"beta", 2}}}}})),
      "/ablation/0: 'attention, beta 2' stands twice"));
}

TEST_CASE("priming's measures of a file's questions, by hand", "[experiments][priming]") {
  const Folder folder("priming");
  write(folder.path / "a.nal",
        "<a --> b>.\n<b --> c>.\n<x --> y>.\n<a --> z>.\n"
        "<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
        "<x --> ?1>?\n//expected: Answer: <x --> y>.\n"
        "<q --> r>?\n");
  const Spec spec = resolve_spec({{"experiment", "priming"},
                                  {"inputs", {"a.nal"}},
                                  {"generated", Json::array()},
                                  {"methods", {"overlap"}},
                                  {"capacities", {1, "1x", "2x"}},
                                  {"cutoffs", {1, 3}}},
                                 folder.path);
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 3);  // baselines: overlap, frequency, uniform
  const Json& row = row_of(rows, "overlap");
  CHECK(row.at("cues") == 2);  // of <q --> r> nobody says what it needs
  const auto values = [&](const Json& of, const char* name) {
    return of.at("measures").at(name).get<std::vector<double>>();
  };
  // <a --> b> and <b --> c> share one of three words, as <a --> z> does; <x --> y> shares none.
  CHECK(values(row, "kept 1") == std::vector<double>{1.0 / 3});
  CHECK(values(row, "kept 1x") == std::vector<double>{2.0 / 3});
  CHECK(values(row, "kept 2x") == std::vector<double>{1});
  CHECK(values(row, "whole 1") == std::vector<double>{0});
  CHECK(values(row, "whole 2x") == std::vector<double>{1});
  const double first = 2.0 / 3 + 1.0 / 3 / 2;  // the first needed one is first in two orders of three
  CHECK(std::abs(values(row, "statements MRR")[0] - first) < 1e-15);
  CHECK(std::abs(values(row, "statements nDCG@1")[0] - 2.0 / 3) < 1e-15);
  // Concepts: b of {b, x, y, z} for the first question, y of {a, b, c, y, z} for the second.
  REQUIRE(values(row, "concepts recall@1").size() == 2);
  CHECK(values(row, "concepts recall@1")[0] == 1);  // b is in both of them, z in one
  CHECK(values(row, "concepts recall@1")[1] == 1);
  const Json& uniform = row_of(rows, "uniform");
  CHECK(values(uniform, "kept 1x") == std::vector<double>{0.5});
  CHECK(values(uniform, "concepts recall@1") == std::vector<double>{0.25, 0.2});
  CHECK(row.at("example").at("needed")[1].at("narsese") == "<b --> c>.");
  CHECK(row.at("example").at("needed")[1].at("rank") == 2);

  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  REQUIRE(conclusion.tables.size() == 5);
  CHECK(conclusion.tables[0].name == "whole");
  CHECK(conclusion.tables[0].head ==
        std::vector<std::string>{"method", "a.nal: whole 1", "a.nal: whole 1x", "a.nal: whole 2x"});
  CHECK(conclusion.tables[0].rows[0][3].raw == "1");
  CHECK(conclusion.tables[1].head ==
        std::vector<std::string>{"method", "a.nal: kept 1", "a.nal: kept 1x", "a.nal: kept 2x"});
  CHECK(conclusion.tables[1].rows[0][2].raw == "0.6666666666666666");
  CHECK(conclusion.tables[2].name == "ranking_a_nal");

  write(folder.path / "b.nal", "<a --> b>.\n<a --> b>?\n");
  const Spec unlabelled = resolve_spec(
      {{"experiment", "priming"}, {"inputs", {"b.nal"}}, {"generated", Json::array()}}, folder.path);
  CHECK_THROWS_AS(unlabelled.experiment->trials(unlabelled)->prepare(), SpecError);
}

TEST_CASE("generated sets are made for every seed, and chance keeps what chance must",
          "[experiments][priming]") {
  const Json json = {{"experiment", "priming"},
                     {"inputs", Json::array()},
                     {"generated",
                      {{{"kind", "families"}, {"groups", 5}, {"questions", 3}},
                       {{"kind", "chains"}, {"groups", 12}, {"questions", 4}, {"label", "hard"}}}},
                     {"methods", {"bidirectional_spreading"}},
                     {"ablation", {{{"method", "cosine"}, {"label", "c"}, {"changes", {Json::object()}}}}},
                     {"seeds", {7, 8}}};
  // An ablation that changes nothing would be called like what it changes.
  CHECK(begins_with(priming_error(json), "/ablation/0: 'c' stands twice"));
  Json with_change = json;
  with_change["ablation"] = {{{"method", "attention"}, {"changes", {{{"steps", 1}}}}}};
  const Spec spec = resolve_spec(with_change, "");
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 * 4 + 2 * 6);  // baselines with each, configurations with the chains
  std::vector<std::string> texts;
  for (const Json& row : rows) {
    const auto kept = row.at("measures").at(row.at("set") == "hard" ? "kept 3x" : "kept 12");
    CHECK(row.at("cues") == kept.size());
    if (row.at("method") == "uniform" && row.at("set") == "families 5")
      for (const Json& share : kept) CHECK(std::abs(share.get<double>() - 12.0 / 34) < 1e-15);
    if (row.at("method") == "bidirectional_spreading" && row.at("set") == "families 5")
      for (const Json& share : kept) CHECK(share == 1);
    CHECK(row.contains("example") ==
          (row.at("seed") == 7 && !begins_with(row.at("method"), "configuration")));
  }
  CHECK(rows[0].at("seed") == 7);
  CHECK(rows[4].at("seed") == 8);
  CHECK(rows_of(spec) == rows);
  const std::vector<PrimingSet> sets =
      priming_sets(dynamic_cast<const ExperimentOf<PrimingOptions>&>(*spec.experiment).options(), rows);
  REQUIRE(sets.size() == 2);
  CHECK_FALSE(sets[0].ablation);
  CHECK(sets[1].ablation);
  CHECK(priming_values(sets[1], "overlap", "kept 3x").size() == 2);  // one a seed
  CHECK(priming_values(sets[1], "overlap", "kept 12").empty());
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  CHECK(conclusion.tables.back().name == "ablation");
  CHECK(conclusion.sections[0].html.find("It needs:") != std::string::npos);
}

TEST_CASE("a proof is kept where one of those that are known is among the first", "[experiments][priming]") {
  const Folder folder("proofs");
  write(folder.path / "a.nal",
        "<a --> b>.\n<b --> c>.\n<a --> d>.\n<d --> c>.\n<d --> e>.\n<a --> c>?\n"
        "//needed: <a --> b>.\n//needed: <b --> c>.\n//or:\n//needed: <a --> d>.\n//needed: <d --> c>.\n");
  const Spec spec = resolve_spec({{"experiment", "priming"},
                                  {"inputs", {"a.nal"}},
                                  {"generated", Json::array()},
                                  {"methods", {"uniform"}},
                                  {"capacities", {1, 2, 3, 4, 5}}},
                                 folder.path);
  // By chance: of the orders of five statements in so many is one of the two proofs among the first k. One
  // order is drawn; whatever it is, more capacity never loses a proof, and four of five always have one.
  const std::vector<Json> rows = rows_of(spec);
  const Json& measures = row_of(rows, "uniform").at("measures");
  CHECK(measures.at("whole 1") == Json{0.0});
  CHECK(measures.at("whole 4") == Json{1.0});
  CHECK(measures.at("whole 2").at(0) <= measures.at("whole 3").at(0));
  CHECK(row_of(rows, "overlap").at("measures").at("whole 4") == Json{1.0});  // all but <d --> e>
  CHECK(row_of(rows, "overlap").at("measures").at("whole 1") == Json{0.0});
}

TEST_CASE("files are shown without their folders, but where two have one name", "[experiments][priming]") {
  const auto titles = [](const std::vector<std::string>& labels) {
    std::vector<Json> rows;
    for (const std::string& label : labels) {
      rows.push_back(made_row(label, 1, "overlap", {1}));
      rows.back()["generated"] = false;
    }
    std::vector<std::string> all;
    for (const PrimingSet& set : priming_sets({}, rows)) all.push_back(set.title);
    return all;
  };
  CHECK(titles({"../data/a.nal", "b.nal"}) == std::vector<std::string>{"a.nal", "b.nal"});
  CHECK(titles({"x/a.nal", "y/a.nal", "b.nal"}) == std::vector<std::string>{"x/a.nal", "y/a.nal", "b.nal"});
}

TEST_CASE("of WordNet each seed asks other questions, and says what its files are",
          "[experiments][priming]") {
  const Spec spec =
      resolve_spec({{"experiment", "priming"},
                    {"inputs", Json::array()},
                    {"generated", {{{"kind", "wordnet"}, {"questions", 5}, {"capacities", {3}}}}},
                    {"methods", {"overlap"}},
                    {"seeds", {1, 2}}},
                   "");
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 * 3);
  for (const Json& row : rows) {
    CHECK(row.at("set") == "wordnet");
    CHECK(row.at("cues") == 5);
    CHECK(row.at("sha256").size() == 2);  // data.noun and index.noun
    CHECK(row.at("measures").at("whole 3").size() == 5);
  }
  CHECK(rows[0].at("statements") == rows[3].at("statements"));
  CHECK(rows[0].at("example").at("cue") != "");
  CHECK(begins_with(priming_error({{"generated", {{{"kind", "wordnet"}, {"groups", 3}}}}}),
                    "/generated/0/groups: unknown field "));
}

TEST_CASE("taxonomies and events are generated by groups, and measured as chains are",
          "[experiments][priming]") {
  const Spec spec = resolve_spec({{"experiment", "priming"},
                                  {"inputs", Json::array()},
                                  {"generated",
                                   {{{"kind", "taxonomies"}, {"groups", 4}, {"questions", 3}},
                                    {{"kind", "events"}, {"groups", 4}, {"questions", 3}}}},
                                  {"methods", {"spreading_activation"}},
                                  {"seeds", {7}}},
                                 "");
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 * 4);
  for (const Json& row : rows) {
    CHECK(row.at("statements") == (row.at("set") == "taxonomies 4" ? 100 : 80));
    CHECK(row.at("cues") == 3);
    const auto& kept = row.at("measures").at("kept 3x");
    for (const Json& share : kept) {
      // Needed are 2, 3 and 4 statements: those are the turns.
      if (row.at("method") == "uniform") CHECK(share.get<double>() >= 6.0 / 100 - 1e-12);
      if (row.at("method") == "spreading_activation") CHECK(share.get<double>() > 0.24);
    }
    CHECK(row.at("measures").contains("kept 2x"));
  }
}

TEST_CASE("an ablation's differences are paired by seed, to the method as it was and to the best",
          "[experiments][priming]") {
  const Spec spec = resolve_spec(
      {{"experiment", "priming"},
       {"inputs", Json::array()},
       {"generated", {{{"kind", "chains"}, {"capacities", {"2x"}}, {"label", "hard"}}}},
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
  CHECK(table.rows[2][4].text == "-");  // the best
  CHECK(std::abs(number(3, 2) + 0.1) < 1e-15);
  CHECK(std::abs(number(0, 4) + 0.3) < 1e-15);
  CHECK(table.caption.find("best configuration (both)") != std::string::npos);
  CHECK(conclusion.summary.at("ablation").at("both").at("kept") == 0.9);
}
