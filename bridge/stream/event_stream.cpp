// SPDX-License-Identifier: MIT
// EventStream: input from the world. event_stream_telling.cpp has the side of the NARS.
#include "bridge/stream/event_stream.hpp"

#include <algorithm>
#include <utility>

#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;
using narsese::Punctuation;
using narsese::Tense;

Tense at(core::Moment time) { return {Tense::Kind::at, time}; }

// The kind of an event: its term, or the negated term if the event is denied, because an absent event does not predict
// what its presence would.
std::string kind_of(const narsese::Sentence& event) {
  const std::string term = narsese::print(event.term);
  return event.truth_or_default().frequency < 0.5 ? "(--," + term + ")" : term;
}

}  // namespace

EventStream::EventStream(const StreamOptions& options, AttachedMemory& memory, Observers observers)
    : options_(options),
      memory_(memory),
      observers_(std::move(observers)),
      filter_(options.filter),
      operations_(options.operations),
      episodes_(options.max_episodes, AttachedMemory::bytes_beside(memory.session().limits())),
      untold_({.cycles = options.max_behind,
               .events = options.filter.policy == core::EventPolicyKind::all ? options.filter.max_waiting
                                                                             : options.filter.pass,
               .items = options.max_untold},
              [this](core::Moment time, core::Moment now) { return tense_of(time, now).has_value(); }),
      reasoner_(options_, memory,
                {.entries =
                     [this](const TranscriptEntry& entry) {
                       if (observers_.entries) observers_.entries(entry);
                     },
                 .events = [this](const NarsEvent& event) { hear(event); },
                 .restarted =
                     [this] {
                       const std::lock_guard lock(mutex_);
                       ++counts_.restarts;
                     },
                 .use = [this] { return std::make_shared<Use>(*this); }}) {
  if (options_.system->operations != nullptr && !operations_.empty())
    for (const std::string& line : options_.system->operations(operations_)) reasoner_.remember(line);
}

void EventStream::take(std::size_t number, const std::string& text) {
  const Use used(*this);
  const StreamLine line = read_stream_line(text);
  batch_over_ = false;
  switch (line.kind) {
    case StreamLine::Kind::error:
      return reject(number, line.column, line.complaint);
    case StreamLine::Kind::question:
      return answer(line.question);
    case StreamLine::Kind::cycles:
      if (!may_pass(number, line.cycles)) return;
      reasoner_.note(Entry::input, std::to_string(line.cycles));
      return pass_time(line.cycles);
    case StreamLine::Kind::did: {
      const auto term = narsese::parse_term(line.text, memory_.session().mutable_memory().terms());
      if (!term) return reject(number, 1, "\"did\": " + term.error().message());
      narsese::Sentence done;
      done.term = *term;
      done.tense.kind = Tense::Kind::present;
      if (!narsese::operator_of(done.term))
        return reject(number, 1, "\"did\" must be an operation such as ^left, found " + line.text);
      const auto effect = reasoner_.note(Entry::input, narsese::print(done));
      return take_sentence(number, effect, line);
    }
    case StreamLine::Kind::narsese:
      return take_narsese(number, line);
  }
}

void EventStream::refuse(std::size_t number, const std::string& why) {
  const std::lock_guard lock(mutex_);
  reject(number, 1, why);
}

void EventStream::reject(std::size_t line, std::size_t column, const std::string& message) {
  ++counts_.wrong_lines;
  if (observers_.rejected) observers_.rejected({line, column, message});
}

void EventStream::take_narsese(std::size_t number, const StreamLine& line) {
  using Kind = narsese::NalLine::Kind;
  std::string text = line.text;
  if (line.time || text.find(":!") != text.npos) {
    const auto timed = at_its_time(number, line);
    if (!timed) return;
    text = *timed;
  }
  const AttachedMemory::Effect effect = reasoner_.note(Entry::input, text);
  const narsese::NalLine& said = effect.line;
  if (said.kind == Kind::error) reject(number, said.error.column, said.error.message());
  if (said.kind == Kind::cycles && may_pass(number, said.cycles)) pass_time(said.cycles);
  if (said.kind == Kind::command) tell({.kind = PendingItem::Kind::command, .text = said.text});
  if (said.kind == Kind::sentence) take_sentence(number, effect, line);
}

// Moves time on to the time of the line and returns the sentence to take. A time beyond the horizon does not move time.
std::optional<std::string> EventStream::at_its_time(std::size_t number, const StreamLine& line) {
  const auto parsed = narsese::parse_sentence(line.text, memory_.session().mutable_memory().terms());
  if (!parsed) {
    reject(number, parsed.error().column, parsed.error().message());
    return std::nullopt;
  }
  narsese::Sentence sentence = *parsed;
  const Tense::Kind tense = sentence.tense.kind;
  if (!line.time && tense != Tense::Kind::at) return line.text;
  if (sentence.asks() || (line.time && tense != Tense::Kind::eternal && tense != Tense::Kind::present)) {
    reject(number, 1, "\"time\" must be that of an event or a goal of the present, found " + line.text);
    return std::nullopt;
  }
  const core::Moment time = std::clamp(line.time.value_or(sentence.tense.cycles), -most_cycles, most_cycles);
  if (std::abs(time - now_) <= options_.horizon) tells_time_ = true;
  if (time > now_ && time - now_ <= options_.horizon) {
    const auto cycles = static_cast<std::uint64_t>(time - now_);
    if (!may_pass(number, cycles)) return std::nullopt;
    reasoner_.note(Entry::input, std::to_string(cycles));
    pass_time(cycles);
  }
  sentence.tense = time == now_ ? Tense{Tense::Kind::present} : at(time);
  return narsese::print(sentence);
}

void EventStream::take_sentence(std::size_t number, const AttachedMemory::Effect& effect,
                                const StreamLine& line) {
  const narsese::Sentence& sentence = effect.line.sentence;
  if (!effect.refusal.empty()) reject(number, 1, effect.refusal);
  if (sentence.asks()) {
    ++counts_.questions;
    return tell({.kind = PendingItem::Kind::question, .text = effect.line.text});
  }
  if (sentence.punctuation == Punctuation::goal) return take_goal(sentence);
  if (sentence.tense == Tense{}) {
    ++counts_.sentences;
    const std::uint64_t statement = effect.statement ? memory_.origins()[*effect.statement].number : 0;
    return tell({.kind = PendingItem::Kind::sentence, .text = effect.line.text, .statement = statement});
  }
  if (narsese::operator_of(sentence.term) && sentence.truth_or_default().frequency >= 0.5)
    return take_operation(sentence);
  take_event(sentence, line.relevant);
}

void EventStream::take_event(const narsese::Sentence& sentence, bool relevant) {
  const Tense tense = sentence.tense;
  core::Moment time = now_;
  if (tense.kind == Tense::Kind::at) time = std::clamp(tense.cycles, -most_cycles, most_cycles);
  if (tense.kind == Tense::Kind::offset) time = now_ + std::clamp(tense.cycles, -most_cycles, most_cycles);
  if (tense.kind == Tense::Kind::past) --time;
  if (tense.kind == Tense::Kind::future) ++time;
  ++counts_.events;
  std::string kind = kind_of(sentence);
  const std::uint64_t episode = episodes_.add(Episode::Kind::event, kind, time, false);
  if (time > now_ || now_ - time > options_.horizon) {
    ++counts_.far;
    return;
  }
  if (!tense_of(time, now_)) {
    ++counts_.late;
    return;
  }
  waiting_.emplace(episode, PendingItem{.text = narsese::print(sentence), .time = time, .episode = episode});
  filtered_ = now_;
  filter_.arrive({filter_.kind(kind), time, relevant}, episode, now_);
  if (waiting_.size() <= 2 * options_.filter.max_waiting) return;
  const std::vector<std::uint64_t> left = filter_.waiting_tags();  // ascending; the filter dropped the others
  std::erase_if(waiting_, [&](const auto& one) { return !std::ranges::binary_search(left, one.first); });
}

void EventStream::take_goal(const narsese::Sentence& sentence) {
  ++counts_.goals;
  const std::string term = narsese::print(sentence.term);
  const std::uint64_t episode = episodes_.add(Episode::Kind::goal, term, now_, true);
  filtered_ = now_;
  filter_.want(filter_.kind(term), narsese::expectation(sentence.truth_or_default()), now_);
  close(0);
  narsese::Sentence now = sentence;  // a goal always holds from the present, whatever its time
  if (now.tense != Tense{}) now.tense = {Tense::Kind::present};
  tell({.kind = PendingItem::Kind::goal, .text = narsese::print(now), .episode = episode});
  pass_own_cycle();
}

void EventStream::take_operation(const narsese::Sentence& sentence) {
  ++counts_.done_by_others;
  close(0);
  const std::uint64_t episode =
      episodes_.add(Episode::Kind::operation, narsese::print(sentence.term), now_, true);
  filter_.acted(number_of(narsese::print(narsese::operator_of(sentence.term))), now_);
  narsese::Sentence now = sentence;
  now.tense = {Tense::Kind::present};
  tell({.kind = PendingItem::Kind::operation, .text = narsese::print(now), .episode = episode});
}

// The number of an operation. Unknown operations get a number that the filter does not have.
core::OperationId EventStream::number_of(const std::string& operation) {
  const auto found = std::ranges::find(operations_, operation);
  const auto number = static_cast<core::OperationId>(found - operations_.begin());
  if (found == operations_.end() && options_.operations.empty() &&
      number < options_.filter.outcomes.operations)
    operations_.push_back(operation);
  return number;
}

// --- cycles ----------------------------------------------------------------------------------------

bool EventStream::may_pass(std::size_t number, std::uint64_t cycles) {
  if (cycles <= static_cast<std::uint64_t>(most_cycles - now_)) return true;
  reject(number, 1,
         "a stream must have no more than " + std::to_string(most_cycles) + " cycles, found " +
             std::to_string(cycles) + " after " + std::to_string(now_));
  return false;
}

void EventStream::pass_time(std::uint64_t cycles) {
  close(cycles);
  now_ += static_cast<core::Moment>(cycles);
}

// If the world gives no times, a goal takes one cycle, as in ONA.
void EventStream::pass_own_cycle() {
  if (tells_time_ || now_ == most_cycles) return;
  reasoner_.note(Entry::input, "1");
  ++now_;
}

void EventStream::end_batch() {
  const std::lock_guard lock(mutex_);
  batch_over_ = true;
  due_.notify_all();
}

// Ends the cycle: passes on the events that the filter selects.
void EventStream::close(std::uint64_t after) {
  filtered_ = now_;
  std::vector<PendingItem> events;
  for (const core::PassedEvent& event : filter_.pass(now_))
    if (const auto item = waiting_.find(event.tag); item != waiting_.end()) {
      events.push_back(std::move(item->second));
      events.back().budget = event.budget;
    }
  if (options_.filter.linger == 0) waiting_.clear();
  untold_.add(now_, std::move(events), after);
  due_.notify_all();
}

void EventStream::tell(PendingItem item) {
  untold_.add(now_, std::move(item));
  due_.notify_all();
}

std::optional<Tense> EventStream::tense_of(core::Moment time, core::Moment now) const {
  if (time >= now) return Tense{Tense::Kind::present};
  const auto& past = options_.system->past;
  if (!past || now - time > past->furthest) return std::nullopt;
  return Tense{past->tense, past->tense == Tense::Kind::offset ? time - now : 0};
}

}  // namespace engram::bridge
