// SPDX-License-Identifier: MIT
// Fuzz target for the parser, the printer, the translator and the reader of .nal files, which must handle any bytes.
// libFuzzer makes new inputs (preset `fuzz`); replay.cpp replays the corpus.
//
// Format of an input: the first byte selects the dialect and the limits: c, o, n, p or a in the order of the dialects
// in dialect.hpp; a capital letter selects small limits, which short texts exceed. The rest is a .nal file.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "narsese/nal_reader.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/text.hpp"
#include "narsese/translator.hpp"
#include "tests/fuzz/promise.hpp"

using namespace engram::narsese;
using engram::fuzz::promise;
using engram::fuzz::split;

namespace {

constexpr ParseLimits small_limits{
    .max_line_bytes = 60, .max_depth = 3, .max_components = 4, .max_name_bytes = 6, .max_variables = 3};
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
constexpr ParseLimits no_limits{no_limit, no_limit, no_limit, no_limit, no_limit};
// Largest depth of a term whose printed form the parser accepts.
constexpr std::uint32_t readable_depth = TermTable::max_depth / 2;
// If a term has more variables, number_variables may stop before it has resolved all symmetries.
constexpr std::int64_t searched_variables = 8;

struct Choice {
  Dialect dialect;
  ParseLimits limits;
};

Choice choose(std::uint8_t byte) {
  constexpr std::string_view letters = "conpaCONPA";
  std::size_t place = letters.find(static_cast<char>(byte));
  if (place == std::string_view::npos) place = byte % letters.size();
  return {static_cast<Dialect>(place % 5), place < 5 ? ParseLimits{} : small_limits};
}

bool is_utf8(std::string_view text) { return find_invalid_utf8(text) == text.size(); }

bool alike(const ParseError& a, const ParseError& b) {
  return a.offset == b.offset && a.column == b.column && a.message() == b.message();
}
bool alike(const ParsedSentence& a, const ParsedSentence& b) {
  if (a.constructs != b.constructs || a.warnings.size() != b.warnings.size()) return false;
  if (a.result && b.result) return *a.result == *b.result;
  return !a.result && !b.result && alike(a.result.error(), b.result.error());
}

// --- checks of single lines -------------------------------------------------------------------------------

void check_error(std::string_view line, const ParseError& error) {
  promise(error.offset <= line.size(), "the offset of an error is within its text", line, error.message());
  promise(error.line == 1, "errors of one line have line 1", line);
  promise(error.column == count_code_points(line.substr(0, error.offset)) + 1,
          "a column counts the code points before an error", line, error.message());
  promise(error.refusal.empty() ? !error.expected.empty() && !error.found.empty() : error.expected.empty(),
          "an error names the expected and the found text, or the refused construct", line, error.message());
  promise(is_utf8(error.message()), "a message is UTF-8", line);
}

using Counts = std::array<std::int64_t, 3>;  // number of variables of each kind

/// Counts the distinct variables of a numbered term.
Counts count_variables(Term term) {
  Counts counts{};
  if (term.kind() == TermKind::variable) {
    counts[static_cast<std::size_t>(term.variable_kind())] = term.number();
  } else if (term.has_variables()) {
    for (const Term component : term.components()) {
      const Counts more = count_variables(component);
      for (std::size_t kind = 0; kind < counts.size(); ++kind)
        counts[kind] = std::max(counts[kind], more[kind]);
    }
  }
  return counts;
}

bool has_commutative(Term term) {
  if (!term.has_variables() || term.kind() == TermKind::variable) return false;
  const bool commutative = term.kind() == TermKind::statement ? facts(term.copula()).symmetric
                                                              : facts(term.connector()).commutative;
  return commutative || std::ranges::any_of(term.components(), has_commutative);
}

/// Whether number_variables may stop early in its search for the canonical order of a term's variables.
bool is_symmetric(Term term) {
  const Counts counts = count_variables(term);
  return counts[0] + counts[1] + counts[2] > searched_variables && has_commutative(term);
}

/// The term with other variables: those of each kind are numbered in reverse order.
Term with_other_names(Term term, const Counts& counts, TermTable& table) {
  if (!term.has_variables()) return term;
  if (term.kind() == TermKind::variable)
    return table.variable(term.variable_kind(),
                          counts[static_cast<std::size_t>(term.variable_kind())] + 1 - term.number());
  std::vector<Term> components;
  for (const Term component : term.components())
    components.push_back(with_other_names(component, counts, table));
  return table.with_components(term, components);
}

/// Whether a term is a name that is valid in a compound but not alone in a sentence. Example: in `a@:b` the sentence
/// would end after the a. Such names can occur alone, because (&&,a@:b,a@:b) reduces to its only component.
bool needs_brackets(Term term, std::string_view followers) {
  if (term.kind() != TermKind::atom && term.kind() != TermKind::op) return false;
  const std::string_view name = term.name();
  if (term.kind() == TermKind::atom && name.starts_with("dt=")) return true;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (std::string_view(".!?@").find(name[i]) != std::string_view::npos &&
        followers.find(i + 1 < name.size() ? name[i + 1] : '\0') != std::string_view::npos)
      return !name.starts_with('"');
  return false;
}

/// Whether a term contains the name _, which only OpenNARS accepts outside of images.
bool names_placeholder(Term term) {
  if (term.kind() == TermKind::atom) return term.name() == "_";
  return std::ranges::any_of(term.components(), names_placeholder);
}

void check_printing(std::string_view line, const Sentence& sentence, TermTable& table) {
  const std::string printed = print(sentence);
  promise(is_utf8(printed), "printed sentences are UTF-8", line);
  if (sentence.term.depth() > readable_depth) return;  // its printed form is deeper than the parser allows
  if (needs_brackets(sentence.term, "%:") || names_placeholder(sentence.term)) return;
  const auto again = parse_sentence(printed, table, no_limits);
  promise(bool(again), "a printed sentence is valid", line, again ? printed : again.error().message());
  if (is_symmetric(sentence.term)) return;
  promise(*again == sentence, "parsing a printed sentence gives the same sentence", printed, print(*again));
  promise(number_variables(table, sentence.term) == sentence.term,
          "numbering variables again changes nothing", printed);
  const Term renamed = with_other_names(sentence.term, count_variables(sentence.term), table);
  promise(number_variables(table, renamed) == sentence.term, "the names of variables do not matter", printed);
  // Here the end of the text follows the term, instead of punctuation.
  if (needs_brackets(sentence.term, std::string_view("%:", 3))) return;
  const auto term = parse_term(print(sentence.term), table, no_limits);
  promise(term && *term == sentence.term, "parsing a printed term gives the same term", printed);
}

void check_warnings(std::string_view line, const ParsedSentence& parsed, Dialect dialect) {
  const ConstructSet odd =
      handled(dialect, Handling::Kind::rounds) | handled(dialect, Handling::Kind::misreads);
  const auto told = static_cast<std::size_t>(std::popcount(parsed.constructs & odd));
  promise(!parsed.result || parsed.warnings.size() >= told,
          "a warning reports each construct that is rounded or misread", line);
  for (const ParseWarning& warning : parsed.warnings) {
    promise(warning.column >= 1 && warning.column <= count_code_points(line) + 1,
            "the column of a warning is within its text", line, warning.message);
    promise(is_utf8(warning.message) && !warning.message.empty(), "a warning is UTF-8", line);
  }
}

/// Whether a text means something else in `dialect` than in dialect `any`, judged by its constructs in both.
bool differs(Dialect dialect, ConstructSet there, ConstructSet anywhere) {
  switch (dialect) {
    case Dialect::ona:  // in ONA a(b) and a[b] are two components, and only ONA accepts (/,R,B)
      return ((there & (bit(Construct::missing_separator) | bit(Construct::bare_image))) |
              (anywhere & (bit(Construct::function_operation) | bit(Construct::bracketed_name)))) != 0;
    case Dialect::pynars:  // in PyNARS these symbols end a name
      return (anywhere & (bit(Construct::hyphen_in_name) | bit(Construct::dot_in_name) |
                          bit(Construct::colon_in_name) | bit(Construct::symbol_in_name))) != 0;
    default:
      return false;
  }
}

/// Whether a text has syntax that only this dialect accepts. CommonNarsese skips non-ASCII white space and allows
/// missing numbers in budgets and truth values. OpenNARS accepts _ as a name.
bool is_spelt_for(Dialect dialect, std::string_view line) {
  if (dialect == Dialect::opennars) return line.find('_') != line.npos;
  if (dialect != Dialect::common) return false;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (wide_blank(line.substr(i)) > 0) return true;
  const auto holds = [line](const char* text) { return line.find(text) != line.npos; };
  return holds("$$") || holds("%%") || holds(";%") || holds(";$");
}

void check_dialects(std::string_view line, const ParsedSentence& parsed, const Choice& choice,
                    TermTable& table) {
  const ConstructSet refused = handled(choice.dialect, Handling::Kind::refuses);
  if (parsed.result)
    promise((parsed.constructs & refused) == 0, "an accepted sentence has no refused construct", line);
  if (choice.dialect == Dialect::any) return;
  const ParsedSentence any = Parser(Dialect::any, choice.limits).sentence(line, table);
  if (differs(choice.dialect, parsed.constructs, any.constructs) || is_spelt_for(choice.dialect, line))
    return;
  if (parsed.result) {
    promise(bool(any.result), "dialect `any` accepts the sentences of each dialect", line);
    promise(*any.result == *parsed.result, "dialect `any` gives the same sentence as each dialect", line,
            print(*any.result));
  } else if (any.result) {
    promise((any.constructs & refused) != 0 || !parsed.result.error().refusal.empty(),
            "a dialect accepts a sentence without refused constructs", line, parsed.result.error().message());
  }
}

void check_tree(std::string_view line, const ParsedSentence& parsed, Parser& parser, TermTable& table) {
  SyntaxTree tree;
  if (!parser.tree(line, tree)) {
    promise(!parsed.result && alike(parser.error(), parsed.result.error()),
            "a tree and its sentence have the same error", line);
    return;
  }
  const auto roots = table.intern(tree.nodes);
  promise(roots.size() == 1, "a tree has one root", line);
  Sentence sentence = tree.frame;
  sentence.term = number_variables(table, roots[0]);
  if (parsed.result)
    promise(sentence == *parsed.result, "a tree gives its sentence", line, print(sentence));
  else
    promise(!parsed.result.error().refusal.empty(),
            "if the tree is valid, only a term that the system cannot hold is an error", line,
            parsed.result.error().message());
}

void check_fresh_table(std::string_view line, const Sentence& sentence, const Choice& choice) {
  TermTable fresh;
  const auto again = parse_sentence(line, fresh, choice.limits, choice.dialect);
  promise(again && print(*again) == print(sentence), "the spelling does not depend on earlier sentences",
          line);
}

/// Whether a file that has only this text is read as this sentence. Some sentences look like a comment, a command or a
/// byte order mark. The reason is that (&&,'a,'a) reduces to its only component, a name that may start with such a
/// mark.
bool is_line_of(const std::string& text, const Sentence& sentence, TermTable& table) {
  std::istringstream in(text);
  NalReader reader(in, table, no_limits, Dialect::any);
  const auto read = reader.next();
  return read && read->kind == NalLine::Kind::sentence && read->sentence == sentence && !reader.next();
}

void check_translation(std::string_view line, const Sentence& sentence, TermTable& table) {
  for (const Dialect to : {Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars, Dialect::any}) {
    const auto translation = Translator(table, to).sentence(sentence);
    if (!translation) {
      promise(to != Dialect::any || !is_line_of(print(sentence), sentence, table),
              "a sentence of a file has a canonical spelling", line);
      promise(!translation.error().message.empty() && is_utf8(translation.error().message),
              "a refusal has a reason in UTF-8", line);
      continue;
    }
    const std::string& text = translation->text;
    for (const std::string& warning : translation->warnings)
      promise(!warning.empty() && is_utf8(warning), "a warning is UTF-8", line);
    if (to == Dialect::any) {
      promise(text == print(sentence) && translation->warnings.empty(),
              "dialect `any` writes the canonical spelling", line, text);
      continue;  // check_printing() parses this text
    }
    const ParsedSentence again = Parser(to).sentence(text, table);
    promise(bool(again.result), "the target accepts its translation", text,
            again.result ? "" : again.result.error().message());
    if (translation->warnings.empty())
      promise(*again.result == sentence, "without warnings the translation has the same meaning", line, text);
  }
}

ParsedSentence check_line(std::string_view line, Parser& parser, const Choice& choice, TermTable& table) {
  ParsedSentence parsed = parser.sentence(line, table);
  if (parsed.result && is_symmetric(parsed.result->term)) return parsed;
  check_tree(line, parsed, parser, table);
  check_warnings(line, parsed, choice.dialect);
  check_dialects(line, parsed, choice, table);
  if (!parsed.result) {
    check_error(line, parsed.result.error());
    return parsed;
  }
  check_printing(line, *parsed.result, table);
  check_fresh_table(line, *parsed.result, choice);
  check_translation(line, *parsed.result, table);
  return parsed;
}

// --- checks of lines that are parsed together -------------------------------------------------------------

void check_batch(const std::vector<std::string_view>& lines, const std::vector<ParsedSentence>& one_by_one,
                 const Choice& choice, TermTable& table) {
  Parser parser(choice.dialect, choice.limits);
  for (const bool known : {true, false}) {  // whether the table already has the terms
    TermTable fresh;
    const auto together = parser.sentences(lines, known ? table : fresh);
    promise(together.size() == lines.size(), "each line has its outcome", {});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (known)
        promise(alike(together[i], one_by_one[i]), "lines are read together as alone", lines[i]);
      else if (together[i].result && one_by_one[i].result)
        promise(print(*together[i].result) == print(*one_by_one[i].result),
                "lines are read together as alone into a new table", lines[i]);
      else
        promise(bool(together[i].result) == bool(one_by_one[i].result), "lines fail together as alone",
                lines[i]);
    }
  }
}

void check_nal_line(const NalLine& line, const Choice& choice, TermTable& table) {
  using Kind = NalLine::Kind;
  promise(line.text.size() <= choice.limits.max_line_bytes, "a line is kept within the limit", line.text);
  promise((line.kind == Kind::sentence) == bool(line.sentence.term), "a sentence has a term", line.text);
  promise(line.kind != Kind::cycles || line.cycles <= NalReader::max_cycles, "cycles are bounded", line.text);
  if (line.kind == Kind::sentence && !is_symmetric(line.sentence.term)) {
    const auto alone = parse_sentence(line.text, table, choice.limits, choice.dialect);
    promise(alone && *alone == line.sentence, "a line of a file is read as alone", line.text);
  }
  if (line.kind == Kind::expectation && line.expectation.sentence)
    check_printing(line.text, *line.expectation.sentence, table);
  if (line.kind == Kind::error) {
    ParseError error = line.error;
    promise(error.line == line.number, "an error knows its line", line.text);
    error.line = 1;
    check_error(line.text, error);
  }
}

void check_reader(std::string_view text, const Choice& choice, TermTable& table) {
  std::istringstream in{std::string(text)};
  NalReader reader(in, table, choice.limits, choice.dialect);
  std::array<Translator, 2> translators{Translator(table, Dialect::ona), Translator(table, choice.dialect)};
  std::size_t lines = 0;
  while (const auto line = reader.next()) {
    promise(line->number == ++lines, "lines are counted", text);
    check_nal_line(*line, choice, table);
    if (line->kind == NalLine::Kind::error) continue;
    if (line->kind == NalLine::Kind::sentence && is_symmetric(line->sentence.term)) continue;
    for (Translator& translator : translators) {
      const auto written = translator.line(*line);
      promise(!written || written->text.find('\n') == std::string::npos, "a line is written as one",
              line->text);
    }
  }
  promise(lines == split(text).size() && in.rdbuf()->in_avail() <= 0, "a file is read to its end", text);
  promise(!in.bad(), "a whole stream is not bad", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Choice choice = choose(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::string_view> lines = split(text);
  TermTable table;
  Parser parser(choice.dialect, choice.limits);
  std::vector<ParsedSentence> parsed;
  std::vector<std::string_view> batch;
  for (const std::string_view line : lines) {
    ParsedSentence one = check_line(line, parser, choice, table);
    if (one.result && is_symmetric(one.result->term)) continue;
    batch.push_back(line);
    parsed.push_back(std::move(one));
  }
  check_batch(batch, parsed, choice, table);
  check_reader(text, choice, table);
  return 0;
}
