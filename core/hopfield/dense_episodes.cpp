// SPDX-License-Identifier: MIT
#include "core/hopfield/dense_episodes.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr double relative_noise = 1e-12;  // chosen, as for dense memories of spins

class Episodes {
 public:
  Episodes(const SparseRows& episodes, const Vector& weights, const Vector& cue,
           const DenseEpisodesOptions& options)
      : options_(options), weights_(weights / sum(weights)), by_unit_(episodes.transposed()) {
    active_.assign(static_cast<std::size_t>(cue.size()), false);
    overlaps_.assign(static_cast<std::size_t>(weights.size()), 0);
    for (Index i = 0; i < cue.size(); ++i)
      if (cue[i] > 0 && !by_unit_.columns_of(i).empty()) flip(i);
  }

  void flip(Index unit) {
    const int step = active_[static_cast<std::size_t>(unit)] ? -1 : 1;
    charge(overlaps_.size());
    active_[static_cast<std::size_t>(unit)] = step > 0;
    for (int& r : overlaps_) r -= step;
    for (const std::uint32_t k : by_unit_.columns_of(unit)) overlaps_[k] += 2 * step;
  }

  // F is taken relative to e^(beta top) where it is an exponential; no overlap, nor one that a flip gives, is
  // above top.
  void refresh() {
    top_ = *std::ranges::max_element(overlaps_) + 1;
    const Index count = weights_.size();
    charge(64 * static_cast<std::uint64_t>(count));
    Vector here(count);
    more_.resize(count);
    less_.resize(count);
    for (Index k = 0; k < count; ++k) {
      const int r = overlaps_[static_cast<std::size_t>(k)];
      here[k] = weights_[k] * value(r);
      more_[k] = weights_[k] * value(r + 1);
      less_[k] = weights_[k] * value(r - 1);
    }
    here_ = sum(here);
    all_more_ = sum(more_);
    all_less_ = sum(less_);
  }

  // What sum_k d_k F(r_k) is once unit i is flipped: from its episodes a unit that becomes silent takes 1,
  // and to the others it gives 1.
  double after(Index i) const {
    const bool is_active = active_[static_cast<std::size_t>(i)];
    const Vector& own = is_active ? less_ : more_;
    const Vector& others = is_active ? more_ : less_;
    double total = is_active ? all_more_ : all_less_;
    for (const std::uint32_t k : by_unit_.columns_of(i)) total += own[k] - others[k];
    return std::max(total, 0.0);
  }

  // The unit whose flip lowers the energy most; none: -1.
  Index steepest() const {
    Index best = -1;
    charge(2 * by_unit_.entries() + 8 * active_.size());
    double highest = here_;
    // So that what is equal is taken for equal, and the first of equals for the best.
    const double differs = relative_noise * (here_ + std::max(all_more_, all_less_));
    for (Index i = 0; i < by_unit_.rows(); ++i) {
      if (by_unit_.columns_of(i).empty()) continue;
      const double total = after(i);
      if (!(total - highest > differs)) continue;
      best = i;
      highest = total;
    }
    return best;
  }

  double energy() const { return energy_of(here_); }
  double cost(Index i) const { return std::max(energy_of(after(i)) - energy(), 0.0); }
  std::vector<std::uint32_t> active() const {
    std::vector<std::uint32_t> units;
    for (std::size_t i = 0; i < active_.size(); ++i)
      if (active_[i]) units.push_back(static_cast<std::uint32_t>(i));
    return units;
  }

 private:
  bool is_exponential() const { return options_.separation == EpisodeSeparation::exponential; }
  double value(int r) const {
    if (is_exponential()) return exp(options_.beta * static_cast<double>(r - top_));
    return r > 0 ? power(static_cast<double>(r), options_.n) : 0.0;
  }
  double energy_of(double total) const {
    // The smallest double, where all of a sum is below it, keeps the energy finite.
    if (!is_exponential()) return -total;
    return -(log(std::max(total, 1e-300)) / options_.beta + static_cast<double>(top_));
  }

  const DenseEpisodesOptions& options_;
  Vector weights_;
  SparseRows by_unit_;
  std::vector<bool> active_;
  std::vector<int> overlaps_;
  int top_ = 0;
  Vector more_, less_;  // d_k F(r_k + 1), d_k F(r_k - 1)
  double here_ = 0, all_more_ = 0, all_less_ = 0;
};

void require_memory(const SparseRows& episodes, const Vector& weights, const Vector& cue,
                    const DenseEpisodesOptions& options) {
  require_size("weights", weights.size(), episodes.rows());
  require_size("cue", cue.size(), episodes.columns());
  for (const double d : weights)
    require(d >= 0 && std::isfinite(d), "weights must be finite and not negative", d);
  const double total = sum(weights);
  require_positive("the sum of the weights", total);
  require(options.n >= 1 && options.n <= 30, "n must be in [1, 30]", options.n);
  require(options.beta > 0 && options.beta <= 100, "beta must be in (0, 100]", options.beta);
  require(options.max_changes >= 1, "max_changes must be at least 1", options.max_changes);
}

}  // namespace

DenseEpisodesRecall recall_dense_episodes(const SparseRows& episodes, const Vector& weights,
                                          const Vector& cue, const DenseEpisodesOptions& options) {
  require_memory(episodes, weights, cue, options);
  Episodes memory(episodes, weights, cue, options);
  memory.refresh();
  DenseEpisodesRecall recall;
  recall.energies.push_back(memory.energy());
  const bool nothing = memory.active().empty();
  while (recall.changes < options.max_changes && !recall.converged) {
    const Index unit = nothing ? -1 : memory.steepest();
    recall.converged = unit < 0;
    if (recall.converged) break;
    memory.flip(unit);
    memory.refresh();
    recall.energies.push_back(memory.energy());
    ++recall.changes;
  }
  recall.active = memory.active();
  recall.costs.resize(static_cast<Index>(recall.active.size()));
  for (Index j = 0; j < recall.costs.size(); ++j)
    recall.costs[j] = memory.cost(recall.active[static_cast<std::size_t>(j)]);
  return recall;
}

}  // namespace engram::core
