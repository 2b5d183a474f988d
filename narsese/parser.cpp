// SPDX-License-Identifier: MIT
#include "narsese/parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "narsese/utf8.hpp"
#include "narsese/variables.hpp"

namespace engram::narsese {
namespace {

// What a byte may be inside a name. Bytes from 0x80 on are parts of other letters.
enum class Glyph : unsigned char { name, stop, maybe };  // maybe: depends on what follows

constexpr std::array<Glyph, 256> make_glyphs() {
  std::array<Glyph, 256> glyphs{};
  for (std::size_t c = 0; c <= ' '; ++c) glyphs[c] = Glyph::stop;
  glyphs[0x7F] = Glyph::stop;
  for (const char c : {',', '(', ')', '[', ']', '{', '}', '<', '>', '"', '&', '*', ';'})
    glyphs[static_cast<unsigned char>(c)] = Glyph::stop;
  for (const char c : {'-', '=', '|', '.', '!', '?', '@'})
    glyphs[static_cast<unsigned char>(c)] = Glyph::maybe;
  return glyphs;
}
constexpr auto glyphs = make_glyphs();

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Copulas that are no copula of the term model, but short for inheritance with a set on one or both sides.
struct InstanceCopula {
  std::string_view text;
  bool subject_is_instance, predicate_is_property;
};
constexpr std::array<InstanceCopula, 3> instance_copulas{
    {{"{--", true, false}, {"--]", false, true}, {"{-]", true, true}}};

// Connectors that stand between terms, longest first. Negation, sets and images have forms of their own.
constexpr std::array<Connector, 9> infix_connectors{Connector::conjunction,
                                                    Connector::disjunction,
                                                    Connector::sequence,
                                                    Connector::parallel,
                                                    Connector::product,
                                                    Connector::extensional_intersection,
                                                    Connector::intensional_intersection,
                                                    Connector::extensional_difference,
                                                    Connector::intensional_difference};

class Parser {
 public:
  Parser(std::string_view text, TermTable& table, const ParseLimits& limits)
      : text_(text), table_(table), limits_(limits) {
    // One bracket can be two levels of a term, as (^op,a) and <a {-- b> are; names hold two quotes.
    limits_.max_depth = std::min<std::size_t>(limits_.max_depth, TermTable::max_depth / 2 - 1);
    limits_.max_components = std::min(limits_.max_components, TermTable::max_components);
    limits_.max_name_bytes = std::min(limits_.max_name_bytes, TermTable::max_name_bytes);
  }

  Result<Sentence, ParseError> sentence() {
    Sentence sentence;
    if (!check_text()) return error_;
    skip_blanks();
    if (!budget(sentence.budget)) return error_;
    sentence.term = term();
    if (!sentence.term || !punctuation(sentence.punctuation) || !tense(sentence.tense) || !truth(sentence) ||
        !end())
      return error_;
    sentence.term = number_variables(table_, sentence.term);
    return sentence;
  }

  Result<Term, ParseError> lone_term() {
    if (!check_text()) return error_;
    skip_blanks();
    const Term term = this->term();
    if (!term || !end()) return error_;
    return number_variables(table_, term);
  }

 private:
  // --- the text -------------------------------------------------------------------------------------------

  bool at_end() const { return at_ == text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }
  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool next(char c) {
    skip_blanks();
    return take(c);
  }
  bool take(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  // What a reader returns when the text is wrong: false, or no term.
  bool refuse_at(std::size_t offset, std::string expected, std::string found = {}) {
    error_.offset = offset;
    error_.column = count_code_points(text_.substr(0, offset)) + 1;
    error_.expected = std::move(expected);
    error_.found = found.empty() ? describe(offset) : std::move(found);
    return false;
  }
  bool refuse(std::string expected) { return refuse_at(at_, std::move(expected)); }
  Term fail_at(std::size_t offset, std::string expected, std::string found = {}) {
    refuse_at(offset, std::move(expected), std::move(found));
    return {};
  }
  Term fail(std::string expected) { return fail_at(at_, std::move(expected)); }

  // The token at an offset, for people: a bracket or comma, or what stands up to the next one.
  std::string describe(std::size_t offset) const {
    if (offset >= text_.size()) return "end of line";
    constexpr std::size_t longest = 24;
    constexpr std::string_view breaks = " \t,()[]{}<>", arrow_shafts = "-=/|\\";
    std::size_t end = offset + 1;
    if (breaks.find(text_[offset]) == std::string_view::npos)
      for (; end < text_.size() && end - offset < longest; ++end) {
        const bool arrow_head =
            text_[end] == '>' && arrow_shafts.find(text_[end - 1]) != std::string_view::npos;
        if (breaks.find(text_[end]) != std::string_view::npos && !arrow_head) break;
      }
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return "'" + std::string(text_.substr(offset, end - offset)) + "'";
  }

  bool check_text() {
    if (text_.size() > limits_.max_line_bytes)
      return refuse_at(0, "at most " + std::to_string(limits_.max_line_bytes) + " bytes in a line",
                       std::to_string(text_.size()));
    if (const std::size_t bad = find_invalid_utf8(text_); bad != text_.size())
      return refuse_at(bad, "UTF-8 text", "an invalid byte");
    for (std::size_t i = 0; i < text_.size(); ++i)
      if (static_cast<unsigned char>(text_[i]) < ' ' && text_[i] != '\t')
        return refuse_at(i, "text", text_[i] == '\0' ? "a NUL byte" : "a control character");
    return true;
  }

  bool end() {
    skip_blanks();
    return at_end() || refuse("end of line");
  }

  // --- terms ----------------------------------------------------------------------------------------------

  Term term() {
    if (at_end()) return fail("a term");
    switch (peek()) {
      case '<':
        return bracketed([&] { return statement(); }, '>');
      case '(':
        return bracketed([&] { return compound(); }, ')');
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
        if (is_digit(peek(1))) return interval();
        return fail("a term");
      default:
        return atom();
    }
  }

  template <class Inside>
  Term bracketed(Inside inside, char close) {
    if (depth_ >= limits_.max_depth)
      return fail("at most " + std::to_string(limits_.max_depth) + " levels of brackets");
    ++at_;
    ++depth_;
    skip_blanks();
    const Term term = inside();
    if (!term) return {};
    skip_blanks();
    if (!take(close)) return fail(std::string("'") + close + "'");
    --depth_;
    return term;
  }

  // A name ends at a stop, before a copula, and at the outermost level before a sentence's punctuation.
  std::string_view read_name() {
    const std::size_t start = at_;
    for (; at_ < text_.size(); ++at_) {
      const Glyph glyph = glyphs[static_cast<unsigned char>(text_[at_])];
      if (glyph == Glyph::stop || (glyph == Glyph::maybe && at_ > start && ends_name())) break;
    }
    return text_.substr(start, at_ - start);
  }

  bool ends_name() const {
    switch (peek()) {
      case '-':
        return rest().starts_with("-->") || rest().starts_with("--]");
      case '=':
        return std::any_of(copulas.begin(), copulas.end(),
                           [&](const CopulaFacts& c) { return rest().starts_with(c.text); });
      case '|':
        return rest().starts_with("||");
      default:  // . ! ? @
        return depth_ == 0 && (at_ + 1 == text_.size() ||
                               std::string_view(" \t%:{").find(peek(1)) != std::string_view::npos);
    }
  }

  Term atom() {
    const std::size_t start = at_;
    if (std::string_view("!.@:%~'=|\\/").find(peek()) != std::string_view::npos) return fail("a term");
    const std::string_view name = read_name();
    if (name.empty()) return fail("a term");
    if (name == "_") return fail_at(start, "a term (the placeholder _ stands only in an image)");
    if (name.starts_with("--")) return fail_at(start, "a term (a negation is written (--,a))");
    if (!check_name(start, name)) return {};
    return table_.atom(name);
  }

  Term op() {
    const std::size_t start = at_++;
    const std::string_view name = read_name();
    if (name.empty()) return fail("the name of an operator");
    return check_name(start, name) ? table_.op(name) : Term();
  }

  bool check_name(std::size_t start, std::string_view name) {
    if (name.size() <= limits_.max_name_bytes) return true;
    return refuse_at(start, "a name of at most " + std::to_string(limits_.max_name_bytes) + " bytes",
                     std::to_string(name.size()));
  }

  Term quoted() {
    const std::size_t start = at_++;
    const std::size_t close = text_.find('"', at_);
    if (close == std::string_view::npos) return fail_at(text_.size(), "'\"'");
    at_ = close + 1;
    const std::string_view name = text_.substr(start, at_ - start);
    return check_name(start, name) ? table_.atom(name) : Term();
  }

  Term interval() {
    const std::size_t start = at_++;
    std::int64_t length = 0;
    const auto [stop, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), length);
    if (code != std::errc()) return fail_at(start, "an interval that fits 64 bits");
    at_ = static_cast<std::size_t>(stop - text_.data());
    return table_.interval(length);
  }

  Term variable(VariableKind kind) {
    const std::size_t start = at_++;
    const std::string_view name = read_name();
    if (name.empty()) return fail("the name of a variable");
    if (!check_name(start, name)) return {};
    auto& names = variables_[static_cast<std::size_t>(kind)];
    auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) {
      if (variables_[0].size() + variables_[1].size() + variables_[2].size() >= limits_.max_variables)
        return fail_at(start, "at most " + std::to_string(limits_.max_variables) + " different variables");
      place = names.insert(names.end(), name);
    }
    return table_.variable(kind, place - names.begin() + 1);
  }

  // subject copula predicate, between brackets of either kind
  Term statement() {
    const Term subject = term();
    if (!subject) return {};
    skip_blanks();
    const Term statement = statement_after(subject);
    return statement || failed() ? statement : fail("a copula");
  }

  bool failed() const { return !error_.expected.empty(); }

  // The statement that `subject` begins, or no term (without an error) where no copula follows.
  Term statement_after(Term subject) {
    for (const CopulaFacts& copula : copulas) {
      if (!take(copula.text)) continue;
      skip_blanks();
      const Term predicate = term();
      return predicate ? table_.statement(copula.copula, subject, predicate) : Term();
    }
    for (const InstanceCopula& copula : instance_copulas) {
      if (!take(copula.text)) continue;
      skip_blanks();
      Term predicate = term();
      if (!predicate) return {};
      if (copula.subject_is_instance) subject = table_.compound(Connector::extensional_set, {&subject, 1});
      if (copula.predicate_is_property)
        predicate = table_.compound(Connector::intensional_set, {&predicate, 1});
      return table_.statement(Copula::inheritance, subject, predicate);
    }
    return {};
  }

  Term set(Connector connector, char close) {
    std::vector<Term> components;
    return list(components, close) ? table_.compound(connector, components) : Term();
  }

  // Components up to (not including) `close`, separated by commas or, as ONA writes them, by blanks.
  bool list(std::vector<Term>& components, char close) {
    for (;;) {
      skip_blanks();
      if (!components.empty() && peek() == close) return true;
      const Term component = term();
      if (!component || !add(components, component)) return false;
      if (!separator(close)) return false;
      if (peek() == close) return true;
    }
  }

  bool add(std::vector<Term>& components, Term component) {
    if (components.size() == limits_.max_components)
      return refuse("at most " + std::to_string(limits_.max_components) + " components");
    components.push_back(component);
    return true;
  }

  // After a component: at `close`, or past one separator. A comma must be followed by another component.
  bool separator(char close) {
    const bool blank = is_blank(peek());
    skip_blanks();
    if (peek() == close) return true;
    if (take(',')) {
      skip_blanks();
      return peek() != close || refuse("a term");
    }
    return blank || refuse(std::string("',' or '") + close + "'");
  }

  // Inside round brackets: a prefix compound, an operation, an image, an infix compound or a statement.
  Term compound() {
    if (peek() == '^') return operation();
    for (const Connector image : {Connector::extensional_image, Connector::intensional_image})
      if (take_prefix(facts(image).text)) return prefix_image(image);
    if (take_prefix("--") || take_prefix("!")) return prefix_compound(Connector::negation);
    for (const Connector connector : infix_connectors)
      if (take_prefix(facts(connector).text)) return prefix_compound(connector);

    const Term first = term();
    if (!first) return {};
    skip_blanks();
    if (const Term statement = statement_after(first); statement || failed()) return statement;
    return infix_compound(first);
  }

  // An operator that a separator follows: `(*,a,b)` or ONA's `(* a b)`, but not the atom of `(-5 * a)`.
  bool take_prefix(std::string_view op) {
    if (!rest().starts_with(op)) return false;
    const char next = peek(op.size());
    if (next != ',' && !is_blank(next)) return false;
    at_ += op.size() + 1;
    skip_blanks();
    if (next != ',') take(',');
    return true;
  }

  Term prefix_compound(Connector connector) {
    const std::size_t start = at_;
    std::vector<Term> components;
    if (!list(components, ')')) return {};
    const ConnectorFacts& rule = facts(connector);
    if (components.size() < rule.min_arity || components.size() > rule.max_arity)
      return fail_at(start, arity_text(rule), std::to_string(components.size()));
    return table_.compound(connector, components);
  }

  static std::string arity_text(const ConnectorFacts& rule) {
    const std::string count = std::to_string(rule.min_arity);
    return (rule.min_arity == rule.max_arity ? count : "at least " + count) +
           (rule.min_arity == 1 ? " component of '" : " components of '") + std::string(rule.text) + "'";
  }

  // (/,R,_,B)
  Term prefix_image(Connector connector) {
    const std::size_t start = at_;
    std::vector<Term> components;
    std::optional<std::size_t> position;
    for (;;) {
      skip_blanks();
      if (peek() == '_' && (peek(1) == ',' || peek(1) == ')' || is_blank(peek(1)))) {
        if (position) return fail("a single placeholder _");
        if (components.empty()) return fail("the relation, which stands before the placeholder _");
        position = components.size();
        ++at_;
      } else {
        const Term component = term();
        if (!component || !add(components, component)) return {};
      }
      if (!separator(')')) return {};
      if (peek() == ')') break;
    }
    if (!position) return fail_at(start, "an image with a placeholder _", "none");
    return table_.image(connector, components, *position);
  }

  // (^op,{SELF},x) is <(*,{SELF},x) --> ^op>
  Term operation() {
    const Term op = term();
    if (!op) return {};
    skip_blanks();
    if (const Term statement = statement_after(op); statement || failed()) return statement;
    if (peek() != ',') return infix_compound(op);
    ++at_;
    std::vector<Term> arguments;
    if (!list(arguments, ')')) return {};
    return table_.statement(Copula::inheritance, table_.compound(Connector::product, arguments), op);
  }

  // (a op b op c), or ONA's images (R /1 B). Different operators need brackets of their own: the systems
  // disagree about which binds tighter.
  Term infix_compound(Term first) {
    if (const auto image = take_numbered_image()) {
      skip_blanks();
      const Term argument = term();
      if (!argument) return {};
      const std::array<Term, 2> parts{first, argument};
      return table_.image(image->first, parts, image->second);
    }
    const auto connector = take_infix();
    if (!connector) return fail("a connector or a copula");
    std::vector<Term> components{first};
    do {
      skip_blanks();
      const Term component = term();
      if (!component || !add(components, component)) return {};
      skip_blanks();
    } while (take_same(*connector));
    const ConnectorFacts& rule = facts(*connector);
    if (components.size() > rule.max_arity)
      return fail_at(at_, arity_text(rule), std::to_string(components.size()));
    if (peek() != ')') return fail("')' or '" + std::string(rule.text) + "'");
    return table_.compound(*connector, components);
  }

  std::optional<std::pair<Connector, std::size_t>> take_numbered_image() {
    if ((peek() != '/' && peek() != '\\') || (peek(1) != '1' && peek(1) != '2') || !is_blank(peek(2)))
      return {};
    const auto connector = peek() == '/' ? Connector::extensional_image : Connector::intensional_image;
    const auto position = static_cast<std::size_t>(peek(1) - '0');
    at_ += 2;
    return std::pair{connector, position};
  }

  std::optional<Connector> take_infix() {
    for (const Connector connector : infix_connectors)
      if (take(facts(connector).text)) return connector;
    return {};
  }

  bool take_same(Connector connector) {
    const std::size_t start = at_;
    const auto next = take_infix();
    if (next == connector) return true;
    at_ = start;
    return false;
  }

  // --- what stands around the term ------------------------------------------------------------------------

  // A number in [0, 1].
  bool share(double& value, std::string_view what) {
    skip_blanks();
    const std::size_t start = at_;
    if (!is_digit(peek()) && peek() != '.') return refuse(std::string(what) + ", a number in [0, 1]");
    const auto [stop, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    at_ = static_cast<std::size_t>(stop - text_.data());
    if (code == std::errc() && value >= 0 && value <= 1) return true;
    return refuse_at(start, std::string(what) + " in [0, 1]");
  }

  bool budget(std::optional<BudgetValue>& budget) {
    // `$0.8;..$` is a budget, `$x` a variable: a budget's first byte is a digit or a dot, and `$` closes it.
    if (peek() != '$' || !(is_digit(peek(1)) || peek(1) == '.')) return true;
    const std::size_t close = text_.find_first_not_of("0123456789.;eE+- ", at_ + 1);
    if (close == std::string_view::npos || text_[close] != '$') return true;
    ++at_;
    BudgetValue value;
    if (!share(value.priority, "a priority")) return false;
    if (next(';') && !share(value.durability, "a durability")) return false;
    if (next(';') && !share(value.quality, "a quality")) return false;
    if (!next('$')) return refuse("'$'");
    budget = value;
    skip_blanks();
    return true;
  }

  bool punctuation(Punctuation& punctuation) {
    skip_blanks();
    for (const auto candidate :
         {Punctuation::judgment, Punctuation::goal, Punctuation::question, Punctuation::quest}) {
      if (!take(symbol(candidate))) continue;
      punctuation = candidate;
      return true;
    }
    return refuse("punctuation ('.', '!', '?' or '@')");
  }

  bool tense(Tense& tense) {
    skip_blanks();
    if (peek() != ':') return true;
    for (const auto kind : {Tense::Kind::past, Tense::Kind::present, Tense::Kind::future}) {
      tense = {kind, 0};
      if (take(print_tense(kind))) return true;
    }
    const std::size_t start = at_;
    const bool absolute = peek(1) == '!', later = peek(1) == '+';
    if (!absolute && !later && peek(1) != '-') return refuse("a tense (:|:, :\\:, :/:, :!n:, :+n: or :-n:)");
    at_ += absolute || later ? 2 : 1;
    if (later && !is_digit(peek())) return refuse_at(start, "a number of cycles in the tense");
    tense.kind = absolute ? Tense::Kind::at : Tense::Kind::offset;
    const auto [stop, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), tense.cycles);
    if (code != std::errc()) return refuse_at(start, "a number of cycles in the tense");
    at_ = static_cast<std::size_t>(stop - text_.data());
    return take(':') || refuse("':'");
  }

  static std::string_view print_tense(Tense::Kind kind) {
    return kind == Tense::Kind::past ? ":\\:" : kind == Tense::Kind::present ? ":|:" : ":/:";
  }

  // %f%, %f;c%, or ONA's {f c}
  bool truth(Sentence& sentence) {
    skip_blanks();
    if (peek() != '%' && peek() != '{') return true;
    if (sentence.asks()) return refuse("end of line (a question or quest has no truth value)");
    const bool braces = peek() == '{';
    ++at_;
    TruthValue truth;
    if (!share(truth.frequency, "a frequency")) return false;
    const bool blank = is_blank(peek());
    const bool more = next(braces ? ',' : ';') || (braces && blank);
    if (braces && !more) return refuse("a blank or ',' and a confidence");
    if (more && !share(truth.confidence, "a confidence")) return false;
    if (!next(braces ? '}' : '%')) return refuse(braces ? "'}'" : more ? "'%'" : "'%' or ';'");
    sentence.truth = truth;
    return true;
  }

  std::string_view text_;
  TermTable& table_;
  ParseLimits limits_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::array<std::vector<std::string_view>, 3> variables_;
  ParseError error_;
};

}  // namespace

std::string ParseError::message() const { return "expected " + expected + ", found " + found; }

Result<Sentence, ParseError> parse_sentence(std::string_view line, TermTable& table,
                                            const ParseLimits& limits) {
  return Parser(line, table, limits).sentence();
}

Result<Term, ParseError> parse_term(std::string_view text, TermTable& table, const ParseLimits& limits) {
  return Parser(text, table, limits).lone_term();
}

}  // namespace engram::narsese
