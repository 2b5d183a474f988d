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
      interned_(1),
      warnings_(1) {}

bool Parser::tree(std::string_view line, SyntaxTree& tree) {
  const Place start = reading_.start(line, limits_.max_line_bytes, tree.text);
  if (start == nullptr) return false;
  tree.nodes.restart(tree.text.size());
  static constexpr Sentence empty;
  tree.frame = empty;  // copied, not cleared byte by byte
  const bool read = read_sentence(reading_, start, terms_, tree);
  tree.constructs = reading_.used();
  return read;
}

Term Parser::finish(const SyntaxTree& tree, Term term, TermTable& table) {
  return tree.variables_may_tie ? number_variables(table, term) : term;
}

ParsedSentence Parser::sentence(std::string_view line, TermTable& table) {
  if (!tree(line, trees_[0])) return {reading_.error(), reading_.used()};
  table.intern(std::span(trees_).first(1), std::span(interned_).first(1));
  ParsedSentence parsed(trees_[0].frame, reading_.used(), reading_.warnings());
  parsed.result.value().term = finish(trees_[0], interned_[0], table);
  check_fidelity(parsed, table);
  return parsed;
}

// Whether the dialect's system would hold the term at all, as it stands or as it makes it, and just so.
void Parser::check_fidelity(ParsedSentence& parsed, TermTable& table) const {
  const Dialect dialect = reading_.dialect();
  if (dialect == Dialect::any || dialect == Dialect::common || !parsed.result) return;
  std::vector<std::string> changes;
  Sentence held = *parsed.result;
  auto why = excess(held, dialect);
  if (why.empty()) {
    held.term = as_held_by(dialect, held.term, table, changes);
    if (!changes.empty()) why = excess(held, dialect);
  }
  if (!why.empty()) {
    ParseError error;
    error.refusal = std::move(why);
    parsed.result = std::move(error);
    return;
  }
  if (auto loss = lost_evidence(held, dialect); !loss.empty()) changes.push_back(std::move(loss));
  for (std::string& change : changes) parsed.warnings.push_back({1, std::move(change)});
}

std::vector<ParsedSentence> Parser::sentences(std::span<const std::string_view> lines, TermTable& table) {
  if (trees_.size() < lines.size()) {
    trees_.resize(lines.size());
    interned_.resize(lines.size());
    warnings_.resize(lines.size());
  }
  std::vector<ParsedSentence> failed;  // in the order of their lines
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (tree(lines[i], trees_[i])) {
      warnings_[i] = reading_.warnings();
    } else {
      trees_[i].nodes.restart(0);
      failed.emplace_back(reading_.error(), reading_.used());
    }
  }
  table.intern(std::span(trees_).first(lines.size()), std::span(interned_).first(lines.size()));
  std::vector<ParsedSentence> parsed;
  parsed.reserve(lines.size());
  auto next_failed = failed.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!interned_[i]) {
      parsed.push_back(std::move(*next_failed++));
      continue;
    }
    ParsedSentence& sentence =
        parsed.emplace_back(trees_[i].frame, trees_[i].constructs, std::move(warnings_[i]));
    sentence.result.value().term = finish(trees_[i], interned_[i], table);
    check_fidelity(sentence, table);
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
  return finish(tree, interned_[0], table);
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
