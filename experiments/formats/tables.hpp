// SPDX-License-Identifier: MIT
// Tables, and how they stand in each format.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/statistics/statistics.hpp"

namespace engram::experiments {

/// An empty cell, a text, or a number, perhaps with an interval.
struct Cell {
  std::string text;                                                // what people read
  std::string raw;                                                 // what programs read: full digits
  std::optional<std::pair<std::string, std::string>> bounds = {};  // of its interval, in full digits
  bool winner = false;    // the best of its column, by more than chance: bold
  std::string link = {};  // where the cell leads in a report
};

/// A number to so many decimals; in full where that would be more than 64 characters.
std::string fixed(double number, int decimals);

Cell cell(std::string text);
Cell cell(double number, int decimals);
Cell cell(std::optional<double> number, int decimals);
/// Two digits and a power of ten: 3.1e-15; 0 and what is not finite by name.
Cell scientific_cell(double number);
/// mean [low, high]; the mean alone where the values do not vary, or there is one; a dash for none
Cell interval_cell(const std::optional<Estimate>& estimate, int decimals);

struct Table {
  std::string name;     // of its files
  std::string caption;  // one sentence
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows = {};
};

/// Whether a column holds words that a page may break into lines; numbers and short names stay whole.
bool is_prose_column(const Table& table, std::size_t column);

/// Text broken at blanks into lines of at most `width` code points, where words allow it.
std::string wrapped(const std::string& text, std::size_t width);

std::string to_text(const Table& table);      // aligned columns, for a terminal
std::string to_csv(const Table& table);       // raw cells (csv_cell); intervals in columns of their own
std::string to_markdown(const Table& table);  // GitHub's tables
std::string to_latex(const Table& table);     // latex_table.cpp
std::string to_html(const Table& table);

}  // namespace engram::experiments
