// SPDX-License-Identifier: MIT
#include "experiments/commands/train_prediction.hpp"

#include <unistd.h>

#include <iostream>

#include "experiments/commands/diagnostics.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/prediction/prediction_training.hpp"
#include "experiments/provenance/manifest.hpp"
#include "experiments/runs/interruption.hpp"
#include "experiments/runs/progress.hpp"
#include "experiments/training/checkpoint.hpp"

namespace engram::experiments {
namespace {

// All that the model depends on.
Json plan_of(const PredictionTrainingSpec& spec) {
  Json inputs = Json::object();
  for (const Input& input : spec.inputs) inputs[input.name] = sha256_of_file(input.path);
  return {{"spec", spec.resolved}, {"sha256_of_inputs", inputs}, {"program", version_line()}};
}

ExitCode tell(const Rejections& rejections) {
  ExitCode code = done;
  for (const auto& [name, line] : rejections) {
    Diagnostics diagnostics(name, std::cerr);
    diagnostics.error(line.line, line.column, line.message);
    code = input_errors;
  }
  return code;
}

}  // namespace

ExitCode train_prediction_model(const SpecSource& source, const std::string& out, bool resume,
                                const std::string& resuming) {
  PredictionTrainingSpec spec = read_prediction_training(source.json, source.folders);
  Rejections rejections;
  const std::optional<EventStream> stream = stream_of(spec, rejections);
  const ExitCode code = tell(rejections);
  if (!stream) return code;
  const Interruption interruption;
  core::TrainingOptions& descent = spec.fitting.training;
  const Checkpoint checkpoint(out, plan_of(spec));
  if (resume) descent.resumed = checkpoint.read();
  int done_epochs = descent.resumed ? descent.resumed->epoch() : 0;
  Progress progress(&std::cerr, ::isatty(STDERR_FILENO) == 1, "train",
                    static_cast<std::size_t>(descent.max_epochs) + 1, static_cast<std::size_t>(done_epochs),
                    "epochs");
  descent.each_epoch = [&](int, double) { progress.advance(); };
  descent.each_step = [&](const core::TrainingState& state) {
    checkpoint.write(state);
    done_epochs = state.epoch();
  };
  TrainedPrediction trained;
  try {
    trained = train_prediction(spec, *stream);
  } catch (const core::WorkStopped& stopped) {
    progress.finish();
    if (stopped.reason != core::WorkStopped::Reason::asked) throw;
    std::cerr << "engram: stopped after " << done_epochs << " of " << descent.max_epochs + 1
              << " epochs; go on with\n  " << resuming << '\n';
    return interrupted;
  }
  progress.finish();
  write_file(out, to_text(trained.model));
  checkpoint.remove();
  const Json& loss = trained.model.made.at("loss_held_back");
  std::cout << "log-loss of the next episode's concepts, in nats, mean over " << trained.held_back
            << " episodes held back: " << fixed(loss.at("before").get<double>(), 3) << " before, "
            << fixed(loss.at("after").get<double>(), 3) << " after " << trained.training.best_epoch
            << " epochs with " << trained.learnt << " episodes of " << stream->name << "\nwritten: " << out
            << '\n';
  return code;
}

}  // namespace engram::experiments
