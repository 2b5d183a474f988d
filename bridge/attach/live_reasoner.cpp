// SPDX-License-Identifier: MIT
#include "bridge/attach/live_reasoner.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "bridge/systems/event_text.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;
using std::chrono::milliseconds;

// Sleeps, with checks for cancellation.
void sleep_unless_cancelled(milliseconds time) {
  constexpr milliseconds poll_interval{50};
  for (; time > milliseconds(0); time -= poll_interval) {
    core::check_cancelled();
    std::this_thread::sleep_for(std::min(time, poll_interval));
  }
}

}  // namespace

LiveReasoner::LiveReasoner(const LiveReasonerOptions& options, AttachedMemory& memory,
                           ReasonerObservers observers)
    : options_(options), memory_(memory), observers_(std::move(observers)) {
  reset_translator();
}

AttachedMemory::Effect LiveReasoner::note(Entry kind, const std::string& text) {
  const TranscriptEntry entry{kind, text};
  if (observers_.entries) observers_.entries(entry);
  return memory_.apply(entry);
}

void LiveReasoner::prepare_next() try {
  if (next_ || options_.system->embedded != nullptr) return;
  next_ = std::make_unique<ReasonerProcess>(options_.command, *options_.system, options_.limits);
} catch (const CannotStart&) {
}

void LiveReasoner::start() {
  child_ = next_ ? std::move(next_)
                 : std::make_unique<ReasonerProcess>(options_.command, *options_.system, options_.limits);
  {
    const auto used = use();
    note(Entry::fresh, "");
  }
  const NarsSystem& system = *options_.system;
  say(options_.answers_only && !system.opening_for_answers.empty() ? system.opening_for_answers
                                                                   : system.opening,
      Entry::again);
  check_liveness();
  // Sends one line at a time, so each line has the full time limit.
  for (const std::string& line : remembered()) say({line}, Entry::again);
}

bool LiveReasoner::attempt(const std::string& what, const std::function<void()>& work) try {
  started_ = false;
  if (!child_) start();
  started_ = true;
  work();
  failures_ = 0;
  return true;
} catch (const ReasonerError& error) {
  // If the program cannot be started at all, waiting does not help.
  const bool missing = !child_;
  const std::string printed = child_ ? child_->last_lines() : "";
  child_.reset();
  if (missing) throw;
  if (++failures_ > options_.max_restarts) {
    const std::string message = "the reasoner " + std::string(error.what()) + " at '" + what + "', " +
                                std::to_string(std::exchange(failures_, 0)) + " times in a row" +
                                (printed.empty() ? "" : "; the last lines that it printed:\n" + printed);
    if (dynamic_cast<const ReasonerLate*>(&error) != nullptr) throw ReasonerLate(message);
    throw ReasonerError(message);
  }
  if (observers_.restarted) observers_.restarted();
  sleep_unless_cancelled(options_.back_off * (1 << std::min(failures_ - 1, 10U)));
  return false;
}

void LiveReasoner::persist(const std::string& what, const std::function<void()>& work) {
  failures_ = 0;
  while (!attempt(what, work)) {
  }
}

void LiveReasoner::handle_line(std::string_view line, bool whole, Entry as) {
  const std::string_view probe = options_.system->probe_name;
  if (!probe.empty() && line.find(probe) != std::string_view::npos) return;
  const auto used = use();
  // An incomplete line may look like a complete line with another meaning. The transcript keeps it, but the memory does
  // not learn from it.
  if (!whole && as == Entry::heard) {
    note(Entry::again, std::string(line));
    if (observers_.events) observers_.events({.raw = std::string(line)});
    return;
  }
  const AttachedMemory::Effect effect = note(as, std::string(line));
  if (as == Entry::again || !observers_.events) return;
  for (const NarsEvent& event : effect.events) observers_.events(event);
}

void LiveReasoner::say(const std::vector<std::string>& lines, Entry as) {
  {
    const auto used = use();
    note_new_names();
    for (const std::string& line : lines) note(Entry::sent, line);
  }
  milliseconds patience = options_.patience;
  if (deadline_) {
    const auto left = std::chrono::duration_cast<milliseconds>(*deadline_ - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) throw TimeUp();
    patience = std::min(patience, left);
  }
  try {
    // Replies to our markers go into the transcript, but not to the observer or the memory.
    child_->say(lines, patience, [&](std::string_view line, bool whole, bool ours) {
      handle_line(line, whole, ours ? Entry::again : as);
    });
  } catch (const ReasonerLate&) {
    if (patience < options_.patience) throw TimeUp();
    throw;
  }
}

void LiveReasoner::run(std::uint64_t cycles) {
  if (cycles == 0) return;
  if (!options_.system->runs_freely) return say({options_.system->cycles(cycles)});
  child_->listen(options_.settling,
                 [&](std::string_view line, bool whole, bool) { handle_line(line, whole, Entry::heard); });
}

void LiveReasoner::check_liveness() {
  const NarsSystem& system = *options_.system;
  if (system.probe.empty()) return;
  using std::chrono::steady_clock;
  constexpr milliseconds most{5000}, poll_interval{20};  // chosen
  auto until = steady_clock::now() + std::min(most, options_.patience);
  if (deadline_) until = std::min(until, *deadline_);
  bool answered = false;
  const auto sink = [&](std::string_view line, bool whole, bool ours) {
    const std::string plain = without_colours(line);
    answered = answered || plain.starts_with(system.probe_answer);
    if (!ours) handle_line(line, whole, Entry::heard);
  };
  child_->say(system.probe, options_.patience, sink);
  while (!answered && steady_clock::now() < until) child_->listen(poll_interval, sink);
  if (answered) return;
  if (deadline_ && steady_clock::now() >= *deadline_) throw TimeUp();
  throw ReasonerError("repeats its input but does not reason");
}

void LiveReasoner::remember(ReasonerLine line) {
  const auto bytes_of = [](const ReasonerLine& one) { return one.text.capacity() + sizeof(ReasonerLine); };
  history_.push_back(std::move(line));
  history_bytes_ += bytes_of(history_.back());
  const core::Session& session = memory_.session();
  if (const auto now = session.forgetting().state().so_far.statements; now != forgotten_) {
    forgotten_ = now;
    std::erase_if(history_, [&](const ReasonerLine& one) {
      const bool gone = one.statement != 0 && !memory_.find(one.statement);
      if (gone) history_bytes_ -= bytes_of(one);
      return gone;
    });
  }
  while (history_bytes_ > AttachedMemory::max_record_bytes(session.limits())) {
    history_bytes_ -= bytes_of(history_.front());
    history_.pop_front();
  }
}

std::vector<std::string> LiveReasoner::remembered() const {
  std::vector<std::string> lines;
  for (const ReasonerLine& line : history_) lines.push_back(line.text);
  return lines;
}

void LiveReasoner::reset_translator() {
  translator_.emplace(memory_.session().mutable_memory().terms(), options_.system->dialect);
  names_.emplace(options_.system->dialect);
  noted_names_ = 0;
}

narsese::Result<std::string, narsese::Refusal> LiveReasoner::written(const narsese::Sentence& sentence) {
  narsese::Sentence renamed_sentence = sentence;
  renamed_sentence.term = renamed(sentence.term);
  const auto translation = translator_->sentence(renamed_sentence);
  if (!translation) return translation.error();
  return std::string(options_.system->sentence_prefix) + translation->text;
}

std::optional<std::string> LiveReasoner::command(const narsese::NalLine& line) {
  const auto command = translator_->line(line);
  return command && command->text.starts_with("*") ? std::optional(command->text) : std::nullopt;
}

narsese::Term LiveReasoner::renamed(narsese::Term term) {
  return options_.renames ? (*names_)(memory_.session().mutable_memory().terms(), term) : term;
}

// Records new replacement names in the transcript before lines that may use them.
void LiveReasoner::note_new_names() {
  const std::vector<Renamed>& names = names_->renamed();
  if (noted_names_ == 0 && memory_.has_replaced_names()) note(Entry::named, "");
  for (; noted_names_ < names.size(); ++noted_names_)
    note(Entry::named, names[noted_names_].name + " " + names[noted_names_].source);
}

}  // namespace engram::bridge
