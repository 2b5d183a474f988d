// SPDX-License-Identifier: MIT
// The command `engram train`: trains a model from a spec.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "core/numbers/work_budget.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/standard_streams.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/runs/terminal.hpp"
#include "experiments/spec/spec_file.hpp"
#include "experiments/training/checkpoint.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

struct TrainArguments {
  std::string spec, out;
  std::vector<std::string> overrides;
  unsigned jobs = 1;
  bool resume = false;
};

// Reads a spec from a file, or finds a shipped spec by its bare name.
SpecSource source_of(const std::string& name) {
  std::error_code ignored;
  const fs::path given = name;
  if (given.filename() == given && !given.has_extension() && !fs::exists(given, ignored))
    if (const fs::path shipped = shipped_file("models/" + name + ".json"); !shipped.empty())
      return load_spec(shipped);
  return load_spec(given);
}

// Returns the command line that resumes a training.
std::string resuming(const TrainArguments& arguments) {
  std::string text = "engram train " + shell_word(arguments.spec);
  for (const std::string& assignment : arguments.overrides) text += " --set " + shell_word(assignment);
  if (arguments.jobs > 1) text += " --jobs " + std::to_string(arguments.jobs);
  return text + " --out " + shell_word(arguments.out) + " --resume";
}

ExitCode train_model(const TrainArguments& arguments) {
  SpecSource source = source_of(arguments.spec);
  for (const std::string& assignment : arguments.overrides) apply_override(source.json, assignment);
  const std::unique_ptr<Trainer> trainer = make_trainer(source.json, source.folders);
  for (const auto& [name, line] : trainer->rejections())
    Diagnostics(name, std::cerr).error(line.line, line.column, line.message);
  const ExitCode code = trainer->rejections().empty() ? done : input_errors;
  if (trainer->steps() == 0) return code;
  const Checkpoint checkpoint(arguments.out, *trainer);
  const Interruption interruption;
  std::size_t kept = arguments.resume ? checkpoint.resume(*trainer) : 0, steps = kept;
  const std::size_t all = trainer->steps(), units = std::max<std::size_t>(1, all / 100);
  std::ostream* const terminal = ::isatty(STDERR_FILENO) == 1 ? &StandardError::unchanged() : nullptr;
  Progress progress(&std::cerr, terminal, "train", all, kept, trainer->units());
  FinishedTraining finished;
  try {
    finished = trainer->run(arguments.jobs, [&](std::size_t now, const std::function<Json()>& state) {
      progress.advance(now - steps);
      steps = now;
      if (now % units != 0) return;  // a crash loses at most a hundredth of the training
      checkpoint.write(state());
      kept = now;
    });
  } catch (const core::WorkStopped& stopped) {
    progress.finish();
    if (stopped.reason != core::WorkStopped::Reason::cancelled) throw;
    std::cerr << "engram: stopped after " << kept << " of " << all << ' ' << trainer->units()
              << "; go on with\n  " << resuming(arguments) << '\n';
    return interrupted;
  }
  progress.finish();
  write_file(arguments.out, finished.model);
  checkpoint.remove();
  std::cout << finished.summary << "written: " << arguments.out << '\n';
  return code;
}

// The names of the shipped specs.
std::vector<std::string> spec_names() {
  std::error_code ignored;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(shipped_file("models"), ignored))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

void add_train(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "train", "learn a model from questions with known proofs, or from facts",
                  "engram train proof_attention --jobs 2 --out my.engram", train_model);
  add_option(command, "spec", arguments.spec, "a training spec, or the name of a shipped one", is_file,
             suggested(spec_names()), is_required);
  add_option(command, "--out", arguments.out, "file for the model, which --model accepts", is_file,
             is_required);
  add_option(command, "--set", arguments.overrides,
             "path=value: changes a member of the spec, such as questions=100", is_repeated);
  add_option(command, "--jobs", arguments.jobs, "number of threads, which does not change the model",
             in_range(1, 1024));
  add_option(command, "--resume", arguments.resume, "resume an interrupted training of the same model");
}

}  // namespace engram::experiments
