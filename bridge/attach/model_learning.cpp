// SPDX-License-Identifier: MIT
#include "bridge/attach/model_learning.hpp"

#include <stdexcept>
#include <utility>

#include "core/proofs/proof_methods.hpp"

namespace engram::bridge {
namespace {

core::ProofLearner learner_of(const Model& model, const std::vector<core::ProofFeature>& frozen) {
  if (model.method != core::proof_attention_name)
    throw std::invalid_argument("a model that goes on learning must be of " +
                                std::string(core::proof_attention_name) + ", found one of " + model.method);
  const core::ProofLearnerOptions options{.frozen = frozen};
  return model.learning ? core::ProofLearner(*model.learning, options)
                        : core::ProofLearner(core::proof_settings(model.options).theta, options);
}

}  // namespace

ModelLearning::ModelLearning(Model model, const std::vector<core::ProofFeature>& frozen)
    : model_(std::move(model)),
      attention_(core::proof_settings(model_.options).options),
      learner_(learner_of(model_, frozen)) {
  model_.learning = learner_.state();
}

// Only trains on questions with exactly one pair of names. Other questions have several candidate sets, or none.
template <class Learn>
void ModelLearning::learn(core::Session& session, const narsese::Term& sentence,
                          const std::vector<core::StatementId>& without, Learn learn) {
  const core::MemoryIndex& memory = session.index();
  core::ProofQuery asked = core::proof_query(memory, core::cue_for(session.memory(), sentence));
  if (asked.pairs.size() != 1) return;
  asked.question.without = without;
  if (!learn(core::ProofExample{&memory, std::move(asked), {}})) return;
  for (auto& [name, weight] : core::options_of(learner_.weights())) model_.options[name] = weight;
  model_.learning = learner_.state();
}

void ModelLearning::answered(core::Session& session, const narsese::Term& answer,
                             const std::vector<core::StatementId>& used,
                             const std::vector<core::StatementId>& without) {
  learn(session, answer, without, [&](core::ProofExample example) {
    example.proofs = {used};
    return learner_.answered(example, attention_);
  });
}

void ModelLearning::failed(core::Session& session, const narsese::Term& question,
                           const std::vector<core::StatementId>& given,
                           const std::vector<core::StatementId>& without) {
  if (given.size() > most_given) return;
  learn(session, question, without,
        [&](const core::ProofExample& example) { return learner_.failed(example, given, attention_); });
}

}  // namespace engram::bridge
