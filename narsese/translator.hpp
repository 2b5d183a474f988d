// SPDX-License-Identifier: MIT
// Writes sentences so that another system reads them as the same term, or tells why it cannot.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/nal_reader.hpp"
#include "narsese/parser.hpp"
#include "narsese/result.hpp"

namespace engram::narsese {

/// A line in another dialect.
struct Translation {
  std::string text;
  std::vector<std::string> warnings;  // what is not quite as it was: budgets dropped, components nested
};

/// Why there is no translation: names the construct and the reason.
struct Refusal {
  std::string message;
};

/// Translates the lines of one file, or of several that one system will read together: some limits hold for
/// all it reads. What it writes is read again by the target's own grammar and must come out as the same
/// sentence, up to what the warnings tell; so print(translate(s)) read by the target is s where there is no
/// warning. To ONA, which does not reorder components, a line keeps the order in which they are written, or a warning
/// says that it does not.
class Translator {
 public:
  /// `table` is that of the sentences. To `any` is the canonical spelling, without warnings or refusals.
  Translator(TermTable& table, Dialect to);

  /// A sentence in the dialect.
  /// Returns  its text, read again by the target's grammar as the same sentence; or why not
  Result<Translation, Refusal> sentence(const Sentence& sentence);
  /// Any line but an error. Comments get the target's sign; commands that it does not have become comments.
  Result<Translation, Refusal> line(const NalLine& line);

 private:
  void adapt_frame(Sentence& sentence, std::vector<std::string>& warnings) const;
  Term adapt_term(Term term, std::vector<std::string>& warnings);
  Term quote_names(Term term, std::vector<std::string>& warnings);
  std::string check_again(const std::string& text, const Sentence& sentence,
                          std::vector<std::string>& warnings);
  std::string count_atoms(Term term);
  void keep_order(const NalLine& line, Translation& translation);
  Translation comment(std::string_view text) const;
  Translation command(std::string_view text) const;

  TermTable& table_;
  Dialect to_;
  Parser reader_;                             // the target's
  std::set<std::string, std::less<>> atoms_;  // that the target has met
};

}  // namespace engram::narsese
