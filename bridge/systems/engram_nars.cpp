// SPDX-License-Identifier: MIT
// Engram's own reasoner behind the line interface of a NARS, and the parser for its output.
#include <algorithm>
#include <optional>
#include <string>

#include "bridge/systems/agent_commands.hpp"
#include "bridge/systems/embedded_nars.hpp"
#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"
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

class EmbeddedReasoner : public EmbeddedNars {
 public:
  EmbeddedReasoner() { reset(); }

  void line(std::string_view text, const Print& print) override {
    text = trimmed(text);
    print_ = &print;
    if (text.empty() || text.starts_with("'") || text.starts_with("//")) return;
    if (const auto cycles = number_in<std::uint64_t>(text)) {
      memory_->agent.run(std::min(*cycles, most_cycles));
      memory_->reasoner.run(steps_of_cycle * std::min(*cycles, most_cycles));
    } else if (text.starts_with("*")) {
      command(text);
    } else {
      sentence(text);
    }
  }

 private:
  static constexpr std::uint64_t most_cycles = std::uint64_t{1} << 48;  // more would run forever in practice
  static constexpr std::string_view sentences = "*sentences=";
  static constexpr std::size_t fewest_sentences = 100;  // chosen: a single step may add several

  struct Memory {
    explicit Memory(EmbeddedReasoner& shell)
        : reasoner(table,
                   core::by_urgency([&shell](core::Knowledge&, core::SentenceId) { return shell.urgency_; }),
                   {.max_sentences = shell.most_sentences_, .forgets = true}),
          agent(shell.acting_, [this] { return reasoner.next_input_number(); }) {
      reasoner.observe([&shell](const core::ReasonerEvent& event) { shell.tell(event); });
      agent.observe([&shell](const core::AgentEvent& event) { shell.tell(event); }, shell.answers_alone_);
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
      be_quiet(text == "*volume=0");
    else if (text.starts_with(sentences))
      limit(text.substr(sentences.size()));
    else if (text.starts_with("*echo "))
      (*print_)(text.substr(1));
    else
      act(text);
  }

  void act(std::string_view text) {
    core::AgentOptions wanted = acting_;
    auto wrong = take_agent_command(text, wanted);
    if (!wrong && wanted.operators != acting_.operators && memory_->agent.has_experience())
      wrong = "*setopname: operators must be named before the first event, or after *reset";
    if (wrong) {
      (*print_)("Error: " + *wrong);
      return;
    }
    acting_ = wanted;
    memory_->agent.set_options(acting_);
  }

  void be_quiet(bool quiet) {
    answers_alone_ = quiet;
    memory_->agent.observe([this](const core::AgentEvent& event) { tell(event); }, quiet);
  }

  void limit(std::string_view text) {
    const auto most = number_in<std::size_t>(text);
    if (!most || *most < fewest_sentences)
      (*print_)("Error: *sentences=N: N must be a number from " + std::to_string(fewest_sentences) + " on");
    else
      memory_->reasoner.set_max_sentences(most_sentences_ = *most);
  }

  // Parses a sentence. The terms of a temporal sentence are removed from the table, because the agent has copies.
  void sentence(std::string_view text) {
    memory_->table.mark();
    const auto parsed = narsese::parse_sentence(text, memory_->table);
    if (parsed && core::Agent::is_temporal(*parsed)) {
      const auto wrong = memory_->agent.input(*parsed);
      memory_->table.rollback();
      memory_->table.unmark();
      if (wrong) (*print_)("Error: " + *wrong);
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

  void tell(const core::ReasonerEvent& event) {
    if (answers_alone_ && event.kind != core::ReasonerEvent::Kind::answer) return;
    core::Knowledge& knowledge = memory_->reasoner.knowledge();
    const core::KnownSentence& known = knowledge[event.sentence];
    narsese::Sentence sentence;
    sentence.term = known.term;
    sentence.punctuation = known.punctuation;
    if (!known.asks()) sentence.truth = known.truth;
    print(written_headings[static_cast<std::size_t>(event.kind)].first, sentence,
          knowledge.evidence(event.sentence));
  }

  void tell(const core::AgentEvent& event) {
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
  core::AgentOptions acting_;
  std::size_t most_sentences_ = core::ReasonerOptions{}.max_sentences;
  bool answers_alone_ = false;
};

std::vector<NarsEvent> read_engram_line(std::string_view raw, narsese::TermTable& table) {
  for (const auto& [heading, kind] : written_headings) {
    if (!raw.starts_with(heading)) continue;
    NarsEvent event{.kind = kind, .raw = std::string(raw)};
    std::string_view text = raw.substr(heading.size());
    if (kind == Kind::error) return {event};
    if (const auto parts = split_last(text, " Stamp=["); parts && text.ends_with("]")) {
      const auto numbers = numbers_in(parts->second.substr(0, parts->second.size() - 1), ",");
      if (numbers) {
        event.stamp = *numbers;
        text = parts->first;
      }
    }
    if (take_sentence(text, table, event)) return {event};
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
      .operations = operation_commands,
  };
  return system;
}

}  // namespace engram::bridge
