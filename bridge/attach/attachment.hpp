// SPDX-License-Identifier: MIT
// Controls a live NARS for the user: sends it input, learns from its output, selects what it processes, and restarts it
// after failures.
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

/// Options of a session: the NARS, the input it receives and when, and time limits.
struct AttachOptions : LiveReasonerOptions {
  /// Gate: each question goes to a fresh reasoner, which receives only this many statements, the best for the question
  /// by `method`. Without a gate, one reasoner receives everything.
  std::optional<std::size_t> gate = {};
  /// Gate: statements with less than this share of the largest budget are omitted. The default is core::default_doubt
  /// for methods that promise exactness (core/methods/recall.hpp), otherwise 0.
  std::optional<double> share = {};
  /// Ranks the statements for a question. If the memory has a model that learns, the options of the model replace
  /// these.
  std::optional<core::ConfiguredMethod> method = {};
  /// Effect of the ranking on the reasoner. The system must support it; see options_error.
  ///   - `order`: with a gate, the best statement is sent last. Without a gate, eternal judgments wait for the next
  ///     question. Then all are sent, the best last.
  ///   - `repeat`, `ask`: before a question, the `steered` best statements are repeated or asked. Not with a gate.
  ///   - `reimport`: with a gate only. The gate also selects among inferred statements.
  ///   - `budgets`: as `order`, but the best statement is first, and each has its budget. With a gate, statements
  ///     always have their budgets.
  std::optional<Steering> steering = {};
  std::size_t steered = 12;  // statements for repeat and ask, selected like a gate of this size
  bool fresh = false;        // no gate: each question goes to a new reasoner that receives everything
  /// Gate: use the system's reset command between questions, if it has one, instead of a new process. This is faster,
  /// but after ONA's reset the confidence of an answer may differ from the confidence in a new process.
  bool resets = false;
  std::uint64_t cycles_before = 50;  // cycles to run before a question
  std::uint64_t cycles_after = 20;   // cycles to run before an unanswered question is asked again
  /// Time limit for one question. After it, the question counts as unanswered, and a new reasoner replaces this one.
  std::optional<std::chrono::milliseconds> question_limit = {};
};

/// The reason why these options are inconsistent, or an empty text.
std::string options_error(const AttachOptions& options);

/// Comparison of an answer with the answer that the file expects.
enum class AnswerOutcome : std::uint8_t {
  truth,  // the expected term, frequency and confidence (within truth_tolerance); or no answer, as expected
  term,  // the expected term, but another truth value on the same side of frequency 1/2, or the file expects none
  wrong,  // another term, the opposite truth value, a missing answer, or an unexpected one
};
inline constexpr std::array<core::NamedValue<AnswerOutcome>, 3> answer_outcomes{
    {{AnswerOutcome::truth, "truth"}, {AnswerOutcome::term, "term"}, {AnswerOutcome::wrong, "wrong"}}};
/// Largest difference between a frequency or confidence and the expected one.
inline constexpr double truth_tolerance = 0.01;  // chosen

/// An answer as text, which outlives tables of terms: a term and its truth value.
struct AnswerText {
  std::string term;
  std::optional<narsese::TruthValue> truth = {};
};

/// Compares an answer with the expected answer. An empty optional means no answer.
/// `put`  whether the question was processed to its end
AnswerOutcome outcome_of(const std::optional<AnswerText>& expected, const std::optional<AnswerText>& answer,
                         bool put);

/// Parses a line `//expected: Answer: ..`. The outer optional is empty if the line is not about an answer; the inner
/// one is empty if no answer is expected.
std::optional<std::optional<AnswerText>> expected_answer(const narsese::Expectation& expectation);

/// One question of the file and its result.
struct AskedQuestion {
  std::string narsese;
  /// Gate, repeat, ask: the selected statements as sent, but under the user's names.
  std::vector<std::string> given = {};
  std::optional<NarsEvent> answer = {};       // the last answer
  std::optional<AnswerOutcome> outcome = {};  // present if the file has an expectation
  bool expects_truth = false;                 // the expectation has a truth value
  std::uint64_t cycles = 0;                   // cycles requested in the last attempt
  std::chrono::duration<double> took{};  // wall time, including resets, restarts and input for this question
  bool timed_out = false;
  std::string refusal = {};  // why it was not asked: the system cannot parse it, or would hang
  std::string failure = {};  // the error after the last of max_restarts + 1 attempts
};

/// Result of a session: questions with answers, rejected lines, and the number of restarts.
struct AttachSummary {
  std::shared_ptr<narsese::TermTable> terms = std::make_shared<narsese::TermTable>();  // terms of the answers
  std::vector<AskedQuestion> questions;
  std::vector<core::RejectedLine> rejected;  // lines that the memory or the system's dialect rejected
  std::size_t restarts = 0;
};

/// A session with a live NARS. Call line() for each line of the user's file, then finish().
class Attachment {
 public:
  using EntryObserver = std::function<void(const TranscriptEntry&)>;
  using EventObserver = std::function<void(const NarsEvent&)>;

  /// The observer `entries` receives every transcript entry before it takes effect. `events` receives the output of the
  /// reasoner, except repetitions after a restart. The reasoner starts when it is first needed.
  Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries, EventObserver events);

  /// Processes the next line of the user's file: stores it in the memory and sends it to the reasoner if needed.
  /// Errors  ReasonerError if the reasoner cannot be started, does not accept a statement, hangs beyond `patience`, or
  ///         failed at most_failed_questions in a row. The memory has the line in any case.
  ///         core::WorkStopped soon after the surrounding work is cancelled. Transcript and memory stay consistent.
  void line(std::size_t number, const std::string& text);
  /// Sends the statements that still wait for a question, and ends the reasoner.
  void finish();

  const AttachSummary& summary() const { return summary_; }

  /// Consecutive questions that may fail before the session ends.
  static constexpr std::size_t most_failed_questions = 8;  // chosen

 private:
  void run(std::uint64_t cycles);
  void handle_event(const NarsEvent& event);

  void take_sentence(std::size_t number, const AttachedMemory::Effect& effect);
  void ask(std::size_t number, const narsese::NalLine& line);
  bool is_late(const narsese::Term& answer);
  void put_question(const std::string& question);
  void ask_reasoner(const narsese::Sentence& sentence, const std::string& question, AskedQuestion& asked);
  void expect(const narsese::Expectation& expectation);
  struct Ranking {
    std::vector<core::Allocation> best;
    bool promises = false;
  };
  Ranking ranked(const narsese::Sentence& question);
  Ranking chosen(const narsese::Sentence& question, std::size_t count);
  void select_for_gate(const narsese::Sentence& question, AskedQuestion& asked);
  void send_forgotten();
  void send_waiting(const narsese::Sentence* question);
  void send(const std::string& text, std::uint64_t statement = 0);
  void prime(const std::vector<narsese::Sentence>& best, AskedQuestion& asked);
  std::optional<std::string> translated(std::size_t number, const narsese::Sentence& sentence);
  std::string under_own_names(const narsese::Sentence& sentence, const std::string& written);

  AttachOptions options_;
  AttachedMemory& memory_;
  EventObserver events_;
  AttachSummary summary_;
  LiveReasoner reasoner_;  // remembers what a new reasoner must receive; with a gate, only commands
  std::vector<std::string> gate_lines_;  // gate: lines to send for the current question, with stamps
  // A line for the reasoner. `statement` is the AttachedMemory::Origin::number of the statement it expresses, or 0.
  struct Line {
    std::uint64_t statement = 0;
    std::string text;
  };
  struct Waiting {
    Line line;                   // sent in this form if the memory forgets the statement
    narsese::Sentence sentence;  // without its term
  };
  std::vector<Waiting> waiting_;      // statements that wait for a question
  std::vector<std::string> asked_;    // terms of the latest questions, the current one last
  std::optional<NarsEvent> answer_;   // answer to the current question
  std::uint64_t cycles_ = 0;          // cycles run for the current question
  bool inferred_ = false;             // the reasoner printed more than input since the question
  std::size_t failed_questions_ = 0;  // consecutive failed questions
};

}  // namespace engram::bridge
