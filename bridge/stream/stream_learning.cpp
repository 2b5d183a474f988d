// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_learning.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bridge/files/files.hpp"
#include "bridge/json/object_reader.hpp"
#include "bridge/models/model.hpp"

namespace engram::bridge {
namespace {

using core::LearntOutcomes;

constexpr std::int64_t format = 2;
constexpr JsonLimits learning_limits{
    .max_bytes = std::size_t{1} << 28, .max_depth = 8, .max_values = std::size_t{1} << 24};

template <class Read>
auto list_in(const JsonValue& list, std::string_view what, const Read& read) {
  std::vector<decltype(read(list))> items;
  list.list(what);
  for (std::size_t i = 0; i < list.size(); ++i) items.push_back(read(list[i]));
  return items;
}

std::vector<double> evidence_in(const JsonValue& list) {
  return list_in(list, "evidence by operation", [](const JsonValue& value) { return value.number(); });
}

LearntOutcomes::Event event_in(const JsonValue& given, std::int64_t of_format) {
  ObjectReader reader(given);
  LearntOutcomes::Event event;
  if (of_format == 1) {
    event.terms = {reader["event"].text("a term")};
  } else {
    reader["events"].list("the events of a pattern", 1);
    event.terms = list_in(reader["events"], "the events of a pattern",
                          [](const JsonValue& term) { return term.text("a term"); });
    event.later = static_cast<std::uint8_t>(reader["later"].whole_number(0, 255));
    event.scores = evidence_in(reader["scores"]);
    event.tests = evidence_in(reader["tests"]);
    event.times = reader["times"].number();
    event.best = reader["best"].number();
  }
  event.score = reader["score"].number();
  event.evidence = evidence_in(reader["evidence"]);
  event.reached = evidence_in(reader["reached"]);
  reader.refuse_others();
  return event;
}

LearntOutcomes::Goal goal_in(const JsonValue& given, std::int64_t of_format) {
  ObjectReader reader(given);
  LearntOutcomes::Goal goal;
  goal.term = reader["goal"].text("a term");
  goal.base_score = reader["nothing"].number();
  goal.evidence = evidence_in(reader["evidence"]);
  goal.reached = evidence_in(reader["reached"]);
  if (of_format > 1) {
    goal.scores = evidence_in(reader["scores"]);
    goal.examined = reader["examined"].number();
  }
  goal.events = list_in(reader["events"], "the learnt evidence of each event",
                        [&](const JsonValue& event) { return event_in(event, of_format); });
  reader.refuse_others();
  return goal;
}

StreamLearning learning_of(const Json& json) {
  ObjectReader reader((JsonValue(json)));
  const std::int64_t found =
      reader["engram_stream_learning"].required("a learning file of a stream").whole_number(1, 1'000'000);
  if (found > format)
    throw LearningError("is of format " + std::to_string(found) + "; this program reads formats 1 to " +
                        std::to_string(format));
  reader["sha256"].required("its SHA-256").text();
  if (!seal_holds(json))
    throw LearningError("is damaged or was changed: its SHA-256 does not match its contents");
  StreamLearning learning;
  learning.operations = list_in(reader["operations"], "operations by number",
                                [](const JsonValue& name) { return name.text("an operation"); });
  learning.outcomes.goals = list_in(reader["goals"], "the learnt evidence of each goal",
                                    [&](const JsonValue& goal) { return goal_in(goal, found); });
  reader.refuse_others();
  return learning;
}

}  // namespace

StreamLearning with_operations(const StreamLearning& learning, const std::vector<std::string>& wanted,
                               std::size_t count) {
  StreamLearning other{wanted.empty() ? learning.operations : wanted, learning.outcomes};
  if (other.operations.size() > count) other.operations.resize(count);
  const auto put_in_order = [&](std::vector<double>& numbers) {
    std::vector<double> ordered(count, 0.0);
    for (std::size_t a = 0; a < other.operations.size(); ++a) {
      const auto from = static_cast<std::size_t>(std::ranges::find(learning.operations, other.operations[a]) -
                                                 learning.operations.begin());
      if (from < learning.operations.size() && from < numbers.size()) ordered[a] = numbers[from];
    }
    numbers = std::move(ordered);
  };
  for (LearntOutcomes::Goal& goal : other.outcomes.goals) {
    put_in_order(goal.evidence);
    put_in_order(goal.reached);
    if (!goal.scores.empty()) put_in_order(goal.scores);
    for (LearntOutcomes::Event& event : goal.events) {
      put_in_order(event.evidence);
      put_in_order(event.reached);
      if (!event.scores.empty()) put_in_order(event.scores);
    }
  }
  return other;
}

std::string to_text(const StreamLearning& learning) {
  Json goals = Json::array();
  for (const LearntOutcomes::Goal& goal : learning.outcomes.goals) {
    Json events = Json::array();
    for (const LearntOutcomes::Event& event : goal.events)
      events.push_back({{"events", event.terms},
                        {"later", event.later},
                        {"score", event.score},
                        {"scores", event.scores},
                        {"evidence", event.evidence},
                        {"reached", event.reached},
                        {"times", event.times},
                        {"best", event.best},
                        {"tests", event.tests}});
    goals.push_back({{"goal", goal.term},
                     {"nothing", goal.base_score},
                     {"scores", goal.scores},
                     {"examined", goal.examined},
                     {"evidence", goal.evidence},
                     {"reached", goal.reached},
                     {"events", std::move(events)}});
  }
  return sealed({{"engram_stream_learning", format},
                 {"operations", learning.operations},
                 {"goals", std::move(goals)}})
             .dump() +
         "\n";
}

StreamLearning stream_learning_in(std::string_view text) try {
  const auto json = read_json(text, learning_limits);
  if (!json) throw LearningError("is not a learning file of a stream: " + json.error().message());
  return learning_of(*json);
} catch (const JsonError& error) {
  throw LearningError("is not a learning file of a stream: " + error.message());
}

StreamLearning read_stream_learning(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw_file_error(path);
  std::ostringstream text;
  if (std::filesystem::file_size(path) > learning_limits.max_bytes)
    throw LearningError("is too large for a learning file of a stream");
  text << in.rdbuf();
  if (in.bad()) throw_file_error(path);
  return stream_learning_in(text.str());
}

}  // namespace engram::bridge
