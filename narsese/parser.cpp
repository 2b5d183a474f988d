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

// A loop of as many as this, instead of as many as a line has, is foretold better.
constexpr std::size_t expected_at_once = 32;

ParseError refusal(const TermTableFull& full) {
  ParseError error;
  error.refusal = full.what();
  return error;
}

}  // namespace

Parser::Parser(Dialect dialect, const ParseLimits& limits)
    : limits_(within_the_table(limits)), scanner_(dialect), terms_(scanner_, limits_) {}

bool Parser::read_sentence(std::string_view line, PaddedText& copies, Sentence& frame, SyntaxNodes& nodes) {
  nodes.make_room(line.size());
  const Place start = scanner_.start(line, limits_.max_line_bytes, copies);
  return start != nullptr && narsese::read_sentence(scanner_, start, terms_, frame, nodes);
}

bool Parser::tree(std::string_view line, SyntaxTree& tree) {
  tree.text.restart(line.size());
  tree.nodes.clear();
  tree.frame = empty_frame_;
  return read_sentence(line, tree.text, tree.frame, tree.nodes);
}

ParsedSentence Parser::sentence(std::string_view line, TermTable& table) {
  return std::move(sentences(std::span(&line, 1), table).front());
}

// Whether the dialect's system would hold the term at all, as it stands or as it makes it, and just so.
void Parser::check_fidelity(ParsedSentence& parsed, TermTable& table) const {
  const Dialect dialect = scanner_.dialect();
  if (!parsed.result) return;
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
  try {
    return read_together(lines, table);
  } catch (const TermTableFull& full) {
    if (lines.size() == 1) {
      std::vector<ParsedSentence> refused{ParsedSentence(empty_frame_)};
      refused.front().result = refusal(full);
      return refused;
    }
  }
  std::vector<ParsedSentence> parsed;
  for (const std::string_view& line : lines) parsed.push_back(sentence(line, table));
  return parsed;
}

std::vector<ParsedSentence> Parser::read_together(std::span<const std::string_view> lines, TermTable& table) {
  std::size_t bytes = 0;
  for (const std::string_view line : lines) bytes += line.size();
  text_.restart(bytes, lines.size());
  nodes_.clear();
  variables_may_tie_.clear();
  std::vector<ParsedSentence> parsed;
  parsed.reserve(lines.size());
  std::size_t expected = 0;  // nodes whose place in the index was asked for
  for (const std::string_view line : lines) {
    const SyntaxNodes::Mark before = nodes_.mark();
    ParsedSentence& one = parsed.emplace_back(empty_frame_);
    const bool read = read_sentence(line, text_, one.result.value(), nodes_);
    one.constructs = scanner_.used();
    variables_may_tie_.push_back(read && terms_.variables_may_tie());
    if (read) {
      if (nodes_.size() >= expected + expected_at_once) {
        table.expect({nodes_.begin() + expected, expected_at_once});
        expected += expected_at_once;
      }
      if (scanner_.has_warnings()) one.warnings = scanner_.warnings();
    } else {
      one.result = scanner_.error();
      nodes_.go_back(before);
    }
  }
  // Each line that was read has left one root.
  const Term* term = table.intern(nodes_).data();
  for (std::size_t i = 0; i < parsed.size(); ++i)
    if (parsed[i].result) parsed[i].result.value().term = *term++;
  const bool has_system = scanner_.dialect() != Dialect::any && scanner_.dialect() != Dialect::common;
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    if (variables_may_tie_[i]) {
      Term& own = parsed[i].result.value().term;
      own = number_variables(table, own);
    }
    if (has_system) check_fidelity(parsed[i], table);
  }
  return parsed;
}

Result<Term, ParseError> Parser::term(std::string_view text, TermTable& table) try {
  text_.restart(text.size());
  nodes_.clear();
  nodes_.make_room(text.size());
  Place at = scanner_.start(text, limits_.max_line_bytes, text_);
  if (at == nullptr) return scanner_.error();
  at = terms_.read(skip_blanks(at), nodes_);
  if (at == nullptr || !read_end(scanner_, at)) return scanner_.error();
  const Term term = table.intern(nodes_).front();
  return terms_.variables_may_tie() ? number_variables(table, term) : term;
} catch (const TermTableFull& full) {
  return refusal(full);
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
