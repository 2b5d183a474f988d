// SPDX-License-Identifier: MIT
// Trainer of proof_attention and trained_hopfield for `engram train`.
#include "core/proofs/proof_methods.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/training/descent_state.hpp"
#include "experiments/training/trainer.hpp"
#include "experiments/training/training.hpp"

namespace engram::experiments {
namespace {

using bridge::JsonValue;

// Text on the learnt confidences.
std::string confidence_of(const Trained& trained, const TrainingSpec& spec) {
  if (spec.method != core::proof_attention_name || spec.objective != "proofs") return "";
  const core::ProofConfidence of = core::proof_settings(trained.model.options).options.confidence;
  return "probability that a proof suffices if no better one does: " + fixed(of.proof, 3) + ", for a guess " +
         fixed(of.guess, 3) + "\n";
}

std::string summary_of(const Trained& trained, const TrainingSpec& spec) {
  Table table{"weights", "", {"feature", "before", "learnt"}};
  for (std::size_t f = 0; f < trained.names.size(); ++f) {
    const auto at = static_cast<core::Index>(f);
    table.rows.push_back(
        {cell(trained.names[f]), cell(trained.start[at], 2), cell(trained.training.parameters[at], 2)});
  }
  const Json& loss = trained.model.made.at("loss_held_out");
  return to_text(table) + "\nlog p of " +
         (spec.objective == "proofs" ? "a known proof" : "the name left out") + ", mean over " +
         std::to_string(trained.held_out) +
         " examples held out: " + fixed(-loss.at("before").get<double>(), 3) + " before, " +
         fixed(-loss.at("after").get<double>(), 3) + " after " + std::to_string(trained.training.best_epoch) +
         " epochs with " + std::to_string(trained.examples) + " examples\n" + confidence_of(trained, spec);
}

class ProofTrainer : public Trainer {
 public:
  explicit ProofTrainer(TrainingSpec spec) : spec_(std::move(spec)) {}

  const Json& spec() const override { return spec_.resolved; }
  Json sha256_of_inputs() const override { return experiments::sha256_of_inputs(spec_); }
  // The initial parameters count as an epoch, because their loss is computed.
  std::size_t steps() const override {
    return static_cast<std::size_t>(spec_.training.descent.max_epochs) + 1;
  }
  std::string units() const override { return "epochs"; }

  std::size_t resume(const JsonValue& state) override {
    spec_.training.descent.resumed = training_state_in(state);
    return static_cast<std::size_t>(spec_.training.descent.resumed->epoch());
  }

  FinishedTraining run(unsigned threads, const TrainingTold& told) override {
    TrainingSpec spec = spec_;
    spec.training.threads = threads;
    spec.training.descent.each_step = [&](const core::TrainingState& state) {
      told(static_cast<std::size_t>(state.epoch()), [&] { return json_of(state); });
    };
    const Trained trained = train(spec);
    return {bridge::to_text(trained.model), summary_of(trained, spec)};
  }

 private:
  TrainingSpec spec_;
};

}  // namespace

std::unique_ptr<Trainer> proof_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders) {
  return std::make_unique<ProofTrainer>(read_training_spec(spec, folders));
}

}  // namespace engram::experiments
