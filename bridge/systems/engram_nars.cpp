// SPDX-License-Identifier: MIT
// Engram's own reasoner as a NARS among others.
#include <algorithm>
#include <optional>
#include <string>

#include "bridge/reasoner/reasoner.hpp"
#include "bridge/systems/embedded_nars.hpp"
#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 5> headings{{{"Input: ", Kind::input},
                                                                     {"Derived: ", Kind::derived},
                                                                     {"Revised: ", Kind::revised},
                                                                     {"Answer: ", Kind::answer},
                                                                     {"Error: ", Kind::error}}};

class EmbeddedReasoner : public EmbeddedNars {
 public:
  EmbeddedReasoner() { reset(); }

  void line(std::string_view text, const Print& print) override {
    text = trimmed(text);
    print_ = &print;
    if (text.empty() || text.starts_with("'") || text.starts_with("//")) return;
    if (const auto cycles = number_in<std::uint64_t>(text)) {
      memory_->reasoner.run(steps_of_cycle * std::min(*cycles, most_cycles));
    } else if (text.starts_with("*")) {
      command(text);
    } else {
      sentence(text);
    }
  }

 private:
  static constexpr std::uint64_t most_cycles = std::uint64_t{1} << 48;  // more would never end either
  static constexpr std::string_view sentences = "*sentences=";
  static constexpr std::size_t fewest_sentences = 100;  // chosen: a step may bring more

  struct Memory {
    explicit Memory(EmbeddedReasoner& shell)
        : reasoner(table, by_urgency([&shell](Knowledge&, SentenceId) { return shell.urgency_; }),
                   {.max_sentences = shell.most_sentences_, .forgets = true}) {
      reasoner.observe([&shell](const ReasonerEvent& event) { shell.tell(event); });
    }
    narsese::TermTable table;
    Reasoner reasoner;
  };

  void reset() { memory_ = std::make_unique<Memory>(*this); }

  void command(std::string_view text) {
    if (text == "*reset")
      reset();
    else if (text.starts_with("*volume="))
      answers_alone_ = text == "*volume=0";
    else if (text.starts_with(sentences))
      limit(text.substr(sentences.size()));
    else if (text.starts_with("*echo "))
      (*print_)(text.substr(1));
    else
      (*print_)("Error: there is no command " + std::string(text));
  }

  void limit(std::string_view text) {
    const auto most = number_in<std::size_t>(text);
    if (!most || *most < fewest_sentences)
      (*print_)("Error: *sentences=N: N must be a number from " + std::to_string(fewest_sentences) + " on");
    else
      memory_->reasoner.limit(most_sentences_ = *most);
  }

  void sentence(std::string_view text) {
    const auto parsed = narsese::parse_sentence(text, memory_->table);
    if (!parsed) {
      (*print_)("Error: column " + std::to_string(parsed.error().column) + ": " + parsed.error().message());
      return;
    }
    urgency_ = parsed->budget ? parsed->budget->priority : 1;
    if (!memory_->reasoner.input(*parsed)) (*print_)("Error: there is no room for more sentences");
  }

  void tell(const ReasonerEvent& event) {
    if (answers_alone_ && event.kind != ReasonerEvent::Kind::answer) return;
    Knowledge& knowledge = memory_->reasoner.knowledge();
    const KnownSentence& known = knowledge[event.sentence];
    narsese::Sentence sentence;
    sentence.term = known.term;
    sentence.punctuation = known.punctuation;
    if (!known.asks()) sentence.truth = known.truth;
    std::string line(headings[static_cast<std::size_t>(event.kind)].first);
    line += narsese::print(sentence);
    const auto stamp = knowledge.evidence(event.sentence);
    for (std::size_t i = 0; i < stamp.size(); ++i)
      line += (i == 0 ? " Stamp=[" : ",") + std::to_string(stamp[i]);
    (*print_)(stamp.empty() ? line : line + "]");
  }

  std::unique_ptr<Memory> memory_;
  const Print* print_ = nullptr;
  double urgency_ = 1;
  std::size_t most_sentences_ = ReasonerOptions{}.max_sentences;
  bool answers_alone_ = false;
};

std::vector<NarsEvent> read(std::string_view raw, narsese::TermTable& table) {
  for (const auto& [heading, kind] : headings) {
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
  return {{.raw = std::string(raw)}};
}

}  // namespace

std::unique_ptr<EmbeddedNars> embedded_reasoner() { return std::make_unique<EmbeddedReasoner>(); }

const NarsSystem& engram_nars() {
  static const NarsSystem system{
      .name = "engram",
      .program = "Engram's own reasoner",
      .dialect = narsese::Dialect::any,
      .read = read,
      .embedded = embedded_reasoner,
      .opening = {"*volume=100"},
      .opening_for_answers = {"*volume=0"},
      .marker = [](std::uint64_t number) { return "*echo " + std::to_string(number); },
      .is_marker = [](std::string_view line,
                      std::uint64_t number) { return line == "echo " + std::to_string(number); },
      .reset = "*reset",
      .answers_improve = true,
      .steering = {Steering::order, Steering::budgets},
  };
  return system;
}

}  // namespace engram::bridge
