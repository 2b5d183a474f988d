// SPDX-License-Identifier: MIT
// Replaces names that a system does not support by names that it does. The mapping is one to one, so it can be
// reversed.
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

/// Most bytes of a name that both the system of the dialect and all file readers accept.
std::size_t max_name_bytes(narsese::Dialect to);

/// Whether the system of the dialect reads an atom with this name as the same atom.
bool is_supported_name(narsese::Dialect to, const std::string& name);

/// Converts a name to the characters A-Z a-z 0-9 _. Every other byte becomes an underscore. An `n` is prepended if the
/// result begins with a digit or an underscore, or would not be a name.
std::string plain_name(const std::string& wanted);

/// A unique variant of a name: the name, truncated, an underscore, and `digits` hexadecimal digits of the SHA-256 of
/// `source`. The result has at most `most` bytes, at least one of them from the name.
/// Ranges   digits 6 .. 64
std::string hashed_name(std::string_view name, const std::string& source, std::size_t digits,
                        std::size_t most);
inline constexpr std::size_t min_hash_digits = 6, max_hash_digits = 64;

/// A replacement name and the original.
struct Renamed {
  std::string name, source;  // with the ^ of an operator
};

/// Replaces each source in a text by its name, if the source is a whole word.
/// Cost     O(text size * names)
std::string renamed_in(std::string_view text, const std::vector<Renamed>& names);

/// Renames terms one after another. An atom or operator is renamed if the target does not support it, or if its name
/// was already used as a replacement. Its new name is its plain_name, if that is short enough and free, otherwise a
/// marked_name. Different names never become equal. A replacement depends on the names before it.
/// Memory   about 200 bytes per name
/// Cost     O(term) expected; in addition a translation for each new name
class ShortNames {
 public:
  explicit ShortNames(narsese::Dialect to) : to_(to) {}

  /// Renames a term of this table for the target.
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

/// Reverses replacements.
class OriginalNames {
 public:
  /// Adds a replacement. A later one for the same name replaces it.
  void add(const Renamed& renamed) { sources_.insert_or_assign(renamed.name, renamed.source); }
  /// Forgets all names.
  void clear() { sources_.clear(); }
  bool empty() const { return sources_.empty(); }

  /// Restores the original names in a term of this table.
  narsese::Term operator()(narsese::TermTable& table, narsese::Term term) const;

 private:
  std::unordered_map<std::string, std::string> sources_;  // by names
};

}  // namespace engram::bridge
