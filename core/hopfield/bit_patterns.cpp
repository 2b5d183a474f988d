// SPDX-License-Identifier: MIT
#include "core/hopfield/bit_patterns.hpp"

#include <algorithm>

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
  require(patterns_ * spins_ < Index{1} << 29, "bit-packed patterns have less than 2^29 spins together");
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

}  // namespace engram::core
