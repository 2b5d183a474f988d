// SPDX-License-Identifier: MIT
// Replacement of names that a NARS implementation does not support. The mapping is one to one, so it can be reversed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// Maximum length of a name in bytes that both the system of this dialect and all file readers accept.
std::size_t max_name_bytes(narsese::Dialect to);

/// Whether the system of the dialect reads an atom with this name as the same atom.
bool is_supported_name(narsese::Dialect to, const std::string& name);

/// Converts a name to one that every system supports. Bytes other than A-Z a-z 0-9 _ become underscores. An `n` is
/// prepended if the result would be empty or `SELF`, or begin with a digit or an underscore.
std::string plain_name(const std::string& wanted);

/// A unique variant of a name: the truncated name, an underscore, and `digits` hexadecimal digits of the SHA-256 of
/// `source`. The result has at most `most` bytes, and at least one byte of the name.
/// Ranges   digits 6 .. 64
std::string hashed_name(std::string_view name, const std::string& source, std::size_t digits,
                        std::size_t most);
inline constexpr std::size_t min_hash_digits = 6, max_hash_digits = 64;

/// A replacement name and the original name, `source`.
struct Renamed {
  std::string name, source;  // with the ^ of an operator
};

/// Replaces original names in a text by their replacements, if they are whole words.
/// Cost     O(text size * names)
std::string renamed_in(std::string_view text, const std::vector<Renamed>& names);

/// Replaces the names of atoms and operators that a target system does not support, or that are already in use as
/// replacements. The new name is the plain_name() if that is short enough and unused, otherwise a hashed_name().
/// Different names never become equal. A replacement depends on the earlier names.
/// Memory   about 200 bytes per name
/// Cost     O(term) expected; in addition a translation for each new name
class ShortNames {
 public:
  explicit ShortNames(narsese::Dialect to) : to_(to) {}

  /// Replaces the names in a term of this table.
  narsese::Term operator()(narsese::TermTable& table, narsese::Term term);

  /// All replacements so far, in order.
  const std::vector<Renamed>& renamed() const { return renamed_; }

 private:
  const std::string& name_for(const std::string& source);
  std::string unused_name(const std::string& source);

  narsese::Dialect to_;
  std::unordered_map<std::string, std::string> known_;  // names by their sources, with ^
  std::unordered_set<std::string> used_;                // names
  std::vector<Renamed> renamed_;
};

/// Original names by their replacements.
using OriginalNames = std::unordered_map<std::string, std::string>;
/// Reverses replacements in a term of this table. Use it for the output of a NARS.
narsese::Term with_original_names(const OriginalNames& names, narsese::TermTable& table, narsese::Term term);

}  // namespace engram::bridge
