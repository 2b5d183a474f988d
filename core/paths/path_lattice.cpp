// SPDX-License-Identifier: MIT
#include "core/paths/path_lattice.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr double largest_exponent = 100;  // chosen: a path's weight and all sums stay within range

double weight_of(double score, double temperature) {
  return exp(std::clamp(score / temperature, -largest_exponent, largest_exponent));
}

}  // namespace

PathLattice::PathLattice(const Readings& memory, const Passes& passes, const PathScorer& scorer,
                         const PathWeights& theta, const PathOptions& options, bool from_end,
                         const std::vector<StatementId>* only)
    : memory_(memory),
      passes_(passes),
      scorer_(scorer),
      theta_(theta),
      options_(options),
      from_end_(from_end),
      only_(only) {
  require(options.temperature >= 0.1 && options.temperature <= 100, "temperature must be in [0.1, 100]");
  require(!from_end || scorer.question().to, "without an end there is nothing to go back from");
  layers_.push_back(first_layer());
  keep_best(layers_.back());
  while (!layers_.back().empty() && layers_.size() < static_cast<std::size_t>(options.steps)) {
    layers_.push_back(next_layer(layers_.back()));
    keep_best(layers_.back());
  }
  add_backward();
}

double PathLattice::step_weight(const Pass& pass, ConceptId from) const {
  double score = 0;
  scorer_.step(pass, from, [&](PathFeature f, double x) { score += at(theta_, f) * x; });
  return weight_of(score, options_.temperature);
}

double PathLattice::joint_weight(const Step& nearer, const Step& farther) const {
  double score = 0;
  const auto add = [&](PathFeature f, double x) { score += at(theta_, f) * x; };
  if (from_end_)
    scorer_.joint(farther.pass, head(nearer), nearer.pass, add);
  else
    scorer_.joint(nearer.pass, head(nearer), farther.pass, add);
  return weight_of(score, options_.temperature);
}

double PathLattice::edge_weight(const Step& step, bool of_start) const {
  double score = 0;
  const auto add = [&](PathFeature f, double x) { score += at(theta_, f) * x; };
  if (of_start)
    scorer_.first(step.pass, add);
  else
    scorer_.last(step.pass, add);
  return weight_of(score, options_.temperature);
}

bool PathLattice::may_use(StatementId e) const {
  if (scorer_.question().without == e || !(memory_.evidence[static_cast<Index>(e)] > 0)) return false;
  return only_ == nullptr || std::ranges::binary_search(*only_, e);
}

PathLattice::Layer PathLattice::first_layer() const {
  const PathQuestion& question = scorer_.question();
  const ConceptId source = from_end_ ? *question.to : question.from;
  const Claim claim(passes_.from(source).size() * sizeof(Step));
  Layer layer;
  spend(16 * passes_.from(source).size());
  for (const Pass& out : passes_.from(source)) {
    if (!may_use(out.statement) || out.to == source) continue;
    Step step{out, source};
    if (from_end_) {
      step = {out.turned(), out.to};
      step.pass.to = source;
    }
    step.arrives = !question.to || head(step) == (from_end_ ? question.from : *question.to);
    step.forward = step_weight(step.pass, step.from) * edge_weight(step, !from_end_);
    layer.push_back(step);
  }
  return layer;
}

PathLattice::Layer PathLattice::next_layer(const Layer& layer) const {
  const PathQuestion& question = scorer_.question();
  const ConceptId source = from_end_ ? *question.to : question.from;
  const bool is_last = layers_.size() + 1 == static_cast<std::size_t>(options_.steps);
  std::map<ConceptId, std::vector<const Step*>> at;
  for (const Step& step : layer)
    if ((!step.arrives || !question.to) &&
        memory_.mentions.columns_of(static_cast<Index>(head(step))).size() <= most_left_by)
      at[head(step)].push_back(&step);
  std::size_t most = 0;
  for (const auto& [name, steps] : at) most += passes_.from(name).size();
  const Claim claim(most * sizeof(Step));
  Layer next;
  for (const auto& [name, steps] : at) {
    spend(passes_.from(name).size() * (4 + steps.size()));
    for (const Pass& out : passes_.from(name)) {
      if (out.to == source || !may_use(out.statement)) continue;
      Step step{out, name};
      if (from_end_) {
        step = {out.turned(), out.to};
        step.pass.to = name;
      }
      step.arrives = !question.to || head(step) == (from_end_ ? question.from : *question.to);
      if (is_last && !step.arrives) continue;
      for (const Step* before : steps)
        if (before->pass.statement != out.statement)
          step.forward += before->forward * joint_weight(*before, step);
      step.forward *= step_weight(step.pass, step.from);
      if (step.forward > 0) next.push_back(step);
    }
  }
  return next;
}

// The best in the order in which they stand, and all that arrive.
void PathLattice::keep_best(Layer& layer) const {
  if (only_ != nullptr || layer.size() <= options_.width) return;
  const bool open = !scorer_.question().to;
  std::vector<const Step*> going_on;
  for (const Step& step : layer)
    if (open || !step.arrives) going_on.push_back(&step);
  if (going_on.size() <= options_.width) return;
  const auto better = [&](const Step* a, const Step* b) {
    if (a->forward != b->forward) return a->forward > b->forward;
    const auto order = narsese::compare(memory_.statement_terms[a->pass.statement],
                                        memory_.statement_terms[b->pass.statement]);
    return order != 0 ? order < 0 : head(*a) < head(*b);
  };
  std::nth_element(going_on.begin(), going_on.begin() + static_cast<std::ptrdiff_t>(options_.width),
                   going_on.end(), better);
  std::vector<bool> kept(layer.size());
  for (std::size_t i = 0; i < options_.width; ++i)
    kept[static_cast<std::size_t>(going_on[i] - layer.data())] = true;
  Layer best;
  for (std::size_t i = 0; i < layer.size(); ++i)
    if (kept[i] || (!open && layer[i].arrives)) best.push_back(layer[i]);
  layer = std::move(best);
}

template <class Visit>
void PathLattice::each_edge(std::size_t layer, Visit visit) const {
  if (layer + 1 >= layers_.size()) return;
  const Layer& next = layers_[layer + 1];  // ascending by tail, as names were gone through in order
  for (std::size_t i = 0; i < layers_[layer].size(); ++i) {
    const Step& step = layers_[layer][i];
    if (step.arrives && scorer_.question().to) continue;
    const auto by_tail = [&](const Step& s) { return tail(s); };
    const auto first = std::ranges::lower_bound(next, head(step), {}, by_tail);
    for (auto farther = first; farther != next.end() && tail(*farther) == head(step); ++farther) {
      spend(8);
      if (farther->pass.statement != step.pass.statement)
        visit(i, static_cast<std::size_t>(farther - next.begin()), joint_weight(step, *farther));
    }
  }
}

void PathLattice::add_backward() {
  for (std::size_t l = layers_.size(); l-- > 0;) {
    for (Step& step : layers_[l]) step.backward = step.arrives ? edge_weight(step, from_end_) : 0;
    each_edge(l, [&](std::size_t i, std::size_t j, double joint) {
      const Step& farther = layers_[l + 1][j];
      layers_[l][i].backward += joint * step_weight(farther.pass, farther.from) * farther.backward;
    });
  }
  for (const Step& step : layers_.front()) total_ += step.forward * step.backward;
}

std::vector<std::pair<StatementId, double>> PathLattice::marginals() const {
  std::map<StatementId, double> sums;
  for (const Layer& layer : layers_)
    for (const Step& step : layer)
      if (step.forward * step.backward > 0)
        sums[step.pass.statement] += step.forward * step.backward / total_;
  return {sums.begin(), sums.end()};
}

PathWeights PathLattice::expected_features() const {
  PathWeights expected{};
  if (!(total_ > 0)) return expected;
  double share = 0;
  const auto add = [&](PathFeature f, double x) { at(expected, f) += share * x; };
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    for (const Step& step : layers_[l]) {
      share = step.forward * step.backward / total_;
      if (share > 0) scorer_.step(step.pass, step.from, add);
      if (l == 0 && share > 0) from_end_ ? scorer_.last(step.pass, add) : scorer_.first(step.pass, add);
      share = step.arrives ? step.forward * edge_weight(step, from_end_) / total_ : 0;
      if (share > 0) from_end_ ? scorer_.first(step.pass, add) : scorer_.last(step.pass, add);
    }
    each_edge(l, [&](std::size_t i, std::size_t j, double joint) {
      const Step &nearer = layers_[l][i], &farther = layers_[l + 1][j];
      share = nearer.forward * joint * step_weight(farther.pass, farther.from) * farther.backward / total_;
      if (!(share > 0)) return;
      if (from_end_)
        scorer_.joint(farther.pass, head(nearer), nearer.pass, add);
      else
        scorer_.joint(nearer.pass, head(nearer), farther.pass, add);
    });
  }
  return expected;
}

// Best first, by the weight of what is gone and the largest weight of what is left: exact.
std::vector<PathLattice::Way> PathLattice::best(std::size_t count) const {
  struct Edge {
    std::size_t to = 0;
    double weight = 0;
  };
  std::vector<std::vector<std::vector<Edge>>> edges(layers_.size());
  std::vector<std::vector<double>> left(layers_.size());
  for (std::size_t l = layers_.size(); l-- > 0;) {
    edges[l].resize(layers_[l].size());
    for (const Step& step : layers_[l]) left[l].push_back(step.arrives ? edge_weight(step, from_end_) : 0);
    each_edge(l, [&](std::size_t i, std::size_t j, double joint) {
      const Step& farther = layers_[l + 1][j];
      const double weight = joint * step_weight(farther.pass, farther.from);
      edges[l][i].push_back({j, weight});
      left[l][i] = std::max(left[l][i], weight * left[l + 1][j]);
    });
  }
  struct Partial {
    double promise = 0, gone = 0;
    bool done = false;
    std::vector<std::size_t> places;
    bool operator<(const Partial& other) const {  // ties: the shorter, then who stands first
      return std::tuple(promise, other.places.size(), other.places) <
             std::tuple(other.promise, places.size(), places);
    }
  };
  std::priority_queue<Partial> open;
  for (std::size_t i = 0; i < layers_[0].size(); ++i)
    if (const double gone = layers_[0][i].forward; gone * left[0][i] > 0)
      open.push({gone * left[0][i], gone, false, {i}});
  std::vector<Way> ways;
  while (!open.empty() && ways.size() < count) {
    const Partial way = open.top();
    open.pop();
    spend(64);
    const std::size_t l = way.places.size() - 1, i = way.places.back();
    const Step& step = layers_[l][i];
    if (way.done) {
      ways.push_back({{}, way.promise});
      for (std::size_t k = 0; k <= l; ++k) ways.back().steps.push_back(&layers_[k][way.places[k]]);
      if (from_end_) std::ranges::reverse(ways.back().steps);
      continue;
    }
    if (step.arrives) open.push({way.gone * edge_weight(step, from_end_), way.gone, true, way.places});
    for (const Edge& edge : edges[l][i]) {
      const double gone = way.gone * edge.weight;
      if (!(gone * left[l + 1][edge.to] > 0)) continue;
      Partial on{gone * left[l + 1][edge.to], gone, false, way.places};
      on.places.push_back(edge.to);
      open.push(std::move(on));
    }
  }
  return ways;
}

}  // namespace engram::core
