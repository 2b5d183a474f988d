// SPDX-License-Identifier: MIT
#include "narsese/parser.hpp"

#include <algorithm>
#include <utility>

#include "narsese/fidelity.hpp"
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
      reading_(dialect),
      terms_(reading_, limits_),
      trees_(1),
      interned_(1) {}

bool Parser::tree(std::string_view line, SyntaxTree& tree) {
  const Place start = reading_.start(line, limits_.max_line_bytes, tree.text);
  if (start == nullptr) return false;
  tree.nodes.restart(tree.text.size());
  tree.frame = {};
  return read_sentence(reading_, start, terms_, tree);
}

Sentence Parser::finish(const SyntaxTree& tree, Term term, TermTable& table) {
  Sentence sentence = tree.frame;
  sentence.term = tree.variables_may_tie ? number_variables(table, term) : term;
  return sentence;
}

ParsedSentence Parser::sentence(std::string_view line, TermTable& table) {
  if (!tree(line, trees_[0])) return {reading_.error(), reading_.used(), {}};
  table.intern(std::span(trees_).first(1), std::span(interned_).first(1));
  ParsedSentence parsed{finish(trees_[0], interned_[0], table), reading_.used(), reading_.warnings()};
  check_fidelity(parsed, table);
  return parsed;
}

// Whether the dialect's system would hold the term at all, and just so.
void Parser::check_fidelity(ParsedSentence& parsed, TermTable& table) const {
  const Dialect dialect = reading_.dialect();
  if (dialect == Dialect::any || dialect == Dialect::common || !parsed.result) return;
  const Term term = parsed.result->term;
  if (auto why = excess(*parsed.result, dialect); !why.empty()) {
    ParseError error;
    error.refusal = std::move(why);
    parsed.result = std::move(error);
    return;
  }
  std::vector<std::string> changes;
  as_held_by(dialect, term, table, changes);
  for (std::string& change : changes) parsed.warnings.push_back({1, std::move(change)});
}

std::vector<ParsedSentence> Parser::sentences(std::span<const std::string_view> lines, TermTable& table) {
  if (trees_.size() < lines.size()) trees_.resize(lines.size());
  interned_.resize(std::max(lines.size(), interned_.size()));
  std::vector<ParsedSentence> parsed;
  parsed.reserve(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool read = tree(lines[i], trees_[i]);
    if (!read) trees_[i].nodes.restart(0);
    parsed.push_back({read ? Result<Sentence, ParseError>(Sentence{}) : reading_.error(), reading_.used(),
                      read ? reading_.warnings() : std::vector<ParseWarning>()});
  }
  table.intern(std::span(trees_).first(lines.size()), std::span(interned_).first(lines.size()));
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (parsed[i].result) {
      parsed[i].result = finish(trees_[i], interned_[i], table);
      check_fidelity(parsed[i], table);
    }
  return parsed;
}

Result<Term, ParseError> Parser::term(std::string_view text, TermTable& table) {
  SyntaxTree& tree = trees_[0];
  Place at = reading_.start(text, limits_.max_line_bytes, tree.text);
  if (at == nullptr) return reading_.error();
  tree.nodes.restart(tree.text.size());
  at = terms_.read(skip_blanks(at), tree);
  if (at == nullptr || !read_end(reading_, at)) return reading_.error();
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
