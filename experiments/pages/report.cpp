// SPDX-License-Identifier: MIT
#include "experiments/pages/report.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/page.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {
namespace {

// Adds a prefix to every id and its references within tags. All plots by gnuplot have the same ids, and a page must not
// contain an id twice.
std::string with_own_ids(const std::string& svg, const std::string& name) {
  std::string out;
  for (std::size_t at = 0; at < svg.size();) {
    const std::size_t tag = std::min(svg.find('<', at), svg.size());
    const std::size_t end = std::min(svg.find('>', tag), svg.size());
    out.append(svg, at, tag - at);
    std::string inner = svg.substr(tag, end - tag);
    for (const std::string_view before : {" id='", " id=\"", "href='#", "href=\"#", "url(#"})
      for (auto place = inner.find(before); place != std::string::npos;
           place = inner.find(before, place + before.size()))
        inner.insert(place + before.size(), name + "-");
    out += inner;
    at = end;
  }
  return out;
}

// The <svg> element of a picture for use inside a page, without the XML prologue. Empty if the picture was not drawn.
std::string inline_svg(const std::filesystem::path& folder, const std::string& picture) {
  const std::string name = file_name(picture);
  std::ifstream file = open_if_there(folder / "plots" / (name + ".svg"));
  const std::string svg{std::istreambuf_iterator(file), {}};
  const auto start = svg.find("<svg");
  return start == std::string::npos ? "" : with_own_ids(svg.substr(start), name);
}

std::string undrawn(const std::string& what, const std::string& title, const std::string& program,
                    const std::string& script) {
  return fill(
      "<p><small>The {} “{}” was not drawn: {} is not installed, or failed. Its script is {}.</small></p>\n",
      {what, title, program, Markup{link("plots/" + script)}});
}

std::string plot_html(const std::filesystem::path& folder, const Plot& plot) {
  const std::string svg = inline_svg(folder, plot.name);
  return (svg.empty() ? undrawn("plot", plot.title, "gnuplot", file_name(plot.name) + ".gp")
                      : "<figure class=\"plot\">" + svg + "</figure>\n") +
         plot.note_html;
}

std::string graph_html(const std::filesystem::path& folder, const GraphPicture& graph) {
  const std::string svg = inline_svg(folder, graph.name);
  if (svg.empty()) return undrawn("graph", graph.title, "Graphviz", file_name(graph.name) + ".dot");
  return fill("<figure class=\"plot graph\">{}<figcaption>{}</figcaption></figure>\n",
              {Markup{svg}, graph.title});
}

std::string section_html(const Section& section) {
  return "<h2>" + escape_html(section.heading) + "</h2>\n" + section.html;
}

// Long tables are collapsed.
std::string folded(const Table& table) {
  constexpr std::size_t most_rows = 24;
  if (table.rows.size() <= most_rows) return to_html(table);
  return details(false,
                 "Table " + escape_html(table.name) + ", " + std::to_string(table.rows.size()) + " rows",
                 to_html(table));
}

std::string files_html(const std::vector<Table>& tables) {
  std::string html = fill(
      "<h2>Files</h2>\n<p>Every row: {}. Summary: {}. Inputs, build and machine: {}. How long each recall "
      "took, the one file that differs between two runs: {}.",
      {Markup{link("results.jsonl")}, Markup{link("summary.json")}, Markup{link("manifest.json")},
       Markup{link("timings.jsonl")}});
  for (const Table& table : tables) {
    const std::string path = "tables/" + file_name(table.name);
    html += fill(" Table {}: {}, {}, {}.", {table.name, Markup{link(path + ".csv")},
                                            Markup{link(path + ".md")}, Markup{link(path + ".tex")}});
  }
  return html + "</p>\n";
}

}  // namespace

std::string report_html(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion,
                        const UnreadLines& unread) {
  std::string inputs;
  for (const auto& input : spec.inputs) inputs += (inputs.empty() ? ", on " : ", ") + input.name;
  std::string html =
      fill("<h1>{}</h1>\n<p><small>Engram, experiment {}{}</small></p>\n<p class=\"answer\">{}</p>\n",
           {conclusion.question, spec.experiment->name(), inputs, conclusion.answer}) +
      unread_lines_html(unread);
  for (const Section& section : conclusion.opening) html += section_html(section);
  for (const Plot& plot : conclusion.plots) html += plot_html(folder, plot);
  for (const GraphPicture& graph : conclusion.graphs) html += graph_html(folder, graph);
  html += "<h2>Tables</h2>\n";
  for (const Table& table : conclusion.tables) html += folded(table);
  for (const Section& section : conclusion.sections) html += section_html(section);
  if (!conclusion.advice.empty()) html += fill("<pre>{}</pre>\n", {conclusion.advice});
  html += files_html(conclusion.tables) + details(false, "The spec, with every default",
                                                  "<pre>" + escape_html(spec.resolved.dump(2)) + "</pre>");
  return page_html(std::string("Engram: ") + spec.experiment->name(), html);
}

}  // namespace engram::experiments
