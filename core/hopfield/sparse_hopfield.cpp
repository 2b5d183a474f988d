// SPDX-License-Identifier: MIT
#include "core/hopfield/sparse_hopfield.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/hopfield/hopfield_dynamics.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_links_in_slice = 127;  // with more links a sum of weights may not fit 32 bits
constexpr std::uint32_t turned = 31;              // see LinkStep
constexpr std::size_t task_slices = 4096;

std::size_t degree(const SparseRows& weights, Index unit) { return weights.columns_of(unit).size(); }

void require_symmetric(const SparseRows& weights) {
  require_size("columns of weights", weights.columns(), weights.rows());
  require(weights.rows() < Index{1} << 31 && weights.entries() < std::size_t{1} << 31,
          "a sparse network must have less than 2^31 units and ends of links");
  const SparseRows transposed = weights.transposed();
  for (Index i = 0; i < weights.rows(); ++i) {
    for (const double w : weights.values_of(i))
      require(std::isfinite(w), "weights and field must be finite", w);
    require(std::ranges::equal(weights.columns_of(i), transposed.columns_of(i)) &&
                std::ranges::equal(weights.values_of(i), transposed.values_of(i)),
            "the weights of a sparse network must be symmetric");
  }
}

}  // namespace

SparseNetwork::SparseNetwork(const SparseRows& weights, Instructions instructions)
    : kernels_(&bit_kernels(instructions)) {
  require_symmetric(weights);
  order_units(weights);
  choose_unit(weights);
  lay_out(weights);
}

void SparseNetwork::order_units(const SparseRows& weights) {
  unit_at_.resize(static_cast<std::size_t>(weights.rows()));
  std::iota(unit_at_.begin(), unit_at_.end(), 0U);
  std::ranges::stable_sort(unit_at_, std::greater<>(), [&](std::uint32_t i) { return degree(weights, i); });
  place_of_.resize(unit_at_.size());
  for (std::size_t place = 0; place < unit_at_.size(); ++place)
    place_of_[unit_at_[place]] = static_cast<std::uint32_t>(place);
  while (hubs_ < unit_at_.size() && degree(weights, unit_at_[hubs_]) > most_links_in_slice) ++hubs_;
}

void SparseNetwork::choose_unit(const SparseRows& weights) {
  double largest = 0;  // of the numbers that must be below 2^31 units
  for (std::size_t place = 0; place < unit_at_.size(); ++place) {
    double sum = 0, most = 0;
    for (const double w : weights.values_of(unit_at_[place])) {
      sum += std::abs(w);
      most = std::max(most, std::abs(w));
    }
    largest = std::max(largest, place < hubs_ ? most : sum);
  }
  require(std::isfinite(largest), "the weights of a unit must not sum beyond the range of double");
  if (largest == 0) return;
  // At most 2^30 units, so that rounding does not reach 2^31. At least the smallest normal number, so that fields are
  // exact.
  unit_ = std::ldexp(1.0, std::max(std::ilogb(largest) - 29, -1022));
}

void SparseNetwork::lay_out(const SparseRows& weights) {
  charge(8 * weights.entries());
  const std::size_t places = unit_at_.size();
  // A hub's step holds eight of its links; a slice's step holds one link of each of eight units.
  starts_.assign(1, 0);
  const auto add = [&](std::size_t steps) {
    starts_.push_back(starts_.back() + static_cast<std::uint32_t>(steps));
  };
  for (std::size_t h = 0; h < hubs_; ++h)
    add((degree(weights, unit_at_[h]) + LinkStep::links - 1) / LinkStep::links);
  for (std::size_t place = hubs_; place < places; place += LinkStep::links)
    add(degree(weights, unit_at_[place]));
  const std::size_t size = starts_.back() * sizeof(LinkStep);
  steps_.reserve(std::max<std::size_t>(size, 1));
  auto* steps = reinterpret_cast<LinkStep*>(steps_.data());
  std::fill(steps, steps + starts_.back(), LinkStep{});

  totals_.assign(places + LinkStep::links, 0);  // slices reach beyond the last place
  for (std::size_t place = 0; place < places; ++place) {
    const Index unit = unit_at_[place];
    const bool hub = place < hubs_;
    const std::size_t slice = hub ? place : hubs_ + (place - hubs_) / LinkStep::links;
    for (std::size_t k = 0; k < degree(weights, unit); ++k) {
      const std::uint32_t other = weights.columns_of(unit)[k];
      const auto weight = static_cast<std::int32_t>(std::nearbyint(weights.values_of(unit)[k] / unit_));
      LinkStep& step = steps[starts_[slice] + (hub ? k / LinkStep::links : k)];
      const std::size_t lane = hub ? k % LinkStep::links : (place - hubs_) % LinkStep::links;
      step.bit[lane] = place_of_[other] ^ turned;
      step.weight[lane] = weight;
      totals_[place] += weight;
    }
  }
}

template <class Do>
void SparseNetwork::for_each_link(std::uint32_t place, Do act) const {
  const bool hub = place < hubs_;
  const std::size_t slice = hub ? place : hubs_ + (place - hubs_) / LinkStep::links;
  const std::size_t only = (place - hubs_) % LinkStep::links;
  charge(LinkStep::links * (starts_[slice + 1] - starts_[slice]));
  for (const LinkStep* step = steps() + starts_[slice]; step < steps() + starts_[slice + 1]; ++step)
    for (std::size_t lane = hub ? 0 : only; lane < (hub ? LinkStep::links : only + 1); ++lane)
      if (step->weight[lane] != 0) act(Link{step->bit[lane] ^ turned, step->weight[lane]});
}

SparseSpins::SparseSpins(const SparseNetwork& network, const Vector& state, const Vector& external,
                         unsigned threads)
    : network_(network), external_(external) {
  require_size("cue", state.size(), network.size());
  if (external.size() > 0) require_size("field", external.size(), network.size());
  require(external.allFinite(), "weights and field must be finite");
  require_spins(state);
  bits_.assign(static_cast<std::size_t>(network.size()) / 32 + 1, 0);
  for (std::size_t place = 0; place < network.unit_at_.size(); ++place)
    bits_[place / 32] |= std::uint32_t{state[network.unit_at_[place]] > 0} << place % 32;
  fields_.resize(network.totals_.size());
  sum_fields(threads);
}

void SparseSpins::sum_fields(unsigned threads) {
  const SparseNetwork& w = network_;
  const std::size_t slices = w.starts_.size() - 1 - w.hubs_;
  const std::size_t tasks = (slices + task_slices - 1) / task_slices + w.hubs_;
  for_each_task(tasks, thread_count(threads, tasks), [&](std::size_t task, unsigned) {
    if (task < w.hubs_) {
      const std::uint32_t from = w.starts_[task], to = w.starts_[task + 1];
      charge(to - from);
      fields_[task] = 2 * w.kernels_->sum_links(w.steps() + from, to - from, bits_.data()) - w.totals_[task];
      return;
    }
    const std::size_t first = (task - w.hubs_) * task_slices, last = std::min(slices, first + task_slices);
    const std::uint32_t* starts = w.starts_.data() + w.hubs_ + first;
    charge(starts[last - first] - starts[0]);
    const std::size_t place = w.hubs_ + first * LinkStep::links;
    w.kernels_->slice_fields(w.steps(), starts, last - first, bits_.data(), &w.totals_[place],
                             &fields_[place]);
  });
}

double SparseSpins::field(Index i) const {
  const double learnt =
      static_cast<double>(fields_[network_.place_of_[static_cast<std::size_t>(i)]]) * network_.unit_;
  return external_.size() > 0 ? learnt + external_[i] : learnt;
}

void SparseSpins::flip(Index i) {
  const std::uint32_t place = network_.place_of_[static_cast<std::size_t>(i)];
  bits_[place / 32] ^= std::uint32_t{1} << place % 32;
  const std::int64_t twice = up_at(place) ? 2 : -2;
  network_.for_each_link(place,
                         [&](SparseNetwork::Link link) { fields_[link.place] += twice * link.weight; });
}

double SparseSpins::energy() const {
  charge(network_.unit_at_.size());
  std::int64_t coupling = 0;  // s' W s, at most 2^31 weights of 31 bits
  for (std::size_t place = 0; place < network_.unit_at_.size(); ++place)
    coupling += up_at(static_cast<std::uint32_t>(place)) ? fields_[place] : -fields_[place];
  const double external = external_.size() > 0 ? dot(external_, state()) : 0.0;
  return -0.5 * (static_cast<double>(coupling) * network_.unit_) - external;
}

Vector SparseSpins::state() const {
  Vector spins(network_.size());
  for (Index i = 0; i < spins.size(); ++i) spins[i] = is_up(i) ? 1.0 : -1.0;
  return spins;
}

namespace {

// Adds the updates that core/hopfield/hopfield_dynamics.hpp needs.
class SparseTurns : public SparseSpins {
 public:
  SparseTurns(const SparseNetwork& network, const Vector& cue, const Vector& external, ZeroField at_zero,
              unsigned threads)
      : SparseSpins(network, cue, external, threads), size_(network.size()), at_zero_(at_zero) {}

  int visit(std::span<const std::uint32_t> turn) {
    charge(4 * turn.size());
    int count = 0;
    for (const std::uint32_t i : turn) {
      if (!flips(i)) continue;
      flip(i);
      ++count;
    }
    return count;
  }
  int step() {
    charge(4 * static_cast<std::uint64_t>(size_));
    std::vector<Index> flipping;
    for (Index i = 0; i < size_; ++i)
      if (flips(i)) flipping.push_back(i);
    for (const Index i : flipping) flip(i);
    return static_cast<int>(flipping.size());
  }

 private:
  bool flips(Index i) const {
    const double spin = is_up(i) ? 1.0 : -1.0;
    return next_spin(field(i), spin, at_zero_) != spin;
  }

  Index size_;
  ZeroField at_zero_;
};

}  // namespace

HopfieldRecall recall_hopfield(const SparseNetwork& network, const Vector& cue,
                               const HopfieldOptions& options, const StateObserver& observer,
                               unsigned threads) {
  SparseTurns spins(network, cue, options.field, options.at_zero, threads);
  return run_asynchronous(spins, cue.size(), options, observer);
}

HopfieldRecall recall_synchronous(const SparseNetwork& network, const Vector& cue,
                                  const HopfieldOptions& options, unsigned threads) {
  SparseTurns spins(network, cue, options.field, options.at_zero, threads);
  return run_synchronous(spins, options);
}

namespace {

// W divided by the mean of the positive D_i.
SparseRows to_mean_degree(SparseRows links) {
  std::vector<double> degrees;
  for (Index i = 0; i < links.rows(); ++i)
    if (const double degree = sum(links.values_of(i)); degree > 0) degrees.push_back(degree);
  if (degrees.empty()) return links;
  const double mean = sum(degrees) / static_cast<double>(degrees.size());
  for (Index i = 0; i < links.rows(); ++i)
    for (double& w : links.values_of(i)) w /= mean;
  return links;
}

// D_i with the network's rounded weights: the field of a unit if all spins are +1.
Vector degrees_of(const SparseNetwork& network) {
  const Vector none;
  const SparseSpins all_up(network, Vector::Ones(network.size()), none);
  Vector degrees(network.size());
  for (Index i = 0; i < degrees.size(); ++i) degrees[i] = all_up.field(i);
  return degrees;
}

Vector shares_of(const SparseNetwork& network, const Vector& state, const Vector& degrees) {
  const Vector none;
  const SparseSpins spins(network, state, none);
  Vector shares = Vector::Zero(state.size());
  for (Index i = 0; i < shares.size(); ++i)
    if (degrees[i] > 0) shares[i] = (spins.field(i) / degrees[i] + 1) / 2;
  return shares;
}

void require_graph_spins(const SparseRows& links, const Vector& cue, const GraphSpinsOptions& options) {
  require_size("columns of links", links.columns(), links.rows());
  require_size("cue", cue.size(), links.rows());
  for (Index i = 0; i < links.rows(); ++i)
    for (std::size_t k = 0; k < links.columns_of(i).size(); ++k)
      require(links.values_of(i)[k] >= 0 && links.columns_of(i)[k] != i,
              "links between spins must not be negative, nor lead from a unit to itself");
  for (const double x : cue) require(x >= 0 && x <= 1, "a cue must be in [0, 1]", x);
  require(options.threshold >= 0 && options.threshold <= 1, "the threshold must be in [0, 1]",
          options.threshold);
  require(options.cue_strength >= 0 && std::isfinite(options.cue_strength),
          "the cue's strength must not be negative", options.cue_strength);
  require(options.max_sweeps >= 1, "max_sweeps must be at least 1", options.max_sweeps);
  require_positive("the temperature", options.temperature);
}

GraphSpinsRecall sample(const SparseNetwork& network, const Vector& cue, const Vector& field,
                        const Vector& degrees, const GraphSpinsOptions& options, Vector& state) {
  Rng rng(options.seed, "graph spins");
  SparseSpins spins(network, state, field);
  GraphSpinsRecall recall;
  recall.energies.push_back(spins.energy());
  recall.active = (cue.array() > 0).cast<double>();
  const int first_counted = options.max_sweeps / 2;
  Vector counted = Vector::Zero(cue.size());
  for (; recall.sweeps < options.max_sweeps; ++recall.sweeps) {
    for (const Index i : rng.permutation(static_cast<std::uint32_t>(cue.size()))) {
      if (!(degrees[i] > 0)) continue;
      charge(32);
      const double p = probability_of_plus(spins.field(i), options.temperature);
      if ((rng.uniform() < p) != spins.is_up(i)) spins.flip(i);
      if (recall.sweeps >= first_counted) counted[i] += p;
    }
    recall.energies.push_back(spins.energy());
  }
  for (Index i = 0; i < cue.size(); ++i)
    if (degrees[i] > 0)
      recall.active[i] = counted[i] / static_cast<double>(options.max_sweeps - first_counted);
  recall.converged = true;
  state = spins.state();
  return recall;
}

}  // namespace

GraphSpinsRecall recall_graph_spins(const SparseRows& links, const Vector& cue,
                                    const GraphSpinsOptions& options) {
  require_graph_spins(links, cue, options);
  const SparseNetwork network(to_mean_degree(links));
  const Vector degrees = degrees_of(network);
  Vector field(cue.size()), state(cue.size());
  for (Index i = 0; i < cue.size(); ++i) {
    field[i] = degrees[i] * (1 - 2 * options.threshold + 2 * options.cue_strength * cue[i]);
    state[i] = cue[i] > 0 ? 1 : -1;
  }
  GraphSpinsRecall recall;
  if (options.dynamics == SpinDynamics::glauber) {
    recall = sample(network, cue, field, degrees, options, state);
  } else {
    HopfieldOptions rules;
    rules.max_sweeps = options.max_sweeps;
    rules.field = field;
    const bool all_at_once = options.dynamics == SpinDynamics::sync;
    const HopfieldRecall trace =
        all_at_once ? recall_synchronous(network, state, rules) : recall_hopfield(network, state, rules);
    state = trace.state;
    recall.active = (state.array() > 0).cast<double>();
    recall.energies = trace.energies;
    recall.sweeps = static_cast<int>(trace.flips.size());
    recall.converged = trace.converged;
    recall.period = trace.period;
  }
  recall.share = shares_of(network, state, degrees);
  return recall;
}

}  // namespace engram::core
