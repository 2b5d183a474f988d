// SPDX-License-Identifier: MIT
#include "experiments/links/link_predictors.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"

namespace engram::experiments::links {
namespace {

using core::Fact;
using core::Index;
using core::Matrix;
using core::Vector;

Index entity_count(const LinkSet& set) { return static_cast<Index>(set.entities.size()); }

// Counts how often each entity is the tail of each relation. Rows are relations, then reciprocal relations.
Matrix tail_counts(const LinkSet& set) {
  Matrix counts = Matrix::Zero(2 * static_cast<Index>(set.relations.size()), entity_count(set));
  for (const Fact& fact : set.questions(0)) counts(fact.relation, fact.tail) += 1;
  return counts;
}

struct Rules {
  Matrix confidence;  // (body, head): confidence of the rule body -> head; 0 on the diagonal
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>
      links;  // for each entity as head: (relation, tail)
};

Rules find_rules(const LinkSet& set) {
  const auto relations = 2 * set.relations.size();
  Rules rules{Matrix::Zero(static_cast<Index>(relations), static_cast<Index>(relations)), {}};
  rules.links.resize(set.entities.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> of_pair;
  Vector pairs = Vector::Zero(static_cast<Index>(relations));
  for (const Fact& fact : set.questions(0)) {
    of_pair[{fact.head, fact.tail}].push_back(fact.relation);
    rules.links[fact.head].emplace_back(fact.relation, fact.tail);
    pairs[fact.relation] += 1;
  }
  for (const auto& [pair, list] : of_pair)
    for (const std::uint32_t body : list)
      for (const std::uint32_t head : list)
        if (body != head) rules.confidence(body, head) += 1;
  for (Index body = 0; body < rules.confidence.rows(); ++body)
    if (pairs[body] > 0) rules.confidence.row(body) /= pairs[body];
  return rules;
}

}  // namespace

LinkScores constant_scores(const LinkSet& set) {
  return [n = entity_count(set)](const Fact&) -> Vector { return Vector::Zero(n); };
}

LinkScores relation_frequency(const LinkSet& set) {
  return [counts = tail_counts(set)](const Fact& question) -> Vector {
    return counts.row(question.relation).transpose();
  };
}

LinkScores pair_rules(const LinkSet& set) {
  // A score is a confidence plus frequency / all^3. The second summand only breaks ties, because different confidences
  // a/b and c/d differ by at least 1/(b d), and `all` exceeds b, d and every frequency.
  const double all = 2.0 * static_cast<double>(set.splits[0].size()) + 1.0;
  return [rules = find_rules(set), counts = tail_counts(set), all](const Fact& question) -> Vector {
    Vector scores = Vector::Zero(counts.cols());
    for (const auto& [body, tail] : rules.links[question.head])
      scores[tail] = std::max(scores[tail], rules.confidence(body, question.relation));
    return scores + counts.row(question.relation).transpose() / (all * all * all);
  };
}

LinkScores retrieved_scores(const LinkSet& set, const core::MemoryIndex& readings,
                            const MethodChoice& choice) {
  return [&set, &readings, method = choice.method](const Fact& question) -> Vector {
    const auto& concepts = set.concepts;
    const core::Cue cue =
        core::cue_for(set.memory->memory(), set.asked.at({question.head, question.relation}));
    const Vector recalled = method.recall(readings, cue).concepts;
    Vector scores = Vector::Zero(static_cast<Index>(concepts.size()));
    for (std::size_t i = 0; i < concepts.size(); ++i)
      if (concepts[i] >= 0) scores[static_cast<Index>(i)] = recalled[concepts[i]];
    return scores;
  };
}

LinkScores network_scores(const LinkNetwork& network, const core::RelationalGraph& graph) {
  return [&network, &graph, trace = std::make_shared<LinkNetwork::Trace>()](const Fact& question) -> Vector {
    network.forward(graph, {question.head, question.relation}, *trace);
    Vector scores =
        Vector::Constant(static_cast<Index>(graph.entities()), static_cast<double>(trace->unreached));
    for (std::size_t place = 0; place < trace->reached.size(); ++place)
      scores[trace->reached[place]] = static_cast<double>(trace->scores[place]);
    return scores;
  };
}

std::vector<TiedRanks> filtered_ranks(const LinkAnswers& answers, std::span<const Fact> questions,
                                      const LinkScores& scores) {
  std::vector<std::size_t> order(questions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto asked = [&](std::size_t i) { return LinkQuestion(questions[i].head, questions[i].relation); };
  std::ranges::stable_sort(order, {}, asked);
  std::vector<TiedRanks> ranks(questions.size());
  Vector of_question;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (k == 0 || asked(i) != asked(order[k - 1])) of_question = scores(questions[i]);
    std::vector<bool> counted(static_cast<std::size_t>(of_question.size()), true);
    for (const std::uint32_t known : answers.at(asked(i))) counted[known] = false;
    counted[questions[i].tail] = true;
    ranks[i] = tied_ranks(of_question, questions[i].tail, counted);
  }
  return ranks;
}

double mean_reciprocal_rank(const std::vector<TiedRanks>& ranks) {
  std::vector<double> reciprocals;
  for (const TiedRanks& rank : ranks) reciprocals.push_back(rank.expected_reciprocal());
  return mean(reciprocals);
}

}  // namespace engram::experiments::links
