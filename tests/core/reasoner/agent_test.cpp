// SPDX-License-Identifier: MIT
// Tests of an agent in small worlds. Some compare its truth values with those that ONA prints.
#include "core/reasoner/agent.hpp"

#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core::agent_tests {
namespace {

using narsese::TruthValue;
using Kind = AgentEvent::Kind;

AgentOptions without_babbling() {
  const AgentOptions options{.motor_babbling = 0};
  return options;
}

struct Acting {
  explicit Acting(const AgentOptions& options = without_babbling())
      : agent(options, [this] { return ++inputs; }) {
    agent.observe([this](const AgentEvent& event) {
      const std::string text = narsese::print(event.sentence);
      if (event.kind == Kind::executed) done.push_back(narsese::print(event.sentence.term));
      if (event.kind == Kind::answer) answer = text;
      log += text;
      for (const InputNumber number : event.stamp) log += ' ' + std::to_string(number);
      log += '\n';
    });
  }

  // Returns an error message, or an empty string.
  std::string tell(std::string_view line) {
    narsese::TermTable table;
    return agent.input(narsese::parse_sentence(line, table).value()).value_or("");
  }
  void all(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) CHECK(tell(line) == "");
  }
  void add_implication(std::string_view line) {
    narsese::TermTable table;
    agent.add_implication(narsese::parse_sentence(line, table).value(), ++inputs);
  }
  // The truth value of an implication, with confidence 0 if the agent has not learned it.
  TruthValue truth(std::string_view implication) {
    narsese::TermTable table;
    answer.clear();
    agent.answer(narsese::parse_term(implication, table).value());
    if (answer.empty()) return {0.5, 0};
    return *narsese::parse_sentence(answer, table)->truth;
  }

  InputNumber inputs = 0;
  Agent agent;
  std::vector<std::string> done;
  std::string answer, log;
};

// A trial has one of several stimuli and then the goal. The operation with the same number, plus `shift`, reaches it.
struct Conditioning {
  explicit Conditioning(std::size_t kinds, std::uint64_t seed = 1)
      : count(kinds), acting(options(kinds, seed)), rng(seed, "trials") {}

  static AgentOptions options(std::size_t kinds, std::uint64_t seed) {
    const AgentOptions options{.babbling_operators = kinds, .seed = seed};
    return options;
  }
  // Share of correct trials.
  double trials(int number) {
    int right = 0;
    for (int trial = 0; trial < number; ++trial) {
      const std::uint64_t stimulus = rng.below(count);
      acting.done.clear();
      acting.all({"s" + std::to_string(stimulus) + ". :|:", "g! :|:"});
      const std::string wanted = "^" + AgentOptions{}.operators[(stimulus + shift) % count];
      if (acting.done == std::vector{wanted}) {
        ++right;
        acting.all({"g. :|:"});
      }
      acting.agent.run(50);
    }
    return static_cast<double>(right) / number;
  }

  std::size_t count, shift = 0;
  Acting acting;
  Rng rng;
};

}  // namespace

TEST_CASE("three events give the truth values that ONA prints", "[reasoner]") {
  Acting acting;
  acting.all({"a. :|:", "^left. :|:", "g. :|:"});
  const TruthValue by_left = acting.truth("<(a &/ ^left) =/> g>");
  CHECK(by_left.frequency == 1);
  CHECK(by_left.confidence == Approx(0.241351).margin(5e-7));
  const TruthValue without_operation = acting.truth("<a =/> g>");
  CHECK(without_operation.frequency == 1);
  CHECK(without_operation.confidence == Approx(0.254517).margin(5e-7));
  CHECK(acting.log.find("dt=1 <(&/,a,^left) =/> g>. %1;") != std::string::npos);
  CHECK(acting.log.find("dt=2 <a =/> g>. %1;") != std::string::npos);
  // The event a occurs again after six cycles. The agent learns that g leads to a, and that the sequence of a and g
  // does.
  acting.agent.run(5);
  acting.all({"a. :|:"});
  CHECK(acting.truth("<g =/> a>").confidence == Approx(0.149042).margin(5e-7));
  CHECK(acting.truth("<(a &/ g) =/> a>").confidence == Approx(0.098268).margin(5e-7));
}

TEST_CASE("an agent executes the operation that led to its goal", "[reasoner]") {
  Acting acting;
  acting.all({"a. :|:", "^left. :|:", "g. :|:"});
  acting.agent.run(30);
  acting.all({"g! :|:"});
  CHECK(acting.done.empty());  // the precondition is too old
  acting.agent.run(30);
  acting.all({"a. :|:", "g! :|:"});
  CHECK(acting.done == std::vector<std::string>{"^left"});
  const std::string then = " :!" + std::to_string(acting.agent.now() - 2) + ":";
  CHECK(acting.log.ends_with("^left." + then + "\n^left." + then + " %1;0.9% 7\n"));
  // ONA prints "decision expectation=0.578198" for that implication, one cycle after a.
  const TruthValue desire =
      narsese::goal_deduction(narsese::goal_deduction({1, 0.9}, {1, 0.241351}), projection({1, 0.9}, 1));
  CHECK(expectation(desire) == Approx(0.578198).margin(2e-6));
  Acting strict;
  AgentOptions options = without_babbling();
  options.decision_threshold = 0.579;
  strict.agent.set_options(options);
  strict.all({"a. :|:", "^left. :|:", "g. :|:"});
  strict.agent.run(30);
  strict.all({"a. :|:", "g! :|:"});
  CHECK(strict.done.empty());
}

TEST_CASE("a missing event lowers the truth value once", "[reasoner]") {
  Acting acting;
  acting.all({"a. :|:", "^left. :|:", "g. :|:"});
  const TruthValue before = acting.truth("<(a &/ ^left) =/> g>");
  acting.agent.run(100);
  CHECK(acting.truth("<(a &/ ^left) =/> g>") == before);  // g occurred, so nothing was missing
  acting.all({"a. :|:", "^left. :|:"});
  acting.agent.run(EventWindow::width);
  acting.agent.run(1);
  const TruthValue after = acting.truth("<(a &/ ^left) =/> g>");
  // The evidence against the implication is as strong as the evidence for it.
  CHECK(after.frequency == Approx(0.5));
  CHECK(after.confidence == Approx(2 * 0.31812 / (2 * 0.31812 + 1)).epsilon(1e-4));
  acting.agent.run(100);
  CHECK(acting.truth("<(a &/ ^left) =/> g>") == after);
  // An occurrence without the operation is not evidence.
  acting.all({"a. :|:"});
  acting.agent.run(100);
  CHECK(acting.truth("<(a &/ ^left) =/> g>") == after);
  CHECK(acting.truth("<a =/> g>").frequency < 0.5);
}

TEST_CASE("an input counts once in an implication", "[reasoner]") {
  Acting acting;
  acting.all({"a. :|:", "g. :|:"});
  const TruthValue once = acting.truth("<a =/> g>");
  acting.all({"g. :|:", "g. :|:"});
  CHECK(acting.truth("<a =/> g>") == once);
  acting.all({"a. :|:", "g. :|:"});
  CHECK(acting.truth("<a =/> g>").confidence > once.confidence);
}

TEST_CASE("an agent learns which operation each stimulus needs", "[reasoner]") {
  for (const std::size_t kinds : {2U, 4U}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      Conditioning world(kinds, seed);
      world.trials(kinds == 2 ? 60 : 200);
      INFO(kinds << " stimuli, seed " << seed);
      CHECK(world.trials(60) > 0.9);
    }
  }
}

TEST_CASE("an agent relearns after a reversal", "[reasoner]") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Conditioning world(2, seed);
    world.trials(60);
    world.shift = 1;
    INFO("seed " << seed);
    CHECK(world.trials(10) < 0.5);
    world.trials(90);
    CHECK(world.trials(60) > 0.9);
  }
}

TEST_CASE("an agent without motor babbling learns no operation", "[reasoner]") {
  Conditioning world(2);
  world.acting.agent.set_options(without_babbling());
  CHECK(world.trials(60) == 0);
}

TEST_CASE("an agent reaches a goal in two steps", "[reasoner]") {
  Acting acting;
  for (int i = 0; i < 5; ++i) {
    acting.all({"a. :|:", "^left. :|:", "b. :|:"});
    acting.agent.run(30);
    acting.all({"b. :|:", "^right. :|:", "g. :|:"});
    acting.agent.run(30);
  }
  CHECK(acting.truth("<(a &/ ^right) =/> g>").confidence == 0);  // a and ^right never occurred together
  acting.all({"a. :|:", "g! :|:"});
  CHECK(acting.done == std::vector<std::string>{"^left"});
  acting.all({"b. :|:", "g! :|:"});
  CHECK(acting.done == std::vector<std::string>{"^left", "^right"});
}

TEST_CASE("a goal that is a sequence is pursued part by part", "[reasoner]") {
  Acting acting;
  acting.add_implication("<(s &/ ^left) =/> a>. %1;0.9%");
  acting.add_implication("<(s &/ ^right) =/> b>. %1;0.9%");
  acting.all({"s. :|:", "(a &/ b)! :|:"});
  CHECK(acting.done == std::vector<std::string>{"^left"});
  acting.all({"a. :|:", "s. :|:", "(a &/ b)! :|:"});
  CHECK(acting.done == std::vector<std::string>{"^left", "^right"});
  acting.all({"b. :|:", "(a &/ b)! :|:"});
  CHECK(acting.done.size() == 2);  // the goal holds
}

TEST_CASE("an operation with an undesired effect is not executed", "[reasoner]") {
  Acting acting;
  acting.add_implication("<(s &/ ^left) =/> g>. %1;0.5%");
  acting.add_implication("<(s &/ ^left) =/> pain>. %1;0.9%");
  acting.all({"s. :|:", "pain! :|: %0;0.9%", "g! :|:"});
  CHECK(acting.done.empty());
  acting.agent.run(EventWindow::width);
  acting.all({"s. :|:", "g! :|:"});
  CHECK(acting.done == std::vector<std::string>{"^left"});
}

TEST_CASE("an operation may have arguments, and may be a goal", "[reasoner]") {
  Acting acting;
  const std::string go = "<(*,{SELF},door) --> ^go>";
  acting.all({"a. :|:", go + ". :|:", "g. :|:"});
  acting.agent.run(30);
  acting.all({"a. :|:", "g! :|:"});
  CHECK(acting.done == std::vector<std::string>{go});
  acting.all({"^say! :|:", "^jump! :|:", "<(*,{other},door) --> ^go>! :|:", "^up! :|: %0;0.9%"});
  CHECK(acting.done ==
        // Unknown operators and operations of other agents are plain events.
        std::vector<std::string>{go, "^say"});
}

TEST_CASE("a late event counts at its own time", "[reasoner]") {
  Acting in_time, late;
  in_time.all({"a. :|:", "x. :|:", "y. :|:", "g. :|:"});
  late.all({"x. :|:", "y. :|:"});
  late.agent.run(1);
  CHECK(late.tell("a. :!1:") == "");
  late.all({"g. :-1:"});  // the current cycle is 5
  CHECK(late.agent.now() == 6);
  CHECK(late.truth("<a =/> g>") == in_time.truth("<a =/> g>"));
  const InputNumber before = late.inputs;
  CHECK(late.tell("b. :!7:") == "an event must be of cycle 1 to 6, this one is of cycle 7");
  CHECK(late.tell("b. :+9223372036854775807:").starts_with("an event must be of cycle"));
  CHECK(late.tell("b. :!-9223372036854775808:").starts_with("an event must be of cycle"));
  late.agent.run(100);
  CHECK(late.tell("b. :!6:") == "an event must be of cycle 86 to 106, this one is of cycle 6");
  CHECK(late.tell("g! :!6:") == "a goal must be of now, cycle 106");
  CHECK(late.tell("<#1 --> b>. :|:") == "an event or goal must have no variables");
  std::string long_term = "(*,a";
  for (int i = 0; i < 64; ++i) long_term += ",b";
  CHECK(late.tell(long_term + "). :|:") == "an event or goal must have at most 64 parts, this one has 66");
  CHECK(late.inputs == before);
  CHECK(late.agent.now() == 106);
}

TEST_CASE("an agent answers questions about events and implications", "[reasoner]") {
  Acting acting;
  acting.all({"<box --> [open]>. :|:", "<lid --> [shut]>. :|: %0.5;0.9%", "<box --> ?1>? :|:"});
  CHECK(acting.answer == "<box --> [open]>. :!1: %1;0.9%");
  CHECK(acting.agent.now() == 3);  // a question takes no cycle
  acting.answer.clear();
  acting.all({"<door --> ?1>? :|:"});
  CHECK(acting.answer.empty());
  acting.all({"^left. :|:", "g. :|:"});
  CHECK(acting.truth("<?1 =/> g>").confidence > 0);
  CHECK(acting.answer.find("<<box --> [open]> =/> g>") != std::string::npos);
  CHECK(acting.truth("<(<lid --> [shut]> &/ ?1) =/> ?2>").confidence > 0);
  CHECK(acting.answer.find("<(&/,<lid --> [shut]>,^left) =/> g>") != std::string::npos);
  acting.add_implication("<x =/> y>.");
  // The reasoner answers from inputs, not from added implications.
  CHECK(acting.truth("<x =/> y>").confidence == 0);
}

TEST_CASE("an agent stays within its limits, and its clock stops at the end", "[reasoner]") {
  Acting acting;
  acting.agent.observe({});
  Rng rng(3, "many events");
  for (int i = 0; i < 6000; ++i) {
    acting.tell("e" + std::to_string(i) + ". :|:");
    if (i % 5 == 0) acting.tell("^left. :|:");
    if (i % 7 == 0) acting.tell("e" + std::to_string(rng.below(9)) + "! :|:");
    REQUIRE(acting.agent.memory().size() <= TemporalMemory::max_concepts + EventWindow::max_sequences + 1);
    REQUIRE(acting.agent.memory().implication_count() <= TemporalMemory::max_implications + 2000);
  }
  for (int i = 0; i < 100; ++i) acting.agent.run(~std::uint64_t{0});
  CHECK(acting.agent.now() == Agent::last_cycle);
  for (const char* line : {"a. :|:", "^left. :|:", "g. :|:", "g! :|:"}) CHECK(acting.tell(line) == "");
}

TEST_CASE("an agent still learns after it forgot", "[reasoner]") {
  Conditioning world(2);
  world.acting.agent.observe([&](const AgentEvent& event) {
    if (event.kind == Kind::executed) world.acting.done.push_back(narsese::print(event.sentence.term));
  });
  world.trials(40);
  for (int i = 0; i < 6000; ++i) world.acting.tell("e" + std::to_string(i) + ". :|:");
  world.acting.agent.run(50);
  CHECK(world.trials(60) > 0.9);
}

TEST_CASE("an agent depends only on its inputs and the seed", "[reasoner]") {
  Conditioning one(3, 5), same(3, 5), other(3, 6);
  CHECK(one.trials(60) == same.trials(60));
  other.rng = Rng(5, "trials");
  other.trials(60);
  CHECK(one.acting.log == same.acting.log);
  CHECK(one.acting.log != other.acting.log);
}

}  // namespace engram::core::agent_tests
