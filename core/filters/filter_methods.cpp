// SPDX-License-Identifier: MIT
// Premise filters of theorem provers as methods: SInE, MePo and nearest questions.
#include <algorithm>
#include <string>
#include <vector>

#include "core/filters/nearest_questions.hpp"
#include "core/filters/premise_selection.hpp"
#include "core/methods/explanation.hpp"

namespace engram::core {
namespace {

/// SInE from the cue's names (core/filters/premise_selection.hpp). SInE selects a set; here the set is ranked by
/// depth, then by the number of statements that mention the trigger: score 1 / (depth + occ / (occ + 1)). Other
/// statements get 0.
struct SineRetriever : RankRetriever {
  SineOptions options;
  void visit_ranked(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const override {
    for (const SineSelected& one : select_by_sine(memory, cue.names(), options)) {
      const auto occ = static_cast<double>(one.trigger);
      visit(one.statement, 1 / (one.depth + occ / (occ + 1)), [&] {
        return "triggered in round " + std::to_string(one.depth) + " by a name in " +
               std::to_string(one.trigger) + " statements";
      });
    }
  }
};

constexpr auto sine_options = option_table(
    number_option<&SineRetriever::options, &SineOptions::tolerance>(
        "tolerance", 1, 1e6, "a name triggers a statement unless another name in it is rarer by this factor"),
    number_option<&SineRetriever::options, &SineOptions::generality>(
        "generality", 0, 1e9, "a name in at most this many statements triggers all of them"),
    whole_option<&SineRetriever::options, &SineOptions::depth>("depth", 1, 100, "number of rounds"));

/// MePo from the cue's names (core/filters/premise_selection.hpp). Statements are ranked by round, then by mark: score
/// 1 / (1 + round - mark). Statements that MePo does not select get 0.
struct MepoRetriever : RankRetriever {
  MepoOptions options;
  void visit_ranked(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const override {
    for (const MepoSelected& one : select_by_mepo(memory, cue.names(), options))
      visit(one.statement, 1 / (1 + one.round - one.mark), [&] {
        return "selected in round " + std::to_string(one.round) + " with the mark " + digits(one.mark);
      });
  }
};

constexpr auto mepo_options =
    option_table(number_option<&MepoRetriever::options, &MepoOptions::pass_mark>(
                     "pass_mark", 0, 0.999, "p: least relevance in the first round"),
                 number_option<&MepoRetriever::options, &MepoOptions::convergence>(
                     "convergence", 1, 1000, "c: each round divides 1 - p by c"));

class NearestExplainer : public StatementsExplainer {
 public:
  NearestExplainer(const MemoryIndex& memory, const Cue& cue, const Recall& recall, NearestOptions options)
      : StatementsExplainer(memory, cue, recall),
        solved_(cue.solved),
        neighbours_(nearest_to(memory, cue, options)),
        options_(options) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
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
    for (const ConceptId name : memory_.episode(id))
      amounts.push_back(cue_[name] > 0 ? weight_of_name(memory_, name, options_) : 0.0);
    add_path(why, id, amounts);
    return why;
  }

 private:
  std::span<const SolvedQuestion> solved_;
  Neighbours neighbours_;
  NearestOptions options_;
};

/// MaSh's k nearest neighbours (core/filters/nearest_questions.hpp) among the statements and the cue's solved
/// questions.
struct NearestQuestionsRetriever : Retriever {
  NearestOptions options;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    return from_statements(memory, relevance(cue, nearest_to(memory, cue, options), options));
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    return std::make_unique<NearestExplainer>(memory, cue, recall, options);
  }
};

constexpr auto nearest_options =
    option_table(whole_option<&NearestQuestionsRetriever::options, &NearestOptions::neighbours>(
                     "neighbours", 1, 1e9, "k: number of nearest statements and solved questions"),
                 number_option<&NearestQuestionsRetriever::options, &NearestOptions::power>(
                     "power", 0, 16, "tau1: exponent of the idf of a shared name"),
                 number_option<&NearestQuestionsRetriever::options, &NearestOptions::proof_weight>(
                     "proof_weight", 0, 1000,
                     "tau2: weight of statements in a neighbour's proof, relative to the neighbour"));

}  // namespace

Method sine_method() {
  return make_method<SineRetriever>("sine", "premise filter",
                                    "SInE: statements with their rarest names among the names reached",
                                    sine_options, {.support = Support::sparse, .is_local = true});
}

Method mepo_method() {
  return make_method<MepoRetriever>("mepo", "premise filter", "MePo: statements with mostly relevant names",
                                    mepo_options, {.support = Support::sparse, .is_local = true});
}

Method nearest_questions_method() {
  return make_method<NearestQuestionsRetriever>(
      "nearest_questions", "premise filter",
      "MaSh: statements similar to the question, and the proofs of similar solved questions", nearest_options,
      {.support = Support::sparse, .is_local = true});
}

}  // namespace engram::core
