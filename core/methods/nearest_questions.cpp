// SPDX-License-Identifier: MIT
#include "core/retrieval/nearest_questions.hpp"

#include <algorithm>
#include <string>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

class NearestExplainer : public StatementsExplainer {
 public:
  NearestExplainer(const MemoryIndex& readings, const Cue& cue, const Recall& recall, NearestOptions options)
      : StatementsExplainer(readings, cue, recall),
        solved_(cue.solved),
        neighbours_(nearest_to(readings, cue, options)),
        options_(options) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    std::vector<Account::Part> parts{{"a neighbour of the question itself", neighbours_.statements[id]}};
    for (std::size_t x = 0; x < solved_.size(); ++x) {
      const auto& proof = solved_[x].proof;
      if (std::ranges::find(proof, id) == proof.end()) continue;
      const double share = options_.proof_weight * neighbours_.solved[x] / static_cast<double>(proof.size());
      parts.push_back({"in the proof of solved question " + std::to_string(x + 1) + ", of " +
                           std::to_string(proof.size()) + " statements",
                       share});
    }
    why.accounts.push_back(account("its nearness, and that of what it proved", why.score, parts));
    if (!(neighbours_.statements[id] > 0)) return why;
    std::vector<double> amounts;
    for (const ConceptId name : readings_.episode(id))
      amounts.push_back(cue_[name] > 0 ? weight_of_name(readings_, name, options_) : 0.0);
    add_way(why, id, amounts);
    return why;
  }

 private:
  std::span<const SolvedQuestion> solved_;
  Neighbours neighbours_;
  NearestOptions options_;
};

/// MaSh's k nearest neighbours (core/retrieval/nearest_questions.hpp) over the statements and over the solved
/// questions that the cue has; where it has none, over the statements alone.
struct NearestQuestionsRetriever {
  static constexpr bool is_local = true;
  NearestOptions options;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    return from_statements(memory, relevance(cue, nearest_to(memory, cue, options), options));
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return std::make_unique<NearestExplainer>(memory, cue, recall, options);
  }
};

}  // namespace

Method nearest_questions_method() {
  using R = NearestQuestionsRetriever;
  const auto of = within(&R::options);
  return Declaration<R>(
             "nearest_questions", "premise filter",
             "MaSh: what is like the question, and what proved those like it, as far as any are solved")
      .support(Support::sparse)
      .whole("neighbours", of(&NearestOptions::neighbours), 1, 1e9, "k: statements and solved questions")
      .number("power", of(&NearestOptions::power), 0, 16, "tau1: of the idf of a name in both")
      .number("proof_weight", of(&NearestOptions::proof_weight), 0, 1000,
              "tau2: of what a neighbour's proof has, beside neighbours themselves");
}

}  // namespace engram::core
