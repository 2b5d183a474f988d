// SPDX-License-Identifier: MIT
// Session of a live NARS with a Narsese file: selects and sends the input, learns from the output, and compares answers
// with the answers that the file expects.
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

/// Options of a session: the NARS, its input, and time limits. bridge/ATTACH.md describes their effect.
struct AttachOptions : LiveReasonerOptions {
  /// Gate: sends each question to a new reasoner, which receives only this many statements, the best for the question
  /// by `method`. Without a gate, one reasoner receives everything.
  std::optional<std::size_t> gate = {};
  /// Gate: omits statements with less than this share of the largest budget. The default is core::default_doubt for
  /// methods that promise exactness (core/methods/recall.hpp), otherwise 0.
  std::optional<double> share = {};
  /// The method that ranks the statements for a question. If a model learns during the session, its current options
  /// (weights) replace the options given here. The method may be empty if the session ranks no statements.
  std::optional<core::ConfiguredMethod> method = {};
  /// Steers the attention of the reasoner by the ranking. The system must support the mode.
  ///   order     sends the best statement last. Without a gate, eternal judgments wait for the next question
  ///   budgets   as order, but sends the best statement first, and each statement with its budget
  ///   repeat    sends the `steered` best statements again before each question. Excludes a gate
  ///   ask       asks the `steered` best statements before each question. Excludes a gate
  ///   reimport  also selects statements that the reasoner has inferred. Needs a gate
  std::optional<Steering> steering = {};
  std::size_t steered = 12;  // number of statements for repeat and ask
  bool fresh = false;        // no gate: each question goes to a new reasoner that receives everything
  bool resets = false;  // gate: resets the reasoner between questions, if it can, instead of a new process
  std::uint64_t cycles_before = 50;  // cycles to run before a question
  std::uint64_t cycles_after = 20;   // cycles to run before an unanswered question is asked again
  /// Time limit for one question. Then the question counts as unanswered, and a new reasoner replaces this one.
  std::optional<std::chrono::milliseconds> question_limit = {};
};

/// The error message for inconsistent options, or an empty text.
std::string options_error(const AttachOptions& options);

/// Result of the comparison of an answer with the answer that the file expects.
enum class AnswerOutcome : std::uint8_t {
  truth,  // the expected term and truth value (within truth_tolerance); or no answer, as expected
  term,  // the expected term with another truth value on the same side of frequency 1/2, or the file gives none
  wrong,  // another term, the opposite truth value, a missing answer, or an unexpected one
};
inline constexpr std::array<core::NamedValue<AnswerOutcome>, 3> answer_outcomes{
    {{AnswerOutcome::truth, "truth"}, {AnswerOutcome::term, "term"}, {AnswerOutcome::wrong, "wrong"}}};
/// Largest difference between a frequency or confidence and the expected one.
inline constexpr double truth_tolerance = 0.01;  // chosen

/// Term and truth value of an answer, as text that does not need a table of terms.
struct AnswerText {
  std::string term;
  std::optional<narsese::TruthValue> truth = {};
};

/// Compares an answer with the expected answer. An empty optional means no answer.
/// `put`  whether the reasoner processed the question to its end; otherwise a missing answer is wrong
AnswerOutcome outcome_of(const std::optional<AnswerText>& expected, const std::optional<AnswerText>& answer,
                         bool put);

/// The answer of a line `//expected: Answer: ..`. The outer optional is empty if the line is not about an answer. The
/// inner optional is empty if the line expects no answer.
std::optional<std::optional<AnswerText>> expected_answer(const narsese::Expectation& expectation);

/// A question of the file and its result.
struct AskedQuestion {
  std::string narsese;
  std::vector<std::string> given = {};   // gate, repeat, ask: the selected statements under the user's names
  std::optional<NarsEvent> answer = {};  // the last answer
  std::optional<AnswerOutcome> outcome = {};  // present if the file expects an answer or none
  bool expects_truth = false;                 // the expected answer has a truth value
  std::uint64_t cycles = 0;                   // cycles requested in the last attempt
  std::chrono::duration<double> took{};  // wall time, including resets, restarts and input for this question
  bool timed_out = false;
  std::string refusal = {};  // the reason why the system cannot parse the question; it was not asked
  std::string failure = {};  // the error of the last attempt, if all failed
};

/// Result of a session.
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

  /// Starts no reasoner before the first line needs one. ReasonerObservers describes the observers.
  /// Errors  std::invalid_argument with the text of options_error()
  Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries, EventObserver events);

  /// Processes the next line of the file: stores it in the memory and sends it to the reasoner if needed.
  /// Errors  ReasonerError if the reasoner cannot be started, does not accept a statement, hangs, or failed at
  ///         most_failed_questions in a row; core::WorkStopped soon after the surrounding work is cancelled. The memory
  ///         has the line in any case
  void line(std::size_t number, const std::string& text);
  /// Sends the statements that still wait for a question, and ends the reasoner. Call this after the last line.
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
  void send(const ReasonerLine& line);
  void prime(const std::vector<narsese::Sentence>& best, AskedQuestion& asked);
  std::optional<std::string> translated(std::size_t number, const narsese::Sentence& sentence);
  std::string under_own_names(const narsese::Sentence& sentence, const std::string& written);

  AttachOptions options_;
  AttachedMemory& memory_;
  EventObserver events_;
  AttachSummary summary_;
  LiveReasoner reasoner_;                // remembers the input for a new reasoner; with a gate, only commands
  std::vector<std::string> gate_lines_;  // gate: lines to send for the current question, with stamps
  struct Waiting {
    ReasonerLine line;           // sent in this form if the memory forgets the statement
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
