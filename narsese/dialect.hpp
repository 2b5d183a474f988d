// SPDX-License-Identifier: MIT
// Tables of facts about the dialects of Narsese: the constructs that each NARS reads, rounds, misreads or rejects, and
// the limits of each system.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engram::narsese {

/// A dialect of Narsese. `any` accepts everything that some system writes, with the meaning it has in that system.
enum class Dialect : std::uint8_t { common, ona, opennars, pynars, any };

/// Constructs of the syntax that some dialects read differently or reject. facts(Construct) describes each one.
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

/// A set of constructs, one bit each.
using ConstructSet = std::uint64_t;
/// Returns the set that contains only c.
constexpr ConstructSet bit(Construct c) { return ConstructSet{1} << static_cast<unsigned>(c); }

/// Treatment of a construct by a system, and the reason.
struct Handling {
  /// Kind of treatment.
  enum class Kind : std::uint8_t {
    reads,
    rounds,    // keeps the term but changes a number; `why` explains
    misreads,  // reads something else, but the intended meaning is clear to us
    refuses,   // rejects it, or reads nonsense
  };
  Kind kind = Kind::reads;
  std::string_view why;
};

/// Row of the table of constructs: a construct and its treatment by each system.
struct ConstructFacts {
  Construct construct;
  std::string_view what;       // noun phrase for messages
  std::array<Handling, 4> in;  // indexed by common, ona, opennars, pynars
};

inline constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

/// Row of the table of dialects: limits and properties of the system that reads a dialect.
struct DialectFacts {
  Dialect dialect;
  std::string_view name;    // on the command line
  std::string_view system;  // for messages
  std::size_t max_name_bytes = unlimited, max_line_bytes = unlimited;
  std::size_t max_atoms = unlimited;                // distinct atoms and operators before the system stops
  std::size_t max_variables_of_a_kind = unlimited;  // within a sentence
  std::string_view garbled_names = {};              // one-character names that the system garbles
  std::array<std::string_view, 16> garbled_in_names = {};
};

/// Returns the facts about a construct or a dialect from the tables.
const ConstructFacts& facts(Construct construct);
const DialectFacts& facts(Dialect dialect);

/// Returns the constructs that the system of `dialect` treats in the given way, for example all that it refuses.
/// Dialect::any refuses a construct only if all four systems refuse it.
ConstructSet handled(Dialect dialect, Handling::Kind kind);

/// Returns a message for users about the treatment of a construct by a system, such as "ONA does not read a budget
/// $p;d;q$: it takes the budget for the term $1".
std::string explain(Construct construct, Dialect dialect);

/// Returns the dialect with this name on the command line, or nothing. The name `auto` means Dialect::any.
std::optional<Dialect> find_dialect(std::string_view name);

}  // namespace engram::narsese
