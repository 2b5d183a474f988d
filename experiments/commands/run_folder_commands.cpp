// SPDX-License-Identifier: MIT
// The commands on the folders of finished runs: `engram report` rebuilds tables, plots and the page; `engram verify`
// repeats a run, or every point of a sweep, and compares the results; `engram compare` compares two runs.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/runs/run.hpp"
#include "experiments/runs/run_comparison.hpp"
#include "experiments/spec/path_sandbox.hpp"

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

// Numbers the names and joins them: "1 policy, 2 steps, ...".
std::string numbered(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(i + 1) + " " + names[i];
  return text;
}

// Returns the index of a column from its heading or its number. Numbers start at 1.
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

struct ReportArguments {
  std::string folder, table;
  std::vector<std::string> columns;
};

ExitCode report(const ReportArguments& arguments) {
  const fs::path folder = arguments.folder;
  if (!arguments.table.empty()) return print_table(folder, arguments.table, arguments.columns);
  if (fs::exists(folder / "sweep.json")) return report_sweep(folder);
  const RunReport report = rebuild_report(folder);
  tell_undrawn(report.undrawn);
  std::cout << wrapped(report.conclusion.answer, 100) << "\nreport: " << (folder / "report.html").string()
            << '\n';
  return done;
}

ExitCode tell(const Verification& verification, const std::string& folder) {
  const std::string message = legible(verification.message);  // may contain names that other people chose
  for (const std::string& note : verification.notes) std::cerr << "engram: note: " << legible(note) << '\n';
  switch (verification.verdict) {
    case RunVerdict::identical:
      std::cout << "bit-identical: " << message << '\n';
      return done;
    case RunVerdict::same_ranks:
      std::cout << "same ranks, other bits: " << message << '\n';
      break;
    case RunVerdict::different:
      std::cout << "different: " << message << '\n';
      break;
    case RunVerdict::altered:
      std::cerr << "engram: error: " << folder << ": " << message << '\n';
  }
  return input_errors;
}

struct VerifyArguments {
  std::string folder, base;
  unsigned jobs = 1;
  bool allow_programs = false;
};

ExitCode verify_run(const fs::path& folder, const VerifyArguments& arguments) {
  if (const fs::path file = folder / "spec.json"; !arguments.allow_programs && fs::is_regular_file(file))
    if (const Json spec = read_json(file); spec.is_object()) require_consent(spec, {}, folder.string());
  return tell(verify(folder, arguments.base, arguments.jobs), folder.string());
}

// Verifies a run, or each point of a sweep.
ExitCode verify_all(const VerifyArguments& arguments) {
  const Interruption interruption;  // removes the temporary folder after Ctrl-C
  const fs::path sweep = fs::path(arguments.folder) / "sweep.json";
  if (!fs::exists(sweep)) return verify_run(arguments.folder, arguments);
  ExitCode code = done;
  for (const SweepFolder& cell : read_sweep(arguments.folder)) {
    std::cout << cell.path.string() << ": ";
    code = std::max(code, verify_run(cell.path, arguments));
  }
  return code;
}

struct CompareArguments {
  std::string a, b;             // folders of the two runs
  std::string format = "text";  // text, csv or markdown; the last two print only the table
};

ExitCode compare(const CompareArguments& arguments) {
  const RunComparison found = compare_runs(arguments.a, arguments.b);
  if (arguments.format == "csv") {
    std::cout << to_csv(found.table);
    return done;
  }
  if (arguments.format == "markdown") {
    std::cout << to_markdown(found.table);
    return done;
  }
  std::cout << "A: " << arguments.a << "\nB: " << arguments.b << "\n\n";
  if (found.differences.empty()) std::cout << "The specs, inputs and builds are the same.\n";
  for (const std::string& difference : found.differences) std::cout << legible(difference) << '\n';
  std::cout << '\n' << wrapped(found.table.caption, 100) << '\n' << to_text(found.table) << '\n';
  for (const std::string& remark : found.remarks) std::cout << wrapped(remark, 100);
  std::cout << '\n' << wrapped(found.answer, 100);
  return done;
}

}  // namespace

void add_report(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "report", "rebuild a run's tables, plots and report without running it again",
                  "engram report engram-runs/comparison-family", report);
  add_option(command, "folder", arguments.folder, "the folder of a run or a sweep", is_folder, is_required);
  CLI::Option* table = add_option(
      command, "--table", arguments.table,
      "print this table in LaTeX instead, for a page of the class article: a name from the folder's\n"
      "tables/, such as methods",
      TypeName{"TABLE"}, is_not_empty);
  add_option(command, "--columns", arguments.columns,
             "columns of --table, in this order, by name or number, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(table);
}

void add_verify(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "verify", "check a run's files and inputs, run it again and compare every byte",
                  "engram verify engram-runs/comparison-family", verify_all);
  add_option(command, "folder", arguments.folder, "the folder of a run or a sweep", is_folder, is_required);
  add_option(command, "--base", arguments.base,
             "folder of the inputs, whose names are relative (default: where they were)", is_folder);
  add_jobs(command, arguments.jobs);
  add_option(command, "--allow-programs", arguments.allow_programs,
             "let the run start the NARS or the Python file that its spec names");
}

void add_compare(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "compare", "compare two runs of the same experiment, pair by pair",
                  "engram compare engram-runs/before engram-runs/after", compare);
  add_option(command, "a", arguments.a, "the folder of a run", is_folder, is_required);
  add_option(command, "b", arguments.b, "the folder of another run", is_folder, is_required);
  add_option(command, "--format", arguments.format, "text; or csv or markdown, which print only the table",
             one_of({"text", "csv", "markdown"}));
}

}  // namespace engram::experiments
