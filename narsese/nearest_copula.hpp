// SPDX-License-Identifier: MIT
// What was meant by something that stands where a copula should.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "narsese/parse_error.hpp"

namespace engram::narsese {

/// The copula that `found` is a slip of: `-->` for `->` and `--->`, `==>` for `=>`, `<=>` for `<=` and
/// `<==>`. Takes what ParseError::found holds, with or without its quotes. Nothing where nothing is near,
/// where two are equally near, or for `<--`, `<==` and their like: they mean the other direction.
///
/// Cost  O(1): no text longer than a copula with a few signs too many is looked at
std::optional<std::string_view> nearest_copula(std::string_view found);

/// A wrong copula in a text, and the copula that was likely meant.
struct CopulaSlip {
  std::size_t start = 0;   // bytes from the start of the text
  std::size_t column = 1;  // code points, counted from 1
  std::string found;       // in quotes
  std::string_view meant;

  /// "unknown copula '->': did you mean '-->'?"
  std::string message() const;
};

/// The slip that caused a syntax error, if a copula was expected, or a name that ends in a copula's signs was read (a->b).
/// `text` is what was parsed.
///
/// Cost  O(bytes before the error)
std::optional<CopulaSlip> copula_slip(std::string_view text, const ParseError& error);

/// "'==>' outside of brackets: did you mean '<... ==> ...>'?", if punctuation was expected and a copula, or a slip of one, was
/// found between two terms; empty otherwise. `text` is what was parsed.
/// Cost  O(1)
std::string missing_brackets(std::string_view text, const ParseError& error);

}  // namespace engram::narsese
