// SPDX-License-Identifier: MIT
// Unique names for a target NARS, one for each name of a source, and the table of renamed names.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "experiments/imports/knowledge.hpp"
#include "narsese/dialect.hpp"

namespace engram::experiments {

/// Returns a distinct atom for each name, in order.
///
/// A preferred name is kept if it consists of letters, digits and underscores, does not begin with a digit, and the
/// target reads it as this name. A quoted name is kept if the target supports quotes. In other names, every character
/// but A-Z a-z 0-9 _ becomes an underscore; beyond ASCII, every byte does. An `n` is put before names that begin with a
/// digit or would not be valid. A name that is too long or already taken is cut and gets a suffix: an underscore and
/// the first six or more hexadecimal digits of the SHA-256 of the source. Names that can be kept have priority, then
/// earlier names. If two sources have the same name, the second one causes a warning.
/// Cost     O(sum of the sizes) expected, and a translation of each name beyond plain ASCII
std::vector<std::string> target_names(const Knowledge& knowledge, narsese::Dialect to);

/// Comment lines that record the source name of an atom, without the comment sign: `name: ATOM is "SOURCE"`. SOURCE is
/// a JSON string. If it has more than 900 bytes, it continues in lines with `is +`.
std::vector<std::string> name_lines(const std::string& atom, std::string_view source);

}  // namespace engram::experiments
