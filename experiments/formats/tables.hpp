// SPDX-License-Identifier: MIT
// Tables and their output formats, and tables of leads (statistics.hpp).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/statistics/statistics.hpp"

namespace engram::experiments {

/// A cell: empty, a text, or a number with an optional interval.
struct Cell {
  std::string text;                                                // text for people
  std::string raw;                                                 // text for programs, with all digits
  std::optional<std::pair<std::string, std::string>> bounds = {};  // bounds of the interval, with all digits
  bool winner = false;    // significantly the best of its column; bold
  std::string link = {};  // target of a link in the report
};

/// A number with `decimals` decimals; with all digits if it would exceed 64 characters.
std::string fixed(double number, int decimals);

Cell cell(std::string text);
Cell cell(double number, int decimals);
Cell cell(std::optional<double> number, int decimals);
/// Cell of a number in scientific notation with two digits: 3.1e-15. 0, infinity and NaN are written by name.
Cell scientific_cell(double number);
/// Cell of an estimate as "mean [low, high]". Only the mean if all values are equal or there is only one value; a dash
/// if there is none.
Cell interval_cell(const std::optional<Estimate>& estimate, int decimals);

struct Table {
  std::string name;     // base name of its files
  std::string caption;  // one sentence
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows = {};
};

/// Wraps text at blanks to lines of at most `width` code points, if words are short enough.
std::string wrapped(const std::string& text, std::size_t width);

std::string to_text(const Table& table);      // aligned columns, for a terminal
std::string to_csv(const Table& table);       // raw cells (csv_cell); intervals in separate columns
std::string to_markdown(const Table& table);  // GitHub Markdown
std::string to_latex(const Table& table);  // caption of at most two lines, label, and a width for `article`
std::string to_html(const Table& table);

/// Cells for a lead: difference, p, corrected p, Cliff's delta, d_z, pairs, clear.
std::vector<Cell> lead_cells(const Lead& lead, int decimals);

/// Table with a row for each lead. `pairing` names the unit of pairing, such as "cue by cue".
Table leads_table(const Leads& leads, const std::string& pairing);

/// Marks the clear winners in a table with one row for each label, in order. Column columns[i] shows measures[i].
void mark_winners(Table& table, const Leads& leads, const std::vector<std::size_t>& measures,
                  const std::vector<std::size_t>& columns);

/// Sentence for a caption that explains bold type. `others` is the kind of the rows, such as "method"; `leads` is the
/// name of the table of leads.
std::string bold_policy(const std::string& others, const std::string& leads);

/// Sentences that explain intervals, ties and bold type, for the caption of a table of methods with the table `leads`.
std::string table_policy();

}  // namespace engram::experiments
