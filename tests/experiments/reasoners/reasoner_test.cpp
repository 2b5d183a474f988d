// SPDX-License-Identifier: MIT
// Tests with tests/program/fake_nars.py as a stand-in for a NARS. For a question with two statements the stand-in gets
// these lines: 1 *volume=0, 2 and 3 the statements, 5 the cycles, 7 the question, 9 the cycles, 11 the question again.
// Each is followed by a line 0, whose reply marks the end of the output.
#include "experiments/reasoners/reasoner.hpp"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

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

  // The first statement alone does not lead to an answer.
  const Asked less = reasoner.ask(std::span(asking.birds).first(1), asking.question);
  CHECK(!less.best);
  CHECK(less.exchange.failure.empty());
  CHECK(recording.size() == 2);

  // Rules are sent last.
  const Sentence rule = asking.sentence("<<$1 --> bird> ==> <$1 --> flier>>.");
  const Asked ruled = reasoner.ask(std::vector{rule, asking.birds[0]}, asking.question);
  CHECK(ruled.exchange.statements ==
        std::vector<std::string>{"<robin --> bird>.", "<<$1 --> bird> ==> <$1 --> flier>>."});

  // Recorded answers need no system.
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
      {"exit=2", "ended (exit code 1) while it was told the statements"},
      {"kill=5", "ended (signal 9) while it reasoned before the question"},
      {"kill=7", "ended (signal 9) when it was asked"},
      {"hang=9", "did not answer within 2000 ms while it reasoned after the question"},
      {"flood=11", "printed more than 16777216 bytes at once when it was asked again"},
      {"half=7", "ended (exit code 0) when it was asked"},
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

  // Answers before the failure are kept.
  CHECK(failed.best.has_value() == (misbehaviour == "hang=9" || misbehaviour == "flood=11"));

  // Failures are not final: if there is a command, the question is asked again.
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
