// SPDX-License-Identifier: MIT
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
  const auto folder = std::make_shared<std::string>();
  CLI::App* sub =
      add_command(app, "report", "rebuild a run's tables, plots and report without running it again",
                  "engram report engram-runs/comparison-family");
  add_option(sub, "folder", *folder, "the folder of a run, or of a sweep")
      ->type_name(folder_type)
      ->required();
  sub->callback([&code, folder] { code = report(*folder); });
}

}  // namespace engram::experiments
