// SPDX-License-Identifier: MIT
// The command `engram verify`: repeats a run, or every point of a sweep, and compares the results.
#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/telling.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/runs/run_comparison.hpp"
#include "experiments/runs/terminal.hpp"
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

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

Verification verify_run(const fs::path& folder, const std::string& base, unsigned jobs, bool allow_programs) {
  if (const fs::path file = folder / "spec.json"; !allow_programs && fs::is_regular_file(file))
    if (const Json spec = read_json(file); spec.is_object()) require_consent(spec, {}, folder.string());
  return verify(folder, base, jobs);
}

ExitCode verify_all(const std::string& folder, const std::string& base, unsigned jobs, bool allow_programs) {
  const Interruption interruption;  // removes the temporary folder after Ctrl-C
  const fs::path sweep = fs::path(folder) / "sweep.json";
  if (!fs::exists(sweep)) return tell(verify_run(folder, base, jobs, allow_programs), folder);
  ExitCode code = done;
  for (const SweepFolder& cell : read_sweep(folder)) {
    std::cout << cell.path.string() << ": ";
    code = std::max(code, tell(verify_run(cell.path, base, jobs, allow_programs), cell.path.string()));
  }
  return code;
}

}  // namespace

void add_verify(CLI::App& app, ExitCode& code) {
  struct Arguments {
    std::string folder, base;
    unsigned jobs = 1;
    bool allow_programs = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* sub =
      add_command(app, "verify", "check a run's files and inputs, do it again and compare every byte",
                  "engram verify engram-runs/comparison-family");
  add_option(sub, "folder", arguments->folder, "the folder of a run, or of a sweep")
      ->type_name(folder_type)
      ->required();
  add_option(sub, "--base", arguments->base,
             "folder that inputs' names are relative to (default: where they were)")
      ->type_name(folder_type);
  add_option(sub, "--jobs", arguments->jobs, "trials at a time; changes no result")
      ->check(CLI::Range(1u, 1024u));
  sub->add_flag("--allow-programs", arguments->allow_programs,
                "let the run start the NARS or the Python file that its spec names");
  sub->callback([&code, arguments] {
    code = verify_all(arguments->folder, arguments->base, arguments->jobs, arguments->allow_programs);
  });
}

}  // namespace engram::experiments
