// SPDX-License-Identifier: MIT
#include "narsese/term_grammar.hpp"

#include <algorithm>

namespace engram::narsese {
namespace {

// What a byte may be inside a name. Bytes from 0x80 on are parts of other letters.
enum Glyph : unsigned char { letter, stop, sign };  // sign: depends on what follows, and on the dialect

using Glyphs = std::array<unsigned char, 256>;

constexpr Glyphs make_glyphs(std::string_view more_stops) {
  Glyphs glyphs{};
  for (std::size_t c = 0; c < 0x80; ++c) {
    const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    glyphs[c] = c <= ' ' || c == 0x7F ? stop : alphanumeric || c == '_' ? letter : sign;
  }
  for (const char c : std::string_view(",()[]{}<>\"&*;")) glyphs[static_cast<unsigned char>(c)] = stop;
  for (const char c : more_stops) glyphs[static_cast<unsigned char>(c)] = stop;
  return glyphs;
}
constexpr Glyphs usual_glyphs = make_glyphs("");
constexpr Glyphs pynars_glyphs =
    make_glyphs("-+=|!.?@~%:/\\#$");  // narsese.lark: its connectors need no blanks

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Copulas that are no copula of the term model, but short for inheritance with a set on one or both sides.
struct InstanceCopula {
  std::string_view text;
  bool subject_is_instance, predicate_is_property;
};
constexpr std::array<InstanceCopula, 3> instance_copulas{
    {{"{--", true, false}, {"--]", false, true}, {"{-]", true, true}}};

// What a copula is called where the dialects differ on it.
std::optional<Construct> construct_of(Copula copula) {
  switch (copula) {
    case Copula::concurrent_implication:
      return Construct::concurrent_implication;
    case Copula::retrospective_implication:
      return Construct::retrospective_implication;
    case Copula::predictive_equivalence:
      return Construct::predictive_equivalence;
    case Copula::concurrent_equivalence:
      return Construct::concurrent_equivalence;
    case Copula::retrospective_equivalence:
      return Construct::retrospective_equivalence;
    case Copula::continuous_property:
      return Construct::continuous_property;
    default:
      return {};
  }
}

std::optional<Construct> construct_of(Connector connector) {
  switch (connector) {
    case Connector::parallel:
      return Construct::parallel;
    case Connector::spatial:
      return Construct::spatial;
    case Connector::equal:
    case Connector::greater:
      return Construct::comparison;
    default:
      return {};
  }
}

// Connectors that stand between terms, from the tightest to the loosest (PyNARS, narsese.lark); of connectors
// that begin alike the longer one is looked for first.
constexpr std::array<Connector, 9> by_precedence{Connector::extensional_difference,
                                                 Connector::intensional_difference,
                                                 Connector::extensional_intersection,
                                                 Connector::intensional_intersection,
                                                 Connector::parallel,
                                                 Connector::sequence,
                                                 Connector::conjunction,
                                                 Connector::disjunction,
                                                 Connector::product};

std::string arity_text(const ConnectorFacts& rule) {
  const std::string count = std::to_string(rule.min_arity);
  return (rule.min_arity == rule.max_arity ? count : "at least " + count) +
         (rule.min_arity == 1 ? " component of '" : " components of '") + std::string(rule.text) + "'";
}

bool too_deep(const SyntaxNodes& nodes) {
  std::vector<std::uint32_t> depths;
  for (const SyntaxNode& node : nodes) {
    std::uint32_t depth = 0;
    if (node.kind == TermKind::compound || node.kind == TermKind::statement)
      for (std::uint32_t i = 0; i < node.size; ++i, depths.pop_back()) depth = std::max(depth, depths.back());
    depths.push_back(depth + 1);
    if (depth >= TermTable::max_depth) return true;
  }
  return false;
}

std::size_t looseness(Connector connector) {
  return static_cast<std::size_t>(std::find(by_precedence.begin(), by_precedence.end(), connector) -
                                  by_precedence.begin());
}

}  // namespace

TermGrammar::TermGrammar(Cursor& cursor, const ParseLimits& limits)
    : cursor_(cursor),
      limits_(limits),
      glyphs_(cursor.dialect() == Dialect::pynars ? pynars_glyphs : usual_glyphs) {}

bool TermGrammar::read(SyntaxTree& tree) {
  tree_ = &tree;
  brackets_ = levels_ = 0;
  has_commutative_ = false;
  for (auto& names : variables_) names.clear();
  if (!term()) return false;
  // Brackets bound the depth of all but chains of connectors, which nest without any.
  if ((cursor_.used() & bit(Construct::mixed_infix)) != 0 && too_deep(tree.nodes))
    return cursor_.fail("at most " + std::to_string(TermTable::max_depth) + " levels of nesting");
  tree.variables_may_tie =
      has_commutative_ &&
      std::any_of(variables_.begin(), variables_.end(), [](const auto& names) { return names.size() > 1; });
  return true;
}

bool TermGrammar::leaf(TermKind kind, std::uint8_t symbol, std::size_t size, std::int64_t value) {
  tree_->nodes.push_back({kind, symbol, static_cast<std::uint32_t>(size), value});
  return true;
}

bool TermGrammar::inner(Connector connector, std::size_t count, std::size_t position) {
  has_commutative_ |= facts(connector).commutative && count > 1;
  tree_->nodes.push_back({TermKind::compound, static_cast<std::uint8_t>(connector),
                          static_cast<std::uint32_t>(count), static_cast<std::int64_t>(position)});
  return true;
}

bool TermGrammar::inner(Copula copula) {
  has_commutative_ |= facts(copula).symmetric;
  tree_->nodes.push_back({TermKind::statement, static_cast<std::uint8_t>(copula), 2, 0});
  return true;
}

bool TermGrammar::term() {
  const char c = cursor_.peek();
  switch (c) {
    case '<':
      return bracketed([&] { return statement(); }, '>');
    case '(':
      return bracketed([&] { return in_round_brackets(); }, ')');
    case '{':
      return bracketed([&] { return set(Connector::extensional_set, '}'); }, '}');
    case '[':
      return bracketed([&] { return set(Connector::intensional_set, ']'); }, ']');
    case '$':
      return variable(VariableKind::independent);
    case '#':
      return variable(VariableKind::dependent);
    case '?':
      return variable(VariableKind::query);
    case '"':
      return quoted();
    case '^':
      return op();
    case '+':
      return is_digit(cursor_.peek(1)) ? interval() : cursor_.fail("a term");
    case '-':
      if (cursor_.peek(1) == '-') return bare_negation();
      [[fallthrough]];
    default:
      return atom();
  }
}

template <class Inside>
bool TermGrammar::bracketed(Inside inside, char close) {
  if (!enter()) return false;
  cursor_.advance();
  ++brackets_;
  cursor_.skip_blanks();
  if (!inside()) return false;
  cursor_.skip_blanks();
  if (!cursor_.take(close)) return cursor_.fail(std::string("'") + close + "'");
  --brackets_;
  --levels_;
  return true;
}

bool TermGrammar::enter() {
  if (levels_ >= limits_.max_depth)
    return cursor_.fail("at most " + std::to_string(limits_.max_depth) + " levels of brackets");
  ++levels_;
  return true;
}

// --- names ------------------------------------------------------------------------------------------------

// A name ends at a stop, before a copula, and at the outermost level before a sentence's punctuation.
std::size_t TermGrammar::read_name() {
  const std::size_t start = cursor_.offset();
  for (;; cursor_.advance()) {
    const unsigned char glyph = glyphs_[static_cast<unsigned char>(cursor_.peek())];
    if (glyph == letter) continue;
    if (glyph == stop || (cursor_.offset() > start && name_ends())) break;
    if (!note_symbol(start)) break;
  }
  return cursor_.offset() - start;
}

bool TermGrammar::name_ends() const {
  switch (cursor_.peek()) {
    case '-':
      return cursor_.looking_at("-->") || cursor_.looking_at("--]");
    case '=':
      return std::any_of(copulas.begin(), copulas.end(),
                         [&](const CopulaFacts& copula) { return cursor_.looking_at(copula.text); });
    case '|':
      return cursor_.looking_at("||") || cursor_.looking_at("|->");
    case '.':
    case '!':
    case '?':
    case '@':
      return brackets_ == 0 && std::string_view(" \t%:{", 6).find(cursor_.peek(1)) != std::string_view::npos;
    default:
      return false;
  }
}

bool TermGrammar::note_symbol(std::size_t start) {
  switch (cursor_.peek()) {
    case '-':
      return cursor_.use_at(start, Construct::hyphen_in_name);
    case '.':
      return cursor_.use_at(start, Construct::dot_in_name);
    case ':':
      return cursor_.use_at(start, Construct::colon_in_name);
    default:
      return cursor_.use_at(start, Construct::symbol_in_name);
  }
}

bool TermGrammar::check_name(std::size_t start, std::size_t size) {
  if (size <= limits_.max_name_bytes) return true;
  return cursor_.fail_at(start, "a name of at most " + std::to_string(limits_.max_name_bytes) + " bytes",
                         std::to_string(size));
}

bool TermGrammar::atom() {
  const std::size_t start = cursor_.offset();
  if (std::string_view("!.@:%~'=|\\/", 11).find(cursor_.peek()) != std::string_view::npos)
    return cursor_.fail("a term");
  std::size_t size = read_name();
  if (cursor_.failed()) return false;
  if (size == 0) return cursor_.fail("a term");
  if (size == 1 && tree_->text.data()[start] == '_')
    return cursor_.fail_at(start, "a term (the placeholder _ stands only in an image)");
  if (cursor_.peek() == '(' && cursor_.dialect() != Dialect::ona) return function(start, size);
  if (cursor_.peek() == '[' && cursor_.dialect() != Dialect::ona) {
    if (!brackets_of_name()) return false;
    size = cursor_.offset() - start;
  }
  return check_name(start, size) && leaf(TermKind::atom, 0, size, static_cast<std::int64_t>(start));
}

// M1[-1.0,0.0]: brackets that touch a name belong to it.
bool TermGrammar::brackets_of_name() {
  if (!cursor_.use(Construct::bracketed_name)) return false;
  while (cursor_.take('[')) {
    while (is_digit(cursor_.peek()) || cursor_.peek() == '.' || cursor_.peek() == ',' ||
           cursor_.peek() == '-')
      cursor_.advance();
    if (!cursor_.take(']')) return cursor_.fail("a number, ',' or ']' in the brackets of a name");
  }
  return true;
}

bool TermGrammar::op() {
  cursor_.advance();
  const std::size_t start = cursor_.offset();
  const std::size_t size = read_name();
  if (cursor_.failed()) return false;
  if (size == 0) return cursor_.fail("the name of an operator");
  if (cursor_.peek() == '(' && cursor_.dialect() != Dialect::ona) return function(start, size);
  return check_name(start, size) && leaf(TermKind::op, 0, size, static_cast<std::int64_t>(start));
}

// op(a,b) and ^op(a,b) are <(*,a,b) --> ^op>.
bool TermGrammar::function(std::size_t start, std::size_t size) {
  if (!cursor_.use_at(start, Construct::function_operation) || !check_name(start, size)) return false;
  return bracketed(
      [&] {
        std::size_t count = 0;
        return list(')', count) && inner(Connector::product, count) &&
               leaf(TermKind::op, 0, size, static_cast<std::int64_t>(start)) && inner(Copula::inheritance);
      },
      ')');
}

bool TermGrammar::quoted() {
  if (!cursor_.use(Construct::quoted_name)) return false;
  const std::size_t start = cursor_.offset();
  const std::size_t close = cursor_.rest().find('"', 1);
  if (close == std::string_view::npos) return cursor_.fail_at(tree_->text.size(), "'\"'");
  cursor_.advance(close + 1);
  return check_name(start, close + 1) && leaf(TermKind::atom, 0, close + 1, static_cast<std::int64_t>(start));
}

bool TermGrammar::interval() {
  if (!cursor_.use(Construct::interval)) return false;
  const std::size_t start = cursor_.offset();
  cursor_.advance();
  std::int64_t length = 0;
  if (!cursor_.take_number(length)) return cursor_.fail_at(start, "an interval that fits 64 bits");
  return leaf(TermKind::interval, 0, 0, length);
}

// PyNARS's --a
bool TermGrammar::bare_negation() {
  if (cursor_.looking_at("-->") || cursor_.looking_at("--,"))
    return cursor_.fail("a term (a negation is written (--,a))");
  if (!cursor_.use(Construct::bare_negation) || !enter()) return false;
  cursor_.advance(2);
  const bool read = term();
  --levels_;
  return read && inner(Connector::negation, 1);
}

bool TermGrammar::variable(VariableKind kind) {
  const std::size_t start = cursor_.offset();
  cursor_.advance();
  const std::size_t size = read_name();
  if (cursor_.failed()) return false;
  if (size == 0) return cursor_.fail("the name of a variable");
  if (!check_name(start, size)) return false;
  auto& names = variables_[static_cast<std::size_t>(kind)];
  const std::string_view name = std::string_view(tree_->text.data() + start + 1, size);
  auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) {
    if (variables_[0].size() + variables_[1].size() + variables_[2].size() >= limits_.max_variables)
      return cursor_.fail_at(start,
                             "at most " + std::to_string(limits_.max_variables) + " different variables");
    place = names.insert(names.end(), name);
  }
  return leaf(TermKind::variable, static_cast<std::uint8_t>(kind), 0, place - names.begin() + 1);
}

// --- statements -------------------------------------------------------------------------------------------

bool TermGrammar::statement() {
  if (!term()) return false;
  cursor_.skip_blanks();
  const auto statement = rest_of_statement();
  return statement ? *statement : cursor_.fail("a copula");
}

std::optional<bool> TermGrammar::rest_of_statement() {
  const std::size_t start = cursor_.offset();
  for (const CopulaFacts& copula : copulas) {
    if (!cursor_.take(copula.text)) continue;
    if (const auto construct = construct_of(copula.copula); construct && !cursor_.use_at(start, *construct))
      return false;
    return predicate(start) && inner(copula.copula);
  }
  for (const InstanceCopula& copula : instance_copulas) {
    if (!cursor_.take(copula.text)) continue;
    if (!cursor_.use_at(start, Construct::instance_copula)) return false;
    if (copula.subject_is_instance) inner(Connector::extensional_set, 1);
    if (!predicate(start)) return false;
    if (copula.predicate_is_property) inner(Connector::intensional_set, 1);
    return inner(Copula::inheritance);
  }
  return {};
}

bool TermGrammar::predicate(std::size_t copula_offset) {
  if ((cursor_.peek() != ' ' || tree_->text.data()[copula_offset - 1] != ' ') &&
      !cursor_.use_at(copula_offset, Construct::tight_copula))
    return false;
  cursor_.skip_blanks();
  return term();
}

// --- compounds --------------------------------------------------------------------------------------------

bool TermGrammar::count_component(std::size_t& count) {
  if (count == limits_.max_components)
    return cursor_.fail("at most " + std::to_string(limits_.max_components) + " components");
  ++count;
  return count != 3 || cursor_.use(Construct::many_components);
}

bool TermGrammar::list(char close, std::size_t& count) {
  for (;;) {
    cursor_.skip_blanks();
    if (!term() || !count_component(count) || !separator(close)) return false;
    if (cursor_.peek() == close) return true;
  }
}

// After a component: at `close`, or past one separator. A comma must be followed by another component.
bool TermGrammar::separator(char close) {
  const bool blank = is_blank(cursor_.peek());
  cursor_.skip_blanks();
  if (cursor_.peek() == close) return true;
  if (cursor_.take(',')) {
    cursor_.skip_blanks();
    return cursor_.peek() != close || cursor_.fail("a term");
  }
  if (blank) return cursor_.use(Construct::blank_separated);
  if (std::string_view("([{<").find(cursor_.peek()) != std::string_view::npos && !cursor_.at_end() &&
      cursor_.dialect() == Dialect::ona)
    return cursor_.use(Construct::missing_separator);
  return cursor_.fail(std::string("',' or '") + close + "'");
}

bool TermGrammar::set(Connector connector, char close) {
  std::size_t count = 0;
  return list(close, count) && inner(connector, count);
}

bool TermGrammar::in_round_brackets() {
  const char c = cursor_.peek();
  if (glyphs_[static_cast<unsigned char>(c)] != letter && c != '(' && c != '<' && c != '{' && c != '[') {
    if (c == '^') return operation();
    if (take_prefix("/")) return prefix_image(Connector::extensional_image);
    if (take_prefix("\\")) return prefix_image(Connector::intensional_image);
    if (take_prefix("--")) return prefix_compound(Connector::negation);
    const std::size_t start = cursor_.offset();
    if (take_prefix("!"))
      return cursor_.use_at(start, Construct::exclamation_negation) && prefix_compound(Connector::negation);
    for (const ConnectorFacts& connector : connectors)
      if (!is_set(connector.connector) && take_prefix(connector.text)) {
        const auto construct = construct_of(connector.connector);
        return (!construct || cursor_.use_at(start, *construct)) && prefix_compound(connector.connector);
      }
  }
  const std::size_t start = cursor_.offset();
  if (!term()) return false;
  cursor_.skip_blanks();
  if (const auto statement = rest_of_statement())
    return *statement && cursor_.use_at(start, Construct::round_statement);
  if (cursor_.peek() == ',') return implicit_product();
  return infix_compound();
}

// An operator that a separator follows: `(*,a,b)` or ONA's `(* a b)`, but not the atom of `(-5 * a)`.
bool TermGrammar::take_prefix(std::string_view connector) {
  if (!cursor_.looking_at(connector)) return false;
  const char next = cursor_.peek(connector.size());
  if (next != ',' && !is_blank(next)) return false;
  const std::size_t start = cursor_.offset();
  cursor_.advance(connector.size() + 1);
  cursor_.skip_blanks();
  if (next != ',' && !cursor_.take(',')) cursor_.use_at(start, Construct::blank_separated);
  return true;
}

bool TermGrammar::prefix_compound(Connector connector) {
  if (cursor_.failed()) return false;
  const std::size_t start = cursor_.offset();
  std::size_t count = 0;
  if (!list(')', count)) return false;
  const ConnectorFacts& rule = facts(connector);
  if (count < rule.min_arity || count > rule.max_arity)
    return cursor_.fail_at(start, arity_text(rule), std::to_string(count));
  if (connector == Connector::product && count == 1 && !cursor_.use_at(start, Construct::unary_product))
    return false;
  return inner(connector, count);
}

// (/,R,_,B), or ONA's (/,R,B)
bool TermGrammar::prefix_image(Connector connector) {
  if (cursor_.failed()) return false;
  const std::size_t start = cursor_.offset();
  std::size_t count = 0;
  std::optional<std::size_t> position;
  for (;;) {
    cursor_.skip_blanks();
    const char next = cursor_.peek(1);
    if (cursor_.peek() == '_' && (next == ',' || next == ')' || is_blank(next))) {
      if (position) return cursor_.fail("a single placeholder _");
      if (count == 0) return cursor_.fail("the relation, which stands before the placeholder _");
      if (!cursor_.use(Construct::placeholder_image)) return false;
      position = count;
      cursor_.advance();
    } else if (!term() || !count_component(count)) {
      return false;
    }
    if (!separator(')')) return false;
    if (cursor_.peek() == ')') break;
  }
  // ONA reads (/,R,B) as (R /1 B), OpenNARS as (/,B,_): where the dialect is open, no reading is safe.
  if (!position && (count != 2 || cursor_.dialect() == Dialect::any))
    return cursor_.fail_at(start, "an image with a placeholder _", "none");
  if (!position && !cursor_.use_at(start, Construct::bare_image)) return false;
  return inner(connector, count, position.value_or(1));
}

// (^op,{SELF},x) is <(*,{SELF},x) --> ^op>
bool TermGrammar::operation() {
  const std::size_t start = cursor_.offset();
  if (!op()) return false;
  cursor_.skip_blanks();
  if (const auto statement = rest_of_statement())
    return *statement && cursor_.use_at(start, Construct::round_statement);
  if (cursor_.peek() != ',') return infix_compound();
  if (tree_->nodes.back().kind != TermKind::op) return implicit_product();  // (^op(a),b)
  if (!cursor_.use_at(start, Construct::operation)) return false;
  cursor_.advance();
  const SyntaxNode op = tree_->nodes.back();
  tree_->nodes.pop_back();
  std::size_t count = 0;
  if (!list(')', count)) return false;
  inner(Connector::product, count);
  tree_->nodes.push_back(op);
  return inner(Copula::inheritance);
}

// PyNARS's (a,b)
bool TermGrammar::implicit_product() {
  if (!cursor_.use(Construct::implicit_product)) return false;
  cursor_.advance();
  std::size_t count = 1;
  return list(')', count) && inner(Connector::product, count);
}

// --- connectors between terms ---------------------------------------------------------------------------

std::optional<Connector> TermGrammar::peek_infix() const {
  std::optional<Connector> longest;
  for (const Connector connector : by_precedence)
    if (cursor_.looking_at(facts(connector).text) &&
        (!longest || facts(*longest).text.size() < facts(connector).text.size()))
      longest = connector;
  return longest;
}

// (a op b op c), or ONA's images (R /1 B)
bool TermGrammar::infix_compound() {
  if (const auto image = numbered_image()) return *image;
  if (!peek_infix()) return cursor_.fail("a connector or a copula");
  if (!cursor_.use(Construct::infix)) return false;
  if (!infix_chain(by_precedence.size())) return false;
  cursor_.skip_blanks();
  return cursor_.peek() == ')' || cursor_.fail("')' or a connector");
}

// Behind a term: joins it with what follows, as long as the connector binds tighter than `loosest`.
bool TermGrammar::infix_chain(std::size_t loosest) {
  for (;;) {
    cursor_.skip_blanks();
    const auto connector = peek_infix();
    if (!connector || looseness(*connector) >= loosest) return true;
    const std::size_t start = cursor_.offset(), level = looseness(*connector);
    if (const auto construct = construct_of(*connector); construct && !cursor_.use(*construct)) return false;
    std::size_t count = 1;
    do {
      cursor_.advance(facts(*connector).text.size());
      cursor_.skip_blanks();
      if (!term() || !count_component(count) || !infix_chain(level)) return false;
      cursor_.skip_blanks();
    } while (peek_infix() == connector && count < facts(*connector).max_arity);
    if (count > 2 && !cursor_.use_at(start, Construct::infix_chain)) return false;
    inner(*connector, count);
    if (peek_infix() && !cursor_.use(Construct::mixed_infix)) return false;
  }
}

std::optional<bool> TermGrammar::numbered_image() {
  const char slash = cursor_.peek(), number = cursor_.peek(1);
  if ((slash != '/' && slash != '\\') || (number != '1' && number != '2') || !is_blank(cursor_.peek(2)))
    return {};
  if (!cursor_.use(Construct::numbered_image)) return false;
  cursor_.advance(2);
  cursor_.skip_blanks();
  return term() && inner(slash == '/' ? Connector::extensional_image : Connector::intensional_image, 2,
                         static_cast<std::size_t>(number - '0'));
}

}  // namespace engram::narsese
