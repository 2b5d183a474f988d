// SPDX-License-Identifier: MIT
// Online training of the model that selects input for a NARS, from the answers of the NARS.
#pragma once

#include <string>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Trains the weights of proof_attention online (core/proofs/proof_training.hpp).
class ModelLearning {
 public:
  /// Continues the training of a model that was trained in earlier sessions, or starts from any other model of
  /// proof_attention. Frozen weights stay constant, in later sessions too.
  /// Errors  std::invalid_argument for a model of another method
  explicit ModelLearning(Model model, const std::vector<core::ProofFeature>& frozen = {});

  /// Trains on an answer. The statements `used` are its proof; among all statements between the two names of the
  /// answer, their probability increases. The model does not see the statements `without`, because inferred statements
  /// would replace their premises.
  void answered(core::Session& session, const narsese::Term& answer,
                const std::vector<core::StatementId>& used, const std::vector<core::StatementId>& without);
  /// Trains on a question that got no answer from `given`. Ignores the question if there are more than most_given
  /// statements.
  void failed(core::Session& session, const narsese::Term& question,
              const std::vector<core::StatementId>& given, const std::vector<core::StatementId>& without);
  /// Chosen: the cost of a failure is quadratic in this number if all statements share a name.
  static constexpr std::size_t most_given = 1'000;

  /// The current model. Its provenance is that of the model it was trained from.
  const Model& model() const { return model_; }

 private:
  template <class Learn>
  void learn(core::Session& session, const narsese::Term& sentence,
             const std::vector<core::StatementId>& without, Learn learn);

  Model model_;
  core::ProofAttentionOptions attention_;
  core::ProofLearner learner_;
};

}  // namespace engram::bridge
