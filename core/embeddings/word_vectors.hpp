// SPDX-License-Identifier: MIT
// Vectors of words that someone else has learnt, in word2vec's text format.
#pragma once

#include <filesystem>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "narsese/term.hpp"

namespace engram::core {

/// Vectors of words, a row a name.
struct WordVectors {
  std::vector<std::string> names;  // none twice
  Matrix rows;                     // (names, d)
};

/// All chosen, not derived: 4 GB of text, 512 MB of numbers.
struct WordVectorLimits {
  std::size_t max_line_bytes = std::size_t{1} << 20;
  std::size_t max_dimensions = 4096;
  std::size_t max_numbers = std::size_t{1} << 26;
  std::size_t max_bytes = std::size_t{1} << 32;
};

/// What is wrong with a file of word vectors; what() is "file:line:column: message", or "file: message" where
/// the file cannot be read.
struct WordVectorError : std::runtime_error {
  WordVectorError(const std::string& file, std::size_t line, std::size_t column, const std::string& message);
  std::size_t line, column;  // from 1, columns in code points; 0 where the file cannot be read
};

/// Reads lines `name x_1 ... x_d`, set apart by blanks or tabs, all of the same d >= 1. A first line of two
/// whole numbers and nothing else is a header and must say how many vectors there are, and their d. Lines of
/// blanks alone are skipped; numbers are decimal, of at most 1e100 in size; lines end in LF or CRLF.
/// Errors   WordVectorError under the name `file`: a line that is not so, a name that stands twice or is no
///          UTF-8, no vector at all, or what passes a limit
/// Cost     O(bytes); memory for the numbers and names
WordVectors read_word_vectors(std::istream& in, const std::string& file, const WordVectorLimits& limits = {});
WordVectors load_word_vectors(const std::filesystem::path& file, const WordVectorLimits& limits = {});

/// The name under which such a file knows a term: as it is printed, without blanks (<tim-->cat>).
std::string word_of(narsese::Term term);

/// The rows of terms; 0 for those that the file does not know.    Shapes  terms (n) -> (n, d)
Matrix rows_of_words(const WordVectors& vectors, std::span<const narsese::Term> terms);

}  // namespace engram::core
