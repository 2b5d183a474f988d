// SPDX-License-Identifier: MIT
// engram train: a model from a spec.
#include <unistd.h>

#include <iostream>
#include <memory>

#include "core/numbers/parallel.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/train_prediction.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/prediction/prediction_training.hpp"
#include "experiments/runs/interruption.hpp"
#include "experiments/runs/progress.hpp"
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

// A file, or the bare name of one that comes along.
SpecSource source_of(const std::string& name) {
  std::error_code ignored;
  const fs::path given = name;
  if (given.filename() == given && !given.has_extension() && !fs::exists(given, ignored))
    if (const fs::path shipped = shipped_file("models/" + name + ".json"); !shipped.empty())
      return load_spec(shipped);
  return load_spec(given);
}

Table weights_table(const Trained& trained) {
  Table table{"weights", "", {"feature", "before", "learnt"}};
  for (std::size_t f = 0; f < core::path_features; ++f)
    table.rows.push_back({cell(std::string(core::path_feature_facts[f].name)), cell(trained.start[f], 2),
                          cell(trained.training.parameters[static_cast<core::Index>(f)], 2)});
  return table;
}

// The command that goes on with a training.
std::string resuming(const TrainArguments& arguments) {
  std::string text = "engram train " + shell_word(arguments.spec);
  for (const std::string& assignment : arguments.overrides) text += " --set " + shell_word(assignment);
  if (arguments.jobs > 1) text += " --jobs " + std::to_string(arguments.jobs);
  return text + " --out " + shell_word(arguments.out) + " --resume";
}

ExitCode train_model(const TrainArguments& arguments) {
  SpecSource source = source_of(arguments.spec);
  for (const std::string& assignment : arguments.overrides) apply_override(source.json, assignment);
  if (trains_prediction(source.json))
    return train_prediction_model(source, arguments.out, arguments.resume, resuming(arguments));
  TrainingSpec spec = read_training_spec(source.json, source.folders);
  spec.training.threads = arguments.jobs;
  const Interruption interruption;
  core::TrainingOptions& descent = spec.training.descent;
  const Checkpoint checkpoint(arguments.out, training_plan(spec));
  if (arguments.resume) descent.resumed = checkpoint.read();
  int done_epochs = descent.resumed ? descent.resumed->epoch() : 0;
  Progress progress(&std::cerr, ::isatty(STDERR_FILENO) == 1, "train",
                    static_cast<std::size_t>(descent.max_epochs) + 1, static_cast<std::size_t>(done_epochs),
                    "epochs");
  descent.each_epoch = [&](int, double) { progress.advance(); };
  descent.each_step = [&](const core::TrainingState& state) {
    checkpoint.write(state);
    done_epochs = state.epoch();
  };
  Trained trained;
  try {
    trained = train(spec);
  } catch (const core::WorkStopped& stopped) {
    progress.finish();
    if (stopped.reason != core::WorkStopped::Reason::asked) throw;
    std::cerr << "engram: stopped after " << done_epochs << " of " << descent.max_epochs + 1
              << " epochs; go on with\n  " << resuming(arguments) << '\n';
    return interrupted;
  }
  progress.finish();
  write_file(arguments.out, bridge::to_text(trained.model));
  checkpoint.remove();
  const Json& loss = trained.model.made.at("loss_held_out");
  std::cout << to_text(weights_table(trained)) << "\nlog p of "
            << (spec.objective == "proofs" ? "a known proof" : "the name left out") << ", mean over "
            << trained.held_out << " questions held out: " << fixed(-loss.at("before").get<double>(), 3)
            << " before, " << fixed(-loss.at("after").get<double>(), 3) << " after "
            << trained.training.best_epoch << " epochs with " << trained.examples
            << " questions\nwritten: " << arguments.out << '\n';
  return done;
}

}  // namespace

void add_train(CLI::App& app, ExitCode& code) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App* sub = add_command(app, "train", "learn a method's weights from questions with known proofs",
                              "engram train path_attention --jobs 2 --out my.engram");
  add_option(sub, "spec", arguments->spec, "a training spec, or the bare name of one that comes along")
      ->required();
  add_option(sub, "--out", arguments->out, "the model, a file that --model takes")->required();
  add_option(sub, "--set", arguments->overrides, "what the spec says otherwise, such as questions=100")
      ->take_all()
      ->allow_extra_args(false);
  add_option(sub, "--jobs", arguments->jobs, "threads; they make no difference to the model")
      ->check(CLI::Range(1U, 1024U));
  sub->add_flag("--resume", arguments->resume, "go on with an interrupted training of the same model");
  sub->callback([&code, arguments] { code = train_model(*arguments); });
}

}  // namespace engram::experiments
