// SPDX-License-Identifier: MIT
// The model that chooses what a NARS is told, learnt on from what the NARS makes of it.
#pragma once

#include <string>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Weights of proof_attention that go on being learnt (core/proofs/proof_learner.hpp).
class ModelLearning {
 public:
  /// Continues from a model that has learnt in earlier sessions, or starts from any other model of proof_attention.
  /// Weights that are frozen stay as they are, in later sessions too.
  /// Errors  std::invalid_argument for a model of another method
  explicit ModelLearning(Model model, const std::vector<core::ProofFeature>& frozen = {});

  /// What an answer rests on is a proof of it: of all between its two names the statements `used` become likelier.
  /// Not seen is what `without` has: what the reasoner inferred stands for what it was inferred from.
  void answered(core::Session& session, const narsese::Term& answer,
                const std::vector<core::StatementId>& used, const std::vector<core::StatementId>& without);
  /// A question that had no answer from `given`, of which more than most_given tell nothing.
  void failed(core::Session& session, const narsese::Term& question,
              const std::vector<core::StatementId>& given, const std::vector<core::StatementId>& without);
  /// Chosen: the work of a failure grows with their square where all mention one name.
  static constexpr std::size_t most_given = 1'000;

  /// As it is now: how it came about is how what it came with did.
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
