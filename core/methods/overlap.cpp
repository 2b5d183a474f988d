// SPDX-License-Identifier: MIT
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

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

/// Word overlap: concepts in common over concepts in either (Jaccard).
struct OverlapRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const {
    const auto cue_units = static_cast<double>((cue.array() > 0).count());
    Vector scores(memory.statements());
    for (Index e = 0; e < scores.size(); ++e) {
      const auto members = memory.episodes.columns_of(e);
      spend(members.size() + 4);
      double shared = 0;
      for (const auto i : members) shared += cue[i] > 0 ? 1.0 : 0.0;
      scores[e] = shared / (cue_units + static_cast<double>(members.size()) - shared);
    }
    return from_statements(memory, std::move(scores));
  }
  AnyExplainer explain(const Readings& memory, const Cue& cue, const Recall& recall) const {
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
