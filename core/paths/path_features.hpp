// SPDX-License-Identifier: MIT
// What the energy of a path is a sum of, and the learnt weights.
//
// Nothing depends on theta and the temperature T (core/paths/path_lattice.hpp) but by theta / T: T is the scale of
// theta said once more. It stands beside it for those who want a sharper or a flatter distribution by what was
// learnt.
//
// Concepts' embeddings (core/retrieval/concept_embedding.hpp) come in twice. `link` is the cosine of those of a
// step's two names by incidence (X X' = W), as far as what is said of both is affirmed wholly and joins the two. What
// is denied makes the lengths longer and not the product, and of a statement of many concepts only the pairs that it
// joins count. The others are a bilinear term, for embeddings of few dimensions d: with u_a = x_a / |x_a|
//   theta . f = .. + sum over steps of u_a' B u_b,    B diagonal, of one learnt number for each quarter of d
// Spectral embeddings order their dimensions by eigenvalue, so B is a learnt filter of the graph's spectrum, and
// says the same of another memory's, as no full B would. Whether what is said joins names that belong together
// tells what is likely wrong, as no single statement can.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/retrieval/readings.hpp"
#include "core/retrieval/relation_rules.hpp"

namespace engram::core {

/// Features of a path: of each step, of each joint of two steps, of its start and its end.
enum class PathFeature : std::uint8_t {
  inheritance_on,
  inheritance_back,
  similarity,
  implication_on,
  implication_back,
  relation_on,
  relation_back,
  other,
  asked,
  denied,
  doubted,
  evidence,
  link,
  hub,
  rule_for_asked,
  rule,
  no_rule,
  upwards,
  turn,
  change,
  start,
  end,
  derived,
  rule_use,
  embedding_1,
  embedding_2,
  embedding_3,
  embedding_4,
};
inline constexpr std::size_t path_features = 28;
/// Those from here on are newer than the first model files.
inline constexpr std::size_t first_added_feature = 24;
/// Quarters of the dimensions; the first is embedding_1.
inline constexpr std::size_t embedding_bands = 4;

/// A feature's name, and what it is.
struct PathFeatureFacts {
  std::string_view name, meaning;
};
/// By PathFeature. Those of kinds are 1 for each such step, so they stand for its length, too.
inline constexpr std::array<PathFeatureFacts, path_features> path_feature_facts{{
    {"inheritance_on", "of a step of inheritance, from subject to predicate"},
    {"inheritance_back", "of a step of inheritance, from predicate to subject"},
    {"similarity", "of a step of similarity or equivalence"},
    {"implication_on", "of a step of implication, on"},
    {"implication_back", "of a step of implication, back"},
    {"relation_on", "of a step of a relation, from its first to its second"},
    {"relation_back", "of a step of a relation, from its second to its first"},
    {"other", "of a step of no such kind"},
    {"asked", "of a step that says what is asked: its relation is that, or it is of that kind"},
    {"denied", "of 1 - 2 x of each step of expectation x below 1/2"},
    {"doubted", "of 2 - 2 x of each step of expectation x above 1/2: 0 for what is believed wholly"},
    {"evidence", "of log(1 + evidence) / 5 of each step: what is said often"},
    {"link", "of w_ab / sqrt(w_aa w_bb) of the names of each step: their Hebbian link, in [0, 1]"},
    {"hub", "of log(1 + statements that mention the name) / 5 of each joint of two steps"},
    {"rule_for_asked", "of a joint that a rule makes one step of: of what is asked"},
    {"rule", "of a joint that a rule makes one step of: of something else"},
    {"no_rule", "of a joint of two relations that no rule makes one step of"},
    {"upwards", "of a joint of two inheritances on"},
    {"turn", "of a joint of inheritance on and back, or back and on"},
    {"change", "of a joint of two kinds"},
    {"start", "of a first step that can be the first of what rules make what is asked of"},
    {"end", "of a last step that can be the last of that"},
    {"derived", "of a path that goes with a derivation of what is asked (core/paths/derivations.hpp)"},
    {"rule_use", "of each statement that the derivation uses beside those of the path"},
    {"embedding_1", "of the first quarter of u_a' u_b of the names of each step, by `embedding`"},
    {"embedding_2", "of the second quarter of that"},
    {"embedding_3", "of the third quarter of that"},
    {"embedding_4", "of the last quarter of that"},
}};

/// theta, by PathFeature.
using PathWeights = std::array<double, path_features>;
inline double& at(PathWeights& theta, PathFeature f) { return theta[static_cast<std::size_t>(f)]; }
inline double at(const PathWeights& theta, PathFeature f) { return theta[static_cast<std::size_t>(f)]; }

/// The same as a vector, and back.  Shapes  (path_features)  Errors, back  std::invalid_argument for others
Vector vector_of(const PathWeights& theta);
PathWeights path_weights_in(const Vector& theta);

/// Of weights' absolute values. Chosen: e^-30 of a path is next to nothing.
inline constexpr double largest_path_weight = 30;

/// Those that methods have without being told others: the model experiments/models/path_attention.engram,
/// learnt from generated knowledge by the spec beside it (core/paths/path_training.hpp).
// clang-format off
inline constexpr PathWeights shipped_path_weights{
    -1.7878726335321076, -2.313052341088834, -2, -3.4218944723781424,
    -2.588782473044857, -2.338018869418943, -3.882928610280733, -2,
    -0.2878513996130425, -1.6842326104297467, -0.3309878854499441, 0,
    0, -2.131545873483332, -0.1546172207545147, -0.025512906560309113,
    -0.700242857683001, 0.47754275890625564, -0.5962157344234895, -1.250186945743789,
    2.3596664672362873, 1.950423810607557, 3.096805085567433, 1.940286646275236,
    0, 0, 0, 0};
// clang-format on

/// Where learning begins that knows nothing: of two paths the shorter is likelier.
inline constexpr PathWeights plain_path_weights{-2, -2, -2, -2, -2, -2, -2, -2};

/// Between which names, and what is asked of them.
struct PathQuestion {
  ConceptId from = 0;
  std::optional<ConceptId> to;  // none: any
  StepSymbol asked;  // of a relation that is not known: StepKind::relation without `relation_known`
  bool relation_known = true;
  std::optional<ConceptId> not_to = {};  // without `to`: a path that ends here is none
};

/// Of which statements paths and derivations are made.
struct PathStatements {
  std::optional<std::vector<StatementId>> only;  // ascending: of these alone, and no step is pruned
  std::vector<StatementId> without;              // ascending: of none of these
  std::vector<StatementId> kept;                 // ascending: steps over these are not pruned

  /// Whether a path may go over it.
  bool may_use(StatementId e) const {
    return (without.empty() || !std::ranges::binary_search(without, e)) &&
           (!only || std::ranges::binary_search(*only, e));
  }
  /// Whether steps over it are not pruned.
  bool keeps(StatementId e) const { return only || (!kept.empty() && std::ranges::binary_search(kept, e)); }
};

/// Features of the parts of paths, for one question.
class PathScorer {
 public:
  /// Without an embedding the features by it are 0.
  PathScorer(const Readings& memory, const RelationRules& rules, const PathQuestion& question,
             std::shared_ptr<const Embedding> embedding = nullptr);

  /// visit(feature, value) for each that is not 0.
  template <class Visit>
  void step(const Pass& pass, ConceptId from, Visit visit) const {
    said(pass, visit);
    visit(PathFeature::evidence, evidence(pass));
    if (const double weight = link(from, pass.to); weight > 0) visit(PathFeature::link, weight);
    if (has_embedding()) bands(from, pass.to, visit);
  }
  /// Those of a step that hold for all that say alike: all but the next three, which are dear to work out.
  template <class Visit>
  void said(const Pass& pass, Visit visit) const;
  /// Of a step: how often it was said, as the feature has it.
  double evidence(const Pass& pass) const {
    return log1p(memory_.evidence(static_cast<Index>(pass.statement))) / 5;
  }
  /// Of the names of a step: their Hebbian link, in [0, 1].
  double link(ConceptId a, ConceptId b) const;
  bool has_embedding() const { return embedding_ != nullptr; }
  /// Of the names of a step: the quarters of their inner product.
  template <class Visit>
  void bands(ConceptId a, ConceptId b, Visit visit) const;
  /// Features of a joint of two steps.
  template <class Visit>
  void joint(const Pass& first, ConceptId between, const Pass& second, Visit visit) const {
    visit(PathFeature::hub, hub(between));
    if (const auto kind = joint(first, second)) visit(*kind, 1.0);
  }
  /// Features of a first step.
  template <class Visit>
  void first(const Pass& pass, Visit visit) const {
    if (begin_.contains(symbol_of(pass))) visit(PathFeature::start, 1.0);
  }
  /// Features of a last step.
  template <class Visit>
  void last(const Pass& pass, Visit visit) const {
    if (end_.contains(symbol_of(pass))) visit(PathFeature::end, 1.0);
  }
  /// The two parts of a joint: what the name between the steps has, and what two steps of their symbols have,
  /// which is 1 of one feature at most.
  double hub(ConceptId between) const;
  /// The kind of joint, of two steps by their symbols.
  std::optional<PathFeature> joint(const Pass& first, const Pass& second) const;
  const PathQuestion& question() const { return question_; }

 private:
  bool says_asked(const Pass& pass) const;
  const Readings& memory_;
  const RelationRules& rules_;
  PathQuestion question_;
  std::set<StepSymbol> begin_, end_;
  std::shared_ptr<const Embedding> embedding_;
};

template <class Visit>
void PathScorer::bands(ConceptId a, ConceptId b, Visit visit) const {
  const auto i = static_cast<Index>(a), j = static_cast<Index>(b);
  const double lengths = embedding_->lengths[i] * embedding_->lengths[j];
  if (!(lengths > 0)) return;
  const Index d = embedding_->rows.cols(), bands = embedding_bands;
  for (Index band = 0; band < bands; ++band) {
    double sum = 0;
    for (Index k = d * band / bands; k < d * (band + 1) / bands; ++k)
      sum += embedding_->rows(i, k) * embedding_->rows(j, k);
    const auto feature = static_cast<std::size_t>(PathFeature::embedding_1) + static_cast<std::size_t>(band);
    if (sum != 0) visit(static_cast<PathFeature>(feature), sum / lengths);
  }
}

template <class Visit>
void PathScorer::said(const Pass& pass, Visit visit) const {
  using F = PathFeature;
  switch (pass.kind) {
    case StepKind::inheritance:
      visit(pass.back ? F::inheritance_back : F::inheritance_on, 1.0);
      break;
    case StepKind::similarity:
      visit(F::similarity, 1.0);
      break;
    case StepKind::implication:
      visit(pass.back ? F::implication_back : F::implication_on, 1.0);
      break;
    case StepKind::relation:
      visit(pass.back ? F::relation_back : F::relation_on, 1.0);
      break;
    case StepKind::other:
      visit(F::other, 1.0);
      break;
  }
  const auto e = static_cast<Index>(pass.statement);
  if (says_asked(pass)) visit(F::asked, 1.0);
  const double doubt = 1 - 2 * memory_.expectation(e);
  if (doubt > 0) visit(F::denied, doubt);
  if (doubt < 0) visit(F::doubted, 1 + doubt);
}

}  // namespace engram::core
