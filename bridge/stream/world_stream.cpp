// SPDX-License-Identifier: MIT
#include "bridge/stream/world_stream.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "bridge/json/core_json.hpp"
#include "bridge/json/sentence_json.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"

namespace engram::bridge {
namespace {

using About = StreamQuestion::About;
using Entry = TranscriptEntry::Kind;
using ItemKind = PendingItem::Kind;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Tense;

Tense at(core::Moment time) { return {Tense::Kind::at, time}; }

// The kind of an event: its term, or the negated term if the event is denied, because an absent event does not predict
// what its presence would.
std::string kind_of(const Sentence& event) {
  const std::string term = narsese::print(event.term);
  return event.truth_or_default().frequency < 0.5 ? "(--," + term + ")" : term;
}

constexpr std::size_t max_links = 20;      // most links in the replies to stats and export
constexpr std::size_t max_behind = 4;      // cycles that the NARS may lag behind a live world; chosen
constexpr std::size_t max_pending = 4096;  // most goals, sentences and questions that wait for the NARS

// The implication of a pattern, of which a sequence (&/,a,b) is extended by the operation.
std::string implication(const std::string& pattern, const std::string& operation, std::string_view goal,
                        bool is_sequence) {
  const std::string parts = is_sequence ? pattern.substr(0, pattern.size() - 1) : "(&/," + pattern;
  return "<" + parts + "," + operation + ") =/> " + std::string(goal) + ">";
}

core::EventFilterOptions filter_options(const StreamOptions& options) {
  core::EventFilterOptions filter = options.filter;
  filter.compounds = filter.compounds && options.system->compound_events;
  if (!options.operations.empty()) filter.outcomes.operations = options.operations.size();
  return filter;
}

// Rounds to four digits. Further digits depend on the order of events.
narsese::TruthValue in_four_digits(const narsese::TruthValue& truth) {
  const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
  return {rounded(truth.frequency), std::min(rounded(truth.confidence), 0.9999)};
}

std::string_view name(Episode::Kind kind) {
  static constexpr std::array<std::string_view, 3> names{"event", "goal", "operation"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

// --- input from the world --------------------------------------------------------------------------------------

WorldStream::WorldStream(const StreamOptions& options, AttachedMemory& memory, Observers observers)
    : options_(options),
      memory_(memory),
      observers_(std::move(observers)),
      filter_(filter_options(options)),
      operations_(options.operations),
      episodes_(options.max_episodes, AttachedMemory::max_record_bytes(memory.session().limits())),
      pending_({.cycles = max_behind,
                .events = options.filter.policy == core::EventPolicyKind::all ? options.filter.max_waiting
                                                                              : options.filter.pass,
                .items = max_pending},
               [this](core::Moment time, core::Moment now) { return tense_of(time, now).has_value(); }),
      reasoner_(options_, memory,
                {.entries =
                     [this](const TranscriptEntry& entry) {
                       if (observers_.entries) observers_.entries(entry);
                     },
                 .events = [this](const NarsEvent& event) { handle_event(event); },
                 .restarted =
                     [this] {
                       const std::lock_guard lock(mutex_);
                       ++counts_.restarts;
                     },
                 .use = [this] { return std::make_shared<MemoryLock>(*this); }}) {
  if (options_.system->operations != nullptr && !operations_.empty())
    for (const std::string& line : options_.system->operations(operations_))
      reasoner_.remember({.text = line});
}

void WorldStream::process_line(std::size_t number, const std::string& text) {
  const MemoryLock lock(*this);
  const StreamLine line = read_stream_line(text);
  batch_over_ = false;
  switch (line.kind) {
    case StreamLine::Kind::error:
      return reject(number, line.column, line.message);
    case StreamLine::Kind::question:
      return answer(line.question);
    case StreamLine::Kind::cycles:
      if (!can_advance(number, line.cycles)) return;
      reasoner_.note(Entry::input, std::to_string(line.cycles));
      return advance(line.cycles);
    case StreamLine::Kind::did: {
      const auto term = narsese::parse_term(line.text, memory_.session().mutable_memory().terms());
      if (!term) return reject(number, 1, "\"did\": " + term.error().message());
      Sentence done;
      done.term = *term;
      done.tense.kind = Tense::Kind::present;
      if (!narsese::operator_of(done.term))
        return reject(number, 1, "\"did\" must be an operation such as ^left, found " + line.text);
      const auto effect = reasoner_.note(Entry::input, narsese::print(done));
      return process_sentence(number, effect, line);
    }
    case StreamLine::Kind::narsese:
      return process_narsese(number, line);
  }
}

void WorldStream::reject_line(std::size_t number, const std::string& why) {
  const std::lock_guard lock(mutex_);
  reject(number, 1, why);
}

void WorldStream::reject(std::size_t line, std::size_t column, const std::string& message) {
  ++counts_.wrong_lines;
  if (observers_.rejected) observers_.rejected({line, column, message});
}

void WorldStream::process_narsese(std::size_t number, const StreamLine& line) {
  using Kind = narsese::NalLine::Kind;
  std::string text = line.text;
  if (line.time || text.find(":!") != text.npos) {
    const auto timed = advance_to_time(number, line);
    if (!timed) return;
    text = *timed;
  }
  const AttachedMemory::Effect effect = reasoner_.note(Entry::input, text);
  const narsese::NalLine& said = effect.line;
  if (said.kind == Kind::error) reject(number, said.error.column, said.error.message());
  if (said.kind == Kind::cycles && can_advance(number, said.cycles)) advance(said.cycles);
  if (said.kind == Kind::command) enqueue({.kind = PendingItem::Kind::command, .text = said.text});
  if (said.kind == Kind::sentence) process_sentence(number, effect, line);
}

// Advances the clock to the time of the line and returns the sentence to process. A time beyond the horizon has no
// effect on the clock.
std::optional<std::string> WorldStream::advance_to_time(std::size_t number, const StreamLine& line) {
  const auto parsed = narsese::parse_sentence(line.text, memory_.session().mutable_memory().terms());
  if (!parsed) {
    reject(number, parsed.error().column, parsed.error().message());
    return std::nullopt;
  }
  Sentence sentence = *parsed;
  const Tense::Kind tense = sentence.tense.kind;
  if (!line.time && tense != Tense::Kind::at) return line.text;
  if (sentence.asks() || (line.time && tense != Tense::Kind::eternal && tense != Tense::Kind::present)) {
    reject(number, 1, "\"time\" is only allowed for an event or a goal of the present, found " + line.text);
    return std::nullopt;
  }
  const core::Moment time = std::clamp(line.time.value_or(sentence.tense.cycles), -max_cycles, max_cycles);
  if (std::abs(time - now_) <= options_.horizon) world_gives_times_ = true;
  if (time > now_ && time - now_ <= options_.horizon) {
    const auto cycles = static_cast<std::uint64_t>(time - now_);
    if (!can_advance(number, cycles)) return std::nullopt;
    reasoner_.note(Entry::input, std::to_string(cycles));
    advance(cycles);
  }
  sentence.tense = time == now_ ? Tense{Tense::Kind::present} : at(time);
  return narsese::print(sentence);
}

void WorldStream::process_sentence(std::size_t number, const AttachedMemory::Effect& effect,
                                   const StreamLine& line) {
  const Sentence& sentence = effect.line.sentence;
  if (!effect.refusal.empty()) reject(number, 1, effect.refusal);
  if (sentence.asks()) {
    ++counts_.questions;
    return enqueue({.kind = PendingItem::Kind::question, .text = effect.line.text});
  }
  if (sentence.punctuation == Punctuation::goal) return process_goal(sentence);
  if (sentence.tense == Tense{}) {
    ++counts_.sentences;
    const std::uint64_t statement = effect.statement ? memory_.origins()[*effect.statement].number : 0;
    return enqueue({.kind = PendingItem::Kind::sentence, .text = effect.line.text, .statement = statement});
  }
  if (narsese::operator_of(sentence.term) && sentence.truth_or_default().frequency >= 0.5)
    return process_operation(sentence);
  process_event(sentence, line.relevant);
}

void WorldStream::process_event(const Sentence& sentence, bool relevant) {
  const Tense tense = sentence.tense;
  core::Moment time = now_;
  if (tense.kind == Tense::Kind::at) time = std::clamp(tense.cycles, -max_cycles, max_cycles);
  if (tense.kind == Tense::Kind::offset) time = now_ + std::clamp(tense.cycles, -max_cycles, max_cycles);
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
  waiting_events_.emplace(episode,
                          PendingItem{.text = narsese::print(sentence), .time = time, .episode = episode});
  filter_time_ = now_;
  filter_.arrive({filter_.kind(kind), time, relevant}, episode, now_);
  if (waiting_events_.size() <= 2 * options_.filter.max_waiting) return;
  const std::vector<std::uint64_t> left = filter_.waiting_tags();  // ascending; the filter dropped the others
  std::erase_if(waiting_events_,
                [&](const auto& one) { return !std::ranges::binary_search(left, one.first); });
}

void WorldStream::process_goal(const Sentence& sentence) {
  ++counts_.goals;
  const std::string term = narsese::print(sentence.term);
  const std::uint64_t episode = episodes_.add(Episode::Kind::goal, term, now_, true);
  filter_time_ = now_;
  filter_.want(filter_.kind(term), narsese::expectation(sentence.truth_or_default()), now_);
  end_cycle(0);
  Sentence now = sentence;  // a goal always holds from the present, whatever its time
  if (now.tense != Tense{}) now.tense = {Tense::Kind::present};
  enqueue({.kind = PendingItem::Kind::goal, .text = narsese::print(now), .episode = episode});
  advance_own_cycle();
}

void WorldStream::process_operation(const Sentence& sentence) {
  ++counts_.done_by_others;
  end_cycle(0);
  const std::uint64_t episode =
      episodes_.add(Episode::Kind::operation, narsese::print(sentence.term), now_, true);
  filter_.acted(operation_number(narsese::print(narsese::operator_of(sentence.term))), now_);
  Sentence now = sentence;
  now.tense = {Tense::Kind::present};
  enqueue({.kind = PendingItem::Kind::operation, .text = narsese::print(now), .episode = episode});
}

// The number of an operation. Unknown operations get a number that the filter does not have.
core::OperationId WorldStream::operation_number(const std::string& operation) {
  const auto found = std::ranges::find(operations_, operation);
  const auto number = static_cast<core::OperationId>(found - operations_.begin());
  if (found == operations_.end() && options_.operations.empty() &&
      number < options_.filter.outcomes.operations)
    operations_.push_back(operation);
  return number;
}

// --- cycles ----------------------------------------------------------------------------------------

bool WorldStream::can_advance(std::size_t number, std::uint64_t cycles) {
  if (cycles <= static_cast<std::uint64_t>(max_cycles - now_)) return true;
  reject(number, 1,
         "a stream may have at most " + std::to_string(max_cycles) + " cycles, found " +
             std::to_string(cycles) + " after " + std::to_string(now_));
  return false;
}

void WorldStream::advance(std::uint64_t cycles) {
  end_cycle(cycles);
  now_ += static_cast<core::Moment>(cycles);
}

// If the world gives no times, a goal takes one cycle, as in ONA.
void WorldStream::advance_own_cycle() {
  if (world_gives_times_ || now_ == max_cycles) return;
  reasoner_.note(Entry::input, "1");
  ++now_;
}

void WorldStream::end_batch() {
  const std::lock_guard lock(mutex_);
  batch_over_ = true;
  work_due_.notify_all();
}

// Ends the cycle: passes on the events that the filter selects.
void WorldStream::end_cycle(std::uint64_t after) {
  filter_time_ = now_;
  std::vector<PendingItem> events;
  const std::vector<core::PassedEvent> passed = filter_.pass(now_);
  enqueue_advice();
  for (const core::PassedEvent& event : passed) {
    const auto item = waiting_events_.find(event.tag);
    if (event.pattern.size > 1)
      events.push_back({.text = filter_.term(event.pattern) + ". :|:",
                        .time = event.event.time,
                        .episode = event.tag,
                        .parts = event.others});
    else if (item != waiting_events_.end())
      events.push_back(std::move(item->second));
    else
      continue;
    events.back().budget = event.budget;
  }
  if (options_.filter.linger == 0) waiting_events_.clear();
  pending_.add(now_, std::move(events), after);
  work_due_.notify_all();
  // The filter's temporary lists fragment the heap, because statements that stay are allocated between them.
  constexpr std::uint64_t tidy_interval = 64;  // cycles; chosen
  if (filter_.counts().cycles % tidy_interval == 0) core::trim_heap();
}

void WorldStream::enqueue(PendingItem item) {
  pending_.add(now_, std::move(item));
  work_due_.notify_all();
}

// Enqueues the advice of the filter before the events of the cycle, so that it can affect the NARS's next operation.
void WorldStream::enqueue_advice() {
  for (const core::Advice& one : filter_.take_advice())
    if (const auto text = judgement(one.pattern, one.operation, one.goal, one.truth)) {
      ++counts_.advice;
      enqueue({.kind = ItemKind::advice, .text = *text});
    }
}

// Returns nothing if the operation has no name, or if the memory has no room for the term.
std::optional<std::string> WorldStream::judgement(const core::EventPattern& pattern,
                                                  core::OperationId operation, core::EventKind goal,
                                                  const narsese::TruthValue& truth) {
  if (operation >= operations_.size()) return std::nullopt;
  const auto term = narsese::parse_term(
      implication(filter_.term(pattern), operations_[operation], filter_.term(goal), pattern.size > 1),
      memory_.session().mutable_memory().terms());
  if (!term) return std::nullopt;
  Sentence sentence;
  sentence.term = *term;
  sentence.truth = in_four_digits(truth);
  return narsese::print(sentence);
}

std::optional<Tense> WorldStream::tense_of(core::Moment time, core::Moment now) const {
  if (time >= now) return Tense{Tense::Kind::present};
  const auto& past = options_.system->past;
  if (!past || now - time > past->furthest) return std::nullopt;
  return Tense{past->tense, past->tense == Tense::Kind::offset ? time - now : 0};
}

// --- output to the NARS, and what the NARS does ----------------------------------------------------------------

bool WorldStream::work() {
  PendingCycle cycle;
  std::vector<std::string> lines;
  {
    const MemoryLock lock(*this);
    if (pending_.empty() && batch_over_ && filter_.waiting() > 0) {
      end_cycle(0);
      advance_own_cycle();
    }
    if (pending_.empty()) return false;
    cycle = pending_.take();
    sent_time_ = cycle.now;
    lines = nars_lines(cycle);
  }
  const bool done = reasoner_.attempt("cycle " + std::to_string(cycle.now), [&] {
    reasoner_.run(cycle.before);
    if (!lines.empty()) reasoner_.say(lines);
    reasoner_.run(cycle.after);
  });
  const MemoryLock lock(*this);
  account_for(cycle, done);
  for (const std::string& operation : std::exchange(executed_, {})) reasoner_.note(Entry::input, operation);
  return true;
}

void WorldStream::wait_for_work(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  work_due_.wait_for(lock, time, [&] { return !pending_.empty() || (batch_over_ && filter_.waiting() > 0); });
}

void WorldStream::finish() { reasoner_.end(); }

// The lines of a cycle in the dialect of the NARS.
std::vector<std::string> WorldStream::nars_lines(const PendingCycle& cycle) {
  std::vector<std::string> lines;
  for (const PendingItem& item : cycle.items) {
    auto line = nars_line(item, cycle.now);
    if (!line) continue;
    if (item.kind == ItemKind::event) {
      ++counts_.passed;
      episodes_.pass(item.episode);
      for (const std::uint64_t part : item.parts) episodes_.pass(part);
    }
    lines.push_back(std::move(*line));
  }
  return lines;
}

std::optional<std::string> WorldStream::nars_line(const PendingItem& item, core::Moment now) {
  std::istringstream text(item.text);
  narsese::NalReader reader(text, memory_.session().mutable_memory().terms());
  auto line = reader.next();
  if (!line || line->kind == narsese::NalLine::Kind::error) return std::nullopt;
  if (item.kind == ItemKind::command) return reasoner_.command(*line);
  Sentence& sentence = line->sentence;
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
void WorldStream::account_for(const PendingCycle& cycle, bool done) {
  for (const PendingItem& item : cycle.items) {
    if (item.kind == ItemKind::sentence || item.kind == ItemKind::command)
      if (const auto line = nars_line(item, cycle.now)) reasoner_.remember({item.statement, *line});
    if (done) continue;
    if (item.kind == ItemKind::event) ++counts_.lost_events;
    if (item.kind == ItemKind::goal) ++counts_.lost_goals;
    if (item.kind == ItemKind::question || item.kind == ItemKind::operation) ++counts_.lost_others;
  }
}

// Requires: the caller holds the memory.
void WorldStream::handle_event(const NarsEvent& event) {
  if (event.kind == NarsEvent::Kind::executed) return execute(event);
  if (event.kind == NarsEvent::Kind::answer) ++counts_.answers;
  if (event.kind == NarsEvent::Kind::error) ++counts_.errors;
  const bool for_the_world = event.kind == NarsEvent::Kind::answer || event.kind == NarsEvent::Kind::error;
  if (for_the_world && observers_.replies) observers_.replies(to_json(event));
}

void WorldStream::execute(const NarsEvent& event) {
  ++counts_.executed;
  const core::Moment moment = std::max(sent_time_, filter_time_);
  const narsese::Term op = event.term ? narsese::operator_of(*event.term) : narsese::Term();
  const std::string operation = op ? narsese::print(op) : "";
  NarsEvent told = event;
  told.occurrence = {Tense::Kind::at, moment};
  told.unknown = operation.empty() || (!options_.operations.empty() &&
                                       std::ranges::find(operations_, operation) == operations_.end());
  if (observers_.replies) observers_.replies(to_json(told));
  if (told.unknown) {
    ++counts_.unknown_operations;
    return;
  }
  filter_time_ = moment;
  filter_.acted(operation_number(operation), moment);
  Sentence done;
  done.term = *event.term;
  done.tense = told.occurrence;
  episodes_.add(Episode::Kind::operation, narsese::print(done.term), moment, true);
  executed_.push_back(narsese::print(done));
}

// --- replies to questions of the world -------------------------------------------------------------------------

StreamCounts WorldStream::counts() const {
  const std::lock_guard lock(mutex_);
  StreamCounts counts = counts_;
  counts.late += pending_.late();
  counts.crowded_out += pending_.crowded_out();
  counts.now = now_;
  counts.reached = filter_.counts().reached;
  counts.failed = filter_.counts().failed;
  counts.dropped = filter_.counts().dropped;
  counts.not_passed = filter_.counts().not_passed;
  return counts;
}

std::vector<std::string> WorldStream::learnt_implications(std::size_t most) {
  const MemoryLock lock(*this);
  std::vector<std::string> found;
  for (const core::OutcomeModel::Link& link : filter_.model().links(most))
    if (auto text = judgement(link.pattern, link.operation, link.goal, link.truth))
      found.push_back(std::move(*text));
  return found;
}

StreamLearning WorldStream::learning() const {
  const std::lock_guard lock(mutex_);
  return {operations_, filter_.learnt()};
}

void WorldStream::restore(const StreamLearning& learning) {
  const std::lock_guard lock(mutex_);
  const StreamLearning own =
      with_operations(learning, options_.operations, filter_.options().outcomes.operations);
  filter_.restore(own.outcomes);
  operations_ = own.operations;
}

std::string WorldStream::stats() {
  const MemoryLock lock(*this);
  const StreamCounts counts = this->counts();
  const core::Session& session = memory_.session();
  const Json json{
      {"now", counts.now},
      {"events", counts.events},
      {"goals", counts.goals},
      {"sentences", counts.sentences},
      {"questions", counts.questions},
      {"done_by_others", counts.done_by_others},
      {"passed", counts.passed},
      {"advice", counts.advice},
      {"not_passed", counts.not_passed},
      {"dropped", counts.dropped},
      {"late", counts.late},
      {"far", counts.far},
      {"refused", counts.refused},
      {"crowded_out", counts.crowded_out},
      {"lost",
       {{"events", counts.lost_events}, {"goals", counts.lost_goals}, {"others", counts.lost_others}}},
      {"executed", counts.executed},
      {"unknown_operations", counts.unknown_operations},
      {"answers", counts.answers},
      {"errors", counts.errors},
      {"wrong_lines", counts.wrong_lines},
      {"restarts", counts.restarts},
      {"reached", counts.reached},
      {"failed", counts.failed},
      {"episodes", episodes_.size()},
      {"filter_bytes", filter_.bytes()},
      {"memory",
       {{"concepts", session.memory().graph().size()},
        {"links", session.memory().graph().hebbian_links().size()},
        {"statements", session.memory().statements().size()},
        {"bytes", session.bytes()},
        {"forgotten", forgetting_json(session.forgetting())}}},
      {"learnt", learnt_implications(max_links)}};
  return json.dump();
}

void WorldStream::answer(const StreamQuestion& question) {
  Json reply = Json::object();
  const auto named = narsese::parse_term(question.term, memory_.session().mutable_memory().terms());
  const std::string term =
      named ? narsese::print(*named) : question.term;  // printed as the stream prints terms
  if (!question.id.empty()) reply["id"] = Json::parse(question.id);
  switch (question.about) {
    case About::stats:
      reply["stats"] = Json::parse(stats());
      break;
    case About::operations: {
      reply["goal"] = term;
      reply["operations"] = Json::array();
      const core::EventKind goal = filter_.find(term);
      for (const core::OperationBudget& budget : filter_.operations(goal, now_)) {
        if (budget.operation >= operations_.size()) continue;
        Json one{{"operation", operations_[budget.operation]}, {"success", budget.success}};
        if (budget.because.size > 0 && budget.truth.confidence > 0) {
          one["because"] = implication(filter_.term(budget.because), operations_[budget.operation], term,
                                       budget.because.size > 1);
          one["truth"] = truth_json(in_four_digits(budget.truth));
        }
        reply["operations"].push_back(std::move(one));
      }
      break;
    }
    case About::episodes: {
      reply["term"] = term;
      reply["episodes"] = Json::array();
      for (const Episode& episode : episodes_.of(term, question.most))
        reply["episodes"].push_back({{"number", episode.number},
                                     {"kind", name(episode.kind)},
                                     {"time", episode.time},
                                     {"passed", episode.passed}});
      if (!named) break;
      Sentence said;
      said.term = *named;
      if (const auto statement = memory_.session().memory().find(said))
        reply["times"] = memory_.session().memory().statements()[*statement].times;
      break;
    }
    case About::export_: {
      const std::vector<std::string> links = learnt_implications(max_links);
      for (const std::string& link : links) enqueue({.kind = PendingItem::Kind::sentence, .text = link});
      reply["exported"] = links;
      break;
    }
  }
  if (observers_.replies) observers_.replies(reply.dump());
}

}  // namespace engram::bridge
