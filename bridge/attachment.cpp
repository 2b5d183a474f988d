// SPDX-License-Identifier: MIT
#include "bridge/attachment.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "bridge/systems/event_text.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;
using Outcome = ChildProcess::Outcome;
using std::chrono::milliseconds;

std::string failure(Outcome outcome, ChildProcess& child, const AttachOptions& options) {
  switch (outcome) {
    case Outcome::late:
      child.end();
      return "did not answer within " + std::to_string(options.patience.count()) + " ms";
    case Outcome::flooded:
      child.end();
      return "printed more than " + std::to_string(options.limits.max_exchange_bytes) + " bytes at once";
    case Outcome::ended:
    case Outcome::done:
      break;
  }
  return "ended (" + child.end() + ")";
}

}  // namespace

Attachment::Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries,
                       EventObserver events)
    : options_(std::move(options)),
      memory_(memory),
      entries_(std::move(entries)),
      events_(std::move(events)) {
  new_translator();
}

AttachedMemory::Effect Attachment::note(Entry kind, const std::string& text) {
  const TranscriptEntry entry{kind, text};
  if (entries_) entries_(entry);
  return memory_.apply(entry);
}

void Attachment::line(std::size_t number, const std::string& text) {
  const AttachedMemory::Effect effect = note(Entry::input, text);
  const narsese::NalLine& line = effect.line;
  using Kind = narsese::NalLine::Kind;
  if (!effect.refusal.empty()) summary_.rejected.push_back({number, 1, effect.refusal});
  if (line.kind == Kind::error)
    summary_.rejected.push_back({number, line.error.column, line.error.message()});
  if (line.kind == Kind::expectation) expect(line.expectation);
  if (line.kind == Kind::sentence && line.sentence.asks()) ask(number, line);
  if (line.kind == Kind::sentence && !line.sentence.asks()) take_sentence(number, line);
  if (line.kind == Kind::cycles && line.cycles > 0 && !options_.gate) {
    const std::string cycles = options_.system->cycles(line.cycles);
    persist(cycles, [&] { say({cycles}, Entry::heard); });
    history_.push_back(cycles);
  }
  if (line.kind == Kind::command) {
    const auto command = translator_->line(line);
    if (!command || !command->text.starts_with("*")) return;
    if (!options_.gate) persist(command->text, [&] { say({command->text}, Entry::heard); });
    history_.push_back(command->text);
  }
}

void Attachment::finish() { child_.reset(); }

// --- the reasoner --------------------------------------------------------------------------------

void Attachment::start() {
  child_ = std::make_unique<ChildProcess>(options_.command, options_.limits);
  note(Entry::fresh, "");
  std::vector<std::string> lines = options_.system->opening();
  say(lines, Entry::again);
  // A line at a time: each may take as long as one may.
  for (const std::string& line : history_) say({line}, Entry::again);
}

void Attachment::hear(std::string_view line, bool whole, Entry as) {
  // Half a line may look like a whole one that says something else: it is kept, but nothing is learnt of it.
  if (!whole && as == Entry::heard) {
    note(Entry::again, std::string(line));
    if (events_) events_({.raw = std::string(line)});
    return;
  }
  for (const NarsEvent& event : note(as, std::string(line)).events) {
    if (as == Entry::again) continue;
    if (event.kind == NarsEvent::Kind::answer && event.term) answer_ = event;
    if (events_) events_(event);
  }
}

// Tells it some lines, and waits until it has dealt with them.
void Attachment::say(const std::vector<std::string>& lines, Entry as) {
  std::string text;
  for (const std::string& line : lines) {
    note(Entry::sent, line);
    text += line + "\n";
  }
  const std::uint64_t marker = ++markers_;
  text += options_.system->marker(marker) + "\n";
  const Outcome outcome = child_->exchange(text, options_.patience, [&](std::string_view line, bool whole) {
    const std::string plain = without_colours(line);
    const bool done = options_.system->is_marker(plain, marker);
    const bool ours = done || (plain == options_.system->marker_preface && !plain.empty());
    // It goes into the transcript, but is an answer to us, and nothing that the reasoner says.
    hear(line, whole, ours ? Entry::again : as);
    return done;
  });
  if (outcome != Outcome::done) throw ReasonerError(failure(outcome, *child_, options_));
}

void Attachment::listen(milliseconds time) {
  const Outcome outcome = child_->exchange("", time, [&](std::string_view line, bool whole) {
    hear(line, whole, Entry::heard);
    return false;
  });
  if (outcome != Outcome::late) throw ReasonerError(failure(outcome, *child_, options_));
}

void Attachment::run(std::uint64_t cycles) {
  if (cycles == 0) return;
  if (options_.system->runs_freely) return listen(options_.settling);
  say({options_.system->cycles(cycles)}, Entry::heard);
}

// Does something with the reasoner, as often as it takes to be done.
template <class Work>
void Attachment::persist(const std::string& what, const Work& work) {
  for (unsigned failures = 0;;) {
    try {
      if (!child_) start();
      work();
      return;
    } catch (const ReasonerError& error) {
      // A program that cannot even be started is not there: nothing gets better by waiting.
      const bool missing = !child_;
      child_.reset();
      if (missing) throw;
      if (++failures > options_.max_restarts)
        throw ReasonerError("the reasoner " + std::string(error.what()) + " at '" + what + "', " +
                            std::to_string(failures) + " times in a row");
      ++summary_.restarts;
      std::this_thread::sleep_for(options_.back_off * (1 << std::min(failures - 1, 10U)));
    }
  }
}

// --- sentences and questions ---------------------------------------------------------------------

std::optional<std::string> Attachment::translated(std::size_t number, const narsese::Sentence& sentence) {
  const auto translation = translator_->sentence(sentence);
  if (translation) return translation->text;
  summary_.rejected.push_back({number, 1, translation.error().message});
  return std::nullopt;
}

// For a reasoner that knows nothing: limits that hold for all that it reads begin anew.
void Attachment::new_translator() {
  translator_.emplace(memory_.session().change().terms(), options_.system->dialect);
}

void Attachment::take_sentence(std::size_t number, const narsese::NalLine& line) {
  if (options_.gate) new_translator();
  const auto text = translated(number, line.sentence);
  if (!text || options_.gate) return;
  persist(*text, [&] { say({*text}, Entry::heard); });
  history_.push_back(*text);
}

// The best of what the user said, best first, as allocated.
std::vector<narsese::Sentence> Attachment::chosen(const narsese::Sentence& question) {
  Session& session = memory_.session();
  const core::Memory& memory = session.memory();
  const core::Recall recall =
      session.recall(*options_.method, options_.method_options, core::cue_for(memory, question.term));
  std::vector<narsese::Sentence> best;
  for (const core::Allocation& allocation :
       core::allocate_statements(memory, session.readings(), recall, memory.statements().size())) {
    if (best.size() == *options_.gate) break;
    if (!memory_.told().contains(allocation.id)) continue;
    best.push_back(memory.statements()[allocation.id].sentence);
    if (options_.system->dialect != narsese::Dialect::ona) best.back().budget = allocation.budget;
  }
  return best;
}

// Asks, and if there is no answer once more after some cycles.
void Attachment::put(const std::string& question) {
  run(options_.cycles_before);
  say({question}, Entry::heard);
  if (!answer_) run(options_.cycles_after);
  if (!answer_ && options_.system->answers_at_once) say({question}, Entry::heard);
}

void Attachment::ask(std::size_t number, const narsese::NalLine& line) {
  if (options_.gate) new_translator();
  const auto question = translated(number, line.sentence);
  if (!question) return;
  AskedQuestion asked{.narsese = narsese::print(line.sentence)};
  if (options_.gate) {
    for (const narsese::Sentence& statement : chosen(line.sentence))
      if (const auto text = translator_->sentence(statement)) asked.given.push_back(text->text);
    const std::string_view reset = options_.restart_for_each_question ? "" : options_.system->reset;
    if (child_ && reset.empty()) child_.reset();
    persist(*question, [&] {
      answer_.reset();
      std::vector<std::string> lines;
      // One that was just started is told the same, so that all are in the same state.
      if (!reset.empty()) {
        note(Entry::fresh, "");
        lines = options_.system->opening();
        lines.insert(lines.begin(), std::string(reset));
        lines.insert(lines.end(), history_.begin(), history_.end());
      }
      lines.insert(lines.end(), asked.given.begin(), asked.given.end());
      say(lines, Entry::heard);
      put(*question);
    });
  } else {
    persist(*question, [&] {
      answer_.reset();
      put(*question);
    });
  }
  asked.answer = answer_;
  summary_.questions.push_back(asked);
}

void Attachment::expect(const narsese::Expectation& expectation) {
  if (expectation.kind != narsese::Expectation::Kind::answer || summary_.questions.empty()) return;
  AskedQuestion& asked = summary_.questions.back();
  if (!expectation.sentence || asked.as_expected) return;
  asked.as_expected = asked.answer && asked.answer->term == expectation.sentence->term;
}

}  // namespace engram::bridge
