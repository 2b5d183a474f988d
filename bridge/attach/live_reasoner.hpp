// SPDX-License-Identifier: MIT
// A NARS that is restarted when it fails, and then receives its earlier input again. All communication goes into a
// transcript and a memory.
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

/// Options of a live NARS: its command, its time limits, and how often it may fail.
struct LiveReasonerOptions {
  std::vector<std::string> command;  // the NARS: a program and its arguments
  const NarsSystem* system = nullptr;
  bool renames = true;        // replace names that the system does not support; otherwise reject them
  bool answers_only = false;  // request answers only, without inferences, if the system can do so
  std::chrono::milliseconds settling{1000};    // time that a freely running system gets instead of cycles
  std::chrono::milliseconds patience{60'000};  // time limit for one input
  unsigned max_restarts = 3;                   // consecutive restarts before a failure is an error
  std::chrono::milliseconds back_off{100};     // the n-th consecutive restart waits 2^(n-1) times as long
  ChildLimits limits = {};
};

/// Callbacks of LiveReasoner. Empty ones are skipped.
struct ReasonerObservers {
  std::function<void(const TranscriptEntry&)> entries = {};  // every transcript entry, before it takes effect
  std::function<void(const NarsEvent&)> events = {};         // output, except repetitions after a restart
  std::function<void()> restarted = {};
  /// Locks the memory, if other threads use it. The destructor of the returned object unlocks it.
  std::function<std::shared_ptr<void>()> use = {};
};

/// A line for a reasoner.
struct ReasonerLine {
  std::uint64_t statement = 0;  // AttachedMemory::Origin::number of the statement that it expresses, or 0
  std::string text;
};

/// A sequence of reasoner processes that appears as one NARS. A process that ends, hangs or prints too much is replaced
/// by a new one, which first receives the remembered lines. Use it from one thread at a time.
class LiveReasoner {
 public:
  /// Thrown when the deadline has passed.
  struct TimeUp {};

  LiveReasoner(const LiveReasonerOptions& options, AttachedMemory& memory, ReasonerObservers observers);

  /// Writes an entry to the transcript, and then applies it to the memory.
  AttachedMemory::Effect note(TranscriptEntry::Kind kind, const std::string& text);

  /// Runs `work` with a running reasoner. Starts a reasoner if none is running, and ends it if it fails.
  /// `what`   names the work in messages
  /// Returns  true on success; false if the reasoner failed, after the wait of back_off
  /// Errors   ReasonerError with the last lines of output if it failed too often in a row, ReasonerLate if it hung the
  ///          last time; CannotStart; core::WorkStopped; TimeUp
  bool attempt(const std::string& what, const std::function<void()>& work);
  /// Repeats attempt() until it succeeds.  Errors  as attempt()
  void persist(const std::string& what, const std::function<void()>& work);

  /// Whether the last call of attempt() or persist() came to run its work. It does so once a reasoner runs and has accepted
  /// the lines from remember().
  bool has_started() const { return started_; }

  // Call the next three functions only within the work of attempt() or persist().

  /// Sends lines to the reasoner and waits until it has processed them.
  void say(const std::vector<std::string>& lines, TranscriptEntry::Kind as = TranscriptEntry::Kind::heard);
  /// Runs the reasoner for this many cycles, or for the `settling` time if the system runs freely.
  void run(std::uint64_t cycles);
  /// Checks with a simple question that the reasoner still reasons, if the system can stop to reason without ending
  /// (NarsSystem::probe). The question and its answer are not part of the transcript.
  /// Errors  ReasonerError if no answer comes within five seconds, `patience` or the deadline
  void check_liveness();

  /// Remembers a line for later reasoners. Drops lines whose statement the memory has forgotten, and the oldest lines
  /// beyond AttachedMemory::max_record_bytes.
  void remember(ReasonerLine line);
  /// The remembered lines, oldest first.
  std::vector<std::string> remembered() const;
  /// Ends the reasoner. The next attempt starts another one.
  void end() { child_.reset(); }
  /// Starts the next process in advance, so that its start-up overlaps with the current work. If the start fails, the
  /// next attempt reports the error.
  void prepare_next();
  /// Ends the reasoner and the process that was started in advance.
  void end_all() {
    end();
    next_.reset();
  }
  /// Sets or removes a deadline for all further input, in addition to `patience`.
  void set_deadline(std::optional<std::chrono::steady_clock::time_point> deadline) { deadline_ = deadline; }

  /// Resets the translation for a new reasoner: its replaced names, and its counts for limits on the whole input.
  void reset_translator();
  /// The sentence in the syntax of the system, or why the system cannot represent it.
  narsese::Result<std::string, narsese::Refusal> written(const narsese::Sentence& sentence);
  /// The command line in the syntax of the system, or empty if it is not a command of this system.
  std::optional<std::string> command(const narsese::NalLine& line);
  /// Replaces names that the system does not support.
  narsese::Term renamed(narsese::Term term);

 private:
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
  std::deque<ReasonerLine> history_;
  std::size_t history_bytes_ = 0;
  std::uint64_t forgotten_ = 0;  // statements forgotten by the memory when history_ was last pruned
};

}  // namespace engram::bridge
