// SPDX-License-Identifier: MIT
// The command `engram compare A B`: compares two runs.
#include <iostream>
#include <memory>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/runs/run_comparison.hpp"

namespace engram::experiments {
namespace {

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

void add_compare(CLI::App& app, ExitCode& code) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* sub =
      add_command(app, "compare", "hold two runs of the same experiment against each other, pair by pair",
                  "engram compare engram-runs/before engram-runs/after");
  add_option(sub, "a", arguments->a, "the folder of a run")->type_name(folder_type)->required();
  add_option(sub, "b", arguments->b, "the folder of another")->type_name(folder_type)->required();
  add_option(sub, "--format", arguments->format, "text, or csv or markdown: the table alone")
      ->check(one_of({"text", "csv", "markdown"}));
  sub->callback([&code, arguments] { code = compare(*arguments); });
}

}  // namespace engram::experiments
