// SPDX-License-Identifier: MIT
// What the energy of a path is a sum of, and the learnt weights.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/paths/relation_rules.hpp"

namespace engram::core {

/// Features of a path: of each step, of each joint of two steps, of its start and its end.
enum class PathFeature : std::uint8_t {
  inheritance_on,    // 1 for each such step; these stand for its length, too
  inheritance_back,  //
  similarity,        //
  implication_on,    //
  implication_back,  //
  relation_on,       //
  relation_back,     //
  other,             //
  asked,             // 1 for a step that says what is asked: its relation is that, or it is of that kind
  denied,            // 1 - 2 x of each step of expectation x below 1/2
  doubted,           // 1 - 2 x of each step, x above 1/2: 0 for what is believed wholly
  evidence,          // log(1 + evidence) / 5 of each step: what is said often
  link,              // w_ab / sqrt(w_aa w_bb) of the names of each step: their Hebbian link, in [0, 1]
  hub,               // log(1 + statements that mention the name) / 5 of each joint
  rule_for_asked,    // 1 for each joint of two steps that a rule makes one of: of what is asked,
  rule,              //   of something else,
  no_rule,           //   or that no rule does, of two relations
  upwards,           // 1 for a joint of two inheritances on
  turn,              // 1 for a joint of inheritance on and back, or back and on
  change,            // 1 for a joint of two kinds
  start,             // 1 if the first step can be the first of what rules make what is asked of
  end,               // 1 if the last can be the last
  derived,           // 1 if the path goes with a derivation of what is asked (core/paths/derivations.hpp)
  rule_use,          // statements that this uses beside those of the path
};
inline constexpr std::size_t path_features = 24;
// clang-format off
inline constexpr std::array<std::string_view, path_features> path_feature_names{
    "inheritance_on", "inheritance_back", "similarity", "implication_on", "implication_back", "relation_on",
    "relation_back", "other", "asked", "denied", "doubted", "evidence", "link", "hub", "rule_for_asked", "rule",
    "no_rule", "upwards", "turn", "change", "start", "end", "derived", "rule_use"};
// clang-format on

/// theta, by PathFeature.
using PathWeights = std::array<double, path_features>;
inline double& at(PathWeights& theta, PathFeature f) { return theta[static_cast<std::size_t>(f)]; }
inline double at(const PathWeights& theta, PathFeature f) { return theta[static_cast<std::size_t>(f)]; }

/// Those that methods have without being told others. Source: a search, coordinate by coordinate, for the
/// share of needed statements kept on generated families, chains and taxonomies, rounded; those of
/// similarity, implication, other, change, derived and rule_use are chosen by hand, and so are the zeros.
inline constexpr PathWeights shipped_path_weights{-1.65, -2.25, -2, -1.65, -2.25, -1,   -3.2, -3,
                                                  0,     -3,    0,  0,     0,     -0.7, 0.7,  0,
                                                  -0.7,  0,     -1, -0.5,  0.8,   0,    3,    -1};

/// Between which names, and what is asked of them.
struct PathQuestion {
  ConceptId from = 0;
  std::optional<ConceptId> to;  // none: any
  StepSymbol asked;  // of a relation that is not known: StepKind::relation without `relation_known`
  bool relation_known = true;
};

/// Of which statements paths and derivations are made.
struct PathStatements {
  std::optional<std::vector<StatementId>> only;  // ascending: of these alone, and no step is pruned
  std::vector<StatementId> without;              // ascending: of none of these
  std::vector<StatementId> kept;                 // ascending: steps over these are not pruned

  bool may_use(StatementId e) const;
  bool keeps(StatementId e) const;
};

/// Features of the parts of paths, for one question.
class PathScorer {
 public:
  PathScorer(const Readings& memory, const RelationRules& rules, const PathQuestion& question);

  /// visit(feature, value) for each that is not 0.
  template <class Visit>
  void step(const Pass& pass, ConceptId from, Visit visit) const;
  template <class Visit>
  void joint(const Pass& first, ConceptId between, const Pass& second, Visit visit) const {
    visit(PathFeature::hub, hub(between));
    if (const auto kind = joint(first, second)) visit(*kind, 1.0);
  }
  template <class Visit>
  void first(const Pass& pass, Visit visit) const {
    if (is_corner(begin_, pass)) visit(PathFeature::start, 1.0);
  }
  template <class Visit>
  void last(const Pass& pass, Visit visit) const {
    if (is_corner(end_, pass)) visit(PathFeature::end, 1.0);
  }
  /// The two parts of a joint: what the name between the steps has, and what two steps of their symbols have,
  /// which is 1 of one feature at most.
  double hub(ConceptId between) const;
  std::optional<PathFeature> joint(const Pass& first, const Pass& second) const;
  const PathQuestion& question() const { return question_; }

 private:
  bool is_corner(const std::set<StepSymbol>& corners, const Pass& pass) const;
  bool says_asked(const Pass& pass) const;
  double weight_of_link(ConceptId a, ConceptId b) const;

  const Readings& memory_;
  const RelationRules& rules_;
  PathQuestion question_;
  std::set<StepSymbol> begin_, end_;
};

template <class Visit>
void PathScorer::step(const Pass& pass, ConceptId from, Visit visit) const {
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
  const double doubt = 1 - 2 * memory_.expectation[e];
  if (doubt > 0) visit(F::denied, doubt);
  if (doubt < 0) visit(F::doubted, 1 + doubt);
  visit(F::evidence, log1p(memory_.evidence[e]) / 5);
  if (const double link = weight_of_link(from, pass.to); link > 0) visit(F::link, link);
}

}  // namespace engram::core
