// SPDX-License-Identifier: MIT
// Pretrained word vectors in word2vec's text format.
#pragma once

#include <filesystem>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "narsese/term.hpp"

namespace engram::core {

/// Word vectors; row i belongs to name i.
struct WordVectors {
  std::vector<std::string> names;  // distinct
  Matrix rows;                     // (names, d)
};

/// Limits of a file of word vectors. Chosen: 4 GB of text, 512 MB of numbers.
struct WordVectorLimits {
  std::size_t max_line_bytes = std::size_t{1} << 20;
  std::size_t max_dimensions = 4096;
  std::size_t max_numbers = std::size_t{1} << 26;
  std::size_t max_bytes = std::size_t{1} << 32;
};

/// Error in a file of word vectors. what() is "file:line:column: message", or "file: message" if the file cannot be
/// read.
struct WordVectorError : std::runtime_error {
  WordVectorError(const std::string& file, std::size_t line, std::size_t column, const std::string& message);
  std::size_t line, column;  // from 1, columns in code points; 0 if the file cannot be read
};

/// Reads word vectors in lines `name x_1 ... x_d` separated by spaces or tabs, all with the same d >= 1. A first line
/// of two integers is a header with the number of vectors and d. Blank lines are skipped. Numbers are decimal and at
/// most 1e100 in absolute value; lines end in LF or CRLF. `file` is the name of the file for error messages.
/// Errors   WordVectorError for another format, a repeated name, a name that is not UTF-8, a file without vectors, or
///          an exceeded limit
/// Cost     O(bytes); memory for the numbers and names
WordVectors read_word_vectors(std::istream& in, const std::string& file, const WordVectorLimits& limits = {});
WordVectors load_word_vectors(const std::filesystem::path& file, const WordVectorLimits& limits = {});

/// Returns the name that a term has in files of word vectors: the printed term without spaces, like <tim-->cat>.
std::string word_of(narsese::Term term);

/// Looks up the vectors of terms by word_of() and returns them as rows; 0 for terms without a vector.
/// Shapes  terms (n) -> (n, d)
Matrix rows_of_words(const WordVectors& vectors, std::span<const narsese::Term> terms);

}  // namespace engram::core
