// SPDX-License-Identifier: MIT
// Names that a system holds, in place of those that it cannot: one to one, so that all can be named back.
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

/// How many bytes of a name the dialect's system keeps, and every reader of files.
std::size_t most_name_bytes(narsese::Dialect to);

/// Whether the dialect's system reads an atom of this name as that atom.
bool is_held(narsese::Dialect to, const std::string& name);

/// Of A-Z a-z 0-9 _ alone: every other byte becomes an underscore, and an `n` stands before what begins with a
/// digit or an underscore or would be no name.
std::string plain_name(const std::string& wanted);

/// The name, cut, an underscore and so many hexadecimal digits of the SHA-256 of `source`, in at most `most`
/// bytes; digits (6 .. 64) and an underscore leave one byte of the name at least.
std::string marked_name(std::string_view name, const std::string& source, std::size_t digits,
                        std::size_t most);
inline constexpr std::size_t first_digits = 6, all_digits = 64;

struct Renamed {
  std::string name, source;  // with the ^ of an operator
};

/// A text in which each source that stands as a word of its own is called by its name.
/// Cost     O(text size * names)
std::string renamed_in(std::string_view text, const std::vector<Renamed>& names);

/// Renames terms as they come. An atom or operator that the target does not hold, or whose name another has
/// been given before, becomes its plain_name, if that is short enough and free, or else its marked_name; all
/// others keep theirs. So no two become one, and what a name becomes depends on those before it.
/// Memory   some 200 bytes a name, beside the table's
/// Cost     O(term) expected, and of each new name a translation
class ShortNames {
 public:
  /// `table` is that of the terms, and outlives this.
  ShortNames(narsese::TermTable& table, narsese::Dialect to);

  /// The term as the target is to hold it.
  narsese::Term operator()(narsese::Term term);

  /// All that was renamed so far, in the order in which it came.
  const std::vector<Renamed>& renamed() const { return renamed_; }

 private:
  narsese::Term named(narsese::Term leaf);
  std::string free_name(const std::string& source);

  struct Hash {
    std::size_t operator()(narsese::Term term) const { return static_cast<std::size_t>(term.hash()); }
  };

  narsese::TermTable& table_;
  narsese::Dialect to_;
  std::unordered_map<narsese::Term, narsese::Term, Hash> known_;  // leaves
  std::unordered_set<std::string> taken_;                         // as written, with ^
  std::vector<Renamed> renamed_;
};

}  // namespace engram::bridge
