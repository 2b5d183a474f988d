// SPDX-License-Identifier: MIT
#include "core/retrieval/bidirectional_retriever.hpp"

#include <algorithm>
#include <cmath>

#include "core/budgets/budget_allocator.hpp"

namespace engram::core {
namespace {

static_assert(Retriever<BidirectionalSpreadingRetriever>);

constexpr std::size_t most_rules = 1000;  // chosen: kinds of patterns are compared with one another
constexpr int most_conclusions = 16;      // chosen: rules from whose premises it is spread

// Path scores span many orders of magnitude, as every statement of a path is a factor; the root of the root
// leaves an order of them and lets them be weighed against rules.
Vector flattened(Vector scores) {
  const double best = scores.size() > 0 ? scores.maxCoeff() : 0.0;
  if (best > 0)
    for (double& s : scores) s = std::sqrt(std::sqrt(s / best));
  return scores;
}

Vector with_concepts_of(const Readings& memory, const Vector& cue, const std::vector<StatementId>& focus,
                        const Vector& scores) {
  Vector activation = cue;
  for (const StatementId e : focus)
    for (const ConceptId id : memory.episodes.columns_of(e)) activation[id] += scores[e];
  return activation;
}

std::vector<StatementId> considered_rules(const Readings& memory, const Vector& cosines) {
  std::vector<StatementId> rules = memory.rules;
  if (rules.size() <= most_rules) return rules;
  const auto better = [&](StatementId a, StatementId b) {
    return cosines[a] != cosines[b] ? cosines[a] > cosines[b] : a < b;
  };
  std::nth_element(rules.begin(), rules.begin() + most_rules, rules.end(), better);
  rules.resize(most_rules);
  std::ranges::sort(rules);
  return rules;
}

std::vector<RulePattern> patterns_of(const Readings& memory, const std::vector<StatementId>& rules) {
  std::vector<RulePattern> patterns;
  for (const StatementId e : rules) add_rule_patterns(e, memory.statement_terms[e], patterns);
  return patterns;
}

// What lies between the ends of premises, of each rule whose conclusion matches the question.
Vector spread_from_premises(const Readings& memory, const Cue& asked, const std::vector<RulePattern>& rules,
                            const Joints& joints, const BidirectionalOptions& options) {
  Vector scores = Vector::Zero(memory.statements());
  int spread = 0;
  for (const RulePattern& rule : rules) {
    Bindings bindings;
    if (spread == most_conclusions || !asked.term || !match(rule.conclusion, asked.term, bindings)) continue;
    ++spread;
    Cue premises(Vector::Zero(memory.concepts()));
    for (const ConceptId id : memory.episodes.columns_of(rule.statement))
      if (asked[id] == 0) premises[id] = 1.0;
    scores += spread_from_both_ends(memory, premises, joints, options);
  }
  return scores;
}

void add_rules(const Readings& memory, const std::vector<RulePattern>& rules,
               const std::vector<Focused>& focus, narsese::Term question, const RelevanceOptions& options,
               bool belief, Vector& scores) {
  const std::vector<double> relevance = rule_relevance(rules, focus, question, options);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const StatementId e = rules[r].statement;
    scores[e] = std::max(scores[e], relevance[r] * (belief ? memory.expectation[e] : 1.0));
  }
}

// Below whatever has a score.
void add_floor(const Vector& cosines, Vector& scores) {
  double least = 1;
  for (const double s : scores)
    if (s > 0) least = std::min(least, s);
  for (Index e = 0; e < scores.size(); ++e)
    if (!(scores[e] > 0)) scores[e] = 0.5 * least * cosines[e];
}

}  // namespace

BidirectionalSpreadingRetriever::Trace BidirectionalSpreadingRetriever::trace(const Readings& memory,
                                                                              const Cue& cue) const {
  Cue asked = cue;
  if (!words) asked.term = {};
  const std::vector<StatementId> nearest = considered_rules(memory, memory.statement_scores(cue));
  const auto rules = unification ? patterns_of(memory, nearest) : std::vector<RulePattern>();
  Trace trace{asked, Joints(rules), false, {}, {}, {}, {}};
  trace.paths = spread_from_both_ends(memory, asked, trace.joints, spreading);
  trace.from_premises = trace.paths.isZero(0);
  if (trace.from_premises) trace.paths = spread_from_premises(memory, asked, rules, trace.joints, spreading);
  trace.flattened = flattened(trace.paths);
  Vector scores = trace.flattened;
  const std::vector<StatementId> best = rank(scores, static_cast<std::size_t>(focus));
  const Vector cosines = memory.statement_scores(with_concepts_of(memory, cue, best, scores));
  if (unification) {
    std::vector<Focused> focused;
    for (const StatementId e : best) focused.push_back({memory.statement_terms[e], scores[e]});
    add_rules(memory, patterns_of(memory, considered_rules(memory, cosines)), focused, asked.term, relevance,
              spreading.belief, scores);
  }
  trace.with_rules = scores;
  add_floor(cosines, scores);
  trace.scores = std::move(scores);
  return trace;
}

Recall BidirectionalSpreadingRetriever::recall(const Readings& memory, const Cue& cue) const {
  Recall recall = from_statements(memory, trace(memory, cue).scores);
  recall.iterations = spreading.steps;
  return recall;
}

}  // namespace engram::core
