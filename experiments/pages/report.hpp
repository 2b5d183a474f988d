// SPDX-License-Identifier: MIT
// Report of a run and of a sweep, with their tables, plots, pictures and pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Input lines that a run could not read: their number, and the first ten, because every line of a binary file is an
/// error.
struct UnreadLines {
  UnreadLines() = default;
  explicit UnreadLines(const Rejections& rejections);

  struct Line {
    std::string place, message;  // "file:line:column", and the error; without control characters
  };
  std::size_t count = 0;
  std::vector<Line> first;
};

/// Member "unread_lines" of a manifest:
/// {"count": 1, "first": [{"place": "a.nal:2:6", "message": "expected ..."}]}.
Json to_json(const UnreadLines& lines);
/// Reads the member "unread_lines" of a manifest. Returns no lines if it is missing.
/// Errors  Json::exception if it is malformed
UnreadLines unread_lines_of(const Json& manifest);

/// Text of one line for the terminal: the places of unread lines without their errors. Empty if every line was read.
std::string unread_lines_text(const UnreadLines& lines);

/// Main page of the report of a run. It contains the pictures of `folder`, but not the pages of single cues.
std::string report_html(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion,
                        const UnreadLines& unread = {});

/// Writes tables/ (CSV, Markdown, LaTeX), plots/, cues/, summary.json and report.html into the folder of a run. plots/
/// contains scripts, and if gnuplot and Graphviz are installed, also SVG and PDF files.
/// Returns  undrawn pictures, with reasons; a missing picture does not fail a run
/// Errors   std::system_error for the disk; exceptions of core::check_cancelled() while a program draws
std::vector<std::string> write_conclusion(const std::filesystem::path& folder, const Spec& spec,
                                          const Conclusion& conclusion, const UnreadLines& unread);

/// A point of a sweep, as listed in its plan sweep.json.
struct SweepFolder {
  std::string name;  // cells/..., relative to the folder of the sweep
  std::filesystem::path path;
  Json values;
};
/// Reads the points of an untrusted sweep.
/// Errors  SpecError if the sweep has no points, if a folder is not below cells/, or if points have values for
///         different places
std::vector<SweepFolder> read_sweep(const std::filesystem::path& folder);

/// The part of the conclusion of a point that the sweep shows.
struct SweepPoint {
  std::string folder;  // relative to the folder of the sweep
  Json values;         // values of the swept places
  std::string question, answer;
  Table table;  // first table of the conclusion
};
SweepPoint sweep_point(std::string folder, const Json& values, const Conclusion& conclusion);

/// Combined table of all points: a row for each point and row of its table, with the columns in order of appearance.
/// Missing values are dashes. Bold marks the best of one point. Names of points link to their reports.
Table sweep_table(const std::vector<SweepPoint>& points);

/// Table for programs with one row for each number: the swept values, names of row and column, the number with all
/// digits, and the formatted number.
Table sweep_numbers(const std::vector<SweepPoint>& points);

/// Writes sweep.csv (sweep_numbers), sweep.md and sweep.tex (sweep_table), and report.html with the first 2000 rows.
/// There must be at least one point.  Errors  std::system_error
void write_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

}  // namespace engram::experiments
