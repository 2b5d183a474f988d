// SPDX-License-Identifier: MIT
#include "bridge/systems/engram_nars.hpp"

#include <algorithm>
#include <array>
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

constexpr std::array<std::pair<std::string_view, Kind>, 5> written_headings{{{"Input: ", Kind::input},
                                                                             {"Derived: ", Kind::derived},
                                                                             {"Revised: ", Kind::revised},
                                                                             {"Answer: ", Kind::answer},
                                                                             {"Error: ", Kind::error}}};

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
           ", NAME that of an operator";
  for (std::size_t i = 0; i < options.operators.size(); ++i)
    if (options.operators[i] == name->name() && i + 1 != place) options.operators[i].clear();
  options.operators[place - 1] = name->name();
  return std::nullopt;
}

ErrorMessage limit_babbling(std::string_view text, core::AgentOptions& options) {
  const auto first = number_in<std::size_t>(text);
  if (!first || *first > options.operators.size())
    return "*babblingops=N: N must be a number from 0 to " + std::to_string(options.operators.size());
  options.babbling_operators = *first;
  return std::nullopt;
}

ErrorMessage set_babbling(std::string_view text, core::AgentOptions& options) {
  auto share = share_in(text);
  if (text == "false") share = 0;
  if (text == "true") share = core::AgentOptions{}.motor_babbling;
  if (!share) return "*motorbabbling=SHARE: SHARE must be true, false or a number from 0 to 1";
  options.motor_babbling = *share;
  return std::nullopt;
}

ErrorMessage set_threshold(std::string_view text, core::AgentOptions& options) {
  const auto share = share_in(text);
  if (!share) return "*decisionthreshold=SHARE: SHARE must be a number from 0 to 1";
  options.decision_threshold = *share;
  return std::nullopt;
}

ErrorMessage set_seed(std::string_view text, core::AgentOptions& options) {
  const auto seed = number_in<std::uint64_t>(text);
  if (!seed) return "*seed=N: N must be a number from 0 to 2^64 - 1";
  options.seed = *seed;
  return std::nullopt;
}

struct Command {
  std::string_view begins;
  ErrorMessage (*take)(std::string_view rest, core::AgentOptions& options);
};
constexpr std::array<Command, 5> commands{{{"*setopname ", name_operator},
                                           {"*babblingops=", limit_babbling},
                                           {"*motorbabbling=", set_babbling},
                                           {"*decisionthreshold=", set_threshold},
                                           {"*seed=", set_seed}}};

class EmbeddedReasoner : public EmbeddedNars {
 public:
  EmbeddedReasoner() { reset(); }

  void line(std::string_view text, const Print& print) override {
    text = trimmed(text);
    print_ = &print;
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
  static constexpr std::size_t min_sentences = 100;  // chosen: a single step may add several

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
    else
      configure_agent(text);
  }

  void configure_agent(std::string_view text) {
    core::AgentOptions wanted = agent_options_;
    auto error = take_agent_command(text, wanted);
    if (!error && wanted.operators != agent_options_.operators && memory_->agent.has_experience())
      error = "*setopname: operators must be named before the first event, or after *reset";
    if (error) {
      (*print_)("Error: " + *error);
      return;
    }
    agent_options_ = wanted;
    memory_->agent.set_options(agent_options_);
  }

  void set_answers_only(bool quiet) {
    answers_only_ = quiet;
    memory_->agent.observe([this](const core::AgentEvent& event) { report(event); }, quiet);
  }

  void set_max_sentences(std::string_view text) {
    const auto most = number_in<std::size_t>(text);
    if (!most || *most < min_sentences)
      (*print_)("Error: *sentences=N: N must be a number from " + std::to_string(min_sentences) + " on");
    else
      memory_->reasoner.set_max_sentences(max_sentences_ = *most);
  }

  // Parses a sentence. The terms of a temporal sentence are removed from the table, because the agent has copies.
  void sentence(std::string_view text) {
    memory_->table.mark();
    const auto parsed = narsese::parse_sentence(text, memory_->table);
    if (parsed && core::Agent::is_temporal(*parsed)) {
      const auto error = memory_->agent.input(*parsed);
      memory_->table.rollback();
      memory_->table.unmark();
      if (error) (*print_)("Error: " + *error);
      return;
    }
    memory_->table.unmark();
    if (!parsed) {
      (*print_)("Error: column " + std::to_string(parsed.error().column) + ": " + parsed.error().message());
      return;
    }
    urgency_ = parsed->budget ? parsed->budget->priority : 1;
    // Input may make the reasoner forget, which may move or remove terms. Do not use the parsed terms afterwards.
    const auto id = memory_->reasoner.input(*parsed);
    if (!id) {
      (*print_)("Error: there is no room for more sentences");
      return;
    }
    const core::Knowledge& knowledge = memory_->reasoner.knowledge();
    narsese::Sentence taken = *parsed;
    taken.term = knowledge[*id].term;
    if (!taken.term.is(narsese::Copula::predictive_implication)) return;
    if (taken.asks()) memory_->agent.answer(taken.term);
    const auto stamp = knowledge.evidence(*id);
    if (taken.punctuation == narsese::Punctuation::judgment) memory_->agent.add_implication(taken, stamp[0]);
  }

  void report(const core::ReasonerEvent& event) {
    if (answers_only_ && event.kind != core::ReasonerEvent::Kind::answer) return;
    core::Knowledge& knowledge = memory_->reasoner.knowledge();
    const core::KnownSentence& known = knowledge[event.sentence];
    narsese::Sentence sentence;
    sentence.term = known.term;
    sentence.punctuation = known.punctuation;
    if (!known.asks()) sentence.truth = known.truth;
    print(written_headings[static_cast<std::size_t>(event.kind)].first, sentence,
          knowledge.evidence(event.sentence));
  }

  void report(const core::AgentEvent& event) {
    if (event.kind == core::AgentEvent::Kind::executed)
      (*print_)(execution(event.sentence.term));
    else
      print(written_headings[static_cast<std::size_t>(event.kind)].first, event.sentence, event.stamp);
  }

  void print(std::string_view heading, const narsese::Sentence& sentence,
             std::span<const core::InputNumber> stamp) {
    std::string line(heading);
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

std::vector<NarsEvent> read_engram_line(std::string_view raw, narsese::TermTable& table) {
  for (const auto& [heading, kind] : written_headings) {
    if (!raw.starts_with(heading)) continue;
    NarsEvent event{.kind = kind, .raw = std::string(raw)};
    std::string_view text = raw.substr(heading.size());
    if (kind == Kind::error) return {event};
    if (take_stamp(text, event) && take_sentence(text, table, event)) return {event};
  }
  NarsEvent event{.raw = std::string(raw)};
  take_ona_execution(raw, table, event);
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

std::optional<std::string> take_agent_command(std::string_view line, core::AgentOptions& options) {
  const auto known =
      std::ranges::find_if(commands, [&](const Command& one) { return line.starts_with(one.begins); });
  if (known == commands.end()) return "there is no command " + std::string(line);
  return known->take(line.substr(known->begins.size()), options);
}

}  // namespace engram::bridge
