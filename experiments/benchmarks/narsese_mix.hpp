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

inline constexpr std::size_t shortest_line = 35;  // bytes, without the line feed
inline constexpr std::size_t longest_line = 80;

/// A small world talked about at length: 100 atoms, and terms that come again and again. ONA's stock build,
/// which has room for 182 atoms, can read it. A line depends on the seed, its number and the atoms alone.
NarseseMix small_vocabulary(std::size_t lines, std::uint64_t seed);

/// A knowledge base: an atom for five lines (at least 100), and nearly every statement is new.
NarseseMix large_vocabulary(std::size_t lines, std::uint64_t seed);

/// 5 to 14 bytes up to number 999,999: cat_7, mammal_41, concept_123456.
std::string atom_name(std::uint64_t number);

}  // namespace engram::benchmarks
