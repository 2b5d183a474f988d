// SPDX-License-Identifier: MIT
#include "bridge/systems/engram_nars.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "bridge/systems/event_text.hpp"
#include "core/reasoner/agent.hpp"
#include "core/reasoner/reasoner.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;

constexpr Heading written_headings[] = {{"Input: ", Kind::input},
                                        {"Derived: ", Kind::derived},
                                        {"Revised: ", Kind::revised},
                                        {"Answer: ", Kind::answer},
                                        {"Error: ", Kind::error}};

// The report of an executed operation, as ONA prints it.
std::string execution(narsese::Term operation) {
  const bool alone = operation.kind() == narsese::TermKind::op;
  const std::string arguments = alone ? "" : " " + narsese::print(operation.subject());
  return narsese::print(alone ? operation : operation.predicate()) + " executed with args" + arguments;
}

using ErrorMessage = std::optional<std::string>;

ErrorMessage name_operator(std::string_view text, core::AgentOptions& options) {
  const auto parts = split_last(text, " ");
  const std::size_t place = parts ? number_in<std::size_t>(trimmed(parts->first)).value_or(0) : 0;
  narsese::TermTable table;
  const auto name = narsese::parse_term(parts ? parts->second : "", table);
  if (place < 1 || place > options.operators.size() || !name || name->kind() != narsese::TermKind::op)
    return "*setopname N ^NAME: N must be a number from 1 to " + std::to_string(options.operators.size()) +
           ", and ^NAME an operator";
  for (std::size_t i = 0; i < options.operators.size(); ++i)
    if (options.operators[i] == name->name() && i + 1 != place) options.operators[i].clear();
  options.operators[place - 1] = name->name();
  return std::nullopt;
}

// Changes the options of an agent by a command.
ErrorMessage change_options(std::string_view line, core::AgentOptions& options) {
  const std::string_view command = line.substr(0, line.find_first_of(" =") + 1);
  const std::string_view value = line.substr(command.size());
  const auto number = number_in<std::uint64_t>(value);
  const auto share = share_in(value);
  if (command == "*setopname ") return name_operator(value, options);
  if (command == "*babblingops=") {
    if (!number || *number > options.operators.size())
      return "*babblingops=N: N must be a number from 0 to " + std::to_string(options.operators.size());
    options.babbling_operators = *number;
  } else if (command == "*motorbabbling=") {
    if (!share && value != "true" && value != "false")
      return "*motorbabbling=SHARE: SHARE must be true, false or a number from 0 to 1";
    options.motor_babbling = value == "true" ? core::AgentOptions{}.motor_babbling : share.value_or(0);
  } else if (command == "*decisionthreshold=") {
    if (!share) return "*decisionthreshold=SHARE: SHARE must be a number from 0 to 1";
    options.decision_threshold = *share;
  } else if (command == "*seed=") {
    if (!number) return "*seed=N: N must be a number from 0 to 2^64 - 1";
    options.seed = *number;
  } else {
    return "unknown command " + std::string(line);
  }
  return std::nullopt;
}

class EmbeddedReasoner : public EmbeddedNars {
 public:
  EmbeddedReasoner() { reset(); }

  void line(std::string_view text, const Print& print) override {
    text = trimmed(text);
    print_ = &print;  // for this call only
    if (text.empty() || text.starts_with("'") || text.starts_with("//")) return;
    if (const auto cycles = number_in<std::uint64_t>(text)) {
      memory_->agent.run(std::min(*cycles, max_cycles));
      memory_->reasoner.run(steps_per_cycle * std::min(*cycles, max_cycles));
    } else if (text.starts_with("*")) {
      command(text);
    } else {
      sentence(text);
    }
  }

 private:
  static constexpr std::uint64_t max_cycles = std::uint64_t{1} << 48;  // more would run forever in practice
  static constexpr std::string_view sentences = "*sentences=";
  static constexpr std::size_t min_sentences = 100;  // chosen: one step may add several sentences

  struct Memory {
    explicit Memory(EmbeddedReasoner& shell)
        : reasoner(table,
                   core::by_urgency([&shell](core::Knowledge&, core::SentenceId) { return shell.urgency_; }),
                   {.max_sentences = shell.max_sentences_, .forgets = true}),
          agent(shell.agent_options_, [this] { return reasoner.next_input_number(); }) {
      reasoner.observe([&shell](const core::ReasonerEvent& event) { shell.report(event); });
      agent.observe([&shell](const core::AgentEvent& event) { shell.report(event); }, shell.answers_only_);
    }
    narsese::TermTable table;
    core::Reasoner reasoner;
    core::Agent agent;
  };

  void reset() { memory_ = std::make_unique<Memory>(*this); }

  void command(std::string_view text) {
    if (text == "*reset")
      reset();
    else if (text.starts_with("*volume="))
      set_answers_only(text == "*volume=0");
    else if (text.starts_with(sentences))
      set_max_sentences(text.substr(sentences.size()));
    else if (text.starts_with("*echo "))
      (*print_)(text.substr(1));
    else if (const auto message = configure_agent(text, agent_options_, memory_->agent))
      error(*message);
  }

  void set_answers_only(bool quiet) {
    answers_only_ = quiet;
    memory_->agent.observe([this](const core::AgentEvent& event) { report(event); }, quiet);
  }

  void set_max_sentences(std::string_view text) {
    const auto most = number_in<std::size_t>(text);
    if (!most || *most < min_sentences)
      error("*sentences=N: N must be " + std::to_string(min_sentences) + " or more");
    else
      memory_->reasoner.set_max_sentences(max_sentences_ = *most);
  }

  // Parses a sentence. The terms of a temporal sentence are removed from the table, because the agent has copies.
  void sentence(std::string_view text) {
    memory_->table.mark();
    const auto parsed = narsese::parse_sentence(text, memory_->table);
    if (parsed && core::Agent::is_temporal(*parsed)) {
      const auto message = memory_->agent.input(*parsed);
      memory_->table.rollback();
      memory_->table.unmark();
      if (message) error(*message);
      return;
    }
    memory_->table.unmark();
    if (!parsed)
      return error("column " + std::to_string(parsed.error().column) + ": " + parsed.error().message());
    urgency_ = parsed->budget ? parsed->budget->priority : 1;
    // Input may make the reasoner forget, which may move or remove terms. Do not use the parsed terms afterwards.
    const auto id = memory_->reasoner.input(*parsed);
    if (!id) return error("the memory is full");
    const core::Knowledge& knowledge = memory_->reasoner.knowledge();
    narsese::Sentence taken = *parsed;
    taken.term = knowledge[*id].term;
    if (!taken.term.is(narsese::Copula::predictive_implication)) return;
    if (taken.asks()) memory_->agent.answer(taken.term);
    const auto stamp = knowledge.evidence(*id);
    if (taken.punctuation == narsese::Punctuation::judgment) memory_->agent.add_implication(taken, stamp[0]);
  }

  void error(const std::string& message) { (*print_)("Error: " + message); }

  void report(const core::ReasonerEvent& event) {
    if (answers_only_ && event.kind != core::ReasonerEvent::Kind::answer) return;
    core::Knowledge& knowledge = memory_->reasoner.knowledge();
    const core::KnownSentence& known = knowledge[event.sentence];
    narsese::Sentence sentence;
    sentence.term = known.term;
    sentence.punctuation = known.punctuation;
    if (!known.asks()) sentence.truth = known.truth;
    print(event.kind, sentence, knowledge.evidence(event.sentence));
  }

  void report(const core::AgentEvent& event) {
    if (event.kind == core::AgentEvent::Kind::executed)
      (*print_)(execution(event.sentence.term));
    else
      print(event.kind, event.sentence, event.stamp);
  }

  // Prints a sentence with the heading of an event. The kinds of events have the order of the headings.
  template <class EventKind>
  void print(EventKind kind, const narsese::Sentence& sentence, std::span<const core::InputNumber> stamp) {
    std::string line(written_headings[static_cast<std::size_t>(kind)].text);
    line += narsese::print(sentence);
    for (std::size_t i = 0; i < stamp.size(); ++i)
      line += (i == 0 ? " Stamp=[" : ",") + std::to_string(stamp[i]);
    (*print_)(stamp.empty() ? line : line + "]");
  }

  std::unique_ptr<Memory> memory_;
  const Print* print_ = nullptr;
  double urgency_ = 1;
  core::AgentOptions agent_options_;
  std::size_t max_sentences_ = core::ReasonerOptions{}.max_sentences;
  bool answers_only_ = false;
};

std::vector<NarsEvent> read_engram_line(std::string_view line, narsese::TermTable& table) {
  NarsEvent event{.raw = std::string(line)};
  if (const auto kind = take_heading(written_headings, line)) {
    event.kind = *kind;
    if (*kind != Kind::error && !(take_stamp(line, event) && take_sentence(line, table, event)))
      return {{.raw = event.raw}};
  } else {
    take_ona_execution(line, table, event);
  }
  return {event};
}

}  // namespace

std::unique_ptr<EmbeddedNars> embedded_reasoner() { return std::make_unique<EmbeddedReasoner>(); }

const NarsSystem& engram_nars() {
  static const NarsSystem system{
      .name = "engram",
      .program = "Engram's own reasoner",
      .dialect = narsese::Dialect::any,
      .read = read_engram_line,
      .embedded = embedded_reasoner,
      .opening = {"*volume=100"},
      .opening_for_answers = {"*volume=0"},
      .marker = [](std::uint64_t number) { return "*echo " + std::to_string(number); },
      .is_marker = [](std::string_view line,
                      std::uint64_t number) { return line == "echo " + std::to_string(number); },
      .reset = "*reset",
      .answers_improve = true,
      .steering = {Steering::order, Steering::budgets},
      .past = PastEvents{narsese::Tense::Kind::offset, core::EventWindow::width},
      .compound_events = true,
      .operations = operation_commands,
  };
  return system;
}

std::optional<std::string> configure_agent(std::string_view line, core::AgentOptions& options,
                                           core::Agent& agent) {
  core::AgentOptions wanted = options;
  if (auto message = change_options(line, wanted)) return message;
  if (wanted.operators != options.operators && agent.has_experience())
    return "*setopname: name operators before the first event, or after *reset";
  options = wanted;
  agent.set_options(options);
  return std::nullopt;
}

}  // namespace engram::bridge
