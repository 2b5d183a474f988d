// SPDX-License-Identifier: MIT
// What each NARS reads, as tables of facts: one row a construct, one column a dialect.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engram::narsese {

/// `any` is everything that some system writes, each construct with the meaning it has where it is read.
enum class Dialect : std::uint8_t { common, ona, opennars, pynars, any };

/// Every way of writing on which the dialects differ.
enum class Construct : std::uint8_t {
  // around the term
  budget,
  delay,
  idle_delay,
  quest,
  eternal_goal,
  tensed_judgment,
  tensed_goal,
  present_prediction,
  absolute_tense,
  offset_tense,
  truth_in_braces,
  comma_in_braces,
  uneven_blanks,
  blank_in_truth,
  horizon_in_truth,
  no_confidence,
  full_confidence,
  extreme_durability,
  // statements
  round_statement,
  tight_copula,
  concurrent_implication,
  retrospective_implication,
  predictive_equivalence,
  concurrent_equivalence,
  retrospective_equivalence,
  instance_copula,
  continuous_property,
  // compounds
  infix,
  infix_chain,
  mixed_infix,
  blank_separated,
  many_components,
  missing_separator,
  exclamation_negation,
  bare_negation,
  implicit_product,
  unary_product,
  parallel,
  spatial,
  comparison,
  placeholder_image,
  numbered_image,
  bare_image,
  operation,
  function_operation,
  caret_function,
  unregistered_operation,
  // names
  interval,
  quoted_name,
  quoted_text,
  bracketed_name,
  hyphen_in_name,
  dot_in_name,
  colon_in_name,
  symbol_in_name,
  // lines
  apostrophe_line,
  indented_comment,
};
inline constexpr std::size_t construct_count = static_cast<std::size_t>(Construct::indented_comment) + 1;

/// A set of constructs: one bit each.
using ConstructSet = std::uint64_t;
/// The set of that one alone.
constexpr ConstructSet bit(Construct c) { return ConstructSet{1} << static_cast<unsigned>(c); }

/// What a system does with a construct.
struct Handling {
  /// How well.
  enum class Kind : std::uint8_t {
    reads,
    rounds,    // keeps the term, not every number: `why` tells, here and below
    misreads,  // makes something else of it, but what is meant is clear to us
    refuses,   // rejects it, or makes nonsense of it
  };
  Kind kind = Kind::reads;
  std::string_view why;
};

/// A construct, and what each system does with it.
struct ConstructFacts {
  Construct construct;
  std::string_view what;       // a noun phrase for messages
  std::array<Handling, 4> in;  // by common, ona, opennars, pynars
};

inline constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

/// A system's limits and ways.
struct DialectFacts {
  Dialect dialect;
  std::string_view name;    // on the command line
  std::string_view system;  // for messages
  std::size_t max_name_bytes, max_line_bytes;
  std::size_t max_atoms;                // different ones, before the system stops; counts operators too
  std::size_t max_variables_of_a_kind;  // in one sentence
  std::string_view garbled_names;       // single characters that are no name
  std::array<std::string_view, 16> garbled_in_names;
};

/// Its row in the tables.
const ConstructFacts& facts(Construct construct);
const DialectFacts& facts(Dialect dialect);

/// The constructs that `dialect` handles so. `any` refuses what all four refuse, and reads the rest.
ConstructSet handled(Dialect dialect, Handling::Kind kind);

/// For people: "ONA does not read a budget $p;d;q$: it takes the budget for the term $1".
std::string explain(Construct construct, Dialect dialect);

/// The dialect of that name, `auto` being `any`.
std::optional<Dialect> find_dialect(std::string_view name);

}  // namespace engram::narsese
