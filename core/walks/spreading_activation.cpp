// SPDX-License-Identifier: MIT
#include "core/walks/spreading_activation.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

// Pulses on their way, each node once.
struct Front {
  explicit Front(Index n) : pulse(Vector::Zero(n)) {}
  void add(Index node, double x) {
    if (pulse[node] == 0 && x > 0) nodes.push_back(node);
    pulse[node] += x;
  }
  Vector pulse;
  std::vector<Index> nodes;
};

}  // namespace

Spread spread_activation(const SparseRows& links, const Vector& cue, const SpreadingOptions& options) {
  const double d = options.passed_on;
  require_size("columns of links", links.columns(), links.rows());
  require_size("cue", cue.size(), links.rows());
  require(d >= 0 && d < 1, "the share that is passed on must be in [0, 1)", d);
  require(options.threshold >= 0 && options.max_steps >= 0, "threshold and steps must not be negative");
  const double total = sum(cue);
  require(total > 0 && std::isfinite(total) && (cue.array() >= 0).all(), "a cue needs a positive sum");
  const Vector v = cue / total;
  std::vector<Index> cued;
  for (Index i = 0; i < v.size(); ++i)
    if (v[i] > 0) cued.push_back(i);

  Spread result{Vector::Zero(cue.size())};
  result.fired_sum = result.activation;
  Front now(cue.size()), next(cue.size());
  for (const Index i : cued) now.add(i, v[i]);
  std::vector<double> shares;
  for (; result.steps < options.max_steps && !now.nodes.empty(); ++result.steps) {
    std::sort(now.nodes.begin(), now.nodes.end());  // so that sums are taken in one order
    double back = 0;
    for (const Index i : now.nodes) {
      const double x = now.pulse[i];
      now.pulse[i] = 0;
      const bool fires = x >= options.threshold;
      result.activation[i] += fires ? (1 - d) * x : x;
      if (!fires) continue;
      ++result.fired;
      result.fired_sum[i] += x;
      set_shares(links, i, shares);
      spend(4 * shares.size() + 32);
      if (!(sum(shares) > 0)) back += d * x;
      for (std::size_t k = 0; k < shares.size(); ++k)
        if (const double passed = d * x * shares[k]; passed > 0) next.add(links.columns_of(i)[k], passed);
    }
    if (back > 0)
      for (const Index i : cued) next.add(i, back * v[i]);
    now.nodes.clear();
    std::swap(now, next);
  }
  for (const Index i : now.nodes) result.activation[i] += now.pulse[i];
  result.converged = now.nodes.empty();
  return result;
}

}  // namespace engram::core
