// SPDX-License-Identifier: MIT
#include "experiments/shell/shell.hpp"

#include <utility>

#include "bridge/systems/event_text.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/nal_reader.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {

using core::AgentEvent;
using core::KnownSentence;
using core::ReasonerEvent;
using core::SentenceId;
using narsese::Copula;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Tense;

namespace {

constexpr std::size_t most_answers = 1000;  // most answers of *query
constexpr std::string_view headings[] = {"Input: ", "Derived: ", "Revised: "};

Sentence sentence_of(const KnownSentence& known) {
  Sentence sentence;
  sentence.term = known.term;
  sentence.punctuation = known.punctuation;
  if (!known.asks()) sentence.truth = known.truth;
  if (known.term.is(Copula::predictive_implication)) sentence.delay = 0;
  return sentence;
}

std::string_view tense_of(const Sentence& sentence) {
  switch (sentence.tense.kind) {
    case Tense::Kind::eternal:
      return "";
    case Tense::Kind::past:
      return " :\\:";
    case Tense::Kind::future:
      return " :/:";
    default:
      return " :|:";
  }
}

}  // namespace

Shell::Shell(ShellOptions options, std::ostream& out, std::ostream& err)
    : options_(std::move(options)), out_(out), err_(err), mind_(new_mind()) {}

std::unique_ptr<Mind> Shell::new_mind() {
  return std::make_unique<Mind>(
      options_.limits, acting_, [this](const ReasonerEvent& event) { hear(event); },
      [this](const AgentEvent& event) { hear(event); });
}

void Shell::error(const std::string& message, std::size_t column) {
  ++errors_;
  out_ << std::flush;
  err_ << "engram: " << place_ << ':' << line_ << ':' << column << ": error: " << message << '\n';
}

void Shell::note(const std::string& message) {
  if (!noted_.insert(message).second) return;
  out_ << std::flush;
  err_ << "engram: " << place_ << ':' << line_ << ": note: " << message << '\n';
}

bool Shell::read(std::istream& in, const std::string& name) {
  const std::string place = std::exchange(place_, name);
  const std::size_t number = std::exchange(line_, 0);
  bool goes_on = true;
  std::string text;
  while (goes_on && narsese::read_line(in, text, most_line_bytes + 1) != narsese::LineStatus::end)
    goes_on = line(text);
  place_ = place;
  line_ = number;
  return goes_on;
}

bool Shell::line(std::string_view text) try {
  if (++line_ == 1 && text.starts_with(narsese::byte_order_mark))
    text.remove_prefix(narsese::byte_order_mark.size());
  if (text.size() > most_line_bytes) {
    error("a line must have at most " + std::to_string(most_line_bytes) + " bytes");
    return true;
  }
  text = bridge::trimmed(text);
  if (text == "quit") return false;
  bool keeps = false;  // whether *save writes this line
  if (text.starts_with("//")) {
    out_ << "Comment: " << text.substr(2) << '\n';
  } else if (text.find_first_not_of("0123456789") == text.npos) {
    const auto cycles = text.empty() ? 1 : bridge::number_in<std::uint64_t>(text);
    keeps = cycles && *cycles <= narsese::NalReader::max_cycles;
    if (!keeps) {
      error("a number of cycles must be at most " + std::to_string(narsese::NalReader::max_cycles));
    } else if (text.empty()) {
      mind_->pass(1);
    } else {
      out_ << "performing " << *cycles << " inference steps:\n" << std::flush;
      mind_->pass(*cycles);
      out_ << "done with " << *cycles << " additional inference steps.\n";
    }
  } else if (text.front() == '*') {
    command(text);
  } else if (text.front() != '\'') {  // a comment of OpenNARS begins with '
    keeps = sentence(text);
  }
  if (keeps) told_.emplace_back(text.empty() ? "1" : text);
  return true;
} catch (const core::WorkStopped& why) {
  if (why.reason == core::WorkStopped::Reason::cancelled) throw;
  error(why.what());
  return true;
}

// Executes a sentence.  Returns  whether the sentence was a judgment or goal without errors
bool Shell::sentence(std::string_view text) {
  narsese::TermTable& table = mind_->table();
  table.mark();
  const auto parsed = narsese::parse_sentence(text, table);
  const bool is_eternal = parsed && parsed->tense.kind == Tense::Kind::eternal;
  std::optional<std::string> wrong;
  if (!parsed)
    error(parsed.error().message(), parsed.error().column);
  else if (!is_eternal && parsed->asks())
    ask(text, *parsed, std::nullopt);
  else if (!is_eternal)
    wrong = tell_agent(*parsed);
  if (!is_eternal) table.rollback();  // releases the terms, because the agent has its own table
  table.unmark();
  if (is_eternal && parsed->asks())
    ask(text, *parsed, std::nullopt);
  else if (is_eternal && parsed->punctuation == Punctuation::goal)
    wrong = "a goal must have a tense, such as " + narsese::print(parsed->term) + "! :|:";
  else if (is_eternal)
    wrong = mind_->believe(std::string(text), *parsed);
  if (is_eternal && !parsed->asks() && !wrong) mind_->pass(1);
  if (wrong) error(*wrong);
  return parsed && !parsed->asks() && !wrong;
}

// Passes an event, goal or question to the agent.  Returns  an error message; the agent is then unchanged
std::optional<std::string> Shell::tell_agent(Sentence sentence) {
  if (sentence.tense.kind == Tense::Kind::past || sentence.tense.kind == Tense::Kind::future)
    return "an event or a goal must happen now, with :|:";
  if (sentence.punctuation == Punctuation::judgment && sentence.tense.kind == Tense::Kind::present &&
      late_ > 0)
    sentence.tense = {Tense::Kind::offset, -late_};
  if (auto wrong = mind_->agent().input(sentence)) return wrong;
  late_ = 0;
  if (sentence.punctuation == Punctuation::judgment) mind_->follow(sentence, scores());
  mind_->pass(1, false);
  return std::nullopt;
}

core::AttentionLoop::Scorer Shell::scores() const {
  return [method = options_.method](core::Session& memory, const core::Cue& cue) {
    return memory.recall(method, cue).statements;
  };
}

void Shell::ask(std::string_view text, const Sentence& question, std::optional<double> above) {
  answered_ = false;
  above_ = above;
  const std::string asked = lines_.term(question.term);
  out_ << "Input: " << asked << '?' << tense_of(question) << '\n';
  if (question.tense.kind == Tense::Kind::future) {
    note("the shell does not predict events, so it cannot answer a question with :/:");
  } else if (question.tense.kind != Tense::Kind::eternal) {
    Sentence event = question;
    if (event.tense.kind == Tense::Kind::past)
      event.tense.kind = Tense::Kind::present;  // the agent answers a present question with the latest event
    if (const auto wrong = mind_->agent().input(event))
      error(*wrong);
    else if (!answered_)
      mind_->answer_by_event(
          std::string(text), scores(), [&](const Sentence& found, core::InputNumber number) {
            hear(AgentEvent{AgentEvent::Kind::answer, found, {&number, 1}, found.tense.cycles});
          });
  } else {
    if (question.term.is(Copula::predictive_implication)) mind_->agent().answer(question.term);
    if (!answered_) {
      core::AnsweringOptions answering;
      answering.steps = options_.steps;
      answering.gate = 1000;  // most statements for a question, as in `engram ask`
      answering.max_answers = above ? most_answers : 1;
      for (const ShellAnswer& one : mind_->answers(std::string(text), scores(), answering)) {
        if (above && narsese::expectation(one.proof.truth) <= *above) break;
        answer(one);
        if (!above) break;
      }
    }
  }
  if (answered_ || above) return;
  out_ << "Answer: None.\n";
  proof_.reset();
}

void Shell::answer(const ShellAnswer& answer) {
  narsese::TermTable table;
  Sentence sentence;
  sentence.term = *narsese::parse_term(answer.proof.term, table);
  sentence.truth = answer.proof.truth;
  out_ << lines_.answer(sentence, answer.created, answer.stamp) << '\n';
  if (!answered_) proof_ = answer.proof;
  answered_ = true;
}

void Shell::hear(const ReasonerEvent& event) {
  const KnownSentence& known = mind_->knowledge()[event.sentence];
  if (event.kind == ReasonerEvent::Kind::answer || known.asks()) return;
  const auto stamp = mind_->knowledge().evidence(event.sentence);
  const bool is_input = event.kind == ReasonerEvent::Kind::input;
  if (is_input) remember_input(sentence_of(known), stamp);
  print(headings[static_cast<std::size_t>(event.kind)], sentence_of(known),
        is_input ? 1 : mind_->priority(event.sentence), stamp);
}

void Shell::hear(const AgentEvent& event) {
  using Kind = AgentEvent::Kind;
  const Sentence& sentence = event.sentence;
  const double expected = narsese::expectation(sentence.truth_or_default());
  if (event.kind == Kind::executed) {
    out_ << lines_.execution(sentence.term) << '\n' << std::flush;
  } else if (event.kind != Kind::answer) {
    if (sentence.asks()) return;
    if (event.kind == Kind::input) remember_input(sentence, event.stamp);
    print(headings[static_cast<std::size_t>(event.kind)], sentence, event.kind == Kind::input ? 1 : expected,
          event.stamp);
  } else if (!above_ || expected > *above_) {
    out_ << lines_.answer(sentence, event.created, event.stamp) << '\n';
    answered_ = true;
    proof_.emplace(core::ProvenAnswer{narsese::print(sentence.term), sentence.truth_or_default(), {}});
    core::ProofLine last{narsese::print(sentence.term) + ".", sentence.truth, "told", 0, {}};
    const bool is_implication = sentence.term.is(Copula::predictive_implication);
    const bool is_input =
        event.stamp.size() == 1 && inputs_[event.stamp[0]].narsese.starts_with(last.narsese);
    if (!is_input) {
      last.rule = is_implication ? "induction from events" : "derived from the event and known sentences";
      for (const core::InputNumber number : event.stamp) {
        last.premises.push_back(proof_->proof.size());
        proof_->proof.push_back(inputs_[number]);
      }
    }
    proof_->proof.push_back(last);
  }
}

void Shell::remember_input(const Sentence& sentence, OnaLines::Stamp stamp) {
  Sentence without_truth = sentence;
  without_truth.truth.reset();
  inputs_[stamp[0]] = {narsese::print(without_truth), sentence.truth_or_default(), "told", 0, {}};
  mind_->number(inputs_[stamp[0]].narsese, stamp[0]);
}

void Shell::print(std::string_view heading, const Sentence& sentence, double priority,
                  OnaLines::Stamp stamp) {
  if (heading != headings[0] && priority <= threshold_) return;
  out_ << heading << lines_.knowledge(sentence, priority, stamp) << '\n';
}

}  // namespace engram::experiments
