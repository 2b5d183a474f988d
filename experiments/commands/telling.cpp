// SPDX-License-Identifier: MIT
#include "experiments/commands/telling.hpp"

#include <algorithm>
#include <iostream>

#include "experiments/formats/files.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

ExitCode report_rejections(const Rejections& rejections, std::size_t in_all) {
  constexpr std::size_t most = 100;
  for (std::size_t i = 0; i < std::min(rejections.size(), most); ++i) {
    const auto& [file, line] = rejections[i];
    std::cerr << file << ':' << line.line << ':' << line.column << ": error: " << line.message << '\n';
  }
  if (in_all > most) std::cerr << "... and " << in_all - most << " more errors\n";
  return rejections.empty() ? done : input_errors;
}

ExitCode read_files(const std::vector<std::string>& files, core::Session& session) {
  Rejections rejections;
  for (const std::string& name : files) {
    std::ifstream file = open_stream(name);
    for (const core::RejectedLine& line : session.input(file).rejected) rejections.emplace_back(name, line);
    require_whole(file, name);
  }
  return report_rejections(rejections);
}

void tell_undrawn(const std::vector<std::string>& undrawn) {
  for (const std::string& picture : undrawn) std::cerr << "note: " << picture << '\n';
}

void tell_sweep(const fs::path& folder, const std::vector<SweepPoint>& points) {
  std::cout << points.front().question << "\n\n";
  for (const SweepPoint& point : points)
    std::cout << fs::path(point.folder).filename().string() << "\n" << wrapped(point.answer, 100) << '\n';
  std::cout << "every point, method and measure: " << (folder / "report.html").string()
            << "; a row a number: " << (folder / "sweep.csv").string() << '\n';
}

}  // namespace engram::experiments
