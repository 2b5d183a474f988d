// SPDX-License-Identifier: MIT
#include "narsese/printer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace engram::narsese {
namespace {

void append(std::string& out, Term term);

// Appends a closing bracket, after a blank if the bracket and the end of a name would read as a copula: `a--` and
// `>`.
void append_bracket(std::string& out, char bracket) {
  for (const std::string_view copula : {"-->", "--]", "==>", "=/>", "=|>", "=\\>", "|->"})
    if (copula.back() == bracket && out.ends_with(copula.substr(0, 2))) {
      out += ' ';
      break;
    }
  out += bracket;
}

void append_list(std::string& out, std::span<const Term> components) {
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (i > 0) out += ',';
    append(out, components[i]);
  }
}

void append_image(std::string& out, Term image) {
  out += '(';
  out += facts(image.connector()).text;
  std::size_t place = 0;
  for (const Term component : image.components()) {
    if (place == image.image_position()) out += ",_";
    out += ',';
    append(out, component);
    ++place;
  }
  if (place == image.image_position()) out += ",_";
  out += ')';
}

void append_compound(std::string& out, Term term) {
  if (is_image(term.connector())) return append_image(out, term);
  if (is_set(term.connector())) {
    const bool extensional = term.connector() == Connector::extensional_set;
    out += extensional ? '{' : '[';
    append_list(out, term.components());
    append_bracket(out, extensional ? '}' : ']');
    return;
  }
  out += '(';
  out += facts(term.connector()).text;
  out += ',';
  append_list(out, term.components());
  out += ')';
}

// Appends a term without components.
void append_leaf(std::string& out, Term term) {
  switch (term.kind()) {
    case TermKind::op:
      out += '^';
      [[fallthrough]];
    case TermKind::atom:
      out += term.name();
      return;
    case TermKind::variable:
      out += symbol(term.variable_kind());
      out += std::to_string(term.number());
      return;
    default:
      out += '+';
      out += std::to_string(term.number());
  }
}

void append(std::string& out, Term term) {
  if (term.kind() == TermKind::compound) return append_compound(out, term);
  if (term.kind() != TermKind::statement) return append_leaf(out, term);
  out += '<';
  append(out, term.subject());
  out += ' ';
  out += facts(term.copula()).text;
  out += ' ';
  append(out, term.predicate());
  append_bracket(out, '>');
}

// --- ONA
// ----------------------------------------------------------------------------------------------------

// ONA's spelling. ONA numbers variables level by level, in the order of its array, and confuses variables that are
// numbered differently.
class OnaSpelling {
 public:
  explicit OnaSpelling(Term term) {
    std::array<std::int64_t, 3> next{1, 1, 1};
    std::vector<Term> level{term};
    while (!level.empty()) {
      std::vector<Term> below;
      for (const Term part : level) {
        if (part.kind() == TermKind::variable && number_of(part) == 0)
          numbers_.emplace_back(part, next[static_cast<std::size_t>(part.variable_kind())]++);
        if (part.has_variables())
          below.insert(below.end(), part.components().begin(), part.components().end());
      }
      level = std::move(below);
    }
    append(term);
  }

  const std::string& text() const { return out_; }

 private:
  std::int64_t number_of(Term variable) const {
    const auto entry = std::ranges::find(numbers_, variable, &std::pair<Term, std::int64_t>::first);
    return entry == numbers_.end() ? 0 : entry->second;
  }

  void append_joined(std::string_view open, std::span<const Term> terms, std::string_view joint,
                     std::string_view close) {
    out_ += open;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) out_ += joint;
      append(terms[i]);
    }
    out_ += close;
  }

  void append(Term term) {
    const auto components = term.components();
    if (term.kind() == TermKind::variable) {
      out_ += symbol(term.variable_kind());
      out_ += std::to_string(number_of(term));
      return;
    }
    if (term.kind() == TermKind::statement)
      return append_joined("<", components, ' ' + std::string(facts(term.copula()).text) + ' ', ">");
    if (term.kind() != TermKind::compound) return append_leaf(out_, term);
    if (term.is(Connector::extensional_set)) return append_joined("{", components, " ", "}");
    if (term.is(Connector::intensional_set)) return append_joined("[", components, " ", "]");
    std::string connector(term.is(Connector::negation) ? "!" : facts(term.connector()).text);
    if (is_image(term.connector())) connector += std::to_string(term.image_position());
    if (components.size() == 1) return append_joined('(' + connector + ' ', components, "", ")");
    append_joined("(", components, ' ' + connector + ' ', ")");
  }

  std::vector<std::pair<Term, std::int64_t>> numbers_;
  std::string out_;
};

// Adds everything around the term.
std::string framed(const Sentence& sentence, const std::string& term) {
  std::string out;
  if (sentence.delay) out += "dt=" + print_number(*sentence.delay) + ' ';
  if (sentence.budget) out += print(*sentence.budget) + ' ';
  out += term;
  out += symbol(sentence.punctuation);
  if (sentence.tense.kind != Tense::Kind::eternal) out += ' ' + print(sentence.tense);
  if (sentence.truth) out += ' ' + print(*sentence.truth);
  return out;
}

}  // namespace

std::string print_number(double number) {
  std::array<char, 1100> buffer{};  // enough for the digits of any double
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed).ptr;
  return {buffer.data(), end};
}

std::string print(Term term) {
  std::string out;
  append(out, term);
  return out;
}

std::string print(const TruthValue& truth) {
  return '%' + print_number(truth.frequency) + ';' + print_number(truth.confidence) + '%';
}

std::string print(const BudgetValue& budget) {
  return '$' + print_number(budget.priority) + ';' + print_number(budget.durability) + ';' +
         print_number(budget.quality) + '$';
}

std::string print(const Tense& tense) {
  constexpr std::array<std::string_view, 4> signs{"", ":\\:", ":|:", ":/:"};
  if (tense.kind == Tense::Kind::at) return ":!" + std::to_string(tense.cycles) + ':';
  if (tense.kind == Tense::Kind::offset)
    return (tense.cycles < 0 ? ":" : ":+") + std::to_string(tense.cycles) + ':';
  return std::string(signs[static_cast<std::size_t>(tense.kind)]);
}

std::string print(const Sentence& sentence) { return framed(sentence, print(sentence.term)); }

std::string print_for_ona(Term term) { return OnaSpelling(term).text(); }

std::string print_for_ona(const Sentence& sentence) { return framed(sentence, print_for_ona(sentence.term)); }

}  // namespace engram::narsese
