// SPDX-License-Identifier: MIT
#include "narsese/asked_names.hpp"

#include <algorithm>
#include <array>

#include "narsese/term_queries.hpp"
#include "narsese/words.hpp"

namespace engram::narsese {
namespace {

constexpr Ways left = 1, right = 2;
constexpr Ways elsewhere = 4;        // where terms come about without evidence
constexpr Ways in_compound = 8;      // a product or image
constexpr Ways faces_variable = 16;  // which is on the other side

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

  std::vector<AskedName> names;

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

  void collect_side(const std::vector<Term>& parts, const std::vector<Term>& others, Ways side) {
    Ways ways = side;
    if (parts.size() > 1) ways |= in_compound;
    if (std::ranges::any_of(others, [](Term other) { return other.has_variables(); })) ways |= faces_variable;
    for (const Term part : parts) collect(part, ways);
  }

  void collect(Term term, Ways ways) {
    if (term.kind() == TermKind::atom) {
      names.push_back({term, ways});
      return;
    }
    if (term.is(Connector::product) || term.is(Connector::extensional_image) ||
        term.is(Connector::intensional_image))
      ways |= in_compound;
    else if (!is_singleton_set(term))
      ways |= elsewhere;
    for (const Term part : term.components()) collect(part, ways);
  }
};

}  // namespace

std::vector<AskedName> asked_names(Term question) {
  auto names = Collector(question).names;
  std::ranges::stable_sort(
      names, [](const AskedName& a, const AskedName& b) { return compare(a.atom, b.atom) < 0; });
  std::vector<AskedName> merged;
  for (const AskedName& name : names)
    if (merged.empty() || merged.back().atom != name.atom)
      merged.push_back(name);
    else
      merged.back().ways |= name.ways;
  for (AskedName& name : merged)
    if ((name.ways & left) != 0 && (name.ways & right) != 0) name.ways |= elsewhere;
  return merged;
}

bool may_be_answered(Ways ways) {
  return (ways & elsewhere) != 0 || ((ways & in_compound) != 0 && (ways & faces_variable) != 0);
}

bool must_be_told(std::string_view name) {
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

}  // namespace engram::narsese
