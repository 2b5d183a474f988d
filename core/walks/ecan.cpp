// SPDX-License-Identifier: MIT
#include "core/walks/ecan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

// A' row by row: who goes from i to where.
SparseRows lazy_walk(const SparseRows& links, double spread) {
  SparseRows walk(links.columns());
  std::vector<double> shares, values;
  std::vector<std::uint32_t> columns;
  for (Index i = 0; i < links.rows(); ++i) {
    set_shares(links, i, shares);
    const double stays = sum(shares) > 0 ? 1 - spread : 1.0;
    const auto self = static_cast<std::uint32_t>(i);
    columns.assign(links.columns_of(i).begin(), links.columns_of(i).end());
    values.clear();
    for (const double share : shares) values.push_back((1 - stays) * share);
    const auto place = std::lower_bound(columns.begin(), columns.end(), self) - columns.begin();
    if (static_cast<std::size_t>(place) < columns.size() &&
        columns[static_cast<std::size_t>(place)] == self) {
      values[static_cast<std::size_t>(place)] += stays;
    } else {
      columns.insert(columns.begin() + place, self);
      values.insert(values.begin() + place, stays);
    }
    walk.push_row(columns, values);
  }
  return walk;
}

void require_linear(const SparseRows& links, const Vector& cue, double rent, double spread) {
  require_size("columns of links", links.columns(), links.rows());
  require_size("cue", cue.size(), links.rows());
  require(rent > 0 && rent <= 1, "the rent must be in (0, 1]", rent);
  require(spread >= 0 && spread <= 1, "the spread must be in [0, 1]", spread);
  const double total = sum(cue);
  require(total > 0 && std::isfinite(total) && (cue.array() >= 0).all(), "a cue needs a positive sum");
}

}  // namespace

double BankPolicy::wage(double wage, double funds) const {
  return wage + wage * std::clamp((funds - target) / buffer, -1.0, 1.0);
}
double logarithmic_rent(double s, double recent_max, double rate) {
  if (!(s > 0)) return 0;
  return std::clamp(0.5 * rate * log(20 * s / recent_max), 0.0, s);
}

Ecan::Ecan(SparseRows strengths, double funds, double recent_max, const EcanOptions& options)
    : options_(options),
      strengths_(std::move(strengths)),
      sti_(Vector::Zero(strengths_.rows())),
      funds_(funds),
      recent_max_(recent_max) {
  require_size("columns of strengths", strengths_.columns(), strengths_.rows());
  for (Index i = 0; i < strengths_.rows(); ++i)
    for (const double c : strengths_.values_of(i))
      require(c >= 0 && c <= 1, "strengths must be in [0, 1]", c);
  require(funds > 0 && std::isfinite(funds), "a bank needs funds");
  require_positive("the recent maximum", recent_max);
  require(options.rent >= 0 && std::isfinite(options.rent), "the rent must be finite and not negative",
          options.rent);
  require(options.conjunction >= 0 && options.conjunction <= 1, "the conjunction's share must be in [0, 1]",
          options.conjunction);
  require(options.max_spread >= 0 && options.max_spread <= 1, "the spread must be in [0, 1]",
          options.max_spread);
}

void Ecan::stimulate(Index concept_index, double amount) {
  require(concept_index >= 0 && concept_index < sti_.size(), "there is no such concept");
  require(std::isfinite(amount), "an amount must be finite", amount);
  sti_[concept_index] += amount;
  funds_ -= amount;
}

std::vector<bool> Ecan::in_focus() const {
  const auto n = static_cast<std::size_t>(sti_.size());
  if (options_.focus == 0 || options_.focus >= n) return std::vector<bool>(n, true);
  std::vector<Index> richest(n);
  std::iota(richest.begin(), richest.end(), Index{0});
  std::stable_sort(richest.begin(), richest.end(), [&](Index a, Index b) { return sti_[a] > sti_[b]; });
  std::vector<bool> focus(n, false);
  for (std::size_t k = 0; k < options_.focus; ++k) focus[static_cast<std::size_t>(richest[k])] = true;
  return focus;
}

void Ecan::cycle() {
  if (sti_.size() == 0) return;
  spend(8 * strengths_.entries() + 64 * static_cast<std::uint64_t>(sti_.size()));
  for (double& s : sti_) {
    const double rent = logarithmic_rent(s, recent_max_, options_.rent);
    s -= rent;
    funds_ += rent;
  }
  const std::vector<bool> focus = in_focus();
  for (Index i = 0; i < sti_.size(); ++i)
    for (std::size_t k = 0; k < strengths_.columns_of(i).size(); ++k) {
      const auto j = strengths_.columns_of(i)[k];
      const double conj = std::min((sti_[i] / recent_max_) * (sti_[j] / recent_max_), 1.0);
      double& c = strengths_.values_of(i)[k];
      if (focus[static_cast<std::size_t>(i)] && focus[j] && conj >= 0)
        c = std::min(options_.conjunction * conj + (1 - conj) * c, 1.0);
    }
  const double poorest = *std::min_element(sti_.begin(), sti_.end());
  Vector next = sti_;
  for (Index i = 0; i < sti_.size(); ++i) {
    const double given = sum(strengths_.values_of(i));
    if (!focus[static_cast<std::size_t>(i)] || !(given > 0)) continue;
    const double scale = std::min(1.0, options_.max_spread / given) * (sti_[i] - poorest);
    for (std::size_t k = 0; k < strengths_.columns_of(i).size(); ++k) {
      const double amount = scale * strengths_.values_of(i)[k];
      next[strengths_.columns_of(i)[k]] += amount;
      next[i] -= amount;
    }
  }
  sti_ = std::move(next);
  recent_max_ = std::max(*std::max_element(sti_.begin(), sti_.end()), 1.0);
}

LinearEcan linear_ecan(const SparseRows& links, const Vector& cue, double rent, double spread) {
  require_linear(links, cue, rent, spread);
  const SparseRows walk = lazy_walk(links, spread);
  constexpr double error = 1e-14;
  const PageRank rank =
      personalized_page_rank(walk, cue, 1 - rent, error * rent, page_rank_steps_needed(1 - rent, error) + 1);
  return {walk.multiply_transposed(rank.rank), rank.iterations, rank.converged};
}

}  // namespace engram::core
