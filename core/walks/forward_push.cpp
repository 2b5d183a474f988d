// SPDX-License-Identifier: MIT
#include "core/walks/forward_push.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <utility>
#include <vector>

#include "core/numbers/id_numbers.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_sums.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

double positive_sum(const SparseVector& v) {
  bool is_positive = true;
  v.each([&](std::uint32_t, double x) { is_positive = is_positive && x > 0; });
  const double total = sum(v);
  require(total > 0 && std::isfinite(total) && is_positive, "a walk needs a start of positive sum");
  return total;
}

double least_of(const LinkCounts& counts, Index node, double threshold) {
  return threshold * static_cast<double>(std::max(counts(node), std::size_t{1}));
}

class Pushing {
 public:
  Pushing(const LinkRows& links, const LinkCounts& counts, double damping, double threshold)
      : links_(links), counts_(counts), damping_(damping), threshold_(threshold) {}

  PushedRank from(const SparseVector& v) {
    const double total = positive_sum(v);
    PushedRank result;
    v.each([&](std::uint32_t i, double x) { add(number_of(i), x); });
    while (!due_.empty()) {
      ++result.waves;
      if (const double back = push_due(); back > 0)
        v.each([&](std::uint32_t i, double x) { add(number_of(i), back * (x / total)); });
    }
    std::vector<SparseVector::Entry> rank, waits;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (nodes_[k].rank > 0) rank.emplace_back(numbers_.ids()[k], nodes_[k].rank);
      if (nodes_[k].waits > 0) waits.emplace_back(numbers_.ids()[k], nodes_[k].waits);
    }
    std::ranges::sort(rank);
    std::ranges::sort(waits);
    result.rank = {v.size(), std::move(rank)};
    result.waits = {v.size(), std::move(waits)};
    result.left = sum(result.waits);
    return result;
  }

 private:
  struct Node {
    double waits = 0, rank = 0, least = 0;
    bool is_due = false, has_row = false;
    std::vector<std::pair<std::uint32_t, double>> shares;  // by number
  };

  std::uint32_t number_of(std::uint32_t id) {
    const auto [number, is_new] = numbers_.insert(id);
    if (is_new) nodes_.emplace_back().least = least_of(counts_, id, threshold_);
    return number;
  }

  void add(std::uint32_t number, double x) {
    Node& node = nodes_[number];
    node.waits += x;
    if (node.is_due || node.waits < node.least) return;
    node.is_due = true;
    due_.push_back(number);
  }

  // One wave; what goes back to the start.
  double push_due() {
    std::vector<std::uint32_t> now = std::exchange(due_, {});
    std::ranges::sort(now, {}, [&](std::uint32_t number) { return numbers_.ids()[number]; });
    std::vector<double> pushed;
    for (const std::uint32_t number : now) {
      Node& node = nodes_[number];
      node.is_due = false;
      pushed.push_back(std::exchange(node.waits, 0.0));
      node.rank += (1 - damping_) * pushed.back();
      if (!std::exchange(node.has_row, true)) take_row(number);
    }
    double back = 0;
    for (std::size_t k = 0; k < now.size(); ++k) {
      const double on = damping_ * pushed[k];
      const auto& shares = nodes_[now[k]].shares;
      charge(4 * shares.size() + 32);
      if (shares.empty()) back += on;
      for (const auto& [to, share] : shares) add(to, on * share);
    }
    return back;
  }

  void take_row(std::uint32_t number) {
    const std::vector<SparseVector::Entry> row = links_(numbers_.ids()[number]);
    claims_.emplace_back(row.size() * (sizeof(std::pair<std::uint32_t, double>) + 2 * sizeof(Node)));
    std::vector<double> shares;
    for (const auto& [j, weight] : row) shares.push_back(weight);
    normalise_shares(shares);
    std::vector<std::pair<std::uint32_t, double>> numbered;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (shares[k] > 0) numbered.emplace_back(number_of(row[k].first), shares[k]);
    nodes_[number].shares = std::move(numbered);
  }

  const LinkRows& links_;
  const LinkCounts& counts_;
  double damping_, threshold_;
  IdNumbers numbers_;
  std::vector<Node> nodes_;         // by number
  std::vector<std::uint32_t> due_;  // numbers
  std::list<Reservation> claims_;
};

}  // namespace

PushedRank push_rank(const LinkRows& links, const LinkCounts& counts, const SparseVector& v, double damping,
                     double threshold) {
  require(damping >= 0 && damping < 1, "damping must be in [0, 1)", damping);
  require_positive("the threshold", threshold);
  return Pushing(links, counts, damping, threshold).from(v);
}

// The walk of linear_ecan begins a step on from v.
PushedEcan push_linear_ecan(const LinkRows& links, const LinkCounts& counts, const SparseVector& v,
                            double rent, double spread, double threshold) {
  require(rent > 0 && rent <= 1, "the rent must be in (0, 1]", rent);
  require(spread >= 0 && spread <= 1, "the spread must be in [0, 1]", spread);
  require_positive("the threshold", threshold);
  positive_sum(v);
  const LinkRows lazy = [&](Index i) { return lazy_row(links(i), i, spread); };
  const LinkCounts more = [&](Index i) { return counts(i) + 1; };
  SparseSums begun;
  std::vector<SparseVector::Entry> paid;
  double unpaid = 0;
  v.each([&](std::uint32_t i, double x) {
    if (x < least_of(more, i, threshold)) {
      unpaid += x;
      return;
    }
    paid.emplace_back(i, x);
    const auto row = lazy(i);
    charge(8 * row.size());
    for (const auto& [j, share] : row)
      if (share > 0) begun.add(j, x * share);
  });
  PushedEcan result;
  result.paid = {v.size(), std::move(paid)};
  result.rank.rank = result.rank.waits = SparseVector::zero(v.size());
  if (!begun.empty()) result.rank = push_rank(lazy, more, {v.size(), begun.ascending()}, 1 - rent, threshold);
  result.rank.left += unpaid;
  return result;
}

}  // namespace engram::core
