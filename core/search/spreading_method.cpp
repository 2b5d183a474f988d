// SPDX-License-Identifier: MIT
// The method bidirectional_spreading.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/filters/rule_relevance.hpp"
#include "core/methods/explanation.hpp"
#include "core/numbers/ranking.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/walks/bidirectional_spreading.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_rules = 1000;  // chosen: the patterns of rules are compared pairwise
constexpr int most_conclusions = 16;      // chosen: rules whose premises activation spreads from

// Fourth roots of the scores, the best 1. Path scores are products and span many orders of magnitude; the root makes
// them comparable with the scores of rules and keeps their order.
SparseVector flattened(const SparseVector& scores) {
  const double best = max(scores);
  std::vector<SparseVector::Entry> flat;
  scores.each([&](StatementId e, double s) { flat.emplace_back(e, std::sqrt(std::sqrt(s / best))); });
  return {scores.size(), std::move(flat)};
}

SparseVector with_concepts_of(const MemoryIndex& memory, const SparseVector& cue,
                              const std::vector<StatementId>& focus, const SparseVector& scores) {
  SparseSums activation;
  cue.each([&](ConceptId id, double x) { activation.add(id, x); });
  for (const StatementId e : focus)
    for (const ConceptId id : memory.episode(e)) activation.add(id, scores[e]);
  return {memory.concepts(), activation.ascending()};
}

// All rules, or the `most_rules` nearest to the activation.
std::vector<StatementId> considered_rules(const MemoryIndex& memory, const SparseVector& activation) {
  std::vector<StatementId> rules = memory.rules();
  if (rules.size() <= most_rules) return rules;
  const SparseVector cosines = memory.statement_scores(activation);
  const auto better = [&](StatementId a, StatementId b) {
    return cosines[a] != cosines[b] ? cosines[a] > cosines[b] : a < b;
  };
  std::nth_element(rules.begin(), rules.begin() + most_rules, rules.end(), better);
  rules.resize(most_rules);
  std::ranges::sort(rules);
  return rules;
}

std::vector<RulePattern> patterns_of(const MemoryIndex& memory, const std::vector<StatementId>& rules) {
  std::vector<RulePattern> patterns;
  for (const StatementId e : rules) add_rule_patterns(e, memory.statement_term(e), patterns);
  return patterns;
}

// Path scores between the concepts of the premises, summed over the rules whose conclusion matches the question.
SparseVector spread_from_premises(const MemoryIndex& memory, const Cue& asked,
                                  const std::vector<RulePattern>& rules, const Joints& joints,
                                  const BidirectionalOptions& options) {
  SparseSums scores;
  int spread = 0;
  for (const RulePattern& rule : rules) {
    Bindings bindings;
    if (spread == most_conclusions || !asked.term || !match(rule.conclusion, asked.term, bindings)) continue;
    ++spread;
    std::vector<SparseVector::Entry> names;
    for (const ConceptId id : memory.episode(rule.statement))
      if (asked.activation[id] == 0) names.emplace_back(id, 1.0);
    const Cue premises(SparseVector(memory.concepts(), std::move(names)));
    spread_from_both_ends(memory, premises, joints, options).each([&](StatementId e, double s) {
      scores.add(e, s);
    });
  }
  return {memory.statements(), scores.ascending()};
}

void add_rules(const MemoryIndex& memory, const std::vector<RulePattern>& rules,
               const std::vector<Focused>& focus, narsese::Term question, const RelevanceOptions& options,
               bool belief, std::map<StatementId, double>& scores) {
  const std::vector<double> relevance = rule_relevance(rules, focus, question, options);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const StatementId e = rules[r].statement;
    scores[e] = std::max(scores[e], relevance[r] * (belief ? memory.expectation(e) : 1.0));
  }
}

// Scores the remaining statements by cosine, below all other scores.
void add_floor(const SparseVector& cosines, std::map<StatementId, double>& scores) {
  double least = 1;
  for (const auto& [e, s] : scores)
    if (s > 0) least = std::min(least, s);
  cosines.each([&](StatementId e, double cosine) {
    double& score = scores[e];
    if (!(score > 0)) score = 0.5 * least * cosine;
  });
}

/// Spreading from both ends of the cue, and unification of rules. It selects premises for a reasoner and draws no
/// conclusions itself. Statements are scored in three groups:
///   facts    by the paths between the ends (core/walks/bidirectional_spreading.hpp): the fourth root of the path
///            score, over the best. If only rules mention the names of the question, activation spreads between the
///            other concepts of each rule whose conclusion matches the question (16 rules at most)
///   rules    by how well they unify with the `focus` best facts, the question and each other
///            (core/filters/rule_relevance.hpp); of more than 1000 rules, only those with the largest cosines are
///            compared
///   others   by their cosine with the cue and the focus, scaled below all other scores
/// `words` = no ignores the form of the question and uses only its concepts. `unification` = no treats rules as facts.
struct BidirectionalSpreadingRetriever : Retriever {
  /// Intermediate scores.
  struct Trace {
    Cue asked;                // the cue, without its words if these are ignored
    Joints joints;            // of the rules
    bool from_premises;       // only rules mention the question's names: spread from the concepts of premises
    SparseVector paths;       // (p): path scores
    SparseVector flattened;   // (p): their fourth roots, the best 1
    SparseVector with_rules;  // (p): scores of facts and rules, without the cosines
  };
  BidirectionalOptions spreading;
  RelevanceOptions relevance;
  int focus = 32;
  bool words = true;
  bool unification = true;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    Recall recall = from_statements(memory, scores(memory, cue, nullptr));
    recall.iterations = spreading.steps;
    return recall;
  }
  Trace trace(const MemoryIndex& memory, const Cue& cue) const {
    std::optional<Trace> trace;
    scores(memory, cue, &trace);
    return std::move(*trace);
  }
  /// Fills `trace` unless it is null.
  SparseVector scores(const MemoryIndex& memory, const Cue& cue, std::optional<Trace>* trace) const {
    Cue asked = cue;
    if (!words) asked.term = {};
    const auto rules = unification ? patterns_of(memory, considered_rules(memory, cue.activation))
                                   : std::vector<RulePattern>();
    const Joints joints(rules);
    SparseVector paths = spread_from_both_ends(memory, asked, joints, spreading);
    const bool from_premises = !paths.any_above_zero();
    if (from_premises) paths = spread_from_premises(memory, asked, rules, joints, spreading);
    const SparseVector flat = flattened(paths);
    if (trace) *trace = {asked, joints, from_premises, paths, flat, {}};
    const std::vector<StatementId> best = rank(flat, static_cast<std::size_t>(focus));
    const SparseVector around = with_concepts_of(memory, cue.activation, best, flat);
    std::map<StatementId, double> scores;
    flat.each([&](StatementId e, double s) { scores[e] = s; });
    if (unification) {
      std::vector<Focused> focused;
      for (const StatementId e : best) focused.push_back({memory.statement_term(e), flat[e]});
      add_rules(memory, patterns_of(memory, considered_rules(memory, around)), focused, asked.term, relevance,
                spreading.belief, scores);
    }
    if (trace) (*trace)->with_rules = {memory.statements(), {scores.begin(), scores.end()}};
    add_floor(memory.statement_scores(around), scores);
    return {memory.statements(), {scores.begin(), scores.end()}};
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override;
};

class BidirectionalExplainer : public StatementsExplainer {
 public:
  BidirectionalExplainer(const BidirectionalSpreadingRetriever& retriever, const MemoryIndex& memory,
                         const Cue& cue, const Recall& recall)
      : StatementsExplainer(memory, cue, recall),
        options_(retriever.spreading),
        trace_(retriever.trace(memory, cue)) {
    best_ = std::max(0.0, max(trace_.paths));
  }

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
    if (trace_.with_rules[id] > trace_.flattened[id]) {
      why.accounts.push_back(account("score", why.score, {{"a rule that unifies, below", why.score}}));
      why.note =
          "how well a rule unifies with the best statements, with the question and with other rules, as a "
          "product of means: no sum over concepts";
    } else if (trace_.paths[id] > 0 && trace_.from_premises) {
      why.accounts.push_back(account(
          "score", why.score, {{"reached from premises of rules that match the question", why.score}}));
      why.note =
          "nothing but rules mentions what is asked about: spread from the premises of each rule whose "
          "conclusion matches the question, all added";
    } else if (trace_.paths[id] > 0) {
      add_meetings(why, id);
    } else {
      why.accounts.push_back(
          account("score", why.score, {{"half of the least score times cosine", why.score}}));
      why.note =
          "no way between the ends leads through it: it is ranked behind all that have a score, by its "
          "cosine with the cue and the best statements";
    }
    return why;
  }

 private:
  void add_meetings(Explanation& why, StatementId id) const {
    std::vector<Account::Part> parts, scaled;
    const std::vector<Meeting> meetings = meetings_at(memory_, trace_.asked, trace_.joints, options_, id);
    const Meeting* strongest = nullptr;
    for (const Meeting& meeting : meetings) {
      std::string words = "as statement " + std::to_string(meeting.a_statements) + " from " + name(meeting.a);
      if (meeting.b_statements > 0)
        words += " and " + std::to_string(meeting.b_statements) + " from " + name(meeting.b);
      parts.push_back({words, meeting.amount});
      if (strongest == nullptr || meeting.amount > strongest->amount) strongest = &meeting;
    }
    for (const Account::Part& part : parts)
      scaled.push_back({part.words, why.score * (part.amount / trace_.paths[id])});
    why.accounts.push_back(account("divided as the ways below", why.score, scaled));
    why.accounts.push_back(
        account("ways between the ends, each a product of what it passes", trace_.paths[id], parts));
    why.separation = "fourth root of " + digits(trace_.paths[id]) + " over the best " + digits(best_) +
                     " = " + digits(trace_.flattened[id]) + "; pulses below " + digits(options_.threshold) +
                     " stop";
    for (std::size_t i = 0; strongest != nullptr && i < strongest->path.size(); ++i)
      why.path.push_back(i % 2 == 1 ? statement_stop(strongest->path[i], "which mentions it")
                                    : stop(strongest->path[i], i > 0 ? "which it mentions" : ""));
  }

  BidirectionalOptions options_;
  BidirectionalSpreadingRetriever::Trace trace_;
  double best_ = 0;
};

ExplainerPtr BidirectionalSpreadingRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                                      const Recall& recall) const {
  return std::make_unique<BidirectionalExplainer>(*this, memory, cue, recall);
}

constexpr auto spreading_options = option_table(
    whole_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::steps>(
        "steps", 1, 20, "most statements on a path between the ends"),
    number_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::decay>(
        "decay", 1e-3, 1, "factor of a path's score for each further statement"),
    number_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::other_joints>(
        "other_joints", 0, 1, "weight of two joined statements that no rule joins"),
    number_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::fan>(
        "fan", 1, 1e6, "a concept in more statements than this divides its activation among them"),
    number_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::threshold>(
        "threshold", 1e-9, 1, "pulses below it stop"),
    whole_option<&BidirectionalSpreadingRetriever::focus>(
        "focus", 1, 1000, "number of the best statements that rules must unify with"),
    number_option<&BidirectionalSpreadingRetriever::relevance, &RelevanceOptions::discount>(
        "discount", 0, 1, "factor for a rule that is reached through another rule"),
    whole_option<&BidirectionalSpreadingRetriever::relevance, &RelevanceOptions::steps>(
        "rule_steps", 0, 20, "most steps from rule to rule"),
    yes_or_no_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::inverse_frequency>(
        "inverse_frequency", "whether concepts divide their activation among their statements"),
    yes_or_no_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::belief>(
        "belief", "whether denied statements conduct less (the prior)"),
    whole_option<&BidirectionalSpreadingRetriever::spreading, &BidirectionalOptions::visits>(
        "visits", 1, 1e9, "most statements visited from each end"),
    yes_or_no_option<&BidirectionalSpreadingRetriever::words>(
        "words", "whether to use the form of the question, or only its concepts"),
    yes_or_no_option<&BidirectionalSpreadingRetriever::unification>(
        "unification", "whether to unify rules, or to compare words only"));

}  // namespace

Method bidirectional_spreading_method() {
  return make_method<BidirectionalSpreadingRetriever>(
      "bidirectional_spreading", "search",
      "spreading from both ends of the cue, plus the rules that unify with statements between",
      spreading_options, {.support = Support::sparse, .is_local = true});
}

}  // namespace engram::core
