// SPDX-License-Identifier: MIT
// Engram at the side of a live NARS: feeds it, listens to it, learns from it, chooses what it shall think of,
// and brings it back when it fails.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/attach/live_reasoner.hpp"
#include "core/numbers/names.hpp"

namespace engram::bridge {

/// Which NARS is attached, what it is told and when, and how long it may take.
struct AttachOptions : LiveReasonerOptions {
  /// Gate: for each question a reasoner that knows nothing is given this many statements, those that `method`
  /// finds best for it. Without it one reasoner is given everything.
  std::optional<std::size_t> gate = {};
  /// Gate: of these, those whose budget is below this share of the largest are not given. Where it is not said, of a
  /// method that promises (core/retrieval/retriever.hpp) core::default_doubt, of others 0.
  std::optional<double> share = {};
  const core::Method* method = nullptr;
  core::Options method_options = {};  // where the memory has a model that learns: those of that
  /// One of those that the system allows; see why_not. What it concerns are the best for the question:
  ///   order     gate: the best is told last. Else eternal judgements wait for the next question and are then
  ///             told, all of them, the best last
  ///   repeat, ask  before a question, of the `steered` best statements; not with a gate
  ///   reimport  with a gate, which then also chooses among what was inferred
  ///   budgets   with a gate: they are given in any case. Else as order, the best first, each with its budget
  std::optional<Steering> steering = {};
  std::size_t steered = 12;  // chosen as a gate of that size was measured to do
  bool fresh = false;        // no gate: each question to a new reasoner, told everything
  /// Gate: the system's reset between questions, where it has one, in place of a new process. Faster, but after ONA's
  /// reset the confidence of an answer may differ from that of a new process.
  bool resets = false;
  std::uint64_t cycles_before = 50;  // of reasoning before a question
  std::uint64_t cycles_after = 20;   // and after one that found no answer; then it is asked again
  /// What a question may take in all; then it has no answer, and a new reasoner takes on.
  std::optional<std::chrono::milliseconds> question_limit = {};
};

/// Why these options do not go together; empty if they do.
std::string why_not(const AttachOptions& options);

/// How an answer compares with what the file expects.
enum class AnswerOutcome : std::uint8_t {
  truth,  // the expected term, frequency and confidence (within truth_tolerance); or no answer, as expected
  term,  // the expected term, but another truth value on the same side of frequency 1/2, or the file expects none
  wrong,  // another term, the opposite of what is expected, no answer, or one that was not expected
};
inline constexpr std::array<core::NamedValue<AnswerOutcome>, 3> answer_outcomes{
    {{AnswerOutcome::truth, "truth"}, {AnswerOutcome::term, "term"}, {AnswerOutcome::wrong, "wrong"}}};
/// Most by which a frequency or confidence may differ from the expected one.
inline constexpr double truth_tolerance = 0.01;  // chosen

/// An answer as text, which outlives tables of terms: a term and its truth value.
struct AnswerText {
  std::string term;
  std::optional<narsese::TruthValue> truth = {};
};

/// Compares the answer to a question with what a file expects: an answer, or none.
/// `put`  whether the question was asked to its end
AnswerOutcome outcome_of(const std::optional<AnswerText>& expected, const std::optional<AnswerText>& answer,
                         bool put);

/// What a line `//expected: Answer: ..` expects. The outer optional is empty if the line says nothing of an answer.
std::optional<std::optional<AnswerText>> expected_answer(const narsese::Expectation& expectation);

/// A question of the file and what came of it.
struct AskedQuestion {
  std::string narsese;
  /// Gate, repeat, ask: the statements, as sent, but under the user's names.
  std::vector<std::string> given = {};
  std::optional<NarsEvent> answer = {};       // the last one
  std::optional<AnswerOutcome> outcome = {};  // where the file says what to expect
  bool expects_truth = false;                 // where it says which truth value, too
  std::uint64_t cycles = 0;                   // asked for; of the last try
  std::chrono::duration<double> took{};  // wall time: resets, restarts and what it was told for it included
  bool timed_out = false;
  std::string refusal = {};  // why it was not asked: the system does not read it, or would stop at it
  std::string failure = {};  // how the reasoner failed at it, max_restarts times and once more
};

/// What came of a session: questions with their answers, and what went wrong.
struct AttachSummary {
  std::shared_ptr<narsese::TermTable> terms = std::make_shared<narsese::TermTable>();  // of the answers
  std::vector<AskedQuestion> questions;
  std::vector<core::RejectedLine> rejected;  // that the memory, or the system's dialect, does not take
  std::size_t restarts = 0;
};

/// A session with a live NARS: feeds it, hears it, starts it again, learns.
class Attachment {
 public:
  using EntryObserver = std::function<void(const TranscriptEntry&)>;
  using EventObserver = std::function<void(const NarsEvent&)>;

  /// `entries` sees everything before it takes effect (the transcript), `events` what the reasoner says, but
  /// what it repeats after a restart. The reasoner is started when it is first needed.
  Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries, EventObserver events);

  /// The next line of the user's file: into memory, and on to the reasoner.
  /// Errors  ReasonerError if the reasoner cannot be started, cannot be brought to take a statement, hangs past all
  ///         patience, or failed at most_failed_questions in a row; memory has the line all the same.
  ///         core::WorkStopped soon after the work that this is part of is to end; of the transcript and the
  ///         memory, each has what the other has
  void line(std::size_t number, const std::string& text);
  /// Tells what is still waiting for a question, and ends the reasoner.
  /// Errors  as line()
  void finish();

  const AttachSummary& summary() const { return summary_; }

  /// Questions in a row at which the reasoner may fail before the session ends.
  static constexpr std::size_t most_failed_questions = 8;  // chosen

 private:
  void take(std::size_t number, const AttachedMemory::Effect& effect);
  void run(std::uint64_t cycles);
  void hear(const NarsEvent& event);

  void take_sentence(std::size_t number, const AttachedMemory::Effect& effect);
  void ask(std::size_t number, const narsese::NalLine& line);
  bool is_late(const narsese::Term& answer);
  void put(const std::string& question);
  void put_to_reasoner(const narsese::Sentence& sentence, const std::string& question, AskedQuestion& asked);
  void expect(const narsese::Expectation& expectation);
  struct Ranking {
    std::vector<core::Allocation> best;
    bool promises = false;
  };
  Ranking ranked(const narsese::Sentence& question);
  Ranking chosen(const narsese::Sentence& question, std::size_t count);
  void give(const narsese::Sentence& question, AskedQuestion& asked);
  void tell_forgotten();
  void release(const narsese::Sentence* question);
  void tell(const std::string& text, std::uint64_t statement = 0);
  void wake(const std::vector<narsese::Sentence>& best, AskedQuestion& asked);
  std::optional<std::string> translated(std::size_t number, const narsese::Sentence& sentence);
  std::string under_own_names(const narsese::Sentence& sentence, const std::string& written);

  AttachOptions options_;
  AttachedMemory& memory_;
  EventObserver events_;
  AttachSummary summary_;
  LiveReasoner reasoner_;           // what one reasoner has taken in, it remembers; gate: commands alone
  std::vector<std::string> given_;  // gate: what the question at hand is asked of, with stamps
  // A line for the reasoner that says a statement of the memory, by AttachedMemory::Origin::number; or none, 0.
  struct Line {
    std::uint64_t statement = 0;
    std::string text;
  };
  struct Waiting {
    Line line;                   // as it is told where memory forgets it
    narsese::Sentence sentence;  // without its term
  };
  std::vector<Waiting> waiting_;      // for a question
  std::vector<std::string> asked_;    // terms of the last questions, that at hand the last of them
  std::optional<NarsEvent> answer_;   // to the question at hand
  std::uint64_t cycles_ = 0;          // likewise
  bool inferred_ = false;             // whether anything but input was heard since it was put
  std::size_t failed_questions_ = 0;  // in a row, the last ones
};

}  // namespace engram::bridge
