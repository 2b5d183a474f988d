// SPDX-License-Identifier: MIT
// The stand-in for a NARS is tests/program/fake_nars.py. For a question about two statements it reads these lines: 1
// *volume=0, 2 and 3 the statements, 5 the cycles, 7 the question, 9 the cycles, 11 the question again. After each
// input it reads a line 0, whose reply marks the end of the output.
#include "experiments/reasoners/reasoner.hpp"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram;
using namespace engram::experiments;
using Catch::Matchers::Contains;
using narsese::Sentence;

namespace {

SystemChoice stand_in(const std::vector<std::string>& misbehaviour = {}) {
  std::signal(SIGPIPE, SIG_IGN);
  SystemChoice choice;
  choice.system = &bridge::ona();
  choice.command = {"python3", ENGRAM_SOURCE_DIR "/tests/program/fake_nars.py"};
  choice.command.insert(choice.command.end(), misbehaviour.begin(), misbehaviour.end());
  choice.patience = 10;
  return choice;
}

struct Asking {
  narsese::TermTable table;
  Sentence sentence(const std::string& text) { return narsese::parse_sentence(text, table).value(); }
  std::vector<Sentence> birds{sentence("<robin --> bird>."), sentence("<bird --> animal>.")};
  Sentence question = sentence("<robin --> animal>?");
};

SystemChoice chosen_by(const std::string& text, Json* resolved = nullptr) {
  const Json spec = Json::parse(text);
  return checked([&] {
    SpecObject object(bridge::JsonValue(spec, bridge::JsonPlace("/system")));
    const SystemChoice choice = read_system(object);
    object.refuse_others();
    if (resolved != nullptr) *resolved = object.resolved;
    return choice;
  });
}

std::string refusal_of_system(const std::string& text) {
  return testing::message_of<SpecError>([&] { chosen_by(text); });
}

Answer truly(double frequency, double confidence, const std::string& term = "<a --> c>") {
  return {term, {frequency, confidence}};
}

}  // namespace

TEST_CASE("each question is answered only from the statements given with it", "[experiments][reasoners]") {
  Asking asking;
  Recording recording;
  Reasoner reasoner(stand_in(), recording);
  const Asked asked = reasoner.ask(asking.birds, asking.question);
  CHECK(asked.best == Answer{"<robin --> animal>", {1, 0.81}});
  CHECK(asked.answers == std::vector{*asked.best});
  CHECK(asked.seconds.value_or(-1) > 0);
  CHECK(asked.refused.empty());
  CHECK(asked.exchange == Exchange{.system = "ona",
                                   .statements = {"<robin --> bird>.", "<bird --> animal>."},
                                   .question = "<robin --> animal>?",
                                   .cycles = 100,
                                   .more_cycles = 50,
                                   .answers = asked.answers});

  // The first statement alone does not answer the question.
  const Asked less = reasoner.ask(std::span(asking.birds).first(1), asking.question);
  CHECK(!less.best);
  CHECK(less.exchange.failure.empty());
  CHECK(recording.size() == 2);

  // Rules are sent after the other statements.
  const Sentence rule = asking.sentence("<<$1 --> bird> ==> <$1 --> flier>>.");
  const Asked ruled = reasoner.ask(std::vector{rule, asking.birds[0]}, asking.question);
  CHECK(ruled.exchange.statements ==
        std::vector<std::string>{"<robin --> bird>.", "<<$1 --> bird> ==> <$1 --> flier>>."});

  // Recorded answers are replayed without a command for the system.
  SystemChoice none = stand_in();
  none.command.clear();
  Reasoner replay(none, recording);
  const Asked again = replay.ask(asking.birds, asking.question);
  CHECK(again.exchange == asked.exchange);
  CHECK(again.best == asked.best);
  CHECK(!again.seconds);
  CHECK_THROWS_WITH(replay.ask(asking.birds, asking.sentence("<bird --> ?1>?")),
                    Contains("the recording lacks ") && Contains("'<bird --> ?1>?', asked of 2 statements"));
}

TEST_CASE("names that the system cannot hold are shortened and restored", "[experiments][reasoners]") {
  Asking asking;
  const std::string robin = "the_robin_that_nests_in_the_old_apple_tree", owl = "\"tawny owl\"";
  const std::vector told{asking.sentence("<" + robin + " --> bird>."),
                         asking.sentence("<bird --> " + owl + ">.")};
  Recording recording;
  Reasoner reasoner(stand_in(), recording);
  const Asked asked = reasoner.ask(told, asking.sentence("<" + robin + " --> " + owl + ">?"));
  REQUIRE(asked.best);
  CHECK(asked.best->term == "<" + robin + " --> " + owl + ">");
  CHECK(asked.exchange.answers[0].term ==
        asked.exchange.question.substr(0, asked.exchange.question.size() - 1));
  CHECK(asked.exchange.answers[0].term.find(robin) == std::string::npos);
  CHECK(asked.refused.empty());
}

TEST_CASE("a statement that the system's language cannot express is reported, and the rest is asked",
          "[experiments][reasoners]") {
  Asking asking;
  Recording recording;
  Reasoner reasoner(stand_in(), recording);
  std::vector<Sentence> told = asking.birds;
  told.push_back(asking.sentence("<(*,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t) --> r>."));
  const Asked asked = reasoner.ask(told, asking.question);
  CHECK(asked.best);
  REQUIRE(asked.refused.size() == 1);
  CHECK_THAT(asked.refused[0], Contains("<(*,a,b,"));

  const Asked unasked = reasoner.ask(asking.birds, told.back());
  CHECK(!unasked.best);
  CHECK(unasked.exchange.question.empty());
  CHECK(recording.size() == 1);
}

TEST_CASE("a system's failure is reported for its question only, and the next one is answered",
          "[experiments][reasoners]") {
  const auto [misbehaviour, failure] = GENERATE(table<std::string, std::string>({
      {"exit=2", "ended (exit code 1) while reading the statements"},
      {"kill=5", "ended (signal 9) while reasoning before the question"},
      {"kill=7", "ended (signal 9) on the question"},
      {"hang=9", "did not answer within 2000 ms while reasoning after the question"},
      {"flood=11", "printed more than 16777216 bytes at once on the repeated question"},
      {"half=7", "ended (exit code 0) on the question"},
  }));
  CAPTURE(misbehaviour);
  Asking asking;
  const auto lives = std::filesystem::temp_directory_path() / ("engram_lives_" + std::to_string(getpid()));
  std::filesystem::remove(lives);
  SystemChoice choice = stand_in({misbehaviour, "--times", "1", lives.string()});
  if (misbehaviour.starts_with("hang")) choice.patience = 2;
  Recording recording;
  Reasoner reasoner(choice, recording);
  const Asked failed = reasoner.ask(asking.birds, asking.question);
  CHECK(failed.exchange.failure == failure);
  CHECK(recording.find(key_of(failed.exchange)) == failed.exchange);

  // Answers that arrived before the failure are kept.
  CHECK(failed.best.has_value() == (misbehaviour == "hang=9" || misbehaviour == "flood=11"));

  // A failure is not final: if there is a command, the next call asks the question again.
  const Asked asked = reasoner.ask(asking.birds, asking.question);
  CHECK(asked.exchange.failure.empty());
  CHECK(asked.best);
  CHECK(recording.find(key_of(failed.exchange)) == asked.exchange);
  std::filesystem::remove(lives);
}

TEST_CASE("questions from several threads run in parallel and have the same answers",
          "[experiments][reasoners]") {
  Recording recording;
  Reasoner reasoner(stand_in(), recording);
  std::vector<std::optional<Answer>> best(3);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < best.size(); ++i)
    threads.emplace_back([&, i] {
      Asking asking;
      best[i] = reasoner.ask(std::span(asking.birds).first(i == 2 ? 1 : 2), asking.question).best;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(best[0] == Answer{"<robin --> animal>", {1, 0.81}});
  CHECK(best[1] == best[0]);
  CHECK(!best[2]);
  CHECK(recording.size() == 2);
}

TEST_CASE("a missing program is an error at the first question", "[experiments][reasoners]") {
  Asking asking;
  Recording recording;
  SystemChoice choice = stand_in();
  choice.command = {"/nowhere/NAR", "shell"};
  Reasoner reasoner(choice, recording);
  CHECK_THROWS_AS(reasoner.ask(asking.birds, asking.question), bridge::CannotStart);
  CHECK(recording.size() == 0);
}

TEST_CASE("a spec selects the system, its command, cycles and time limits", "[experiments][reasoners]") {
  Json resolved;
  const SystemChoice choice = chosen_by(R"({"name": "opennars", "command": ["/bin/nar", "a b", ""],
      "recording": "r.jsonl", "cycles": 7, "more_cycles": 0, "settling": 0.5, "patience": 2})",
                                        &resolved);
  CHECK(choice.system == bridge::find_nars_system("opennars"));
  CHECK(choice.command == std::vector<std::string>{"/bin/nar", "a b", ""});
  CHECK(choice.recording == "r.jsonl");
  CHECK(choice.cycles == 7);
  CHECK(choice.more_cycles == 0);
  CHECK(choice.settling == 0.5);
  CHECK(choice.patience == 2);
  Json again;
  chosen_by(resolved.dump(), &again);
  CHECK(again == resolved);

  const SystemChoice shipped = chosen_by(R"({"name": "ona", "command": ["NAR", "shell"]})", &resolved);
  CHECK(shipped.recording.empty());
  CHECK(resolved.dump() == R"({"name":"ona","command":["NAR","shell"],"cycles":100,"more_cycles":50,)"
                           R"("settling":1.0,"patience":60.0})");
}

TEST_CASE("an error in the choice of a system has its place in the spec", "[experiments][reasoners]") {
  CHECK_THAT(refusal_of_system(R"([])"), Contains("/system must be an object"));
  CHECK_THAT(refusal_of_system(R"({"command": ["NAR"]})"),
             Contains("/system/name must be the name of a system"));
  CHECK_THAT(refusal_of_system(R"({"name": "onna", "command": ["NAR"]})"), Contains("ona"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona"})"),
             Contains("/system must be an object with a \"command\""));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": []})"), Contains("/system/command must be"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": "NAR shell"})"),
             Contains("/system/command must be a list of a program and its arguments"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["", "x"]})"),
             Contains("/system/command/0 must be"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR", 1]})"),
             Contains("/system/command/1 must be"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR"], "cycles": -1})"),
             Contains("/system/cycles"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR"], "patience": 0})"),
             Contains("/system/patience"));
  CHECK_THAT(refusal_of_system(R"({"name": "ona", "command": ["NAR"], "cicles": 1})"), Contains("/system"));
}

TEST_CASE("a verdict compares an answer's term, side, confidence and frequency with the oracle's",
          "[experiments][reasoners]") {
  const Answer oracle = truly(1, 0.8);
  CHECK(verdict_on(std::nullopt, oracle) == Verdict::none);
  CHECK(verdict_on(oracle, oracle) == Verdict::answered);
  CHECK(verdict_on(truly(1, 0.99), oracle) == Verdict::answered);
  // 95 % of the oracle's confidence 0.8 is enough.
  CHECK(verdict_on(truly(1, 0.76), oracle) == Verdict::answered);
  CHECK(verdict_on(truly(1, 0.7599), oracle) == Verdict::weaker);
  CHECK(verdict_on(truly(0.95, 0.8), oracle) == Verdict::answered);
  CHECK(verdict_on(truly(0.9499, 0.8), oracle) == Verdict::weaker);
  CHECK(verdict_on(truly(0.5, 0.8), oracle) == Verdict::wrong);
  CHECK(verdict_on(truly(0, 0.8), oracle) == Verdict::wrong);
  CHECK(verdict_on(truly(1, 0.8, "<a --> d>"), oracle) == Verdict::wrong);
  CHECK(verdict_on(truly(0.1, 0.8), truly(0.1, 0.8)) == Verdict::answered);
  CHECK(verdict_on(truly(0.6, 0.8), truly(0.4, 0.8)) == Verdict::wrong);
}

TEST_CASE("support is the expectation of an answer, and one half without an answer",
          "[experiments][reasoners]") {
  CHECK(support(std::nullopt) == 0.5);
  CHECK(support(truly(1, 0.8)) == Approx(0.9));
  CHECK(support(truly(0, 0.8)) == Approx(0.1));
  CHECK(support(truly(0.75, 0.4)) == Approx(0.6));
}

TEST_CASE("best_answer chooses by NAL's choice rule", "[experiments][reasoners]") {
  CHECK(!best_answer({}, false));
  const Answer sure = truly(0, 0.9), likely = truly(1, 0.6, "<a --> b>");
  CHECK(best_answer({likely, sure}, false) == sure);
  CHECK(best_answer({likely, sure}, true) == likely);
  CHECK(best_answer({sure, truly(0.5, 0.9)}, false) == sure);
}
