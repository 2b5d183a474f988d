// SPDX-License-Identifier: MIT
// Walks on the Hebbian graph as retrieval methods: pagerank, spreading_activation, ecan, linear_ecan and the local
// variants.
#include <algorithm>
#include <optional>
#include <queue>

#include "core/graph/link_learning.hpp"
#include "core/methods/explanation.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

constexpr auto walked_link_rules = [] {
  std::array<NamedValue<std::optional<LinkRule>>, link_rules.size() + 1> names;
  std::ranges::transform(link_rules, names.begin(), [](const auto& row) {
    return NamedValue<std::optional<LinkRule>>{row.value, row.name};
  });
  names.back() = {std::nullopt, "learnt"};
  return names;
}();
constexpr const char* walked_links_meaning =
    "weights of the links; all rules except hebb damp hubs; learnt: memory.learning";

OptionError no_learner() {
  return {"links", "option 'links': the memory learns by no rule (memory.learning)"};
}

// The links that a walk follows: weighted by a rule, or without a rule the links that the memory has learnt.
// `weighted` holds links that are computed for the call.  Errors  OptionError if the memory has no learning rule
const SparseRows& walked_links(const MemoryIndex& memory, std::optional<LinkRule> rule,
                               SparseRows& weighted) {
  if (rule == LinkRule::hebb) return memory.links();
  if (!rule && !memory.has_learner()) throw no_learner();
  if (!rule) return memory.learnt();
  return weighted = link_weights(*rule, memory.links(), memory.activity(), memory.total());
}

// Returns one row of these links at a time. Use it for walks that read few rows.
LinkRows walked_rows(const MemoryIndex& memory, std::optional<LinkRule> rule) {
  if (!rule && !memory.has_learner()) throw no_learner();
  if (!rule) return rows_of(memory.learnt());
  return [&memory, rule = *rule](Index i) {
    std::vector<SparseVector::Entry> row = memory.links_of(i);
    for (auto& [j, weight] : row)
      weight = link_weight(rule, weight, memory.activity(i), memory.activity(j), memory.total());
    std::erase_if(row, [](const auto& entry) { return entry.second == 0; });
    return row;
  };
}

// The number of links in each row, including links of weight 0.
LinkCounts walked_counts(const MemoryIndex& memory, std::optional<LinkRule> rule) {
  if (rule)
    return [&memory](Index i) { return memory.memory().graph().links_of(static_cast<ConceptId>(i)).size(); };
  if (!memory.has_learner()) throw no_learner();
  return [&learnt = memory.learnt()](Index i) { return learnt.columns_of(i).size(); };
}

// The cue, normalised to sum 1.
Vector total_share(const Vector& cue) { return cue / sum(cue); }

// The total that nodes without links give away. It returns to the cue.
double without_way(const SparseRows& links, const Vector& given) {
  std::vector<double> shares, stuck;
  for (Index i = 0; i < links.rows(); ++i) {
    set_shares(links, i, shares);
    if (!(sum(shares) > 0)) stuck.push_back(given[i]);
  }
  return sum(stuck);
}

constexpr std::uint32_t nobody = 0xffffffff;

/// Explainer for walks on the graph, whose scores are flows along links:
///   score_i = own_i + sum_j given_j P_ji,    P_ji the share of j's gifts that the link to i carries
class FlowExplainer : public ConceptsExplainer {
 public:
  /// Contributions that do not come along links.
  struct Own {
    std::string words;
    Vector amount;  // (n)
  };
  /// The flow, and its links.
  struct Flow {
    SparseRows links;
    Vector given;          // (n): what a node gives to all its neighbours together
    std::vector<Own> own;  // other contributions
    double passed_on = 0;  // factor of each link on a path, besides its share
    double start = 0;      // factor at the start of a path, besides the cue's share
    std::string score;     // the meaning of a score
  };

  FlowExplainer(Flow flow, const MemoryIndex& memory, const Cue& cue, const Recall& recall)
      : ConceptsExplainer(memory, cue, recall), flow_(std::move(flow)), incoming_(flow_.links) {
    std::vector<double> shares;
    for (Index i = 0; i < incoming_.rows(); ++i) {
      set_shares(flow_.links, i, shares);
      std::ranges::copy(shares, incoming_.values_of(i).begin());
    }
    find_paths();
    incoming_ = incoming_.transposed();
  }

  Explanation of_concept(ConceptId id) const override {
    Explanation why{recall_.concepts[id]};
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
    why.path = path_to(id);
    return why;
  }

 private:
  // Finds the strongest single path from the cue to each node, as a product of factors below 1 (Dijkstra).
  void find_paths() {
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

  std::vector<Stop> path_to(ConceptId id) const {
    if (!(strength_[id] > 0)) return {};
    std::vector<Stop> path;
    for (std::uint32_t i = id; i != nobody; i = before_[i])
      path.push_back(stop(i, before_[i] == nobody ? "" : "of this way alone " + digits(strength_[i])));
    std::ranges::reverse(path);
    return path;
  }

  Flow flow_;
  SparseRows incoming_;  // row i: shares of the other nodes' gifts that reach i
  std::vector<double> strength_;
  std::vector<std::uint32_t> before_;
};

constexpr double usual_push_threshold = 1e-5;  // chosen: a million links or less
constexpr double least_push_threshold = 1e-9;
constexpr const char* push_threshold_meaning =
    "of what waits at a concept, for each of its links: below it stays there";
constexpr const char* waiting_words = "not gone on with, being below the threshold";

// A recall of concepts from ranks that are lower bounds.
Recall from_pushed(const MemoryIndex& memory, const PushedRank& pushed) {
  std::vector<SparseVector::Entry> ranks;
  std::vector<std::pair<double, double>> bounds;
  pushed.rank.each([&](ConceptId i, double rank) {
    ranks.emplace_back(i, rank);
    bounds.emplace_back(rank, rank + pushed.missing);
  });
  Recall recall = from_concepts(memory, pushed.rank);
  recall.iterations = pushed.waves;
  recall.left_out = {pushed.missing, certain_best(ranks, bounds, pushed.missing)};
  return recall;
}

FlowExplainer::Flow page_rank_flow(const SparseRows& links, double d, const Vector& cue,
                                   const Recall& recall) {
  const Vector v = total_share(cue), given = d * recall.concepts.whole();
  return {links,
          given,
          {{"from the cue itself, " + digits(1 - d) + " times its share there", (1 - d) * v},
           {"back to the cue from concepts without links", without_way(links, given) * v}},
          d,
          1 - d,
          "rank: chance that a walk which restarts at the cue is here"};
}

/// Personalized PageRank on the Hebbian graph. The walk restarts at the cue. A rule weights the links, or the memory
/// has learnt them (core/graph/link_learning.hpp).
struct PageRankRetriever : Retriever {
  double damping = 0.85;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    SparseRows weighted;
    const PageRank trace =
        personalized_page_rank(walked_links(memory, links, weighted), cue.activation, damping);
    Recall recall = from_concepts(memory, trace.rank);
    recall.iterations = trace.iterations;
    recall.converged = trace.converged;
    return recall;
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    SparseRows weighted;
    return std::make_unique<FlowExplainer>(
        page_rank_flow(walked_links(memory, links, weighted), damping, cue.activation, recall), memory, cue,
        recall);
  }
};

/// PageRank of the part of the graph that the walk reaches (push_rank). The ranks are lower bounds of the ranks
/// of pagerank, and Recall::left_out has the sum of the differences.
struct LocalPageRankRetriever : Retriever {
  double damping = PageRankRetriever{}.damping;
  double threshold = usual_push_threshold;
  std::optional<LinkRule> links = LinkRule::hebb;
  PushedRank pushed(const MemoryIndex& memory, const Cue& cue) const {
    return push_rank(walked_rows(memory, links), walked_counts(memory, links),
                     cue.activation / sum(cue.activation), damping, threshold);
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    return from_pushed(memory, pushed(memory, cue));
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    SparseRows weighted;
    FlowExplainer::Flow flow =
        page_rank_flow(walked_links(memory, links, weighted), damping, cue.activation, recall);
    flow.own.push_back({waiting_words, -(1 - damping) * pushed(memory, cue).residual.whole()});
    return std::make_unique<FlowExplainer>(std::move(flow), memory, cue, recall);
  }
};

FlowExplainer::Flow spreading_flow(const SparseRows& links, const SpreadingOptions& options,
                                   const Vector& cue) {
  const Spread spread = spread_activation(links, cue, options);
  const Vector v = total_share(cue), given = options.passed_on * spread.fired_sum.whole();
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

/// Spreading activation in waves from the cue, along the links of PageRankRetriever. It reads only the part of the
/// graph that pulses above the threshold reach.
struct SpreadingActivationRetriever : Retriever {
  double passed_on = 0.85;
  double threshold = 1e-4;
  int max_steps = 100;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    const Spread spread =
        spread_activation(walked_rows(memory, links), cue.activation, {passed_on, threshold, max_steps});
    Recall recall = from_concepts(memory, spread.activation);
    recall.iterations = spread.steps;
    recall.converged = spread.converged;
    return recall;
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    SparseRows weighted;
    return std::make_unique<FlowExplainer>(spreading_flow(walked_links(memory, links, weighted),
                                                          {passed_on, threshold, max_steps}, cue.activation),
                                           memory, cue, recall);
  }
};

// The frequency of each link, as evidence that both concepts occur together. Evidence against the link counts as
// evidence for one concept without the other, so the frequency stays the same while all evidence fades at one rate.
LinkRows strengths_of(const MemoryIndex& memory) {
  return [&memory](Index i) {
    std::vector<SparseVector::Entry> row = memory.links_of(i);
    for (auto& [j, w] : row) {
      const double either = memory.activity(i) + memory.activity(j) - w;
      w = narsese::to_truth({w, std::max(either, w)}).frequency;
    }
    return row;
  };
}

/// ECAN (core/walks/ecan.hpp). In each cycle a bank pays wages to the cue's concepts, higher ones if it is richer; then
/// rents, learning and diffusion follow. Initial strengths are the frequencies of the links. The activation is the
/// share of all short-term importance that a concept owns in the end. Importance travels one link a cycle; with a
/// `focus`, only the richest concepts spread it.
struct EcanRetriever : Retriever {
  double wage = 10;  // a cycle; the bank owns 1000 at first, and pays twice the wage while it does
  EcanOptions options;
  int cycles = 20;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    constexpr double wealth = 1000;  // chosen; a unit of account
    const BankPolicy policy{wealth / 2, wealth / 2};
    Ecan network(memory.concepts(), strengths_of(memory), wealth, 1.0, options);
    const SparseVector earned = cue.activation / sum(cue.activation);
    for (int t = 0; t < cycles; ++t) {
      const double wages = policy.wage(wage, network.funds());
      earned.each([&](ConceptId i, double share) {
        if (share > 0) network.stimulate(i, wages * share);
      });
      network.cycle();
    }
    const SparseVector sti = network.sti().at_least_zero();
    const double all = sum(sti);
    Recall recall = from_concepts(memory, all > 0 ? sti / all : sti);
    recall.iterations = cycles;
    return recall;
  }
};

// `paid` has the part of the wages, whose sum is 1, that has been paid.
FlowExplainer::Flow linear_ecan_flow(const SparseRows& links, double rent, double spread, const Vector& paid,
                                     const Recall& recall) {
  const Vector kept = (1 - rent) * recall.concepts.whole(), wages = rent * paid;
  Vector keep(paid.size());  // a node without neighbours keeps all
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

/// Fixed point of ECAN with wages and rents in proportion to wealth (linear_ecan), along the links of
/// PageRankRetriever.
struct LinearEcanRetriever : Retriever {
  double rent = 0.25;  // chosen: importance travels some three links
  double spread = 0.4;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    SparseRows weighted;
    const LinearEcan fixed = linear_ecan(walked_links(memory, links, weighted), cue.activation, rent, spread);
    Recall recall = from_concepts(memory, fixed.sti);
    recall.iterations = fixed.iterations;
    recall.converged = fixed.converged;
    return recall;
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    SparseRows weighted;
    return std::make_unique<FlowExplainer>(linear_ecan_flow(walked_links(memory, links, weighted), rent,
                                                            spread, total_share(cue.activation), recall),
                                           memory, cue, recall);
  }
};

/// Linear ECAN on the part of the graph that importance reaches. The values are lower bounds of those of
/// linear_ecan.
struct LocalLinearEcanRetriever : Retriever {
  double rent = LinearEcanRetriever{}.rent;
  double spread = LinearEcanRetriever{}.spread;
  double threshold = usual_push_threshold;
  std::optional<LinkRule> links = LinkRule::hebb;
  PushedEcan pushed(const MemoryIndex& memory, const Cue& cue) const {
    return push_linear_ecan(walked_rows(memory, links), walked_counts(memory, links),
                            cue.activation / sum(cue.activation), rent, spread, threshold);
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    return from_pushed(memory, pushed(memory, cue).rank);
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    SparseRows weighted;
    const PushedEcan found = pushed(memory, cue);
    FlowExplainer::Flow flow =
        linear_ecan_flow(walked_links(memory, links, weighted), rent, spread, found.paid, recall);
    flow.own.push_back({waiting_words, -rent * found.rank.residual.whole()});
    return std::make_unique<FlowExplainer>(std::move(flow), memory, cue, recall);
  }
};

constexpr auto pagerank_options =
    option_table(number_option<&PageRankRetriever::damping>(
                     "damping", 0, 0.999, "probability to follow a link rather than restart"),
                 choice_option<walked_link_rules, &PageRankRetriever::links>("links", walked_links_meaning));

constexpr auto local_pagerank_options = option_table(
    number_option<&LocalPageRankRetriever::damping>("damping", 0, 0.999,
                                                    "probability to follow a link rather than restart"),
    number_option<&LocalPageRankRetriever::threshold>("threshold", least_push_threshold, 1,
                                                      push_threshold_meaning),
    choice_option<walked_link_rules, &LocalPageRankRetriever::links>("links", walked_links_meaning));

constexpr auto spreading_activation_options = option_table(
    number_option<&SpreadingActivationRetriever::passed_on>("passed_on", 0, 0.999,
                                                            "share of a pulse that its neighbours get"),
    number_option<&SpreadingActivationRetriever::threshold>("threshold", 0, 1, "pulses below it stop"),
    whole_option<&SpreadingActivationRetriever::max_steps>("max_steps", 1, 10000, "most steps of a wave"),
    choice_option<walked_link_rules, &SpreadingActivationRetriever::links>("links", walked_links_meaning));

constexpr auto ecan_options = option_table(
    number_option<&EcanRetriever::wage>("wage", 1e-3, 100,
                                        "wages of a cycle, out of the 1000 that the bank owns"),
    number_option<&EcanRetriever::options, &EcanOptions::rent>(
        "rent", 0, 100, "rate of the rent, on the logarithm of wealth"),
    number_option<&EcanRetriever::options, &EcanOptions::conjunction>(
        "conjunction", 0, 1, "learning rate of a link towards the conjunction of its ends"),
    number_option<&EcanRetriever::options, &EcanOptions::max_spread>(
        "max_spread", 0, 1, "largest share that the neighbours get in a cycle"),
    whole_option<&EcanRetriever::options, &EcanOptions::focus>(
        "focus", 0, 1e6, "number of the richest concepts, which spread and learn; 0: all"),
    whole_option<&EcanRetriever::cycles>("cycles", 1, 10000, "number of cycles before the result"));

constexpr auto linear_ecan_options = option_table(
    number_option<&LinearEcanRetriever::rent>("rent", 1e-3, 1, "share of wealth paid in a cycle"),
    number_option<&LinearEcanRetriever::spread>("spread", 0, 1, "share that the neighbours get in a cycle"),
    choice_option<walked_link_rules, &LinearEcanRetriever::links>("links", walked_links_meaning));

constexpr auto local_linear_ecan_options = option_table(
    number_option<&LocalLinearEcanRetriever::rent>("rent", 1e-3, 1, "share of wealth paid in a cycle"),
    number_option<&LocalLinearEcanRetriever::spread>("spread", 0, 1,
                                                     "share that the neighbours get in a cycle"),
    number_option<&LocalLinearEcanRetriever::threshold>("threshold", least_push_threshold, 1,
                                                        push_threshold_meaning),
    choice_option<walked_link_rules, &LocalLinearEcanRetriever::links>("links", walked_links_meaning));

}  // namespace

Method pagerank_method() {
  return make_method<PageRankRetriever>("pagerank", "hebbian walk",
                                        "Personalized PageRank on the Hebbian graph", pagerank_options,
                                        {.support = Support::sparse});
}

Method local_pagerank_method() {
  return make_method<LocalPageRankRetriever>(
      "local_pagerank", "hebbian walk",
      "pagerank at the cost of the concepts reached: lower bounds and their total error",
      local_pagerank_options, {.support = Support::sparse, .is_local = true, .only_by_name = true});
}

Method spreading_activation_method() {
  return make_method<SpreadingActivationRetriever>(
      "spreading_activation", "hebbian walk",
      "waves of activation from the cue along the Hebbian links, until they fade",
      spreading_activation_options, {.support = Support::sparse, .is_local = true});
}

Method ecan_method() {
  return make_method<EcanRetriever>(
      "ecan", "hebbian walk", "an economy of attention: wages to the cue, rent, learning links, diffusion",
      ecan_options,
      {.support = Support::sparse,
       .is_local = true,
       .no_sum =
           "importance comes of a simulation in which rent, wages and the links themselves change with it: "
           "what came from whom is not kept apart (linear_ecan is the same in proportion, and has a sum)"});
}

Method linear_ecan_method() {
  return make_method<LinearEcanRetriever>(
      "linear_ecan", "hebbian walk",
      "linear version of ecan, solved exactly: wages and rent in balance, on a lazy walk",
      linear_ecan_options, {.support = Support::sparse});
}

Method local_linear_ecan_method() {
  return make_method<LocalLinearEcanRetriever>(
      "local_linear_ecan", "hebbian walk",
      "linear_ecan at the cost of the concepts reached: lower bounds and their total error",
      local_linear_ecan_options, {.support = Support::sparse, .is_local = true, .only_by_name = true});
}

}  // namespace engram::core
