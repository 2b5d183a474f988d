// SPDX-License-Identifier: MIT
// Parser of sentences and terms as ONA, OpenNARS, PyNARS and CommonNarsese write them. All dialects share one
// grammar. The tables of dialect.hpp list the constructs that a dialect refuses.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/grammar.hpp"
#include "narsese/parse_error.hpp"
#include "narsese/result.hpp"
#include "narsese/scanner.hpp"
#include "narsese/sentence.hpp"
#include "narsese/syntax.hpp"

namespace engram::narsese {

/// Result of parsing a line: a sentence or an error, with warnings.
struct ParsedSentence {
  explicit ParsedSentence(const Sentence& sentence) : result(sentence) {}

  Result<Sentence, ParseError> result;
  ConstructSet constructs = 0;  // constructs that the line uses, up to an error
  std::vector<ParseWarning>
      warnings;  // about places that the system of the dialect reads differently from this parser
};

/// Parsed lines with syntax trees instead of terms. Parsing needs no term table, so another thread than the table's
/// can do it.
struct SentenceTrees {
  PaddedText text;                        // holds the names
  SyntaxNodes nodes;                      // a root for each valid line
  std::vector<ParsedSentence> sentences;  // one for each line, without its term
  std::vector<char> needs_renumbering;    // for each line: whether its variables need number_variables()
};

/// Parses texts. The term of a sentence is canonical (see TermTable and number_variables). `{--`, `--]`, `{-]` and
/// (^op,..) are expanded to inheritance.
/// Errors   a ParseError at the first byte that cannot continue a sentence, at a construct that the dialect refuses,
///          or if the table reached its limit (TermTable::limit). Otherwise an error changes nothing
/// Cost     O(n) for most lines, otherwise see number_variables; O(depth) stack; no backtracking
class Parser {
 public:
  explicit Parser(Dialect dialect = Dialect::any, const ParseLimits& limits = {});
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// Parses a sentence [dt=n] [$p;d;q$] term punctuation [tense] [truth] and makes its term in `table`.
  ParsedSentence sentence(std::string_view line, TermTable& table);
  /// Parses several lines in order. A few dozen lines together are faster than single ones if the table is large,
  /// because their look-ups wait for memory together.
  std::vector<ParsedSentence> sentences(std::span<const std::string_view> lines, TermTable& table);
  /// First step of sentences(): parses lines into syntax trees, which needs no access to the table's terms. If `ahead`
  /// is given, prefetches the index buckets of this table that with_terms() will probe.
  void read(std::span<const std::string_view> lines, SentenceTrees& into, const TermTable* ahead = nullptr);
  /// Second step of sentences(): makes the terms of the trees that read() of a parser with the same dialect and limits
  /// made from `lines`. `from` is consumed.
  std::vector<ParsedSentence> with_terms(SentenceTrees& from, std::span<const std::string_view> lines,
                                         TermTable& table);
  /// Parses a text that consists of one term.
  Result<Term, ParseError> term(std::string_view text, TermTable& table);
  /// Parses a sentence into a syntax tree, without a term table. Returns false after an error, which error() describes.
  bool tree(std::string_view line, SyntaxTree& tree);
  const ParseError& error() const { return error_; }

 private:
  std::size_t readable(std::string_view line) const;
  bool read_sentence(std::string_view line, PaddedText& copies, Sentence& frame, SyntaxNodes& nodes);
  void add_terms(SentenceTrees& from, TermTable& table) const;
  void check_fidelity(ParsedSentence& parsed, TermTable& table) const;

  ParseLimits limits_;
  Scanner scanner_;
  TermGrammar terms_;
  SentenceTrees read_;
  Sentence empty_frame_;  // copying it is faster than constructing one
  ParseError error_;      // error of the last tree()
};

/// Parses one text with a temporary Parser. For many texts use one Parser.
Result<Sentence, ParseError> parse_sentence(std::string_view line, TermTable& table,
                                            const ParseLimits& limits = {}, Dialect dialect = Dialect::any);
Result<Term, ParseError> parse_term(std::string_view text, TermTable& table, const ParseLimits& limits = {},
                                    Dialect dialect = Dialect::any);
/// Parses a sentence, or a term without punctuation, which becomes a sentence with the punctuation `of_term`.
/// Errors   the error of the attempt that got further, which is the more helpful one
Result<Sentence, ParseError> parse_sentence_or_term(std::string_view text, TermTable& table,
                                                    Punctuation of_term);

}  // namespace engram::narsese
