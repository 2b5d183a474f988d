// SPDX-License-Identifier: MIT
// A modern Hopfield network over statements with learnt maps and inverse temperature. It is the baseline of
// proof_attention: trained on the same memory and questions, with the same objective.
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

/// The number of roles that a name of a question can have: first, second or relation (core/index/hops.hpp).
inline constexpr std::size_t asked_roles = 3;
/// The number of features of a statement: whether its kind is that of the question, whether it is a rule, 1 - 2 x for
/// an expectation x < 1/2, and 2 - 2 x for x > 1/2.
inline constexpr std::size_t statement_features = 4;

inline constexpr std::size_t hopfield_maps =
    asked_roles * name_roles + name_roles * name_roles + statement_features;

/// The learnt parameters: C (3, 5) by rows, R (5, 5) by rows, c (4).
using HopfieldMaps = std::array<double, hopfield_maps>;

/// The name of a parameter, such as "asked_first_conclusion" in C, "recalled_second_first" in R, or "denied" in c.
std::string hopfield_map_name(std::size_t i);
/// The meaning of a parameter, for help texts.
std::string hopfield_map_meaning(std::size_t i);

/// The largest magnitude of a parameter.
inline constexpr double largest_hopfield_map = 200;

/// The parameters with which the network is modern_hopfield with this beta: roles make no difference.
HopfieldMaps plain_hopfield_maps(double beta = 8);

/// The network. With x_e = (x_e1 .. x_e5) the key of statement e split by role (core/index/hops.hpp), q_a the
/// question's name in role a (one-hot), and f_e the features of e:
///     s_e(t) = sum_ab C_ab <q_a, x_eb> + sum_ab R_ab <m_a(t), x_eb> + c f_e
///     p(t) = softmax(s(t)),    m(t + 1) = sum_e p_e(t) x_e,    m(1) = 0,    t = 1 .. T
/// The score of a statement is p_e(T). This is the modern Hopfield update xi <- q + X' softmax(X W xi + F c) with a
/// query map W. W maps roles to roles, so the same W can be used with every memory; its size is beta. With C = R = beta
/// and c = 0 the network is recall_modern (core/hopfield/modern_hopfield.hpp) with the question as a constant field.
/// Statements without evidence and the statements in `without` are excluded.
/// Ranges   steps T in [1, 100]
/// Cost     of a step: O(entries of the keys + 25 n); three times as much with the gradient
/// Source   Ramsauer et al. 2021, "Hopfield Networks is All You Need" (layers with learnt maps)
class TrainedHopfield {
 public:
  TrainedHopfield(const MemoryIndex& memory, const NamePair& question,
                  std::span<const StatementId> without = {});

  /// The scores p(T).  Shapes  (p)
  Vector recall(const HopfieldMaps& maps, int steps) const;

  /// A log-likelihood and its gradient.
  struct Likelihood {
    double log_p = 0;  // in (-infinity, 0]
    HopfieldMaps gradient{};
  };
  /// The mean log-score of the statements of a known proof S, and its gradient by backpropagation through the steps:
  ///     log p = 1/|S| sum over e in S of log p_e(T)
  /// The proof with the largest value counts. Empty if every proof has an excluded statement.
  std::optional<Likelihood> likelihood(std::span<const std::vector<StatementId>> proofs,
                                       const HopfieldMaps& maps, int steps) const;

 private:
  struct Step {
    Vector recalled;  // m(t)
    Vector scores, weights;
    double log_total = 0;  // the logarithm of the sum of exp(scores)
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
  int steps = 4;  // T
  TrainingOptions descent;
  double prior = 0.001;  // lambda
  unsigned threads = 1;
};

/// The parameters in a vector, clamped to +-largest_hopfield_map.
HopfieldMaps hopfield_maps_of(const Vector& parameters);

/// Learns the parameters by train_likelihood() (core/proofs/proof_training.hpp). Examples without known proofs, or with
/// several pairs of names, are left out.
Training train_hopfield(const HopfieldMaps& start, std::span<const ProofExample> examples,
                        std::span<const ProofExample> held_out, const HopfieldTrainingOptions& options);

}  // namespace engram::core
