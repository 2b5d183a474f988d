// SPDX-License-Identifier: MIT
#include "narsese/printer.hpp"

#include <array>
#include <charconv>

namespace engram::narsese {
namespace {

void append(std::string& out, Term term);

// A closing bracket, kept apart from a name with which it would read as a copula: `a--` and `>`.
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

void append(std::string& out, Term term) {
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
    case TermKind::interval:
      out += '+';
      out += std::to_string(term.number());
      return;
    case TermKind::compound:
      return append_compound(out, term);
    case TermKind::statement:
      out += '<';
      append(out, term.subject());
      out += ' ';
      out += facts(term.copula()).text;
      out += ' ';
      append(out, term.predicate());
      append_bracket(out, '>');
      return;
  }
}

}  // namespace

std::string print_number(double number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
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
  switch (tense.kind) {
    case Tense::Kind::past:
      return ":\\:";
    case Tense::Kind::present:
      return ":|:";
    case Tense::Kind::future:
      return ":/:";
    case Tense::Kind::offset:
      return (tense.cycles < 0 ? ":" : ":+") + std::to_string(tense.cycles) + ':';
    case Tense::Kind::at:
      return ":!" + std::to_string(tense.cycles) + ':';
    case Tense::Kind::eternal:
      break;
  }
  return {};
}

std::string print(const Sentence& sentence) {
  std::string out;
  if (sentence.delay) out += "dt=" + print_number(*sentence.delay) + ' ';
  if (sentence.budget) out += print(*sentence.budget) + ' ';
  append(out, sentence.term);
  out += symbol(sentence.punctuation);
  if (sentence.tense.kind != Tense::Kind::eternal) out += ' ' + print(sentence.tense);
  if (sentence.truth) out += ' ' + print(*sentence.truth);
  return out;
}

}  // namespace engram::narsese
