// SPDX-License-Identifier: MIT
#include "experiments/reasoners/reasoner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bridge/attach/reasoner_process.hpp"
#include "bridge/systems/short_names.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/translator.hpp"

namespace engram::experiments {
namespace {

constexpr std::int64_t most_cycles = 1'000'000;  // limit chosen by hand, like the limits in seconds
constexpr double least_seconds = 0.001, most_seconds = 3600;

std::vector<std::string> words_of(const JsonValue& list) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < list.list("a list of a program and its arguments", 1).size(); ++i)
    words.push_back(list[i].text());
  if (words[0].empty()) list[0].refuse("the name of a program");
  return words;
}

}  // namespace

SystemChoice read_system(SpecObject& object) {
  SystemChoice choice;
  const JsonValue name = object["name"];
  choice.system = &name.required("the name of a system")
                       .choice("the name of a system", bridge::nars_systems(), &bridge::NarsSystem::name);
  object.keep("name", std::string(choice.system->name));
  if (const JsonValue command = object["command"]) choice.command = object.keep("command", words_of(command));
  if (const JsonValue recording = object["recording"])
    choice.recording = object.keep("recording", recording.text("the name of a file"));
  const bool embedded = choice.system->embedded != nullptr;
  if (embedded && !choice.command.empty())
    object["command"].refuse("left out, as engram is the reasoner in this program");
  if (!embedded && choice.command.empty() && choice.recording.empty())
    object.value().refuse("an object with a \"command\", a \"recording\" or both", "neither");
  object.count("cycles", choice.cycles, most_cycles, 0);
  object.count("more_cycles", choice.more_cycles, most_cycles, 0);
  object.number("settling", choice.settling, least_seconds, most_seconds);
  object.number("patience", choice.patience, least_seconds, most_seconds);
  return choice;
}

namespace {

int side(const narsese::TruthValue& truth) { return (truth.frequency > 0.5) - (truth.frequency < 0.5); }

}  // namespace

Verdict verdict_on(const std::optional<Answer>& answer, const Answer& oracle) {
  if (!answer) return Verdict::none;
  if (answer->term != oracle.term || side(answer->truth) != side(oracle.truth)) return Verdict::wrong;
  constexpr double rounding = 1e-9;  // systems print six decimals
  const bool confident = answer->truth.confidence >= confident_share * oracle.truth.confidence - rounding;
  const bool as_frequent =
      std::abs(answer->truth.frequency - oracle.truth.frequency) <= frequency_tolerance + rounding;
  return confident && as_frequent ? Verdict::answered : Verdict::weaker;
}

bool is_expected(const Answer& answer, std::span<const narsese::Sentence> expected) {
  return std::ranges::any_of(expected, [&](const narsese::Sentence& sentence) {
    const Answer wanted{narsese::print(sentence.term), sentence.truth_or_default()};
    const Verdict verdict = verdict_on(answer, wanted);
    return verdict == Verdict::answered || verdict == Verdict::weaker;
  });
}

double support(const std::optional<Answer>& answer) {
  return answer ? narsese::expectation(answer->truth) : 0.5;
}

using bridge::NarsEvent;
using bridge::ReasonerProcess;
using narsese::Sentence;

namespace {

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

// Translates sentences to the dialect and names of a system, and renames terms of its answers back.
class Wording {
 public:
  explicit Wording(const bridge::NarsSystem& system)
      : system_(system), copies_(table_), names_(system.dialect), translator_(table_, system.dialect) {}

  narsese::Result<std::string, narsese::Refusal> written(Sentence sentence) {
    sentence.term = names_(table_, copies_(sentence.term));
    const auto translation = translator_.sentence(sentence);
    if (!translation) return translation.error();
    return std::string(system_.sentence_prefix) + translation->text;
  }

  // Returns text that is not a term unchanged.
  std::string named_back(const std::string& text) {
    const auto term = narsese::parse_term(text, table_);
    if (!term) return text;
    bridge::OriginalNames back;
    for (const bridge::Renamed& each : names_.renamed()) back.insert_or_assign(each.name, each.source);
    return narsese::print(bridge::with_original_names(back, table_, *term));
  }

 private:
  const bridge::NarsSystem& system_;
  narsese::TermTable table_;
  narsese::TermCopies copies_;
  bridge::ShortNames names_;
  narsese::Translator translator_;
};

constexpr std::size_t most_answers = 1000;  // limit chosen by hand; further answers are dropped

// Appends the new answers of an output line.
void collect_answers(const bridge::NarsSystem& system, std::string_view line, std::vector<Answer>& answers) {
  narsese::TermTable table;
  for (const NarsEvent& event : system.read(line, table)) {
    if (event.kind != NarsEvent::Kind::answer || !event.term || answers.size() == most_answers) continue;
    Answer answer{narsese::print(*event.term), event.truth.value_or(narsese::TruthValue{})};
    if (std::ranges::find(answers, answer) == answers.end()) answers.push_back(std::move(answer));
  }
}

}  // namespace

std::optional<Answer> best_answer(const std::vector<Answer>& answers, bool open) {
  const auto worth = [&](const Answer& answer) {
    return open ? narsese::expectation(answer.truth) : answer.truth.confidence;
  };
  const auto best = std::ranges::max_element(answers, {}, worth);
  if (best == answers.end()) return std::nullopt;
  return *best;
}

Asked Reasoner::ask(std::span<const Sentence> statements, const Sentence& question) const {
  const bridge::NarsSystem& system = *choice_.system;
  Wording wording(system);
  Asked asked;
  Exchange& exchange = asked.exchange;
  exchange.system = system.name;
  const auto write = [&](const Sentence& sentence, auto use) {
    const auto text = wording.written(sentence);
    if (text)
      use(*text);
    else
      asked.refused.push_back(narsese::print(sentence) + ": " + text.error().message);
  };
  for (const bool rules : {false, true})
    for (const Sentence& statement : statements)
      if (statement.term.has_variables() == rules)
        write(statement, [&](const std::string& text) { exchange.statements.push_back(text); });
  write(question, [&](const std::string& text) { exchange.question = text; });
  if (exchange.question.empty()) return asked;
  if (!system.runs_freely) {
    exchange.cycles = choice_.cycles;
    exchange.more_cycles = choice_.more_cycles;
  }
  const auto recorded = recording_.find(key_of(exchange));
  if (recorded && (recorded->failure.empty() || !choice_.can_ask())) {
    exchange = *recorded;
  } else {
    if (!choice_.can_ask())
      throw NotRecorded("the recording lacks " + key_of(exchange) + ": '" + exchange.question +
                        "', asked of " + std::to_string(exchange.statements.size()) + " statements");
    const auto start = std::chrono::steady_clock::now();
    carry_out(exchange);
    asked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    recording_.add(exchange);
  }
  for (const Answer& answer : exchange.answers)
    asked.answers.push_back({wording.named_back(answer.term), answer.truth});
  if (system.answers_improve && !asked.answers.empty())
    asked.best = asked.answers.back();
  else
    asked.best =
        best_answer(asked.answers, narsese::has_variable(question.term, narsese::VariableKind::query));
  return asked;
}

// Runs the exchange with a new process. If the process fails, keeps the answers until then and records the failure.
void Reasoner::carry_out(Exchange& exchange) const {
  const bridge::NarsSystem& system = *choice_.system;
  const auto patience = milliseconds_of(choice_.patience);
  ReasonerProcess process(choice_.command, system);
  const char* doing = "";
  const auto say = [&](const std::vector<std::string>& lines, bool listens) {
    process.say(lines, patience, [&](std::string_view line, bool whole, bool ours) {
      if (listens && whole && !ours) collect_answers(system, line, exchange.answers);
    });
  };
  const auto reason = [&](std::uint64_t cycles, bool listens) {
    if (system.runs_freely)
      process.listen(milliseconds_of(choice_.settling), [&](std::string_view line, bool whole, bool) {
        if (listens && whole) collect_answers(system, line, exchange.answers);
      });
    else if (cycles > 0)
      say({system.cycles(cycles)}, listens);
  };
  try {
    doing = "while reading the statements";
    std::vector<std::string> lines = system.opening_for_answers;
    lines.insert(lines.end(), exchange.statements.begin(), exchange.statements.end());
    say(lines, false);
    doing = "while reasoning before the question";
    reason(exchange.cycles, false);
    doing = "on the question";
    say({exchange.question}, true);
    doing = "while reasoning after the question";
    reason(exchange.more_cycles, true);
    doing = "on the repeated question";
    if (system.answers_at_once) say({exchange.question}, true);
  } catch (const bridge::ReasonerError& error) {
    exchange.failure = std::string(error.what()) + " " + doing;
  }
}

}  // namespace engram::experiments
