// SPDX-License-Identifier: MIT
// Experiment `comparison`. For every question of a Narsese file: which statements does each method select, what does
// Engram's reasoner answer from these statements, and how far do the methods agree? In a file without questions, the
// cues are statements with one concept held out.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::comparison {

/// Options of a spec of this experiment.
struct ComparisonOptions {
  std::size_t top = 10;       // entries of each ranking in the results
  std::size_t cues = 50;      // held-out cues for each file
  std::size_t capacity = 12;  // statements that the reasoner gets
};

/// A measure of a row: a column of the table of methods.
struct CueMeasure {
  const char *name, *pointer, *summary;  // column, JSON Pointer in the row, member of summary.json
  bool higher = true;                    // whether a higher value is better
  int decimals = 3;
};
inline constexpr std::array<CueMeasure, 8> cue_measures{
    {{"answered", "/answered", "answered"},
     {"as expected", "/as_expected", "as_expected"},
     {"answer", "/answer_reciprocal_rank", "answer_reciprocal_rank"},
     {"above others", "/needed/above_others", "needed_above_others"},
     {"mean rank", "/needed/mean_rank", "needed_mean_rank", false, 1},
     {"kept", "/needed/within_capacity", "needed_within_capacity"},
     {"whole", "/needed/whole", "whole_proof"},
     {"all first", "/needed/all_first", "needed_all_first"}}};

/// Extracts the measures of a row for `engram compare`.
std::vector<Observation> observed_measures(const Json& row);

/// Draws the conclusion from the rows: tables, plots and pages.
Conclusion conclude_comparison(const Spec& spec, const ComparisonOptions& options,
                               const std::vector<Json>& rows);

/// Adds a page for every cue, up to 2000, with its raw rows of results.jsonl. Also adds a section at the beginning of
/// the report, with the answers and selected statements of the first 40 cues.
void add_cue_pages(const Spec& spec, const std::vector<Json>& rows, Conclusion& conclusion);

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
/// Groups the rows of a run by cue, in their order.
std::vector<CueRows> by_cue(const std::vector<Json>& rows);

/// Text in place of a missing answer.
inline const std::string no_answer = "no answer";

/// An answer, and the methods that lead to it.
struct AnswerGroup {
  std::string answer;  // "<a --> b>. %1;0.81%", or no_answer
  std::optional<bool> as_expected;
  std::vector<std::string> methods;
};
/// Groups the methods by the best answer that they lead to. The answer of most methods comes first, "no answer" last.
std::vector<AnswerGroup> answers_to(const CueRows& cue);

/// Names of some methods, or "all 16 methods". `all` is the number of methods in the run.
std::string names_of_methods(const std::vector<std::string>& some, std::size_t all);

/// Truth value such as "%1;0.729%", to four decimals.  `truth`: frequency and confidence
std::string truth_text(const Json& truth);

/// Table "answers", with a row for each answer to each question.
Table answers_table(const std::vector<CueRows>& cues);
/// Answers to the first 12 questions, as text for a terminal.
std::string answers_text(const std::vector<CueRows>& cues);
/// Sentence on the methods with most and with fewest answered questions. Empty if the reasoner was not asked.
std::string answers_sentence(const std::vector<CueRows>& cues, std::size_t capacity);

/// Advice on adding expectations to a file, with a question and an answer of the file as an example. Empty if the file
/// has both expected answers and needed statements, or if the reasoner was not asked.
std::string advice_on_expectations(const std::vector<CueRows>& cues);

}  // namespace engram::experiments::comparison
