// SPDX-License-Identifier: MIT
// The closed vocabulary of Narsese, as tables of facts: copulas, connectors, variable kinds, punctuation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace engram::narsese {

/// The relation of a statement, written between subject and predicate. The table `copulas` has the symbols.
enum class Copula : std::uint8_t {
  inheritance,                // -->
  similarity,                 // <->
  implication,                // ==>
  equivalence,                // <=>
  predictive_implication,     // =/>
  concurrent_implication,     // =|>
  retrospective_implication,  // =\>
  predictive_equivalence,     // </>
  concurrent_equivalence,     // <|>
  retrospective_equivalence,  // <\>
  continuous_property,        // |->
};

/// The operator of a compound term. The table `connectors` has the symbols.
enum class Connector : std::uint8_t {
  product,                   // *
  extensional_set,           // { }
  intensional_set,           // [ ]
  extensional_intersection,  // &
  intensional_intersection,  // |
  extensional_difference,    // -
  intensional_difference,    // ~
  extensional_image,         // /
  intensional_image,         // backslash
  negation,                  // --
  conjunction,               // &&
  disjunction,               // ||
  sequence,                  // &/
  parallel,                  // &|
  spatial,                   // #, OpenNARS's list of things side by side
  equal,                     // =, ONA's comparison: <(a * b) --> (= size)>
  greater,                   // +, ONA's comparison "more"
};

/// Kinds of variables, by the character before the name.
enum class VariableKind : std::uint8_t { independent, dependent, query };  // $ # ?

/// Types of sentences, by the character after the term.
enum class Punctuation : std::uint8_t { judgment, goal, question, quest };  // . ! ? @

/// Row of a copula in `copulas`.
struct CopulaFacts {
  Copula copula;
  std::string_view text;
  bool symmetric;  // subject and predicate may be exchanged
};

/// Row of a connector in `connectors`.
struct ConnectorFacts {
  Connector connector;
  std::string_view text;  // the prefix form's operator, or the opening bracket of a set
  bool commutative;       // order is irrelevant and equal components count once
  std::size_t min_arity, max_arity;
};

inline constexpr std::size_t any_arity = static_cast<std::size_t>(-1);

inline constexpr std::array<CopulaFacts, 11> copulas{{
    {Copula::inheritance, "-->", false},
    {Copula::similarity, "<->", true},
    {Copula::implication, "==>", false},
    {Copula::equivalence, "<=>", true},
    {Copula::predictive_implication, "=/>", false},
    {Copula::concurrent_implication, "=|>", false},
    {Copula::retrospective_implication, "=\\>", false},
    {Copula::predictive_equivalence, "</>", false},
    {Copula::concurrent_equivalence, "<|>", true},
    {Copula::retrospective_equivalence, "<\\>", false},
    {Copula::continuous_property, "|->", false},
}};

inline constexpr std::array<ConnectorFacts, 17> connectors{{
    {Connector::product, "*", false, 1, any_arity},
    {Connector::extensional_set, "{", true, 1, any_arity},
    {Connector::intensional_set, "[", true, 1, any_arity},
    {Connector::extensional_intersection, "&", true, 2, any_arity},
    {Connector::intensional_intersection, "|", true, 2, any_arity},
    {Connector::extensional_difference, "-", false, 2, 2},
    {Connector::intensional_difference, "~", false, 2, 2},
    {Connector::extensional_image, "/", false, 1, any_arity},
    {Connector::intensional_image, "\\", false, 1, any_arity},
    {Connector::negation, "--", false, 1, 1},
    {Connector::conjunction, "&&", true, 2, any_arity},
    {Connector::disjunction, "||", true, 2, any_arity},
    {Connector::sequence, "&/", false, 2, any_arity},
    {Connector::parallel, "&|", true, 2, any_arity},
    {Connector::spatial, "#", false, 1, any_arity},
    {Connector::equal, "=", false, 1, 1},
    {Connector::greater, "+", false, 1, 1},
}};

/// Returns the facts about a copula or a connector from the tables `copulas` and `connectors`.
constexpr const CopulaFacts& facts(Copula copula) { return copulas[static_cast<std::size_t>(copula)]; }
constexpr const ConnectorFacts& facts(Connector c) { return connectors[static_cast<std::size_t>(c)]; }

/// Whether c makes a set, {..} or [..].
constexpr bool is_set(Connector c) {
  return c == Connector::extensional_set || c == Connector::intensional_set;
}
/// Whether c makes an image, (/,..) or (\,..).
constexpr bool is_image(Connector c) {
  return c == Connector::extensional_image || c == Connector::intensional_image;
}

/// The character for a kind of variable or a type of sentence, such as $ or ?.
constexpr char symbol(VariableKind kind) { return "$#?"[static_cast<std::size_t>(kind)]; }
constexpr char symbol(Punctuation punctuation) { return ".!?@"[static_cast<std::size_t>(punctuation)]; }

}  // namespace engram::narsese
