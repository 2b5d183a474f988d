// SPDX-License-Identifier: MIT
// A modern Hopfield network over statements, with learnt maps between the roles of names. It is the baseline that
// proof_attention is compared with: trained on the same memory and questions, with the same objective.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/index/hops.hpp"
#include "core/proofs/proof_training.hpp"

namespace engram::core {

/// The number of roles that a name in a question can have: first name, second name or relation (NameRole in
/// core/index/hops.hpp).
inline constexpr std::size_t asked_roles = 3;
/// The number of features of a statement: whether it states the same kind of relation as the question, whether it is a
/// rule, and its doubt, with x the expectation: 1 - 2 x for x < 1/2, or 2 - 2 x for x > 1/2.
inline constexpr std::size_t statement_features = 4;

inline constexpr std::size_t hopfield_maps =
    asked_roles * name_roles + name_roles * name_roles + statement_features;

/// The learnt parameters, stored by rows: two maps between the roles of names, and feature weights. C (3, 5) maps the
/// roles of names in the question to roles of names in statements. R (5, 5) does the same for recalled names. c (4)
/// weighs the features of statements.
using HopfieldMaps = std::array<double, hopfield_maps>;

/// The name of parameter number i, such as "asked_first_conclusion" in C, "recalled_second_first" in R, or "denied" in
/// c.
std::string hopfield_map_name(std::size_t i);
/// The meaning of parameter number i, for help texts.
std::string hopfield_map_meaning(std::size_t i);

/// The largest absolute value of a parameter.
inline constexpr double largest_hopfield_map = 200;

/// Untrained parameters, which ignore the roles of names: the network then equals the method modern_hopfield with this
/// inverse temperature beta.
HopfieldMaps plain_hopfield_maps(double beta = 8);

/// The Hopfield network for one question. It recalls the statements that the question needs, in T steps. Statement e
/// has a key x_e = (x_e1 .. x_e5), with one part for each role of names (core/index/hops.hpp), and features f_e. q_a is
/// the one-hot vector of the question's name in role a, m(t) are the recalled names, and C, R, c are the learnt
/// parameters (HopfieldMaps):
///     s_e(t) = sum_ab C_ab <q_a, x_eb> + sum_ab R_ab <m_a(t), x_eb> + c f_e
///     p(t) = softmax(s(t)),    m(t + 1) = sum_e p_e(t) x_e,    m(1) = 0,    t = 1 .. T
/// The score of a statement is p_e(T). This is the modern Hopfield update xi <- q + X' softmax(X W xi + F c) with a
/// query map W. W maps roles to roles, so the same W fits every memory; its magnitude acts as the inverse temperature
/// beta. If all entries of C and R are beta, and c = 0, the network is recall_modern()
/// (core/hopfield/modern_hopfield.hpp) with the question as a constant field. Statements without evidence and the
/// statements in `without` are excluded.
/// Ranges   steps T in [1, 100]
/// Cost     of a step: O(entries of the keys + 25 n) with n concepts; three times as much with the gradient
/// Source   Ramsauer et al. 2021, "Hopfield Networks is All You Need" (layers with learnt maps)
class TrainedHopfield {
 public:
  TrainedHopfield(const MemoryIndex& memory, const NamePair& question,
                  std::span<const StatementId> without = {});

  /// Runs the network and returns the scores of all p statements.  Shapes  -> (p)
  Vector recall(const HopfieldMaps& maps, int steps) const;

  /// A log-likelihood, and its gradient with respect to the parameters.
  struct Likelihood {
    double log_p = 0;  // in (-infinity, 0]
    HopfieldMaps gradient{};
  };
  /// The training objective for known proofs: the mean log-score of the statements of a proof S,
  ///     log p = 1/|S| sum over e in S of log p_e(T)
  /// and its gradient by backpropagation through the steps. The proof with the largest value counts. Returns nothing if
  /// every proof has an excluded statement.
  std::optional<Likelihood> likelihood(std::span<const std::vector<StatementId>> proofs,
                                       const HopfieldMaps& maps, int steps) const;

 private:
  struct Step {
    Vector recalled;  // recalled names m(t)
    Vector scores, weights;
    double log_total = 0;  // log of the sum of exp(scores)
  };
  std::vector<Step> run(const HopfieldMaps& maps, int steps) const;
  void add_features(const HopfieldMaps& maps, Vector& scores) const;

  const MemoryIndex& memory_;
  const RoleKeys& role_keys_;
  NamePair question_;
  std::array<std::optional<ConceptId>, asked_roles> names_;
  std::vector<char> is_included_;
  std::array<Vector, statement_features> features_;
};

/// Options of train_hopfield().
struct HopfieldTrainingOptions {
  int steps = 4;  // number of steps T of the network
  TrainingOptions descent;
  double prior = 0.001;  // strength lambda of the pull towards the start
  unsigned threads = 1;
};

/// Converts a parameter vector to parameters, clamped to +-largest_hopfield_map.
HopfieldMaps hopfield_maps_of(const Vector& parameters);

/// Trains the parameters by train_likelihood() (core/proofs/proof_training.hpp), from `start`. Examples without known
/// proofs, or with several pairs of names, are left out.
Training train_hopfield(const HopfieldMaps& start, std::span<const ProofExample> examples,
                        std::span<const ProofExample> held_out, const HopfieldTrainingOptions& options);

}  // namespace engram::core
