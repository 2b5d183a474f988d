// SPDX-License-Identifier: MIT
#include <map>
#include <vector>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

class OverlapExplainer : public StatementsExplainer {
 public:
  using StatementsExplainer::StatementsExplainer;

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    const auto members = readings_.episode(id);
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

/// Word overlap: concepts in common over concepts in either (Jaccard).
struct OverlapRetriever {
  static constexpr bool is_local = true;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    const std::vector<ConceptId> names = cue.names();
    std::map<StatementId, double> scores;  // at first how many they share
    for (const ConceptId name : names) {
      charge(16 * memory.mentions(name).size());
      for (const StatementId e : memory.mentions(name)) scores[e] += 1;
    }
    for (auto& [e, score] : scores)
      score /= static_cast<double>(names.size()) + static_cast<double>(memory.episode(e).size()) - score;
    return from_statements(memory, {memory.statements(), {scores.begin(), scores.end()}});
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return std::make_unique<OverlapExplainer>(memory, cue, recall);
  }
};

}  // namespace

Method overlap_method() {
  return Declaration<OverlapRetriever>("overlap", "floor",
                                       "word overlap: concepts in common over concepts in either")
      .support(Support::sparse);
}

}  // namespace engram::core
