// SPDX-License-Identifier: MIT
// Reads sentences and terms as ONA, OpenNARS, PyNARS or CommonNarsese write them: one grammar, and for each
// dialect the table of what it does not read (dialect.hpp).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/parse_error.hpp"
#include "narsese/result.hpp"
#include "narsese/scanner.hpp"
#include "narsese/sentence.hpp"
#include "narsese/syntax.hpp"
#include "narsese/term_grammar.hpp"

namespace engram::narsese {

/// A sentence, or why there is none, with what is to be told of it.
struct ParsedSentence {
  explicit ParsedSentence(const Sentence& sentence) : result(sentence) {}

  Result<Sentence, ParseError> result;
  ConstructSet constructs = 0;         // used, up to an error
  std::vector<ParseWarning> warnings;  // where the dialect's system reads not quite what is written
};

/// Several lines as plain trees: all that reading them takes but for the table that their terms come from, so
/// that another thread than the table's may have read them.
struct ReadSentences {
  PaddedText text;                        // names are in it
  SyntaxNodes nodes;                      // a root for each line that was read
  std::vector<ParsedSentence> sentences;  // a line each, terms still missing
  std::vector<char> variables_may_tie;    // in each line
};

/// Reads one text after the other. The term of a sentence is in canonical form (see TermTable,
/// number_variables); `{--`, `--]`, `{-]` and (^op,..) are written out as inheritance.
/// Errors   a ParseError at the first byte that cannot belong to a sentence, or at a construct that the
///          dialect refuses, or whose terms the table has no room for (TermTable::limit); nothing else is
///          changed
/// Cost     O(n) time for a line whose variables cannot be told apart by the order of their first visits
///          alone, else see number_variables; O(depth) stack; nothing is backtracked
class Parser {
 public:
  explicit Parser(Dialect dialect = Dialect::any, const ParseLimits& limits = {});
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// [dt=n] [$p;d;q$] term punctuation [tense] [truth]
  ParsedSentence sentence(std::string_view line, TermTable& table);
  /// The same for each of the lines in their order, faster where the table is large: the lines wait together
  /// for what memory has to bring. A few dozen are best.
  std::vector<ParsedSentence> sentences(std::span<const std::string_view> lines, TermTable& table);
  /// The same in two steps, of which this one needs no table; where there is one, it asks memory for what the
  /// other will look up.
  void read(std::span<const std::string_view> lines, ReadSentences& into, const TermTable* ahead = nullptr);
  /// Of what a parser of the same dialect and limits has read from these lines. What is in `from` is used up.
  std::vector<ParsedSentence> with_terms(ReadSentences& from, std::span<const std::string_view> lines,
                                         TermTable& table);
  /// One term and nothing after it.
  Result<Term, ParseError> term(std::string_view text, TermTable& table);
  /// The plain tree of a sentence; false if it cannot be read, and error() says why.
  bool tree(std::string_view line, SyntaxTree& tree);
  const ParseError& error() const { return error_; }

 private:
  std::size_t readable(std::string_view line) const;
  bool read_sentence(std::string_view line, PaddedText& copies, Sentence& frame, SyntaxNodes& nodes);
  void add_terms(ReadSentences& from, TermTable& table) const;
  void check_fidelity(ParsedSentence& parsed, TermTable& table) const;

  ParseLimits limits_;
  Scanner scanner_;
  TermGrammar terms_;
  ReadSentences read_;
  Sentence empty_frame_;  // copied from memory faster than it is made
  ParseError error_;      // of the last tree that could not be read
};

/// With a Parser of its own.
Result<Sentence, ParseError> parse_sentence(std::string_view line, TermTable& table,
                                            const ParseLimits& limits = {}, Dialect dialect = Dialect::any);
Result<Term, ParseError> parse_term(std::string_view text, TermTable& table, const ParseLimits& limits = {},
                                    Dialect dialect = Dialect::any);
/// A sentence, or a term alone, which is a sentence of that punctuation.
/// Errors  that of the reading that came further: it tells more about what is wrong
Result<Sentence, ParseError> parse_sentence_or_term(std::string_view text, TermTable& table,
                                                    Punctuation of_term);

}  // namespace engram::narsese
