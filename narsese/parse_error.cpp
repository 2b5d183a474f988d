// SPDX-License-Identifier: MIT
#include "narsese/parse_error.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "narsese/symbols.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

constexpr std::size_t longest = 12;  // chosen: enough for a copula with a repeated character

struct Slip {
  std::string_view written, meant;
};
// Copulas of other languages, and texts that are equally near to a frequent and a rare copula.
constexpr std::array<Slip, 9> known_slips{{
    {"->", "-->"},
    {"=>", "==>"},
    {"<>", "<->"},
    {"<=", "<=>"},
    {"<-", "<->"},
    {"→", "-->"},
    {"⇒", "==>"},
    {"↔", "<->"},
    {"⇔", "<=>"},
}};

// The reverse direction. Correcting these would reverse the statement.
constexpr std::array<std::string_view, 2> reversed{"<--", "<=="};

bool one_substitution_or_swap(std::string_view a, std::string_view b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
  const auto i = static_cast<std::size_t>(x - a.begin());
  const bool swapped = i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i];
  const std::size_t behind = i + (swapped ? 2 : 1);
  return i < a.size() && a.substr(behind) == b.substr(behind);
}

bool one_sign_missing(std::string_view whole, std::string_view part) {
  if (part.size() + 1 != whole.size()) return false;
  const auto i =
      static_cast<std::size_t>(std::mismatch(part.begin(), part.end(), whole.begin()).first - part.begin());
  return whole.substr(i + 1) == part.substr(i);
}

// `---->` becomes `->`: equal characters in a row count once.
std::string without_repeats(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (out.empty() || out.back() != c) out += c;
  return out;
}

template <class IsNear>
std::optional<std::string_view> only_copula(IsNear is_near) {
  std::optional<std::string_view> nearest;
  for (const CopulaFacts& copula : copulas) {
    if (!is_near(copula.text)) continue;
    if (nearest) return {};
    nearest = copula.text;
  }
  return nearest;
}

// A wrong copula in a text, and the likely intended one.
struct CopulaSlip {
  std::size_t start;  // bytes from the start of the text
  std::string found;  // in quotes
  std::string_view meant;
};

// If part of the copula was read as a name and a closing bracket (a->b), a difference (a -> b) or a copula and a
// bracket (a ==>> b), the error is after its first character.
std::optional<CopulaSlip> copula_slip(std::string_view text, const ParseError& error) {
  const bool at_term = error.expected == "a term";
  if (!error.refusal.empty() || (!at_term && !error.expected.ends_with("a copula"))) return {};
  constexpr std::string_view signs = "-=<>|/\\";
  std::size_t start = std::min(error.offset, text.size());
  const std::size_t end = std::min(text.find_first_not_of(signs, start), text.size());
  while (start > 0 && start < end &&
         (at_term ? signs : "-=|").find(text[start - 1]) != std::string_view::npos)
    --start;
  const std::size_t last = text.substr(0, start).find_last_not_of(" \t");
  if (last == std::string_view::npos) return {};
  const bool follows_term = at_term ? is_word_letter(text[last]) ||
                                          std::string_view(")]}").find(text[last]) != std::string_view::npos
                                    : std::string_view("([{<,").find(text[last]) == std::string_view::npos;
  if (!follows_term) return {};
  std::string found(text.substr(start, end - start));
  if (found.empty()) found = error.found;
  const auto copula = nearest_copula(found);
  if (!copula) return {};
  if (found.front() != '\'') found = "'" + found + "'";
  return CopulaSlip{start, found, *copula};
}

// The hint if a copula, or nearly a copula, and a term follow where punctuation was expected; otherwise empty.
std::string missing_brackets(std::string_view text, const ParseError& error) {
  if (!error.refusal.empty() || !error.expected.starts_with("punctuation")) return {};
  const std::string_view rest = text.substr(std::min(error.offset, text.size()));
  std::string_view found;
  for (const CopulaFacts& copula : copulas)
    if (rest.starts_with(copula.text) && copula.text.size() > found.size()) found = copula.text;
  std::optional<std::string_view> meant;
  if (!found.empty())
    meant = found;
  else
    meant = nearest_copula(found = rest.substr(0, rest.find_first_not_of("-=<>|/\\")));
  const std::string_view behind = trim(rest.substr(found.size()));
  if (!meant || behind.empty() || std::string_view(".!?@").find(behind.front()) != std::string_view::npos)
    return {};
  return "'" + std::string(found) + "' outside of brackets: did you mean '<... " + std::string(*meant) +
         " ...>'?";
}

}  // namespace

std::string ParseError::message() const {
  if (!refusal.empty()) return refusal;
  return hint.empty() ? "expected " + expected + ", found " + found : hint;
}

std::optional<std::string_view> nearest_copula(std::string_view found) {
  if (found.size() >= 2 && found.front() == '\'' && found.back() == '\'')
    found = found.substr(1, found.size() - 2);
  if (found.empty() || found.size() > longest) return {};
  for (const Slip& slip : known_slips)
    if (found == slip.written) return slip.meant;
  for (const std::string_view other_way : reversed)
    if (found.starts_with(other_way) && !found.ends_with('>')) return {};
  if (found.find_first_not_of("-=<>|/\\") != std::string_view::npos) return {};

  const std::string signs = without_repeats(found);
  if (found.size() > 2)
    if (auto copula = only_copula([&](std::string_view text) { return without_repeats(text) == signs; }))
      return copula;
  return only_copula([&](std::string_view text) {
    return one_sign_missing(text, found) ||
           (text.size() == found.size() && one_substitution_or_swap(text, found));
  });
}

ParseError with_hint(ParseError error, std::string_view text) {
  if (const auto slip = copula_slip(text, error)) {
    error.offset = slip->start;
    error.column = count_code_points(text.substr(0, slip->start)) + 1;
    error.hint = "unknown copula " + slip->found + ": did you mean '" + std::string(slip->meant) + "'?";
  } else {
    error.hint = missing_brackets(text, error);
  }
  return error;
}

}  // namespace engram::narsese
