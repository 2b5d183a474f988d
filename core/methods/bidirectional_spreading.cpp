// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/rank.hpp"
#include "core/numbers/sparse_sums.hpp"
#include "core/retrieval/rule_relevance.hpp"
#include "core/walks/bidirectional_spreading.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_rules = 1000;  // chosen: kinds of patterns are compared with one another
constexpr int most_conclusions = 16;      // chosen: rules from whose premises it is spread

// Path scores span many orders of magnitude, as every statement of a path is a factor; the root of the root
// leaves an order of them and lets them be weighed against rules.
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

// Those nearest to an activation, where there are many.
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

// What lies between the ends of premises, of each rule whose conclusion matches the question.
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

// Below whatever has a score.
void add_floor(const SparseVector& cosines, std::map<StatementId, double>& scores) {
  double least = 1;
  for (const auto& [e, s] : scores)
    if (s > 0) least = std::min(least, s);
  cosines.each([&](StatementId e, double cosine) {
    double& score = scores[e];
    if (!(score > 0)) score = 0.5 * least * cosine;
  });
}

/// Spreading from both ends of the cue and unification: statements that are no rules by the paths between the
/// ends (core/walks/bidirectional_spreading.hpp), their scores to the power 1/4 and the best 1; rules by
/// how they unify with the `focus` best of these, with the question and with one another
/// (core/retrieval/rule_relevance.hpp). Where nothing but rules mentions what the question names, it is
/// spread from the concepts in the rules whose conclusions the question matches, 16 at most. With `words` no,
/// as if the cue were no more than its concepts; with `unification` no, nothing is known of rules but their
/// words. What none of this reaches has its cosine with cue and focus, below all the rest. Of more than 1000
/// rules, those are considered that have the largest of these. An allocator: it decides what a reasoner
/// should look at, and draws no conclusion itself.
struct BidirectionalSpreadingRetriever {
  /// Scores as they come about.
  struct Trace {
    Cue asked;                // with its words, if they are used
    Joints joints;            // of rules
    bool from_premises;       // the ends are not the question's, which nothing but rules mentions
    SparseVector paths;       // (p): what the ends come to, before roots are taken
    SparseVector flattened;   // (p): the fourth roots, the best 1
    SparseVector with_rules;  // (p): without the floor
  };
  static constexpr bool is_local = true;
  BidirectionalOptions spreading;
  RelevanceOptions relevance;
  int focus = 32;
  bool words = true;
  bool unification = true;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    Recall recall = from_statements(memory, scores(memory, cue, nullptr));
    recall.iterations = spreading.steps;
    return recall;
  }
  Trace trace(const MemoryIndex& memory, const Cue& cue) const {
    std::optional<Trace> trace;
    scores(memory, cue, &trace);
    return std::move(*trace);
  }
  /// `trace`: null, or what is to be filled in.
  SparseVector scores(const MemoryIndex& memory, const Cue& cue, std::optional<Trace>* trace) const {
    Cue asked = cue;
    if (!words) asked.term = {};
    const auto rules =
        unification ? patterns_of(memory, considered_rules(memory, cue)) : std::vector<RulePattern>();
    const Joints joints(rules);
    SparseVector paths = spread_from_both_ends(memory, asked, joints, spreading);
    const bool from_premises = !paths.any_above_zero();
    if (from_premises) paths = spread_from_premises(memory, asked, rules, joints, spreading);
    const SparseVector flat = flattened(paths);
    if (trace) *trace = {asked, joints, from_premises, paths, flat, {}};
    const std::vector<StatementId> best = rank(flat, static_cast<std::size_t>(focus));
    const SparseVector around = with_concepts_of(memory, cue, best, flat);
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
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const;
};

class BidirectionalExplainer : public StatementsExplainer {
 public:
  BidirectionalExplainer(const BidirectionalSpreadingRetriever& retriever, const MemoryIndex& readings,
                         const Cue& cue, const Recall& recall)
      : StatementsExplainer(readings, cue, recall),
        options_(retriever.spreading),
        trace_(retriever.trace(readings, cue)) {
    best_ = std::max(0.0, max(trace_.paths));
  }

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
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
    const std::vector<Meeting> meetings = meetings_at(readings_, trace_.asked, trace_.joints, options_, id);
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
    for (std::size_t i = 0; strongest != nullptr && i < strongest->way.size(); ++i)
      why.path.push_back(i % 2 == 1 ? statement_stop(strongest->way[i], "which mentions it")
                                    : stop(strongest->way[i], i > 0 ? "which it mentions" : ""));
  }

  BidirectionalOptions options_;
  BidirectionalSpreadingRetriever::Trace trace_;
  double best_ = 0;
};

AnyExplainer BidirectionalSpreadingRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                                      const Recall& recall) const {
  return std::make_unique<BidirectionalExplainer>(*this, memory, cue, recall);
}

}  // namespace

Method bidirectional_spreading_method() {
  using R = BidirectionalSpreadingRetriever;
  const auto spreading = within(&R::spreading);
  const auto relevance = within(&R::relevance);
  using Spreading = BidirectionalOptions;
  return Declaration<R>("bidirectional_spreading", "search",
                        "spreading from both ends of the cue; rules that unify with what lies between")
      .support(Support::sparse)
      .whole("steps", spreading(&Spreading::steps), 1, 20,
             "statements that a path between the ends has at most")
      .number("decay", spreading(&Spreading::decay), 1e-3, 1, "of a path's worth, for every statement more")
      .number("other_joints", spreading(&Spreading::other_joints), 0, 1, "weight of joints that no rule has")
      .number("fan", spreading(&Spreading::fan), 1, 1e6, "concepts in more statements than this share out")
      .number("threshold", spreading(&Spreading::threshold), 1e-9, 1, "pulses below it stop")
      .whole("focus", &R::focus, 1, 1000, "the best statements, with which rules are to unify")
      .number("discount", relevance(&RelevanceOptions::discount), 0, 1,
              "of what comes by way of another rule")
      .whole("rule_steps", relevance(&RelevanceOptions::steps), 0, 20, "how far it goes from rule to rule")
      .yes_or_no("inverse_frequency", spreading(&Spreading::inverse_frequency),
                 "whether concepts share out among their statements at all")
      .yes_or_no("belief", spreading(&Spreading::belief), "the prior: whether what is denied conducts less")
      .whole("visits", spreading(&Spreading::visits), 1, 1e9, "statements looked at from each end, at most")
      .yes_or_no("words", &R::words, "whether the question's form is used, or its concepts alone")
      .yes_or_no("unification", &R::unification, "whether rules are matched, or nothing but words");
}

}  // namespace engram::core
