// SPDX-License-Identifier: MIT
// The grammar of terms and of the sentences around them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "narsese/scanner.hpp"
#include "narsese/syntax.hpp"

namespace engram::narsese {

struct PrefixForm;  // of a compound

/// Recursive-descent parser of terms. One byte of lookahead decides each step, so the parser reads every byte once.
/// Nested brackets recurse.
class TermGrammar {
 public:
  TermGrammar(Scanner& scanner, const ParseLimits& limits);

  /// Parses one term at a position and appends its nodes. Returns the position after the term, or nullptr after an
  /// error.
  Place read(Place at, SyntaxNodes& nodes);
  /// Whether the variables of the last parsed term need number_variables(): it has several variables of a kind, and
  /// components in irrelevant order.
  bool needs_renumbering() const;

 private:
  // Components of a list, up to its closing bracket.
  struct List {
    Place end;
    std::size_t count;
  };

  Place term(Place at);
  Place other_term(Place at);  // any term except a plain atom
  template <class Inside>
  Place bracketed(Place at, char close, Inside inside);
  bool enter(Place at);  // enters a level of brackets

  // --- within brackets
  Place in_round_brackets(Place at);
  Place statement(Place at);
  Place set(Place start, Connector connector, char close);
  Place other_set(Place start, Connector connector, char close);
  bool product(Place start, std::size_t count);
  Place prefix_form(Place at, const PrefixForm& form);
  Place prefix_compound(Place at, Connector connector);
  Place prefix_image(Place at, Connector connector);
  Place prefix_numbered_image(Place at, const PrefixForm& form);
  Place operation(Place at);
  Place implicit_product(Place at);
  Place infix_compound(Place at);
  Place infix_chain(Place at, std::size_t loosest);
  Place numbered_image(Place at);

  // --- from a copula to the end of a statement
  Place rest_of_statement(Place at, std::size_t form);
  Place predicate(Place copula);
  Place round_statement(Place start, Place copula, std::size_t form);

  // --- components up to `close`, which is not consumed
  List list(Place at, char close, std::size_t count = 0);
  Place separator(Place at, char close);
  Place other_separator(Place at, char close);
  bool count_component(Place at, std::size_t& count);

  // --- without brackets
  Place atom(Place start);
  Place other_atom(Place start);
  bool is_short_name(Place start, std::size_t letters) const;
  Place function(Construct construct, Place start, Place bracket);
  bool note_operation(Place name, Place end);
  Place op(Place at);
  Place quoted(Place at);
  Place interval(Place at);
  Place bare_negation(Place at);
  Place variable(Place at, VariableKind kind);
  Place name(Place start);
  Place long_name(Place start, Place at);
  unsigned char glyph(Place at) const;
  bool name_ends(Place at) const;
  bool note_symbol(Place start, char sign);
  Place brackets_of_name(Place at);
  bool check_name(Place start, Place end);
  bool fail_name(Place start, Place end);
  std::size_t variable_number(VariableKind kind, std::string_view name);

  void short_leaf(Place name, std::size_t letters);
  void leaf(TermKind kind, Place name, Place end);
  void number(TermKind kind, std::uint8_t symbol, std::int64_t number);
  void inner(Connector connector, std::size_t count, std::size_t position = 0);
  void inner(Copula copula);
  Place fail(Place at, std::string_view expected) { return scanner_.fail(at, expected); }

  Scanner& scanner_;
  const ParseLimits& limits_;
  const std::array<unsigned char, 256>& glyphs_;
  std::size_t max_short_name_;  // bytes, at most scan_bytes
  bool functions_;              // the dialect reads op(a,b) and names with brackets
  const TermHash hash_;
  SyntaxNodes* nodes_ = nullptr;
  std::size_t brackets_ = 0;                                // open brackets
  std::size_t levels_ = 0;                                  // nesting, including negations without brackets
  std::array<std::vector<std::string_view>, 3> variables_;  // names, indexed by kind
  bool has_commutative_ = false;
};

/// Parses a sentence that extends from a position to the end of the text. Appends the nodes of its term to `nodes` and
/// stores all other parts in `frame`. Returns false after the scanner's error was set.
bool read_sentence(Scanner& scanner, Place at, TermGrammar& terms, Sentence& frame, SyntaxNodes& nodes);

/// Checks that the text has only blanks from a position on. Returns false after the scanner's error was set.
bool read_end(Scanner& scanner, Place at);

}  // namespace engram::narsese
