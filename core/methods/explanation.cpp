// SPDX-License-Identifier: MIT
#include "core/methods/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/printer.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_parts = 8;

class ScoreExplainer : public Explainer {
 public:
  ScoreExplainer(const Recall& recall, std::function<Explanation(double)> of_score)
      : recall_(recall), of_score_(std::move(of_score)) {}
  Explanation of_concept(ConceptId id) const override { return of_score_(recall_.concepts[id]); }
  Explanation of_statement(StatementId id) const override { return of_score_(recall_.statements[id]); }

 private:
  const Recall& recall_;
  std::function<Explanation(double)> of_score_;
};

// Explains statements by the reasons for their ranks.
class RankExplainer : public StatementsExplainer {
 public:
  using Reasons = std::map<StatementId, std::string>;

  RankExplainer(const MemoryIndex& memory, const Cue& cue, const Recall& recall, Reasons reasons)
      : StatementsExplainer(memory, cue, recall), reasons_(std::move(reasons)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
    const auto reason = reasons_.find(id);
    if (reason == reasons_.end())
      why.note = "nothing led to it";
    else
      why.accounts.push_back(account("score", why.score, {{reason->second, why.score}}));
    return why;
  }

 private:
  Reasons reasons_;
};

}  // namespace

std::string digits(double number) {
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%.6g", number);
  return std::string(text, static_cast<std::size_t>(length));
}

Account account(std::string words, double total, std::vector<Account::Part> parts) {
  std::erase_if(parts, [](const Account::Part& part) { return part.amount == 0; });
  std::ranges::stable_sort(parts, std::greater<>(),
                           [](const Account::Part& part) { return std::abs(part.amount); });
  if (parts.size() > most_parts + 1) {
    std::vector<double> others;
    for (std::size_t i = most_parts; i < parts.size(); ++i) others.push_back(parts[i].amount);
    parts.resize(most_parts);
    parts.push_back({std::to_string(others.size()) + " others", sum(others)});
  }
  return {std::move(words), total, std::move(parts)};
}

std::string RecallExplainer::name(ConceptId id) const { return narsese::print(memory_.term(id)); }
std::string RecallExplainer::sentence(StatementId id) const {
  return narsese::print(memory_.statement_term(id));
}

Explanation RecallExplainer::by_concepts(StatementId id) const {
  Explanation why{recall_.statements[id]};
  const Vector query = memory_.query(recall_.concepts);
  std::vector<Account::Part> parts;
  ConceptId largest = 0;
  double most = 0;
  const auto columns = memory_.keys().columns_of(id);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const ConceptId c = columns[k];
    const double key = memory_.keys().values_of(id)[k], part = key * query[c];
    parts.push_back(
        {name(c) + ": " + digits(key) + " of the statement times " + digits(query[c]) + " of the recall",
         part});
    if (part > most) {
      most = part;
      largest = c;
    }
  }
  why.accounts.push_back(
      account("cosine of the statement with the recalled concepts, with idf weights", why.score, parts));
  if (!(most > 0)) return why;
  const Explanation inner = of_concept(largest);
  why.accounts.insert(why.accounts.end(), inner.accounts.begin(), inner.accounts.end());
  why.separation = inner.separation;
  why.path = inner.path;
  if (!why.path.empty()) why.path.push_back(statement_stop(id, "which mentions it"));
  why.note = inner.note;
  return why;
}

Explanation RecallExplainer::by_statements(ConceptId id) const {
  Explanation why{recall_.concepts[id]};
  const double total = sum(recall_.statements);
  std::vector<Account::Part> parts;
  StatementId largest = 0;
  double most = 0;
  const auto rows = memory_.mentions(id);
  for (const StatementId e : rows) {
    const double part = total > 0 ? recall_.statements[e] / total : 0.0;
    charge(256);
    parts.push_back({sentence(e), part});
    if (part > most) {
      most = part;
      largest = e;
    }
  }
  why.accounts.push_back(
      account("share of the total weight on statements that mention " + name(id), why.score, parts));
  if (!(most > 0)) return why;
  const Explanation inner = of_statement(largest);
  why.accounts.insert(why.accounts.end(), inner.accounts.begin(), inner.accounts.end());
  why.separation = inner.separation;
  why.path = inner.path;
  while (!why.path.empty() && !(why.path.back().statement && why.path.back().id == largest))
    why.path.pop_back();  // the path may continue to a second end
  if (!why.path.empty()) why.path.push_back(stop(id, "which it mentions"));
  why.note = inner.note;
  return why;
}

std::string separation_text(const Regulariser& map, double beta, const Vector& similarity, Index item,
                            double weight) {
  const std::string name(facts(map.map).name), b = digits(beta), s = digits(similarity[item]);
  const double best = max(similarity);
  if (map.map == SimplexMap::argmax)
    return "argmax: similarity " + s + ", the best is " + digits(best) + "; only the best gets weight";
  if (map.map == SimplexMap::softmax) {
    Vector above(similarity.size());
    for (Index i = 0; i < above.size(); ++i) above[i] = exp(beta * (similarity[i] - best));
    return "softmax: e^(" + b + " x (" + s + " - " + digits(best) + ")) / " + digits(sum(above)) + " = " +
           digits(weight) + ", as the best similarity is " + digits(best) + " and all e^(...) sum to " +
           digits(sum(above)) + "; softmax has no threshold";
  }
  const double tau = threshold(map, similarity, 1 / beta);
  const double slope = map.map == SimplexMap::entmax ? map.alpha - 1 : 1.0;
  return name + ": " + (slope == 1.0 ? "" : digits(slope) + " x ") + b + " x " + s + " = " +
         digits(slope * beta * similarity[item]) + " is above the threshold " + digits(tau) + " by " +
         digits(slope * beta * similarity[item] - tau) + ", which gives weight " + digits(weight) +
         "; items below the threshold get no weight";
}

void StatementsExplainer::add_path(Explanation& why, StatementId id,
                                   const std::vector<double>& amounts) const {
  const auto members = memory_.episode(id);
  const auto largest = std::ranges::max_element(amounts);
  if (largest == amounts.end() || !(*largest > 0)) return;
  why.path = {stop(members[static_cast<std::size_t>(largest - amounts.begin())], ""),
              statement_stop(id, "which mentions it")};
}

Recall RankRetriever::recall(const MemoryIndex& memory, const Cue& cue) const {
  std::map<StatementId, double> scores;
  visit_ranked(memory, cue, [&](StatementId e, double score, const auto& /*reason*/) { scores[e] = score; });
  return from_statements(memory, {memory.statements(), {scores.begin(), scores.end()}});
}

ExplainerPtr RankRetriever::explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
  RankExplainer::Reasons reasons;
  visit_ranked(memory, cue, [&](StatementId e, double, const auto& reason) { reasons[e] = reason(); });
  return std::make_unique<RankExplainer>(memory, cue, recall, std::move(reasons));
}

ExplainerPtr explained_by_score(const Recall& recall, std::function<Explanation(double)> of_score) {
  return std::make_unique<ScoreExplainer>(recall, std::move(of_score));
}

ExplainerPtr unexplained(const Recall& recall, std::string note) {
  return explained_by_score(
      recall, [note = std::move(note)](double score) { return Explanation{.score = score, .note = note}; });
}

}  // namespace engram::core
