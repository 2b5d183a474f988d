// SPDX-License-Identifier: MIT
#include "core/methods/proof_attention.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

/// Attention over the proofs of a question (core/proofs/proof_attention.hpp). Statements get their budgets; if neither a proof
/// nor a guess is found, their cosines with the cue.
struct ProofAttentionRetriever : ProofSettings {
  static constexpr bool is_local = true;
  /// Chosen: the slack is so many times as large for a question with several answers, because a dearer proof may have another
  /// answer.
  static constexpr double open_slack = 3;

  ProofAttention attend(const MemoryIndex& memory, const Cue& cue) const {
    const AskedProofs asked = asked_proofs(memory, cue);
    ProofAttentionOptions wanted = options;
    if (asked.is_open()) wanted.search.slack *= open_slack;
    return {memory, asked, theta, wanted};
  }

  std::string note(const ProofAttention& attention) const {
    const std::string ended =
        attention.is_spent() ? "the search ended at its limit, work " + std::to_string(options.search.work)
                             : "deeper proofs than " + std::to_string(most_proof_depth) + " were left out";
    if (!attention.are_guesses()) return attention.is_spent() ? ended + "; there may be more proofs" : "";
    return "no proof was found; " +
           (attention.is_complete() ? "the search looked at everything" : ended + ", so there may be one");
  }

  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    const ProofAttention attention = attend(memory, cue);
    const auto found = budgets(attention);
    SparseVector statements(memory.statements(), {found.begin(), found.end()});
    const bool finds = statements.any_above_zero();
    Recall recall = from_statements(memory, finds ? statements : memory.statement_scores(cue));
    recall.promises = finds;
    if (cue.term && cue.term.kind() == narsese::TermKind::statement) recall.note = note(attention);
    return recall;
  }

  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const;
};

class ProofExplainer : public StatementsExplainer {
 public:
  ProofExplainer(const ProofAttentionRetriever& retriever, const MemoryIndex& memory, const Cue& cue,
                 const Recall& recall)
      : StatementsExplainer(memory, cue, recall),
        theta_(retriever.theta),
        temperature_(retriever.options.temperature),
        attention_(retriever.attend(memory, cue)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    const auto& guesses = attention_.guesses();
    const auto first = std::ranges::find_if(
        guesses, [&](const ProofGuess& guess) { return std::ranges::binary_search(guess.statements, id); });
    if (!(why.score > 0)) {
      why.note = attention_.are_guesses() ? "there is no proof, and no guess uses it" : "no proof uses it";
    } else if (guesses.empty()) {
      why.accounts.push_back(
          account("score", why.score,
                  {{"there is neither a proof nor a guess: its cosine with the cue", why.score}}));
    } else if (first == guesses.end()) {
      why.accounts.push_back(account(
          "score", why.score, {{"its marginal: none of the best " + kinds() + " uses it", why.score}}));
    } else {
      explain_use(*first, static_cast<std::size_t>(first - guesses.begin()), why);
    }
    return why;
  }

 private:
  std::string kind() const { return attention_.are_guesses() ? "guess" : "proof"; }
  std::string kinds() const { return attention_.are_guesses() ? "guesses" : "proofs"; }

  void explain_use(const ProofGuess& guess, std::size_t before, Explanation& why) const {
    std::vector<Account::Part> parts{{"all", 1}};
    if (before > 0)
      parts.push_back({"the probability that one of the " + std::to_string(before) +
                           " before it suffices, each with " + digits(attention_.confidence()) +
                           (attention_.answers() > 1 ? " for one of " + std::to_string(attention_.answers()) +
                                                           " answers, all equally likely"
                                                     : ""),
                       why.score - 1});
    why.accounts.push_back(account("score: of the " + std::to_string(attention_.guesses().size()) + " best " +
                                       kinds() + ", number " + std::to_string(before + 1) +
                                       " is the first that uses it",
                                   why.score, parts));
    double score = 0;
    std::vector<Account::Part> weights;
    for (std::size_t f = 0; f < proof_features; ++f) {
      const double part = guess.features[f] * theta_[f];
      score += part;
      if (part != 0)
        weights.push_back({std::string(proof_feature_facts[f].name) + ": " + digits(guess.features[f]) +
                               " times " + digits(theta_[f]),
                           part});
    }
    why.accounts.push_back(account("log-weight of that " + kind() + " at temperature 1", score, weights));
    why.separation =
        "share of that " + kind() + ": " + digits(guess.share) + "; temperature " + digits(temperature_);
    for (const ProofStep& step : guess.steps) {
      ExplainedStep& explained = why.proof.emplace_back();
      explained = {step.statement, sentence(step.statement), {}, words(step.move), step.depth};
      for (const ConceptId id : readings_.episode(static_cast<Index>(step.statement)))
        explained.terms.push_back(name(id));
    }
  }

  static std::string words(ProofMove move) {
    switch (move) {
      case ProofMove::fact:
        return "fact";
      case ProofMove::rule:
        return "rule";
      case ProofMove::inheritance:
        return "inheritance";
      case ProofMove::similarity:
        return "similarity";
      case ProofMove::association:
        return "association";
    }
    return {};
  }

  const ProofWeights theta_;
  double temperature_;
  ProofAttention attention_;
};

AnyExplainer ProofAttentionRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                              const Recall& recall) const {
  return std::make_unique<ProofExplainer>(*this, memory, cue, recall);
}

Declaration<ProofAttentionRetriever> declaration() {
  using R = ProofAttentionRetriever;
  const auto of = within(&R::options);
  const auto search = within(of(&ProofAttentionOptions::search));
  const auto confidence = within(of(&ProofAttentionOptions::confidence));
  const auto embedding = within(of(&ProofAttentionOptions::embedding));
  Declaration<R> declared(
      std::string(proof_attention_name), "attention",
      "a Gibbs distribution over the proofs of a question, found backwards from the question; "
      "without a proof, over the paths between its names");
  declared
      .whole("work", search(&ProofSearchOptions::work), 1, 1e9,
             "the most statements and partial proofs that the search looks at")
      .number("slack", search(&ProofSearchOptions::slack), 0, 100,
              "the search ends after proofs that cost this much more than the cheapest one, or three times "
              "this much for a question with a variable")
      .whole("proofs", of(&ProofAttentionOptions::proofs), 1, 1000, "the most proofs that get a rank")
      .number("temperature", of(&ProofAttentionOptions::temperature), 0.1, 100,
              "temperature of the distribution over proofs")
      .map(of(&ProofAttentionOptions::map))
      .number("confidence_proof", confidence(&ProofConfidence::proof), 0, 0.999999,
              "probability that a proof suffices for its answer if no proof of it before does")
      .number("confidence_guess", confidence(&ProofConfidence::guess), 0, 0.999999, "the same for a guess")
      .choice("embedding", embedding(&EmbeddingSpec::kind), proof_embeddings,
              "embedding of names for nearness (incidence: none)")
      .whole("dimensions", embedding(&EmbeddingSpec::dimensions), fewest_proof_dimensions,
             most_proof_dimensions, "dimensions of the embedding")
      .support(Support::sparse);
  for (std::size_t f = 0; f < proof_features; ++f)
    declared.number(
        std::string(proof_feature_facts[f].name), [f](auto& r) -> auto& { return r.theta[f]; },
        -largest_proof_weight, largest_proof_weight, "weight " + std::string(proof_feature_facts[f].meaning));
  return declared;
}

}  // namespace

Method proof_attention_method() { return declaration(); }

ProofSettings proof_settings(const Options& complete) { return declaration().from(complete); }

Options options_of(const ProofWeights& theta) {
  Options options;
  for (std::size_t f = 0; f < proof_features; ++f)
    options[std::string(proof_feature_facts[f].name)] = theta[f];
  return options;
}

Options options_of(const ProofConfidence& confidence) {
  return {{"confidence_proof", confidence.proof}, {"confidence_guess", confidence.guess}};
}

Options options_of(const EmbeddingSpec& embedding) {
  const auto kind = std::ranges::find(proof_embeddings, embedding.kind, &EmbeddingFacts::value);
  return {{"embedding", std::string(kind->name)}, {"dimensions", static_cast<double>(embedding.dimensions)}};
}

}  // namespace engram::core
