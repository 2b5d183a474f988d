// SPDX-License-Identifier: MIT
// Finds names that are likely the same name, misspelt.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace engram::narsese {

/// A name, and how often it is used.
struct NameCount {
  std::string_view name;  // UTF-8
  std::uint64_t uses = 0;
};

/// Two names that may be meant to be one.
struct NearNames {
  /// How they differ.
  enum class How : std::uint8_t {
    spelling,  // letter case, or - for _
    plural,    // an s at the end
    letter,    // one letter left out, put in, changed, or changed places with the next
    look,      // code points only: they look alike (narsese/appearance.hpp)
  };
  std::size_t odd = 0;    // the name that is likely the slip, by its place in the list
  std::size_t usual = 0;  // the one that is likely meant
  How how = How::spelling;

  friend bool operator==(const NearNames&, const NearNames&) = default;
};

/// The middle of a message on a pair: "<odd> differs by one letter from <usual>".
std::string_view difference(NearNames::How how);

/// Pairs of different names of the list, in the order of their odd ones, which have one pair each: the first
/// of `look`, `spelling`, `plural`, `letter` that applies. A slip is rare, so the odd name is used once or twice, and
/// the usual one more often. Names that look alike, or differ by - and _, are paired however
/// often they are used. Names of one series are no slips, such as
/// bird1 and bird2 or shapeA and shapeB: what differs by a letter is a word of at least 5 letters, in a name
/// of at most 64 bytes. The pairs depend on the set of names alone, not on their order. The numbers are
/// chosen, not derived, to find little but slips in the published files.
///
/// Cost  O(sum of the sizes) expected, times the size of a name for those of `letter`: all names with a
///       letter left out are hashed (Mor and Fraenkel 1982); of more than 64 usual names with one such rest
///       none is compared
std::vector<NearNames> near_names(const std::vector<NameCount>& names);

}  // namespace engram::narsese
