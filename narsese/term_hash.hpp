// SPDX-License-Identifier: MIT
// Hashes of terms, taken over the parts in which terms differ: a label of one word, and the payload behind
// it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "narsese/byte_scan.hpp"
#include "narsese/symbols.hpp"

namespace engram::narsese {

/// What a term is.
enum class TermKind : std::uint8_t { atom, op, variable, interval, compound, statement };

/// Whether it is an atom or an operator.
constexpr bool is_name(TermKind kind) { return kind <= TermKind::op; }
/// Whether it is a compound or a statement.
constexpr bool has_components(TermKind kind) { return kind >= TermKind::compound; }

/// What a term is but for its payload, which is its name's bytes, its number, or its components: one word, as
/// it is compared at once.
struct TermLabel {
  TermKind kind = TermKind::atom;
  std::uint8_t symbol = 0;     // of the VariableKind, Connector or Copula
  std::uint16_t position = 0;  // of an image's placeholder
  std::uint32_t size = 0;      // bytes of the name, number of components, or 1 for a number

  /// The size stands in the upper half.
  std::uint64_t bits() const {
    // As it lies in memory: compilers do not see that by themselves.
    if constexpr (std::endian::native == std::endian::little) return std::bit_cast<std::uint64_t>(*this);
    return static_cast<std::uint64_t>(kind) | std::uint64_t{symbol} << 8 | std::uint64_t{position} << 16 |
           std::uint64_t{size} << 32;
  }
  /// The label that bits() made these of.
  static TermLabel of_bits(std::uint64_t bits) {
    if constexpr (std::endian::native == std::endian::little) return std::bit_cast<TermLabel>(bits);
    return {static_cast<TermKind>(bits & 0xFF), static_cast<std::uint8_t>(bits >> 8),
            static_cast<std::uint16_t>(bits >> 16), static_cast<std::uint32_t>(bits >> 32)};
  }
  friend bool operator==(TermLabel a, TermLabel b) { return a.bits() == b.bits(); }
};

/// Whether the order of the components is without meaning.
inline bool is_commutative(TermLabel label) {
  return label.kind == TermKind::compound    ? facts(static_cast<Connector>(label.symbol)).commutative
         : label.kind == TermKind::statement ? facts(static_cast<Copula>(label.symbol)).symmetric
                                             : false;
}

/// Both halves of a product of 128 bits, joined by exclusive or (wyhash, Wang Yi): every bit of both factors
/// reaches all of it.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Keyed by a secret that each process draws for itself: nobody can write names that collide and make
/// look-ups slow. So a hash is for finding terms in this process alone; nothing that is written, and no order
/// in which things are done, may depend on it. 32 bits, so that a term needs but 16 bytes beside its payload.
class TermHash {
 public:
  using Key = std::array<std::uint64_t, 3>;

  TermHash();  // with the process's key
  explicit TermHash(const Key& key) : key_(key) {}

  /// Of a name behind which 16 bytes are readable.
  std::uint32_t name(TermLabel label, const char* bytes) const {
    if (label.size <= scan_bytes) return short_name(label, bytes);
    std::uint64_t hash = key_[0];
    for (std::size_t i = 0; i < label.size; i += scan_bytes)
      hash = of_two(label, words_of(bytes + i, std::min(label.size - i, scan_bytes)), hash);
    return static_cast<std::uint32_t>(hash);
  }
  /// The same of at most 16 bytes.
  std::uint32_t short_name(TermLabel label, const char* bytes) const {
    return static_cast<std::uint32_t>(of_two(label, words_of(bytes, label.size), key_[0]));
  }
  /// Of a leaf that is a number.
  std::uint32_t number(TermLabel label, std::int64_t number) const {
    return static_cast<std::uint32_t>(of_two(label, {static_cast<std::uint64_t>(number), 0}, key_[0]));
  }
  /// component(i): the hash of the i-th one. Their sum where their order is without meaning, else a
  /// polynomial.
  template <class Component>
  std::uint32_t inner(TermLabel label, bool commutative, Component component) const {
    std::uint64_t sum = 0;
    if (commutative)
      for (std::size_t i = 0; i < label.size; ++i) sum += component(i);
    else
      for (std::size_t i = 0; i < label.size; ++i) sum = (sum + component(i)) * factor;
    return static_cast<std::uint32_t>(fold(sum ^ label.bits(), key_[2]));
  }

 private:
  // At most 16 bytes with zeros behind them, so that hashing does not ask how many there are.
  static TwoWords words_of(const char* name, std::size_t bytes) {
    const TwoWords words = TwoWords::at(name), mask = TwoWords::mask(bytes);
    return {words.first & mask.first, words.second & mask.second};
  }
  std::uint64_t of_two(TermLabel label, TwoWords words, std::uint64_t before) const {
    return fold(words.first ^ before, words.second ^ label.bits() ^ key_[1]);
  }

  static constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
  Key key_;
};

}  // namespace engram::narsese
