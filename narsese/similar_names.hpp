// SPDX-License-Identifier: MIT
// Similar names: functions that find names which were likely meant to be one name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engram::narsese {

/// The appearance of a name: names with equal appearances are hard to distinguish on a screen. Use it to find names
/// that were pasted with an invisible character or typed on another keyboard.
///
/// The appearance is the confusable skeleton of the Unicode standard without white space and invisible characters.
/// The Cyrillic letter that looks like a becomes a. An accented letter gives the same result composed (NFC) and
/// decomposed (NFD). Similar ASCII characters (l and 1, m and rn) also become equal, so compare two names only if at
/// least one is not ASCII.
/// Errors   none; text that is not UTF-8 is its own appearance
/// Cost     O(bytes), about a microsecond for a name
/// Source   Unicode Technical Standard 39, section 4, as in ICU (uspoof_getSkeleton)
std::string appearance(std::string_view name);

/// Lists the characters of a name that are invisible or look like ASCII characters, each once, in order: "U+200B ZERO
/// WIDTH SPACE, U+0430 CYRILLIC SMALL LETTER A". The list has at most three.
std::string deceptive_characters(std::string_view name);

/// Returns the end of a message about two names that look alike: ": U+200B ZERO WIDTH SPACE". Lists the deceptive
/// characters of the first name, or those of the second if the first name lacks them.
std::string deceptive_ending(std::string_view name, std::string_view other);

/// Whether the text is ASCII: every byte is below 0x80.
bool is_ascii(std::string_view text);

/// Returns the Levenshtein distance of two texts, or `most` if the distance is larger.
/// Cost     O(a.size() b.size())
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

/// Returns the candidate with the smallest Levenshtein distance to `name`, or an empty string if every distance is more
/// than half of the length of the name. Use it for suggestions after a misspelt name.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// A name and its number of uses.
struct NameCount {
  std::string_view name;  // UTF-8
  std::uint64_t uses = 0;
};

/// A pair of names that were likely meant to be one name.
struct SimilarNames {
  /// Kind of difference.
  enum class Kind : std::uint8_t {
    spelling,  // letter case, or - for _
    plural,    // an s at the end
    letter,    // one letter missing, added, changed, or swapped with the next
    look,      // different code points with one appearance
  };
  std::size_t odd = 0;    // index of the name that is likely misspelt
  std::size_t usual = 0;  // index of the name that was likely meant
  Kind kind = Kind::spelling;

  friend bool operator==(const SimilarNames&, const SimilarNames&) = default;
};

/// Returns the words of a message between two names, such as "differs by one letter from".
std::string_view difference(SimilarNames::Kind kind);

/// Pairs each name that is likely misspelt with the name that was likely meant. The difference is the first of
/// `look`, `spelling`, `plural`, `letter` that applies. Pairs are in the order of the misspelt names. They depend
/// only on the set of names and uses, not on the order of `names`.
///
/// Misspelling is rare, so the odd name has one or two uses and the usual name has more. Names with one appearance,
/// and names that differ by - and _, are paired whatever their uses. Names of a series such as bird1 and bird2, or
/// shapeA and shapeB, are not paired: `letter` needs a word of at least 5 letters in a name of at most 64 bytes.
/// These numbers are chosen so that the published files give few false pairs.
/// Cost     O(total size of the names) expected; for `letter` times the size of a name, because all names with one
///          letter left out are hashed (Mor and Fraenkel 1982). If more than 64 usual names share such a hash, they
///          are not compared
std::vector<SimilarNames> similar_names(const std::vector<NameCount>& names);

}  // namespace engram::narsese
