// SPDX-License-Identifier: MIT
// engram train: a model from a spec.
#include <unistd.h>

#include <iostream>
#include <memory>

#include "core/numbers/parallel.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/runs/interruption.hpp"
#include "experiments/runs/progress.hpp"
#include "experiments/spec/spec_file.hpp"
#include "experiments/training/training.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

struct TrainArguments {
  std::string spec, out;
  std::vector<std::string> overrides;
  unsigned jobs = 1;
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

ExitCode train_model(const TrainArguments& arguments) {
  SpecSource source = source_of(arguments.spec);
  for (const std::string& assignment : arguments.overrides) apply_override(source.json, assignment);
  TrainingSpec spec = read_training_spec(source.json, source.folders);
  spec.training.threads = arguments.jobs;
  const Interruption interruption;
  const int epochs = spec.training.descent.max_epochs;
  Progress progress(&std::cerr, ::isatty(STDERR_FILENO) == 1, "train", static_cast<std::size_t>(epochs) + 1,
                    0, "epochs");
  spec.training.descent.each_epoch = [&](int, double) { progress.advance(); };
  const Trained trained = train(spec);
  progress.finish();
  write_file(arguments.out, bridge::to_text(trained.model));
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
  sub->callback([&code, arguments] { code = train_model(*arguments); });
}

}  // namespace engram::experiments
