// SPDX-License-Identifier: MIT
#include "core/methods/path_attention.hpp"

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/numeric.hpp"
#include "core/paths/path_questions.hpp"
#include "core/retrieval/passes.hpp"

namespace engram::core {
namespace {

/// Attention over the proofs of a question (core/proofs/proof_attention.hpp) gives each statement that a proof uses its budget.
/// All other statements get their budgets by attention over the paths between the names of the question
/// (core/paths/path_attention.hpp), times the probability that no proof is sufficient. If there is neither a proof nor a path,
/// statements get their cosines with the cue.
struct PathAttentionRetriever : PathSettings {
  static constexpr bool is_local = true;

  /// Empty if no proof is found.
  std::optional<ProofAttention> proven(const Readings& memory, const Cue& cue) const {
    if (!cue.term || proofs.work == 0) return std::nullopt;
    ProofAttentionOptions wanted;
    wanted.search = proofs;
    wanted.temperature = options.paths.temperature;
    wanted.map = options.map;
    ProofAttention attention(memory, cue.term, wanted);
    return attention.guesses().empty() ? std::nullopt : std::optional(std::move(attention));
  }

  /// The probability that a proof is sufficient if those before it are not.
  double certainty_of(const Cue& cue) const {
    const auto crossing = crossing_of(cue.term);
    const auto is_variable = [](narsese::Term term) { return term.kind() == narsese::TermKind::variable; };
    const bool is_open =
        crossing ? is_variable(crossing->from) || is_variable(crossing->to) : cue.term.has_variables();
    return is_open ? options.certainty.open : options.certainty.derived;
  }

  std::vector<PathAttention> attend(const Readings& memory, const Cue& cue, bool features = false) const {
    const RelationRules& rules = memory.relation_rules();
    PathAttentionOptions wanted = options;
    wanted.features = features;
    std::vector<PathAttention> all;
    for (const PathQuestion& question : path_questions(memory, cue))
      all.emplace_back(memory, rules, question, theta, wanted);
    return all;
  }

  static boost::container::flat_map<StatementId, double> by_paths(const std::vector<PathAttention>& all) {
    boost::container::flat_map<StatementId, double> found;
    for (const PathAttention& paths : all)
      for (const auto& [e, budget] : budgets(paths)) found[e] = std::max(found[e], budget);
    return found;
  }

  static constexpr double least_budget = 1e-300;  // chosen: the smallest budget of a given statement
  /// The probability that no proof is sufficient, bounded from below so that budgets by paths stay above 0.
  double none_is_meant(const ProofAttention& attention, const Cue& cue) const {
    constexpr double least = 1e-150;  // chosen
    return std::max(least, exp(static_cast<double>(attention.guesses().size()) * log1p(-certainty_of(cue))));
  }

  Recall recall(const Readings& memory, const Cue& cue) const {
    boost::container::flat_map<StatementId, double> found = by_paths(attend(memory, cue));
    if (const auto attention = proven(memory, cue)) {
      const double rest = none_is_meant(*attention, cue);
      for (auto& [e, budget] : found) budget = std::max(least_budget, rest * budget);
      for (const auto& [e, budget] : budgets(*attention, certainty_of(cue))) found[e] = budget;
    }
    SparseVector statements(memory.statements(), {found.begin(), found.end()});
    const bool finds = statements.any_above_zero();
    Recall recall = from_statements(memory, finds ? statements : memory.statement_scores(cue));
    recall.promises = finds;
    return recall;
  }

  AnyExplainer explain(const Readings& memory, const Cue& cue, const Recall& recall) const;
};

class PathExplainer : public StatementsExplainer {
 public:
  PathExplainer(const PathAttentionRetriever& retriever, const Readings& memory, const Cue& cue,
                const Recall& recall)
      : StatementsExplainer(memory, cue, recall),
        theta_(retriever.theta),
        temperature_(retriever.options.paths.temperature),
        attentions_(retriever.attend(memory, cue, true)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    const PathAttention* most = nullptr;
    for (const PathAttention& attention : attentions_) {
      const auto found = budgets(attention);
      const auto own = std::ranges::lower_bound(found, id, {}, [](const auto& one) { return one.first; });
      if (most == nullptr && own != found.end() && own->first == id && own->second == why.score)
        most = &attention;
    }
    if (!(why.score > 0)) {
      why.note = "no path leads over it";
    } else if (most == nullptr) {
      why.accounts.push_back(
          account("score", why.score, {{"no path is found: its cosine with the cue", why.score}}));
    } else {
      explain_budget(*most, id, why);
    }
    return why;
  }

 protected:
  // The way over a statement that the best path with it takes.
  void add_way_over(StatementId id, Explanation& why) const {
    for (const PathAttention& attention : attentions_)
      for (const PathGuess& guess : attention.guesses())
        if (why.path.empty()) add_path(guess, id, why);
  }

 private:
  void explain_budget(const PathAttention& attention, StatementId id, Explanation& why) const {
    const auto& guesses = attention.guesses();
    std::size_t rank = 0;
    while (rank < guesses.size() && !std::ranges::binary_search(guesses[rank].statements(), id)) ++rank;
    if (rank == guesses.size()) {
      why.accounts.push_back(
          account("score", why.score, {{"its marginal, of what no guess has", why.score}}));
      return;
    }
    const PathGuess& guess = guesses[rank];
    why.accounts.push_back(
        account("score: of the " + std::to_string(guesses.size()) + " best paths, number " +
                    std::to_string(rank + 1) + " is the first that has it",
                why.score,
                {{"all", 1},
                 {"how likely a proof is among those before it" + counted(guesses, rank), why.score - 1}}));
    double score = 0;
    std::vector<Account::Part> parts;
    for (std::size_t f = 0; f < path_features; ++f) {
      const double part = guess.features[f] * theta_[f];
      score += part;
      if (part != 0)
        parts.push_back({std::string(path_feature_facts[f].name) + ": " + digits(guess.features[f]) +
                             " times " + digits(theta_[f]),
                         part});
    }
    why.accounts.push_back(
        account("less the energy of that path" + std::string(guess.is_derived ? ", with its derivation" : ""),
                score, parts));
    why.separation = "share of that path, with all its derivations: " + digits(guess.share) +
                     "; temperature " + digits(temperature_);
    add_path(guess, id, why);
  }

  // ": 2 with a derivation, each 0.9, and 1 without, each 0.1"
  static std::string counted(const std::vector<PathGuess>& guesses, std::size_t before) {
    std::string text;
    for (const bool derived : {true, false}) {
      const auto is_such = [&](const PathGuess& guess) { return guess.is_derived == derived; };
      const auto end = guesses.begin() + static_cast<std::ptrdiff_t>(before);
      const auto first = std::find_if(guesses.begin(), end, is_such);
      if (first == end) continue;
      text += (text.empty() ? ": " : ", and ") + std::to_string(std::count_if(first, end, is_such)) +
              (derived ? " with a derivation" : " without") + ", each " + digits(first->certainty);
    }
    return text;
  }

  // Steps over the statement; of one that a derivation uses alone there is no way.
  void add_path(const PathGuess& guess, StatementId id, Explanation& why) const {
    if (std::ranges::none_of(guess.steps, [&](const auto& step) { return step.second.statement == id; }))
      return;
    if (!(cue_[guess.steps.front().first] > 0)) return;
    why.path.push_back(stop(guess.steps.front().first, ""));
    for (const auto& [from, step] : guess.steps) {
      why.path.push_back(statement_stop(step.statement, "which mentions it"));
      why.path.push_back(stop(step.to, "which it mentions"));
    }
  }

  const PathWeights theta_;
  double temperature_;
  std::vector<PathAttention> attentions_;
};

/// Explains budgets by proofs.
class ProofExplainer : public PathExplainer {
 public:
  ProofExplainer(const PathAttentionRetriever& retriever, const ProofAttention& attention,
                 const Readings& memory, const Cue& cue, const Recall& recall)
      : PathExplainer(retriever, memory, cue, recall),
        attention_(attention),
        certainty_(retriever.certainty_of(cue)),
        rest_(retriever.none_is_meant(attention, cue)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    const auto& guesses = attention_.guesses();
    const auto uses = [&](const ProofGuess& guess) {
      return std::ranges::binary_search(guess.statements, id);
    };
    const auto first = std::ranges::find_if(guesses, uses);
    if (!(why.score > 0)) {
      why.note = "no proof uses it, and no path leads over it";
      return why;
    }
    if (first != guesses.end()) {
      explain_use(*first, static_cast<std::size_t>(first - guesses.begin()), why);
    } else {
      const bool is_used = std::ranges::binary_search(attention_.marginals(), id, {},
                                                      [](const auto& one) { return one.first; });
      why.accounts.push_back(account("score", why.score,
                                     {{is_used ? "its marginal: none of the best proofs uses it"
                                               : "no proof uses it: its budget by paths, times " +
                                                     digits(rest_) + ", how likely no proof is meant",
                                       why.score}}));
    }
    add_way_over(id, why);
    return why;
  }

 private:
  void explain_use(const ProofGuess& guess, std::size_t before, Explanation& why) const {
    std::vector<Account::Part> parts{{"all", 1}};
    if (before > 0)
      parts.push_back({"how likely the proof that is meant is among the " + std::to_string(before) +
                           " before it, each " + digits(certainty_),
                       why.score - 1});
    why.accounts.push_back(account("score: of the " + std::to_string(attention_.guesses().size()) +
                                       " best proofs, number " + std::to_string(before + 1) +
                                       " is the first that uses it",
                                   why.score, parts));
    std::vector<Account::Part> costs;
    double sum = 0;
    for (const StatementId e : guess.statements) {
      costs.push_back({sentence(e), cost_of_use(readings_, e)});
      sum += costs.back().amount;
    }
    if (guess.cost - sum > 1e-9) costs.push_back({"what it uses again", guess.cost - sum});
    why.accounts.push_back(
        account("cost of that proof: 1 for each use of a statement, and its doubt", guess.cost, costs));
    why.separation = "share of that proof: " + digits(guess.share);
  }

  ProofAttention attention_;
  double certainty_, rest_;
};

AnyExplainer PathAttentionRetriever::explain(const Readings& memory, const Cue& cue,
                                             const Recall& recall) const {
  if (const auto attention = proven(memory, cue))
    return std::make_unique<ProofExplainer>(*this, *attention, memory, cue, recall);
  return std::make_unique<PathExplainer>(*this, memory, cue, recall);
}

Declaration<PathAttentionRetriever> declaration() {
  using R = PathAttentionRetriever;
  const auto of = within(&R::options);
  const auto paths = within(of(&PathAttentionOptions::paths));
  const auto certainty = within(of(&PathAttentionOptions::certainty));
  const auto embedding = within(of(&PathAttentionOptions::embedding));
  Declaration<R> declared(std::string(path_attention_name), "attention",
                          "a Gibbs distribution over the proofs of a question, found from the question back; "
                          "where there is none, over the paths between its names");
  declared
      .whole(
          "work", [](auto& r) -> auto& { return r.proofs.work; }, 0, 1e9,
          "statements and partial proofs that the search for proofs looks at, at most (0: none is looked "
          "for)")
      .number(
          "slack", [](auto& r) -> auto& { return r.proofs.slack; }, 0, 100,
          "proofs that cost so much more than the cheapest are looked for, too")
      .whole("steps", paths(&PathOptions::steps), 1, 12, "statements of a path, at most")
      .whole("width", paths(&PathOptions::width), 1, 1e5,
             "steps that are gone on from at each length, at most")
      .number("temperature", paths(&PathOptions::temperature), 0.1, 100, "of the distribution over paths")
      .whole("ways", of(&PathAttentionOptions::ways), 0, 1000,
             "the best paths, of which derivations are looked for")
      .map(of(&PathAttentionOptions::map))
      .number(
          "certainty_derived", certainty(&GuessCertainty::derived), 0, 0.999999,
          "how likely a proof, or a path with a derivation, is what is meant, where those before it are not")
      .number("certainty_open", certainty(&GuessCertainty::open), 0, 0.999999,
              "the same of a question that names one end alone")
      .number("certainty_alone", certainty(&GuessCertainty::alone), 0, 0.999999,
              "how likely a path without a derivation does")
      .choice("embedding", embedding(&EmbeddingSpec::kind), path_embeddings,
              "of names, for embedding_1 to embedding_4 (incidence: none but link)")
      .whole("dimensions", embedding(&EmbeddingSpec::dimensions), fewest_path_dimensions,
             most_path_dimensions, "of the embedding")
      .support(Support::sparse);
  for (std::size_t f = 0; f < path_features; ++f)
    declared.number(
        std::string(path_feature_facts[f].name), [f](auto& r) -> auto& { return r.theta[f]; },
        -largest_path_weight, largest_path_weight, "weight " + std::string(path_feature_facts[f].meaning));
  return declared;
}

}  // namespace

Method path_attention_method() { return declaration(); }

PathSettings path_settings(const Options& complete) { return declaration().from(complete); }

Options options_of(const PathWeights& theta) {
  Options options;
  for (std::size_t f = 0; f < path_features; ++f) options[std::string(path_feature_facts[f].name)] = theta[f];
  return options;
}

Options options_of(const GuessCertainty& certainty) {
  return {{"certainty_derived", certainty.derived},
          {"certainty_open", certainty.open},
          {"certainty_alone", certainty.alone}};
}

Options options_of(const EmbeddingSpec& embedding) {
  const auto kind = std::ranges::find(path_embeddings, embedding.kind, &EmbeddingFacts::value);
  return {{"embedding", std::string(kind->name)}, {"dimensions", static_cast<double>(embedding.dimensions)}};
}

}  // namespace engram::core
