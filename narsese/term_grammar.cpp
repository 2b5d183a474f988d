// SPDX-License-Identifier: MIT
#include "narsese/grammar.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "narsese/byte_scan.hpp"
#include "narsese/grammar_tables.hpp"

namespace engram::narsese {
namespace {

using namespace grammar;

// The form of the copula at a place, or no_token.
std::size_t find_copula(Place at) { return copula_table.find(at, copula_bytes); }

// A prefix connector followed by a separator: `(*,a,b)` or ONA's `(* a b)`, but not the atom of `(-5 * a)`.
std::size_t find_prefix(Place at) {
  const auto separates = [](char c) { return c == ',' || is_blank(c); };
  if (separates(at[1])) return prefix_table.find(at, 1);
  return separates(at[2]) ? prefix_table.find(at, 2) : no_token;
}

std::optional<Construct> construct_of(Connector connector) {
  if (connector == Connector::parallel) return Construct::parallel;
  return {};
}

// Whether the neighbours separate a connector or copula: blanks or brackets.
bool keeps_apart(char before, char after) {
  return std::string_view(" )>]}").find(before) != std::string_view::npos &&
         std::string_view(" (<[{").find(after) != std::string_view::npos;
}

std::string arity_text(const ConnectorFacts& rule) {
  const std::string count = std::to_string(rule.min_arity);
  return (rule.min_arity == rule.max_arity ? count : "at least " + count) +
         (rule.min_arity == 1 ? " component of '" : " components of '") + std::string(rule.text) + "'";
}

bool too_deep(std::span<const SyntaxNode> nodes) {
  std::vector<std::uint32_t> depths;
  for (const SyntaxNode& node : nodes) {
    std::uint32_t depth = 0;
    if (has_components(node.label.kind))
      for (std::uint32_t i = 0; i < node.label.size; ++i, depths.pop_back())
        depth = std::max(depth, depths.back());
    depths.push_back(depth + 1);
    if (depth >= TermTable::max_depth) return true;
  }
  return false;
}

// Whether a byte begins an infix connector; most bytes do not.
constexpr auto begins_infix = [] {
  std::array<bool, 256> begins{};
  for (const InfixConnector& infix : infix_connectors)
    begins[static_cast<unsigned char>(facts(infix.connector).text[0])] = true;
  return begins;
}();

const InfixConnector* find_infix(Place at) {
  if (!begins_infix[static_cast<unsigned char>(*at)]) return nullptr;
  if (looking_at(at, "--") && at[2] != '-') return nullptr;  // (a---b) is (a - --b)
  const InfixConnector* longest = nullptr;
  for (const InfixConnector& infix : infix_connectors)
    if (looking_at(at, facts(infix.connector).text) &&
        (longest == nullptr || facts(longest->connector).text.size() < facts(infix.connector).text.size()))
      longest = &infix;
  return longest;
}

// Adds the opening bracket and its column to an error about a missing closing bracket. If the inner bracket is of the
// same kind, it did so already.
Place fail_by_opener(Scanner& scanner, Place start, char close) {
  const ParseError error = scanner.error();
  const std::string closer = std::string("'") + close + "'";
  const bool is_of_this = error.expected.ends_with(closer) || error.expected == closer + " or a connector";
  if (!error.refusal.empty() || !is_of_this) return nullptr;
  scanner.fail(start, {}, " ");
  const std::string opener = std::string(1, *start) + "' in column " + std::to_string(scanner.error().column);
  return scanner.fail(scanner.begin() + error.offset, error.expected + " for the '" + opener, error.found);
}

// Whether the text is an image such as R /1 B, from its connector on.
bool is_numbered_image(Place at) {
  return (*at == '/' || *at == '\\') && (at[1] == '1' || at[1] == '2') && is_blank(at[2]);
}

}  // namespace

TermGrammar::TermGrammar(Scanner& scanner, const ParseLimits& limits)
    : scanner_(scanner),
      limits_(limits),
      glyphs_(scanner.dialect() == Dialect::pynars ? pynars_glyphs : usual_glyphs),
      max_short_name_(std::min(limits.max_name_bytes, scan_bytes)),
      functions_(scanner.dialect() != Dialect::ona) {}

Place TermGrammar::read(Place at, SyntaxNodes& nodes) {
  nodes_ = &nodes;
  brackets_ = levels_ = 0;
  has_commutative_ = false;
  for (auto& names : variables_) names.clear();
  const std::size_t before = nodes.size();
  at = term(at);
  // Brackets limit the depth of all terms except chains of infix connectors, which nest without brackets.
  if (at != nullptr && scanner_.uses(Construct::mixed_infix) &&
      too_deep({nodes.begin() + before, nodes.end()}))
    return scanner_.fail_limit(at, TermTable::max_depth, "levels of nesting");
  return at;
}

bool TermGrammar::needs_renumbering() const {
  return has_commutative_ &&
         std::ranges::any_of(variables_, [](const auto& names) { return names.size() > 1; });
}

inline unsigned char TermGrammar::glyph(Place at) const { return glyphs_[static_cast<unsigned char>(*at)]; }

inline void TermGrammar::short_leaf(Place name, std::size_t letters) {
  const TermLabel label{TermKind::atom, 0, 0, static_cast<std::uint32_t>(letters)};
  nodes_->push_leaf(SyntaxNode::of_short_name(label, name, hash_.short_name(label, name)));
}

void TermGrammar::leaf(TermKind kind, Place name, Place end) {
  const TermLabel label{kind, 0, 0, static_cast<std::uint32_t>(end - name)};
  nodes_->push_leaf(SyntaxNode::of_name(label, name, hash_.name(label, name)));
}

inline void TermGrammar::number(TermKind kind, std::uint8_t symbol, std::int64_t number) {
  const TermLabel label{kind, symbol, 0, 1};
  nodes_->push_leaf(SyntaxNode::of_number(label, number, hash_.number(label, number)));
}

void TermGrammar::inner(Connector connector, std::size_t count, std::size_t position) {
  const bool commutative = facts(connector).commutative;
  has_commutative_ |= commutative && count > 1;
  nodes_->push_inner({TermKind::compound, static_cast<std::uint8_t>(connector),
                      static_cast<std::uint16_t>(position), static_cast<std::uint32_t>(count)},
                     commutative, hash_);
}

inline void TermGrammar::inner(Copula copula) {
  const bool commutative = facts(copula).symmetric;
  has_commutative_ |= commutative;
  nodes_->push_inner({TermKind::statement, static_cast<std::uint8_t>(copula), 0, 2}, commutative, hash_);
}

// Most terms are atoms, so this path is short.
inline Place TermGrammar::term(Place at) {
  return starts[static_cast<unsigned char>(*at)] == Start::plain ? atom(at) : other_term(at);
}

Place TermGrammar::other_term(Place at) {
  const unsigned char start = starts[static_cast<unsigned char>(*at)];
  if (start == Start::angle) return bracketed(at, '>', [&](Place inside) { return statement(inside); });
  switch (start) {
    case Start::round:
      return bracketed(at, ')', [&](Place inside) { return in_round_brackets(inside); });
    case Start::brace:
      return set(at, Connector::extensional_set, '}');
    case Start::square:
      return set(at, Connector::intensional_set, ']');
    case Start::dollar:
      return variable(at, VariableKind::independent);
    case Start::hash:
      return variable(at, VariableKind::dependent);
    case Start::question:
      return variable(at, VariableKind::query);
    case Start::quote:
      return quoted(at);
    case Start::caret:
      return op(at);
    case Start::plus:
      return is_digit(at[1]) ? interval(at) : fail(at, "a term");
    case Start::minus:
      if (at[1] == '-') return bare_negation(at);
      [[fallthrough]];
    default:
      return atom(at);
  }
}

template <class Inside>
Place TermGrammar::bracketed(Place start, char close, Inside inside) {
  if (!enter(start)) return nullptr;
  ++brackets_;
  Place at = inside(skip_blanks(start + 1));
  if (at == nullptr) return fail_by_opener(scanner_, start, close);
  at = skip_blanks(at);
  if (*at != close) {
    scanner_.fail_unclosed(at, close);
    return fail_by_opener(scanner_, start, close);
  }
  --brackets_;
  --levels_;
  return at + 1;
}

inline bool TermGrammar::enter(Place at) {
  if (levels_ < limits_.max_depth) {
    ++levels_;
    return true;
  }
  return scanner_.fail_limit(at, limits_.max_depth, "levels of brackets") != nullptr;
}

// --- names ------------------------------------------------------------------------------------------------

// Scans a name. It ends at a stop, before a copula, and outside of brackets before punctuation.
inline Place TermGrammar::name(Place start) {
  const Place at = start + leading_letters(start);
  return ends_names(glyph(at)) ? at : long_name(start, at);
}

// Scans the rest of a name that is longer than scan_bytes or has signs.
Place TermGrammar::long_name(Place start, Place at) {
  for (;; at += leading_letters(at)) {
    if (glyph(at) == letter) continue;
    if (ends_names(glyph(at)) || (at > start && name_ends(at))) return at;
    if (!note_symbol(start, *at)) return nullptr;
    ++at;
  }
}

bool TermGrammar::name_ends(Place at) const {
  switch (*at) {
    case '-':
      return looking_at(at, "-->") || looking_at(at, "--]");
    case '=':
      return find_copula(at) != no_token;
    case '|':
      return looking_at(at, "||") || looking_at(at, "|->");
    case '.':
    case '!':
    case '?':
    case '@':
      return brackets_ == 0 && std::string_view(" \t%:{\0", 6).find(at[1]) != std::string_view::npos;
    default:
      return false;
  }
}

bool TermGrammar::note_symbol(Place start, char sign) {
  return scanner_.use(start, sign == '-'   ? Construct::hyphen_in_name
                             : sign == '.' ? Construct::dot_in_name
                             : sign == ':' ? Construct::colon_in_name
                                           : Construct::symbol_in_name);
}

inline bool TermGrammar::check_name(Place start, Place end) {
  return static_cast<std::size_t>(end - start) <= limits_.max_name_bytes || fail_name(start, end);
}

bool TermGrammar::fail_name(Place start, Place end) {
  return scanner_.fail(start, "a name of at most " + std::to_string(limits_.max_name_bytes) + " bytes",
                       std::to_string(end - start)) != nullptr;
}

// Whether these letters are a complete name, if nothing after them belongs to it.
inline bool TermGrammar::is_short_name(Place start, std::size_t letters) const {
  return letters - 1 < max_short_name_ && (letters > 1 || *start != '_');
}

// Most atoms are a few letters followed by a stop.
Place TermGrammar::atom(Place start) {
  const std::size_t letters = leading_letters(start);
  const Place end = start + letters;
  if (!is_short_name(start, letters) || glyph(end) != stop) [[unlikely]]
    return other_atom(start);
  short_leaf(start, letters);
  return end;
}

Place TermGrammar::other_atom(Place start) {
  if (glyph(start) != letter && std::string_view("!.@:%~'=|\\/", 11).find(*start) != std::string_view::npos)
    return fail(start, "a term");
  Place end = name(start);
  if (end == nullptr) return nullptr;
  if (end == start) return fail(start, "a term");
  if (*start == '_' && end == start + 1 && scanner_.dialect() != Dialect::opennars)
    return fail(start, "a term (the placeholder _ is allowed only in an image)");
  if (*end == '(' && functions_) return function(Construct::function_operation, start, end);
  if (*end == '[' && functions_) {
    end = brackets_of_name(end);
    if (end == nullptr) return nullptr;
  }
  if (!check_name(start, end)) return nullptr;
  leaf(TermKind::atom, start, end);
  return end;
}

// M1[-1.0,0.0]: brackets directly after a name belong to it.
Place TermGrammar::brackets_of_name(Place at) {
  if (!scanner_.use(at, Construct::bracketed_name)) return nullptr;
  while (*at == '[') {
    ++at;
    while (is_digit(*at) || *at == '.' || *at == ',' || *at == '-') ++at;
    if (*at != ']') return fail(at, "a number, ',' or ']' in the brackets of a name");
    ++at;
  }
  return at;
}

Place TermGrammar::op(Place at) {
  const Place start = at + 1, end = name(start);
  if (end == nullptr) return nullptr;
  if (end == start || *start == '^') return fail(start, "the name of an operator");
  if (*end == '(' && functions_) return function(Construct::caret_function, start, end);
  if (!check_name(start, end)) return nullptr;
  leaf(TermKind::op, start, end);
  return end;
}

// op(a,b) and ^op(a,b) are <(*,a,b) --> ^op>.
Place TermGrammar::function(Construct construct, Place start, Place bracket) {
  if (!scanner_.use(start, construct) || !note_operation(start, bracket) || !check_name(start, bracket))
    return nullptr;
  return bracketed(bracket, ')', [&](Place inside) -> Place {
    const List components = list(inside, ')');
    if (components.end == nullptr || !product(components.end, components.count)) return nullptr;
    leaf(TermKind::op, start, bracket);
    inner(Copula::inheritance);
    return components.end;
  });
}

bool TermGrammar::note_operation(Place name, Place end) {
  const auto& known = opennars_operators;
  return std::find(known.begin(), known.end(),
                   std::string_view(name, static_cast<std::size_t>(end - name))) != known.end() ||
         scanner_.use(name, Construct::unregistered_operation);
}

Place TermGrammar::quoted(Place start) {
  if (!scanner_.use(start, Construct::quoted_name)) return nullptr;
  const Place end = scanner_.end(), close = std::find(start + 1, end, '"');
  if (close == end) return fail(end, "'\"'");
  if (close == start + 1) return fail(close, "a name in the quotes");
  const auto is_stop = [&](const char& c) { return ends_names(glyph(&c)); };
  if (std::any_of(start + 1, close, is_stop) && !scanner_.use(start, Construct::quoted_text)) return nullptr;
  if (!check_name(start, close + 1)) return nullptr;
  leaf(TermKind::atom, start, close + 1);
  return close + 1;
}

Place TermGrammar::interval(Place start) {
  if (!scanner_.use(start, Construct::interval)) return nullptr;
  std::int64_t length = 0;
  const Place end = scanner_.take_number(start + 1, length);
  if (end == nullptr) return fail(start, "an interval that fits 64 bits");
  number(TermKind::interval, 0, length);
  return end;
}

// PyNARS's --a
Place TermGrammar::bare_negation(Place at) {
  if (at[2] == '>' || at[2] == ',') return fail(at, "a term (a negation is written (--,a))");
  if (!scanner_.use(at, Construct::bare_negation) || !enter(at)) return nullptr;
  at = term(skip_blanks(at + 2));
  if (at == nullptr) return nullptr;
  --levels_;
  inner(Connector::negation, 1);
  return at;
}

inline Place TermGrammar::variable(Place start, VariableKind kind) {
  const Place end = name(start + 1);
  if (end == nullptr) return nullptr;
  if (end == start + 1) return fail(end, "the name of a variable");
  if (!check_name(start + 1, end)) return nullptr;
  const std::size_t number = variable_number(kind, {start + 1, static_cast<std::size_t>(end - start) - 1});
  if (number == 0) return scanner_.fail_limit(start, limits_.max_variables, "different variables");
  this->number(TermKind::variable, static_cast<std::uint8_t>(kind), static_cast<std::int64_t>(number));
  return end;
}

// Number of the variable in order of first visits, counted from 1; 0 beyond the limit.
inline std::size_t TermGrammar::variable_number(VariableKind kind, std::string_view name) {
  auto& names = variables_[static_cast<std::size_t>(kind)];
  const auto place = std::find_if(names.begin(), names.end(), [&](std::string_view other) {
    return other.size() == name.size() &&
           same_start(other.data(), name.data(), std::min(name.size(), scan_bytes)) &&
           (name.size() <= scan_bytes || other == name);
  });
  const auto number = static_cast<std::size_t>(place - names.begin()) + 1;
  if (place != names.end()) return number;
  if (variables_[0].size() + variables_[1].size() + variables_[2].size() >= limits_.max_variables) return 0;
  names.push_back(name);
  return number;
}

// --- statements -------------------------------------------------------------------------------------------

inline Place TermGrammar::statement(Place at) {
  at = term(at);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  const std::size_t form = find_copula(at);
  return form == no_token ? fail(at, "a copula") : rest_of_statement(at, form);
}

inline Place TermGrammar::rest_of_statement(Place at, std::size_t form) {
  const CopulaForm& copula = copula_forms[form];
  if (copula.construct && !scanner_.use(at, *copula.construct)) return nullptr;
  if (copula.subject_is_instance) inner(Connector::extensional_set, 1);
  at = predicate(at);
  if (at == nullptr) return nullptr;
  if (copula.predicate_is_property) inner(Connector::intensional_set, 1);
  inner(copula.copula);
  return at;
}

inline Place TermGrammar::predicate(Place copula) {
  const Place at = copula + copula_bytes;
  const bool apart = (copula[-1] == ' ' && *at == ' ') || keeps_apart(copula[-1], *at);
  if (!apart && !scanner_.use(copula, Construct::tight_copula)) return nullptr;
  return term(skip_blanks(at));
}

// --- compounds --------------------------------------------------------------------------------------------

inline bool TermGrammar::count_component(Place at, std::size_t& count) {
  if (count == limits_.max_components)
    return scanner_.fail_limit(at, limits_.max_components, "components") != nullptr;
  ++count;
  return count != 3 || scanner_.use(at, Construct::many_components);
}

TermGrammar::List TermGrammar::list(Place at, char close, std::size_t count) {
  do {
    at = term(skip_blanks(at));
    if (at == nullptr || !count_component(at, count)) return {nullptr, 0};
    at = separator(at, close);
  } while (at != nullptr && *at != close);
  return {at, count};
}

// After a component: stops at `close` or skips one separator. Another component must follow a comma.
inline Place TermGrammar::separator(Place at, char close) {
  if (*at == close) return at;
  return *at == ',' && at[1] != close && !is_blank(at[1]) ? at + 1 : other_separator(at, close);
}

Place TermGrammar::other_separator(Place at, char close) {
  const bool blank = is_blank(*at);
  at = skip_blanks(at);
  if (*at == close) return at;
  if (*at == ',') {
    at = skip_blanks(at + 1);
    return *at == close ? fail(at, "a term") : at;
  }
  if (blank) return scanner_.use(at, Construct::blank_separated) ? at : nullptr;
  const bool opens = *at == '(' || *at == '[' || *at == '{' || *at == '<';
  if (opens && scanner_.dialect() == Dialect::ona)
    return scanner_.use(at, Construct::missing_separator) ? at : nullptr;
  return scanner_.fail_unclosed(at, close, "',' or ");
}

// Most sets are {name} or [name].
inline Place TermGrammar::set(Place start, Connector connector, char close) {
  const std::size_t letters = leading_letters(start + 1);
  const Place end = start + 1 + letters;
  if (*end == close && is_short_name(start + 1, letters) && levels_ < limits_.max_depth) [[likely]] {
    short_leaf(start + 1, letters);
    nodes_->push_inner({TermKind::compound, static_cast<std::uint8_t>(connector), 0, 1}, true, hash_);
    return end + 1;
  }
  return other_set(start, connector, close);
}

Place TermGrammar::other_set(Place start, Connector connector, char close) {
  return bracketed(start, close, [&](Place inside) {
    const List components = list(inside, close);
    if (components.end != nullptr) inner(connector, components.count);
    return components.end;
  });
}

inline Place TermGrammar::in_round_brackets(Place start) {
  if (*start == '^') return operation(start);
  if (const std::size_t form = find_prefix(start); form != no_token)
    return prefix_form(start, prefix_forms[form]);
  Place at = term(start);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  if (const std::size_t form = find_copula(at); form != no_token) return round_statement(start, at, form);
  return *at == ',' ? implicit_product(at) : infix_compound(at);
}

Place TermGrammar::round_statement(Place start, Place copula, std::size_t form) {
  const Place at = rest_of_statement(copula, form);
  return at != nullptr && scanner_.use(start, Construct::round_statement) ? at : nullptr;
}

inline bool TermGrammar::product(Place start, std::size_t count) {
  if (count == 1 && !scanner_.use(start, Construct::unary_product)) return false;
  inner(Connector::product, count);
  return true;
}

inline Place TermGrammar::prefix_form(Place start, const PrefixForm& form) {
  if (form.construct && !scanner_.use(start, *form.construct)) return nullptr;
  const Place separator = start + form.text.size();
  Place at = skip_blanks(separator + 1);
  if (*separator != ',' && *at == ',')
    ++at;
  else if (*separator != ',' && !scanner_.use(start, Construct::blank_separated))
    return nullptr;
  if (!is_image(form.connector)) return prefix_compound(at, form.connector);
  return form.text.size() == 1 ? prefix_image(at, form.connector) : prefix_numbered_image(at, form);
}

inline Place TermGrammar::prefix_compound(Place start, Connector connector) {
  const auto [end, count] = list(start, ')');
  if (end == nullptr) return nullptr;
  const ConnectorFacts& rule = facts(connector);
  if (count < rule.min_arity || count > rule.max_arity)
    return scanner_.fail(start, arity_text(rule), std::to_string(count));
  if (connector == Connector::product) return product(start, count) ? end : nullptr;
  inner(connector, count);
  return end;
}

// (/,R,_,B), or ONA's (/,R,B)
Place TermGrammar::prefix_image(Place start, Connector connector) {
  std::size_t count = 0;
  std::optional<std::size_t> position;
  Place at = start;
  do {
    at = skip_blanks(at);
    if (*at == '_' && (at[1] == ',' || at[1] == ')' || is_blank(at[1]))) {
      if (position) return fail(at, "a single placeholder _");
      if (count == 0) return fail(at, "the relation before the placeholder _");
      if (!scanner_.use(at, Construct::placeholder_image)) return nullptr;
      position = count;
      ++at;
    } else {
      at = term(at);
      if (at == nullptr || !count_component(at, count)) return nullptr;
    }
    at = separator(at, ')');
    if (at == nullptr) return nullptr;
  } while (*at != ')');
  // ONA reads (/,R,B) as (R /1 B), OpenNARS as (/,R,B,_). If the dialect is unknown, neither reading is safe.
  if (!position && (count != 2 || scanner_.dialect() == Dialect::any))
    return scanner_.fail(start, "an image with a placeholder _", "none");
  if (!position && !scanner_.use(start, Construct::bare_image)) return nullptr;
  inner(connector, count, position.value_or(1));
  return at;
}

// ONA's (/1,R,B)
Place TermGrammar::prefix_numbered_image(Place start, const PrefixForm& form) {
  const auto [end, count] = list(start, ')');
  if (end == nullptr) return nullptr;
  if (count != 2)
    return scanner_.fail(start, "2 components of '" + std::string(form.text) + "'", std::to_string(count));
  inner(form.connector, count, static_cast<std::size_t>(form.text[1] - '0'));
  return end;
}

// (^op,{SELF},x) is <(*,{SELF},x) --> ^op>
Place TermGrammar::operation(Place start) {
  Place at = op(start);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  if (const std::size_t form = find_copula(at); form != no_token) return round_statement(start, at, form);
  if (*at != ',') return infix_compound(at);
  const SyntaxNode op = nodes_->back();
  if (op.label.kind != TermKind::op) return implicit_product(at);  // (^op(a),b)
  if (!scanner_.use(start, Construct::operation) || !note_operation(start + 1, start + 1 + op.label.size))
    return nullptr;
  nodes_->pop_leaf();
  const List arguments = list(at + 1, ')');
  if (arguments.end == nullptr || !product(at + 1, arguments.count)) return nullptr;
  nodes_->push_leaf(op);
  inner(Copula::inheritance);
  return arguments.end;
}

// PyNARS's (a,b)
Place TermGrammar::implicit_product(Place comma) {
  if (!scanner_.use(comma, Construct::implicit_product)) return nullptr;
  const List components = list(comma + 1, ')', 1);
  if (components.end != nullptr) inner(Connector::product, components.count);
  return components.end;
}

// --- connectors between terms ---------------------------------------------------------------------------

// (a op b op c), or an image of ONA such as (R /1 B)
Place TermGrammar::infix_compound(Place at) {
  if (is_numbered_image(at)) return numbered_image(at);
  if (find_infix(at) == nullptr) return fail(at, "a connector or a copula");
  if (!scanner_.use(at, Construct::infix)) return nullptr;
  at = infix_chain(at, loosest_of_all);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  return *at == ')' ? at : fail(at, "')' or a connector");
}

// After a term: combines it with the following terms while the connector binds tighter than `loosest`.
Place TermGrammar::infix_chain(Place at, std::size_t loosest) {
  for (;;) {
    at = skip_blanks(at);
    const Place start = at;
    const InfixConnector* infix = find_infix(at);
    if (infix == nullptr || infix->looseness >= loosest) return at;
    const ConnectorFacts& rule = facts(infix->connector);
    if (const auto construct = construct_of(infix->connector); construct && !scanner_.use(at, *construct))
      return nullptr;
    std::size_t count = 1;
    const InfixConnector* next = infix;
    while (next == infix) {
      const Place after = at + rule.text.size();
      const bool apart = (at[-1] == ' ' && *after == ' ') || keeps_apart(at[-1], *after);
      if (!apart && !scanner_.use(at, Construct::tight_copula)) return nullptr;
      at = term(skip_blanks(after));
      if (at == nullptr || !count_component(at, count)) return nullptr;
      at = infix_chain(at, infix->looseness);
      if (at == nullptr) return nullptr;
      at = skip_blanks(at);
      next = find_infix(at);
      if (next != nullptr && next->looseness == infix->looseness && count == rule.max_arity)
        return scanner_.fail(start, arity_text(rule), std::to_string(count + 1));
    }
    if (count > 2 && !scanner_.use(start, Construct::infix_chain)) return nullptr;
    inner(infix->connector, count);
    if (next != nullptr && !scanner_.use(at, Construct::mixed_infix)) return nullptr;
  }
}

Place TermGrammar::numbered_image(Place slash) {
  if (!scanner_.use(slash, Construct::numbered_image)) return nullptr;
  const Place at = term(skip_blanks(slash + 2));
  if (at == nullptr) return nullptr;
  inner(*slash == '/' ? Connector::extensional_image : Connector::intensional_image, 2,
        static_cast<std::size_t>(slash[1] - '0'));
  return at;
}

}  // namespace engram::narsese
