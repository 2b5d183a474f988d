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

Index padded(Index count, Index to) { return (count + to - 1) / to * to; }

Index words_for(Index bits) {
  return padded(bits, static_cast<Index>(word_bits * padded_words)) / static_cast<Index>(word_bits);
}

void set_bit(Word* words, Index i) { words[i / 64] |= Word{1} << (i % 64); }

}  // namespace

BitPatterns::BitPatterns(const Matrix& patterns, Instructions instructions)
    : patterns_(patterns.rows()),
      spins_(patterns.cols()),
      row_words_(words_for(spins_)),
      column_words_(words_for(patterns_)),
      column_bytes_(padded(patterns_, 16) / 8),
      kernels_(&bit_kernels(instructions)) {
  require(patterns.rows() >= 1 && patterns.cols() >= 1,
          "a Hopfield network needs a pattern of one spin or more");
  require(patterns_ <= 32'767, "bit-packed patterns must be at most 32,767", patterns_);
  require(patterns_ * spins_ < Index{1} << 29, "bit-packed patterns must have less than 2^29 spins in total");
  for (const double x : patterns.reshaped()) require(x == 1 || x == -1, "a spin must be +1 or -1", x);
  reserve();
  pack(patterns);
  make_products();
}

void BitPatterns::reserve() {
  const auto tile_size = static_cast<Index>(tile_spins);
  columns_at_ = padded(8 * row_words_ * patterns_, 64);
  tiles_at_ = columns_at_ + padded(8 * column_words_ * spins_, 64);
  products_at_ = tiles_at_ + column_bytes_ * padded(spins_, tile_size);
  const Index end = products_at_ + padded(spins_, block_spins) * block_spins * Index{sizeof(std::int16_t)};
  memory_.reserve(static_cast<std::size_t>(end));
  std::fill(memory_.data(), memory_.data() + end, std::byte{0});
}

void BitPatterns::pack(const Matrix& patterns) {
  const auto tile_size = static_cast<Index>(tile_spins);
  auto* rows = reinterpret_cast<Word*>(memory_.data());
  auto* columns = reinterpret_cast<Word*>(memory_.data() + columns_at_);
  auto* tiles = reinterpret_cast<std::uint8_t*>(memory_.data() + tiles_at_);
  for (Index k = 0; k < patterns_; ++k)
    for (Index i = 0; i < spins_; ++i) {
      if (patterns(k, i) < 0) continue;
      set_bit(rows + k * row_words_, i);
      set_bit(columns + i * column_words_, k);
      std::uint8_t& byte = tiles[(i / tile_size * column_bytes_ + k / 8) * tile_size + i % tile_size];
      byte = static_cast<std::uint8_t>(byte | 1U << (k % 8));
    }
}

void BitPatterns::make_products() {
  auto* products = reinterpret_cast<std::int16_t*>(memory_.data() + products_at_);
  for (Index i = 0; i < spins_; ++i) {
    const Index block = i / block_spins * block_spins;
    for (Index j = block; j <= i; ++j) {
      const auto differ = static_cast<Index>(
          kernels_->differing(column(i), column(j), static_cast<std::size_t>(column_words_)));
      products[i * block_spins + j - block] = products[j * block_spins + i - block] =
          static_cast<std::int16_t>(patterns_ - 2 * differ);
    }
  }
}

namespace {

// Integer bounds that combine the rule for zero fields and the external field. With n h the field without the external
// one, a spin of +1 flips if n h is at most the second bound, a spin of -1 if -n h is at most the first. An array
// avoids a branch on the spin, which would be mispredicted.
using Thresholds = std::array<std::int32_t, 2>;

// The sign of a field as recall_hopfield rounds it.
int sign_of(std::int64_t whole, double spins, double external) {
  const double h = static_cast<double>(whole) / spins + external;
  return std::abs(h) <= zero_field ? 0 : h > 0 ? 1 : -1;
}

Thresholds thresholds_of(Index spins, Index patterns, double external, ZeroField at_zero) {
  const auto n = static_cast<double>(spins);
  const std::int64_t beyond = static_cast<std::int64_t>(spins) * patterns + 1;  // larger than any field
  const double zero = std::clamp(-external * n, -static_cast<double>(beyond), static_cast<double>(beyond));
  // The sign is monotonic in the integer. Finds its two steps near zero.
  auto plus = static_cast<std::int64_t>(std::floor(zero));
  while (plus > -beyond && sign_of(plus - 1, n, external) > 0) --plus;
  while (plus < beyond && sign_of(plus, n, external) <= 0) ++plus;
  std::int64_t minus = plus - 1;
  while (minus > -beyond && sign_of(minus, n, external) >= 0) --minus;
  return {static_cast<std::int32_t>(at_zero == ZeroField::plus ? -(minus + 1) : -plus),
          static_cast<std::int32_t>(at_zero == ZeroField::minus ? plus - 1 : minus)};
}

}  // namespace

// A state with its overlaps and approximate fields. Fields of a block of spins are computed by lookup in tables of sums
// of four overlaps, rounded to a byte. If that leaves a sign undecided, the field is summed exactly. "Field" means
// sum_k x_ki m_k throughout, including the spin's own share.
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
    field_states_.assign(blocks, FieldState{});
    compute_overlaps();
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
      refresh_fields(block);
      for (Index i = first_flip(block, from, to); i < to; i = first_flip(block, i + 1, to))
        flipping.push_back(i);
    }
    for (const Index i : flipping) state_[static_cast<std::size_t>(i)] *= -1;
    if (!flipping.empty()) {
      compute_overlaps();
      ++version_;
    }
    return static_cast<int>(flipping.size());
  }

  bool is_up(Index i) const { return state_[static_cast<std::size_t>(i)] > 0; }
  void flip(Index i) {
    flip_unsettled(i);
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

  // The version of the state that a block's fields belong to, and their error bound.
  struct FieldState {
    std::uint64_t version = never;
    std::int32_t error = 0;
  };
  // An overlap far above the others. It is added separately, because it would make the tables coarse.
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

  void compute_overlaps() {
    charge(static_cast<std::uint64_t>(x_.patterns_ * x_.row_words_));
    const std::vector<Word> spins = bits();
    for (Index k = 0; k < x_.patterns_; ++k) {
      const std::size_t differ =
          kernels_.differing(x_.row(k), spins.data(), static_cast<std::size_t>(x_.row_words_));
      overlaps_[static_cast<std::size_t>(k)] =
          static_cast<std::int32_t>(x_.spins_ - 2 * static_cast<Index>(differ));
    }
  }

  // Flips a spin. The overlaps are outdated until settle().
  void flip_unsettled(Index i) {
    charge(8 * static_cast<std::uint64_t>(x_.column_words_));
    auto& s = state_[static_cast<std::size_t>(i)];
    s = static_cast<std::int8_t>(-s);
    kernels_.count_signs(x_.column(i), static_cast<std::size_t>(x_.column_words_), s > 0, changes_.data());
    ++version_;
    if (++unsettled_ == 127) settle();  // the limit of a byte
  }
  void settle() {
    if (unsettled_ == 0) return;
    kernels_.settle(changes_.data(), changes_.size(), overlaps_.data());
    std::fill(overlaps_.begin() + x_.patterns_, overlaps_.end(), 0);  // padding
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
  // Whether a spin flips, by its field within the error or, if that is undecided, by the exact field.
  bool flips_at(Index i, std::int32_t field, std::int32_t error) {
    const std::int32_t beyond = spin(i) * field - bound(i);
    if (beyond + error <= 0 || beyond > error) return beyond <= error;
    return spin(i) * exact_field(i) <= bound(i);
  }

  // The first spin in from .. to-1 that may flip by the block's approximate fields, or `to`.
  Index first_open(Index block, Index from, Index to) const {
    const Index start = block * block_spins;
    const auto at = static_cast<std::size_t>(common_bounds_ ? 0 : start);
    const std::size_t place =
        kernels_.first_open(fields_.data() + start, state_.data() + start, bounds_[0].data() + at,
                            bounds_[1].data() + at, field_states_[static_cast<std::size_t>(block)].error,
                            static_cast<std::size_t>(from - start), static_cast<std::size_t>(to - start));
    return start + static_cast<Index>(place);
  }
  // The first spin in from .. to-1 that flips, or `to`.
  Index first_flip(Index block, Index from, Index to) {
    const std::int32_t error = field_states_[static_cast<std::size_t>(block)].error;
    Index i = first_open(block, from, to);
    while (i < to && !flips_at(i, fields_[static_cast<std::size_t>(i)], error))
      i = first_open(block, i + 1, to);
    return i;
  }
  // Prefetches the data of spins that may flip, because most of them will.
  void prefetch_flips(Index block, Index from, Index to) const {
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
    FieldState& known = refresh_fields(block);
    prefetch_flips(block, from, to);
    int count = 0;
    for (Index i = first_flip(block, from, to); i < to; i = first_flip(block, i + 1, to)) {
      flip_unsettled(i);
      ++count;
      const Index next = (i - start) / 16 * 16;  // earlier spins were already updated
      kernels_.add_products(x_.products(i) + next, static_cast<std::size_t>(block_spins - next), is_up(i),
                            fields_.data() + start + next);
    }
    if (count > 0) known.version = never;
    return count;
  }

  FieldState& refresh_fields(Index block) {
    FieldState& known = field_states_[static_cast<std::size_t>(block)];
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
    shift_ = 0;  // the least with which four adjacent tables sum to less than 256, rounding included
    while (2 * static_cast<std::int64_t>(largest) > std::int64_t{253} << shift_) ++shift_;
    const auto fours = static_cast<std::int32_t>((x_.patterns_ + 3) / 4);
    error_ = shift_ == 0 ? 0 : fours << (shift_ - 1);
    kernels_.make_tables(without_outliers_.data(), 4 * sixteens, shift_, tables_.data());
  }

  // Moves overlaps of more than eight times the mean magnitude to outliers_ if they would make the tables coarse.
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
  bool ascending_;  // whether spins are updated in ascending order
  std::vector<std::int8_t> state_;
  // Bounds of spins of -1 and +1, with the spin's own share; one block of them if there is no external field.
  std::array<std::vector<std::int32_t>, 2> bounds_;
  bool common_bounds_ = true;
  std::vector<std::int32_t> overlaps_;  // m before changes_
  std::vector<std::int8_t> changes_;    // of m / 2 since settle()
  int unsettled_ = 0;
  std::uint64_t version_ = 0;  // of the state

  std::vector<std::int32_t> fields_;  // block by block, see field_states_
  std::vector<FieldState> field_states_;
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
