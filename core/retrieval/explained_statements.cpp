// SPDX-License-Identifier: MIT
// Why methods that rank statements at once recall what they do: shared concepts, ways between ends, counts.
#include <algorithm>
#include <cmath>

#include "core/retrieval/bidirectional_retriever.hpp"
#include "core/retrieval/explanation_parts.hpp"

namespace engram::core {
namespace {

class StatementsExplainer : public RecallExplainer {
 public:
  using RecallExplainer::RecallExplainer;
  Explanation of_concept(ConceptId id) const override { return by_statements(id); }

 protected:
  // From the cue's concept that gives most straight to the statement.
  void add_way(Explanation& why, StatementId id, const std::vector<double>& amounts) const {
    const auto members = readings_.episodes.columns_of(id);
    const auto largest = std::ranges::max_element(amounts);
    if (largest == amounts.end() || !(*largest > 0)) return;
    why.path = {stop(members[static_cast<std::size_t>(largest - amounts.begin())], ""),
                statement_stop(id, "which mentions it")};
  }
};

class CosineExplainer : public StatementsExplainer {
 public:
  CosineExplainer(const Readings& readings, const Cue& cue, const Recall& recall)
      : StatementsExplainer(readings, cue, recall), query_(readings.query(cue)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    std::vector<Account::Part> parts;
    std::vector<double> amounts;
    const auto columns = readings_.keys.columns_of(id);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double key = readings_.keys.values_of(id)[k], asked = query_[columns[k]];
      amounts.push_back(key * asked);
      parts.push_back(
          {name(columns[k]) + ": " + digits(key) + " of the statement times " + digits(asked) + " of the cue",
           key * asked});
    }
    why.accounts.push_back(
        account("cosine of the statement with the cue, rare concepts weighing more", why.score, parts));
    add_way(why, id, amounts);
    return why;
  }

 private:
  Vector query_;
};

class OverlapExplainer : public StatementsExplainer {
 public:
  using StatementsExplainer::StatementsExplainer;

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    const auto members = readings_.episodes.columns_of(id);
    auto either = static_cast<double>((cue_.array() > 0).count()) + static_cast<double>(members.size());
    for (const ConceptId c : members) either -= cue_[c] > 0 ? 1.0 : 0.0;
    std::vector<Account::Part> parts;
    std::vector<double> amounts;
    for (const ConceptId c : members) {
      amounts.push_back(cue_[c] > 0 ? 1 / either : 0.0);
      parts.push_back({name(c) + ": in both", amounts.back()});
    }
    why.accounts.push_back(
        account("concepts in both, over the " + digits(either) + " in either", why.score, parts));
    add_way(why, id, amounts);
    return why;
  }
};

// Whatever the cue: counts.
class CountExplainer : public Explainer {
 public:
  CountExplainer(bool uniform, const Readings& readings, const Recall& recall)
      : uniform_(uniform), readings_(readings), recall_(recall) {}

  Explanation of_concept(ConceptId id) const override {
    return explanation(recall_.concepts[id], readings_.activity[id]);
  }
  Explanation of_statement(StatementId id) const override {
    return explanation(recall_.statements[id], readings_.evidence[id]);
  }

 private:
  Explanation explanation(double score, double evidence) const {
    const std::string words = uniform_ ? "the same for all, whatever the cue"
                                       : "evidence " + digits(evidence) + " of " + digits(readings_.total) +
                                             " in all, whatever the cue";
    return {score, {account("share", score, {{words, score}})}, {}, {}, {}};
  }

  bool uniform_;
  const Readings& readings_;
  const Recall& recall_;
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

}  // namespace

std::unique_ptr<const Explainer> explain_statements(const std::string& method, const Options& o,
                                                    const Readings& readings, const Cue& cue,
                                                    const Recall& recall) {
  if (method == "cosine") return std::make_unique<CosineExplainer>(readings, cue, recall);
  if (method == "overlap") return std::make_unique<OverlapExplainer>(readings, cue, recall);
  if (method == "frequency" || method == "uniform")
    return std::make_unique<CountExplainer>(method == "uniform", readings, recall);
  if (method != "bidirectional_spreading") return nullptr;
  return std::make_unique<BidirectionalExplainer>(bidirectional_spreading(o), readings, cue, recall);
}

}  // namespace engram::core
