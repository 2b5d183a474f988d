// SPDX-License-Identifier: MIT
#include "narsese/parser.hpp"

#include <algorithm>
#include <utility>

#include "narsese/sentence_grammar.hpp"
#include "narsese/variables.hpp"

namespace engram::narsese {
namespace {

ParseLimits within_the_table(ParseLimits limits) {
  // One bracket can be two levels of a term, as (^op,a) and <a {-- b> are; names hold two quotes.
  limits.max_depth = std::min<std::size_t>(limits.max_depth, TermTable::max_depth / 2 - 1);
  limits.max_components = std::min(limits.max_components, TermTable::max_components);
  limits.max_name_bytes = std::min(limits.max_name_bytes, TermTable::max_name_bytes);
  return limits;
}

}  // namespace

Parser::Parser(Dialect dialect, const ParseLimits& limits)
    : limits_(within_the_table(limits)),
      cursor_(dialect),
      terms_(cursor_, limits_),
      trees_(1),
      interned_(1) {}

bool Parser::tree(std::string_view line, SyntaxTree& tree) {
  if (!cursor_.load(line, limits_.max_line_bytes, tree.text)) return false;
  tree.nodes.restart(tree.text.size());
  tree.frame = {};
  return read_sentence(cursor_, terms_, tree);
}

Sentence Parser::finish(const SyntaxTree& tree, Term term, TermTable& table) {
  Sentence sentence = tree.frame;
  sentence.term = tree.variables_may_tie ? number_variables(table, term) : term;
  return sentence;
}

ParsedSentence Parser::sentence(std::string_view line, TermTable& table) {
  if (!tree(line, trees_[0])) return {cursor_.error(), cursor_.used(), {}};
  table.intern(std::span(trees_).first(1), std::span(interned_).first(1));
  return {finish(trees_[0], interned_[0], table), cursor_.used(), cursor_.warnings()};
}

std::vector<ParsedSentence> Parser::sentences(std::span<const std::string_view> lines, TermTable& table) {
  if (trees_.size() < lines.size()) trees_.resize(lines.size());
  interned_.resize(std::max(lines.size(), interned_.size()));
  std::vector<ParsedSentence> parsed;
  parsed.reserve(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (tree(lines[i], trees_[i])) {
      parsed.push_back({Sentence{}, cursor_.used(), cursor_.warnings()});
    } else {
      parsed.push_back({cursor_.error(), cursor_.used(), {}});
      trees_[i].nodes.restart(0);
    }
  }
  table.intern(std::span(trees_).first(lines.size()), std::span(interned_).first(lines.size()));
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (parsed[i].result) parsed[i].result = finish(trees_[i], interned_[i], table);
  return parsed;
}

Result<Term, ParseError> Parser::term(std::string_view text, TermTable& table) {
  SyntaxTree& tree = trees_[0];
  if (!cursor_.load(text, limits_.max_line_bytes, tree.text)) return cursor_.error();
  tree.nodes.restart(tree.text.size());
  cursor_.skip_blanks();
  if (!terms_.read(tree) || !read_end(cursor_)) return cursor_.error();
  table.intern(std::span(trees_).first(1), std::span(interned_).first(1));
  return finish(tree, interned_[0], table).term;
}

Result<Sentence, ParseError> parse_sentence(std::string_view line, TermTable& table,
                                            const ParseLimits& limits, Dialect dialect) {
  return Parser(dialect, limits).sentence(line, table).result;
}

Result<Term, ParseError> parse_term(std::string_view text, TermTable& table, const ParseLimits& limits,
                                    Dialect dialect) {
  return Parser(dialect, limits).term(text, table);
}

}  // namespace engram::narsese
