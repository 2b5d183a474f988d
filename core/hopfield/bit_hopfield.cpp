// SPDX-License-Identifier: MIT
#include "core/hopfield/bit_hopfield.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/hopfield/hopfield_dynamics.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// What the rule for zero fields and the external field make of a spin, in whole numbers: a spin of +1 flips
// where n h without the external field is at most the second of these, one of -1 where -n h is at most the
// first. An array, as a branch on a spin is one that processors do not foresee.
using Thresholds = std::array<std::int32_t, 2>;

// The sign that recall_hopfield takes a field for.
int sign_of(std::int64_t whole, double spins, double external) {
  const double h = static_cast<double>(whole) / spins + external;
  return std::abs(h) <= zero_field ? 0 : h > 0 ? 1 : -1;
}

Thresholds thresholds_of(Index spins, Index patterns, double external, ZeroField at_zero) {
  const auto n = static_cast<double>(spins);
  const std::int64_t beyond = static_cast<std::int64_t>(spins) * patterns + 1;  // no field is as large
  const double zero = std::clamp(-external * n, -static_cast<double>(beyond), static_cast<double>(beyond));
  // The sign rises with the whole number: look for its two steps around where it is 0.
  auto plus = static_cast<std::int64_t>(std::floor(zero));
  while (plus > -beyond && sign_of(plus - 1, n, external) > 0) --plus;
  while (plus < beyond && sign_of(plus, n, external) <= 0) ++plus;
  std::int64_t minus = plus - 1;
  while (minus > -beyond && sign_of(minus, n, external) >= 0) --minus;
  return {static_cast<std::int32_t>(at_zero == ZeroField::plus ? -(minus + 1) : -plus),
          static_cast<std::int32_t>(at_zero == ZeroField::minus ? plus - 1 : minus)};
}

}  // namespace

// A state with its overlaps and what is known of its fields. Fields are looked up for a block of spins at a
// time in tables of sums of four overlaps, rounded to a byte; where that leaves a sign open, the field is
// summed exactly. "Field" is sum_k x_ki m_k throughout, with the spin's own share.
class BitNetwork {
 public:
  BitNetwork(const BitPatterns& patterns, const Vector& cue, const Vector& external, ZeroField at_zero,
             bool ascending = true)
      : x_(patterns), kernels_(*patterns.kernels_), external_(external), ascending_(ascending) {
    require_size("cue", cue.size(), x_.spins_);
    if (external.size() > 0) require_size("field", external.size(), x_.spins_);
    require(external.allFinite(), "weights and field must be finite");
    require_spins(cue);
    state_.resize(static_cast<std::size_t>(cue.size()));
    for (std::size_t i = 0; i < state_.size(); ++i)
      state_[i] = static_cast<std::int8_t>(cue[static_cast<Index>(i)]);
    set_thresholds(at_zero);

    const auto lanes = static_cast<std::size_t>(x_.column_words_) * word_bits;
    overlaps_.assign(lanes, 0);
    changes_.assign(lanes, 0);
    tables_.resize(static_cast<std::size_t>(x_.column_bytes_) * 32);
    const std::size_t blocks = (state_.size() + block_size - 1) / block_size;
    fields_.resize(blocks * block_size);
    known_.assign(blocks, Known{});
    take_overlaps();
  }

  int visit(std::span<const std::uint32_t> turn) {
    int flips = 0;
    if (turn.empty()) return flips;
    if (!ascending_) {
      for (const Index i : turn)
        if (flips_at(i, exact_field(i), 0)) {
          flip(i);
          ++flips;
        }
      return flips;
    }
    const Index end = Index{turn.back()} + 1;
    for (Index from = turn.front(), next; from < end; from = next) {
      next = std::min(end, (from / block_spins + 1) * block_spins);
      flips += visit_block(from, next);
    }
    return flips;
  }

  int step() {
    std::vector<Index> flipping;
    for (Index from = 0; from < x_.spins_; from += block_spins) {
      const Index block = from / block_spins, to = std::min(x_.spins_, from + block_spins);
      know(block);
      for (Index i = first_flip(block, from, to); i < to; i = first_flip(block, i + 1, to))
        flipping.push_back(i);
    }
    for (const Index i : flipping) state_[static_cast<std::size_t>(i)] *= -1;
    if (!flipping.empty()) {
      take_overlaps();
      ++version_;
    }
    return static_cast<int>(flipping.size());
  }

  bool is_up(Index i) const { return state_[static_cast<std::size_t>(i)] > 0; }
  void flip(Index i) {
    turn(i);
    settle();
  }
  /// h_i.
  double field(Index i) {
    const double whole = exact_field(i) - static_cast<std::int32_t>(x_.patterns_) * spin(i);
    const double learnt = whole / static_cast<double>(x_.spins_);
    return external_.size() > 0 ? learnt + external_[i] : learnt;
  }
  double energy() {
    settle();
    charge(overlaps_.size());
    std::int64_t squares = 0;
    for (const std::int64_t m : overlaps_) squares += m * m;
    const auto diagonal = static_cast<std::int64_t>(x_.spins_) * x_.patterns_;
    const double coupling = external_.size() > 0 ? dot(external_, state()) : 0.0;
    return -0.5 * (static_cast<double>(squares - diagonal) / static_cast<double>(x_.spins_)) - coupling;
  }
  Vector state() const {
    Vector spins(x_.spins_);
    for (Index i = 0; i < spins.size(); ++i) spins[i] = spin(i);
    return spins;
  }
  std::vector<Word> bits() const {
    std::vector<Word> packed(static_cast<std::size_t>(x_.row_words_));
    for (std::size_t i = 0; i < state_.size(); ++i)
      packed[i / word_bits] |= static_cast<Word>(state_[i] > 0) << i % word_bits;
    return packed;
  }

 private:
  static constexpr Index block_spins = BitPatterns::block_spins;
  static constexpr auto block_size = static_cast<std::size_t>(block_spins);
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // Which state a block's fields are of, and how far they may be off.
  struct Known {
    std::uint64_t version = never;
    std::int32_t error = 0;
  };
  // An overlap far above the others would make the tables coarse: it is added by itself.
  struct Outlier {
    Index pattern;
    std::int32_t overlap;
  };

  int spin(Index i) const { return state_[static_cast<std::size_t>(i)]; }

  void set_thresholds(ZeroField at_zero) {
    common_bounds_ = external_.size() == 0;
    const Index count = common_bounds_ ? block_spins : external_.size();
    for (std::vector<std::int32_t>& bounds : bounds_) bounds.resize(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) {
      if (common_bounds_ && i > 0) break;
      const Thresholds t =
          thresholds_of(x_.spins_, x_.patterns_, common_bounds_ ? 0.0 : external_[i], at_zero);
      for (std::size_t s = 0; s < 2; ++s)
        bounds_[s][static_cast<std::size_t>(i)] = t[s] + static_cast<std::int32_t>(x_.patterns_);
    }
    if (common_bounds_)
      for (std::vector<std::int32_t>& bounds : bounds_) std::fill(bounds.begin(), bounds.end(), bounds[0]);
  }

  void take_overlaps() {
    charge(static_cast<std::uint64_t>(x_.patterns_ * x_.row_words_));
    const std::vector<Word> spins = bits();
    for (Index k = 0; k < x_.patterns_; ++k) {
      const std::size_t differ =
          kernels_.differing(x_.row(k), spins.data(), static_cast<std::size_t>(x_.row_words_));
      overlaps_[static_cast<std::size_t>(k)] =
          static_cast<std::int32_t>(x_.spins_ - 2 * static_cast<Index>(differ));
    }
  }

  // The flip of a spin, without which the overlaps are no more those of the state until they settle.
  void turn(Index i) {
    charge(8 * static_cast<std::uint64_t>(x_.column_words_));
    auto& s = state_[static_cast<std::size_t>(i)];
    s = static_cast<std::int8_t>(-s);
    kernels_.count_signs(x_.column(i), static_cast<std::size_t>(x_.column_words_), s > 0, changes_.data());
    ++version_;
    if (++unsettled_ == 127) settle();  // what a byte holds
  }
  void settle() {
    if (unsettled_ == 0) return;
    kernels_.settle(changes_.data(), changes_.size(), overlaps_.data());
    std::fill(overlaps_.begin() + x_.patterns_, overlaps_.end(), 0);  // the padding has no spins
    unsettled_ = 0;
  }

  std::int32_t exact_field(Index i) {
    charge(4 * static_cast<std::uint64_t>(x_.column_words_));
    settle();
    return kernels_.signed_sum(x_.column(i), static_cast<std::size_t>(x_.column_words_), overlaps_.data());
  }

  std::int32_t bound(Index i) const {
    return bounds_[static_cast<std::size_t>(spin(i) > 0)][static_cast<std::size_t>(common_bounds_ ? 0 : i)];
  }
  // Whether a spin flips, from its field of so large an error or, where that leaves it open, the exact one.
  bool flips_at(Index i, std::int32_t field, std::int32_t error) {
    const std::int32_t beyond = spin(i) * field - bound(i);
    if (beyond + error <= 0 || beyond > error) return beyond <= error;
    return spin(i) * exact_field(i) <= bound(i);
  }

  // The first spin of a block, of those from .. to-1, that may flip by what the block's fields tell; or `to`.
  Index first_open(Index block, Index from, Index to) const {
    const Index start = block * block_spins;
    const auto at = static_cast<std::size_t>(common_bounds_ ? 0 : start);
    const std::size_t place =
        kernels_.first_open(fields_.data() + start, state_.data() + start, bounds_[0].data() + at,
                            bounds_[1].data() + at, known_[static_cast<std::size_t>(block)].error,
                            static_cast<std::size_t>(from - start), static_cast<std::size_t>(to - start));
    return start + static_cast<Index>(place);
  }
  // The first that does.
  Index first_flip(Index block, Index from, Index to) {
    const std::int32_t error = known_[static_cast<std::size_t>(block)].error;
    Index i = first_open(block, from, to);
    while (i < to && !flips_at(i, fields_[static_cast<std::size_t>(i)], error))
      i = first_open(block, i + 1, to);
    return i;
  }
  // What a flip needs comes from far, and most that may flip will.
  void ask_for_flips(Index block, Index from, Index to) const {
    constexpr Index line = 64;
    for (Index i = first_open(block, from, to); i < to; i = first_open(block, i + 1, to)) {
      const auto* products = reinterpret_cast<const char*>(x_.products(i));
      for (Index at = (i % block_spins) * 2 / line * line; at < 2 * block_spins; at += line)
        __builtin_prefetch(products + at);
      const auto* column = reinterpret_cast<const char*>(x_.column(i));
      for (Index at = 0; at < 8 * x_.column_words_; at += line) __builtin_prefetch(column + at);
    }
  }

  int visit_block(Index from, Index to) {
    const Index block = from / block_spins, start = block * block_spins;
    Known& known = know(block);
    ask_for_flips(block, from, to);
    int count = 0;
    for (Index i = first_flip(block, from, to); i < to; i = first_flip(block, i + 1, to)) {
      turn(i);
      ++count;
      const Index next = (i - start) / 16 * 16;  // the spins before it have had their turn
      kernels_.add_products(x_.products(i) + next, static_cast<std::size_t>(block_spins - next), is_up(i),
                            fields_.data() + start + next);
    }
    if (count > 0) known.version = never;
    return count;
  }

  Known& know(Index block) {
    Known& known = known_[static_cast<std::size_t>(block)];
    if (known.version == version_) return known;
    charge(static_cast<std::uint64_t>(block_spins * x_.column_bytes_) / 16);
    prepare_tables();
    const Index from = block * block_spins, to = std::min(x_.spins_, from + block_spins);
    for (Index i = from; i < to; i += static_cast<Index>(tile_spins)) look_up(i);
    known = {version_, error_};
    return known;
  }

  void look_up(Index from) {
    std::int32_t* fields = fields_.data() + from;
    const std::uint8_t* tile = x_.tile(from);
    kernels_.look_up(tile, tables_.data(), static_cast<std::size_t>(x_.column_bytes_), fields);
    kernels_.scale(fields, shift_, offset_);
    for (const Outlier& outlier : outliers_)
      kernels_.add_signed(tile + outlier.pattern / 8 * static_cast<Index>(tile_spins),
                          static_cast<unsigned>(outlier.pattern % 8), outlier.overlap, fields);
  }

  void prepare_tables() {
    if (tables_version_ == version_) return;
    settle();
    tables_version_ = version_;
    const auto sixteens = static_cast<std::size_t>(x_.column_bytes_) / 2;
    without_outliers_ = overlaps_;
    magnitudes_.resize(sixteens);
    kernels_.magnitudes(without_outliers_.data(), sixteens, magnitudes_.data());
    offset_ = 0;
    for (const std::int32_t sum : magnitudes_) offset_ += sum;
    set_outliers_apart(offset_ / static_cast<std::int32_t>(sixteens));

    const std::int32_t largest = *std::max_element(magnitudes_.begin(), magnitudes_.end());
    shift_ = 0;  // the least with which four tables beside each other stay below 256, rounding included
    while (2 * static_cast<std::int64_t>(largest) > std::int64_t{253} << shift_) ++shift_;
    const auto fours = static_cast<std::int32_t>((x_.patterns_ + 3) / 4);
    error_ = shift_ == 0 ? 0 : fours << (shift_ - 1);
    kernels_.make_tables(without_outliers_.data(), 4 * sixteens, shift_, tables_.data());
  }

  // Those of more than eight times the mean magnitude, where they are in the way.
  void set_outliers_apart(std::int32_t mean_of_sixteen) {
    outliers_.clear();
    for (std::size_t c = 0; c < magnitudes_.size(); ++c) {
      if (magnitudes_[c] - mean_of_sixteen <= mean_of_sixteen / 4) continue;
      for (std::size_t k = 16 * c; k < 16 * c + 16; ++k) {
        const std::int32_t overlap = without_outliers_[k];
        if (std::abs(overlap) <= mean_of_sixteen / 2) continue;
        outliers_.push_back({static_cast<Index>(k), overlap});
        without_outliers_[k] = 0;
        magnitudes_[c] -= std::abs(overlap);
        offset_ -= std::abs(overlap);
      }
    }
  }

  const BitPatterns& x_;
  const BitKernels& kernels_;
  const Vector& external_;
  bool ascending_;  // the turn of the spins
  std::vector<std::int8_t> state_;
  // Of spins of -1 and of +1, with the spin's own share; without an external field as many as a block has.
  std::array<std::vector<std::int32_t>, 2> bounds_;
  bool common_bounds_ = true;
  std::vector<std::int32_t> overlaps_;  // m, but for the changes
  std::vector<std::int8_t> changes_;    // of m / 2 since they settled
  int unsettled_ = 0;
  std::uint64_t version_ = 0;  // of the state

  std::vector<std::int32_t> fields_;  // block by block, as of known_
  std::vector<Known> known_;
  std::uint64_t tables_version_ = never;
  std::vector<std::uint8_t> tables_;
  std::vector<std::int32_t> without_outliers_, magnitudes_;
  std::vector<Outlier> outliers_;
  unsigned shift_ = 0;
  std::int32_t offset_ = 0, error_ = 0;
};

HopfieldRecall recall_hopfield(const BitPatterns& patterns, const Vector& cue, const HopfieldOptions& options,
                               const StateObserver& observer) {
  BitNetwork network(patterns, cue, options.field, options.at_zero,
                     std::is_sorted(options.order.begin(), options.order.end()));
  return run_asynchronous(network, cue.size(), options, observer);
}

HopfieldRecall recall_synchronous(const BitPatterns& patterns, const Vector& cue,
                                  const HopfieldOptions& options) {
  BitNetwork network(patterns, cue, options.field, options.at_zero);
  return run_synchronous(network, options);
}

GlauberRecall recall_glauber(const BitPatterns& patterns, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field) {
  BitNetwork network(patterns, cue, field, ZeroField::keep);
  return run_glauber(network, cue.size(), draws);
}

}  // namespace engram::core
