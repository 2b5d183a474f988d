// SPDX-License-Identifier: MIT
// Conclusion of an experiment, independent of output formats: tables, plots and parts of the report.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/files.hpp"
#include "experiments/formats/plots.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments {

/// A picture that is a complete SVG document.
struct Drawing {
  std::string name, svg;
};
/// Creates a drawing on a white background, with a size and a font size in pixels.
Drawing drawing(const std::string& name, std::size_t width, std::size_t height, std::size_t letters,
                const std::string& body);

/// A picture of a graph, as a Graphviz script for `dot`.
struct GraphPicture {
  std::string name, title, script;
};

/// A separate page of the report: path relative to the report, title, and HTML of its body.
struct Page {
  std::string path, title, html;
};

/// A section of the report: heading, and HTML that is already escaped.
struct Section {
  std::string heading, html;
};

struct Conclusion {
  std::string question;  // question of the experiment
  std::string answer;    // one sentence, computed from the rows
  Json summary;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<Drawing> drawings;  // written to the folder of the plots
  std::vector<Section> sections;
  std::vector<GraphPicture> graphs = {};
  std::vector<Page> pages = {};
  std::vector<Section> opening = {};  // sections before plots and tables
  std::string brief = {};             // terminal output in place of the first table; ends in a line feed
  std::string advice = {};  // advice for the user, shown at the end of the report and of the terminal output
};

/// Removes columns without data (all cells empty or a dash). Removes tables without rows, and tables where only the
/// first column remains, which names the rows.
void drop_empty(std::vector<Table>& tables);

/// Mean, low and high of an estimate; null if it is empty.
Json estimate_json(const std::optional<Estimate>& estimate);

/// Text for the certificate of a recall (bridge/json/core_json.hpp).
std::string certificate_text(const Json& certificate);

}  // namespace engram::experiments
