// SPDX-License-Identifier: MIT
// A classical Hopfield network whose couplings W are a sparse symmetric matrix, as on a concept graph: spins
// are bits, weights whole multiples of a power of two. So every field and every energy is summed exactly,
// hubs with a million links included, in any order and by any number of threads; and a flip changes the
// fields of its neighbours alone.
#pragma once

#include <vector>

#include "core/hopfield/bit_kernels.hpp"
#include "core/hopfield/hopfield_network.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// The links, ordered for sums: units by falling degree, eight of about the same degree side by side, a hub
/// (more than 127 links) by itself. 8 bytes a link and end, 12 a unit.
class SparseNetwork {
 public:
  /// Shapes   W (n, n) symmetric, diagonal allowed
  /// Errors   std::invalid_argument if W is not symmetric or not finite, for instructions that this processor
  ///          or build has not, or beyond 2^31 units or ends of links
  /// Cost     O(n log n + entries); the instructions change no result
  explicit SparseNetwork(const SparseRows& weights, Instructions instructions = Instructions::best);

  Index size() const { return static_cast<Index>(unit_at_.size()); }
  /// Weights are rounded to the nearest multiple of this power of two: the least with which the weights of
  /// each unit that is no hub sum to less than 2^31, and a weight of a hub is less than that. So it is at
  /// most 2^-22 of the largest |W_ij|, and whole weights up to 2^23 are exact.
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
  std::vector<std::uint32_t> unit_at_, place_of_;  // places: hubs, then the others
  std::size_t hubs_ = 0;
  std::vector<std::uint32_t> starts_;  // of each hub's steps, then of each slice of eight places
  AlignedBytes steps_;
  std::vector<std::int64_t> totals_;  // of the weights of a place
};

/// Spins on such a network with their fields, kept up to date.
class SparseSpins {
 public:
  /// Shapes   state (n) of +1 and -1, external field (n) or empty; refers to both network and field
  /// Errors   std::invalid_argument if shapes do not fit, a spin is not +1 or -1, or a field is not finite
  SparseSpins(const SparseNetwork& network, const Vector& state, const Vector& external,
              unsigned threads = 1);

  /// All fields afresh: what the constructor does, and flip() makes unnecessary.
  /// Cost     O(n + entries).   threads  0: as many as the processor runs at once
  void sum_fields(unsigned threads = 1);
  /// h_i, external field included: exact but for the addition of that.
  double field(Index i) const;
  /// Whether the spin is +1.
  bool is_up(Index i) const { return up_at(network_.place_of_[static_cast<std::size_t>(i)]); }
  /// Cost     O(degree)
  void flip(Index i);
  /// E = -1/2 s' W s - b s.   Cost  O(n)
  double energy() const;
  Vector state() const;
  /// The spins, in an order of the network's own.
  const std::vector<std::uint32_t>& bits() const { return bits_; }

 private:
  bool up_at(std::uint32_t place) const { return (bits_[place / 32] >> place % 32 & 1U) != 0; }

  const SparseNetwork& network_;
  const Vector& external_;
  std::vector<std::uint32_t> bits_;
  std::vector<std::int64_t> fields_;  // by place, in units
};

/// recall_hopfield and recall_synchronous of core/hopfield/hopfield_network.hpp on a sparse
/// network: the same rules, and with weights that are multiples of network.unit() and whose sums a double
/// holds the same bits as with the dense matrix.
/// Shapes   cue (n)
/// Errors   std::invalid_argument as there
/// Cost     O(n + entries) once, then O(n) a sweep and O(degree) a flip; deterministic for any number of
///          threads
HopfieldRecall recall_hopfield(const SparseNetwork& network, const Vector& cue,
                               const HopfieldOptions& options = {}, const StateObserver& observer = {},
                               unsigned threads = 1);
HopfieldRecall recall_synchronous(const SparseNetwork& network, const Vector& cue,
                                  const HopfieldOptions& options = {}, unsigned threads = 1);

}  // namespace engram::core
