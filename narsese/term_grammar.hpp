// SPDX-License-Identifier: MIT
// The grammar of terms.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "narsese/cursor.hpp"
#include "narsese/syntax.hpp"

namespace engram::narsese {

/// Reads terms at a cursor into trees. Every reader returns false after it has set the cursor's error.
/// One byte ahead decides what is read, so nothing is read twice; brackets within brackets recurse.
class TermGrammar {
 public:
  TermGrammar(Cursor& cursor, const ParseLimits& limits);

  /// Appends the nodes of one term.
  bool read(SyntaxTree& tree);

 private:
  bool term();
  template <class Inside>
  bool bracketed(Inside inside, char close);
  bool enter();  // one level deeper

  // Within brackets.
  bool in_round_brackets();
  bool statement();
  bool set(Connector connector, char close);
  bool product(std::size_t count);
  bool prefix_compound(Connector connector);
  bool prefix_image(Connector connector);
  bool prefix_numbered_image(std::string_view image);
  bool operation();
  bool implicit_product();
  bool infix_compound();
  bool infix_chain(std::size_t loosest);
  std::optional<bool> numbered_image();

  // What follows a subject; nothing where that is no copula.
  std::optional<bool> rest_of_statement();
  bool predicate(std::size_t copula_offset);

  // Components up to (not including) `close`.
  bool list(char close, std::size_t& count);
  bool separator(char close);
  bool count_component(std::size_t& count);
  bool take_prefix(std::string_view connector);

  // Without brackets.
  bool atom();
  bool function(Construct construct, std::size_t start, std::size_t size);
  bool note_operation(std::size_t name, std::size_t size);
  bool op();
  bool quoted();
  bool interval();
  bool bare_negation();
  bool variable(VariableKind kind);
  std::size_t read_name();  // returns its bytes
  bool name_ends() const;
  bool note_symbol(std::size_t start);
  bool brackets_of_name();
  bool check_name(std::size_t start, std::size_t size);

  bool leaf(TermKind kind, std::uint8_t symbol, std::size_t size, std::int64_t value);
  bool inner(Connector connector, std::size_t count, std::size_t position = 0);
  bool inner(Copula copula);

  Cursor& cursor_;
  const ParseLimits& limits_;
  const std::array<unsigned char, 256>& glyphs_;
  SyntaxTree* tree_ = nullptr;
  std::size_t brackets_ = 0;                                // open ones
  std::size_t levels_ = 0;                                  // with negations that have no brackets
  std::array<std::vector<std::string_view>, 3> variables_;  // names, by kind
  bool has_commutative_ = false;
};

}  // namespace engram::narsese
