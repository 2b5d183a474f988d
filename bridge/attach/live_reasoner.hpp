// SPDX-License-Identifier: MIT
// A NARS that is kept alive: told lines and heard, started again when it fails and told again what it knew; all that is
// said goes into the transcript and the memory.
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

/// Which NARS it is, how long it may take, and how often it may fail.
struct LiveReasonerOptions {
  std::vector<std::string> command;  // the NARS: a program and its arguments
  const NarsSystem* system = nullptr;
  bool renames = true;      // names that the system does not hold, for it; else these are refused
  bool acts_alone = false;  // it need not print what it infers, where it can be told so
  std::chrono::milliseconds settling{1000};    // what a system that runs freely gets in place of cycles
  std::chrono::milliseconds patience{60'000};  // until it has done one thing it was told
  /// A reasoner that ends, hangs or floods is started again and told again all that it was told to keep, but for what
  /// memory has forgotten since; the n-th time in a row after 2^(n-1) back_off. What still fails after max_restarts is
  /// an error.
  unsigned max_restarts = 3;
  std::chrono::milliseconds back_off{100};
  ChildLimits limits = {};
};

/// Who follows what goes on.
struct ReasonerObservers {
  std::function<void(const TranscriptEntry&)> entries = {};  // everything, before it takes effect
  std::function<void(const NarsEvent&)> events = {};  // what it says, but what it repeats after a restart
  std::function<void()> restarted = {};
  /// What this returns is held whenever the memory is used: where others use it meanwhile.
  std::function<std::shared_ptr<void>()> use = {};
};

/// One NARS after the other. One thread at a time.
class LiveReasoner {
 public:
  /// The deadline has come.
  struct TimeUp {};

  LiveReasoner(const LiveReasonerOptions& options, AttachedMemory& memory, ReasonerObservers observers);

  /// Something that happened: into the transcript, then into the memory.
  AttachedMemory::Effect note(TranscriptEntry::Kind kind, const std::string& text);

  /// Does something with the reasoner, which is started if there is none, and where it fails ends it.
  /// Returns  whether it was done; where it was not the reasoner failed, and has been waited for as back_off says
  /// Errors   ReasonerError, with the last lines that it printed, where it has failed too often in a row, ReasonerLate if
  ///          it hung the last time; CannotStart; core::WorkStopped; TimeUp
  bool attempt(const std::string& what, const std::function<void()>& work);
  /// The same, as often as it takes to be done.
  void persist(const std::string& what, const std::function<void()>& work);

  /// Whether the last attempt came as far as its work: the reasoner ran and had taken what it was told to keep.
  bool has_started() const { return started_; }

  /// Tells it some lines, and waits until it has dealt with them. Within attempt() or persist().
  void say(const std::vector<std::string>& lines, TranscriptEntry::Kind as = TranscriptEntry::Kind::heard);
  /// Lets so many cycles pass, or what a system that runs freely gets in their place. Within attempt() or persist().
  void run(std::uint64_t cycles);
  /// Asks a question that every reasoner answers, if this system can stop reasoning without ending. Neither the
  /// question nor what the system says of it is part of the transcript. Within attempt() or persist().
  /// Errors  ReasonerError if no answer comes within five seconds, patience or the deadline
  void check_that_it_reasons();
  /// For the next reasoner. Of more than there is room for, and of what memory has forgotten, nothing is kept.
  /// `statement`  what it says, by AttachedMemory::Origin::number; or none, 0
  void remember(const std::string& text, std::uint64_t statement = 0);
  /// What the next reasoner is told, in order.
  std::vector<std::string> remembered() const;
  /// Ends it. The next attempt starts another one.
  void end() { child_.reset(); }
  /// Starts the process for the next question in advance, so that its start-up time overlaps with this question. Does
  /// nothing if that process exists already or the system is embedded. If the start fails, the next attempt reports it.
  void prepare_next();
  /// Ends both.
  void end_all() {
    end();
    next_.reset();
  }
  /// From now on what it is told must be done by then; nothing: whenever patience allows.
  void set_deadline(std::optional<std::chrono::steady_clock::time_point> deadline) { deadline_ = deadline; }

  /// For a reasoner that knows nothing: limits that hold for all that it reads begin anew, and so do names.
  void translate_anew();
  /// The sentence as the system reads it; or why it does not.
  narsese::Result<std::string, narsese::Refusal> written(const narsese::Sentence& sentence);
  /// A command of its own, as it reads it; nothing where it is none for it.
  std::optional<std::string> command(const narsese::NalLine& line);
  /// With names that it holds.
  narsese::Term renamed(narsese::Term term);

 private:
  struct Line {
    std::uint64_t statement = 0;
    std::string text;
  };
  std::shared_ptr<void> use() const { return observers_.use ? observers_.use() : nullptr; }
  void start();
  void hear(std::string_view line, bool whole, TranscriptEntry::Kind as);
  void tell_names();

  LiveReasonerOptions options_;
  AttachedMemory& memory_;
  ReasonerObservers observers_;
  std::unique_ptr<ReasonerProcess> child_;
  std::unique_ptr<ReasonerProcess> next_;  // started in advance, without any input
  unsigned failures_ = 0;                  // in a row
  bool started_ = false;                   // in the last attempt
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::optional<narsese::Translator> translator_;
  std::optional<ShortNames> names_;  // likewise
  std::size_t told_names_ = 0;       // of these, how many the transcript has
  std::deque<Line> history_;
  std::size_t history_bytes_ = 0;
  std::uint64_t forgotten_ = 0;  // statements, when history_ was last without them
};

}  // namespace engram::bridge
