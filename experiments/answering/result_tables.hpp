// SPDX-License-Identifier: MIT
// Result rows grouped by set, and the tables and plots made from them.
#pragma once

#include <string>
#include <vector>

#include "experiments/answering/answering.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments::answering {

/// Rows of a file or of a set with seeds, in the order of the seeds.
struct RowSet {
  std::string label, title;  // title: for a file, its name without folders if that is unique
  std::string file;          // unique form of the title for file names
  bool seeded = false, ablation = false;
  std::vector<Gate> gates;
  std::vector<const Json*> rows;
  /// Names of the measure `of` at each gate: "whole 18", "whole 3x" for "whole".
  std::vector<std::string> measures(const std::string& of) const;
};

/// Groups the rows by set, in order of appearance.
std::vector<RowSet> row_sets(const AnsweringOptions& options, const std::vector<Json>& rows);

/// Values of a measure, one for each unit of resampling, in the same order for every method. The unit is a seed (mean
/// over its questions, because sets of different seeds are independent), or a question of a file. Empty if the method
/// was not run or nothing was measured. Rows without a part count as `test`.
std::vector<double> row_values(const RowSet& set, const std::string& method, const std::string& measure,
                               const std::string& part = test);

/// Cell with the mean of `values` and its bootstrap interval.
inline Cell mean_cell(const std::vector<double>& values, int decimals = 2) {
  return interval_cell(bootstrap_mean(values), decimals);
}
/// Estimates of measures by method, for the summary of a run. Skips measures without values.
Json estimates_json(const RowSet& set, const std::vector<std::string>& methods,
                    const std::vector<std::string>& measures);
/// The label with the highest mean over all measures of `leads`.
struct BestLabel {
  std::size_t index = 0;
  double average = 0;        // mean over the measures with values; 0 without values
  std::string equal = {};    // other labels with the same mean: "a, b"
  std::size_t clear = 0;     // measures on which the lead over every other label is clear
  std::size_t measures = 0;  // measures with values
  std::size_t worst = 0;     // measure with the lowest mean
  double least = 0;          // mean of that measure

  explicit BestLabel(const Leads& leads);
};
/// Adds the table of `leads` to the conclusion, with the name NAME_leads.
void add_leads(const Leads& leads, const std::string& name, Conclusion& conclusion);
/// Marks the clear winner of each measure of the leads. Measure i is in column 1 + i * `width`.
void mark_all_winners(Table& table, const Leads& leads, std::size_t width = 1);

/// Reference method. It searches for proofs as a reasoner would, so tables show it without comparing it with the
/// others.
inline const std::string reference_method = "backward_chaining";

/// Sentence for captions that explains the intervals of a table; begins with a space.
inline const std::string interval_policy =
    " 95 % bootstrap intervals over the seeds of a set or the questions of a file (BCa, Efron 1987; plain "
    "percentiles for fewer than 10 values).";
inline const std::string intervals = interval_policy + " Baselines: overlap, frequency and uniform.";

/// Labels of the compared methods, and of the methods shown for reference.
struct Labels {
  std::vector<std::string> compared, others;

  explicit Labels(const Spec& spec);
  std::vector<std::string> methods() const;
  std::vector<std::string> all() const;  // methods and reference rows
};

/// Values of the measure `of` for each set, at the first gate of the set.
std::vector<Measure> first_gates(const std::vector<RowSet>& sets, const std::string& of,
                                 const std::vector<std::string>& labels);
inline Leads first_leads(const std::vector<RowSet>& sets, const std::string& of, const Labels& labels) {
  return find_leads(labels.compared, first_gates(sets, of, labels.compared));
}

/// Table of the measure `of` over all sets, named after the measure. The caption is `what` and the notes that all such
/// tables share.
Table overview(const std::string& of, const std::string& what, const std::vector<RowSet>& sets,
               const Labels& labels, const Leads& leads);

/// Labels of the best method of each family: the highest mean over all sets at their first gate.
std::vector<std::string> leaders(const Spec& spec, const Leads& leads);

/// Table of a measure at the first gate, by the size of the first proof. The table is named "lengths_SET" for the
/// measure "whole", and otherwise like "answered_lengths_SET".
Table lengths_table(const RowSet& set, const std::string& of, const std::string& what,
                    const std::vector<std::string>& labels);

/// Adds three plots of a measure with a curve for each label; plots need at least two points. The x axis of "whole_SET"
/// is the mean number of selected statements. That of "whole_by_capacity_SET" is the capacity (only gates that are a
/// number without a share). That of "whole_by_length_SET" is the size of the first proof, at the first gate.
void add_curves(const RowSet& set, const std::string& of, const std::string& title,
                const std::vector<std::string>& labels, std::vector<Plot>& plots);

/// Adds the answers of a live NARS, if the spec names a system.
void add_answers(const Spec& spec, const AnsweringOptions& options, const std::vector<RowSet>& sets,
                 Conclusion& conclusion);

/// Adds the ablation: for each change, the share of needed statements kept, and the paired differences from the
/// unchanged method and from the best configuration. Uses only sets marked for ablation. Does nothing without an
/// ablation.
void add_ablation(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// Adds the tuning: the options chosen on training questions, and their performance on the others compared with the
/// shipped options. Does nothing without a tuning.
void add_tuning(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// Adds a comparison of forgetting policies: which keeps most whole proofs in a full memory, and what this run forgot.
/// Does nothing if memories do not forget.
void add_memory(const Spec& spec, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// Adds a page for each question: its proofs, the selection of each method, and the needed statements that are missing
/// from it.
void add_question_pages(const std::vector<RowSet>& sets, Conclusion& conclusion);

}  // namespace engram::experiments::answering
