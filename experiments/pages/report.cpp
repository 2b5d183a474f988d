// SPDX-License-Identifier: MIT
#include "experiments/pages/report.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/formats/outside_program.hpp"
#include "experiments/pages/page.hpp"
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

std::string headline(const UnreadLines& lines) {
  return std::to_string(lines.count) + (lines.count == 1 ? " line" : " lines") +
         " of the inputs could not be read";
}

std::string and_more(const UnreadLines& lines) {
  if (lines.count <= lines.first.size()) return "";
  return "and " + std::to_string(lines.count - lines.first.size()) + " more";
}

std::string unread_lines_html(const UnreadLines& lines) {
  if (lines.count == 0) return "";
  std::string list;
  for (const auto& [place, message] : lines.first)
    list += fill("<li>{}: {}</li>\n", {Markup{code(place)}, message});
  if (const std::string more = and_more(lines); !more.empty()) list += "<li>" + more + "</li>\n";
  return fill("<p>{} and were ignored:</p>\n<ul class=\"cues\">\n{}</ul>\n", {headline(lines), Markup{list}});
}

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

// Element <svg> of a picture for use inside a page, without the XML prologue. Empty if the picture was not drawn.
std::string inline_svg(const fs::path& folder, const std::string& picture) {
  const std::string name = file_name(picture);
  std::ifstream file = open_if_there(folder / "plots" / (name + ".svg"));
  const std::string svg{std::istreambuf_iterator(file), {}};
  const auto start = svg.find("<svg");
  return start == std::string::npos ? "" : with_own_ids(svg.substr(start), name);
}

std::string undrawn(const std::string& what, const std::string& title, const std::string& program,
                    const std::string& script) {
  return fill(
      "<p><small>The {} “{}” was not drawn: {} is not installed, or failed. Script of the {}: "
      "{}.</small></p>\n",
      {what, title, program, what, Markup{link("plots/" + script)}});
}

std::string plot_html(const fs::path& folder, const Plot& plot) {
  const std::string svg = inline_svg(folder, plot.name);
  return (svg.empty() ? undrawn("plot", plot.title, "gnuplot", file_name(plot.name) + ".gp")
                      : "<figure class=\"plot\">" + svg + "</figure>\n") +
         plot.note_html;
}

std::string graph_html(const fs::path& folder, const GraphPicture& graph) {
  const std::string svg = inline_svg(folder, graph.name);
  if (svg.empty()) return undrawn("graph", graph.title, "Graphviz", file_name(graph.name) + ".dot");
  return fill("<figure class=\"plot graph\">{}<figcaption>{}</figcaption></figure>\n",
              {Markup{svg}, graph.title});
}

std::string sections_html(const std::vector<Section>& sections) {
  std::string html;
  for (const Section& section : sections)
    html += fill("<h2>{}</h2>\n{}", {section.heading, Markup{section.html}});
  return html;
}

// HTML of a table. A table of more than 24 rows is collapsed until the reader opens it.
std::string folded(const Table& table) {
  constexpr std::size_t most_rows = 24;
  if (table.rows.size() <= most_rows) return to_html(table);
  return details(false, fill("Table {}, {} rows", {table.name, table.rows.size()}), to_html(table));
}

std::string files_html(const std::vector<Table>& tables) {
  std::string html = fill(
      "<h2>Files</h2>\n<p>Result rows: {}. Summary: {}. Inputs, build and machine: {}. Durations, which "
      "differ in every run: {}.",
      {Markup{link("results.jsonl")}, Markup{link("summary.json")}, Markup{link("manifest.json")},
       Markup{link("timings.jsonl")}});
  for (const Table& table : tables) {
    const std::string path = "tables/" + file_name(table.name);
    html += fill(" Table {}: {}, {}, {}.", {table.name, Markup{link(path + ".csv")},
                                            Markup{link(path + ".md")}, Markup{link(path + ".tex")}});
  }
  return html + "</p>\n";
}

void write_tables(const fs::path& folder, const std::vector<Table>& tables) {
  fs::create_directories(folder);
  for (const Table& table : tables) {
    const std::string name = file_name(table.name);
    write_file(folder / (name + ".csv"), to_csv(table));
    write_file(folder / (name + ".md"), to_markdown(table));
    write_file(folder / (name + ".tex"), to_latex(table));
  }
}

// Draws the pictures of a conclusion into `folder`. Returns messages about pictures that could not be drawn.
std::vector<std::string> write_pictures(const fs::path& folder, const Conclusion& conclusion) {
  fs::create_directories(folder);
  std::vector<std::string> undrawn;
  const auto note = [&](const std::string& name, const std::optional<std::string>& why) {
    if (why) undrawn.push_back("the picture " + name + " was not drawn: " + *why);
  };
  for (const Plot& plot : conclusion.plots) {
    const std::string name = file_name(plot.name);
    write_file(folder / (name + ".gp"), to_gnuplot(plot));
    note(name, run_gnuplot(folder, name));
  }
  for (const GraphPicture& graph : conclusion.graphs) {
    const std::string name = file_name(graph.name);
    write_file(folder / (name + ".dot"), graph.script);
    note(name, run_graphviz(folder, name));
  }
  for (const Drawing& drawing : conclusion.drawings)
    write_file(folder / (file_name(drawing.name) + ".svg"), drawing.svg);
  return undrawn;
}

}  // namespace

UnreadLines::UnreadLines(const Rejections& rejections) : count(rejections.size()) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    const auto& [file, line] = rejections[i];
    first.push_back({legible(file + ":" + std::to_string(line.line) + ":" + std::to_string(line.column)),
                     legible(line.message)});
  }
}

Json to_json(const UnreadLines& lines) {
  Json first = Json::array();
  for (const auto& [place, message] : lines.first) first.push_back({{"place", place}, {"message", message}});
  return {{"count", lines.count}, {"first", first}};
}

UnreadLines unread_lines_of(const Json& manifest) {
  UnreadLines lines;
  if (!manifest.contains("unread_lines")) return lines;
  const Json& member = manifest.at("unread_lines");
  lines.count = member.at("count").get<std::size_t>();
  for (const Json& line : member.at("first"))
    lines.first.push_back({line.at("place").get<std::string>(), line.at("message").get<std::string>()});
  return lines;
}

std::string unread_lines_text(const UnreadLines& lines) {
  if (lines.count == 0) return "";
  std::string text = headline(lines) + ":";
  for (const auto& line : lines.first) text += (&line == &lines.first.front() ? " " : ", ") + line.place;
  if (const std::string more = and_more(lines); !more.empty()) text += " " + more;
  return text + "\n";
}

std::string report_html(const fs::path& folder, const Spec& spec, const Conclusion& conclusion,
                        const UnreadLines& unread) {
  std::string inputs;
  for (const auto& input : spec.inputs) inputs += (inputs.empty() ? ", on " : ", ") + input.name;
  std::string html =
      fill("<h1>{}</h1>\n<p><small>Engram, experiment {}{}</small></p>\n<p class=\"answer\">{}</p>\n",
           {conclusion.question, spec.experiment->name(), inputs, conclusion.answer}) +
      unread_lines_html(unread) + sections_html(conclusion.opening);
  for (const Plot& plot : conclusion.plots) html += plot_html(folder, plot);
  for (const GraphPicture& graph : conclusion.graphs) html += graph_html(folder, graph);
  html += "<h2>Tables</h2>\n";
  for (const Table& table : conclusion.tables) html += folded(table);
  html += sections_html(conclusion.sections);
  if (!conclusion.advice.empty()) html += fill("<pre>{}</pre>\n", {conclusion.advice});
  html += files_html(conclusion.tables) +
          details(false, "Spec with all defaults", fill("<pre>{}</pre>", {spec.resolved.dump(2)}));
  return page_html(std::string("Engram: ") + spec.experiment->name(), html);
}

std::vector<std::string> write_conclusion(const fs::path& folder, const Spec& spec,
                                          const Conclusion& conclusion, const UnreadLines& unread) {
  write_tables(folder / "tables", conclusion.tables);
  std::vector<std::string> undrawn = write_pictures(folder / "plots", conclusion);
  for (const Page& page : conclusion.pages) {
    fs::create_directories((folder / page.path).parent_path());
    write_file(folder / page.path, page_html(page.title, page.html));
  }
  write_file(folder / "summary.json", pretty({{"experiment", spec.experiment->name()},
                                              {"question", conclusion.question},
                                              {"answer", conclusion.answer},
                                              {"results", conclusion.summary}}));
  write_file(folder / "report.html", report_html(folder, spec, conclusion, unread));
  return undrawn;
}

namespace {

constexpr std::size_t most_shown = 2000;  // limit of rows in the page; a browser sorts them at once

std::vector<Cell> cells_of(const Json& values) {
  std::vector<Cell> cells;
  for (const Json& value : values)
    cells.push_back(cell(value.is_string() ? value.get<std::string>() : value.dump()));
  return cells;
}

Cell name_of(const SweepPoint& point) {
  Cell name = cell(std::filesystem::path(point.folder).filename().string());
  name.link = point.folder + "/report.html";
  return name;
}

std::vector<std::string> places_of(const std::vector<SweepPoint>& points) {
  std::vector<std::string> places;
  for (const auto& [place, value] : points.front().values.items()) places.push_back(place);
  return places;
}

// Headings that occur in the tables of the points, which may have different columns. Excludes the first column, which
// names the rows.
std::vector<std::string> measures_of(const std::vector<SweepPoint>& points) {
  std::vector<std::string> measures;
  for (const SweepPoint& point : points)
    for (std::size_t i = 1; i < point.table.head.size(); ++i)
      if (std::ranges::find(measures, point.table.head[i]) == measures.end())
        measures.push_back(point.table.head[i]);
  return measures;
}

Table answers_table(const std::vector<SweepPoint>& points) {
  Table table{
      "answers", "Conclusion of each point. The name of a point links to its report.", {"point", "answer"}};
  for (const SweepPoint& point : points) table.rows.push_back({name_of(point), cell(point.answer)});
  return table;
}

std::string sweep_html(const std::vector<SweepPoint>& points, Table table) {
  std::string places, more;
  for (const std::string& place : places_of(points)) places += (places.empty() ? "" : ", ") + place;
  if (const std::size_t rows = table.rows.size(); rows > most_shown) {
    table.rows.resize(most_shown);
    more = fill("<p><small>These are the first {} of {} rows.</small></p>\n", {most_shown, rows});
  }
  return page_html("Engram: a sweep",
                   fill(R"(<h1>{}</h1>
<p><small>Engram, a sweep of {} points over {}</small></p>
<h2>All points</h2>
{}{}<h2>Conclusions</h2>
{}<h2>Files</h2>
<p>Plan of the sweep: {}. All numbers, one in each row: {}. Table for Markdown and LaTeX: {}, {}.</p>
)",
                        {points.front().question, points.size(), places, Markup{to_html(table)}, Markup{more},
                         Markup{to_html(answers_table(points))}, Markup{link("sweep.json")},
                         Markup{link("sweep.csv")}, Markup{link("sweep.md")}, Markup{link("sweep.tex")}}));
}

SweepFolder read_point(const std::filesystem::path& folder, const Json& point, const Json& first,
                       const std::string& where) {
  const auto text = point.is_object() && point.contains("folder") && point.at("folder").is_string()
                        ? point.at("folder").get<std::string>()
                        : "";
  constexpr std::string_view start = "cells/";
  if (!text.starts_with(start) || text.substr(start.size()) != file_name(text.substr(start.size())))
    throw SpecError(where, "expected a \"folder\" under cells/, found " + point.dump());
  const Json values = point.value("values", Json());
  if (!values.is_object() ||
      !std::ranges::equal(
          values.items(), first.value("values", Json::object()).items(), {},
          [](const auto& x) { return x.key(); }, [](const auto& x) { return x.key(); }))
    throw SpecError(where, "expected \"values\" of the same places in every point, found " + point.dump());
  return {text, folder / text, values};
}

}  // namespace

std::vector<SweepFolder> read_sweep(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "sweep.json";
  const Json plan = read_json(file);
  if (!plan.is_array() || plan.empty()) throw SpecError(file.string(), "expected a list of points");
  require_files_alone(folder);
  std::vector<SweepFolder> points;
  for (std::size_t i = 0; i < plan.size(); ++i)
    points.push_back(read_point(folder, plan[i], plan[0], file.string() + ": /" + std::to_string(i)));
  return points;
}

SweepPoint sweep_point(std::string folder, const Json& values, const Conclusion& conclusion) {
  return {std::move(folder), values, conclusion.question, conclusion.answer, conclusion.tables.front()};
}

Table sweep_table(const std::vector<SweepPoint>& points) {
  const SweepPoint& first = points.front();
  const std::vector<std::string> places = places_of(points), measures = measures_of(points);
  Table table{"sweep",
              "One row for each point and " + first.table.head.front() +
                  ". Bold marks the best of one point. " + first.table.caption,
              {"point"}};
  table.head.insert(table.head.end(), places.begin(), places.end());
  table.head.push_back(first.table.head.front());
  table.head.insert(table.head.end(), measures.begin(), measures.end());
  for (const SweepPoint& point : points)
    for (const auto& row : point.table.rows) {
      std::vector<Cell> cells{name_of(point)};
      for (Cell& value : cells_of(point.values)) cells.push_back(std::move(value));
      cells.push_back(row.front());
      for (const std::string& measure : measures) {
        const auto column = std::ranges::find(point.table.head, measure) - point.table.head.begin();
        const bool there = column < static_cast<std::ptrdiff_t>(row.size());
        cells.push_back(there ? row[static_cast<std::size_t>(column)] : cell("-"));
      }
      table.rows.push_back(std::move(cells));
    }
  return table;
}

Table sweep_numbers(const std::vector<SweepPoint>& points) {
  Table table{"sweep", "", places_of(points)};
  for (const char* name : {"row", "measure", "value", "with interval"}) table.head.emplace_back(name);
  for (const SweepPoint& point : points)
    for (const auto& row : point.table.rows)
      for (std::size_t column = 1; column < row.size(); ++column) {
        table.rows.push_back(cells_of(point.values));
        for (const std::string& text :
             {row[0].raw, point.table.head[column], row[column].raw, row[column].text})
          table.rows.back().push_back(cell(text));
      }
  return table;
}

void write_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points) {
  const Table table = sweep_table(points);
  write_file(folder / "sweep.csv", to_csv(sweep_numbers(points)));
  write_file(folder / "sweep.md", to_markdown(table));
  write_file(folder / "sweep.tex", to_latex(table));
  write_file(folder / "report.html", sweep_html(points, table));
}

}  // namespace engram::experiments
