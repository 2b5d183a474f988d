// SPDX-License-Identifier: MIT
#include "core/walks/page_rank.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

SparseRows transitions_of(const SparseRows& links) {
  SparseRows transitions = links;
  for (Index i = 0; i < links.rows(); ++i) normalise_shares(transitions.values_of(i));
  return transitions;
}

// The iteration r <- (1-d) v + d P' r, starting at v.
class Walk {
 public:
  Walk(const SparseRows& links, const Vector& restart, double damping) : damping_(damping) {
    require_size("columns of links", links.columns(), links.rows());
    require_size("restart", restart.size(), links.rows());
    require(damping >= 0 && damping < 1, "damping must be in [0, 1)", damping);
    const double total = sum(restart);
    require(total > 0 && std::isfinite(total), "restart needs a positive sum");
    require((restart.array() >= 0).all(), "restart must not be negative");
    transitions_ = transitions_of(links);
    restart_ = restart / total;
    rank_ = restart_;
  }

  // Makes one step. Returns  the L1 norm of the change
  double step() {
    const Vector spread = transitions_.multiply_transposed(rank_);
    // The mass of dangling nodes returns to v, so the sum stays 1.
    const double back = 1.0 - damping_ * sum(spread);
    double change = 0;
    for (Index i = 0; i < rank_.size(); ++i) {
      const double next = back * restart_[i] + damping_ * spread[i];
      change += std::abs(next - rank_[i]);
      rank_[i] = next;
    }
    return change;
  }

  const Vector& rank() const { return rank_; }

 private:
  double damping_;
  SparseRows transitions_;
  Vector restart_, rank_;
};

}  // namespace

double positive_sum(const SparseVector& v, const char* message) {
  bool is_positive = true;
  v.each([&](std::uint32_t, double x) { is_positive = is_positive && x > 0; });
  const double total = sum(v);
  require(total > 0 && std::isfinite(total) && is_positive, message);
  return total;
}

void set_shares(const SparseRows& links, Index i, std::vector<double>& shares) {
  const auto row = links.values_of(i);
  shares.assign(row.begin(), row.end());
  normalise_shares(shares);
}

void normalise_shares(std::span<double> shares) {
  double degree = sum(shares);
  if (std::isinf(degree)) {
    for (double& weight : shares) weight *= 0x1p-64;
    degree = sum(shares);
  }
  if (degree > 0)  // divides, because 1/degree overflows for almost forgotten links
    for (double& weight : shares) weight /= degree;
  else
    std::ranges::fill(shares, 0.0);
}

PageRank personalized_page_rank(const SparseRows& links, const Vector& restart, double damping,
                                double tolerance, int max_steps) {
  Walk walk(links, restart, damping);
  PageRank result;
  while (result.iterations < max_steps && !result.converged) {
    result.converged = walk.step() <= tolerance;
    ++result.iterations;
  }
  result.rank = walk.rank();
  return result;
}

Matrix page_rank_steps(const SparseRows& links, const Vector& restart, double damping, int steps) {
  require(steps >= 0, "the number of steps must not be negative", steps);
  Walk walk(links, restart, damping);
  Matrix iterates(steps, restart.size());
  for (int t = 0; t < steps; ++t) {
    walk.step();
    iterates.row(t) = walk.rank().transpose();
  }
  return iterates;
}

int page_rank_steps_needed(double damping, double error) {
  require(damping >= 0 && damping < 1, "damping must be in [0, 1)", damping);
  require(error > 0 && error < 2, "the error must be in (0, 2)", error);
  if (damping == 0) return 1;
  return static_cast<int>(std::ceil(std::min(log(error / 2) / log(damping), 2e9)));  // 2 d^t <= error
}

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
                         const LinkPrefetch& prefetch) {
  const double d = options.passed_on;
  require(d >= 0 && d < 1, "the share that is passed on must be in [0, 1)", d);
  require(options.threshold >= 0 && options.max_steps >= 0, "threshold and steps must not be negative");
  const SparseVector v = cue / positive_sum(cue, "a cue needs a positive sum");

  Spread result;
  SparseSums activation, fired_sum;
  auto now = std::make_unique<SparseSums>();
  v.each([&](std::uint32_t i, double x) { now->add(i, x); });
  std::vector<double> shares;
  for (; result.steps < options.max_steps && !now->empty(); ++result.steps) {
    auto next = std::make_unique<SparseSums>();
    double back = 0;
    const auto pulses = now->ascending();  // fixes the order of the sums
    if (prefetch) {
      std::vector<std::uint32_t> firing;
      for (const auto& [i, x] : pulses)
        if (x >= options.threshold) firing.push_back(i);
      prefetch(firing);
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

namespace {

class ForwardPush {
 public:
  ForwardPush(const LinkRows& links, const LinkCounts& counts, double damping, double threshold)
      : links_(links), counts_(counts), damping_(damping), threshold_(threshold) {}

  PushedRank from(const SparseVector& v) {
    const double total = positive_sum(v, "a walk needs a start of positive sum");
    PushedRank result;
    v.each([&](std::uint32_t i, double x) { add(number_of(i), x); });
    while (!due_.empty()) {
      ++result.waves;
      if (const double back = push_due(); back > 0)
        v.each([&](std::uint32_t i, double x) { add(number_of(i), back * (x / total)); });
    }
    std::vector<SparseVector::Entry> rank, residual;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (nodes_[k].rank > 0) rank.emplace_back(numbers_.ids()[k], nodes_[k].rank);
      if (nodes_[k].residual > 0) residual.emplace_back(numbers_.ids()[k], nodes_[k].residual);
    }
    std::ranges::sort(rank);
    std::ranges::sort(residual);
    result.rank = {v.size(), std::move(rank)};
    result.residual = {v.size(), std::move(residual)};
    result.missing = sum(result.residual);
    return result;
  }

 private:
  struct Node {
    double residual = 0, rank = 0;
    double least = 0;  // residual from which the node is due
    bool is_due = false, has_row = false;
    std::vector<std::pair<std::uint32_t, double>>
        shares;  // numbers of neighbours with transition probabilities
  };

  std::uint32_t number_of(std::uint32_t id) {
    const auto [number, is_new] = numbers_.insert(id);
    if (is_new) nodes_.emplace_back().least = push_threshold(counts_, id, threshold_);
    return number;
  }

  void add(std::uint32_t number, double x) {
    Node& node = nodes_[number];
    node.residual += x;
    if (node.is_due || node.residual < node.least) return;
    node.is_due = true;
    due_.push_back(number);
  }

  // Pushes all due nodes once. Returns  the mass that nodes without links pass back to the start
  double push_due() {
    std::vector<std::uint32_t> now = std::exchange(due_, {});
    std::ranges::sort(now, {}, [&](std::uint32_t number) { return numbers_.ids()[number]; });
    std::vector<double> pushed;
    for (const std::uint32_t number : now) {
      Node& node = nodes_[number];
      node.is_due = false;
      pushed.push_back(std::exchange(node.residual, 0.0));
      node.rank += (1 - damping_) * pushed.back();
      if (!std::exchange(node.has_row, true)) read_row(number);
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

  void read_row(std::uint32_t number) {
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
  std::vector<Node> nodes_;         // indexed by number
  std::vector<std::uint32_t> due_;  // numbers
  std::list<Reservation> claims_;
};

}  // namespace

double push_threshold(const LinkCounts& counts, Index node, double threshold) {
  return threshold * static_cast<double>(std::max(counts(node), std::size_t{1}));
}

PushedRank push_rank(const LinkRows& links, const LinkCounts& counts, const SparseVector& v, double damping,
                     double threshold) {
  require(damping >= 0 && damping < 1, "damping must be in [0, 1)", damping);
  require_positive("the threshold", threshold);
  return ForwardPush(links, counts, damping, threshold).from(v);
}

}  // namespace engram::core
