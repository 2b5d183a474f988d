// SPDX-License-Identifier: MIT
// Lines of Narsese to time parsers with: the forms that real corpora contain, as far as ONA, OpenNARS and
// PyNARS all read them as the same term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace engram::benchmarks {

/// Lines, each ended by a line feed.
struct NarseseMix {
  std::string_view name;
  std::uint64_t atoms = 0;  // names that the lines draw from
  std::string text;
};

/// How often the atoms stand in the lines.
enum class Frequencies {
  zipf,  // the k-th atom 1/k as often as the first (Zipf 1949): as words in texts and concepts in graphs do
  uniform,  // all alike: the hardest case for a table of terms, as every look-up goes to another place
};

inline constexpr std::size_t shortest_line = 35;  // bytes, without the line feed
inline constexpr std::size_t longest_line = 80;

/// A small world talked about at length: 100 atoms, and terms that come again and again. ONA's stock build,
/// which has room for 182 atoms, can read it. A line depends on the seed, its number and the atoms alone.
NarseseMix small_vocabulary(std::size_t lines, std::uint64_t seed,
                            Frequencies frequencies = Frequencies::zipf);

/// A knowledge base: an atom for five lines (at least 100), and most statements are new.
NarseseMix large_vocabulary(std::size_t lines, std::uint64_t seed,
                            Frequencies frequencies = Frequencies::zipf);

/// 5 to 14 bytes up to number 999,999: cat_7, mammal_41, concept_123456.
std::string atom_name(std::uint64_t number);

}  // namespace engram::benchmarks
