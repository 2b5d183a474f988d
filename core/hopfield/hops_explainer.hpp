// SPDX-License-Identifier: MIT
// Explanations of the scores of attention and modern Hopfield networks, hop by hop and concept by concept. A hop is one
// attention step: it weighs the statements by their similarity to a state over the concepts.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/methods/explanation.hpp"

namespace engram::core {

/// Explainer for methods that attend to statements over several hops (attention steps).
class HopsExplainer : public StatementsExplainer {
 public:
  /// A recorded hop: the state over n concepts at its start, and the weights of p statements that it computed.
  struct Hop {
    int number;
    Vector from_cue, from_found;  // the initial state (n) is their sum
    Vector weights;               // (p)
  };

  /// Repeats the recall with `retriever` and records its hops. If `mean` is true, a score of `recall` is the mean
  /// weight of the statement over all hops, otherwise its weight in the last step.
  template <class R>
  HopsExplainer(const R& retriever, double beta, bool mean, const MemoryIndex& memory, const Cue& cue,
                const Recall& recall)
      : StatementsExplainer(memory, cue, recall), map_(retriever.map), beta_(beta), mean_(mean) {
    map_ = map_.at_most(memory.statements());
    const Vector query = memory.query(cue.activation), none = Vector::Zero(query.size());
    retriever.trace(memory, cue.activation, [&](const Vector&, const Vector& p) {
      const bool first = hops_.empty();
      const int number = first ? 1 : hops_.back().number + 1;
      const Vector found = first ? none : memory.keys().multiply_transposed(hops_.back().weights);
      if (!mean && hops_.size() == most_kept) hops_.erase(hops_.begin() + 1);
      hops_.push_back({number, first || mean ? query : none, found, p});
    });
  }

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id]};
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
  static constexpr std::size_t most_kept = 16;  // chosen: modern_hopfield may take 10,000 steps

  std::string hop_name(std::size_t t) const {
    return (mean_ ? "hop " : "step ") + std::to_string(hops_[t].number);
  }

  // Adds the similarity of a hop as a sum over the shared concepts, and what the map made of it.
  void add_hop(Explanation& why, std::size_t t, StatementId id) const {
    const Hop& hop = hops_[t];
    const auto columns = memory_.keys().columns_of(id);
    const auto keys = memory_.keys().values_of(id);
    std::vector<Account::Part> parts;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const ConceptId c = columns[k];
      const std::string start = name(c) + ": " + digits(keys[k]) + " of the statement times ";
      parts.push_back({start + digits(hop.from_cue[c]) + " of the cue", keys[k] * hop.from_cue[c]});
      parts.push_back(
          {start + digits(hop.from_found[c]) + " of what the one before found", keys[k] * hop.from_found[c]});
    }
    const Vector similarity = memory_.keys().multiply(hop.from_cue + hop.from_found);
    why.accounts.push_back(account("similarity of the statement in " + hop_name(t), similarity[id], parts));
    why.separation = hop_name(t) + ", " + separation_text(map_, beta_, similarity, id, hop.weights[id]);
  }

  // Follows the path back: from the statement to its most similar concept, to the statement that contributed the
  // concept, ...
  std::vector<Stop> way_to(std::size_t t, StatementId id) const {
    std::vector<Stop> back;
    for (StatementId e = id;; --t) {
      const Hop& hop = hops_[t];
      const auto columns = memory_.keys().columns_of(e);
      const auto keys = memory_.keys().values_of(e);
      if (columns.empty()) return {};  // a statement without names, such as #1, shares nothing with a cue
      const auto part = [&](std::size_t k) {
        return keys[k] * (hop.from_cue[columns[k]] + hop.from_found[columns[k]]);
      };
      std::size_t best = 0;
      for (std::size_t k = 1; k < columns.size(); ++k)
        if (part(k) > part(best)) best = k;
      const ConceptId c = columns[best];
      const bool of_cue = t == 0 || hop.from_cue[c] >= hop.from_found[c];
      const StatementId from = of_cue ? e : source_of(c, hops_[t - 1].weights);
      if (!of_cue && from == e) continue;               // the statement is its own source
      if (of_cue && !(hop.from_cue[c] > 0)) return {};  // the map gives some weight to all statements
      back.push_back(
          statement_stop(e, hop_name(t) + ": similarity " + digits(part(best)) + " by this concept"));
      back.push_back(stop(c, of_cue ? "" : "which it mentions"));
      if (of_cue) break;
      e = from;
    }
    std::ranges::reverse(back);
    return back;
  }

  // The statement from which most of a concept's activation came.
  StatementId source_of(ConceptId c, const Vector& weights) const {
    StatementId best = 0;
    double most = -1;
    for (const StatementId e : memory_.mentions(c)) {
      const auto columns = memory_.keys().columns_of(e);
      const auto at = std::ranges::lower_bound(columns, c) - columns.begin();
      const double share = weights[e] * memory_.keys().values_of(e)[static_cast<std::size_t>(at)];
      if (share > most) {
        most = share;
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

}  // namespace engram::core
