// SPDX-License-Identifier: MIT
// What an experiment concludes, before it is written in any format: tables, plots, pages of a report.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/json.hpp"
#include "experiments/formats/plots.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments {

/// A picture that is an SVG document of its own.
struct Drawing {
  std::string name, svg;
};
/// On white paper, of a width and a height, with letters of that size.
Drawing drawing(const std::string& name, std::size_t width, std::size_t height, std::size_t letters,
                const std::string& body);

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
  std::vector<Section> opening = {};  // parts of the report that stand before plots and tables
  std::string brief = {};   // what the terminal shows in place of the first table; it ends in a line feed
  std::string advice = {};  // how to get more from the same inputs: the last lines of report and terminal
};

/// Removes columns in which nothing was measured (each cell is empty or a dash), and tables without rows or without any
/// column but the first one, which names the rows.
void drop_empty(std::vector<Table>& tables);

/// Its mean, low and high; null where there is none.
Json estimate_json(const std::optional<Estimate>& estimate);

/// The certificate of a recall (bridge/json/recall_json.hpp) in words.
std::string certificate_text(const Json& certificate);

}  // namespace engram::experiments
