// SPDX-License-Identifier: MIT
// Parameters, and the way forward.
#include "core/links/bellman_ford_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/links/vector_rows.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr double epsilon = 1e-5;  // of the normalisation, as is usual
constexpr std::size_t most_parameters = std::size_t{1} << 20;

}  // namespace

template <class Real, int D>
BellmanFordNetwork<Real, D>::BellmanFordNetwork(std::uint32_t relations, const BellmanFordOptions& options,
                                                std::uint64_t seed)
    : options_(options), relations_(relations) {
  require(relations >= 1 && relations <= 8192, "relations must be 1 to 8192, reciprocals counted", relations);
  require(options.layers >= 1 && options.layers <= 16, "layers must be 1 to 16", options.layers);
  require(options.width >= 1, "width must be at least 1", options.width);
  require(options.most_edges >= 1, "most_edges must be at least 1", options.most_edges);
  const std::size_t r = relations, t = options.layers, d = D;
  std::size_t size = 0;
  const auto take = [&](std::size_t n) { return std::exchange(size, size + n); };
  at_ = {take(r * d),
         take(t * r * d),
         take(options.dependent ? t * r * r * d : 0),
         take(t * d * d),
         take(t * d * d),
         take(t * d),
         take(t * d),
         take(t * d),
         take(t * d),
         take(t * r),
         take(d * d),
         take(r * d),
         take(d),
         take(1),
         take(r),
         0};
  at_.size = size;
  require(size <= most_parameters,
          options.dependent
              ? "a network must have at most 1048576 parameters; with dependent off it has fewer"
              : "a network must have at most 1048576 parameters",
          static_cast<double>(size));
  parameters_.assign(size, 0);
  Rng rng(seed, "bellman_ford_network");
  const auto draw = [&](std::size_t from, std::size_t to, double centre, double reach) {
    for (std::size_t i = from; i < to; ++i)
      parameters_[i] = static_cast<Real>(centre + reach * (2 * rng.uniform() - 1));
  };
  draw(at_.e, at_.shared, 0, 1);
  draw(at_.shared, at_.own, 1, 0.5);                  // near 1: paths are counted
  draw(at_.a, at_.c, 0, std::sqrt(6.0 / (3.0 * D)));  // Glorot and Bengio 2010
  draw(at_.gain, at_.shift, 1, 0);
  draw(at_.m, at_.mq, 0, std::sqrt(6.0 / (2.0 * D)));
  draw(at_.o, at_.o0, 0, std::sqrt(6.0 / (1.0 + D)));
}

template <class Real, int D>
auto BellmanFordNetwork<Real, D>::edge_weights(std::size_t t, std::size_t q) const -> std::vector<Row> {
  std::vector<Row> weights(relations_);
  const Real *w = parameters_.data() + shared_at(t), *own = parameters_.data() + own_at(t, q);
  for (Row& row : weights) {
    std::copy(w, w + D, row.begin());
    w += D;
    if (!options_.dependent) continue;
    for (Real& x : row) x += *own++;
  }
  return weights;
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::keep(std::size_t t, const BellmanFordQuestion& question,
                                       Trace& trace) const {
  auto& layer = trace.layers[t];
  const std::size_t n = layer.h.size();
  layer.kept.resize(n);
  std::iota(layer.kept.begin(), layer.kept.end(), 0U);
  layer.priority.assign(std::min<std::size_t>(n, options_.width), 1);
  if (options_.linear && n <= options_.width) return;
  const Real* const p = parameters_.data() + at_.p + t * D;
  const Real pq = parameters_[at_.pq + t * relations_ + question.relation];
  auto& logits = trace.logits;
  logits.resize(n);
  for (std::size_t x = 0; x < n; ++x) logits[x] = VectorRows<Real, D>::inner(p, layer.h[x].data()) + pq;
  if (n > options_.width) {
    std::nth_element(layer.kept.begin(), layer.kept.begin() + options_.width, layer.kept.end(),
                     [&](auto a, auto b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
    layer.kept.resize(options_.width);
    std::sort(layer.kept.begin(), layer.kept.end());
  }
  if (options_.linear) return;
  for (std::size_t k = 0; k < layer.kept.size(); ++k)
    layer.priority[k] = static_cast<Real>(1 / (1 + exp(-static_cast<double>(logits[layer.kept[k]]))));
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::follow(const RelationalGraph& graph, const BellmanFordQuestion& question,
                                         std::size_t t, Trace& trace) const {
  auto& layer = trace.layers[t];
  const auto hidden = [&](std::uint32_t from, const RelationalGraph::Edge& edge) {
    if (question.hidden == Hidden::nothing) return false;
    const bool there = from == question.head && edge.to == question.tail,
               back = from == question.tail && edge.to == question.head;
    if (question.hidden == Hidden::ends) return there || back;
    return (there && edge.relation == question.relation) ||
           (back && edge.relation == graph.reciprocal(question.relation));
  };
  layer.edges.clear();
  layer.sent.assign(1, 0);
  trace.slot.assign(trace.reached.size(), 0);
  trace.slot[0] = 1;
  for (std::uint32_t k = 0; k < layer.kept.size(); ++k) {
    const std::uint32_t entity = trace.reached[layer.kept[k]];
    const auto edges = graph.from(entity);
    const std::size_t count = std::min<std::size_t>(edges.size(), options_.most_edges);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& edge = edges[i * edges.size() / count];
      if (hidden(entity, edge)) continue;
      std::uint32_t& place = trace.place[edge.to];
      if (place == 0) {
        trace.reached.push_back(edge.to);
        trace.slot.push_back(0);
        place = static_cast<std::uint32_t>(trace.reached.size());
      }
      std::uint32_t& slot = trace.slot[place - 1];
      if (slot == 0) {
        layer.sent.push_back(place - 1);
        slot = static_cast<std::uint32_t>(layer.sent.size());
      }
      layer.edges.push_back({k, edge.relation, slot - 1});
    }
  }
  charge(layer.edges.size() * D + layer.sent.size() * D * D * 2 + trace.reached.size() * D);
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::send(const BellmanFordQuestion& question, std::size_t t,
                                       Trace& trace) const {
  auto& layer = trace.layers[t];
  layer.z.assign(layer.sent.size(), Row{});
  const Real* e = parameters_.data() + at_.e + std::size_t{question.relation} * D;
  std::copy(e, e + D, layer.z[0].begin());
  const std::vector<Row> weights = edge_weights(t, question.relation);
  for (const auto& edge : layer.edges) {
    const Real s = layer.priority[edge.from];
    const Row &h = layer.h[layer.kept[edge.from]], &w = weights[edge.relation];
    Row& z = layer.z[edge.to];
    for (std::size_t i = 0; i < D; ++i) z[i] += s * h[i] * w[i];
  }
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::update(std::size_t t, Trace& trace) const {
  using Rows = VectorRows<Real, D>;
  auto& layer = trace.layers[t];
  const std::size_t n = layer.sent.size(), before = layer.h.size();
  layer.h.resize(trace.reached.size(), Row{});
  std::vector<Row>& next = t + 1 < options_.layers ? trace.layers[t + 1].h : trace.h;
  if (options_.linear) {
    next.assign(layer.h.size(), Row{});
    for (std::size_t i = 0; i < n; ++i) next[layer.sent[i]] = layer.z[i];
    return;
  }
  const Real* const c = parameters_.data() + at_.c + t * D;
  const Real* const gain = parameters_.data() + at_.gain + t * D;
  const Real* const shift = parameters_.data() + at_.shift + t * D;
  layer.normal.resize(n);
  layer.deviation.resize(n);
  std::vector<std::uint32_t> slots(n), old_slots, old_places;  // old: with an h that is not 0
  std::iota(slots.begin(), slots.end(), 0U);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::copy(c, c + D, layer.normal[i].begin());
    if (layer.sent[i] >= before) continue;
    old_slots.push_back(i);
    old_places.push_back(layer.sent[i]);
  }
  Rows::add_products(parameters_.data() + at_.a + t * D * D, layer.normal, old_slots, layer.h, old_places);
  Rows::add_products(parameters_.data() + at_.b + t * D * D, layer.normal, slots, layer.z, slots);
  Row ones;
  ones.fill(1);
  next.assign(layer.h.begin(), layer.h.end());
  for (std::size_t v = 0; v < n; ++v) {
    Row& u = layer.normal[v];
    const Real mean = Rows::inner(u.data(), ones.data()) / D;
    for (Real& x : u) x -= mean;
    const Real variance = Rows::inner(u.data(), u.data()) / D;
    layer.deviation[v] = 1 / std::sqrt(variance + static_cast<Real>(epsilon));
    Row& h = next[layer.sent[v]];
    for (std::size_t i = 0; i < D; ++i) {
      u[i] *= layer.deviation[v];
      const Real y = gain[i] * u[i] + shift[i];
      h[i] += y > 0 ? y : 0;
    }
  }
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::score(const BellmanFordQuestion& question, Trace& trace) const {
  const Real *m = parameters_.data() + at_.m, *o = parameters_.data() + at_.o;
  const Real* const mq = parameters_.data() + at_.mq + std::size_t{question.relation} * D;
  const std::size_t n = trace.h.size();
  std::vector<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0U);
  Row start;
  std::copy(mq, mq + D, start.begin());
  trace.hidden.assign(n, start);
  VectorRows<Real, D>::add_products(m, trace.hidden, places, trace.h, places);
  trace.scores.resize(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (Real& x : trace.hidden[v]) x = x > 0 ? x : 0;
    trace.scores[v] = VectorRows<Real, D>::inner(o, trace.hidden[v].data()) + parameters_[at_.o0];
  }
  trace.unreached = parameters_[at_.unreached + question.relation];
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::forward(const RelationalGraph& graph, const BellmanFordQuestion& question,
                                          Trace& trace) const {
  require(graph.relations() == relations_, "the graph must have as many relations as the network");
  require(question.head < graph.entities() && question.relation < relations_,
          "the question must be of the graph");
  for (const std::uint32_t entity : trace.reached)
    if (entity < trace.place.size()) trace.place[entity] = 0;
  trace.place.resize(graph.entities(), 0);
  trace.reached.assign(1, question.head);
  trace.place[question.head] = 1;
  trace.layers.resize(options_.layers);
  const Real* const e = parameters_.data() + at_.e + std::size_t{question.relation} * D;
  trace.layers[0].h.assign(1, Row{});
  std::copy(e, e + D, trace.layers[0].h[0].begin());
  for (std::size_t t = 0; t < options_.layers; ++t) {
    keep(t, question, trace);
    follow(graph, question, t, trace);
    send(question, t, trace);
    update(t, trace);
  }
  score(question, trace);
}

template class BellmanFordNetwork<float, 32>;
template class BellmanFordNetwork<double, 4>;

}  // namespace engram::core
