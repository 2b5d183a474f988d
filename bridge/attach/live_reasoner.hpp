// SPDX-License-Identifier: MIT
// A NARS that is restarted when it fails, and then receives its remembered input again. All communication goes into the
// transcript and the memory.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/attach/reasoner_process.hpp"
#include "bridge/systems/short_names.hpp"
#include "narsese/translator.hpp"

namespace engram::bridge {

/// The NARS, its time limits, and how often it may fail.
struct LiveReasonerOptions {
  std::vector<std::string> command;  // the NARS: a program and its arguments
  const NarsSystem* system = nullptr;
  bool renames = true;        // replace names that the system does not support; otherwise reject them
  bool answers_only = false;  // request answers only, without inferences, if the system can do so
  std::chrono::milliseconds settling{1000};    // time that a freely running system gets instead of cycles
  std::chrono::milliseconds patience{60'000};  // time limit for one input
  /// A reasoner that ends, hangs or prints too much is restarted, and receives its remembered input again, except
  /// statements that the memory has forgotten. The n-th consecutive restart waits 2^(n-1) times back_off. After
  /// max_restarts the failure is an error.
  unsigned max_restarts = 3;
  std::chrono::milliseconds back_off{100};
  ChildLimits limits = {};
};

/// Callbacks for what happens.
struct ReasonerObservers {
  std::function<void(const TranscriptEntry&)> entries = {};  // every transcript entry, before it takes effect
  std::function<void(const NarsEvent&)> events = {};         // output, except repetitions after a restart
  std::function<void()> restarted = {};
  /// Lock for the memory, if other threads use it. The returned object is held while the memory is used.
  std::function<std::shared_ptr<void>()> use = {};
};

/// A sequence of reasoner processes that appears as one NARS. Use it from one thread at a time.
class LiveReasoner {
 public:
  /// Thrown when the deadline has passed.
  struct TimeUp {};

  LiveReasoner(const LiveReasonerOptions& options, AttachedMemory& memory, ReasonerObservers observers);

  /// Adds an entry to the transcript and applies it to the memory.
  AttachedMemory::Effect note(TranscriptEntry::Kind kind, const std::string& text);

  /// Runs `work` with a running reasoner. Starts a reasoner if none is running, and ends it if it fails. `what` names
  /// the work in messages.
  /// Returns  true on success; false if the reasoner failed, after the wait of back_off
  /// Errors   ReasonerError with the last lines of output if it failed too often in a row, ReasonerLate if it hung the
  ///          last time; CannotStart; core::WorkStopped; TimeUp
  bool attempt(const std::string& what, const std::function<void()>& work);
  /// Repeats attempt() until it succeeds.  Errors  as attempt()
  void persist(const std::string& what, const std::function<void()>& work);

  /// Whether the last attempt began its work: the reasoner was running and had accepted its remembered input.
  bool has_started() const { return started_; }

  /// Sends lines to the reasoner and waits until it has processed them. Call this within attempt() or persist().
  void say(const std::vector<std::string>& lines, TranscriptEntry::Kind as = TranscriptEntry::Kind::heard);
  /// Runs the reasoner for this many cycles, or for the `settling` time if the system runs freely. Call this within
  /// attempt() or persist().
  void run(std::uint64_t cycles);
  /// Checks that the reasoner is alive with a question that every reasoner answers. Does nothing for a system that
  /// cannot stop reasoning without ending. The question and its answer are not part of the transcript. Call this within
  /// attempt() or persist().
  /// Errors  ReasonerError if no answer comes within five seconds, patience or the deadline
  void check_liveness();
  /// Remembers a line for later reasoners. Drops lines for forgotten statements, and the oldest lines if the limit on
  /// bytes is reached.
  /// `statement`  AttachedMemory::Origin::number of the statement that the line expresses, or 0
  void remember(const std::string& text, std::uint64_t statement = 0);
  /// The remembered lines for the next reasoner, in order.
  std::vector<std::string> remembered() const;
  /// Ends the reasoner. The next attempt starts another one.
  void end() { child_.reset(); }
  /// Starts the process for the next question in advance, so that its start-up time overlaps with this question. Does
  /// nothing if that process exists already or the system is embedded. If the start fails, the next attempt reports it.
  void prepare_next();
  /// Ends the reasoner and the process prepared for the next question.
  void end_all() {
    end();
    next_.reset();
  }
  /// Sets a deadline for all further input, in addition to `patience`; or removes it.
  void set_deadline(std::optional<std::chrono::steady_clock::time_point> deadline) { deadline_ = deadline; }

  /// Resets the translator for a new reasoner: clears its names and its totals for limits on the whole input.
  void reset_translator();
  /// Translates a sentence into the syntax of the system.
  /// Returns  the text, or why the system cannot represent the sentence
  narsese::Result<std::string, narsese::Refusal> written(const narsese::Sentence& sentence);
  /// The command line in the syntax of the system, or empty if it is not a command of this system.
  std::optional<std::string> command(const narsese::NalLine& line);
  /// Replaces names that the system does not support.
  narsese::Term renamed(narsese::Term term);

 private:
  struct Line {
    std::uint64_t statement = 0;
    std::string text;
  };
  std::shared_ptr<void> use() const { return observers_.use ? observers_.use() : nullptr; }
  void start();
  void handle_line(std::string_view line, bool whole, TranscriptEntry::Kind as);
  void note_new_names();

  LiveReasonerOptions options_;
  AttachedMemory& memory_;
  ReasonerObservers observers_;
  std::unique_ptr<ReasonerProcess> child_;
  std::unique_ptr<ReasonerProcess> next_;  // started in advance, without any input
  unsigned failures_ = 0;                  // consecutive failures
  bool started_ = false;                   // whether the last attempt began its work
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::optional<narsese::Translator> translator_;
  std::optional<ShortNames> names_;  // replaced names
  std::size_t noted_names_ = 0;      // number of replaced names that are in the transcript
  std::deque<Line> history_;
  std::size_t history_bytes_ = 0;
  std::uint64_t forgotten_ = 0;  // statements forgotten by the memory when history_ was last pruned
};

}  // namespace engram::bridge
