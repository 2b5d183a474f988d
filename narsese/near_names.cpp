// SPDX-License-Identifier: MIT
#include "narsese/near_names.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "narsese/appearance.hpp"
#include "narsese/hash_index.hpp"

namespace engram::narsese {
namespace {

constexpr std::uint64_t most_slips = 2;  // uses of one misspelt name
constexpr std::size_t min_points = 5, max_bytes = 64, max_alike = 64;
constexpr std::size_t min_stem_bytes = 3;  // of a word and its plural; shorter names are symbols, not words

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_upper(c) || is_lower(c) || static_cast<unsigned char>(c) >= 0x80; }
bool continues_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Of ASCII alone: other scripts would need tables, and mostly have no case.
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

// Whether what stands at i belongs to a word long enough to be misspelt: the A of shapeA and the b of block_b
// tell which one of several is meant, and lives_in is not lives_on. What is no letter is a word by itself.
bool is_in_long_word(const std::vector<std::string_view>& name, std::size_t i) {
  std::size_t begin = i, end = i + 1;
  while (begin > 0 && !is_boundary(name[begin - 1][0], name[begin][0])) --begin;
  while (end < name.size() && !is_boundary(name[end - 1][0], name[end][0])) ++end;
  return end - begin >= min_points;
}

// Whether the names are one letter apart, and not two of a series.
bool one_letter_apart(std::string_view x, std::string_view y) {
  auto a = points(x), b = points(y);
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > 1) return false;
  const auto i = static_cast<std::size_t>(std::mismatch(b.begin(), b.end(), a.begin()).first - b.begin());
  const auto alike_from = [&](std::size_t in_a, std::size_t in_b) {
    return std::equal(a.begin() + static_cast<std::ptrdiff_t>(in_a), a.end(),
                      b.begin() + static_cast<std::ptrdiff_t>(in_b), b.end());
  };
  const bool is_separator = i < a.size() && (a[i] == "_" || a[i] == "-");  // hasleg for has_leg
  if (a.size() > b.size()) return alike_from(i + 1, i) && (is_separator || is_in_long_word(a, i));
  if (i == a.size() || !is_in_long_word(a, i) || !is_in_long_word(b, i)) return false;
  const bool exchanged = i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] && is_letter(a[i + 1][0]);
  return alike_from(i + 1, i + 1) || (exchanged && alike_from(i + 2, i + 2));
}

// Calls visit(hash) for the name and for each of its rests with one code point left out. A hash is a sum over
// the points left, so each rest costs O(1).
template <class Visit>
void for_each_rest(std::string_view name, Visit visit) {
  const auto letters = points(name);
  std::vector<std::uint64_t> behind(letters.size() + 1, 0);  // of the points from i on, one place to the left
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

  std::vector<NearNames> run() {
    by_look();
    by_spelling();
    by_plural();
    by_letter();
    std::vector<NearNames> pairs;
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

  // Which of two candidates is likelier meant: the more used one, else the first by its bytes.
  bool is_likelier(std::size_t a, std::size_t b) const {
    return std::pair(names_[b].uses, names_[a].name) < std::pair(names_[a].uses, names_[b].name);
  }

  void note(std::size_t odd, std::size_t usual, NearNames::How how) {
    auto& pair = found_[odd];
    if (!pair || (pair->how == how && is_likelier(usual, pair->usual))) pair = NearNames{odd, usual, how};
  }

  // Names with one appearance: each of them beside the likeliest.
  void by_look() {
    if (std::ranges::all_of(names_, [](const NameCount& name) { return is_ascii(name.name); })) return;
    std::unordered_map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i].name.size() <= max_bytes) groups[appearance(names_[i].name)].push_back(i);
    for (const auto& entry : groups) {  // what is noted for a name does not depend on the other entries
      const auto& group = entry.second;
      const std::size_t usual = *std::min_element(
          group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return is_likelier(a, b); });
      for (const std::size_t odd : group)
        if (odd != usual && may_be_meant_alike(names_[odd].name, names_[usual].name))
          note(odd, usual, NearNames::How::look);
    }
  }

  // Names with one normal form: each of them beside the likeliest.
  void by_spelling() {
    normal_.reserve(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) normal_[normal(names_[i].name)].push_back(i);
    for (const auto& entry : normal_) {  // what is noted for a name does not depend on the other entries
      const auto& group = entry.second;
      const std::size_t usual = *std::min_element(
          group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return is_likelier(a, b); });
      for (const std::size_t odd : group)
        if (odd != usual && is_slip(names_[odd].name, names_[usual].name, odd, usual))
          note(odd, usual, NearNames::How::spelling);
    }
  }

  // ASCII characters that resemble one another are told apart by who types them, and so are single letters: a formula
  // may use x and the Greek letter that looks like it.
  static bool may_be_meant_alike(std::string_view a, std::string_view b) {
    return !(is_ascii(a) && is_ascii(b)) && (points(a).size() > 1 || points(b).size() > 1);
  }

  // Nobody tells two things apart by - and _, but some do by case: FAST is the word and fast what it means.
  bool is_slip(std::string_view odd_name, std::string_view usual_name, std::size_t odd, std::size_t usual) {
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
        if (is_rarer(i, j)) note(i, j, NearNames::How::plural);
        if (is_rarer(j, i)) note(j, i, NearNames::How::plural);
      }
    }
  }

  bool has_letters_to_spare(std::string_view name) const {
    return name.size() <= max_bytes && points(name).size() >= min_points;
  }

  void by_letter() {
    std::vector<std::pair<std::uint64_t, std::size_t>> rests;  // of names that may be the usual one
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
              note(odd, entry->second, NearNames::How::letter);
        });
  }

  const std::vector<NameCount>& names_;
  std::vector<std::optional<NearNames>> found_;
  std::unordered_map<std::string, std::vector<std::size_t>> normal_;
};

}  // namespace

std::string_view difference(NearNames::How how) {
  switch (how) {
    case NearNames::How::spelling:
      return "differs in spelling only from";
    case NearNames::How::plural:
      return "differs by an s from";
    case NearNames::How::letter:
      return "differs by one letter from";
    case NearNames::How::look:
      break;
  }
  return "only looks like";
}

std::vector<NearNames> near_names(const std::vector<NameCount>& names) { return Search(names).run(); }

}  // namespace engram::narsese
