// SPDX-License-Identifier: MIT
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

class CosineExplainer : public StatementsExplainer {
 public:
  CosineExplainer(const MemoryIndex& readings, const Cue& cue, const Recall& recall)
      : StatementsExplainer(readings, cue, recall), query_(readings.query(cue)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    std::vector<Account::Part> parts;
    std::vector<double> amounts;
    const auto columns = readings_.keys().columns_of(id);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double key = readings_.keys().values_of(id)[k], asked = query_[columns[k]];
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

/// Exact cosine of the cue with every statement, by idf.
struct CosineRetriever {
  static constexpr bool is_local = true;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    return from_statements(memory, memory.statement_scores(cue));
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return std::make_unique<CosineExplainer>(memory, cue, recall);
  }
};

}  // namespace

Method cosine_method() {
  return Declaration<CosineRetriever>("cosine", "floor",
                                      "exact cosine of cue and statement, rare concepts weighing more")
      .support(Support::sparse);
}

}  // namespace engram::core
