// SPDX-License-Identifier: MIT
// What the grammar of terms goes by: bytes, copulas and connectors, and what each is called where the
// dialects differ on it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

#include "narsese/byte_scan.hpp"
#include "narsese/dialect.hpp"
#include "narsese/symbols.hpp"
#include "narsese/token_table.hpp"

namespace engram::narsese {

/// What may stand first in round brackets, before a separator.
struct PrefixForm {
  std::string_view text;
  Connector connector;
  std::optional<Construct> construct;
};

namespace grammar {

/// What a byte may be inside a name. Bytes from 0x80 on are parts of other letters. A sign depends on what
/// follows, and on the dialect; an opening bracket ends a name, but may belong to the term that begins with
/// it.
enum Glyph : unsigned char { letter, sign, opening, stop };
/// Whether a name is over where it stands.
constexpr bool ends_names(unsigned char glyph) { return glyph >= opening; }

/// What each byte may be inside a name.
using Glyphs = std::array<unsigned char, 256>;

/// The table of a dialect, in which these bytes end a name, too.
constexpr Glyphs make_glyphs(std::string_view more_stops) {
  Glyphs glyphs{};
  for (std::size_t c = 0; c < 0x80; ++c) {
    glyphs[c] = c <= ' ' || c == 0x7F ? stop : is_letter(static_cast<unsigned char>(c)) ? letter : sign;
  }
  for (const char c : std::string_view(",)]{}<>\"&*;")) glyphs[static_cast<unsigned char>(c)] = stop;
  for (const char c : std::string_view("([")) glyphs[static_cast<unsigned char>(c)] = opening;
  for (const char c : more_stops) glyphs[static_cast<unsigned char>(c)] = stop;
  return glyphs;
}
constexpr Glyphs usual_glyphs = make_glyphs("");
constexpr Glyphs pynars_glyphs =
    make_glyphs("-+=|!.?@~%:/\\#$^");  // narsese.lark: its connectors need no blanks

/// The first byte of a term that is no plain atom; 0 for the rest. Few and dense, so that the compiler makes
/// one jump of them.
enum Start : unsigned char {
  plain,
  angle,
  round,
  brace,
  square,
  dollar,
  hash,
  question,
  quote,
  caret,
  plus,
  minus
};
constexpr std::array<unsigned char, 256> starts = [] {
  std::array<unsigned char, 256> of_byte{};
  constexpr std::string_view bytes = "<({[$#?\"^+-";
  for (std::size_t i = 0; i < bytes.size(); ++i)
    of_byte[static_cast<unsigned char>(bytes[i])] = static_cast<unsigned char>(i + 1);
  return of_byte;
}();

// Operators that OpenNARS 3.0.4 registers by default, its mental ones left out.
constexpr std::array<std::string_view, 18> opennars_operators{
    "break",   "drop",    "go-to",  "open", "pick",  "strike", "throw", "activate", "deactivate",
    "lighter", "reshape", "escape", "say",  "right", "left",   "run",   "feel",     "system"};

/// What may stand between subject and predicate, and what it is called where the dialects differ on it.
struct CopulaForm {
  std::string_view text;
  Copula copula;
  std::optional<Construct> construct;
  bool subject_is_instance = false, predicate_is_property = false;  // short for sets on these sides
};
constexpr std::array<CopulaForm, 14> copula_forms{{
    {"-->", Copula::inheritance, {}},
    {"<->", Copula::similarity, {}},
    {"==>", Copula::implication, {}},
    {"<=>", Copula::equivalence, {}},
    {"=/>", Copula::predictive_implication, {}},
    {"=|>", Copula::concurrent_implication, Construct::concurrent_implication},
    {"=\\>", Copula::retrospective_implication, Construct::retrospective_implication},
    {"</>", Copula::predictive_equivalence, Construct::predictive_equivalence},
    {"<|>", Copula::concurrent_equivalence, Construct::concurrent_equivalence},
    {"<\\>", Copula::retrospective_equivalence, Construct::retrospective_equivalence},
    {"|->", Copula::continuous_property, Construct::continuous_property},
    {"{--", Copula::inheritance, Construct::instance_copula, true, false},
    {"--]", Copula::inheritance, Construct::instance_copula, false, true},
    {"{-]", Copula::inheritance, Construct::instance_copula, true, true},
}};
constexpr std::size_t copula_bytes = 3;
/// Finds a copula at the begin of a text.
constexpr TokenTable copula_table([](std::size_t i) { return copula_forms[i].text; },
                                  std::integral_constant<std::size_t, copula_forms.size()>());

constexpr std::array<PrefixForm, 20> prefix_forms{{
    {"*", Connector::product, {}},
    {"&", Connector::extensional_intersection, {}},
    {"|", Connector::intensional_intersection, {}},
    {"-", Connector::extensional_difference, {}},
    {"~", Connector::intensional_difference, {}},
    {"/", Connector::extensional_image, {}},
    {"\\", Connector::intensional_image, {}},
    {"/1", Connector::extensional_image, Construct::numbered_image},
    {"/2", Connector::extensional_image, Construct::numbered_image},
    {"\\1", Connector::intensional_image, Construct::numbered_image},
    {"\\2", Connector::intensional_image, Construct::numbered_image},
    {"--", Connector::negation, {}},
    {"!", Connector::negation, Construct::exclamation_negation},
    {"&&", Connector::conjunction, {}},
    {"||", Connector::disjunction, {}},
    {"&/", Connector::sequence, {}},
    {"&|", Connector::parallel, Construct::parallel},
    {"#", Connector::spatial, Construct::spatial},
    {"=", Connector::equal, Construct::comparison},
    {"+", Connector::greater, Construct::comparison},
}};
/// Finds a prefix connector at the begin of a text.
constexpr TokenTable prefix_table([](std::size_t i) { return prefix_forms[i].text; },
                                  std::integral_constant<std::size_t, prefix_forms.size()>());

/// Connectors that stand between terms, with how loosely they bind (PyNARS, narsese.lark).
struct InfixConnector {
  Connector connector;
  std::size_t looseness;
};
constexpr std::array<InfixConnector, 9> infix_connectors{{{Connector::extensional_intersection, 0},
                                                          {Connector::intensional_intersection, 1},
                                                          {Connector::parallel, 2},
                                                          {Connector::sequence, 3},
                                                          {Connector::conjunction, 4},
                                                          {Connector::disjunction, 5},
                                                          {Connector::product, 6},
                                                          {Connector::extensional_difference, 7},
                                                          {Connector::intensional_difference, 7}}};
constexpr std::size_t loosest_of_all = 8;

}  // namespace grammar
}  // namespace engram::narsese
