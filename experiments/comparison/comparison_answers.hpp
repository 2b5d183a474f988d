// SPDX-License-Identifier: MIT
// What the reasoner answers from what each method selects: in words, as a table, and for a terminal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments::comparison {

/// Rows of one cue, one a method, and the line of the first one in results.jsonl.
struct CueRows {
  std::span<const Json> rows;
  std::size_t first_line = 1;

  const Json& first() const { return rows.front(); }
  /// "coffee.nal:31"
  std::string place() const;
  /// Whether a reasoner was asked: not of a statement with a part held out.
  bool is_answered() const { return first().contains("answers"); }
  /// Whether the file says what the answer is.
  bool has_expectation() const { return first().contains("as_expected"); }
  /// Whether the file names needed statements.
  bool has_needed() const { return first().contains("needed"); }
};
std::vector<CueRows> by_cue(const std::vector<Json>& rows);

/// The text that is shown if there is no answer.
inline const std::string no_answer = "no answer";

/// An answer, and the methods from whose statements the reasoner draws it.
struct AnswerGroup {
  std::string answer;  // "<a --> b>. %1;0.81%", or no_answer
  std::optional<bool> as_expected;
  std::vector<std::string> methods;
};
/// Best answers to a question, the one of most methods first; that there is none comes last.
std::vector<AnswerGroup> answers_to(const CueRows& cue);

/// "all 16 methods", "all methods but uniform", or the names.
std::string names_of_methods(const std::vector<std::string>& some, std::size_t all);
/// The first three of the names: "a, b, c and 4 others".
std::string first_names(const std::vector<std::string>& names);

/// "%1;0.729%", to four decimals.  `truth`: frequency and confidence
std::string truth_text(const Json& truth);
/// "answer: expected" in words: "expected: <a --> b>."; nothing if the file says nothing.
std::string expectation_text(const CueRows& cue);

/// A row for each answer to each question.
Table answers_table(const std::vector<CueRows>& cues);
/// The same for a terminal, of the first questions.
std::string answers_text(const std::vector<CueRows>& cues);
/// How many questions are answered with which methods; empty if no reasoner was asked.
std::string answers_sentence(const std::vector<CueRows>& cues, std::size_t capacity);

/// Advice on how to add expectations to a file, with one of its own sentences as the example. Empty if it
/// has expectations.
std::string advice_on_expectations(const std::vector<CueRows>& cues);

}  // namespace engram::experiments::comparison
