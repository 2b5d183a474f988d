// SPDX-License-Identifier: MIT
#include "experiments/pages/sweep_report.hpp"

#include <algorithm>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/page.hpp"
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {
namespace {

constexpr std::size_t most_shown = 2000;  // rows; a browser sorts this number at once

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

// Columns without the first, which names the rows. Points may have different columns.
std::vector<std::string> measures_of(const std::vector<SweepPoint>& points) {
  std::vector<std::string> measures;
  for (const SweepPoint& point : points)
    for (std::size_t i = 1; i < point.table.head.size(); ++i)
      if (std::ranges::find(measures, point.table.head[i]) == measures.end())
        measures.push_back(point.table.head[i]);
  return measures;
}

Table answers_table(const std::vector<SweepPoint>& points) {
  Table table{"answers", "What each point concludes; its name leads to its report.", {"point", "answer"}};
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
{}{}<h2>Point by point</h2>
{}<h2>Files</h2>
<p>The plan: {}. All numbers, a row each: {}. The table for Markdown and LaTeX: {}, {}.</p>
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
              "A row a point and " + first.table.head.front() +
                  "; what is said of the best holds within its point. " + first.table.caption,
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
