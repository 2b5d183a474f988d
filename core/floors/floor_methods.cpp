// SPDX-License-Identifier: MIT
// Simple baselines: cosine, overlap, frequency and uniform.
#include <map>
#include <vector>

#include "core/methods/explanation.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

class CosineExplainer : public StatementsExplainer {
 public:
  CosineExplainer(const MemoryIndex& memory, const Cue& cue, const Recall& recall)
      : StatementsExplainer(memory, cue, recall), query_(memory.query(cue.activation)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
    std::vector<Account::Part> parts;
    std::vector<double> amounts;
    const auto columns = memory_.keys().columns_of(id);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double key = memory_.keys().values_of(id)[k], asked = query_[columns[k]];
      amounts.push_back(key * asked);
      parts.push_back(
          {name(columns[k]) + ": " + digits(key) + " of the statement times " + digits(asked) + " of the cue",
           key * asked});
    }
    why.accounts.push_back(
        account("cosine of the statement with the cue, rare concepts weighing more", why.score, parts));
    add_path(why, id, amounts);
    return why;
  }

 private:
  Vector query_;
};

/// Exact cosine of the cue with each statement, weighted by idf.
struct CosineRetriever : Retriever {
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    return from_statements(memory, memory.statement_scores(cue.activation));
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    return std::make_unique<CosineExplainer>(memory, cue, recall);
  }
};

class OverlapExplainer : public StatementsExplainer {
 public:
  using StatementsExplainer::StatementsExplainer;

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
    const auto members = memory_.episode(id);
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
    add_path(why, id, amounts);
    return why;
  }
};

/// Word overlap: the Jaccard index of the concepts of the cue and of the statement.
struct OverlapRetriever : Retriever {
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    const std::vector<ConceptId> names = cue.names();
    std::map<StatementId, double> scores;  // at first the number of shared concepts
    for (const ConceptId name : names) {
      charge(16 * memory.mentions(name).size());
      for (const StatementId e : memory.mentions(name)) scores[e] += 1;
    }
    for (auto& [e, score] : scores)
      score /= static_cast<double>(names.size()) + static_cast<double>(memory.episode(e).size()) - score;
    return from_statements(memory, {memory.statements(), {scores.begin(), scores.end()}});
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    return std::make_unique<OverlapExplainer>(memory, cue, recall);
  }
};

class EvidenceExplainer : public Explainer {
 public:
  EvidenceExplainer(const MemoryIndex& memory, const Recall& recall) : memory_(memory), recall_(recall) {}
  Explanation of_concept(ConceptId id) const override {
    return explanation(recall_.concepts[id], memory_.activity(id));
  }
  Explanation of_statement(StatementId id) const override {
    return explanation(recall_.statements[id], memory_.evidence(id));
  }

 private:
  Explanation explanation(double score, double evidence) const {
    const std::string words =
        "evidence " + digits(evidence) + " of " + digits(memory_.total()) + " in all, whatever the cue";
    return {score, {account("share", score, {{words, score}})}};
  }

  const MemoryIndex& memory_;
  const Recall& recall_;
};

/// The share of all evidence that each concept and each statement has. It ignores the cue.
struct FrequencyRetriever : Retriever {
  Recall recall(const MemoryIndex& memory, const Cue&) const override {
    Recall recall;
    recall.concepts = memory.activity() / memory.total();
    recall.statements = memory.evidence() / memory.total();
    return recall;
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue&, const Recall& recall) const override {
    return std::make_unique<EvidenceExplainer>(memory, recall);
  }
};

/// Equal scores for all concepts with evidence, and for all statements.
struct UniformRetriever : Retriever {
  Recall recall(const MemoryIndex& memory, const Cue&) const override {
    Recall recall;
    const auto holders = static_cast<double>((memory.activity().array() > 0).count());
    recall.concepts = Vector((memory.activity().array() > 0).cast<double>() / holders);
    recall.statements = Vector::Constant(memory.statements(), 1.0 / static_cast<double>(memory.statements()));
    return recall;
  }
  ExplainerPtr explain(const MemoryIndex&, const Cue&, const Recall& recall) const override {
    return explained_by_score(recall, [](double score) {
      return Explanation{score, {account("share", score, {{"the same for all, whatever the cue", score}})}};
    });
  }
};

}  // namespace

Method cosine_method() {
  return make_method<CosineRetriever>("cosine", "floor",
                                      "exact cosine of cue and statement, with idf weights", {},
                                      {.support = Support::sparse, .is_local = true});
}

Method overlap_method() {
  return make_method<OverlapRetriever>("overlap", "floor",
                                       "word overlap: shared concepts divided by all concepts of both", {},
                                       {.support = Support::sparse, .is_local = true});
}

Method frequency_method() {
  return make_method<FrequencyRetriever>("frequency", "floor", "amount of evidence, independent of the cue",
                                         {});
}

Method uniform_method() {
  return make_method<UniformRetriever>("uniform", "floor", "equal scores for all: chance level", {});
}

}  // namespace engram::core
