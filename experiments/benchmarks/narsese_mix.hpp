// SPDX-License-Identifier: MIT
// Narsese text for benchmarks of parsers: forms of real corpora that ONA, OpenNARS and PyNARS read as the same terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace engram::benchmarks {

/// A text whose lines all end with a line feed.
struct NarseseMix {
  std::string_view name;
  std::uint64_t atoms = 0;  // number of names in the vocabulary
  std::string text;
};

/// The distribution of atoms in the lines.
enum class Frequencies {
  zipf,     // the k-th atom has frequency 1/k (Zipf 1949), like words in texts and concepts in graphs
  uniform,  // all equal: the worst case for a term table, because look-ups are scattered
};

inline constexpr std::size_t shortest_line = 35;  // bytes, without line feed
inline constexpr std::size_t longest_line = 80;

/// A small domain: 100 atoms and frequently repeated terms. ONA's default build, which has space for 182 atoms, can
/// read it. A line depends only on the seed, its number and the atoms.
NarseseMix small_vocabulary(std::size_t lines, std::uint64_t seed,
                            Frequencies frequencies = Frequencies::zipf);

/// A knowledge base: one atom for five lines (at least 100), and mostly new statements.
NarseseMix large_vocabulary(std::size_t lines, std::uint64_t seed,
                            Frequencies frequencies = Frequencies::zipf);

/// Returns a name of 5 to 14 bytes for numbers up to 999,999: cat_7, mammal_41, concept_123456.
std::string atom_name(std::uint64_t number);

}  // namespace engram::benchmarks
