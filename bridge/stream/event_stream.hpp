// SPDX-License-Identifier: MIT
// Engram between a world and a NARS: takes in all that happens, passes a few events of each cycle on, and hears what the
// NARS does.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bridge/attach/live_reasoner.hpp"
#include "bridge/stream/episode_log.hpp"
#include "bridge/stream/stream_learning.hpp"
#include "bridge/stream/stream_line.hpp"
#include "bridge/stream/untold.hpp"
#include "core/events/event_filter.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Which NARS acts in the world, and what goes on to it.
struct StreamOptions : LiveReasonerOptions {
  core::EventFilterOptions filter = {};
  /// What the NARS can do, such as ^left. It is told so where the system can be. Empty: what the system has, and nothing
  /// is unknown.
  std::vector<std::string> operations = {};
  core::Moment horizon = 1000;        // cycles from now that an event's time may be
  std::size_t max_episodes = 65'536;  // that are kept, the latest
  std::size_t max_behind = 4;         // cycles that the NARS may be behind a live world; chosen
  std::size_t max_untold = 4096;      // goals, sentences and questions that wait for it
  bool live = false;                  // the world waits for nobody
};

/// What has gone through so far.
struct StreamCounts {
  core::Moment now = 0;  // the cycle that it is
  // That were accepted.
  std::uint64_t events = 0, goals = 0, sentences = 0, questions = 0, done_by_others = 0;
  std::uint64_t passed = 0;       // events that were told to the NARS
  std::uint64_t not_passed = 0;   // events that were not chosen
  std::uint64_t dropped = 0;      // events that there were too many of in a cycle
  std::uint64_t late = 0;         // events whose moment was over when they could have been told
  std::uint64_t far = 0;          // events beyond the horizon, and those to come
  std::uint64_t refused = 0;      // by the dialect of the NARS
  std::uint64_t crowded_out = 0;  // while the NARS was busy: chosen events, goals, sentences, questions
  std::uint64_t lost_events = 0, lost_goals = 0, lost_others = 0;  // told to a NARS that failed then
  std::uint64_t executed = 0, unknown_operations = 0, answers = 0, errors = 0;  // that it told
  std::uint64_t reached = 0, failed = 0;  // operations whose goal came about in time, and not
  std::uint64_t restarts = 0;
  std::uint64_t wrong_lines = 0;
};

/// A stream. One thread takes in what the world says, one talks with the NARS; they may be the same. A cycle of the stream
/// ends with a number of cycles, a goal, what others did, and, of a live world, where nothing more has come (end_batch).
/// Then the filter's choice, at most K events in their order, goes on, then what ended it.
///
/// Time is counted in cycles from 0. A number N lets N pass; a time that is told and is still to come lets as many pass as
/// there are until then; goals and ends of batches one, as long as the world tells no times. What goes on is of the moment
/// that it is told in. An event of before then, since it came late or a live world was faster than the NARS, is told
/// with its time where the system has words for that (NarsSystem::past), else it is remembered and not told. So is what lies
/// beyond the horizon, and what is yet to come.
///
/// Where the world is not live, what was taken in must be told (work()) before the next line: then all that comes of it
/// depends on the lines alone. A live world is never waited for: where the NARS falls behind by more than max_behind
/// cycles, those become one, of which the K events with the largest budgets stay.
///
/// Everything accepted is an episode of the memory, and is in the transcript before anything is done with it.
class EventStream {
 public:
  /// Who hears of what goes through, each called where the memory is in use.
  struct Observers {
    std::function<void(const TranscriptEntry&)> entries = {};
    std::function<void(const std::string& json)> said = {};  // a line for the world; from both threads
    std::function<void(const core::RejectedLine&)> rejected = {};
  };

  /// Errors  std::invalid_argument for options outside their ranges
  EventStream(const StreamOptions& options, AttachedMemory& memory, Observers observers);

  /// The next line of the world.
  void take(std::size_t number, const std::string& text);
  /// A line that was too long.
  void refuse(std::size_t number, const std::string& why);
  /// There is no more at hand.
  void end_batch();

  /// Tells the NARS what it is to be told, if anything, and hears what it does.
  /// Returns  whether there was anything
  /// Errors   ReasonerError where it has failed too often in a row; core::WorkStopped
  bool work();
  /// Waits until there is something to do, for so long at most.
  void wait(std::chrono::milliseconds time);
  /// The NARS is told no more.
  void finish();

  StreamCounts counts() const;
  /// What was learnt, as Narsese with truth, the most attended to first.
  std::vector<std::string> learnt(std::size_t most);
  /// As the world gets it for {"ask": "stats"}.
  std::string stats();
  /// What the filter has learnt; of the policies that learn nothing else, to go on from.
  StreamLearning learning() const;
  /// Before anything is taken in. Operations are matched by their names.
  /// Errors  std::invalid_argument, as EventFilter::go_on_from
  void go_on_from(const StreamLearning& learning);

 private:
  struct Use {
    explicit Use(EventStream& stream) : lock(stream.mutex_), request(stream.memory_.session()) {}
    std::unique_lock<std::recursive_mutex> lock;
    core::Session::Request request;
  };

  void take_narsese(std::size_t number, const StreamLine& line);
  void take_sentence(std::size_t number, const AttachedMemory::Effect& effect, const StreamLine& line);
  void take_event(const narsese::Sentence& sentence, bool relevant);
  void take_goal(const narsese::Sentence& sentence);
  void take_operation(const narsese::Sentence& sentence);
  std::optional<std::string> at_its_time(std::size_t number, const StreamLine& line);
  bool may_pass(std::size_t number, std::uint64_t cycles);
  void pass_time(std::uint64_t cycles);
  void pass_own_cycle();
  void close(std::uint64_t after);
  void tell(UntoldItem item);
  std::optional<narsese::Tense> tense_of(core::Moment time, core::Moment now) const;
  void reject(std::size_t line, std::size_t column, const std::string& message);
  core::OperationId number_of(const std::string& operation);

  std::vector<std::string> lines_of(const UntoldCycle& cycle);
  std::optional<std::string> line_of(const UntoldItem& item, core::Moment now);
  void told(const UntoldCycle& cycle, bool done);
  void hear(const NarsEvent& event);
  void execute(const NarsEvent& event);

  void answer(const StreamQuestion& question);

  StreamOptions options_;
  AttachedMemory& memory_;
  Observers observers_;
  mutable std::recursive_mutex mutex_;  // for all that follows, and the memory
  std::condition_variable_any due_;
  core::EventFilter filter_;
  std::vector<std::string> operations_;  // by number
  EpisodeLog episodes_;
  StreamCounts counts_;
  core::Moment now_ = 0;
  core::Moment filtered_ = 0;                    // as late as the filter knows it
  bool tells_time_ = false;                      // the world does
  std::map<std::uint64_t, UntoldItem> waiting_;  // for the filter's choice, by episode
  Untold untold_;
  core::Moment at_work_ = 0;           // the moment of the cycle that the NARS is told
  bool batch_over_ = false;            // of a live world: nothing more is at hand
  std::vector<std::string> executed_;  // by the NARS, since it was told: for the memory
  LiveReasoner reasoner_;              // but for note(), of the thread that works
};

}  // namespace engram::bridge
