// SPDX-License-Identifier: MIT
// Filter between a world and a NARS: records all events, passes the most useful events of each cycle on to the NARS,
// and executes the operations that the NARS chooses.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bridge/attach/live_reasoner.hpp"
#include "bridge/stream/stream_buffers.hpp"
#include "bridge/stream/stream_learning.hpp"
#include "bridge/stream/stream_line.hpp"
#include "core/events/event_filter.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Options of a stream.
struct StreamOptions : LiveReasonerOptions {
  core::EventFilterOptions filter = {};
  /// Operations of the NARS, such as ^left. The stream defines them, if the system has a command for this. If empty,
  /// the system has its own operations, and the stream accepts every operation.
  std::vector<std::string> operations = {};
  core::Moment horizon = 1000;        // most cycles between now and the time of an event that is passed on
  std::size_t max_episodes = 65'536;  // most episodes in the log
  bool live = false;                  // the world never waits for the NARS
};

/// Counters of a stream since its start.
struct StreamCounts {
  core::Moment now = 0;  // the current cycle
  // Accepted input.
  std::uint64_t events = 0, goals = 0, sentences = 0, questions = 0, done_by_others = 0;
  std::uint64_t passed = 0;       // events that the NARS received; a compound event counts once
  std::uint64_t advice = 0;       // judgements that the filter told the NARS by itself
  std::uint64_t not_passed = 0;   // events that the filter did not select
  std::uint64_t dropped = 0;      // events beyond the limit of a cycle
  std::uint64_t late = 0;         // selected events that were too old when the NARS was ready
  std::uint64_t far = 0;          // events beyond the horizon or in the future
  std::uint64_t refused = 0;      // sentences without a form in the dialect of the NARS
  std::uint64_t crowded_out = 0;  // selected input dropped because the NARS was busy
  std::uint64_t lost_events = 0, lost_goals = 0, lost_others = 0;               // sent to a NARS that failed
  std::uint64_t executed = 0, unknown_operations = 0, answers = 0, errors = 0;  // reported by the NARS
  std::uint64_t reached = 0, failed = 0;  // operations that reached, or did not reach, their goal in time
  std::uint64_t restarts = 0;
  std::uint64_t wrong_lines = 0;
};

/// Event stream from a world to a NARS. One thread passes the lines of the world to process_line(). The same thread, or
/// for a live world another one, calls work(), which talks with the NARS. bridge/stream/README.md describes the lines,
/// the cycles and the time of a stream.
///
/// If the world is not live, call work() until it returns false before the next process_line(). Then all results depend
/// on the lines alone. If the NARS lags behind a live world, the stream merges cycles and drops events with small
/// budgets.
///
/// Every accepted line is an episode of the memory. The stream writes it to the transcript before anything depends on
/// it.
class WorldStream {
 public:
  /// Callbacks. The stream calls them while it holds the memory.
  struct Observers {
    std::function<void(const TranscriptEntry&)> entries = {};
    std::function<void(const std::string& json)> replies = {};  // a reply line; called from both threads
    std::function<void(const core::RejectedLine&)> rejected = {};
  };

  /// Errors  std::invalid_argument if an option is outside its range
  WorldStream(const StreamOptions& options, AttachedMemory& memory, Observers observers);

  /// Processes the next line of the world.
  void process_line(std::size_t number, const std::string& text);
  /// Reports a line that was too long to read.
  void reject_line(std::size_t number, const std::string& why);
  /// Ends the batch: no more input is available now.
  void end_batch();

  /// Sends waiting lines to the NARS and handles its output.
  /// Returns  whether anything was waiting
  /// Errors   ReasonerError if the NARS failed too often in a row; core::WorkStopped
  bool work();
  /// Waits until work() has something to do, for at most `time`.
  void wait_for_work(std::chrono::milliseconds time);
  /// Ends the NARS.
  void finish();

  StreamCounts counts() const;
  /// The known implications as Narsese with truth values, by falling attention (core::OutcomeModel::links).
  std::vector<std::string> learnt_implications(std::size_t most);
  /// The reply to {"ask": "stats"}.
  std::string stats();
  /// The learnt state of the filter; empty for policies that do not learn.
  StreamLearning learning() const;
  /// Loads learnt state. Call this before the first line. Operations are matched by name.
  /// Errors  std::invalid_argument, as EventFilter::restore
  void restore(const StreamLearning& learning);

 private:
  // RAII lock of the stream and its memory.
  struct MemoryLock {
    explicit MemoryLock(WorldStream& stream) : lock(stream.mutex_), request(stream.memory_.session()) {}
    std::unique_lock<std::recursive_mutex> lock;
    core::Session::Request request;
  };

  void process_narsese(std::size_t number, const StreamLine& line);
  void process_sentence(std::size_t number, const AttachedMemory::Effect& effect, const StreamLine& line);
  void process_event(const narsese::Sentence& sentence, bool relevant);
  void process_goal(const narsese::Sentence& sentence);
  void process_operation(const narsese::Sentence& sentence);
  std::optional<std::string> advance_to_time(std::size_t number, const StreamLine& line);
  bool can_advance(std::size_t number, std::uint64_t cycles);
  void advance(std::uint64_t cycles);
  void advance_own_cycle();
  void end_cycle(std::uint64_t after);
  void enqueue(PendingItem item);
  void enqueue_advice();
  std::optional<std::string> judgement(const core::EventPattern& pattern, core::OperationId operation,
                                       core::EventKind goal, const narsese::TruthValue& truth);
  std::optional<narsese::Tense> tense_of(core::Moment time, core::Moment now) const;
  void reject(std::size_t line, std::size_t column, const std::string& message);
  core::OperationId operation_number(const std::string& operation);
  std::vector<std::string> nars_lines(const PendingCycle& cycle);
  std::optional<std::string> nars_line(const PendingItem& item, core::Moment now);
  void account_for(const PendingCycle& cycle, bool done);
  void handle_event(const NarsEvent& event);
  void execute(const NarsEvent& event);
  void answer(const StreamQuestion& question);

  StreamOptions options_;
  AttachedMemory& memory_;
  Observers observers_;
  mutable std::recursive_mutex mutex_;  // guards all members below and the memory
  std::condition_variable_any work_due_;
  core::EventFilter filter_;
  std::vector<std::string> operations_;  // indexed by operation number
  EpisodeLog episodes_;
  StreamCounts counts_;
  core::Moment now_ = 0;
  core::Moment filter_time_ = 0;                         // time of the latest call of the filter
  bool world_gives_times_ = false;                       // then goals and batches take no cycle
  std::map<std::uint64_t, PendingItem> waiting_events_;  // wait for the selection; by episode number
  PendingQueue pending_;
  core::Moment sent_time_ = 0;         // time of the cycle that the NARS works on
  bool batch_over_ = false;            // live world: no more input is available
  std::vector<std::string> executed_;  // operations that the NARS executed since the last batch
  LiveReasoner reasoner_;              // used by the thread that calls work(), except note()
};

}  // namespace engram::bridge
