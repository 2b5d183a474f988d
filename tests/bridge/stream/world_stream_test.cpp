// SPDX-License-Identifier: MIT
// Tests of an event stream to a NARS that runs in the test itself.
#include "bridge/stream/world_stream.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

namespace engram::bridge::world_stream_tests {
namespace {

using nlohmann::json;
using EntryKind = TranscriptEntry::Kind;

// `received` has all lines that the test NARS received, over all its restarts. `deaths` is how many more times it fails
// at a line that contains "die".
std::vector<std::string> received;
int deaths = 0;

// A NARS for these tests. At each goal it executes the operation ^NAME of the last event go_NAME. It prints in ONA's
// format.
class Actor : public EmbeddedNars {
 public:
  void line(std::string_view text, const Print& print) override {
    received.emplace_back(text);
    if (deaths > 0 && text.find("die") != text.npos) {
      --deaths;
      throw ReasonerError("ended (signal 9)");
    }
    if (text.starts_with("go_")) operation_ = "^" + std::string(text.substr(3, text.find('.') - 3));
    if (text.find("! :|:") != text.npos) print(operation_ + " executed with args ");
    if (text.ends_with("?")) print("Answer: None.");
  }

 private:
  std::string operation_ = "^left";
};

std::unique_ptr<EmbeddedNars> make_actor() { return std::make_unique<Actor>(); }

NarsSystem actor(std::optional<PastEvents> past) {
  NarsSystem system = ona();
  system.embedded = make_actor;
  system.opening = system.opening_for_answers = {};
  system.dialect = narsese::Dialect::any;
  system.past = past;
  return system;
}

struct Streamed {
  explicit Streamed(StreamOptions options = {}, std::optional<PastEvents> past = {}) : system(actor(past)) {
    received.clear();
    deaths = 0;
    options.system = &system;
    options.back_off = std::chrono::milliseconds(1);
    stream.emplace(options, memory,
                   WorldStream::Observers{
                       .entries = [this](const TranscriptEntry& entry) { entries.push_back(entry); },
                       .replies = [this](const std::string& line) { printed.push_back(json::parse(line)); },
                       .rejected = [this](const core::RejectedLine& line) { rejected.push_back(line); }});
  }
  Streamed& say(const std::vector<std::string>& lines, bool at_once = true) {
    for (const std::string& line : lines) {
      stream->process_line(++number, line);
      while (at_once && stream->work()) {
      }
    }
    return *this;
  }
  json ask(const std::string& question) {
    say({question});
    return printed.back();
  }

  NarsSystem system;
  AttachedMemory memory{SessionStart{.system = &ona(), .learning = Learning::nothing}};
  std::vector<TranscriptEntry> entries;
  std::vector<json> printed;
  std::vector<core::RejectedLine> rejected;
  std::size_t number = 0;
  std::optional<WorldStream> stream;
};

using Lines = std::vector<std::string>;

StreamOptions passing(std::size_t most, core::EventPolicyKind policy = core::EventPolicyKind::first) {
  StreamOptions options;
  options.filter.pass = most;
  options.filter.policy = policy;
  // softmax gives every event a weight above 0, so it drops none.
  options.filter.map = {core::SimplexMap::softmax};
  return options;
}

}  // namespace

TEST_CASE("at most K events of a cycle are passed on, in order, then the goal; the log keeps all",
          "[bridge][stream]") {
  Streamed world(passing(2));
  world.say({"a. :|:", "go_right. :|:", "c. :|:"});
  CHECK(received.empty());  // events are passed on only at the end of a cycle
  world.say({"G! :|:", "5"});
  CHECK(received == Lines{"a. :|:", "go_right. :|:", "G! :|:", "5"});
  REQUIRE(world.printed.size() == 1);
  CHECK(world.printed[0]["event"] == "executed");
  CHECK(world.printed[0]["term"] == "^right");
  CHECK(world.printed[0]["occurrence"] == 0);
  const StreamCounts counts = world.stream->counts();
  CHECK((counts.events == 3 && counts.passed == 2 && counts.not_passed == 1 && counts.executed == 1));
  const json c = world.ask(R"({"ask":"episodes","term":"c"})");
  CHECK(c["times"] == 1);
  CHECK((c["episodes"][0]["time"] == 0 && c["episodes"][0]["passed"] == false));
  // Queries compare parsed terms, so spaces in a term do not matter.
  CHECK(world.ask(R"({"ask":"episodes","term":" a "})")["episodes"][0]["passed"] == true);
  CHECK(world.ask(R"({"ask":"episodes","term":"^right"})")["episodes"][0]["kind"] == "operation");
  // Five cycles from the line "5", and one for the goal.
  CHECK(world.ask(R"({"ask":"stats"})")["stats"]["now"] == 6);
}

TEST_CASE("eternal statements and questions are passed on at once, and wrong lines are rejected alone",
          "[bridge][stream]") {
  Streamed world(passing(1));
  world.say({"a. :|:", "<x --> y>.", "<x --> y>?", "this is wrong", R"({"cycles":-1})", R"({"did":"left"})",
             "// a comment"});
  CHECK(received == Lines{"<x --> y>.", "<x --> y>?"});
  CHECK(world.rejected.size() == 3);
  CHECK(world.printed.back()["event"] == "answer");
  world.say({"1"});
  CHECK(received.back() == "1");
  CHECK(received[received.size() - 2] == "a. :|:");
}

TEST_CASE("timestamps advance the clock, and late events get their time or are dropped", "[bridge][stream]") {
  const Lines lines{R"({"narsese":"a. :|:","time":3})", R"({"narsese":"b. :|:","time":10})",
                    R"({"narsese":"late. :|:","time":8})", R"({"narsese":"G! :|:","time":10})"};
  Streamed none(passing(5));
  none.say(lines);
  CHECK(received == Lines{"3", "a. :|:", "7", "b. :|:", "G! :|:"});
  CHECK(none.stream->counts().late == 1);
  CHECK(none.ask(R"({"ask":"episodes","term":"late"})")["episodes"][0]["time"] == 8);
  Streamed offset(passing(5), PastEvents{narsese::Tense::Kind::offset, 20});
  offset.say(lines);
  CHECK(received == Lines{"3", "a. :|:", "7", "b. :|:", "late. :-2:", "G! :|:"});
  Streamed past(passing(5), PastEvents{});
  past.say(lines);
  CHECK(received == Lines{"3", "a. :|:", "7", "b. :|:", "late. :\\:", "G! :|:"});
  // With timestamps, goals take no cycles of their own.
  CHECK(past.ask(R"({"ask":"stats"})")["stats"]["now"] == 10);
  // The transcript states the event's own time, even if the NARS did not receive it.
  CHECK(std::ranges::find(past.entries, TranscriptEntry{EntryKind::input, "late. :!8:"}) !=
        past.entries.end());
}

TEST_CASE("events beyond the horizon are logged, but not passed on, and do not advance the clock",
          "[bridge][stream]") {
  Streamed world(passing(5), PastEvents{});
  world.say({R"({"narsese":"far. :|:","time":9007199254740991})",
             R"({"narsese":"far. :|:","time":-9007199254740991})",
             "far. :!9223372036854775807:", "far. :-9223372036854775807:", "soon. :/:", "1"});
  CHECK(received == Lines{"1"});
  CHECK(world.stream->counts().far == 5);
  CHECK(world.ask(R"({"ask":"episodes","term":"far"})")["episodes"].size() == 4);
  CHECK(world.ask(R"({"ask":"stats"})")["stats"]["now"] == 1);
}

TEST_CASE("an undeclared operation is reported as unknown and counted, and nothing is learnt about it",
          "[bridge][stream]") {
  StreamOptions options = passing(1);
  options.operations = {"^left", "^right"};
  Streamed world(options);
  world.say({"go_away. :|:", "G! :|:", "G. :|:", "1", "go_right. :|:", "G! :|:", "G. :|:", "1"});
  CHECK(received[0] == "*setopname 1 ^left");
  CHECK(world.printed[0]["unknown"] == true);
  CHECK_FALSE(world.printed[1].contains("unknown"));
  CHECK(world.stream->counts().unknown_operations == 1);
  const json stats = world.ask(R"({"ask":"stats"})")["stats"];
  CHECK(stats["reached"] == 1);
  for (const json& link : stats["learnt"]) CHECK(link.get<std::string>().find("^away") == std::string::npos);
}

TEST_CASE("the stream learns which operations reach goals, gives them budgets and exports the implications",
          "[bridge][stream]") {
  Streamed world(passing(2, core::EventPolicyKind::predictive));
  for (int trial = 0; trial < 60; ++trial) {
    const std::string noise = "noise" + std::to_string(trial % 7) + ". :|:";
    if (trial % 2 == 0)
      world.say({"go_right. :|:", noise, "G! :|:", "G. :|:", "100"});
    else
      world.say({noise, "G! :|:", R"({"did":"^right"})", "100"});
  }
  world.say({"go_right. :|:", "1"});
  const json budgets = world.ask(R"({"ask":"operations","goal":"G","id":"x"})");
  CHECK(budgets["id"] == "x");
  REQUIRE(budgets["operations"].size() == 1);  // the stream knows only operations that the NARS has executed
  CHECK(budgets["operations"][0]["success"] > 0.7);
  const json exported = world.ask(R"({"ask":"export"})");
  const Lines links = exported["exported"].get<Lines>();
  CHECK(std::ranges::any_of(
      links, [](const std::string& link) { return link.starts_with("<(&/,go_right,^right) =/> G>."); }));
  for (const std::string& link : links) {
    CHECK(link.find("noise") == link.npos);
    CHECK(std::ranges::find(received, link) != received.end());
  }
  // Until now the NARS executed the operation that succeeds, so the stream sent no advice. From here on that operation
  // fails, and an operation executed by somebody else succeeds.
  CHECK(world.stream->counts().advice == 0);
  received.clear();
  for (int trial = 0; trial < 30; ++trial) {
    world.say({"go_right. :|:", "G! :|:", "100"});
    world.say({"noise1. :|:", "G! :|:", R"({"did":"^right"})", "G. :|:", "100"});
  }
  CHECK(world.stream->counts().advice > 0);
  CHECK(std::ranges::any_of(
      received, [](const std::string& line) { return line.starts_with("<(&/,go_right,^right) =/> G>. %"); }));
  CHECK(world.ask(R"({"ask":"stats"})")["stats"]["advice"] == world.stream->counts().advice);
}

TEST_CASE("a restarted NARS gets the eternal statements again, and the stream continues",
          "[bridge][stream]") {
  Streamed world(passing(3));
  world.say({"<x --> y>.", "a. :|:"});
  deaths = 1;
  world.say({"die. :|:", "G! :|:"});
  received.clear();
  world.say({"b. :|:", "G! :|:"});
  CHECK(received == Lines{"<x --> y>.", "b. :|:", "G! :|:"});
  const StreamCounts counts = world.stream->counts();
  CHECK((counts.restarts == 1 && counts.lost_events == 2 && counts.lost_goals == 1 && counts.executed == 1));
}

TEST_CASE("a live world never waits for a slow NARS: waiting events are counted and stay bounded",
          "[bridge][stream]") {
  StreamOptions options = passing(2);
  options.live = true;
  options.filter.max_waiting = 64;
  Streamed world(options);
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < 100; ++i) world.say({"e" + std::to_string(i) + ". :|:"}, false);
    world.say({"1"}, false);
  }
  world.say({"G! :|:"});
  const StreamCounts counts = world.stream->counts();
  CHECK(counts.events == 10'000);
  CHECK(counts.dropped + counts.not_passed + counts.passed + counts.late + counts.crowded_out == 10'000);
  CHECK(counts.dropped > 0);
  CHECK(counts.late > 0);
  std::uint64_t passed_time = 0;
  for (const std::string& line : received)
    if (line.find_first_not_of("0123456789") == line.npos) passed_time += std::stoull(line);
  CHECK(passed_time == 100);
}

TEST_CASE("equal input lines give equal transcripts, and replays give the same memory", "[bridge][stream]") {
  const auto run = [] {
    Streamed world(passing(1, core::EventPolicyKind::random));
    for (int trial = 0; trial < 10; ++trial)
      world.say({"a" + std::to_string(trial % 3) + ". :|:", "go_right. :|:", "G! :|:", R"({"did":"^left"})",
                 "G. :|:", "7"});
    AttachedMemory again(SessionStart{.system = &ona(), .learning = Learning::nothing});
    for (const TranscriptEntry& entry : world.entries) {
      const core::Session::Request request(again.session());
      again.apply(entry);
    }
    CHECK(again.end() == world.memory.end());
    return world.entries;
  };
  CHECK(run() == run());
}

}  // namespace engram::bridge::world_stream_tests
