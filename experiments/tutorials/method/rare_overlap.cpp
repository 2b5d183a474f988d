// SPDX-License-Identifier: MIT
// The method of the tutorial add_a_method.md, in the style of core/floors/.
#include <cmath>
#include <map>
#include <vector>

#include "core/methods/explanation.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

/// Names that a statement shares with the cue, weighted by rarity: sum over these names i of
///     a_i idf_i^power     a_i the cue's activation, idf_i as in core/index/memory_index.hpp.
/// Cost  O(s log s), s the statements that mention a name of the cue
struct RareOverlapRetriever : Retriever {
  double power = 1;  // 0: names are only counted
  double weight(const MemoryIndex& memory, const Cue& cue, ConceptId name) const {
    return cue.activation[name] * std::pow(memory.idf(name), power);
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    std::map<StatementId, double> scores;
    for (const ConceptId name : cue.names()) {
      charge(memory.mentions(name).size());  // lets the caller's time limit stop the loop
      for (const StatementId e : memory.mentions(name)) scores[e] += weight(memory, cue, name);
    }
    return from_statements(memory, {memory.statements(), {scores.begin(), scores.end()}});
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override;
};

class RareOverlapExplainer : public StatementsExplainer {
 public:
  RareOverlapExplainer(const RareOverlapRetriever& retriever, const MemoryIndex& memory, const Cue& cue,
                       const Recall& recall)
      : StatementsExplainer(memory, cue, recall), retriever_(retriever), asked_(cue) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
    std::vector<Account::Part> parts;
    std::vector<double> amounts;
    for (const ConceptId i : memory_.episode(id)) {
      amounts.push_back(asked_.activation[i] > 0 ? retriever_.weight(memory_, asked_, i) : 0.0);
      parts.push_back({name(i) + ": idf " + digits(memory_.idf(i)), amounts.back()});
    }
    why.accounts.push_back(account("names in both, by their idf", why.score, parts));
    add_path(why, id, amounts);
    return why;
  }

 private:
  RareOverlapRetriever retriever_;
  const Cue& asked_;
};

ExplainerPtr RareOverlapRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                           const Recall& recall) const {
  return std::make_unique<RareOverlapExplainer>(*this, memory, cue, recall);
}

constexpr auto rare_overlap_options = option_table(
    number_option<&RareOverlapRetriever::power>("power", 0, 4, "of a name's idf; 0: names are only counted"));

}  // namespace

Method rare_overlap_method() {
  return make_method<RareOverlapRetriever>("rare_overlap", "floor",
                                           "names in common, rare ones counting more", rare_overlap_options,
                                           {.support = Support::sparse, .is_local = true});
}

}  // namespace engram::core
