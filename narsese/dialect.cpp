// SPDX-License-Identifier: MIT
// Facts about the dialects, measured on CommonNarsese (Narsese.rs 16d4d18), ONA dc4efd0, OpenNARS 3.0.4 and PyNARS
// 7209145.
#include "narsese/dialect.hpp"

#include <algorithm>

namespace engram::narsese {
namespace {

constexpr Handling yes{};
constexpr Handling no(std::string_view why) { return {Handling::Kind::refuses, why}; }
constexpr Handling rounds(std::string_view why) { return {Handling::Kind::rounds, why}; }
constexpr Handling misreads(std::string_view why) { return {Handling::Kind::misreads, why}; }

constexpr std::string_view unknown = "unknown to it";
constexpr std::string_view mangled = "it silently makes another term of it";

using C = Construct;
constexpr std::array<ConstructFacts, construct_count> construct_table{{
    //                                         common, ona, opennars, pynars
    {C::budget, "a budget $p;d;q$", {yes, no("it takes the budget for the term $1"), yes, yes}},
    {C::delay, "dt=", {no(unknown), yes, no(unknown), no(unknown)}},
    {C::idle_delay,
     "dt= before anything but an implication =/>",
     {no(unknown), misreads("it ignores it"), no(unknown), no(unknown)}},
    {C::quest, "a quest (@)", {yes, no("it stops the program"), yes, yes}},
    {C::eternal_goal, "an eternal goal", {yes, no("it stops the program; goals carry :|:"), yes, yes}},
    {C::tensed_judgment,
     "a past or future judgment",
     {yes, no("it stops the program; :/: and :\\: are for questions"), yes, yes}},
    {C::tensed_goal, "a past or future goal", {yes, misreads("it takes it for present"), yes, yes}},
    {C::present_prediction,
     "a present judgment of an implication =/>",
     {yes, no("it silently drops it"), yes, yes}},
    {C::absolute_tense,
     "a tense :!n:",
     {yes, no("it stops the program"), no("it silently reads the sentence as eternal, without its truth"),
      yes}},
    {C::offset_tense,
     "a tense :+n: or :-n:",
     {no(unknown), no("it stops the program"),
      misreads("it prints such tenses, but given one reads the sentence as eternal, without its truth"),
      no(unknown)}},
    {C::truth_in_braces,
     "a truth value in braces",
     {no(unknown), yes, no("it rejects it, or behind a tense silently drops both"), no(unknown)}},
    {C::comma_in_braces,
     "a truth value in braces with a comma",
     {no(unknown), no("it silently drops the line"), no(unknown), no(unknown)}},
    {C::uneven_blanks,
     "anything but one blank before a tense or a truth value",
     {yes, no("it looks for them in fixed places"), yes, yes}},
    {C::blank_in_truth, "blanks in a truth value %..%", {yes, no("it silently drops the line"), yes, yes}},
    {C::horizon_in_truth, "a third number in a truth value", {no(unknown), no(unknown), no(unknown), yes}},
    {C::no_confidence,
     "a confidence of 0",
     {yes, no("it silently drops the line"), yes, no("confidence lies between 0 and 1")}},
    {C::full_confidence,
     "a confidence of 1",
     {yes, yes, rounds("it makes 0.99 of it"), no("confidence lies between 0 and 1")}},
    {C::extreme_durability, "a durability of 0 or 1", {yes, yes, yes, no("durability lies between 0 and 1")}},

    {C::round_statement,
     "a statement in round brackets",
     {no(unknown), yes, no("it takes the first word for an operator"), yes}},
    {C::tight_copula, "a copula or connector without blanks around it", {yes, no(mangled), yes, yes}},
    {C::concurrent_implication, "=|>", {yes, no(mangled), yes, yes}},
    {C::retrospective_implication, "=\\>", {yes, no(mangled), yes, yes}},
    {C::predictive_equivalence, "</>", {yes, no(mangled), yes, yes}},
    {C::concurrent_equivalence, "<|>", {yes, no(mangled), yes, yes}},
    {C::retrospective_equivalence, "<\\>", {yes, no(unknown), no(unknown), no(unknown)}},
    {C::instance_copula, "{--, --] or {-]", {yes, no(mangled), yes, yes}},
    {C::continuous_property, "|->", {no(unknown), yes, no(unknown), no(unknown)}},

    {C::infix, "a connector between terms", {no(unknown), yes, no("it looks for commas"), yes}},
    {C::infix_chain,
     "a chain of connectors without brackets",
     {no(unknown), no("it silently drops all but two components"), no("it looks for commas"), yes}},
    {C::mixed_infix,
     "different connectors without brackets",
     {no(unknown), no("it silently drops all but two components"), no("it looks for commas"), yes}},
    {C::blank_separated,
     "components separated by blanks",
     {no(unknown), yes, no("it looks for commas"), no("it looks for commas")}},
    {C::many_components, "more than two components", {yes, no("it silently drops all but two"), yes, yes}},
    {C::missing_separator,
     "components without a separator",
     {no(unknown), yes, no("it looks for commas"), no("it looks for commas")}},
    {C::exclamation_negation, "a negation written !", {no(unknown), yes, no(unknown), no(unknown)}},
    {C::bare_negation,
     "a negation without brackets",
     {no(unknown), no("it silently makes an atom of it"), no("it silently makes an atom of it"), yes}},
    {C::implicit_product,
     "a product without its *",
     {no(unknown), no(mangled), no("it takes the first word for an operator"), yes}},
    {C::unary_product,
     "a product of one component",
     {yes, yes, yes, misreads("it puts SELF before the component")}},
    {C::parallel, "&|", {yes, no("it silently makes an atom of it"), yes, yes}},
    {C::spatial, "a list (#,..)", {no(unknown), no(mangled), yes, no(unknown)}},
    {C::comparison, "(= a) or (+ a)", {no(unknown), yes, no(unknown), no(unknown)}},
    {C::placeholder_image,
     "an image with a placeholder _",
     {yes, no("it silently takes the placeholder for a disjunction, or the wrong place; write (R /1 B)"), yes,
      yes}},
    {C::numbered_image, "an image with /1, /2, \\1 or \\2", {no(unknown), yes, no(unknown), no(unknown)}},
    {C::bare_image,
     "an image without a placeholder",
     {no("it looks for the placeholder _"), yes, no("it silently puts the placeholder in the wrong place"),
      no("it keeps an image that means nothing")}},
    {C::operation, "an operation (^op,..)", {yes, no(mangled), yes, yes}},
    {C::function_operation, "an operation written op(..)", {no(unknown), no(mangled), yes, yes}},
    {C::caret_function, "an operation written ^op(..)", {no(unknown), no(mangled), yes, no(unknown)}},
    {C::unregistered_operation,
     "an operation (^op,..) or op(..) of an operator that it does not come with",
     {yes, yes, misreads("it rejects those that its configuration does not register"), yes}},

    {C::interval, "an interval", {yes, misreads("it makes an atom of it"), yes, yes}},
    {C::quoted_name, "a name in quotes", {no(unknown), no("it takes \" for a set"), yes, yes}},
    {C::quoted_text,
     "a name in quotes with blanks, brackets or the like",
     {no(unknown), no("it takes \" for a set"), no("it takes the quotes for letters"), yes}},
    {C::bracketed_name,
     "a name with brackets",
     {no(unknown), no("it takes the brackets for a set"), yes, no(unknown)}},
    {C::hyphen_in_name, "a name with a hyphen", {yes, yes, yes, no("it takes - for a difference")}},
    {C::dot_in_name,
     "a name with a dot",
     {no("names are of letters, digits, _ and -"), yes, yes, no("it takes the dot for a full stop")}},
    {C::colon_in_name,
     "a name with a colon",
     {no("names are of letters, digits, _ and -"), yes, no("it takes the colon for a tense"), no(unknown)}},
    {C::symbol_in_name,
     "a name with a special character",
     {no("names are of letters, digits, _ and -"), yes, yes, yes}},

    {C::apostrophe_line,
     "a line that starts with '",
     {yes, no("it stops the program; comments start with //"), yes, yes}},
    {C::indented_comment,
     "a comment that does not start its line",
     {yes, no("it stops the program"), yes, yes}},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < construct_count; ++i)
    if (construct_table[i].construct != static_cast<Construct>(i)) return false;
  return true;
}
static_assert(in_order() && construct_count <= 64);

constexpr std::array<DialectFacts, 5> dialect_table{{
    {.dialect = Dialect::common, .name = "common", .system = "CommonNarsese"},
    // ONA encodes each copula and connector internally as one character.
    {Dialect::ona,
     "ona",
     "ONA",
     31,
     1023,
     182,
     9,
     "!\"#$%&'*+-./:;=?@\\^_|~",
     {"--", "||", "&&", "&/", "/1", "/2", "\\1", "\\2", "|->", "->", "==>", "["}},
    {.dialect = Dialect::opennars,
     .name = "opennars",
     .system = "OpenNARS",
     .garbled_in_names = {":", "?", "$", "#", "%"}},
    {.dialect = Dialect::pynars, .name = "pynars", .system = "PyNARS"},
    {.dialect = Dialect::any, .name = "auto", .system = "no system"},
}};

constexpr ConstructSet set_of(Dialect dialect, Handling::Kind kind) {
  ConstructSet set = 0;
  for (const ConstructFacts& row : construct_table) {
    const auto is_of_kind = [&](const Handling& handling) { return handling.kind == kind; };
    if (dialect != Dialect::any
            ? is_of_kind(row.in[static_cast<std::size_t>(dialect)])
            : kind == Handling::Kind::refuses && std::all_of(row.in.begin(), row.in.end(), is_of_kind))
      set |= bit(row.construct);
  }
  return set;
}

constexpr auto sets_of(Handling::Kind kind) {
  std::array<ConstructSet, 5> sets{};
  for (const DialectFacts& row : dialect_table)
    sets[static_cast<std::size_t>(row.dialect)] = set_of(row.dialect, kind);
  return sets;
}
constexpr std::array<std::array<ConstructSet, 5>, 4> sets{
    sets_of(Handling::Kind::reads), sets_of(Handling::Kind::rounds), sets_of(Handling::Kind::misreads),
    sets_of(Handling::Kind::refuses)};

}  // namespace

const ConstructFacts& facts(Construct construct) {
  return construct_table[static_cast<std::size_t>(construct)];
}
const DialectFacts& facts(Dialect dialect) { return dialect_table[static_cast<std::size_t>(dialect)]; }

ConstructSet handled(Dialect dialect, Handling::Kind kind) {
  return sets[static_cast<std::size_t>(kind)][static_cast<std::size_t>(dialect)];
}

std::string explain(Construct construct, Dialect dialect) {
  const std::string system(facts(dialect).system), what(facts(construct).what);
  if (dialect == Dialect::any) return system + " reads " + what;
  const Handling& handling = facts(construct).in[static_cast<std::size_t>(dialect)];
  const std::string text =
      system + (handling.kind == Handling::Kind::refuses ? " does not read " : " reads ") + what;
  return handling.why.empty() || handling.why == unknown ? text : text + ": " + std::string(handling.why);
}

std::optional<Dialect> find_dialect(std::string_view name) {
  const auto row = std::find_if(dialect_table.begin(), dialect_table.end(),
                                [&](const DialectFacts& dialect) { return dialect.name == name; });
  return row == dialect_table.end() ? std::nullopt : std::optional(row->dialect);
}

}  // namespace engram::narsese
