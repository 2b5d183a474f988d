// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/rank.hpp"
#include "core/retrieval/rule_relevance.hpp"
#include "core/walks/bidirectional_spreading.hpp"

namespace engram::core {
namespace {

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
      if (asked.activation[id] == 0) premises.activation[id] = 1.0;
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
    Cue asked;           // with its words, if they are used
    Joints joints;       // of rules
    bool from_premises;  // the ends are not the question's, which nothing but rules mentions
    Vector paths;        // (p): what the ends come to, before roots are taken
    Vector flattened;    // (p): the fourth roots, the best 1
    Vector scores;       // (p): with rules, and the floor
    Vector with_rules;   // (p): without the floor
  };
  BidirectionalOptions spreading;
  RelevanceOptions relevance;
  int focus = 32;
  bool words = true;
  bool unification = true;
  Recall recall(const Readings& memory, const Cue& cue) const {
    Recall recall = from_statements(memory, trace(memory, cue).scores);
    recall.iterations = spreading.steps;
    return recall;
  }
  Trace trace(const Readings& memory, const Cue& cue) const {
    Cue asked = cue;
    if (!words) asked.term = {};
    const std::vector<StatementId> nearest = considered_rules(memory, memory.statement_scores(cue));
    const auto rules = unification ? patterns_of(memory, nearest) : std::vector<RulePattern>();
    Trace trace{asked, Joints(rules), false, {}, {}, {}, {}};
    trace.paths = spread_from_both_ends(memory, asked, trace.joints, spreading);
    trace.from_premises = trace.paths.isZero(0);
    if (trace.from_premises)
      trace.paths = spread_from_premises(memory, asked, rules, trace.joints, spreading);
    trace.flattened = flattened(trace.paths);
    Vector scores = trace.flattened;
    const std::vector<StatementId> best = rank(scores, static_cast<std::size_t>(focus));
    const Vector cosines = memory.statement_scores(with_concepts_of(memory, cue, best, scores));
    if (unification) {
      std::vector<Focused> focused;
      for (const StatementId e : best) focused.push_back({memory.statement_terms[e], scores[e]});
      add_rules(memory, patterns_of(memory, considered_rules(memory, cosines)), focused, asked.term,
                relevance, spreading.belief, scores);
    }
    trace.with_rules = scores;
    add_floor(cosines, scores);
    trace.scores = std::move(scores);
    return trace;
  }
  AnyExplainer explain(const Readings& memory, const Cue& cue, const Recall& recall) const;
};

class BidirectionalExplainer : public StatementsExplainer {
 public:
  BidirectionalExplainer(const BidirectionalSpreadingRetriever& retriever, const Readings& readings,
                         const Cue& cue, const Recall& recall)
      : StatementsExplainer(readings, cue, recall),
        options_(retriever.spreading),
        trace_(retriever.trace(readings, cue)) {
    for (const double path : trace_.paths) best_ = std::max(best_, path);
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

AnyExplainer BidirectionalSpreadingRetriever::explain(const Readings& memory, const Cue& cue,
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
