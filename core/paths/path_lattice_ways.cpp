// SPDX-License-Identifier: MIT
// What a lattice tells once its sums are there: marginals, expected features, and its best ways.
#include <algorithm>
#include <queue>

#include "core/numbers/work.hpp"
#include "core/paths/path_lattice.hpp"

namespace engram::core {

std::vector<std::pair<StatementId, double>> PathLattice::marginals() const {
  std::vector<std::pair<StatementId, double>> shares, sums;
  for (const Layer& layer : layers_)
    for (const Step& step : layer.steps)
      if (step.forward * step.backward > 0)
        shares.emplace_back(step.pass.statement, step.forward * step.backward / total_);
  // Those of a statement stay in their order: so they add up to the same bits, whatever else there is.
  std::ranges::stable_sort(shares, {}, [](const auto& one) { return one.first; });
  for (const auto& [e, share] : shares)
    if (!sums.empty() && sums.back().first == e)
      sums.back().second += share;
    else
      sums.emplace_back(e, share);
  return sums;
}

PathWeights PathLattice::expected_features() const {
  PathWeights expected{};
  if (!(total_ > 0)) return expected;
  double share = 0;
  const auto add = [&](PathFeature f, double x) { at(expected, f) += share * x; };
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const std::vector<Step>& steps = layers_[l].steps;
    for (const Step& step : steps) {
      share = step.forward * step.backward / total_;
      if (share > 0) scorer_.step(step.pass, step.from, add);
      if (l == 0 && share > 0) from_end_ ? scorer_.last(step.pass, add) : scorer_.first(step.pass, add);
      share = step.arrives ? step.forward * weight_of_edge(step, from_end_) / total_ : 0;
      if (share > 0) from_end_ ? scorer_.first(step.pass, add) : scorer_.last(step.pass, add);
    }
    for (const Edge& edge : layers_[l].edges) {
      const Step &nearer = steps[edge.from], &farther = layers_[l + 1].steps[edge.to];
      share = nearer.forward * edge.weight * farther.backward / total_;
      if (!(share > 0)) continue;
      if (from_end_)
        scorer_.joint(farther.pass, head(nearer), nearer.pass, add);
      else
        scorer_.joint(nearer.pass, head(nearer), farther.pass, add);
    }
  }
  return expected;
}

std::span<const PathLattice::Edge> PathLattice::Layer::edges_of(std::size_t step) const {
  const auto begin = std::ranges::lower_bound(edges, step, {}, &Edge::from);
  return {begin, std::ranges::upper_bound(begin, edges.end(), step, {}, &Edge::from)};
}

// Best first, by the weight of what is gone and the largest weight of what is left: exact.
std::vector<PathLattice::Way> PathLattice::best(std::size_t count) const {
  std::vector<std::vector<double>> left(layers_.size());
  for (std::size_t l = layers_.size(); l-- > 0;) {
    for (const Step& step : layers_[l].steps)
      left[l].push_back(step.arrives ? weight_of_edge(step, from_end_) : 0);
    for (const Edge& edge : layers_[l].edges)
      left[l][edge.from] = std::max(left[l][edge.from], edge.weight * left[l + 1][edge.to]);
  }
  struct Place {  // of a way, and where it was before
    std::size_t step = 0, before = 0;
  };
  constexpr auto beginning = static_cast<std::size_t>(-1);
  std::vector<Place> places;
  struct Partial {
    double promise = 0, gone = 0;
    bool done = false;
    std::size_t length = 0, last = 0;  // places
  };
  // Whether the steps of one stand before those of another, of the same length.
  const auto stands_before = [&](std::size_t a, std::size_t b) {
    bool before = false;
    for (; a != b && a != beginning; a = places[a].before, b = places[b].before)
      if (places[a].step != places[b].step) before = places[a].step < places[b].step;
    return before;
  };
  const auto comes_later = [&](const Partial& a,
                               const Partial& b) {  // ties: the shorter, then who stands first
    if (a.promise != b.promise) return a.promise < b.promise;
    return a.length != b.length ? a.length > b.length : stands_before(b.last, a.last);
  };
  std::priority_queue<Partial, std::vector<Partial>, decltype(comes_later)> open(comes_later);
  const auto add = [&](double promise, double gone, std::size_t length, std::size_t step,
                       std::size_t before) {
    places.push_back({step, before});
    open.push({promise, gone, false, length, places.size() - 1});
  };
  for (std::size_t i = 0; i < layers_[0].steps.size(); ++i)
    if (const double gone = layers_[0].steps[i].forward; gone * left[0][i] > 0)
      add(gone * left[0][i], gone, 1, i, beginning);
  std::vector<Way> ways;
  while (!open.empty() && ways.size() < count) {
    const Partial way = open.top();
    open.pop();
    spend(64);
    const std::size_t l = way.length - 1, i = places[way.last].step;
    const Step& step = layers_[l].steps[i];
    if (way.done) {
      ways.push_back({{}, way.promise});
      for (std::size_t at = way.last, k = l + 1; k-- > 0; at = places[at].before)
        ways.back().steps.push_back(&layers_[k].steps[places[at].step]);
      if (!from_end_) std::ranges::reverse(ways.back().steps);
      continue;
    }
    if (step.arrives)
      open.push({way.gone * weight_of_edge(step, from_end_), way.gone, true, way.length, way.last});
    for (const Edge& edge : layers_[l].edges_of(i)) {
      const double gone = way.gone * edge.weight;
      if (gone * left[l + 1][edge.to] > 0)
        add(gone * left[l + 1][edge.to], gone, way.length + 1, edge.to, way.last);
    }
  }
  return ways;
}

}  // namespace engram::core
