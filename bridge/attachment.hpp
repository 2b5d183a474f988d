// SPDX-License-Identifier: MIT
// Engram at the side of a live NARS: feeds it, listens to it, learns from it, chooses what it shall think of,
// and brings it back when it fails.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/attached_memory.hpp"
#include "bridge/child_process.hpp"
#include "narsese/translator.hpp"

namespace engram::bridge {

struct AttachOptions {
  std::vector<std::string> command;  // the NARS: a program and its arguments
  const NarsSystem* system = nullptr;
  /// Gate: for each question a reasoner that knows nothing is given this many statements, those that `method`
  /// finds best for it. Without it one reasoner is given everything.
  std::optional<std::size_t> gate = {};
  const core::Method* method = nullptr;
  core::Options method_options = {};
  bool restart_for_each_question = false;      // gate: a new process in place of the system's reset
  std::uint64_t cycles_before = 50;            // of reasoning before a question
  std::uint64_t cycles_after = 20;             // and after one that found no answer; then it is asked again
  std::chrono::milliseconds settling{1000};    // what a system that runs freely gets in place of cycles
  std::chrono::milliseconds patience{60'000};  // until it has done one thing it was told
  /// A reasoner that ends, hangs or floods is started again and told again all that it was told; the n-th
  /// time in a row after 2^(n-1) back_off. What still fails after max_restarts ends the attachment.
  unsigned max_restarts = 3;
  std::chrono::milliseconds back_off{100};
  ChildLimits limits = {};
};

/// A question of the file and what came of it.
struct AskedQuestion {
  std::string narsese;
  std::vector<std::string> given = {};   // gate: the statements, as sent
  std::optional<NarsEvent> answer = {};  // the last one
  std::optional<bool> as_expected = {};  // where the file says what to expect
};

struct AttachSummary {
  std::vector<AskedQuestion> questions;
  std::vector<RejectedLine> rejected;  // that the memory, or the system's dialect, does not take
  std::size_t restarts = 0;
};

class Attachment {
 public:
  using EntryObserver = std::function<void(const TranscriptEntry&)>;
  using EventObserver = std::function<void(const NarsEvent&)>;

  /// `entries` sees everything before it takes effect (the transcript), `events` what the reasoner says, but
  /// what it repeats after a restart. The reasoner is started when it is first needed.
  Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries, EventObserver events);

  /// The next line of the user's file: into memory, and on to the reasoner.
  /// Errors  ReasonerError where the reasoner cannot be brought to take it; memory has it all the same
  void line(std::size_t number, const std::string& text);
  /// Ends the reasoner.
  void finish();

  const AttachSummary& summary() const { return summary_; }

 private:
  void start();
  void say(const std::vector<std::string>& lines, TranscriptEntry::Kind as);
  void listen(std::chrono::milliseconds time);
  void run(std::uint64_t cycles);
  void hear(std::string_view line, bool whole, TranscriptEntry::Kind as);
  template <class Work>
  void persist(const std::string& what, const Work& work);
  AttachedMemory::Effect note(TranscriptEntry::Kind kind, const std::string& text);

  void take_sentence(std::size_t number, const narsese::NalLine& line);
  void ask(std::size_t number, const narsese::NalLine& line);
  void put(const std::string& question);
  void expect(const narsese::Expectation& expectation);
  std::vector<narsese::Sentence> chosen(const narsese::Sentence& question);
  void new_translator();
  std::optional<std::string> translated(std::size_t number, const narsese::Sentence& sentence);

  AttachOptions options_;
  AttachedMemory& memory_;
  EntryObserver entries_;
  EventObserver events_;
  AttachSummary summary_;
  std::optional<narsese::Translator> translator_;
  std::unique_ptr<ChildProcess> child_;
  std::vector<std::string> history_;  // what one reasoner has taken in; gate: commands alone
  std::optional<NarsEvent> answer_;   // to the question at hand
  std::uint64_t markers_ = 0;
};

}  // namespace engram::bridge
