// SPDX-License-Identifier: MIT
// Trainer of the prediction methods for `engram train`.
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/prediction/prediction_model.hpp"
#include "experiments/training/checkpoint.hpp"
#include "experiments/training/trainer.hpp"

namespace engram::experiments {
namespace {

class PredictionTrainer : public Trainer {
 public:
  explicit PredictionTrainer(prediction::PredictionTrainingSpec spec)
      : spec_(std::move(spec)), stream_(prediction::stream_of(spec_, rejections_)) {}

  const Json& spec() const override { return spec_.resolved; }
  Json sha256_of_inputs() const override { return sha256_of(spec_.inputs); }
  const Rejections& rejections() const override { return rejections_; }
  // The initial parameters count as an epoch, because their loss is computed.
  std::size_t steps() const override {
    return stream_ ? static_cast<std::size_t>(spec_.fitting.training.max_epochs) + 1 : 0;
  }
  std::string units() const override { return "epochs"; }

  std::size_t resume(const JsonValue& state) override {
    spec_.fitting.training.resumed = training_state_in(state);
    return static_cast<std::size_t>(spec_.fitting.training.resumed->epoch());
  }

  FinishedTraining run(unsigned /*threads*/, const OnTrainingStep& on_step) override {
    prediction::PredictionTrainingSpec spec = spec_;
    spec.fitting.training.each_step = [&](const core::TrainingState& state) {
      on_step(static_cast<std::size_t>(state.epoch()), [&] { return json_of(state); });
    };
    const prediction::TrainedPrediction trained = prediction::train_prediction(spec, *stream_);
    const Json& loss = trained.model.made.at("loss_held_back");
    return {to_text(trained.model), "log-loss of the next episode's concepts, in nats, mean over " +
                                        std::to_string(trained.held_back) +
                                        " episodes held back: " + fixed(loss.at("before").get<double>(), 3) +
                                        " before, " + fixed(loss.at("after").get<double>(), 3) + " after " +
                                        std::to_string(trained.training.best_epoch) + " epochs with " +
                                        std::to_string(trained.learnt) + " episodes of " + stream_->name +
                                        '\n'};
  }

 private:
  prediction::PredictionTrainingSpec spec_;
  Rejections rejections_;
  std::optional<EventStream> stream_;
};

}  // namespace

std::unique_ptr<Trainer> prediction_trainer(const Json& spec,
                                            const std::vector<std::filesystem::path>& folders) {
  return std::make_unique<PredictionTrainer>(prediction::read_prediction_training(spec, folders));
}

}  // namespace engram::experiments
