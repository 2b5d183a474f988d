// SPDX-License-Identifier: MIT
// Attention over paths and derivations: what of its budget each statement gets for a question.
#pragma once

#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/paths/derivations.hpp"
#include "core/paths/path_lattice.hpp"

namespace engram::core {

/// How likely a guess completes a whole proof of the answer that is meant, where those before it hold none. A share
/// does not tell: where there are many proofs each has a small one, and any is enough.
struct GuessCertainty {
  double derived = 0;  // of a path that goes with a derivation, between two names; each in [0, 1)
  double open = 0;     // of one from a single name, to whatever answers: several may
  double alone = 0;    // of a path without a derivation

  /// Which of them is a guess's.
  static constexpr double GuessCertainty::*of(bool is_derived, bool has_end) {
    if (!is_derived) return &GuessCertainty::alone;
    return has_end ? &GuessCertainty::derived : &GuessCertainty::open;
  }

  friend bool operator==(const GuessCertainty&, const GuessCertainty&) = default;
};

/// Those that methods have without being told others; learnt with shipped_path_weights.
inline constexpr GuessCertainty shipped_certainty{0.9814814814814815, 0.5, 0.1};

/// How paths are searched, and what is made of them.
struct PathAttentionOptions {
  PathOptions paths;
  std::size_t ways = 64;  // the best paths, of which derivations are looked for
  bool features =
      false;  // whether those of guesses and their mean are worked out: who explains or learns asks
  Regulariser map = SimplexMap::softmax;  // from the guesses' energies to their shares
  GuessCertainty certainty = shipped_certainty;
  /// Of the bilinear term (core/paths/path_features.hpp); incidence: there is none, as `link` has it. It is not
  /// worked out while its weights are 0, unless features are asked for.
  EmbeddingSpec embedding = {EmbeddingKind::incidence, 64};
};

/// A path, and of its derivations that which uses fewest statements.
struct PathGuess {
  std::vector<std::pair<ConceptId, Pass>> steps;  // each with where it is entered
  std::vector<StatementId> used;                  // by the derivation, beside the steps, each time; ascending
  bool is_derived = false;
  PathWeights features{};  // f(path), and of that derivation; if asked for
  double share = 0;        // p(path), with all its derivations
  double certainty = 0;    // that it completes a proof, where those before it hold none
  /// With a map other than softmax: of each statement, ascending, the mean number of times that the path and its
  /// derivations use it.
  std::vector<std::pair<StatementId, double>> uses = {};
  std::vector<StatementId> statements() const;  // of steps and derivation, ascending, each once
};

/// The joint distribution of paths and derivations for one question. A path (core/paths/path_lattice.hpp)
/// goes alone, or with one of the derivations of what is asked from it (core/paths/derivations.hpp):
///   p(path, d) = exp((theta . f(path) + [d] (theta_derived + theta_rule_use uses(d))) / T) / Z
/// Derivations are looked for of the `ways` best paths of each lattice, from the start on and from the end
/// back, and of as many of those over `kept` statements alone; Z is that of the lattice which holds more. An end in
/// more than most_left_by statements, where the other is in fewer, is come to and not begun at: so a question costs no
/// more where one of its names is in half of the memory.
/// That is softmax over what paths have in place of their energies, and of all. Another map goes over these guesses
/// alone, each with log p as its score: sparsemax and entmax give shares to few, argmax to the best. What has none is
/// no guess then, and what only such paths use has no marginal; Z and E[f] are those of softmax.
class PathAttention {
 public:
  PathAttention(const Readings& memory, const RelationRules& rules, const PathQuestion& question,
                const PathWeights& theta, const PathAttentionOptions& options,
                const PathStatements& statements = {});

  double total() const { return total_; }  // Z; 0 where no path is found
  /// Those whose derivations were looked for, the largest share first (ties: by their terms).
  const std::vector<PathGuess>& guesses() const { return guesses_; }
  /// Of each statement, ascending: the mean number of times that path and derivation use it.
  const std::vector<std::pair<StatementId, double>>& marginals() const { return marginals_; }
  /// E[f] with the last two, of the lattice that holds more: T times the derivative of log Z by theta. If
  /// asked for.
  const PathWeights& expected_features() const { return expected_; }

 private:
  void share_by(const Regulariser& map);

  std::vector<PathGuess> guesses_;
  std::vector<std::pair<StatementId, double>> marginals_;
  PathWeights expected_{};
  double total_ = 0;
};

/// Of each statement, ascending by statement: how likely it is that the guesses before the first that has it hold
/// no whole proof,
///   budget(e) = product over these of (1 - certainty)
/// So those of a budget above x are as few as hold a whole proof with probability 1 - x. What no guess has gets
/// the part of the rest that is its marginal.
/// Ranges   (0, 1]
/// Source   the survival function of a hazard in discrete time: Cox 1972, "Regression Models and Life-Tables"
std::vector<std::pair<StatementId, double>> budgets(const PathAttention& attention);

}  // namespace engram::core
