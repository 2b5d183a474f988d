// SPDX-License-Identifier: MIT
#include "core/walks/spreading_activation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_sums.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {

LinkRows rows_of(const SparseRows& links) {
  return [&links](Index node) {
    std::vector<SparseVector::Entry> row;
    for (std::size_t k = 0; k < links.columns_of(node).size(); ++k)
      row.emplace_back(links.columns_of(node)[k], links.values_of(node)[k]);
    return row;
  };
}

Spread spread_activation(const SparseRows& links, const SparseVector& cue, const SpreadingOptions& options) {
  require_size("columns of links", links.columns(), links.rows());
  require_size("cue", cue.size(), links.rows());
  return spread_activation(rows_of(links), cue, options);
}

Spread spread_activation(const LinkRows& links, const SparseVector& cue, const SpreadingOptions& options,
                         const LinksToCome& expect) {
  const double d = options.passed_on;
  require(d >= 0 && d < 1, "the share that is passed on must be in [0, 1)", d);
  require(options.threshold >= 0 && options.max_steps >= 0, "threshold and steps must not be negative");
  bool is_positive = true;
  cue.each([&](std::uint32_t, double x) { is_positive = is_positive && x > 0; });
  const double total = sum(cue);
  require(total > 0 && std::isfinite(total) && is_positive, "a cue needs a positive sum");
  const SparseVector v = cue / total;

  Spread result;
  SparseSums activation, fired_sum;
  auto now = std::make_unique<SparseSums>();
  v.each([&](std::uint32_t i, double x) { now->add(i, x); });
  std::vector<double> shares;
  for (; result.steps < options.max_steps && !now->empty(); ++result.steps) {
    auto next = std::make_unique<SparseSums>();
    double back = 0;
    const auto pulses = now->ascending();  // so that sums are taken in one order
    if (expect) {
      std::vector<std::uint32_t> firing;
      for (const auto& [i, x] : pulses)
        if (x >= options.threshold) firing.push_back(i);
      expect(firing);
    }
    for (const auto& [i, x] : pulses) {
      const bool fires = x >= options.threshold;
      activation.add(i, fires ? (1 - d) * x : x);
      if (!fires) continue;
      ++result.fired;
      fired_sum.add(i, x);
      const std::vector<SparseVector::Entry> row = links(i);
      shares.clear();
      for (const auto& [j, weight] : row) shares.push_back(weight);
      normalise_shares(shares);
      charge(4 * shares.size() + 32);
      if (!(sum(shares) > 0)) back += d * x;
      for (std::size_t k = 0; k < shares.size(); ++k)
        if (const double passed = d * x * shares[k]; passed > 0) next->add(row[k].first, passed);
    }
    if (back > 0)
      v.each([&](std::uint32_t i, double x) {
        if (const double passed = back * x; passed > 0) next->add(i, passed);
      });
    now = std::move(next);
  }
  for (const auto& [i, x] : now->ascending()) activation.add(i, x);
  result.converged = now->empty();
  result.activation = {cue.size(), activation.ascending()};
  result.fired_sum = {cue.size(), fired_sum.ascending()};
  return result;
}

}  // namespace engram::core
