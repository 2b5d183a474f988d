// SPDX-License-Identifier: MIT
#include "bridge/attach/attachment.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/numbers/work.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;
using std::chrono::milliseconds;

// As long as nobody ends the work that this is part of.
void wait(milliseconds time) {
  constexpr milliseconds between_looks{50};
  for (; time > milliseconds(0); time -= between_looks) {
    core::look_now();
    std::this_thread::sleep_for(std::min(time, between_looks));
  }
}

bool waits(const AttachOptions& options) {
  return !options.gate && (options.steering == Steering::order || options.steering == Steering::budgets);
}

}  // namespace

std::string why_not(const AttachOptions& options) {
  if (options.gate && options.fresh)
    return "a gate gives each question to a reasoner that knows nothing already";
  if (!options.gate && options.share.value_or(0) > 0)
    return "a share of the largest budget needs a gate, which leaves out what has less";
  if (!options.steering) return "";
  const Steering steering = *options.steering;
  const std::string quoted = "'" + std::string(name_of(steerings, steering)) + "'";
  const auto& allowed = options.system->steering;
  if (std::ranges::find(allowed, steering) == allowed.end()) {
    std::string names;
    for (const Steering one : allowed)
      names += (names.empty() ? "" : ", ") + std::string(name_of(steerings, one));
    return std::string(options.system->program) + " cannot be steered by " + quoted + ", but by: " + names;
  }
  if (options.gate && (steering == Steering::repeat || steering == Steering::ask))
    return quoted + " steers one reasoner that is told everything: not with a gate";
  if (!options.gate && steering == Steering::reimport)
    return quoted + " needs a gate, which chooses what comes back after a reset";
  return "";
}

Attachment::Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries,
                       EventObserver events)
    : options_(std::move(options)),
      memory_(memory),
      entries_(std::move(entries)),
      events_(std::move(events)) {
  if (const std::string reason = why_not(options_); !reason.empty()) throw std::invalid_argument(reason);
  new_translator();
}

AttachedMemory::Effect Attachment::note(Entry kind, const std::string& text) {
  const TranscriptEntry entry{kind, text};
  if (entries_) entries_(entry);
  return memory_.apply(entry);
}

void Attachment::line(std::size_t number, const std::string& text) {
  const core::Session::Request request(memory_.session());
  answer_.reset();
  take(number, note(Entry::input, text));
}

void Attachment::take(std::size_t number, const AttachedMemory::Effect& effect) {
  const narsese::NalLine& line = effect.line;
  using Kind = narsese::NalLine::Kind;
  if (!effect.refusal.empty()) summary_.rejected.push_back({number, 1, effect.refusal});
  if (line.kind == Kind::error)
    summary_.rejected.push_back({number, line.error.column, line.error.message()});
  if (line.kind == Kind::expectation) expect(line.expectation);
  if (line.kind == Kind::sentence && line.sentence.asks()) ask(number, line);
  if (line.kind == Kind::sentence && !line.sentence.asks()) take_sentence(number, effect);
  if (line.kind == Kind::cycles && line.cycles > 0 && !options_.gate)
    tell(options_.system->cycles(line.cycles));
  if (line.kind == Kind::command) {
    const auto command = translator_->line(line);
    if (!command || !command->text.starts_with("*")) return;
    if (!options_.gate) return tell(command->text);
    remember(command->text);
  }
}

void Attachment::finish() {
  const core::Session::Request request(memory_.session());
  release(nullptr);
  child_.reset();
}

// --- the reasoner --------------------------------------------------------------------------------

void Attachment::start() {
  child_ = std::make_unique<ReasonerProcess>(options_.command, *options_.system, options_.limits);
  note(Entry::fresh, "");
  say(options_.system->opening, Entry::again);
  // A line at a time: each may take as long as one may.
  for (const Line& line : history_) say({line.text}, Entry::again);
}

// For the next reasoner. What memory has forgotten goes, and of more than there is room for the first.
void Attachment::remember(const std::string& text, std::uint64_t statement) {
  const auto bytes_of = [](const Line& line) { return line.text.capacity() + sizeof(Line); };
  history_.push_back({statement, text});
  history_bytes_ += bytes_of(history_.back());
  const core::Session& session = memory_.session();
  if (const auto now = session.forgetting().state().so_far.statements; now != forgotten_) {
    forgotten_ = now;
    std::erase_if(history_, [&](const Line& line) {
      const bool gone = line.statement != 0 && !memory_.find(line.statement);
      if (gone) history_bytes_ -= bytes_of(line);
      return gone;
    });
  }
  while (history_bytes_ > AttachedMemory::bytes_beside(session.limits())) {
    history_bytes_ -= bytes_of(history_.front());
    history_.pop_front();
  }
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
    if (event.kind == NarsEvent::Kind::answer && event.term && !is_late(*event.term)) answer_ = event;
    if (events_) events_(event);
  }
}

// Tells it some lines, and waits until it has dealt with them.
void Attachment::say(const std::vector<std::string>& lines, Entry as) {
  tell_names();
  for (const std::string& line : lines) note(Entry::sent, line);
  milliseconds patience = options_.patience;
  if (deadline_) {
    const auto left = std::chrono::duration_cast<milliseconds>(*deadline_ - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) throw TimeUp();
    patience = std::min(patience, left);
  }
  try {
    // What is ours goes into the transcript, but is an answer to us.
    child_->say(lines, patience, [&](std::string_view line, bool whole, bool ours) {
      hear(line, whole, ours ? Entry::again : as);
    });
  } catch (const ReasonerLate&) {
    if (patience < options_.patience) throw TimeUp();
    throw;
  }
}

void Attachment::listen(milliseconds time) {
  child_->listen(time, [&](std::string_view line, bool whole, bool) { hear(line, whole, Entry::heard); });
}

void Attachment::run(std::uint64_t cycles) {
  if (cycles == 0) return;
  cycles_ += options_.system->runs_freely ? 0 : cycles;
  if (options_.system->runs_freely) return listen(options_.settling);
  say({options_.system->cycles(cycles)}, Entry::heard);
}

// Does something with the reasoner, as often as it takes to be done.
void Attachment::persist(const std::string& what, const std::function<void()>& work) {
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
      wait(options_.back_off * (1 << std::min(failures - 1, 10U)));
    }
  }
}

// --- sentences and questions ---------------------------------------------------------------------

std::optional<std::string> Attachment::translated(std::size_t number, const narsese::Sentence& sentence) {
  const auto text = written(sentence);
  if (text) return *text;
  summary_.rejected.push_back({number, 1, text.error().message});
  return std::nullopt;
}

narsese::Result<std::string, narsese::Refusal> Attachment::written(const narsese::Sentence& sentence) {
  narsese::Sentence renamed = sentence;
  renamed.term = renamed_for_it(sentence.term);
  const auto translation = translator_->sentence(renamed);
  if (!translation) return translation.error();
  return std::string(options_.system->before_sentence) + translation->text;
}

narsese::Term Attachment::renamed_for_it(narsese::Term term) {
  return options_.renames ? (*names_)(memory_.session().change().terms(), term) : term;
}

// What has been written for the reasoner, as the user would.
std::string Attachment::under_own_names(const narsese::Sentence& sentence, const std::string& written) {
  if (renamed_for_it(sentence.term) == sentence.term) return written;
  return std::string(options_.system->before_sentence) + narsese::print(sentence);
}

// For a reasoner that knows nothing: limits that hold for all that it reads begin anew, and so do names.
void Attachment::new_translator() {
  translator_.emplace(memory_.session().change().terms(), options_.system->dialect);
  names_.emplace(options_.system->dialect);
  told_names_ = 0;
}

// What the reasoner is told from here on may hold names that were given since.
void Attachment::tell_names() {
  const std::vector<Renamed>& names = names_->renamed();
  if (told_names_ == 0 && memory_.has_names()) note(Entry::named, "");
  for (; told_names_ < names.size(); ++told_names_)
    note(Entry::named, names[told_names_].name + " " + names[told_names_].source);
}

// Tells the one reasoner that gets everything; where each question has its own, it is told then.
void Attachment::tell(const std::string& text, std::uint64_t statement) {
  if (!options_.fresh) persist(text, [&] { say({text}, Entry::heard); });
  remember(text, statement);
}

void Attachment::take_sentence(std::size_t number, const AttachedMemory::Effect& effect) {
  if (options_.gate) new_translator();
  const narsese::Sentence& sentence = effect.line.sentence;
  const auto text = translated(number, sentence);
  if (!text || options_.gate) return;
  // What happens, happens now: only what holds always can wait.
  const bool eternal = sentence.punctuation == narsese::Punctuation::judgment &&
                       sentence.tense == narsese::Tense{} && effect.statement;
  const std::uint64_t statement = effect.statement ? memory_.origins()[*effect.statement].number : 0;
  if (!eternal || !waits(options_)) return tell(*text, statement);
  tell_forgotten();
  waiting_.push_back({{statement, *text}, sentence});
  waiting_.back().sentence.term = {};  // void after this line
}

}  // namespace engram::bridge
