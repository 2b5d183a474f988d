// SPDX-License-Identifier: MIT
// The loss of a Bellman-Ford network, and the way back to its gradient.
#include <algorithm>
#include <cmath>

#include "core/links/bellman_ford_network.hpp"
#include "core/links/vector_rows.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {

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
    require(gradient.size() == at_.size, "the gradient must be as long as the parameters");
    require(!options_.linear, "the linear case is to be looked at, not learnt");
    std::vector<Real> of_scores(n, 0);
    double passed = sampling.offset * sampling.least;
    for (std::size_t v = 0; v < n; ++v) {
      const double share = mass[v] / all;
      if (v + 1 == place) {
        of_scores[v] = static_cast<Real>(share - 1);
      } else if (share >= sampling.least) {
        of_scores[v] = static_cast<Real>(share);
      } else if ((passed += share) >= sampling.least) {
        passed -= sampling.least;
        of_scores[v] = static_cast<Real>(sampling.least);
      }
    }
    gradient[at_.unreached + question.relation] += static_cast<Real>(rest / all - (place == 0 ? 1 : 0));
    backward(question, of_scores, trace, gradient);
  }
  return log(all) + top - right;
}

template <class Real, int D>
void BellmanFordNetwork<Real, D>::backward(const BellmanFordQuestion& question,
                                           const std::vector<Real>& of_scores, const Trace& trace,
                                           std::span<Real> gradient) const {
  using Rows = VectorRows<Real, D>;
  const Real* const parameters = parameters_.data();
  Real* const g = gradient.data();
  const std::size_t q = question.relation;
  std::vector<Row> dh(trace.h.size(), Row{});
  std::vector<char> walked(trace.h.size(), 0);  // places whose dh is not 0
  std::vector<Row> d, du, dz;                   // of some places, one after the other
  std::vector<std::uint32_t> places, slots, numbers;
  const auto count_up = [&](std::size_t n) {
    while (numbers.size() < n) numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
    return std::span<const std::uint32_t>(numbers.data(), n);
  };
  for (std::uint32_t v = 0; v < dh.size(); ++v) {
    if (of_scores[v] == 0) continue;
    Rows::add(g + at_.o, of_scores[v], trace.hidden[v].data());
    g[at_.o0] += of_scores[v];
    Row& row = d.emplace_back();
    for (std::size_t i = 0; i < D; ++i)
      row[i] = trace.hidden[v][i] > 0 ? of_scores[v] * parameters[at_.o + i] : 0;
    Rows::add(g + at_.mq + q * D, 1, row.data());
    places.push_back(v);
    walked[v] = 1;
  }
  Rows::add_outer(g + at_.m, d, count_up(d.size()), trace.h, places);
  Rows::add_products(Rows::transposed(parameters + at_.m).data(), dh, places, d, count_up(d.size()));
  Row ones;
  ones.fill(1);
  std::vector<char> passed;  // by slot: dz is not 0
  std::vector<Real> ds;      // of those kept
  std::vector<Row> dw;       // of relations
  for (std::size_t t = options_.layers; t-- > 0;) {
    const auto& layer = trace.layers[t];
    const std::size_t n = layer.sent.size();
    passed.assign(n, 0);
    slots.clear();
    places.clear();
    du.clear();
    for (std::uint32_t v = 0; v < n; ++v) {
      if (walked[layer.sent[v]] == 0) continue;
      const Row &of_h = dh[layer.sent[v]], &normal = layer.normal[v];
      Row dx;
      for (std::size_t i = 0; i < D; ++i) {
        const Real x = normal[i], gain = parameters[at_.gain + t * D + i];
        const Real dy = gain * x + parameters[at_.shift + t * D + i] > 0 ? of_h[i] : 0;
        g[at_.gain + t * D + i] += dy * x;
        g[at_.shift + t * D + i] += dy;
        dx[i] = dy * gain;
      }
      const Real mean = Rows::inner(dx.data(), ones.data()) / D;
      const Real along = Rows::inner(dx.data(), normal.data()) / D;
      Row& row = du.emplace_back();
      for (std::size_t i = 0; i < D; ++i) row[i] = layer.deviation[v] * (dx[i] - mean - normal[i] * along);
      Rows::add(g + at_.c + t * D, 1, row.data());
      slots.push_back(v);
      places.push_back(layer.sent[v]);
      passed[v] = 1;
    }
    const auto each = count_up(du.size());
    Rows::add_outer(g + at_.a + t * D * D, du, each, layer.h, places);
    Rows::add_outer(g + at_.b + t * D * D, du, each, layer.z, slots);
    dz.assign(n, Row{});
    Rows::add_products(Rows::transposed(parameters + at_.a + t * D * D).data(), dh, places, du, each);
    Rows::add_products(Rows::transposed(parameters + at_.b + t * D * D).data(), dz, slots, du, each);
    if (passed[0] != 0) Rows::add(g + at_.e + q * D, 1, dz[0].data());
    ds.assign(layer.kept.size(), 0);
    dw.assign(relations_, Row{});
    const std::vector<Row> weights = edge_weights(t, q);
    for (const auto& edge : layer.edges) {
      if (passed[edge.to] == 0) continue;
      const std::uint32_t from = layer.kept[edge.from];
      const Real s = layer.priority[edge.from];
      const Row &h = layer.h[from], &dz_to = dz[edge.to], &w = weights[edge.relation];
      Row &of_h = dh[from], &of_w = dw[edge.relation], product;
      for (std::size_t i = 0; i < D; ++i) {
        of_w[i] += s * dz_to[i] * h[i];
        of_h[i] += s * dz_to[i] * w[i];
        product[i] = h[i] * w[i];
      }
      ds[edge.from] += Rows::inner(dz_to.data(), product.data());
      walked[from] = 1;
    }
    for (std::size_t r = 0; r < relations_; ++r) {
      Rows::add(g + shared_at(t) + r * D, 1, dw[r].data());
      if (options_.dependent) Rows::add(g + own_at(t, q) + r * D, 1, dw[r].data());
    }
    for (std::size_t k = 0; k < ds.size(); ++k) {
      const Real s = layer.priority[k], of_logit = ds[k] * s * (1 - s);
      if (of_logit == 0) continue;
      const std::uint32_t x = layer.kept[k];
      Rows::add(g + at_.p + t * D, of_logit, layer.h[x].data());
      g[at_.pq + t * relations_ + q] += of_logit;
      Rows::add(dh[x].data(), of_logit, parameters + at_.p + t * D);
    }
  }
  if (walked[0] != 0) Rows::add(g + at_.e + q * D, 1, dh[0].data());
}

template double BellmanFordNetwork<float, 32>::loss(const RelationalGraph&, const BellmanFordQuestion&,
                                                    std::span<const std::uint32_t>, Trace&, std::span<float>,
                                                    const Sampling&) const;
template double BellmanFordNetwork<double, 4>::loss(const RelationalGraph&, const BellmanFordQuestion&,
                                                    std::span<const std::uint32_t>, Trace&, std::span<double>,
                                                    const Sampling&) const;

}  // namespace engram::core
