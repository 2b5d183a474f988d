// SPDX-License-Identifier: MIT
// The command `engram report`: rebuilds tables, plots and the page of a run without running it again.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/telling.hpp"
#include "experiments/runs/run.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

ExitCode report_sweep(const fs::path& folder) {
  std::vector<SweepPoint> points;
  for (const SweepFolder& cell : read_sweep(folder)) {
    const RunReport report = rebuild_report(cell.path);
    tell_undrawn(report.undrawn);
    points.push_back(sweep_point(cell.name, cell.values, report.conclusion));
  }
  write_sweep(folder, points);
  tell_sweep(folder, points);
  return done;
}

// Numbers the names: "1 policy, 2 steps, ...".
std::string numbered(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(i + 1) + " " + names[i];
  return text;
}

// The index of a column, from its heading or its number. Numbers start at 1.
std::size_t place_of_column(const Table& table, const std::string& column) {
  const auto found = std::ranges::find(table.head, column);
  if (std::ranges::count(table.head, column) == 1)
    return static_cast<std::size_t>(found - table.head.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  if (found == table.head.end() && error == std::errc() && end == column.data() + column.size() &&
      number >= 1 && number <= table.head.size())
    return number - 1;
  const std::string what =
      found == table.head.end() ? "no column '" + column + "'" : "several columns '" + column + "'";
  throw SpecError("--columns", "the table " + table.name + " has " + what +
                                   ". Its columns, by name or number: " + numbered(table.head));
}

Table with_columns(const Table& table, const std::vector<std::string>& columns) {
  Table chosen{table.name, table.caption, {}, std::vector<std::vector<Cell>>(table.rows.size())};
  for (const std::string& column : columns) {
    const std::size_t place = place_of_column(table, column);
    chosen.head.push_back(table.head[place]);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      chosen.rows[row].push_back(table.rows[row][place]);
  }
  return chosen;
}

ExitCode print_table(const fs::path& folder, const std::string& name,
                     const std::vector<std::string>& columns) {
  if (fs::exists(folder / "sweep.json"))
    throw SpecError("--table", folder.string() + " is a sweep; name one of its runs, such as " +
                                   (folder / "cells" / "...").string());
  const Conclusion conclusion = conclusion_of_run(folder);
  const auto table = std::ranges::find(conclusion.tables, name, &Table::name);
  if (table == conclusion.tables.end()) {
    std::vector<std::string> names;
    for (const Table& one : conclusion.tables) names.push_back(one.name);
    throw SpecError("--table", unknown_name(name, names));
  }
  std::cout << to_latex(columns.empty() ? *table : with_columns(*table, columns));
  return done;
}

ExitCode report(const fs::path& folder) {
  if (fs::exists(folder / "sweep.json")) return report_sweep(folder);
  const RunReport report = rebuild_report(folder);
  tell_undrawn(report.undrawn);
  std::cout << wrapped(report.conclusion.answer, 100) << "\nreport: " << (folder / "report.html").string()
            << '\n';
  return done;
}

}  // namespace

void add_report(CLI::App& app, ExitCode& code) {
  struct ReportArguments {
    std::string folder, table;
    std::vector<std::string> columns;
  };
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* sub =
      add_command(app, "report", "rebuild a run's tables, plots and report without running it again",
                  "engram report engram-runs/comparison-family");
  add_option(sub, "folder", arguments->folder, "the folder of a run, or of a sweep")
      ->type_name(folder_type)
      ->required();
  CLI::Option* table =
      add_option(sub, "--table", arguments->table,
                 "print this table in LaTeX instead, for a page of the class article: a name\n"
                 "from the folder's tables/, such as methods")
          ->type_name("TABLE");
  refuse_empty(table);
  add_option(sub, "--columns", arguments->columns,
             "columns of --table, in this order, by name or number, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(table);
  sub->callback([&code, arguments] {
    code = arguments->table.empty() ? report(arguments->folder)
                                    : print_table(arguments->folder, arguments->table, arguments->columns);
  });
}

}  // namespace engram::experiments
