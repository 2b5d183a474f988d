// SPDX-License-Identifier: MIT
#include "narsese/lint_analysis.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "narsese/term_queries.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

constexpr NamePositions left = 1, right = 2;
constexpr NamePositions elsewhere = 4;        // positions from which rules take new terms without evidence
constexpr NamePositions in_compound = 8;      // inside a product or image
constexpr NamePositions faces_variable = 16;  // the other side has a variable

class Collector {
 public:
  explicit Collector(Term question) {
    while (question.is(Connector::negation)) question = question.components()[0];
    if (question.kind() == TermKind::atom)
      collect(question, left);
    else if (question.kind() == TermKind::statement && !is_higher_order(question))
      collect_statement(question);
    else
      collect(question, elsewhere);
  }

  std::vector<QuestionName> names;

 private:
  // <a --> (/,r,_,b)> is <(*,a,b) --> r>, and <(\,r,_,b) --> a> is <r --> (*,a,b)>.
  void collect_statement(Term statement) {
    const Term subject = statement.subject(), predicate = statement.predicate();
    const bool inheritance = statement.is(Copula::inheritance);
    const bool product_left = inheritance && predicate.is(Connector::extensional_image);
    const bool product_right = inheritance && subject.is(Connector::intensional_image);
    if (product_left && product_right) return collect(statement, elsewhere);
    std::vector<Term> lefts{subject}, rights{predicate};
    if (product_left) move_arguments(rights, lefts);
    if (product_right) move_arguments(lefts, rights);
    collect_side(lefts, rights, left);
    collect_side(rights, lefts, right);
  }

  static void move_arguments(std::vector<Term>& image, std::vector<Term>& to) {
    const auto parts = image[0].components();
    to.insert(to.end(), parts.begin() + 1, parts.end());
    image[0] = parts[0];
  }

  void collect_side(const std::vector<Term>& parts, const std::vector<Term>& others, NamePositions side) {
    NamePositions positions = side;
    if (parts.size() > 1) positions |= in_compound;
    if (std::ranges::any_of(others, [](Term other) { return other.has_variables(); }))
      positions |= faces_variable;
    for (const Term part : parts) collect(part, positions);
  }

  void collect(Term term, NamePositions positions) {
    if (term.kind() == TermKind::atom) {
      names.push_back({term, positions});
      return;
    }
    if (term.is(Connector::product) || term.is(Connector::extensional_image) ||
        term.is(Connector::intensional_image))
      positions |= in_compound;
    else if (!is_singleton_set(term))
      positions |= elsewhere;
    for (const Term part : term.components()) collect(part, positions);
  }
};

using Counts = std::map<std::int64_t, std::size_t>;  // number of occurrences by variable number

// The most occurrences of a variable within one implication or equivalence that it links (`linked`), or whose sides
// both have independent variables (`together`).
struct Within {
  std::size_t linked = 0;
  std::size_t together = 0;
};

class Scopes {
 public:
  Counts visit(Term term) {
    if (!term.has_variables()) return {};
    if (term.kind() == TermKind::variable)
      return term.variable_kind() == VariableKind::independent ? Counts{{term.number(), 1}} : Counts{};
    if (is_higher_order(term)) return visit_sides(visit(term.subject()), visit(term.predicate()));
    Counts counts;
    for (const Term part : term.components())
      for (const auto& [number, count] : visit(part)) counts[number] += count;
    return counts;
  }

  const Within& within(std::int64_t number) { return within_[number]; }

 private:
  Counts visit_sides(const Counts& subject, const Counts& predicate) {
    Counts counts = subject;
    for (const auto& [number, count] : predicate) counts[number] += count;
    for (const auto& [number, count] : counts) {
      Within& within = within_[number];
      if (subject.contains(number) && predicate.contains(number))
        within.linked = std::max(within.linked, count);
      if (!subject.empty() && !predicate.empty()) within.together = std::max(within.together, count);
    }
    return counts;
  }

  std::map<std::int64_t, Within> within_;
};

}  // namespace

std::vector<QuestionName> question_names(Term question) {
  auto names = Collector(question).names;
  std::ranges::stable_sort(
      names, [](const QuestionName& a, const QuestionName& b) { return compare(a.atom, b.atom) < 0; });
  std::vector<QuestionName> merged;
  for (const QuestionName& name : names)
    if (merged.empty() || merged.back().atom != name.atom)
      merged.push_back(name);
    else
      merged.back().positions |= name.positions;
  for (QuestionName& name : merged)
    if ((name.positions & left) != 0 && (name.positions & right) != 0) name.positions |= elsewhere;
  return merged;
}

bool may_enter_answers(NamePositions positions) {
  return (positions & elsewhere) != 0 ||
         ((positions & in_compound) != 0 && (positions & faces_variable) != 0);
}

bool comes_only_from_input(std::string_view name) {
  constexpr std::array<std::string_view, 5> systems_own{"self", "satisfied", "busy", "true", "false"};
  constexpr std::size_t ona_bytes = 31;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const bool is_plain =
      std::ranges::all_of(name, [](char c) { return is_word_letter(c) || c == '-' || c == '.'; });
  if (!is_plain || !is_word_letter(name[0]) || (name[0] >= '0' && name[0] <= '9') || name.size() > ona_bytes)
    return false;
  return std::ranges::none_of(
      systems_own, [&](std::string_view word) { return std::ranges::equal(word, name, {}, {}, lower); });
}

IndependentVariables::IndependentVariables(Term term) {
  Scopes scopes;
  for (const auto& [number, count] : scopes.visit(term)) {
    const Within& within = scopes.within(number);
    if (within.linked == 0 && within.together < 2) unbound.push_back(number);
    if (within.linked < count) may_generalise = true;
  }
}

std::vector<std::pair<std::string_view, std::size_t>> written_variables(std::string_view text,
                                                                        VariableKind kind, std::size_t from) {
  std::vector<std::pair<std::string_view, std::size_t>> written;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] != symbol(kind) || (i > 0 && is_word_letter(text[i - 1]))) continue;
    std::size_t end = i + 1;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    const std::string_view name = text.substr(i, end - i);
    const bool is_new =
        std::ranges::none_of(written, [&](const auto& variable) { return variable.first == name; });
    if (end > i + 1 && is_new) written.emplace_back(name, i);
  }
  return written;
}

}  // namespace engram::narsese
