// SPDX-License-Identifier: MIT
// The method of the tutorial add_a_method.md: as it would stand in core/methods/.
#include <cmath>
#include <map>
#include <vector>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

/// The names that a statement shares with the cue, rare ones counting more: sum over these names i of
///     a_i idf_i^power     a_i the cue's activation, idf_i as in core/retrieval/memory_index.hpp.
/// Cost  O(s log s), s the statements that mention a name of the cue
struct RareOverlapRetriever {
  static constexpr bool is_local = true;  // it reads nothing but what mentions the cue's names
  double power = 1;                       // 0: names are only counted
  double weight(const MemoryIndex& memory, const Cue& cue, ConceptId name) const {
    return cue.activation[name] * std::pow(memory.idf(name), power);
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    std::map<StatementId, double> scores;
    for (const ConceptId name : cue.names()) {
      charge(memory.mentions(name).size());  // so that a time limit of the caller is kept
      for (const StatementId e : memory.mentions(name)) scores[e] += weight(memory, cue, name);
    }
    return from_statements(memory, {memory.statements(), {scores.begin(), scores.end()}});
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const;
};

class RareOverlapExplainer : public StatementsExplainer {
 public:
  RareOverlapExplainer(const RareOverlapRetriever& retriever, const MemoryIndex& readings, const Cue& cue,
                       const Recall& recall)
      : StatementsExplainer(readings, cue, recall), retriever_(retriever), asked_(cue) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    std::vector<Account::Part> parts;
    std::vector<double> amounts;
    for (const ConceptId i : readings_.episode(id)) {
      amounts.push_back(asked_.activation[i] > 0 ? retriever_.weight(readings_, asked_, i) : 0.0);
      parts.push_back({name(i) + ": idf " + digits(readings_.idf(i)), amounts.back()});
    }
    why.accounts.push_back(account("names in both, by their idf", why.score, parts));
    add_way(why, id, amounts);
    return why;
  }

 private:
  RareOverlapRetriever retriever_;
  const Cue& asked_;
};

AnyExplainer RareOverlapRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                           const Recall& recall) const {
  return std::make_unique<RareOverlapExplainer>(*this, memory, cue, recall);
}

}  // namespace

Method rare_overlap_method() {
  return Declaration<RareOverlapRetriever>("rare_overlap", "floor",
                                           "names in common, rare ones counting more")
      .support(Support::sparse)
      .number("power", &RareOverlapRetriever::power, 0, 4, "of a name's idf; 0: names are only counted");
}

}  // namespace engram::core
