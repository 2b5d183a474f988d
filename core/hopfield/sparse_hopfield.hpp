// SPDX-License-Identifier: MIT
// Classical Hopfield networks with a sparse symmetric coupling matrix, such as a concept graph, and recall on the links
// of such a graph. Spins are bits and weights are integer multiples of a power of two. Fields and energies are
// therefore exact sums, for hubs with a million links, any order and any number of threads. A flip updates only the
// fields of neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/hopfield/bit_kernels.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// The links of a sparse network in a layout for fast sums: units by falling degree, in slices of eight units of about
/// equal degree; a hub (more than 127 links) has its own slice. Takes 8 bytes per end of a link and 12 per unit.
class SparseNetwork {
 public:
  /// Shapes   W (n, n) symmetric, diagonal allowed
  /// Errors   std::invalid_argument if W is not symmetric or not finite, for instructions that are not available, or
  ///          beyond 2^31 units or ends of links
  /// Cost     O(n log n + entries); the instructions do not affect results
  explicit SparseNetwork(const SparseRows& weights, Instructions instructions = Instructions::best);

  Index size() const { return static_cast<Index>(unit_at_.size()); }
  /// The unit of the weights: a power of two, to whose nearest multiple each weight is rounded. It is the least power
  /// with which each weight of a hub, and the sum of the weights of any other unit, is below 2^31 multiples. It is at
  /// most 2^-22 of the largest |W_ij|, and integer weights up to 2^23 are exact.
  double unit() const { return unit_; }

 private:
  friend class SparseSpins;
  static constexpr Index lanes = static_cast<Index>(LinkStep::links);

  struct Link {
    std::uint32_t place;
    std::int32_t weight;
  };
  template <class Do>
  void for_each_link(std::uint32_t place, Do act) const;
  void order_units(const SparseRows& weights);
  void choose_unit(const SparseRows& weights);
  void lay_out(const SparseRows& weights);
  const LinkStep* steps() const { return reinterpret_cast<const LinkStep*>(steps_.data()); }

  const BitKernels* kernels_;
  double unit_ = 1;
  std::vector<std::uint32_t> unit_at_, place_of_;  // a unit's place in the layout: hubs, then the others
  std::size_t hubs_ = 0;
  std::vector<std::uint32_t> starts_;  // first step of each hub, then of each slice of eight places
  AlignedBytes steps_;
  std::vector<std::int64_t> totals_;  // sum of the weights of each place
};

/// The spins of a sparse network with their local fields, which flip() updates incrementally.
class SparseSpins {
 public:
  /// Keeps references to the network and the external field, which must outlive this object.
  /// Shapes   state (n) of +1 and -1, external field (n) or empty
  /// Errors   std::invalid_argument if shapes do not fit, a spin is not +1 or -1, or a field is not finite
  SparseSpins(const SparseNetwork& network, const Vector& state, const Vector& external,
              unsigned threads = 1);

  /// Recomputes all local fields on several threads. The constructor calls it; flip() keeps the fields up to date.
  /// Cost     O(n + entries).   threads  0: the number of hardware threads
  void sum_fields(unsigned threads = 1);
  /// Local field h_i of a spin, including the external field. Only the addition of the external field rounds.
  double field(Index i) const;
  /// Whether the spin is +1.
  bool is_up(Index i) const { return up_at(network_.place_of_[static_cast<std::size_t>(i)]); }
  /// Flips a spin and updates the fields of its neighbours.
  /// Cost     O(degree)
  void flip(Index i);
  /// Energy E = -1/2 s' W s - b s of the spins s with the external field b.   Cost  O(n)
  double energy() const;
  Vector state() const;
  /// The spins as bits (1 for +1), in the order of the network's layout. Use them to compare states.
  const std::vector<std::uint32_t>& bits() const { return bits_; }

 private:
  bool up_at(std::uint32_t place) const { return (bits_[place / 32] >> place % 32 & 1U) != 0; }

  const SparseNetwork& network_;
  const Vector& external_;
  std::vector<std::uint32_t> bits_;
  std::vector<std::int64_t> fields_;  // by place, in units
};

/// Asynchronous and synchronous recall on a sparse network, like recall_hopfield() and recall_synchronous() of
/// core/hopfield/hopfield.hpp with a dense matrix. If weights are multiples of network.unit() and their sums fit a
/// double, the results have the same bits as with the dense matrix.
/// Shapes   cue (n)
/// Errors   std::invalid_argument as for the dense matrix
/// Cost     O(n + entries) once, then O(n) a sweep and O(degree) a flip; deterministic for any number of threads
HopfieldRecall recall_hopfield(const SparseNetwork& network, const Vector& cue,
                               const HopfieldOptions& options = {}, const StateObserver& observer = {},
                               unsigned threads = 1);
HopfieldRecall recall_synchronous(const SparseNetwork& network, const Vector& cue,
                                  const HopfieldOptions& options = {}, unsigned threads = 1);

/// Update rules of spins: one by one, all at once, or random at a temperature.
enum class SpinDynamics : std::uint8_t { async, sync, glauber };
inline constexpr std::array<NamedValue<SpinDynamics>, 3> spin_dynamics{
    {{SpinDynamics::async, "async"}, {SpinDynamics::sync, "sync"}, {SpinDynamics::glauber, "glauber"}}};

/// Options of recall_graph_spins().
struct GraphSpinsOptions {
  SpinDynamics dynamics = SpinDynamics::async;
  double threshold = 0.3;  // chosen: below 0.2 everything linked becomes active, above 0.5 nothing does
  double cue_strength =
      1;  // share of a neighbourhood that the cue adds; at least `threshold` holds the cue's units active
  int max_sweeps = 100;      // exact number for glauber; chosen
  double temperature = 0.1;  // of glauber, relative to the mean D_i; chosen, well below the phase transition
  std::uint64_t seed = 1;    // of glauber
};

/// The final state of a recall on a graph and its history.
struct GraphSpinsRecall {
  Vector active;                 // (n): 1 if the spin is +1, else 0; for glauber the mean probability of +1
  Vector share;                  // (n): sigma_i of the final state, 0 for a unit without links
  std::vector<double> energies;  // E = -1/2 s' W s - b s of the cue, then after each sweep
  int sweeps = 0;
  bool converged = false;  // a fixed point; for glauber always true
  int period = 0;          // of sync: 1 a fixed point, 2 two alternating states, 0 neither within the sweeps
};

/// Recall on the links W >= 0 of a graph, such as a concept graph. It starts with the cue's units active (+1) and all
/// others silent (-1). Episodes are sparse, so with couplings only, or with Hebb's rule for +1/-1 patterns, almost
/// every unit would follow the silent majority. Here an external field keeps the state sparse, and a unit becomes
/// active if enough of its neighbourhood is. Let D_i = sum_j W_ij be the degree of unit i and sigma_i = sum over active
/// j of W_ij / D_i the active share of its neighbourhood. Then the external field
///     b_i = D_i (1 - 2 threshold + 2 cue_strength cue_i)
/// gives the local field  h_i = sum_j W_ij s_j + b_i = 2 D_i (sigma_i + cue_strength cue_i - threshold).
/// With a threshold of 1/2 and without a cue there is no external field. A field within 1e-12 of zero keeps the spin.
///   async    updates units in the order of their numbers; the energy never rises. While the cue is held, units only
///            become active. The result is then the smallest set with the cue such that no unit outside has more than
///            the threshold's share, in any order
///   sync     updates all units at once. While the cue is held it has the same result; otherwise two states may
///            alternate
///   glauber  updates units with links in random order, with +1 of probability 1/(1 + e^(-2 h/T)), averaged over the
///            second half of the sweeps. With a threshold below 1/2 the fully active state has less energy than the
///            silent state, so activity spreads everywhere; the other dynamics stay around the cue
/// Shapes   W (n, n) symmetric, zero diagonal, entries >= 0; results do not depend on its scale, because W is divided
///          by the mean of the positive D_i. cue (n) in [0, 1], the cue's units have entries above 0
/// Ranges   threshold in [0, 1], cue_strength >= 0, max_sweeps >= 1, temperature > 0
/// Errors   std::invalid_argument outside these ranges
/// Cost     O(n log n + entries), then O(n) a sweep and O(degree) a flip; deterministic
/// Source   Hopfield 1982; Glauber 1963; independence of the order: bootstrap percolation, Chalupa et al. 1979
GraphSpinsRecall recall_graph_spins(const SparseRows& links, const Vector& cue,
                                    const GraphSpinsOptions& options = {});

}  // namespace engram::core
