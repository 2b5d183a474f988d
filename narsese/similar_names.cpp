// SPDX-License-Identifier: MIT
#include "narsese/similar_names.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "narsese/hash_index.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

bool is_invisible(UChar32 c) {
  return u_isUWhiteSpace(c) || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || u_iscntrl(c) ||
         u_charType(c) == U_FORMAT_CHAR;
}

icu::UnicodeString visible(const icu::UnicodeString& text) {
  icu::UnicodeString kept;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    if (const UChar32 c = text.char32At(i); !is_invisible(c)) kept.append(c);
  return kept;
}

// The skeleton of a text, or the text itself if ICU's data is missing.
icu::UnicodeString skeleton(const icu::UnicodeString& text) {
  UErrorCode error = U_ZERO_ERROR;
  static USpoofChecker* const checker = uspoof_open(&error);  // read-only, so threads may share it
  icu::UnicodeString made;
  if (checker != nullptr) uspoof_getSkeletonUnicodeString(checker, 0, text, made, &error);
  return checker != nullptr && U_SUCCESS(error) ? made : text;
}

bool looks_like_ascii(UChar32 c) {
  const icu::UnicodeString like = skeleton(icu::UnicodeString(c));
  return c >= 0x80 && like.length() > 0 && like.char32At(0) < 0x80;
}

std::string with_name(UChar32 c) {
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "U+%04X", static_cast<unsigned>(c));
  std::array<char, 128> name{};
  UErrorCode error = U_ZERO_ERROR;
  u_charName(c, U_EXTENDED_CHAR_NAME, name.data(), static_cast<int32_t>(name.size()), &error);
  return U_SUCCESS(error) ? std::string(number.data()) + ' ' + name.data() : number.data();
}

icu::UnicodeString utf16(std::string_view text) {
  return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
}

constexpr std::uint64_t most_slips = 2;  // uses of a misspelt name
constexpr std::size_t min_points = 5, max_bytes = 64, max_alike = 64;
// Least size of a word that may have a plural; shorter names are symbols rather than words.
constexpr std::size_t min_stem_bytes = 3;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_upper(c) || is_lower(c) || static_cast<unsigned char>(c) >= 0x80; }
bool continues_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Lower case, with _ for -. Only ASCII: other scripts need tables and mostly have no case.
std::string normal(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c == '-' ? '_' : c;
  return out;
}

// The code points of a name.
std::vector<std::string_view> points(std::string_view name) {
  std::vector<std::string_view> points;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i + 1;
    while (end < name.size() && continues_point(name[end])) ++end;
    points.push_back(name.substr(i, end - i));
    i = end;
  }
  return points;
}

bool is_boundary(char before, char after) {
  return !is_letter(before) || !is_letter(after) || (!is_upper(before) && is_upper(after));
}

// Whether code point i is in a word long enough to be misspelt. The A of shapeA and the b of block_b number a series,
// and lives_in is not lives_on. Characters other than letters are words of their own.
bool is_in_long_word(const std::vector<std::string_view>& name, std::size_t i) {
  std::size_t begin = i, end = i + 1;
  while (begin > 0 && !is_boundary(name[begin - 1][0], name[begin][0])) --begin;
  while (end < name.size() && !is_boundary(name[end - 1][0], name[end][0])) ++end;
  return end - begin >= min_points;
}

// Whether the names are one letter apart and do not belong to a series.
bool one_letter_apart(std::string_view x, std::string_view y) {
  auto a = points(x), b = points(y);
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > 1) return false;
  const auto i = static_cast<std::size_t>(std::mismatch(b.begin(), b.end(), a.begin()).first - b.begin());
  const auto alike_from = [&](std::size_t in_a, std::size_t in_b) {
    return std::equal(a.begin() + static_cast<std::ptrdiff_t>(in_a), a.end(),
                      b.begin() + static_cast<std::ptrdiff_t>(in_b), b.end());
  };
  const bool is_separator = i < a.size() && (a[i] == "_" || a[i] == "-");  // hasleg instead of has_leg
  if (a.size() > b.size()) return alike_from(i + 1, i) && (is_separator || is_in_long_word(a, i));
  if (i == a.size() || !is_in_long_word(a, i) || !is_in_long_word(b, i)) return false;
  const bool exchanged = i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] && is_letter(a[i + 1][0]);
  return alike_from(i + 1, i + 1) || (exchanged && alike_from(i + 2, i + 2));
}

// Calls visit(hash) for the name and for each variant with one code point left out. A hash is a sum over the
// remaining points, so each variant costs O(1).
template <class Visit>
void for_each_rest(std::string_view name, Visit visit) {
  const auto letters = points(name);
  // behind[i]: hash of the points from i on, shifted one place to the left
  std::vector<std::uint64_t> behind(letters.size() + 1, 0);
  for (std::size_t i = letters.size(); i-- > 0;)
    behind[i] = behind[i + 1] + (i == 0 ? 0 : hash_combine(i - 1, hash_bytes(letters[i])));
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    visit(before + behind[i + 1]);
    before += hash_combine(i, hash_bytes(letters[i]));
  }
  visit(before);
}

class Search {
 public:
  explicit Search(const std::vector<NameCount>& names) : names_(names), found_(names.size()) {}

  std::vector<SimilarNames> run() {
    by_look();
    by_spelling();
    by_plural();
    by_letter();
    std::vector<SimilarNames> pairs;
    for (const auto& pair : found_)
      if (pair) pairs.push_back(*pair);
    return pairs;
  }

 private:
  bool may_be_odd(std::size_t i) const { return names_[i].uses >= 1 && names_[i].uses <= most_slips; }
  bool may_be_usual(std::size_t i) const { return names_[i].uses > 1; }
  bool is_rarer(std::size_t odd, std::size_t usual) const {
    return may_be_odd(odd) && names_[usual].uses > names_[odd].uses;
  }

  // Whether a is the likelier intended name: it has more uses or, with equal uses, comes first by its bytes.
  bool is_likelier(std::size_t a, std::size_t b) const {
    return std::pair(names_[b].uses, names_[a].name) < std::pair(names_[a].uses, names_[b].name);
  }

  void note(std::size_t odd, std::size_t usual, SimilarNames::Kind kind) {
    auto& pair = found_[odd];
    if (!pair || (pair->kind == kind && is_likelier(usual, pair->usual)))
      pair = SimilarNames{odd, usual, kind};
  }

  using Groups = std::unordered_map<std::string, std::vector<std::size_t>>;

  // Pairs the likeliest name of each group with the others if is_pair(odd, usual). The order of groups does not matter.
  template <class IsPair>
  void note_groups(const Groups& groups, SimilarNames::Kind kind, IsPair is_pair) {
    for (const auto& [key, group] : groups) {
      const std::size_t usual =
          *std::ranges::min_element(group, [&](std::size_t a, std::size_t b) { return is_likelier(a, b); });
      for (const std::size_t odd : group)
        if (odd != usual && is_pair(odd, usual)) note(odd, usual, kind);
    }
  }

  void by_look() {
    if (std::ranges::all_of(names_, [](const NameCount& name) { return is_ascii(name.name); })) return;
    Groups groups;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i].name.size() <= max_bytes) groups[appearance(names_[i].name)].push_back(i);
    note_groups(groups, SimilarNames::Kind::look, [&](std::size_t odd, std::size_t usual) {
      return may_be_meant_alike(names_[odd].name, names_[usual].name);
    });
  }

  void by_spelling() {
    normal_.reserve(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) normal_[normal(names_[i].name)].push_back(i);
    note_groups(normal_, SimilarNames::Kind::spelling,
                [&](std::size_t odd, std::size_t usual) { return is_slip(odd, usual); });
  }

  // Authors distinguish similar ASCII characters, and single letters: a formula may use x and a Greek letter that
  // looks like x.
  static bool may_be_meant_alike(std::string_view a, std::string_view b) {
    return !(is_ascii(a) && is_ascii(b)) && (points(a).size() > 1 || points(b).size() > 1);
  }

  // Names that differ only by - and _ are always a slip. Case may distinguish two things (FAST the word, fast its
  // meaning), so uses decide.
  bool is_slip(std::size_t odd, std::size_t usual) const {
    const std::string_view odd_name = names_[odd].name, usual_name = names_[usual].name;
    for (std::size_t i = 0; i < odd_name.size(); ++i)
      if (odd_name[i] != usual_name[i] && !is_letter(odd_name[i])) return true;
    return odd_name.size() >= min_stem_bytes && is_rarer(odd, usual);
  }

  void by_plural() {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      std::string name = normal(names_[i].name);
      if (name.size() <= min_stem_bytes || name.back() != 's') continue;
      name.pop_back();
      const auto stem = normal_.find(name);
      if (!is_letter(name.back()) || stem == normal_.end()) continue;
      for (const std::size_t j : stem->second) {
        if (is_rarer(i, j)) note(i, j, SimilarNames::Kind::plural);
        if (is_rarer(j, i)) note(j, i, SimilarNames::Kind::plural);
      }
    }
  }

  bool has_letters_to_spare(std::string_view name) const {
    return name.size() <= max_bytes && points(name).size() >= min_points;
  }

  void by_letter() {
    std::vector<std::pair<std::uint64_t, std::size_t>> rests;  // variants of names that may be the usual one
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (may_be_usual(i) && has_letters_to_spare(names_[i].name))
        for_each_rest(names_[i].name, [&](std::uint64_t hash) { rests.emplace_back(hash, i); });
    std::sort(rests.begin(), rests.end());
    for (std::size_t odd = 0; odd < names_.size(); ++odd)
      if (may_be_odd(odd) && has_letters_to_spare(names_[odd].name))
        for_each_rest(names_[odd].name, [&](std::uint64_t hash) {
          const auto first = std::lower_bound(rests.begin(), rests.end(), std::pair(hash, std::size_t{0}));
          auto last = first;
          while (last != rests.end() && last->first == hash && last - first <= std::ptrdiff_t{max_alike})
            ++last;
          if (last - first > std::ptrdiff_t{max_alike}) return;
          for (auto entry = first; entry != last; ++entry)
            if (is_rarer(odd, entry->second) &&
                one_letter_apart(names_[odd].name, names_[entry->second].name))
              note(odd, entry->second, SimilarNames::Kind::letter);
        });
  }

  const std::vector<NameCount>& names_;
  std::vector<std::optional<SimilarNames>> found_;
  Groups normal_;
};

}  // namespace

std::string appearance(std::string_view name) {
  if (find_invalid_utf8(name) < name.size()) return std::string(name);
  std::string out;
  return visible(skeleton(visible(utf16(name)))).toUTF8String(out);
}

std::string deceptive_characters(std::string_view name) {
  constexpr std::size_t most_named = 3;
  std::string list;
  std::set<UChar32> named;
  const icu::UnicodeString text = utf16(name);
  for (int32_t i = 0; i < text.length() && named.size() < most_named; i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    const bool combines = u_getCombiningClass(c) != 0;
    if ((!is_invisible(c) && !combines && !looks_like_ascii(c)) || !named.insert(c).second) continue;
    list += (list.empty() ? "" : ", ") + with_name(c);
  }
  return list;
}

std::string deceptive_ending(std::string_view name, std::string_view other) {
  std::string found = deceptive_characters(name);
  if (found.empty()) found = deceptive_characters(other);
  return found.empty() ? found : ": " + found;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= most) return most;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size() && std::ranges::min(row) < most; ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j] ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return std::min(row.back(), most);
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = name.size() / 2 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate, best_distance);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string_view difference(SimilarNames::Kind kind) {
  switch (kind) {
    case SimilarNames::Kind::spelling:
      return "differs in spelling only from";
    case SimilarNames::Kind::plural:
      return "differs by an s from";
    case SimilarNames::Kind::letter:
      return "differs by one letter from";
    case SimilarNames::Kind::look:
      break;
  }
  return "only looks like";
}

std::vector<SimilarNames> similar_names(const std::vector<NameCount>& names) { return Search(names).run(); }

}  // namespace engram::narsese
