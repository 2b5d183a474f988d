// SPDX-License-Identifier: MIT
// Tests of specs that send questions to the embedded reasoner. They work like specs with an external NARS, but must not
// name a command.
#include <algorithm>
#include <map>

#include "experiments/reasoners/reasoner.hpp"
#include "experiments/spec/experiment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

namespace engram::experiments::embedded_system_tests {
namespace {

Json asking_spec(const Json& system) {
  return {{"experiment", "answering"}, {"inputs", {"a.nal"}},       {"sets", Json::array()},
          {"methods", {"overlap"}},    {"ablation", Json::array()}, {"tuning", {{"methods", Json::array()}}},
          {"capacities", {2}},         {"system", system}};
}

std::string mistake_in(const Json& system) {
  try {
    resolve_spec(asking_spec(system), "");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "none";
}

std::vector<Json> rows_asked(const Json& system, const testing::Folder& folder) {
  const Spec spec = resolve_spec(asking_spec(system), folder.path);
  const auto trials = spec.experiment->trials(spec);
  trials->prepare();
  return trials->run(0).rows;
}

}  // namespace

TEST_CASE("a spec with the embedded reasoner must not have a command", "[experiments][reasoners]") {
  CHECK(mistake_in({{"name", "engram"}}) == "none");
  CHECK(mistake_in({{"name", "engram"}, {"recording", "r.jsonl"}}) == "none");
  CHECK(mistake_in({{"name", "engram"}, {"command", {"NAR", "shell"}}})
            .rfind("/system/command must be left out", 0) == 0);
  CHECK(mistake_in({{"name", "engram"}, {"command", Json::array()}}).rfind("/system/command must be", 0) ==
        0);
  CHECK(mistake_in({{"name", "engram"}, {"cycles", -1}}).rfind("/system/cycles must", 0) == 0);
  CHECK(mistake_in({{"name", "ona"}}).rfind("/system must be an object with a \"command\"", 0) == 0);
  const Spec spec = resolve_spec(asking_spec({{"name", "engram"}}), "");
  CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);
}

TEST_CASE("the embedded reasoner answers an experiment's questions, and recorded answers are reused",
          "[experiments][reasoners]") {
  const testing::Folder folder("embedded_system");
  testing::write(folder.path / "a.nal",
                 "<a --> b>.\n<b --> c>.\n<x --> y>.\n<a --> c>?\n//expected: Answer: <a --> c>.\n"
                 "//needed: <a --> b>.\n//needed: <b --> c>.\n<x --> y>?\n//expected: Answer: <x --> y>.\n"
                 "//needed: <x --> y>.\n");
  const Json system = {{"name", "engram"}, {"cycles", 3}, {"more_cycles", 3}};
  const std::vector<Json> rows = rows_asked(system, folder);
  std::map<std::string, Json> answered;
  for (const Json& row : rows)
    if (row.at("measures").contains("answered 2"))
      answered[row.at("method")] = row.at("measures").at("answered 2");
  for (const char* arm : {"overlap", "everything", "oracle"}) CHECK(answered.at(arm) == Json{1.0, 1.0});
  Json kept = system;
  kept["recording"] = (folder.path / "answers.jsonl").string();  // the first run creates this file
  CHECK(rows_asked(kept, folder) == rows);
  const std::string recording = testing::read(folder.path / "answers.jsonl");
  CHECK(recording.find("\"system\":\"engram\"") != std::string::npos);
  CHECK(rows_asked(kept, folder) == rows);
  CHECK(testing::read(folder.path / "answers.jsonl") == recording);
  // Answers come from the recording without a check: a changed recording changes the rows.
  std::string other = recording;
  for (std::size_t at = other.find("\"confidence\":0.81"); at != std::string::npos;
       at = other.find("\"confidence\":0.81", at))
    other.replace(at, 17, "\"confidence\":0.11");
  REQUIRE(other != recording);
  testing::write(folder.path / "answers.jsonl", other);
  CHECK(rows_asked(kept, folder) != rows);
}

}  // namespace engram::experiments::embedded_system_tests
