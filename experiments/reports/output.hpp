// SPDX-License-Identifier: MIT
// What an experiment concludes, before it is written in any format: tables, plots, pages of a report.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/reports/escapes.hpp"
#include "experiments/reports/statistics.hpp"

namespace engram::experiments {

using Json = nlohmann::ordered_json;

/// An empty cell, a text, or a number, perhaps with an interval.
struct Cell {
  std::string text;                                                // what people read
  std::string raw;                                                 // what programs read: full digits
  std::optional<std::pair<std::string, std::string>> bounds = {};  // of its interval, in full digits
  bool winner = false;    // the best of its column, by more than chance: bold
  std::string link = {};  // where the cell leads in a report
};

Cell cell(std::string text);
Cell cell(double number, int decimals);
Cell cell(std::optional<double> number, int decimals);
/// Two digits and a power of ten: 3.1e-15; 0 and what is not finite by name.
Cell scientific_cell(double number);
/// mean [low, high]; the mean alone where the values do not vary, or there is one; a dash for none
Cell interval_cell(const std::optional<Estimate>& estimate, int decimals);

/// The certificate of a recall (bridge/json/recall_json.hpp) in words.
std::string certificate_text(const Json& certificate);

struct Table {
  std::string name;     // of its files
  std::string caption;  // one sentence
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows;
};

/// Text broken at blanks into lines of at most `width` code points, where words allow it.
std::string wrapped(const std::string& text, std::size_t width);

std::string to_text(const Table& table);      // aligned columns, for a terminal
std::string to_csv(const Table& table);       // raw cells (csv_cell); intervals in columns of their own
std::string to_markdown(const Table& table);  // GitHub's tables
std::string to_latex(const Table& table);     // booktabs; longtable where it is longer than a page
std::string to_html(const Table& table);

/// Lines with error bars over one x axis, or, with categories, one point with its bar for each of them.
struct Plot {
  struct Point {
    double x = 0, y = 0, low = 0, high = 0;
  };
  struct Series {
    std::string label;
    std::vector<Point> points;
    bool theory = false;  // a dashed grey line without marks
  };
  std::string name, title, x_label, y_label;
  std::vector<Series> series;
  std::vector<std::string> categories;  // names of x = 1, 2, ...
  std::vector<Plot> panels{};           // small plots in rows of four, in place of series; the last one's
                                        // labels serve all, in the cell after it
  std::string note_html{};              // what stands under it in the report
  bool shares = true;                   // y is a share, within [0, 1]; else from 0 as far as the points go
  bool from_zero = true;                // else y from the lowest point
  bool bars = true;                     // else bare lines: points without intervals, too many to mark each
  bool joined = true;                   // else bare points, of things that have no order
  std::vector<std::pair<double, std::string>> marks = {};  // x of vertical lines, and what they say
};

/// A gnuplot script with its data inside that writes `<name>.svg` and `<name>.pdf`: legible in grey, safe for
/// the colour-blind. Texts stand in it as data too, each at most 200 code points: no command holds any.
std::string to_gnuplot(const Plot& plot);

/// A picture that is an SVG document of its own.
struct Drawing {
  std::string name, svg;
};

/// A picture of a graph: a script in Graphviz's language that `dot` draws.
struct GraphPicture {
  std::string name, title, script;
};

/// A page of its own beside the report: its path from there, and what is in its body.
struct Page {
  std::string path, title, html;
};

/// A part of the report: a heading and HTML that is already escaped.
struct Section {
  std::string heading, html;
};

struct Conclusion {
  std::string question;  // what the experiment asks
  std::string answer;    // one sentence worked out from the rows
  Json summary;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<Drawing> drawings;  // written beside the plots
  std::vector<Section> sections;
  std::vector<GraphPicture> graphs = {};
  std::vector<Page> pages = {};
};

}  // namespace engram::experiments
