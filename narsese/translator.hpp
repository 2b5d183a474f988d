// SPDX-License-Identifier: MIT
// Translates sentences and lines into the spelling of another system.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/nal_reader.hpp"
#include "narsese/parser.hpp"
#include "narsese/result.hpp"

namespace engram::narsese {

/// A translated line in the target dialect, with warnings about differences from the source.
struct Translation {
  std::string text;
  // differences from the source, such as dropped budgets or nested components
  std::vector<std::string> warnings;
};

/// The reason why a line cannot be translated. The message names the construct and the cause.
struct Refusal {
  std::string message;
};

/// Translates lines of one or more files that one system will read together (some limits, such as ONA's number of
/// atoms, apply to the whole input).
///
/// The translation is parsed again with the target's grammar and must give the same sentence, except for the
/// differences that the warnings list. ONA does not reorder components, so lines for ONA keep the written order if
/// possible. Otherwise there is a warning.
class Translator {
 public:
  /// `table` must own the terms of the sentences. With Dialect::any, sentences are printed in the canonical spelling
  /// without warnings or refusals.
  Translator(TermTable& table, Dialect to);

  /// Translates a sentence.
  Result<Translation, Refusal> sentence(const Sentence& sentence);
  /// Translates any line except an error. Comments get the target's comment sign. Commands that the target does not
  /// have become comments.
  Result<Translation, Refusal> line(const NalLine& line);

 private:
  void adapt_frame(Sentence& sentence, std::vector<std::string>& warnings) const;
  Term adapt_term(Term term, std::vector<std::string>& warnings);
  Term quote_names(Term term, std::vector<std::string>& warnings);
  std::string verify(const std::string& text, const Sentence& sentence, std::vector<std::string>& warnings);
  std::string count_atoms(Term term);
  void keep_order(const NalLine& line, Translation& translation);
  Translation comment(std::string_view text) const;
  Translation command(std::string_view text) const;

  TermTable& table_;
  Dialect to_;
  Parser reader_;                             // parser of the target dialect
  std::set<std::string, std::less<>> atoms_;  // names that the target has read
};

}  // namespace engram::narsese
