// SPDX-License-Identifier: MIT
// Tables of the term grammar: byte classes, copulas and connectors.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include "narsese/byte_scan.hpp"
#include "narsese/dialect.hpp"
#include "narsese/symbols.hpp"

namespace engram::narsese {

inline constexpr std::size_t no_token = static_cast<std::size_t>(-1);

/// Perfect hash table of a few tokens of one to three bytes. The compiler searches for a factor that maps all tokens
/// to different slots, so a look-up reads one slot.
template <std::size_t Count>
class TokenTable {
 public:
  /// Builds the table from `Count` tokens. text(i) returns token i.
  template <class Text>
  constexpr TokenTable(Text text, std::integral_constant<std::size_t, Count>) {
    while (!place_all(text)) factor_ = factor_ * 0x2c9277b5U + 2;
  }

  /// Returns the number of the token that equals the `bytes` bytes from `at` on, or no_token. Four bytes must be
  /// readable.
  std::size_t find(const char* at, std::size_t bytes) const {
    const std::uint32_t key = pack_at_once(at, bytes);
    const Slot& slot = slots_[place(key)];
    return slot.key == key ? slot.token : no_token;
  }

 private:
  struct Slot {
    std::uint32_t key = no_key;
    std::uint32_t token = 0;
  };
  static constexpr std::uint32_t no_key = 0;
  static constexpr unsigned bits = 6;

  static constexpr std::uint32_t pack(const char* at, std::size_t bytes) {
    std::uint32_t key = mark(bytes);
    for (std::size_t i = 0; i < bytes; ++i) key |= std::uint32_t{static_cast<unsigned char>(at[i])} << 8 * i;
    return key;
  }
  // pack() with one load, on little-endian machines.
  static std::uint32_t pack_at_once(const char* at, std::size_t bytes) {
    if constexpr (std::endian::native != std::endian::little) return pack(at, bytes);
    std::uint32_t four;
    std::memcpy(&four, at, sizeof four);
    return (four & (mark(bytes) - 1)) | mark(bytes);
  }
  // A bit behind the bytes that distinguishes their number.
  static constexpr std::uint32_t mark(std::size_t bytes) { return std::uint32_t{1} << 8 * bytes; }
  constexpr std::size_t place(std::uint32_t key) const { return key * factor_ >> (32 - bits); }

  template <class Text>
  constexpr bool place_all(Text text) {
    slots_ = {};
    for (std::size_t i = 0; i < Count; ++i) {
      const std::uint32_t key = pack(text(i).data(), text(i).size());
      Slot& slot = slots_[place(key)];
      if (slot.key != no_key) return false;
      slot = {key, static_cast<std::uint32_t>(i)};
    }
    return true;
  }

  std::array<Slot, std::size_t{1} << bits> slots_{};
  std::uint32_t factor_ = 0x9e3779b1U;
};

/// A prefix connector, which is the first token in round brackets before a separator, and the construct if dialects
/// differ on it.
struct PrefixForm {
  std::string_view text;
  Connector connector;
  std::optional<Construct> construct;
};

namespace grammar {

/// Class of a byte within a name. Bytes from 0x80 on are letters. Whether a sign belongs to the name depends on the
/// following bytes and the dialect. An opening bracket ends the name but may belong to the same term.
enum Glyph : unsigned char { letter, sign, opening, stop };
/// Whether a byte of this Glyph class ends a name.
constexpr bool ends_names(unsigned char glyph) { return glyph >= opening; }

/// Table of the Glyph class of each byte.
using Glyphs = std::array<unsigned char, 256>;

/// Makes the table of byte classes for a dialect. The bytes in `more_stops` end a name, in addition to the usual ones.
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
    make_glyphs("-+=|!.?@~%:/\\#$^");  // narsese.lark: connectors need no blanks around them

/// The kind of term that a byte begins, if it is not a plain atom; 0 for all other bytes. The values are few and
/// dense, so a switch becomes one jump.
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

// Operators that OpenNARS 3.0.4 registers by default, except for its mental operators.
constexpr std::array<std::string_view, 18> opennars_operators{
    "break",   "drop",    "go-to",  "open", "pick",  "strike", "throw", "activate", "deactivate",
    "lighter", "reshape", "escape", "say",  "right", "left",   "run",   "feel",     "system"};

/// A written copula, the copula it means, and the construct if the dialects differ on it.
struct CopulaForm {
  std::string_view text;
  Copula copula;
  std::optional<Construct> construct;
  bool subject_is_instance = false, predicate_is_property = false;  // the form abbreviates a set on this side
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
/// Table to find a copula at the start of a text. Token numbers are indexes into copula_forms.
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
/// Table to find a prefix connector at the start of a text. Token numbers are indexes into prefix_forms.
constexpr TokenTable prefix_table([](std::size_t i) { return prefix_forms[i].text; },
                                  std::integral_constant<std::size_t, prefix_forms.size()>());

/// A connector between terms, with its precedence: the tightest binds with looseness 0 (PyNARS, narsese.lark).
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
