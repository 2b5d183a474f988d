// SPDX-License-Identifier: MIT
// Why attention and modern Hopfield networks recall what they do: hop by hop, concept by concept.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/methods/explanation_parts.hpp"

namespace engram::core {

/// Of statements, to which is attended over several hops.
class HopsExplainer : public StatementsExplainer {
 public:
  /// One hop: where it started from, and the weights it gave.
  struct Hop {
    int number;
    Vector from_cue, from_found;  // the state it started from (n), in two parts
    Vector weights;               // (p)
  };

  /// `beta`: of all hops. `mean`: a score is the mean weight over all hops, else that of the last.
  template <class R>
  HopsExplainer(const R& retriever, double beta, bool mean, const MemoryIndex& readings, const Cue& cue,
                const Recall& recall)
      : StatementsExplainer(readings, cue, recall), map_(retriever.map), beta_(beta), mean_(mean) {
    map_ = map_.at_most(readings.statements());
    const Vector query = readings.query(cue), none = Vector::Zero(query.size());
    retriever.trace(readings, cue, [&](const Vector&, const Vector& p) {
      const bool first = hops_.empty();
      const int number = first ? 1 : hops_.back().number + 1;
      const Vector found = first ? none : readings.keys().multiply_transposed(hops_.back().weights);
      if (!mean && hops_.size() == most_kept) hops_.erase(hops_.begin() + 1);
      hops_.push_back({number, first || mean ? query : none, found, p});
    });
  }

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
  static constexpr std::size_t most_kept = 16;  // steps of modern_hopfield: it may take 10,000

  std::string hop_name(std::size_t t) const {
    return (mean_ ? "hop " : "step ") + std::to_string(hops_[t].number);
  }

  // The similarity of a hop by what is shared, each by where it came from; and what the map made of it.
  void add_hop(Explanation& why, std::size_t t, StatementId id) const {
    const Hop& hop = hops_[t];
    const auto columns = readings_.keys().columns_of(id);
    const auto keys = readings_.keys().values_of(id);
    std::vector<Account::Part> parts;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const ConceptId c = columns[k];
      const std::string start = name(c) + ": " + digits(keys[k]) + " of the statement times ";
      parts.push_back({start + digits(hop.from_cue[c]) + " of the cue", keys[k] * hop.from_cue[c]});
      parts.push_back(
          {start + digits(hop.from_found[c]) + " of what the one before found", keys[k] * hop.from_found[c]});
    }
    const Vector similarity = readings_.keys().multiply(hop.from_cue + hop.from_found);
    why.accounts.push_back(account("similarity of the statement in " + hop_name(t), similarity[id], parts));
    why.separation = hop_name(t) + ", " + separation_text(map_, beta_, similarity, id, hop.weights[id]);
  }

  // Back from a statement to the concept that it shares most of, to the statement that brought that, ...
  std::vector<Stop> way_to(std::size_t t, StatementId id) const {
    std::vector<Stop> back;
    for (StatementId e = id;; --t) {
      const Hop& hop = hops_[t];
      const auto columns = readings_.keys().columns_of(e);
      const auto keys = readings_.keys().values_of(e);
      if (columns.empty()) return {};  // a statement without names, such as #1, shares nothing with a cue
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
    for (const StatementId e : readings_.mentions(c)) {
      const auto columns = readings_.keys().columns_of(e);
      const auto at = std::ranges::lower_bound(columns, c) - columns.begin();
      const double brought = weights[e] * readings_.keys().values_of(e)[static_cast<std::size_t>(at)];
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

}  // namespace engram::core
