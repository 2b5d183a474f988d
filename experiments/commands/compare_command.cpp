// SPDX-License-Identifier: MIT
// `engram compare A B`.
#include <iostream>

#include "experiments/commands/commands.hpp"
#include "experiments/runs/run_comparison.hpp"

namespace engram::experiments {

ExitCode compare_command(const CompareArguments& arguments) {
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

}  // namespace engram::experiments
