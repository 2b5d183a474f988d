// SPDX-License-Identifier: MIT
// Names that a NARS takes, one for each name of a source.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "experiments/imports/knowledge.hpp"
#include "narsese/dialect.hpp"

namespace engram::experiments {

/// The atom for each of the names, in their order; no two have the same.
///
/// A wanted name stays as it is if it is made of letters, digits and underscores, does not begin with a
/// digit, and the target reads it as that name; so does one in quotes, where the target reads these. In
/// others, every character but A-Z a-z 0-9 _ becomes an underscore (of a run of bytes beyond ASCII, each
/// byte), and an `n` stands before what begins with a digit or would be no name. What is too long for the
/// target, or would be another's name, is cut and ends in an underscore and the first six hexadecimal digits
/// of the SHA-256 of the source, as many more as it takes. Names that can stay come first, then those met
/// first.
/// Two sources with one name are told as a warning where the second is met.
/// Cost     O(sum of the sizes) expected, and a translation of each that is not plain ASCII
std::vector<std::string> target_names(const Knowledge& knowledge, narsese::Dialect to);

}  // namespace engram::experiments
