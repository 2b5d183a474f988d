// SPDX-License-Identifier: MIT
#include "core/proofs/proof_methods.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/methods/explanation.hpp"

namespace engram::core {
namespace {

/// Attention over the proofs of a question (core/proofs/proof_attention.hpp). Statements get their budgets, or their
/// cosines with the cue if neither a proof nor a guess is found.
struct ProofAttentionRetriever : Retriever {
  ProofSettings settings;
  /// Factor of the slack for a question with several answers, because a more expensive proof may have another answer.
  /// Chosen.
  static constexpr double open_slack = 3;

  ProofAttention attend(const MemoryIndex& memory, const Cue& cue) const {
    const ProofQuery asked = proof_query(memory, cue);
    ProofAttentionOptions wanted = settings.options;
    if (asked.is_open()) wanted.search.slack *= open_slack;
    return {memory, asked, settings.theta, wanted};
  }

  std::string note(const ProofAttention& attention) const {
    const std::string ended =
        attention.is_spent()
            ? "the search ended at its limit, work " + std::to_string(settings.options.search.work)
            : "deeper proofs than " + std::to_string(most_proof_depth) + " were left out";
    if (!attention.are_guesses()) return attention.is_spent() ? ended + "; there may be more proofs" : "";
    return "no proof was found; " +
           (attention.is_complete() ? "the search looked at everything" : ended + ", so there may be one");
  }

  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    const ProofAttention attention = attend(memory, cue);
    const auto found = budgets(attention);
    SparseVector statements(memory.statements(), {found.begin(), found.end()});
    const bool finds = statements.any_above_zero();
    Recall recall = from_statements(memory, finds ? statements : memory.statement_scores(cue.activation));
    recall.promises = finds;
    if (cue.term && cue.term.kind() == narsese::TermKind::statement) recall.note = note(attention);
    return recall;
  }

  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override;
};

class ProofExplainer : public StatementsExplainer {
 public:
  ProofExplainer(const ProofAttentionRetriever& retriever, const MemoryIndex& memory, const Cue& cue,
                 const Recall& recall)
      : StatementsExplainer(memory, cue, recall),
        theta_(retriever.settings.theta),
        temperature_(retriever.settings.options.temperature),
        attention_(retriever.attend(memory, cue)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
    const auto& guesses = attention_.proofs();
    const auto first = std::ranges::find_if(guesses, [&](const WeightedProof& guess) {
      return std::ranges::binary_search(guess.statements, id);
    });
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

  void explain_use(const WeightedProof& guess, std::size_t before, Explanation& why) const {
    std::vector<Account::Part> parts{{"all", 1}};
    if (before > 0)
      parts.push_back({"the probability that one of the " + std::to_string(before) +
                           " before it suffices, each with " + digits(attention_.confidence()) +
                           (attention_.answers() > 1 ? " for one of " + std::to_string(attention_.answers()) +
                                                           " answers, all equally likely"
                                                     : ""),
                       why.score - 1});
    why.accounts.push_back(account("score: of the " + std::to_string(attention_.proofs().size()) + " best " +
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
      for (const ConceptId id : memory_.episode(static_cast<Index>(step.statement)))
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

ExplainerPtr ProofAttentionRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                              const Recall& recall) const {
  return std::make_unique<ProofExplainer>(*this, memory, cue, recall);
}

// "weight " and the meaning of a feature.
template <std::size_t f>
constexpr auto weight_meaning = [] {
  constexpr std::string_view weight = "weight ", meaning = proof_feature_facts[f].meaning;
  std::array<char, weight.size() + meaning.size()> text{};
  std::ranges::copy(meaning, std::ranges::copy(weight, text.begin()).out);
  return text;
}();

template <std::size_t... f>
constexpr std::array<OptionSpec, sizeof...(f)> weight_options(std::index_sequence<f...>) {
  return {number_option<&ProofAttentionRetriever::settings, &ProofSettings::theta, f>(
      proof_feature_facts[f].name, -largest_proof_weight, largest_proof_weight,
      std::string_view(weight_meaning<f>.data(), weight_meaning<f>.size()))...};
}

constexpr auto proof_attention_options = option_table(
    whole_option<&ProofAttentionRetriever::settings, &ProofSettings::options, &ProofAttentionOptions::search,
                 &ProofSearchOptions::work>(
        "work", 1, 1e9, "the most statements and partial proofs that the search looks at"),
    number_option<&ProofAttentionRetriever::settings, &ProofSettings::options, &ProofAttentionOptions::search,
                  &ProofSearchOptions::slack>(
        "slack", 0, 100,
        "the search ends after proofs that cost this much more than the cheapest one, or three times "
        "this much for a question with a variable"),
    whole_option<&ProofAttentionRetriever::settings, &ProofSettings::options, &ProofAttentionOptions::proofs>(
        "proofs", 1, 1000, "the most proofs that get a rank"),
    number_option<&ProofAttentionRetriever::settings, &ProofSettings::options,
                  &ProofAttentionOptions::temperature>("temperature", 0.1, 100,
                                                       "temperature of the distribution over proofs"),
    simplex_map_options<&ProofAttentionRetriever::settings, &ProofSettings::options,
                        &ProofAttentionOptions::map>(),
    number_option<&ProofAttentionRetriever::settings, &ProofSettings::options,
                  &ProofAttentionOptions::confidence, &ProofConfidence::proof>(
        "confidence_proof", 0, 0.999999,
        "probability that a proof suffices for its answer if no proof of it before does"),
    number_option<&ProofAttentionRetriever::settings, &ProofSettings::options,
                  &ProofAttentionOptions::confidence, &ProofConfidence::guess>(
        "confidence_guess", 0, 0.999999, "the same for a guess"),
    choice_option<proof_embeddings, &ProofAttentionRetriever::settings, &ProofSettings::options,
                  &ProofAttentionOptions::embedding, &EmbeddingSpec::kind>(
        "embedding", "embedding of names for nearness (incidence: none)"),
    whole_option<&ProofAttentionRetriever::settings, &ProofSettings::options,
                 &ProofAttentionOptions::embedding, &EmbeddingSpec::dimensions>(
        "dimensions", fewest_proof_dimensions, most_proof_dimensions, "dimensions of the embedding"),
    weight_options(std::make_index_sequence<proof_features>()));

ProofAttentionRetriever proof_attention_defaults() {
  ProofAttentionRetriever defaults;
  defaults.settings.options.map = default_map(defaults.settings.options.map);
  return defaults;
}

/// Hopfield network with learnt maps (core/proofs/trained_hopfield.hpp). With several pairs of names a statement gets
/// its largest score; a cue without names gives the cosines.
struct TrainedHopfieldRetriever : Retriever {
  HopfieldMaps maps = plain_hopfield_maps();
  int steps = 4;

  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    if (memory.statements() == 0) return no_recall(memory);
    const auto pairs = name_pairs(memory, cue);
    if (pairs.empty()) return from_statements(memory, memory.statement_scores(cue.activation));
    Vector statements = Vector::Zero(memory.statements());
    for (const NamePair& pair : pairs)
      statements = statements.cwiseMax(TrainedHopfield(memory, pair).recall(maps, steps));
    Recall recall = from_statements(memory, std::move(statements));
    recall.iterations = steps;
    return recall;
  }
};

// The options of trained_hopfield. The names of the maps are computed, so this table is built once, when it is first
// used.
template <std::size_t... i>
std::span<const OptionSpec> trained_hopfield_options(std::index_sequence<i...>) {
  static const std::array<std::string, sizeof...(i)> names{hopfield_map_name(i)...};
  static const std::array<std::string, sizeof...(i)> meanings{hopfield_map_meaning(i)...};
  static const std::array<OptionSpec, sizeof...(i) + 1> table{
      whole_option<&TrainedHopfieldRetriever::steps>("steps", 1, 100, "iterations"),
      number_option<&TrainedHopfieldRetriever::maps, i>(names[i], -largest_hopfield_map, largest_hopfield_map,
                                                        meanings[i])...};
  return table;
}

}  // namespace

Method proof_attention_method() {
  return make_method<ProofAttentionRetriever>(
      std::string(proof_attention_name), "attention",
      "a Gibbs distribution over the proofs of a question, found backwards from the question; "
      "without a proof, over the paths between its names",
      proof_attention_options, {.support = Support::sparse, .is_local = true}, proof_attention_defaults());
}

Method trained_hopfield_method() {
  return make_method<TrainedHopfieldRetriever>(
      std::string(trained_hopfield_name), "hopfield",
      "modern Hopfield over the statements with learnt maps, a fixed number of steps, "
      "the cue kept; untrained unless a model is loaded",
      trained_hopfield_options(std::make_index_sequence<hopfield_maps>()),
      {.only_by_name = true, .no_sum = "its scores come of several steps, each a sum over all statements"});
}

ProofSettings proof_settings(const Options& complete) {
  ProofAttentionRetriever retriever = proof_attention_defaults();
  assign_options(proof_attention_options, complete, retriever);
  return retriever.settings;
}

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

Options options_of(const HopfieldMaps& maps, int steps) {
  Options options{{"steps", static_cast<double>(steps)}};
  for (std::size_t i = 0; i < hopfield_maps; ++i) options[hopfield_map_name(i)] = maps[i];
  return options;
}

}  // namespace engram::core
