// SPDX-License-Identifier: MIT
// Why attention and modern Hopfield networks recall what they do: hop by hop, concept by concept.
#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/retrieval/explanation_parts.hpp"
#include "core/retrieval/retrievers.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_steps = 16;  // of modern_hopfield that are kept: it may take 10,000

Regulariser map_of(const Options& o) {
  return {*simplex_map_named(word_of(o, "map")), number_of(o, "alpha"),
          static_cast<Index>(number_of(o, "k"))};
}

// How a map made weights of similarities, with the numbers for one of them.
std::string separation_text(const Regulariser& map, double beta, const Vector& similarity, Index item,
                            double weight) {
  const std::string name(facts(map.map).name), b = digits(beta), s = digits(similarity[item]);
  const double best = max(similarity);
  if (map.map == SimplexMap::argmax)
    return "argmax: similarity " + s + ", the best is " + digits(best) + "; it alone gets weight";
  if (map.map == SimplexMap::softmax) {
    Vector above(similarity.size());
    for (Index i = 0; i < above.size(); ++i) above[i] = exp(beta * (similarity[i] - best));
    return "softmax: e^(" + b + " x (" + s + " - " + digits(best) + ")) / " + digits(sum(above)) + " = " +
           digits(weight) + ", as the best similarity is " + digits(best) + " and all e^(...) sum to " +
           digits(sum(above)) + "; it has no threshold";
  }
  const double tau = threshold(map, similarity, 1 / beta);
  const double slope = map.map == SimplexMap::entmax ? map.alpha - 1 : 1.0;
  return name + ": " + (slope == 1.0 ? "" : digits(slope) + " x ") + b + " x " + s + " = " +
         digits(slope * beta * similarity[item]) + " is above the threshold " + digits(tau) + " by " +
         digits(slope * beta * similarity[item] - tau) + ", which gives weight " + digits(weight) +
         "; what is below gets nothing";
}

// Attention to statements over several hops.
class HopsExplainer : public RecallExplainer {
 public:
  struct Hop {
    int number;
    Vector from_cue, from_found;  // the state it started from (n), in two parts
    Vector weights;               // (p)
  };

  /// `mean`: a score is the mean weight over all hops, else that of the last.
  template <class R>
  HopsExplainer(const R& retriever, bool mean, const Readings& readings, const Cue& cue, const Recall& recall)
      : RecallExplainer(readings, cue, recall), map_(retriever.map), beta_(retriever.beta), mean_(mean) {
    map_.k = std::min(map_.k, readings.statements());
    const Vector query = readings.query(cue), none = Vector::Zero(query.size());
    retriever.trace(readings, cue, [&](const Vector&, const Vector& p) {
      const bool first = hops_.empty();
      const int number = first ? 1 : hops_.back().number + 1;
      const Vector found = first ? none : readings.keys.multiply_transposed(hops_.back().weights);
      if (!mean && hops_.size() == most_steps) hops_.erase(hops_.begin() + 1);
      hops_.push_back({number, first || mean ? query : none, found, p});
    });
  }

  Explanation of_concept(ConceptId id) const override { return by_statements(id); }

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    std::vector<Account::Part> parts;
    std::size_t largest = hops_.size() - 1;
    if (mean_) {
      for (std::size_t t = 0; t < hops_.size(); ++t) {
        if (hops_[t].weights[id] > hops_[largest].weights[id]) largest = t;
        parts.push_back({"hop " + std::to_string(t + 1) + ": weight " + digits(hops_[t].weights[id]) +
                             " of " + std::to_string(hops_.size()) + " hops",
                         hops_[t].weights[id] / static_cast<double>(hops_.size())});
      }
      why.accounts.push_back(account("mean weight over the hops", why.score, parts));
    } else {
      parts.push_back({"its weight in " + hop_name(largest), hops_[largest].weights[id]});
      why.accounts.push_back(account("weight in the last step", why.score, parts));
    }
    if (!(why.score > 0)) return why;
    add_hop(why, largest, id);
    why.path = way_to(largest, id);
    return why;
  }

 private:
  std::string hop_name(std::size_t t) const {
    return (mean_ ? "hop " : "step ") + std::to_string(hops_[t].number);
  }

  // The similarity of a hop by what is shared, each by where it came from; and what the map made of it.
  void add_hop(Explanation& why, std::size_t t, StatementId id) const {
    const Hop& hop = hops_[t];
    const auto columns = readings_.keys.columns_of(id);
    const auto keys = readings_.keys.values_of(id);
    std::vector<Account::Part> parts;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const ConceptId c = columns[k];
      const std::string start = name(c) + ": " + digits(keys[k]) + " of the statement times ";
      parts.push_back({start + digits(hop.from_cue[c]) + " of the cue", keys[k] * hop.from_cue[c]});
      parts.push_back(
          {start + digits(hop.from_found[c]) + " of what the one before found", keys[k] * hop.from_found[c]});
    }
    const Vector similarity = readings_.keys.multiply(hop.from_cue + hop.from_found);
    why.accounts.push_back(account("similarity of the statement in " + hop_name(t), similarity[id], parts));
    why.separation = hop_name(t) + ", " + separation_text(map_, beta_, similarity, id, hop.weights[id]);
  }

  // Back from a statement to the concept that it shares most of, to the statement that brought that, ...
  std::vector<Stop> way_to(std::size_t t, StatementId id) const {
    std::vector<Stop> back;
    for (StatementId e = id;; --t) {
      const Hop& hop = hops_[t];
      const auto columns = readings_.keys.columns_of(e);
      const auto keys = readings_.keys.values_of(e);
      const auto part = [&](std::size_t k) {
        return keys[k] * (hop.from_cue[columns[k]] + hop.from_found[columns[k]]);
      };
      std::size_t best = 0;
      for (std::size_t k = 1; k < columns.size(); ++k)
        if (part(k) > part(best)) best = k;
      const ConceptId c = columns[best];
      const bool of_cue = t == 0 || hop.from_cue[c] >= hop.from_found[c];
      const StatementId from = of_cue ? e : bringer(c, hops_[t - 1].weights);
      if (!of_cue && from == e) continue;               // it held itself
      if (of_cue && !(hop.from_cue[c] > 0)) return {};  // no more than what a map gives to all
      back.push_back(
          statement_stop(e, hop_name(t) + ": similarity " + digits(part(best)) + " by this concept"));
      back.push_back(stop(c, of_cue ? "" : "which it mentions"));
      if (of_cue) break;
      e = from;
    }
    std::ranges::reverse(back);
    return back;
  }

  // The statement that brought most of a concept.
  StatementId bringer(ConceptId c, const Vector& weights) const {
    StatementId best = 0;
    double most = -1;
    for (const StatementId e : readings_.mentions.columns_of(c)) {
      const auto columns = readings_.keys.columns_of(e);
      const auto at = std::ranges::lower_bound(columns, c) - columns.begin();
      const double brought = weights[e] * readings_.keys.values_of(e)[static_cast<std::size_t>(at)];
      if (brought > most) {
        most = brought;
        best = e;
      }
    }
    return best;
  }

  Regulariser map_;
  double beta_;
  bool mean_;
  std::vector<Hop> hops_;
};

// Attention to concepts, over incidence embeddings: their inner products are links.
class ConceptAttentionExplainer : public RecallExplainer {
 public:
  ConceptAttentionExplainer(const ConceptAttentionRetriever& retriever, const Readings& readings,
                            const Cue& cue, const Recall& recall)
      : RecallExplainer(readings, cue, recall),
        retriever_(retriever),
        similarity_(retriever.similarity(readings, cue)) {}

  Explanation of_statement(StatementId id) const override { return by_concepts(id); }

  Explanation of_concept(ConceptId id) const override {
    Explanation why{recall_.concepts[id], {}, {}, {}, {}};
    why.accounts.push_back(account("weight", why.score, {{"its weight by the map (below)", why.score}}));
    const Vector holders = readings_.of_holders(similarity_);
    Index at = 0;
    for (Index i = 0; i < static_cast<Index>(id); ++i) at += readings_.activity[i] > 0 ? 1 : 0;
    Regulariser map = retriever_.map;
    map.k = std::min(map.k, holders.size());
    if (why.score > 0) why.separation = separation_text(map, retriever_.beta, holders, at, why.score);
    add_links(why, id);
    return why;
  }

 private:
  // cos(x_i, sum_j cue_j x_j) = sum_j cue_j W_ij / (|x_i| |sum|), W with its diagonal.
  void add_links(Explanation& why, ConceptId id) const {
    std::vector<Account::Part> parts;
    ConceptId nearest = id;
    double most = 0, all = 0;
    const auto term = [&](ConceptId j, double w) {
      if (!(cue_[j] > 0) || !(w > 0)) return;
      parts.push_back({name(j) + ": evidence " + digits(w) + " together", cue_[j] * w});
      all += parts.back().amount;
      if (parts.back().amount > most) {
        most = parts.back().amount;
        nearest = j;
      }
    };
    const auto columns = readings_.links.columns_of(id);
    for (std::size_t k = 0; k < columns.size(); ++k) term(columns[k], readings_.links.values_of(id)[k]);
    term(id, readings_.activity[id]);
    for (Account::Part& part : parts) part.amount *= all > 0 ? similarity_[id] / all : 0.0;
    why.accounts.push_back(
        account("similarity: evidence of being active together with the cue, over the "
                "lengths " +
                    digits(all > 0 ? all / similarity_[id] : 0),
                similarity_[id], parts));
    if (!(most > 0)) return;
    why.path.push_back(stop(nearest, ""));
    if (nearest != id) why.path.push_back(stop(id, "evidence " + digits(most) + " of being active together"));
  }

  ConceptAttentionRetriever retriever_;
  Vector similarity_;
};

}  // namespace

std::unique_ptr<const Explainer> explain_attention(const std::string& method, const Options& o,
                                                   const Readings& readings, const Cue& cue,
                                                   const Recall& recall) {
  if (method == "modern_hopfield") {
    const ModernHopfieldRetriever retriever{number_of(o, "beta"), static_cast<int>(number_of(o, "max_steps")),
                                            map_of(o)};
    return std::make_unique<HopsExplainer>(retriever, false, readings, cue, recall);
  }
  if (method == "concept_attention") {
    const ConceptAttentionRetriever retriever{number_of(o, "beta"), map_of(o)};
    if (word_of(o, "embedding") != "incidence" || word_of(o, "structure") != "no") return nullptr;
    return std::make_unique<ConceptAttentionExplainer>(retriever, readings, cue, recall);
  }
  if (method.ends_with("attention") && method != "continuous_attention") {
    if (word_of(o, "inverse_frequency") != "yes") return nullptr;
    const AttentionRetriever retriever{number_of(o, "beta"), static_cast<int>(number_of(o, "steps")),
                                       map_of(o)};
    return std::make_unique<HopsExplainer>(retriever, true, readings, cue, recall);
  }
  return nullptr;
}

}  // namespace engram::core
