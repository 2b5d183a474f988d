// SPDX-License-Identifier: MIT
#include "experiments/runs/cell_report.hpp"

namespace engram::experiments {
namespace {

Json to_json(const Cell& cell) {
  Json json{cell.text, cell.raw, cell.winner, cell.link};
  if (cell.bounds) json.insert(json.end(), {cell.bounds->first, cell.bounds->second});
  return json;
}

Cell cell_of(const Json& json) {
  Cell cell{json.at(0), json.at(1), {}, json.at(2), json.at(3)};
  if (json.size() > 4) cell.bounds.emplace(json.at(4), json.at(5));
  return cell;
}

}  // namespace

CellReport carry_out(const CellJob& cell) {
  const RunReport report = run(cell.spec, cell.options);
  CellReport told{
      report.rejections, report.undrawn, report.conclusion.question, report.conclusion.answer, {}};
  if (!report.conclusion.tables.empty()) told.table = report.conclusion.tables.front();
  return told;
}

Json to_json(const CellReport& report) {
  Json rejections = Json::array(), rows = Json::array();
  for (const auto& [file, line] : report.rejections)
    rejections.push_back({file, line.line, line.column, line.message});
  for (const auto& row : report.table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(to_json(cell));
    rows.push_back(cells);
  }
  return {{"rejections", rejections},    {"undrawn", report.undrawn},
          {"question", report.question}, {"answer", report.answer},
          {"name", report.table.name},   {"caption", report.table.caption},
          {"head", report.table.head},   {"rows", rows}};
}

CellReport cell_report_of(const Json& json) {
  CellReport report{{}, json.at("undrawn"), json.at("question"), json.at("answer"), {}};
  for (const Json& line : json.at("rejections"))
    report.rejections.emplace_back(line.at(0), core::RejectedLine{line.at(1), line.at(2), line.at(3)});
  report.table = {json.at("name"), json.at("caption"), json.at("head"), {}};
  for (const Json& row : json.at("rows")) {
    report.table.rows.emplace_back();
    for (const Json& cell : row) report.table.rows.back().push_back(cell_of(cell));
  }
  return report;
}

}  // namespace engram::experiments
