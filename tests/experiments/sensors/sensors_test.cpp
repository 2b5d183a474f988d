// SPDX-License-Identifier: MIT
#include "experiments/sensors/sensors.hpp"

#include <algorithm>
#include <csignal>

#include "experiments/sensors/touchstones.hpp"
#include "experiments/spec/spec_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

namespace engram::experiments::sensors {
std::unique_ptr<Experiment> experiment();
}
using namespace engram::experiments;
using namespace engram::experiments::sensors;

namespace {

std::vector<Json> rows_of_lives(const char* text) {
  const Json json = Json::parse(text);
  const engram::bridge::JsonPlace place;
  const auto experiment = sensors::experiment();
  Spec spec;
  SpecReader reader(JsonValue(json, place), {});
  experiment->read(reader, spec);
  const auto trials = experiment->trials(spec);
  trials->prepare();
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial)
    for (Json& row : trials->run(trial).rows) rows.push_back(std::move(row));
  return rows;
}

double last_forty(const Json& row) {
  const auto right = row.at("right").get<std::vector<double>>();
  double sum = 0;
  for (std::size_t i = right.size() - 40; i < right.size(); ++i) sum += right[i];
  return sum / 40;
}

}  // namespace

TEST_CASE("trials_to_criterion is the end of the first window with enough right trials",
          "[experiments][sensors]") {
  std::vector<double> right(50, 1);
  CHECK(trials_to_criterion(right) == 20);
  CHECK(trials_to_criterion(right, 7) == 27);
  CHECK(!trials_to_criterion(right, 31));
  for (std::size_t i = 0; i < 10; ++i) right[i] = 0;
  CHECK(trials_to_criterion(right) == 28);
  right[12] = 0;
  CHECK(trials_to_criterion(right) == 29);  // the criterion allows two wrong trials of twenty
  CHECK(!trials_to_criterion(std::vector<double>(19, 1)));
}

TEST_CASE("attention selects the relevant events for an acting reasoner, random selection does not",
          "[experiments][sensors]") {
  const auto rows = rows_of_lives(R"({"experiment": "sensors", "worlds": [{"world": "conditioning"}],
    "distractors": [20], "policies": ["random", "predictive", "oracle"], "seeds": [11],
    "touchstones": false})");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("method") == "random");
  CHECK(last_forty(rows[0]) < 0.8);
  CHECK(last_forty(rows[1]) >= 0.95);
  CHECK(last_forty(rows[2]) >= 0.95);
  CHECK(rows[1].at("events").at("arrived").get<int>() > 21 * 120);
  CHECK(rows[1].at("events").at("passed").get<int>() <= 5 * 120 + 120);
  // The links with the most attention are those of the stimuli. For each operation their success is near 0 or 1.
  for (const Json& link : rows[1].at("learnt")) {
    const auto statement = link.at("statement").get<std::string>();
    if (link.at("attention").get<double>() < 2) continue;
    CHECK(statement.starts_with("<(stimulus_"));
  }
}

TEST_CASE("after a reversal the reasoner recovers in most lives, with and without advice",
          "[experiments][sensors]") {
  const auto rows = rows_of_lives(R"({"experiment": "sensors", "distractors": [0], "policies": ["predictive"],
    "seeds": "11..16", "touchstones": false, "worlds": [{"world": "reversal", "label": "alone", "reversal": 60, "trials": 180,
      "advise": false}, {"world": "reversal", "label": "advised", "reversal": 60, "trials": 180}]})");
  for (const char* world : {"alone", "advised"}) {
    std::size_t back = 0;
    for (const Json& row : rows)
      if (row.at("world") == world)
        back += trials_to_criterion(row.at("right").get<std::vector<double>>(), 60).has_value();
    CHECK(back >= 5);
  }
}

TEST_CASE("attention to patterns lets the reasoner act where two events decide together",
          "[experiments][sensors]") {
  const auto rows = rows_of_lives(R"({"experiment": "sensors", "distractors": [10], "seeds": "11..13",
    "policies": ["single_events", "predictive"], "touchstones": false, "worlds": [
      {"world": "exclusive_or", "trials": 300},
      {"world": "sequence", "trials": 300, "pause": 2, "rest": 50}]})");
  double single = 0, together = 0;
  for (const Json& row : rows) (row.at("method") == "predictive" ? together : single) += last_forty(row) / 6;
  CHECK(single < 0.85);
  CHECK(together > 0.9);
}

// A life of a script that stands for a reasoner.
std::vector<Json> rows_of_script(const std::string& script) {
  std::signal(SIGPIPE, SIG_IGN);  // as the program does; the script may end before it has read everything
  Json spec = Json::parse(R"({"experiment": "sensors", "worlds": [{"world": "conditioning", "label": "two"}],
    "distractors": [5], "policies": ["first"], "seeds": [7], "touchstones": false})");
  spec["system"] = {{"name", "ona"}, {"command", {"sh", "-c", script}}};
  return rows_of_lives(spec.dump().c_str());
}

TEST_CASE("a reasoner that cannot work ends the experiment with its last lines", "[experiments][sensors]") {
  CHECK(engram::testing::message_of<engram::bridge::ReasonerError>([] {
          rows_of_script("echo wrong; echo way; exit 1");
        }) == "the reasoner ended (exit code 1); it printed: wrong / way");
}

TEST_CASE("a reasoner that ends does nothing from then on", "[experiments][sensors]") {
  // Answers ONA's markers, executes ^left for each of the first 30 goals, then ends.
  const auto rows = rows_of_script(
      "n=0; while read line; do case $line in"
      " 0) echo 'done with 0 additional inference steps.' ;;"
      " *!*) n=$((n + 1)); [ $n -gt 30 ] && { echo too many terms; exit 1; }; echo '^left executed with "
      "args' ;;"
      " esac; done");
  REQUIRE(rows.size() == 1);
  const auto ended = rows[0].at("ended").get<std::string>();
  CHECK(ended.starts_with("the reasoner ended (exit code 1); it printed: ^left executed with args / "));
  CHECK(ended.ends_with(" / too many terms"));
  CHECK(rows[0].at("right").size() == 120);
  CHECK(rows[0].at("operations") == 30);
  CHECK(last_forty(rows[0]) == 0);
  SensorsOptions options;
  options.worlds.resize(1);
  options.worlds[0].label = "two";
  options.worlds[0].world = "conditioning";
  options.distractors = {5};
  options.policies = {"first"};
  CHECK(conclude_sensors({}, options, rows).answer ==
        "In 1 of 1 lives the reasoner ended, and its later trials count as wrong. First in the world two "
        "with 5 distractors, policy first, seed 7: " +
            ended + ".");
}

TEST_CASE("touchstones give a row for each theory, and two tables", "[experiments][sensors]") {
  const Json json = Json::parse(R"({"experiment": "sensors", "worlds": []})");
  const engram::bridge::JsonPlace place;
  const auto experiment = sensors::experiment();
  Spec spec;
  SpecReader reader(JsonValue(json, place), {});
  experiment->read(reader, spec);
  const auto trials = experiment->trials(spec);
  trials->prepare();
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial) rows.push_back(trials->run(trial).rows.at(0));
  REQUIRE(rows.size() == theories().size());
  const Conclusion conclusion = experiment->conclude(spec, rows);
  const auto table = [&](const char* name) {
    return *std::ranges::find(conclusion.tables, name, &Table::name);
  };
  CHECK(table("touchstones").rows.size() == touchstones().size());
  CHECK(table("touchstones").head.size() == 4 + theories().size());
  CHECK(table("attention").rows.size() == attention_probes().size());
  CHECK(conclusion.summary.at("touchstones").at("blocking").at("Rescorla and Wagner") == true);
  CHECK(experiment->measures().observe(rows.front()).size() == touchstones().size());
}
