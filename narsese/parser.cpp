// SPDX-License-Identifier: MIT
#include "narsese/parser.hpp"

#include <algorithm>
#include <utility>

#include "narsese/fidelity.hpp"
#include "narsese/grammar.hpp"
#include "narsese/parse_error.hpp"
#include "narsese/term_queries.hpp"

namespace engram::narsese {
namespace {

ParseLimits within_the_table(ParseLimits limits) {
  // One bracket can add two levels to a term, as in (^op,a) and <a {-- b>. Names may include two quotes.
  limits.max_depth = std::min<std::size_t>(limits.max_depth, TermTable::max_depth / 2 - 1);
  limits.max_components = std::min(limits.max_components, TermTable::max_components);
  limits.max_name_bytes = std::min(limits.max_name_bytes, TermTable::max_name_bytes);
  return limits;
}

// Nodes to prefetch at once. Branch prediction works better for a fixed number than for the nodes of each line.
constexpr std::size_t expected_at_once = 32;

ParseError refusal(const TermTableFull& full) {
  ParseError error;
  error.refusal = full.what();
  return error;
}

}  // namespace

Parser::Parser(Dialect dialect, const ParseLimits& limits)
    : limits_(within_the_table(limits)), scanner_(dialect), terms_(scanner_, limits_) {}

// Number of bytes to read. A longer line is refused.
std::size_t Parser::readable(std::string_view line) const {
  return std::min(line.size(), limits_.max_line_bytes);
}

bool Parser::read_sentence(std::string_view line, PaddedText& copies, Sentence& frame, SyntaxNodes& nodes) {
  nodes.make_room(readable(line));
  const Place start = scanner_.start(line, limits_.max_line_bytes, copies);
  return start != nullptr && narsese::read_sentence(scanner_, start, terms_, frame, nodes);
}

bool Parser::tree(std::string_view line, SyntaxTree& tree) {
  tree.text.restart(readable(line));
  tree.nodes.clear();
  tree.frame = empty_frame_;
  const bool is_read = read_sentence(line, tree.text, tree.frame, tree.nodes);
  if (!is_read) error_ = with_hint(scanner_.error(), line);
  return is_read;
}

ParsedSentence Parser::sentence(std::string_view line, TermTable& table) {
  return std::move(sentences(std::span(&line, 1), table).front());
}

// Checks that the dialect's system can store the term, and adds warnings for the changes it would make.
void Parser::check_fidelity(ParsedSentence& parsed, TermTable& table) const {
  const Dialect dialect = scanner_.dialect();
  if (!parsed.result) return;
  std::vector<std::string> changes;
  Sentence held = *parsed.result;
  auto why = unsupported_reason(held, dialect);
  if (why.empty()) {
    held.term = as_held_by(dialect, held.term, table, changes);
    if (!changes.empty()) why = unsupported_reason(held, dialect);
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
  read(lines, read_, &table);
  return with_terms(read_, lines, table);
}

void Parser::read(std::span<const std::string_view> lines, SentenceTrees& into, const TermTable* ahead) {
  std::size_t bytes = 0;
  for (const std::string_view line : lines) bytes += readable(line);
  into.text.restart(bytes, lines.size());
  into.nodes.clear();
  into.needs_renumbering.clear();
  into.sentences.clear();
  into.sentences.reserve(lines.size());
  std::size_t expected = 0;  // nodes that were prefetched
  for (const std::string_view line : lines) {
    const SyntaxNodes::Mark before = into.nodes.mark();
    ParsedSentence& one = into.sentences.emplace_back(empty_frame_);
    const bool whole = read_sentence(line, into.text, one.result.value(), into.nodes);
    one.constructs = scanner_.used();
    into.needs_renumbering.push_back(whole && terms_.needs_renumbering());
    if (whole) {
      if (ahead != nullptr && into.nodes.size() >= expected + expected_at_once) {
        ahead->prefetch_index({into.nodes.begin() + expected, expected_at_once});
        expected += expected_at_once;
      }
      if (scanner_.has_warnings()) one.warnings = scanner_.warnings();
    } else {
      one.result = with_hint(scanner_.error(), line);
      into.nodes.rewind(before);
    }
  }
}

std::vector<ParsedSentence> Parser::with_terms(SentenceTrees& from, std::span<const std::string_view> lines,
                                               TermTable& table) {
  try {
    add_terms(from, table);
    return std::move(from.sentences);
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

void Parser::add_terms(SentenceTrees& from, TermTable& table) const {
  std::vector<ParsedSentence>& parsed = from.sentences;
  // Every valid line has one root.
  const Term* term = table.intern(from.nodes).data();
  for (ParsedSentence& one : parsed)
    if (one.result) one.result.value().term = *term++;
  const bool has_system = scanner_.dialect() != Dialect::any && scanner_.dialect() != Dialect::common;
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    if (from.needs_renumbering[i]) {
      Term& own = parsed[i].result.value().term;
      own = number_variables(table, own);
    }
    if (has_system) check_fidelity(parsed[i], table);
  }
}

Result<Term, ParseError> Parser::term(std::string_view text, TermTable& table) try {
  SyntaxNodes& nodes = read_.nodes;
  read_.text.restart(readable(text));
  nodes.clear();
  nodes.make_room(readable(text));
  Place at = scanner_.start(text, limits_.max_line_bytes, read_.text);
  if (at == nullptr) return with_hint(scanner_.error(), text);
  at = terms_.read(skip_blanks(at), nodes);
  if (at == nullptr || !read_end(scanner_, at)) return with_hint(scanner_.error(), text);
  const Term term = table.intern(nodes).front();
  return terms_.needs_renumbering() ? number_variables(table, term) : term;
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

Result<Sentence, ParseError> parse_sentence_or_term(std::string_view text, TermTable& table,
                                                    Punctuation of_term) {
  const auto sentence = parse_sentence(text, table);
  if (sentence) return sentence;
  const auto term = parse_term(text, table);
  if (!term) return term.error().offset > sentence.error().offset ? term.error() : sentence.error();
  Sentence alone;
  alone.term = *term;
  alone.punctuation = of_term;
  return alone;
}

}  // namespace engram::narsese
