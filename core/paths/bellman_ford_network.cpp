// SPDX-License-Identifier: MIT
#include "core/paths/bellman_ford_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {

RelationalGraph::RelationalGraph(std::uint32_t entities, std::uint32_t relations, std::span<const Fact> facts)
    : relations_(2 * relations), first_(std::size_t{entities} + 1, 0), edges_(2 * facts.size()) {
  for (const Fact& fact : facts) {
    require(fact.head < entities && fact.tail < entities, "an entity must be below their number");
    require(fact.relation < relations, "a relation must be below their number", fact.relation);
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

constexpr double epsilon = 1e-5;  // of the normalisation, as is usual

// As many independent sums as a register may hold, folded in order: one result for every processor.
template <class Real, int D>
Real inner(const Real* a, const Real* b) {
  constexpr int lanes = D < 8 ? D : 8;
  Real sums[lanes] = {};
  for (int i = 0; i < D; i += lanes)
    for (int k = 0; k < lanes; ++k) sums[k] += a[i + k] * b[i + k];
  Real all = 0;
  for (int k = 0; k < lanes; ++k) all += sums[k];
  return all;
}

template <class Real, int D>
void add(Real* to, Real factor, const Real* from) {
  for (int i = 0; i < D; ++i) to[i] += factor * from[i];
}

// to += M x and to += M' x, with M by columns.
template <class Real, int D>
void add_product(Real* to, const Real* m, const Real* x) {
  for (int j = 0; j < D; ++j) add<Real, D>(to, x[j], m + j * D);
}
template <class Real, int D>
void add_transposed(Real* to, const Real* m, const Real* x) {
  for (int j = 0; j < D; ++j) to[j] += inner<Real, D>(m + j * D, x);
}
// M += y x'
template <class Real, int D>
void add_outer(Real* m, const Real* y, const Real* x) {
  for (int j = 0; j < D; ++j) add<Real, D>(m + j * D, x[j], y);
}

}  // namespace

template <class Real, int D>
BellmanFordNetwork<Real, D>::BellmanFordNetwork(std::uint32_t relations, const BellmanFordOptions& options,
                                                std::uint64_t seed)
    : options_(options), relations_(relations) {
  require(relations >= 1 && relations <= 4096, "relations must be 1 to 4096", relations);
  require(options.layers >= 1 && options.layers <= 16, "layers must be 1 to 16", options.layers);
  require(options.width >= 1, "width must be at least 1", options.width);
  require(options.most_edges >= 1, "most_edges must be at least 1", options.most_edges);
  const std::size_t r = relations, t = options.layers, d = D;
  std::size_t size = 0;
  const auto take = [&](std::size_t n) { return std::exchange(size, size + n); };
  at_ = {take(r * d),
         take(t * r * d),
         take(t * r * r * d),
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
void BellmanFordNetwork<Real, D>::send(const RelationalGraph& graph, const BellmanFordQuestion& question,
                                       std::size_t t, Trace& trace) const {
  auto& layer = trace.layers[t];
  const std::size_t n = layer.h.size();
  layer.priority.assign(n, 1);
  if (!options_.linear) {
    const Real* p = parameters_.data() + at_.p + t * D;
    const Real pq = parameters_[at_.pq + t * relations_ + question.relation];
    for (std::size_t x = 0; x < n; ++x) {
      const double a = static_cast<double>(inner<Real, D>(p, layer.h[x].data()) + pq);
      layer.priority[x] = static_cast<Real>(1 / (1 + exp(-a)));
    }
  }
  std::vector<std::uint32_t> kept(n);
  std::iota(kept.begin(), kept.end(), 0U);
  if (n > options_.width) {
    std::nth_element(kept.begin(), kept.begin() + options_.width, kept.end(), [&](auto a, auto b) {
      return layer.priority[a] != layer.priority[b] ? layer.priority[a] > layer.priority[b] : a < b;
    });
    kept.resize(options_.width);
    std::sort(kept.begin(), kept.end());
  }
  layer.edges.clear();
  for (const std::uint32_t x : kept) {
    const std::uint32_t entity = trace.reached[x];
    const auto edges = graph.from(entity);
    const std::size_t count = std::min<std::size_t>(edges.size(), options_.most_edges);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& edge = edges[i * edges.size() / count];
      if (question.hide && ((entity == question.head && edge.to == question.tail) ||
                            (entity == question.tail && edge.to == question.head)))
        continue;
      std::uint32_t& place = trace.place[edge.to];
      if (place == 0) {
        trace.reached.push_back(edge.to);
        place = static_cast<std::uint32_t>(trace.reached.size());
      }
      layer.edges.push_back({x, edge.relation, place - 1});
    }
  }
  spend(layer.edges.size() * D + trace.reached.size() * D * D * 2);
  layer.z.assign(trace.reached.size(), Row{});
  layer.h.resize(trace.reached.size(), Row{});
  const Real* e = parameters_.data() + at_.e + std::size_t{question.relation} * D;
  std::copy(e, e + D, layer.z[0].begin());
  const Real* shared = parameters_.data() + at_.shared + t * relations_ * D;
  const Real* own = parameters_.data() + at_.own + (t * relations_ + question.relation) * relations_ * D;
  for (const auto& edge : layer.edges) {
    const Real s = layer.priority[edge.from];
    const Real* const h = layer.h[edge.from].data();
    const Real *w = shared + std::size_t{edge.relation} * D, *v = own + std::size_t{edge.relation} * D;
    Real* const z = layer.z[edge.to].data();
    for (int i = 0; i < D; ++i) z[i] += s * h[i] * (w[i] + v[i]);
  }
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::update(std::size_t t, Trace& trace, std::vector<Row>& next) const {
  auto& layer = trace.layers[t];
  const std::size_t n = layer.h.size();
  const Real* const a = parameters_.data() + at_.a + t * D * D;
  const Real* const b = parameters_.data() + at_.b + t * D * D;
  const Real* const c = parameters_.data() + at_.c + t * D;
  const Real* const gain = parameters_.data() + at_.gain + t * D;
  const Real* const shift = parameters_.data() + at_.shift + t * D;
  layer.normal.resize(n);
  layer.deviation.resize(n);
  next.resize(n);
  Row ones;
  ones.fill(1);
  for (std::size_t v = 0; v < n; ++v) {
    Row u;
    std::copy(c, c + D, u.begin());
    add_product<Real, D>(u.data(), a, layer.h[v].data());
    add_product<Real, D>(u.data(), b, layer.z[v].data());
    const Real mean = inner<Real, D>(u.data(), ones.data()) / D;
    for (int i = 0; i < D; ++i) u[static_cast<std::size_t>(i)] -= mean;
    const Real variance = inner<Real, D>(u.data(), u.data()) / D;
    layer.deviation[v] = 1 / std::sqrt(variance + static_cast<Real>(epsilon));
    for (std::size_t i = 0; i < D; ++i) {
      const Real x = layer.normal[v][i] = u[i] * layer.deviation[v];
      const Real y = gain[i] * x + shift[i];
      next[v][i] = layer.h[v][i] + (y > 0 ? y : 0);
    }
  }
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
  trace.h.assign(1, Row{});
  std::copy(e, e + D, trace.h[0].begin());
  for (std::size_t t = 0; t < options_.layers; ++t) {
    trace.layers[t].h.assign(trace.h.begin(), trace.h.end());
    send(graph, question, t, trace);
    if (options_.linear)
      trace.h = trace.layers[t].z;
    else
      update(t, trace, trace.h);
  }
  const Real *m = parameters_.data() + at_.m, *o = parameters_.data() + at_.o;
  const Real* const mq = parameters_.data() + at_.mq + std::size_t{question.relation} * D;
  trace.hidden.resize(trace.h.size());
  trace.scores.resize(trace.h.size());
  for (std::size_t v = 0; v < trace.h.size(); ++v) {
    Row& hidden = trace.hidden[v];
    std::copy(mq, mq + D, hidden.begin());
    add_product<Real, D>(hidden.data(), m, trace.h[v].data());
    for (Real& x : hidden) x = x > 0 ? x : 0;
    trace.scores[v] = inner<Real, D>(o, hidden.data()) + parameters_[at_.o0];
  }
  trace.unreached = parameters_[at_.unreached + question.relation];
}

template <class Real, int D>
double BellmanFordNetwork<Real, D>::loss(const RelationalGraph& graph, const BellmanFordQuestion& question,
                                         std::span<const std::uint32_t> known, Trace& trace,
                                         std::span<Real> gradient) const {
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
  const double one = exp(static_cast<double>(trace.unreached) - top);
  const double rest = one * static_cast<double>(others);
  all += rest;
  const std::uint32_t place = trace.place[question.tail];
  const double right = static_cast<double>(place == 0 ? trace.unreached : trace.scores[place - 1]);
  if (!gradient.empty()) {
    require(gradient.size() == at_.size, "the gradient must be as long as the parameters");
    std::vector<Real> of_scores(n);
    for (std::size_t v = 0; v < n; ++v)
      of_scores[v] = static_cast<Real>(mass[v] / all - (v + 1 == place ? 1 : 0));
    gradient[at_.unreached + question.relation] += static_cast<Real>(rest / all - (place == 0 ? 1 : 0));
    backward(question, of_scores, trace, gradient);
  }
  return log(all) + top - right;
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::backward(const BellmanFordQuestion& question,
                                           const std::vector<Real>& of_scores, Trace& trace,
                                           std::span<Real> gradient) const {
  const Real* const parameters = parameters_.data();
  Real* const g = gradient.data();
  const std::size_t q = question.relation;
  std::vector<Row> dh(trace.h.size(), Row{}), dz;
  for (std::size_t v = 0; v < dh.size(); ++v) {
    add<Real, D>(g + at_.o, of_scores[v], trace.hidden[v].data());
    g[at_.o0] += of_scores[v];
    Row d;
    for (std::size_t i = 0; i < D; ++i)
      d[i] = trace.hidden[v][i] > 0 ? of_scores[v] * parameters[at_.o + i] : 0;
    add_outer<Real, D>(g + at_.m, d.data(), trace.h[v].data());
    add<Real, D>(g + at_.mq + q * D, 1, d.data());
    add_transposed<Real, D>(dh[v].data(), parameters + at_.m, d.data());
  }
  Row ones;
  ones.fill(1);
  for (std::size_t t = options_.layers; t-- > 0;) {
    const auto& layer = trace.layers[t];
    if (options_.linear) {
      dz = dh;
      for (Row& row : dh) row = Row{};
    } else {
      dz.assign(dh.size(), Row{});
      for (std::size_t v = 0; v < dh.size(); ++v) {
        Row dx;
        for (std::size_t i = 0; i < D; ++i) {
          const Real x = layer.normal[v][i], gain = parameters[at_.gain + t * D + i];
          const Real dy = gain * x + parameters[at_.shift + t * D + i] > 0 ? dh[v][i] : 0;
          g[at_.gain + t * D + i] += dy * x;
          g[at_.shift + t * D + i] += dy;
          dx[i] = dy * gain;
        }
        const Real mean = inner<Real, D>(dx.data(), ones.data()) / D;
        const Real along = inner<Real, D>(dx.data(), layer.normal[v].data()) / D;
        Row du;
        for (std::size_t i = 0; i < D; ++i)
          du[i] = layer.deviation[v] * (dx[i] - mean - layer.normal[v][i] * along);
        add_outer<Real, D>(g + at_.a + t * D * D, du.data(), layer.h[v].data());
        add_outer<Real, D>(g + at_.b + t * D * D, du.data(), layer.z[v].data());
        add<Real, D>(g + at_.c + t * D, 1, du.data());
        add_transposed<Real, D>(dh[v].data(), parameters + at_.a + t * D * D, du.data());
        add_transposed<Real, D>(dz[v].data(), parameters + at_.b + t * D * D, du.data());
      }
    }
    add<Real, D>(g + at_.e + q * D, 1, dz[0].data());
    std::vector<Real> ds(layer.priority.size(), 0);
    const std::size_t shared = at_.shared + t * relations_ * D;
    const std::size_t own = at_.own + (t * relations_ + q) * relations_ * D;
    for (const auto& edge : layer.edges) {
      const std::size_t r = std::size_t{edge.relation} * D;
      const Real s = layer.priority[edge.from];
      const Row &h = layer.h[edge.from], &d = dz[edge.to];
      Row product;
      for (std::size_t i = 0; i < D; ++i) {
        const Real w = parameters[shared + r + i] + parameters[own + r + i];
        const Real dw = s * d[i] * h[i];
        g[shared + r + i] += dw;
        g[own + r + i] += dw;
        dh[edge.from][i] += s * d[i] * w;
        product[i] = h[i] * w;
      }
      ds[edge.from] += inner<Real, D>(d.data(), product.data());
    }
    if (!options_.linear)
      for (std::size_t x = 0; x < ds.size(); ++x) {
        const Real s = layer.priority[x], d = ds[x] * s * (1 - s);
        if (d == 0) continue;
        add<Real, D>(g + at_.p + t * D, d, layer.h[x].data());
        g[at_.pq + t * relations_ + q] += d;
        add<Real, D>(dh[x].data(), d, parameters + at_.p + t * D);
      }
    dh.resize(t == 0 ? 1 : trace.layers[t - 1].h.size());
  }
  add<Real, D>(g + at_.e + q * D, 1, dh[0].data());
}

template class BellmanFordNetwork<float, 32>;
template class BellmanFordNetwork<double, 4>;

}  // namespace engram::core
