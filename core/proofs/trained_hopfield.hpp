// SPDX-License-Identifier: MIT
// A modern Hopfield network over the statements whose maps and inverse temperature are learnt: what proof_attention
// is compared with on the same graph, from the same questions, by the same objective.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/proofs/proof_training.hpp"

namespace engram::core {

/// What a question has names for: of its first, its second and its relation.
inline constexpr std::size_t asked_places = 3;
/// Of a statement: 1 where it is of the kind that is asked (inheritance, a relation ..); where it is a rule;
/// 1 - 2 x of an expectation x below 1/2, 2 - 2 x of one above.
inline constexpr std::size_t statement_features = 4;

inline constexpr std::size_t hopfield_maps =
    asked_places * name_places + name_places * name_places + statement_features;

/// C (3, 5) by rows, R (5, 5) by rows, c (4).
using HopfieldMaps = std::array<double, hopfield_maps>;

/// "asked_first_conclusion" of C, "recalled_second_first" of R; of_kind_asked, rule, denied, doubted.
std::string hopfield_map_name(std::size_t i);
/// What it is, in words.
std::string hopfield_map_meaning(std::size_t i);

inline constexpr double largest_hopfield_map = 200;

/// As modern_hopfield has it, with that beta: every name alike wherever it stands.
HopfieldMaps plain_hopfield_maps(double beta = 8);

/// With the keys x_e of statements split by the places a where their names stand, x_e = (x_e1 .. x_e5)
/// (core/retrieval/name_places.hpp), q_a one-hot: the question's name in place a, and f_e the features of e:
///     s_e(t) = sum_ab C_ab <q_a, x_eb> + sum_ab R_ab <m_a(t), x_eb> + c f_e
///     p(t) = softmax(s(t)),    m(t + 1) = sum_e p_e(t) x_e,    m(1) = 0,    t = 1 .. T
/// A statement's score is p_e(T). It is the modern Hopfield update xi <- q + X' softmax(X W xi + F c) with a
/// query map W that acts on places, so it means the same in every memory; beta is the size of W. With all of C
/// and R equal to beta and c = 0 it is recall_modern (core/hopfield/modern_hopfield.hpp) with the question kept
/// as a field. Statements without evidence, and those of `without`, have no part.
/// Ranges   steps T in [1, 100]
/// Cost     a step O(entries of the keys + 25 n), with the gradient three times that
/// Source   Ramsauer et al. 2021, "Hopfield Networks is All You Need" (layers with learnt maps)
class TrainedHopfield {
 public:
  TrainedHopfield(const MemoryIndex& memory, const NamePair& question,
                  std::span<const StatementId> without = {});

  /// p(T).  Shapes  (p)
  Vector recall(const HopfieldMaps& maps, int steps) const;

  /// A log-likelihood and its gradient.
  struct Likelihood {
    double log_p = 0;  // in (-infinity, 0]
    HopfieldMaps gradient{};
  };
  /// How much a known proof S has, of several the one with most:
  ///     log p = 1/|S| sum over e in S of log p_e(T)
  /// and its gradient by backpropagation through the steps. Nothing where no proof has a part.
  std::optional<Likelihood> likelihood(std::span<const std::vector<StatementId>> proofs,
                                       const HopfieldMaps& maps, int steps) const;

 private:
  struct Step {
    Vector recalled;  // m
    Vector scores, weights;
    double log_total = 0;  // log of the sum of exp(scores)
  };
  std::vector<Step> run(const HopfieldMaps& maps, int steps) const;
  void add_features(const HopfieldMaps& maps, Vector& scores) const;
  std::optional<ConceptId> name(std::size_t place) const;
  Vector block(const Vector& placed, std::size_t place) const;

  const MemoryIndex& memory_;
  const PlacedKeys& placed_;
  NamePair question_;
  std::array<std::optional<ConceptId>, asked_places> names_;
  std::vector<char> has_part_;
  std::array<Vector, statement_features> features_;
};

/// How the maps are learnt.
struct HopfieldTrainingOptions {
  int steps = 4;  // T
  TrainingOptions descent;
  double prior = 0.001;  // lambda
  unsigned threads = 1;
};

/// Parameters, within +-largest_hopfield_map.
HopfieldMaps hopfield_maps_of(const Vector& parameters);

/// As train_proofs, with this likelihood in place of a path's. Of examples without proofs nothing is learnt.
Training train_hopfield(const HopfieldMaps& start, std::span<const ProofExample> examples,
                        std::span<const ProofExample> held_out, const HopfieldTrainingOptions& options);

}  // namespace engram::core
