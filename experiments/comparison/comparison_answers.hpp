// SPDX-License-Identifier: MIT
// Answers of the reasoner from the statements that each method selects: as sentences, as a table, and for a terminal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments::comparison {

/// Rows of one cue, one for each method, and the line of the first one in results.jsonl.
struct CueRows {
  std::span<const Json> rows;
  std::size_t first_line = 1;

  const Json& first() const { return rows.front(); }
  /// Location of the question: "coffee.nal:31".
  std::string place() const;
  /// Whether the reasoner was asked. It is not asked about statements with a part held out.
  bool is_answered() const { return first().contains("answers"); }
  /// Whether the file gives the expected answer.
  bool has_expectation() const { return first().contains("as_expected"); }
  /// Whether the file names needed statements.
  bool has_needed() const { return first().contains("needed"); }
};
std::vector<CueRows> by_cue(const std::vector<Json>& rows);

/// Text shown if there is no answer.
inline const std::string no_answer = "no answer";

/// An answer, and the methods whose statements lead to it.
struct AnswerGroup {
  std::string answer;  // "<a --> b>. %1;0.81%", or no_answer
  std::optional<bool> as_expected;
  std::vector<std::string> methods;
};
/// Best answers to a question, by falling number of methods; "no answer" comes last.
std::vector<AnswerGroup> answers_to(const CueRows& cue);

/// Text such as "all 16 methods", or the names of the methods.
std::string names_of_methods(const std::vector<std::string>& some, std::size_t all);
/// The first three names: "a, b, c and 4 others".
std::string first_names(const std::vector<std::string>& names);

/// Truth value such as "%1;0.729%", to four decimals.  `truth`: frequency and confidence
std::string truth_text(const Json& truth);
/// The expected answers as text: "expected: <a --> b>."; empty if the file has none.
std::string expectation_text(const CueRows& cue);

/// Table with a row for each answer to each question.
Table answers_table(const std::vector<CueRows>& cues);
/// Text for a terminal, with the first questions.
std::string answers_text(const std::vector<CueRows>& cues);
/// Sentence on the number of questions answered with each method; empty if the reasoner was not asked.
std::string answers_sentence(const std::vector<CueRows>& cues, std::size_t capacity);

/// Advice on adding expectations to a file, with a question and an answer of the file as an example. Empty if the file
/// has expectations.
std::string advice_on_expectations(const std::vector<CueRows>& cues);

}  // namespace engram::experiments::comparison
