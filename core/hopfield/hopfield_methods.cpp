// SPDX-License-Identifier: MIT
// Hopfield networks as retrieval methods: hopfield, graph_spins, dense_memory and modern_hopfield.
#include <algorithm>
#include <cmath>

#include "core/graph/link_learning.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/hops_explainer.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/hopfield/sparse_hopfield.hpp"
#include "core/methods/explanation.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

/// Classical Hopfield network on the weights of the graph, with k active units (recall_winners). A winner's activation
/// is its local field divided by the largest field; all other concepts get 0. By default
///     k = units of the cue + round(2 s),    s the mean number of concepts in a statement,
/// which leaves room for one more statement at either end of the cue. The factor 2 was chosen on the generated chains,
/// taxonomies and events of seeds 1 to 20. The measure was the share of needed statements among the best 12, 3 and 2
/// times as many as are needed: .688 on average; .666 with factor 1, .688 with 3, .679 with 4.
struct HopfieldRetriever : Retriever {
  int winners = 0;          // 0: from the cue and the memory, as above
  double cue_strength = 1;  // field on the cue's units; a perfectly correlated neighbour contributes 1
  bool correlation =
      true;  // couplings are correlations, so that hubs weigh no more than others, or covariances
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    const WinnersRecall trace = this->trace(memory, couplings(memory), cue.activation);
    double strongest = 0;
    for (const auto unit : trace.winners) strongest = std::max(strongest, trace.field[unit]);
    Vector activation = Vector::Zero(memory.concepts());
    for (const auto unit : trace.winners)
      activation[unit] = strongest > 0 ? std::max(trace.field[unit], 0.0) / strongest : 1.0;
    const Vector depths = strongest > 0 ? activation : Vector(Vector::Zero(memory.concepts()));
    Recall recall = from_concepts(memory, std::move(activation));
    recall.depths = depths;  // turning a unit off raises the energy by its field
    recall.energies = trace.energies;
    recall.iterations = trace.changes;
    recall.converged = trace.converged;
    return recall;
  }
  SparseCouplings couplings(const MemoryIndex& memory) const {
    SparseCouplings couplings{memory.links(), memory.activity() / memory.total(),
                              Vector::Ones(memory.concepts())};
    for (Index row = 0; row < couplings.together.rows(); ++row)
      for (double& value : couplings.together.values_of(row)) value /= memory.total();
    if (correlation)
      for (Index i = 0; i < couplings.gain.size(); ++i) {
        const double variance = couplings.activity[i] * (1.0 - couplings.activity[i]);
        couplings.gain[i] = variance > 0 ? 1.0 / std::sqrt(variance)
                                         : 0.0;  // a unit that is always active carries no information
      }
    return couplings;
  }
  WinnersRecall trace(const MemoryIndex& memory, const SparseCouplings& couplings, const Vector& cue) const {
    Index k = winners;
    if (k == 0) {
      const auto cue_units = (cue.array() > 0).count();
      k = static_cast<Index>(cue_units) + static_cast<Index>(std::lround(2 * memory.mean_episode_size()));
    }
    return recall_winners(couplings, cue, k, cue_strength);
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override;
};

// Explains activations by the local fields that active units cause.
class FieldExplainer : public ConceptsExplainer {
 public:
  FieldExplainer(const HopfieldRetriever& retriever, const MemoryIndex& memory, const Cue& cue,
                 const Recall& recall)
      : ConceptsExplainer(memory, cue, recall),
        cue_strength_(retriever.cue_strength),
        couplings_(retriever.couplings(memory)),
        trace_(retriever.trace(memory, couplings_, cue.activation)) {
    for (const std::uint32_t unit : trace_.winners) strongest_ = std::max(strongest_, trace_.field[unit]);
  }

  Explanation of_concept(ConceptId id) const override {
    Explanation why{recall_.concepts[id]};
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
  // Follows the strongest couplings among active units back to the cue, and takes a direct coupling to the cue if there
  // is one.
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

ExplainerPtr HopfieldRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                        const Recall& recall) const {
  return std::make_unique<FieldExplainer>(*this, memory, cue, recall);
}

constexpr std::array<NamedValue<bool>, 2> coupling_kinds{{{true, "correlation"}, {false, "covariance"}}};
constexpr auto hopfield_options =
    option_table(whole_option<&HopfieldRetriever::winners>(
                     "winners", 0, 1e6,
                     "number of active units; 0: those of the cue plus twice the mean size of a statement"),
                 number_option<&HopfieldRetriever::cue_strength>("cue_strength", 0, 1e6,
                                                                 "external field on the units of the cue"),
                 choice_option<coupling_kinds, &HopfieldRetriever::correlation>(
                     "couplings", "learnt weights: centred; correlation also scales to unit variance"));

/// Classical network of +1/-1 spins on the graph (core/hopfield/sparse_hopfield.hpp), with links weighted by a rule of
/// core/graph/link_learning.hpp. A concept becomes active if a sufficient share of its neighbourhood is active. Its
/// activation is that share plus the cue's contribution, at most 1; with glauber, its probability of being active.
struct GraphSpinsRetriever : Retriever {
  GraphSpinsOptions options;
  LinkRule links = LinkRule::correlation;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    const Vector held =
        (memory.activity().array() > 0).select(cue.activation.whole(), 0.0);  // without evidence, no field
    const SparseRows weighed = link_weights(links, memory.links(), memory.activity(), memory.total());
    const GraphSpinsRecall trace = recall_graph_spins(weighed, held, options);
    Vector activation = trace.active;
    if (options.dynamics != SpinDynamics::glauber)
      for (Index i = 0; i < activation.size(); ++i)
        activation[i] *= std::min(trace.share[i] + options.cue_strength * held[i], 1.0);
    Recall recall = from_concepts(memory, std::move(activation));
    recall.energies = trace.energies;
    recall.iterations = trace.sweeps;
    recall.converged = trace.converged;
    if (options.dynamics == SpinDynamics::sync) recall.period = trace.period;
    return recall;
  }
};

constexpr auto graph_spins_options = option_table(
    choice_option<spin_dynamics, &GraphSpinsRetriever::options, &GraphSpinsOptions::dynamics>(
        "dynamics", "update spins one by one, all at once, or at a temperature"),
    number_option<&GraphSpinsRetriever::options, &GraphSpinsOptions::threshold>(
        "threshold", 0, 1, "a concept becomes active if this share of its neighbourhood is active"),
    number_option<&GraphSpinsRetriever::options, &GraphSpinsOptions::cue_strength>(
        "cue_strength", 0, 1e6,
        "weight of the cue, in neighbourhoods; from the threshold on, the cue stays active"),
    whole_option<&GraphSpinsRetriever::options, &GraphSpinsOptions::max_sweeps>(
        "max_sweeps", 1, 10000, "most sweeps over all spins; glauber does exactly as many"),
    number_option<&GraphSpinsRetriever::options, &GraphSpinsOptions::temperature>(
        "temperature", 1e-6, 1e6,
        "for glauber: temperature in mean neighbourhoods; use a threshold above 1/2"),
    whole_option<&GraphSpinsRetriever::options, &GraphSpinsOptions::seed>(
        "seed", 0, 9007199254740991.0, "for glauber: seed of the random numbers"),
    choice_option<link_rules, &GraphSpinsRetriever::links>(
        "links", "weights of the links; all rules except hebb damp hubs"));

/// Dense associative memory with the statements as patterns, weighted by their evidence
/// (core/hopfield/dense_memory.hpp). The activation of an active concept is the rise in energy if it were turned off,
/// divided by the largest such rise. Inactive concepts get 0.
struct DenseMemoryRetriever : Retriever {
  DenseEpisodesOptions options;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    if (!(sum(memory.evidence()) > 0)) return no_recall(memory);  // there may still be links
    const DenseEpisodesRecall trace =
        recall_dense_episodes(memory.episodes(), memory.evidence(), cue.activation, options);
    const double largest = trace.costs.size() > 0 ? max(trace.costs) : 0.0;
    Vector activation = Vector::Zero(memory.concepts());
    for (std::size_t j = 0; j < trace.active.size(); ++j)
      activation[trace.active[j]] = largest > 0 ? trace.costs[static_cast<Index>(j)] / largest : 1.0;
    const Vector depths = largest > 0 ? activation : Vector(Vector::Zero(memory.concepts()));
    Recall recall = from_concepts(memory, std::move(activation));
    recall.depths = depths;
    recall.energies = trace.energies;
    recall.iterations = trace.changes;
    recall.converged = trace.converged;
    return recall;
  }
};

constexpr auto dense_memory_options = option_table(
    choice_option<episode_separations, &DenseMemoryRetriever::options, &DenseEpisodesOptions::separation>(
        "separation", "function of an overlap: a power of the positive part, or exp(beta overlap)"),
    whole_option<&DenseMemoryRetriever::options, &DenseEpisodesOptions::n>("n", 1, 30,
                                                                           "for rectified: the power"),
    number_option<&DenseMemoryRetriever::options, &DenseEpisodesOptions::beta>(
        "beta", 1e-3, 100, "for exponential: the inverse temperature"));

/// Modern Hopfield network with the statements as patterns. The cue is only the initial state. With a beta too small
/// for the number of statements, the only fixed point is their mean (beta 8: about 170 statements; 16: some thousands).
/// With a large beta, only the nearest statement remains after one step. The default beta is separating_beta of the
/// number of statements and of their separation (core/hopfield/modern_hopfield.hpp).
struct ModernHopfieldRetriever : Retriever {
  double beta = 0;  // 0: from the memory
  int max_steps = 100;
  Regulariser map = default_map(SimplexMap::softmax);
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    if (memory.statements() == 0) return no_recall(memory);
    const ModernRecall trace = this->trace(memory, cue.activation, {});
    Recall recall = from_statements(memory, trace.weights);
    recall.energies = trace.energies;
    recall.iterations = trace.iterations;
    recall.converged = trace.converged;
    recall.certificate = trace.certificate;
    return recall;
  }
  /// Runs the recall. Calls the observer after each step.
  ModernRecall trace(const MemoryIndex& memory, const SparseVector& cue, const StepObserver& observer) const {
    const ModernHopfieldOptions options{beta_for(memory), map.at_most(memory.statements()), max_steps, 1e-12};
    return recall_modern(memory.keys(), memory.query(cue), options, {}, observer);
  }
  double beta_for(const MemoryIndex& memory) const {
    return beta > 0 ? beta : separating_beta(map, memory.statements(), memory.separation());
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    return std::make_unique<HopsExplainer>(*this, beta_for(memory), false, memory, cue, recall);
  }
};

constexpr auto modern_hopfield_options = option_table(
    number_option<&ModernHopfieldRetriever::beta>(
        "beta", 0, 1e6,
        "inverse temperature: larger values prefer the best more sharply; 0: derived from the number "
        "and the distances of the statements"),
    whole_option<&ModernHopfieldRetriever::max_steps>("max_steps", 1, 10000, "most iterations"),
    simplex_map_options<&ModernHopfieldRetriever::map>());

}  // namespace

Method hopfield_method() {
  return make_method<HopfieldRetriever>(
      "hopfield", "hopfield", "classical Hopfield on the Hebbian graph: sparse 0/1 units, k winners",
      hopfield_options, {.support = Support::sparse, .has_energy = true});
}

Method graph_spins_method() {
  return make_method<GraphSpinsRetriever>(
      "graph_spins", "hopfield",
      "classical Hopfield on the Hebbian graph: a spin turns on with a share of its neighbours",
      graph_spins_options,
      {.support = Support::sparse,
       .has_energy = true,
       .no_sum =
           "a spin follows the share of its neighbourhood that is active, cut off at a threshold, step by "
           "step: which neighbour turned it first depends on the order (hopfield has a sum)"});
}

Method dense_memory_method() {
  return make_method<DenseMemoryRetriever>(
      "dense_memory", "hopfield", "dense associative memory over the statements, by steepest descent",
      dense_memory_options,
      {.support = Support::sparse,
       .has_energy = true,
       .no_sum =
           "an energy of all units together decides, by a power of every overlap: it is no sum over concepts "
           "(modern_hopfield, whose energy is of the same kind, has sums for each step)"});
}

Method modern_hopfield_method() {
  return make_method<ModernHopfieldRetriever>(
      "modern_hopfield", "hopfield", "modern Hopfield over the statements, iterated to a fixed point",
      modern_hopfield_options, {.support = Support::by_map, .has_energy = true});
}

}  // namespace engram::core
