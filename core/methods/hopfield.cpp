// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/hopfield/hopfield.hpp"
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

/// Classical Hopfield recall on the graph's weights with k winners (see recall_winners). A winner's
/// activation is its local field over the largest one; losers have none. Unless k is given
///     k = units of the cue + round(2 s),    s the mean number of concepts that a statement activates,
/// which is room for one more statement at either end of what is asked. The 2 was chosen on the chains,
/// taxonomies and events of seeds 1 to 20, by the share of needed statements among 12, 3 and 2 times as many
/// as are needed: .688 on average, .666 with 1, .688 with 3, .679 with 4.
struct HopfieldRetriever {
  int winners = 0;          // 0: by the cue and the memory, as above
  double cue_strength = 1;  // field on a cue's unit; 1 is what a perfectly correlated neighbour gives
  bool correlation = true;  // couplings are correlations (hubs weigh no more than others) or covariances
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    const WinnersRecall trace = this->trace(memory, couplings(memory), cue);
    double strongest = 0;
    for (const auto unit : trace.winners) strongest = std::max(strongest, trace.field[unit]);
    Vector activation = Vector::Zero(memory.concepts());
    for (const auto unit : trace.winners)
      activation[unit] = strongest > 0 ? std::max(trace.field[unit], 0.0) / strongest : 1.0;
    const Vector depths = strongest > 0 ? activation : Vector(Vector::Zero(memory.concepts()));
    Recall recall = from_concepts(memory, std::move(activation));
    recall.depths = depths;  // a unit's field is what the energy would rise without it
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
        couplings.gain[i] = variance > 0 ? 1.0 / std::sqrt(variance) : 0.0;  // always active tells nothing
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
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const;
};

// The classical network: who is active drives whom.
class FieldExplainer : public ConceptsExplainer {
 public:
  FieldExplainer(const HopfieldRetriever& retriever, const MemoryIndex& readings, const Cue& cue,
                 const Recall& recall)
      : ConceptsExplainer(readings, cue, recall),
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

AnyExplainer HopfieldRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                        const Recall& recall) const {
  return std::make_unique<FieldExplainer>(*this, memory, cue, recall);
}

}  // namespace

Method hopfield_method() {
  using R = HopfieldRetriever;
  return Declaration<R>("hopfield", "hopfield",
                        "classical Hopfield on the Hebbian graph: sparse 0/1 units, k winners")
      .support(Support::sparse)
      .has_energy()
      .whole("winners", &R::winners, 0, 1e6,
             "active units; 0: the cue's, and twice as many as a statement has")
      .number("cue_strength", &R::cue_strength, 0, 1e6, "external field on the cue's units")
      .choice("couplings", &R::correlation,
              std::array<NamedValue<bool>, 2>{{{true, "correlation"}, {false, "covariance"}}},
              "learnt weights: centred, and for correlation scaled to unit variance");
}

}  // namespace engram::core
