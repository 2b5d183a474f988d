// SPDX-License-Identifier: MIT
// Tests of answering from memories that are full. A policy that forgot a premise of a question lost its proof, which
// counts against the policy.
#include <algorithm>
#include <sstream>

#include "experiments/answering/question_sets.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/runs/run.hpp"
#include "tests/experiments/answering/trial_rows.hpp"

namespace engram::experiments::answering {
namespace {

using testing::Folder;
using testing::measured;
using testing::rows_of;

Json small_spec(const std::string& policy) {
  return testing::generated_json("answering", {{"sets",
                                                {{{"kind", "families"}, {"groups", 8}, {"questions", 6}},
                                                 {{"kind", "taxonomies"}, {"groups", 3}, {"questions", 5}}}},
                                               {"methods", {"overlap", "bidirectional_spreading"}},
                                               {"seeds", {1, 2, 3}},
                                               {"memory", {{"max_statements", 45}, {"forget", policy}}}});
}

TEST_CASE("a spec may set the forgetting policy, and the resolved spec omits the policy `none`",
          "[experiments][answering][forgetting]") {
  const Spec said = resolve_spec(small_spec("learnt"), "");
  CHECK(said.forgetting == core::ForgettingPolicy::learnt);
  CHECK(said.resolved.at("memory").at("forget") == "learnt");
  CHECK(resolve_spec(said.resolved, "").resolved == said.resolved);
  const Spec none = resolve_spec(small_spec("none"), "");
  CHECK(none.forgetting == core::ForgettingPolicy::none);
  CHECK_FALSE(none.resolved.at("memory").contains("forget"));
  CHECK_THROWS_AS(resolve_spec(small_spec("everything"), ""), SpecError);
  Json other = {{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"memory", {{"forget", "recent"}}}};
  // `completion` builds its own memories, so its specs must not name a forgetting policy.
  CHECK_THROWS_AS(resolve_spec(other, ""), SpecError);
}

TEST_CASE("each policy's row lists the questions with a complete proof in memory, as a search confirms",
          "[experiments][answering][forgetting]") {
  const Spec spec = resolve_spec(small_spec("recent"), "");
  const auto& options = testing::options_of<AnsweringOptions>(spec);
  const std::vector<Json> rows = rows_of(spec);
  std::size_t compared = 0, whole = 0, lost = 0;
  for (const Json& row : rows) {
    if (row.at("part") != in_memory) continue;
    const auto of = std::ranges::find(options.sets, row.at("set").get<std::string>(), &SeededSet::label);
    const auto policy = *value_named(core::forgetting_policies, row.at("method").get<std::string>());
    const QuestionSet set =
        seeded_set(*of, row.at("seed").get<std::uint64_t>(), false, false, spec.memory, policy);
    std::vector<double> expected;
    for (const AskedQuestion& question : set.questions) {
      bool is_whole = false;
      for (const Question::Proof& proof : question.proofs) {
        bool all = true;
        // Looks up each premise by content, independently of the numbers that the corpus assigned.
        for (const core::StatementId id : proof)
          all = all && set.corpus.session->memory().find(set.corpus.premise(id)).has_value();
        is_whole = is_whole || all;
      }
      expected.push_back(is_whole ? 1 : 0);
      ++(is_whole ? whole : lost);
    }
    CHECK(measured(row, in_memory) == expected);
    CHECK(row.at("statements").get<std::size_t>() <= 45);
    ++compared;
  }
  CHECK(compared == core::forgetting_policies.size() * 2 * 3);
  CHECK(whole > 0);
  CHECK(lost > 0);
}

TEST_CASE("no arm selects more than the memory has, and every question is asked",
          "[experiments][answering][forgetting]") {
  const std::vector<Json> rows = rows_of(resolve_spec(small_spec("recent"), ""));
  Json memory;
  for (const Json& row : rows) {
    if (row.at("part") != test) continue;
    for (const Json& other : rows)
      if (other.at("part") == in_memory && other.at("method") == "recent" &&
          other.at("trial") == row.at("trial"))
        memory = other;
    const auto there = measured(memory, in_memory);
    CHECK(row.at("needed").size() == there.size());
    for (const auto& [name, list] : row.at("measures").items()) {
      if (!name.starts_with("whole ")) continue;
      const auto given = list.get<std::vector<double>>();
      REQUIRE(given.size() == there.size());
      for (std::size_t i = 0; i < given.size(); ++i) CHECK(given[i] <= there[i]);
      if (row.at("method") == everything_arm) CHECK(given == there);
    }
  }
}

TEST_CASE("a forgetting run gives the same bytes with more jobs, and its report shows the losses",
          "[experiments][answering][forgetting]") {
  const Folder folder("answering_forgetting");
  const Spec spec = resolve_spec(small_spec("frequent"), "");
  run(spec, {.out = folder.path / "one", .jobs = 1});
  run(spec, {.out = folder.path / "three", .jobs = 3});
  for (const char* file :
       {"results.jsonl", "summary.json", "report.html", "spec.json", "tables/memory.csv"}) {
    INFO(file);
    const std::string text = testing::read(folder.path / "one" / file);
    CHECK_FALSE(text.empty());
    CHECK(text == testing::read(folder.path / "three" / file));
  }
  const std::string report = testing::read(folder.path / "one" / "report.html");
  for (const char* text : {"<h2>What was forgotten</h2>", "because there was no room for another statement",
                           "the statements entered most often", "A full memory that forgets by"})
    CHECK(report.find(text) != std::string::npos);
  std::size_t pages = 0, lacking = 0;  // pages of questions, and those pages that report forgotten statements
  for (const auto& page : std::filesystem::directory_iterator(folder.path / "one" / "cues")) {
    ++pages;
    lacking += testing::read(page).find("<b>not in memory</b>") != std::string::npos;
  }
  CHECK(lacking > 0);
  CHECK(lacking < pages);
}

}  // namespace
}  // namespace engram::experiments::answering
