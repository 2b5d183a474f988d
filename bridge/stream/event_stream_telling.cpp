// SPDX-License-Identifier: MIT
// EventStream: output to the NARS, and what the NARS does.
#include <algorithm>
#include <utility>

#include "bridge/stream/event_stream.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;
using ItemKind = PendingItem::Kind;
using narsese::Tense;

}  // namespace

bool EventStream::work() {
  PendingCycle cycle;
  std::vector<std::string> lines;
  {
    const Use used(*this);
    if (untold_.empty() && batch_over_ && filter_.waiting() > 0) {
      close(0);
      pass_own_cycle();
    }
    if (untold_.empty()) return false;
    cycle = untold_.take();
    at_work_ = cycle.now;
    lines = lines_of(cycle);
  }
  const bool done = reasoner_.attempt("cycle " + std::to_string(cycle.now), [&] {
    reasoner_.run(cycle.before);
    if (!lines.empty()) reasoner_.say(lines);
    reasoner_.run(cycle.after);
  });
  const Use used(*this);
  told(cycle, done);
  for (const std::string& operation : std::exchange(executed_, {})) reasoner_.note(Entry::input, operation);
  return true;
}

void EventStream::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  due_.wait_for(lock, time, [&] { return !untold_.empty() || (batch_over_ && filter_.waiting() > 0); });
}

void EventStream::finish() { reasoner_.end(); }

// The lines of a cycle in the dialect of the NARS.
std::vector<std::string> EventStream::lines_of(const PendingCycle& cycle) {
  std::vector<std::string> lines;
  for (const PendingItem& item : cycle.items) {
    auto line = line_of(item, cycle.now);
    if (!line) continue;
    if (item.kind == ItemKind::event) {
      ++counts_.passed;
      episodes_.pass(item.episode);
    }
    lines.push_back(std::move(*line));
  }
  return lines;
}

std::optional<std::string> EventStream::line_of(const PendingItem& item, core::Moment now) {
  std::istringstream text(item.text);
  narsese::NalReader reader(text, memory_.session().mutable_memory().terms());
  auto line = reader.next();
  if (!line || line->kind == narsese::NalLine::Kind::error) return std::nullopt;
  if (item.kind == ItemKind::command) return reasoner_.command(*line);
  narsese::Sentence& sentence = line->sentence;
  if (item.kind == ItemKind::event) {
    const auto tense = tense_of(item.time, now);
    if (!tense) {
      ++counts_.late;
      return std::nullopt;
    }
    sentence.tense = *tense;
  }
  const auto written = reasoner_.written(sentence);
  if (written) return *written;
  ++counts_.refused;
  return std::nullopt;
}

// Accounts for a cycle that was sent. If the NARS failed, eternal sentences are sent again to its successor; events and
// goals count as lost.
void EventStream::told(const PendingCycle& cycle, bool done) {
  for (const PendingItem& item : cycle.items) {
    if (item.kind == ItemKind::sentence || item.kind == ItemKind::command)
      if (const auto line = line_of(item, cycle.now)) reasoner_.remember(*line, item.statement);
    if (done) continue;
    if (item.kind == ItemKind::event) ++counts_.lost_events;
    if (item.kind == ItemKind::goal) ++counts_.lost_goals;
    if (item.kind == ItemKind::question || item.kind == ItemKind::operation) ++counts_.lost_others;
  }
}

// Requires: the caller holds the memory.
void EventStream::hear(const NarsEvent& event) {
  if (event.kind == NarsEvent::Kind::executed) return execute(event);
  if (event.kind == NarsEvent::Kind::answer) ++counts_.answers;
  if (event.kind == NarsEvent::Kind::error) ++counts_.errors;
  const bool for_the_world = event.kind == NarsEvent::Kind::answer || event.kind == NarsEvent::Kind::error;
  if (for_the_world && observers_.said) observers_.said(to_json(event));
}

void EventStream::execute(const NarsEvent& event) {
  ++counts_.executed;
  const core::Moment moment = std::max(at_work_, filtered_);
  const narsese::Term op = event.term ? narsese::operator_of(*event.term) : narsese::Term();
  const std::string operation = op ? narsese::print(op) : "";
  NarsEvent told = event;
  told.occurrence = {Tense::Kind::at, moment};
  told.unknown = operation.empty() || (!options_.operations.empty() &&
                                       std::ranges::find(operations_, operation) == operations_.end());
  if (observers_.said) observers_.said(to_json(told));
  if (told.unknown) {
    ++counts_.unknown_operations;
    return;
  }
  filtered_ = moment;
  filter_.acted(number_of(operation), moment);
  narsese::Sentence done;
  done.term = *event.term;
  done.tense = told.occurrence;
  episodes_.add(Episode::Kind::operation, narsese::print(done.term), moment, true);
  executed_.push_back(narsese::print(done));
}

}  // namespace engram::bridge
