// SPDX-License-Identifier: MIT
#include "core/links/bellman_ford_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/links/vector_rows.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

RelationalGraph::RelationalGraph(std::uint32_t entities, std::uint32_t relations, std::span<const Fact> facts)
    : relations_(2 * relations), first_(std::size_t{entities} + 1, 0), edges_(2 * facts.size()) {
  for (const Fact& fact : facts) {
    require(fact.head < entities && fact.tail < entities, "a fact names an entity that is out of range");
    require(fact.relation < relations, "a fact names a relation that is out of range", fact.relation);
    ++first_[fact.head + 1];
    ++first_[fact.tail + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const Fact& fact : facts) {
    edges_[next[fact.head]++] = {fact.relation, fact.tail};
    edges_[next[fact.tail]++] = {fact.relation + relations, fact.head};
  }
}

namespace {

constexpr double epsilon = 1e-5;  // of the normalisation, the usual value
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
  layout_ = {take(r * d),
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
  layout_.size = size;
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
  draw(layout_.e, layout_.shared, 0, 1);
  draw(layout_.shared, layout_.own, 1, 0.5);                  // near 1, so that paths are counted
  draw(layout_.a, layout_.c, 0, std::sqrt(6.0 / (3.0 * D)));  // Glorot and Bengio 2010
  draw(layout_.gain, layout_.shift, 1, 0);
  draw(layout_.m, layout_.mq, 0, std::sqrt(6.0 / (2.0 * D)));
  draw(layout_.o, layout_.o0, 0, std::sqrt(6.0 / (1.0 + D)));
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
  const Real* const p = parameters_.data() + layout_.p + t * D;
  const Real pq = parameters_[layout_.pq + t * relations_ + question.relation];
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
  layer.receivers.assign(1, 0);
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
        layer.receivers.push_back(place - 1);
        slot = static_cast<std::uint32_t>(layer.receivers.size());
      }
      layer.edges.push_back({k, edge.relation, slot - 1});
    }
  }
  charge(layer.edges.size() * D + layer.receivers.size() * D * D * 2 + trace.reached.size() * D);
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::send(const BellmanFordQuestion& question, std::size_t t,
                                       Trace& trace) const {
  auto& layer = trace.layers[t];
  layer.z.assign(layer.receivers.size(), Row{});
  const Real* e = parameters_.data() + layout_.e + std::size_t{question.relation} * D;
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
  const std::size_t n = layer.receivers.size(), before = layer.h.size();
  layer.h.resize(trace.reached.size(), Row{});
  std::vector<Row>& next = t + 1 < options_.layers ? trace.layers[t + 1].h : trace.h;
  if (options_.linear) {
    next.assign(layer.h.size(), Row{});
    for (std::size_t i = 0; i < n; ++i) next[layer.receivers[i]] = layer.z[i];
    return;
  }
  const Real* const c = parameters_.data() + layout_.c + t * D;
  const Real* const gain = parameters_.data() + layout_.gain + t * D;
  const Real* const shift = parameters_.data() + layout_.shift + t * D;
  layer.normal.resize(n);
  layer.deviation.resize(n);
  std::vector<std::uint32_t> slots(n), old_slots, old_places;  // old: receivers with a nonzero h
  std::iota(slots.begin(), slots.end(), 0U);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::copy(c, c + D, layer.normal[i].begin());
    if (layer.receivers[i] >= before) continue;
    old_slots.push_back(i);
    old_places.push_back(layer.receivers[i]);
  }
  Rows::add_products(parameters_.data() + layout_.a + t * D * D, layer.normal, old_slots, layer.h,
                     old_places);
  Rows::add_products(parameters_.data() + layout_.b + t * D * D, layer.normal, slots, layer.z, slots);
  Row ones;
  ones.fill(1);
  next.assign(layer.h.begin(), layer.h.end());
  for (std::size_t v = 0; v < n; ++v) {
    Row& u = layer.normal[v];
    const Real mean = Rows::inner(u.data(), ones.data()) / D;
    for (Real& x : u) x -= mean;
    const Real variance = Rows::inner(u.data(), u.data()) / D;
    layer.deviation[v] = 1 / std::sqrt(variance + static_cast<Real>(epsilon));
    Row& h = next[layer.receivers[v]];
    for (std::size_t i = 0; i < D; ++i) {
      u[i] *= layer.deviation[v];
      const Real y = gain[i] * u[i] + shift[i];
      h[i] += y > 0 ? y : 0;
    }
  }
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::score(const BellmanFordQuestion& question, Trace& trace) const {
  const Real *m = parameters_.data() + layout_.m, *o = parameters_.data() + layout_.o;
  const Real* const mq = parameters_.data() + layout_.mq + std::size_t{question.relation} * D;
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
    trace.scores[v] = VectorRows<Real, D>::inner(o, trace.hidden[v].data()) + parameters_[layout_.o0];
  }
  trace.unreached = parameters_[layout_.unreached + question.relation];
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
  const Real* const e = parameters_.data() + layout_.e + std::size_t{question.relation} * D;
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

template <class Real, int D>
double BellmanFordNetwork<Real, D>::loss(const RelationalGraph& graph, const BellmanFordQuestion& question,
                                         std::span<const std::uint32_t> known, Trace& trace,
                                         std::span<Real> gradient, const Sampling& sampling) const {
  require(question.tail < graph.entities(), "the tail must be of the graph");
  const auto masked = [&](std::uint32_t entity) {
    return entity != question.tail && std::binary_search(known.begin(), known.end(), entity);
  };
  std::size_t others = graph.entities() - trace.reached.size();
  for (const std::uint32_t entity : known) others -= trace.place[entity] == 0 && masked(entity);
  const std::size_t n = trace.reached.size();
  double top = static_cast<double>(trace.unreached);
  for (const Real score : trace.scores) top = std::max(top, static_cast<double>(score));
  std::vector<double> mass(n, 0);
  double all = 0;
  for (std::size_t v = 0; v < n; ++v)
    if (!masked(trace.reached[v])) all += mass[v] = exp(static_cast<double>(trace.scores[v]) - top);
  const double rest = exp(static_cast<double>(trace.unreached) - top) * static_cast<double>(others);
  all += rest;
  const std::uint32_t place = trace.place[question.tail];
  const double right = static_cast<double>(place == 0 ? trace.unreached : trace.scores[place - 1]);
  if (!gradient.empty()) {
    require(gradient.size() == layout_.size, "the gradient must be as long as the parameters");
    require(!options_.linear, "a linear network cannot be trained");
    std::vector<Real> d_scores(n, 0);
    double passed = sampling.offset * sampling.least;
    for (std::size_t v = 0; v < n; ++v) {
      const double share = mass[v] / all;
      if (v + 1 == place) {
        d_scores[v] = static_cast<Real>(share - 1);
      } else if (share >= sampling.least) {
        d_scores[v] = static_cast<Real>(share);
      } else if ((passed += share) >= sampling.least) {
        passed -= sampling.least;
        d_scores[v] = static_cast<Real>(sampling.least);
      }
    }
    gradient[layout_.unreached + question.relation] += static_cast<Real>(rest / all - (place == 0 ? 1 : 0));
    backward(question, d_scores, trace, gradient);
  }
  return log(all) + top - right;
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::backward(const BellmanFordQuestion& question,
                                           const std::vector<Real>& d_scores, const Trace& trace,
                                           std::span<Real> gradient) const {
  using Rows = VectorRows<Real, D>;
  const Real* const parameters = parameters_.data();
  Real* const g = gradient.data();
  const std::size_t q = question.relation;
  std::vector<Row> dh(trace.h.size(), Row{});
  std::vector<char> active(trace.h.size(), 0);  // by place: whether dh is nonzero
  std::vector<Row> d, du, dz;                   // of selected places
  std::vector<std::uint32_t> places, slots, numbers;
  const auto count_up = [&](std::size_t n) {
    while (numbers.size() < n) numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
    return std::span<const std::uint32_t>(numbers.data(), n);
  };
  for (std::uint32_t v = 0; v < dh.size(); ++v) {
    if (d_scores[v] == 0) continue;
    Rows::add(g + layout_.o, d_scores[v], trace.hidden[v].data());
    g[layout_.o0] += d_scores[v];
    Row& row = d.emplace_back();
    for (std::size_t i = 0; i < D; ++i)
      row[i] = trace.hidden[v][i] > 0 ? d_scores[v] * parameters[layout_.o + i] : 0;
    Rows::add(g + layout_.mq + q * D, 1, row.data());
    places.push_back(v);
    active[v] = 1;
  }
  Rows::add_outer(g + layout_.m, d, count_up(d.size()), trace.h, places);
  Rows::add_products(Rows::transposed(parameters + layout_.m).data(), dh, places, d, count_up(d.size()));
  Row ones;
  ones.fill(1);
  std::vector<char> passed;  // by receiver: whether dz is nonzero
  std::vector<Real> ds;      // indexed as kept
  std::vector<Row> dw;       // indexed by relation
  for (std::size_t t = options_.layers; t-- > 0;) {
    const auto& layer = trace.layers[t];
    const std::size_t n = layer.receivers.size();
    passed.assign(n, 0);
    slots.clear();
    places.clear();
    du.clear();
    for (std::uint32_t v = 0; v < n; ++v) {
      if (active[layer.receivers[v]] == 0) continue;
      const Row &d_h = dh[layer.receivers[v]], &normal = layer.normal[v];
      Row dx;
      for (std::size_t i = 0; i < D; ++i) {
        const Real x = normal[i], gain = parameters[layout_.gain + t * D + i];
        const Real dy = gain * x + parameters[layout_.shift + t * D + i] > 0 ? d_h[i] : 0;
        g[layout_.gain + t * D + i] += dy * x;
        g[layout_.shift + t * D + i] += dy;
        dx[i] = dy * gain;
      }
      const Real mean = Rows::inner(dx.data(), ones.data()) / D;
      const Real along = Rows::inner(dx.data(), normal.data()) / D;
      Row& row = du.emplace_back();
      for (std::size_t i = 0; i < D; ++i) row[i] = layer.deviation[v] * (dx[i] - mean - normal[i] * along);
      Rows::add(g + layout_.c + t * D, 1, row.data());
      slots.push_back(v);
      places.push_back(layer.receivers[v]);
      passed[v] = 1;
    }
    const auto each = count_up(du.size());
    Rows::add_outer(g + layout_.a + t * D * D, du, each, layer.h, places);
    Rows::add_outer(g + layout_.b + t * D * D, du, each, layer.z, slots);
    dz.assign(n, Row{});
    Rows::add_products(Rows::transposed(parameters + layout_.a + t * D * D).data(), dh, places, du, each);
    Rows::add_products(Rows::transposed(parameters + layout_.b + t * D * D).data(), dz, slots, du, each);
    if (passed[0] != 0) Rows::add(g + layout_.e + q * D, 1, dz[0].data());
    ds.assign(layer.kept.size(), 0);
    dw.assign(relations_, Row{});
    const std::vector<Row> weights = edge_weights(t, q);
    for (const auto& edge : layer.edges) {
      if (passed[edge.to] == 0) continue;
      const std::uint32_t from = layer.kept[edge.from];
      const Real s = layer.priority[edge.from];
      const Row &h = layer.h[from], &dz_to = dz[edge.to], &w = weights[edge.relation];
      Row &d_h = dh[from], &d_w = dw[edge.relation], product;
      for (std::size_t i = 0; i < D; ++i) {
        d_w[i] += s * dz_to[i] * h[i];
        d_h[i] += s * dz_to[i] * w[i];
        product[i] = h[i] * w[i];
      }
      ds[edge.from] += Rows::inner(dz_to.data(), product.data());
      active[from] = 1;
    }
    for (std::size_t r = 0; r < relations_; ++r) {
      Rows::add(g + shared_at(t) + r * D, 1, dw[r].data());
      if (options_.dependent) Rows::add(g + own_at(t, q) + r * D, 1, dw[r].data());
    }
    for (std::size_t k = 0; k < ds.size(); ++k) {
      const Real s = layer.priority[k], d_logit = ds[k] * s * (1 - s);
      if (d_logit == 0) continue;
      const std::uint32_t x = layer.kept[k];
      Rows::add(g + layout_.p + t * D, d_logit, layer.h[x].data());
      g[layout_.pq + t * relations_ + q] += d_logit;
      Rows::add(dh[x].data(), d_logit, parameters + layout_.p + t * D);
    }
  }
  if (active[0] != 0) Rows::add(g + layout_.e + q * D, 1, dh[0].data());
}

template class BellmanFordNetwork<float, 32>;
template class BellmanFordNetwork<double, 4>;

}  // namespace engram::core
