// SPDX-License-Identifier: MIT
#include "bridge/attach/model_learning.hpp"

#include <stdexcept>
#include <utility>

#include "core/methods/path_attention.hpp"
#include "core/paths/path_questions.hpp"

namespace engram::bridge {
namespace {

core::PathLearner learner_of(const Model& model, const std::vector<core::PathFeature>& frozen) {
  if (model.method != core::path_attention_name)
    throw std::invalid_argument("a model that goes on learning must be of " +
                                std::string(core::path_attention_name) + ", found one of " + model.method);
  const core::PathLearnerOptions options{.frozen = frozen};
  return model.learning ? core::PathLearner(*model.learning, options)
                        : core::PathLearner(core::path_settings(model.options).theta, options);
}

}  // namespace

ModelLearning::ModelLearning(Model model, const std::vector<core::PathFeature>& frozen)
    : model_(std::move(model)),
      attention_(core::path_settings(model_.options).options),
      learner_(learner_of(model_, frozen)) {
  model_.learning = learner_.state();
}

// Of what says something of two names, one way; others have several paths to learn, or none.
template <class Learn>
void ModelLearning::learn(core::Session& session, const narsese::Term& sentence,
                          const std::vector<core::StatementId>& without, Learn learn) {
  const core::Readings& memory = session.readings();
  const auto questions = core::path_questions(memory, core::cue_for(session.memory(), sentence));
  if (questions.size() != 1) return;
  const core::RelationRules& rules = memory.relation_rules();
  if (!learn(core::PathExample{&memory, &rules, questions.front(), {}, without})) return;
  for (auto& [name, weight] : core::options_of(learner_.weights())) model_.options[name] = weight;
  model_.learning = learner_.state();
}

void ModelLearning::answered(core::Session& session, const narsese::Term& answer,
                             const std::vector<core::StatementId>& used,
                             const std::vector<core::StatementId>& without) {
  learn(session, answer, without, [&](core::PathExample example) {
    example.proofs = {used};
    return learner_.answered(example, attention_);
  });
}

void ModelLearning::failed(core::Session& session, const narsese::Term& question,
                           const std::vector<core::StatementId>& given,
                           const std::vector<core::StatementId>& without) {
  if (given.size() > most_given) return;
  learn(session, question, without,
        [&](const core::PathExample& example) { return learner_.failed(example, given, attention_); });
}

}  // namespace engram::bridge
