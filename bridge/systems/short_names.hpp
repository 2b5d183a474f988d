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

/// A name, and what it stands for.
struct Renamed {
  std::string name, source;  // with the ^ of an operator
};

/// A text in which each source that stands as a word of its own is called by its name.
/// Cost     O(text size * names)
std::string renamed_in(std::string_view text, const std::vector<Renamed>& names);

/// Renames terms as they come. An atom or operator that the target does not hold, or whose name another has
/// been given before, becomes its plain_name, if that is short enough and free, or else its marked_name; all
/// others keep theirs. So no two become one, and what a name becomes depends on those before it.
/// Memory   some 200 bytes a name
/// Cost     O(term) expected, and of each new name a translation
class ShortNames {
 public:
  explicit ShortNames(narsese::Dialect to) : to_(to) {}

  /// The term, which is of this table, as the target is to hold it.
  narsese::Term operator()(narsese::TermTable& table, narsese::Term term);

  /// All that was renamed so far, in the order in which it came.
  const std::vector<Renamed>& renamed() const { return renamed_; }

 private:
  const std::string& name_for(const std::string& source);
  std::string free_name(const std::string& source);

  narsese::Dialect to_;
  std::unordered_map<std::string, std::string> known_;  // names by their sources, with ^
  std::unordered_set<std::string> taken_;               // names
  std::vector<Renamed> renamed_;
};

/// What was renamed, named back.
class NamesBack {
 public:
  /// A name stands for what it was last said to stand for.
  void add(const Renamed& renamed) { sources_.insert_or_assign(renamed.name, renamed.source); }
  /// Forgets all names.
  void clear() { sources_.clear(); }
  bool empty() const { return sources_.empty(); }

  /// The term, which is of this table, with the sources of all names that were given.
  narsese::Term operator()(narsese::TermTable& table, narsese::Term term) const;

 private:
  std::unordered_map<std::string, std::string> sources_;  // by names
};

}  // namespace engram::bridge
