// SPDX-License-Identifier: MIT
// Why walks on the graph, and networks of its concepts, recall what they do: what comes along each link.
#include <algorithm>
#include <cmath>
#include <queue>

#include "core/budgets/page_rank.hpp"
#include "core/budgets/spreading_activation.hpp"
#include "core/numbers/numeric.hpp"
#include "core/retrieval/explanation_parts.hpp"
#include "core/retrieval/retrievers.hpp"

namespace engram::core {
namespace {

// Explanations of concepts by what they get, to which statements follow by their cosine.
class LinksExplainer : public RecallExplainer {
 public:
  using RecallExplainer::RecallExplainer;
  Explanation of_statement(StatementId id) const override { return by_concepts(id); }
};

// Something flows along links, in shares of what a node gives away:
//   score_i = own_i + sum_j given_j P_ji - taken_i
class FlowExplainer : public LinksExplainer {
 public:
  struct Own {
    std::string words;
    Vector amount;  // (n)
  };
  struct Flow {
    SparseRows links;
    Vector given;          // (n): what a node gives to its neighbours, all together
    std::vector<Own> own;  // what it has from elsewhere
    double passed_on = 0;  // factor of a link on a way, times its share
    double start = 0;      // of a way, times the cue
    std::string score;     // what the score is
  };

  FlowExplainer(Flow flow, const Readings& readings, const Cue& cue, const Recall& recall)
      : LinksExplainer(readings, cue, recall), flow_(std::move(flow)), incoming_(flow_.links) {
    std::vector<double> shares;
    for (Index i = 0; i < incoming_.rows(); ++i) {
      set_shares(flow_.links, i, shares);
      std::ranges::copy(shares, incoming_.values_of(i).begin());
    }
    find_ways();
    incoming_ = incoming_.transposed();
  }

  Explanation of_concept(ConceptId id) const override {
    Explanation why{recall_.concepts[id], {}, {}, {}, {}};
    std::vector<Account::Part> parts;
    for (const Own& own : flow_.own) parts.push_back({own.words, own.amount[id]});
    const auto columns = incoming_.columns_of(id);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const ConceptId j = columns[k];
      const double share = incoming_.values_of(id)[k];
      parts.push_back({"from " + name(j) + ", which gives " + digits(flow_.given[j]) + " times " +
                           digits(share) + " along this link",
                       flow_.given[j] * share});
    }
    why.accounts.push_back(account(flow_.score, why.score, parts));
    why.path = way_to(id);
    return why;
  }

 private:
  // Of each node the strongest single way from the cue, as a product of factors below 1 (Dijkstra).
  void find_ways() {
    const auto n = static_cast<std::size_t>(incoming_.rows());
    strength_.assign(n, 0);
    before_.assign(n, nobody);
    using Reached = std::pair<double, std::uint32_t>;
    const auto weaker = [](const Reached& a, const Reached& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::priority_queue<Reached, std::vector<Reached>, decltype(weaker)> open(weaker);
    const double total = sum(cue_);
    for (Index i = 0; i < cue_.size(); ++i)
      if (cue_[i] > 0) {
        strength_[static_cast<std::size_t>(i)] = flow_.start * (cue_[i] / total);
        open.emplace(strength_[static_cast<std::size_t>(i)], static_cast<std::uint32_t>(i));
      }
    while (!open.empty()) {
      const auto [strength, i] = open.top();
      open.pop();
      if (strength < strength_[i]) continue;
      const auto columns = incoming_.columns_of(i);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const double next = strength * flow_.passed_on * incoming_.values_of(i)[k];
        if (!(next > strength_[columns[k]])) continue;
        strength_[columns[k]] = next;
        before_[columns[k]] = i;
        open.emplace(next, columns[k]);
      }
    }
  }

  std::vector<Stop> way_to(ConceptId id) const {
    if (!(strength_[id] > 0)) return {};
    std::vector<Stop> way;
    for (std::uint32_t i = id; i != nobody; i = before_[i])
      way.push_back(stop(i, before_[i] == nobody ? "" : "of this way alone " + digits(strength_[i])));
    std::ranges::reverse(way);
    return way;
  }

  static constexpr std::uint32_t nobody = 0xffffffff;
  Flow flow_;
  SparseRows incoming_;  // row i: shares of others' gifts that come to i
  std::vector<double> strength_;
  std::vector<std::uint32_t> before_;
};

Vector total_share(const Cue& cue) { return cue / sum(cue); }

// What nodes without links give: it goes back to the cue.
double without_way(const SparseRows& links, const Vector& given) {
  std::vector<double> shares, stuck;
  for (Index i = 0; i < links.rows(); ++i) {
    set_shares(links, i, shares);
    if (!(sum(shares) > 0)) stuck.push_back(given[i]);
  }
  return sum(stuck);
}

FlowExplainer::Flow page_rank_flow(const SparseRows& links, double d, const Cue& cue, const Recall& recall) {
  const Vector v = total_share(cue), given = d * recall.concepts;
  return {links,
          given,
          {{"from the cue itself, " + digits(1 - d) + " times its share there", (1 - d) * v},
           {"back to the cue from concepts without links", without_way(links, given) * v}},
          d,
          1 - d,
          "rank: chance that a walk which restarts at the cue is here"};
}

FlowExplainer::Flow spreading_flow(const SparseRows& links, const SpreadingOptions& options, const Cue& cue) {
  const Spread spread = spread_activation(links, cue, options);
  const Vector v = total_share(cue), given = options.passed_on * spread.fired_sum;
  return {links,
          given,
          {{"from the cue itself", v},
           {"back to the cue from concepts without links", without_way(links, given) * v},
           {"passed on, " + digits(options.passed_on) + " of the pulses that reached the threshold " +
                digits(options.threshold),
            -given}},
          options.passed_on,
          1 - options.passed_on,
          "activation: all pulses that came, less what was passed on"};
}

FlowExplainer::Flow linear_ecan_flow(const SparseRows& links, double rent, double spread, const Cue& cue,
                                     const Recall& recall) {
  const Vector v = total_share(cue), kept = (1 - rent) * recall.concepts, wages = rent * v;
  Vector keep(cue.size());  // who has no neighbours keeps all
  std::vector<double> shares;
  for (Index i = 0; i < keep.size(); ++i) {
    set_shares(links, i, shares);
    keep[i] = sum(shares) > 0 ? 1 - spread : 1.0;
  }
  return {links,
          spread * (kept + wages),
          {{"wages that stay here", keep.cwiseProduct(wages)},
           {"what it owned after rent and did not give away", keep.cwiseProduct(kept)}},
          spread * (1 - rent),
          rent,
          "importance owned where rent and wages balance"};
}

// The classical network: who is active drives whom.
class FieldExplainer : public LinksExplainer {
 public:
  FieldExplainer(const HopfieldRetriever& retriever, const Readings& readings, const Cue& cue,
                 const Recall& recall)
      : LinksExplainer(readings, cue, recall),
        cue_strength_(retriever.cue_strength),
        couplings_(retriever.couplings(readings)),
        trace_(retriever.trace(readings, couplings_, cue)) {
    for (const std::uint32_t unit : trace_.winners) strongest_ = std::max(strongest_, trace_.field[unit]);
  }

  Explanation of_concept(ConceptId id) const override {
    Explanation why{recall_.concepts[id], {}, {}, {}, {}};
    if (!(strongest_ > 0) || !(why.score > 0)) {
      why.note = why.score > 0 ? "no active unit has a field above 0: all count alike" : "it is not active";
      return why;
    }
    std::vector<Account::Part> parts{{"from the cue", cue_strength_ * cue_[id] / strongest_}};
    for (const std::uint32_t j : trace_.winners) {
      const double weight = j == id ? 0.0 : couplings_.weight(id, j);
      parts.push_back({name(j) + ": coupling " + digits(weight), weight / strongest_});
    }
    why.accounts.push_back(
        account("field from active units and the cue, over the strongest field " + digits(strongest_),
                why.score, parts));
    double weakest = strongest_;
    for (const std::uint32_t unit : trace_.winners) weakest = std::min(weakest, trace_.field[unit]);
    why.separation = std::to_string(trace_.winners.size()) + " winners: its field " +
                     digits(trace_.field[id]) + ", the weakest winner's " + digits(weakest);
    why.path = way_to(id);
    return why;
  }

 private:
  // Back along the strongest couplings among active units; straight to the cue where one leads there.
  std::vector<Stop> way_to(ConceptId id) const {
    std::vector<Stop> back;
    std::vector<std::uint32_t> left(trace_.winners);
    while (!(cue_[id] > 0)) {
      std::erase(left, id);
      const auto better = [&](std::uint32_t a, std::uint32_t b) {
        const double w_a = couplings_.weight(id, a), w_b = couplings_.weight(id, b);
        const bool to_a = w_a > 0 && cue_[a] > 0, to_b = w_b > 0 && cue_[b] > 0;
        return to_a != to_b ? to_b : w_a < w_b;
      };
      const auto before = std::ranges::max_element(left, better);
      if (before == left.end() || !(couplings_.weight(id, *before) > 0)) return {};
      back.push_back(stop(id, "coupling " + digits(couplings_.weight(id, *before))));
      id = *before;
    }
    back.push_back(stop(id, ""));
    std::ranges::reverse(back);
    return back;
  }

  double cue_strength_, strongest_ = 0;
  SparseCouplings couplings_;
  WinnersRecall trace_;
};

}  // namespace

std::unique_ptr<const Explainer> explain_walk(const std::string& method, const Options& o,
                                              const Readings& readings, const Cue& cue,
                                              const Recall& recall) {
  if (method == "hopfield") {
    const HopfieldRetriever retriever{static_cast<int>(number_of(o, "winners")), number_of(o, "cue_strength"),
                                      word_of(o, "couplings") == "correlation"};
    return std::make_unique<FieldExplainer>(retriever, readings, cue, recall);
  }
  if (method != "pagerank" && method != "spreading_activation" && method != "linear_ecan") return nullptr;
  SparseRows weighed;
  const SparseRows& links = walked_links(readings, link_rule_named(word_of(o, "links")), weighed);
  FlowExplainer::Flow flow;
  if (method == "pagerank")
    flow = page_rank_flow(links, number_of(o, "damping"), cue, recall);
  else if (method == "linear_ecan")
    flow = linear_ecan_flow(links, number_of(o, "rent"), number_of(o, "spread"), cue, recall);
  else
    flow = spreading_flow(
        links,
        {number_of(o, "passed_on"), number_of(o, "threshold"), static_cast<int>(number_of(o, "max_steps"))},
        cue);
  return std::make_unique<FlowExplainer>(std::move(flow), readings, cue, recall);
}

}  // namespace engram::core
