// SPDX-License-Identifier: MIT
#include "narsese/independent_variables.hpp"

#include <algorithm>
#include <map>

#include "narsese/term_queries.hpp"
#include "narsese/words.hpp"

namespace engram::narsese {
namespace {

using Counts = std::map<std::int64_t, std::size_t>;  // by the variables' numbers

// The most occurrences of a variable within one implication or equivalence..
struct Within {
  std::size_t linked = 0;    // ..of which it links the sides
  std::size_t together = 0;  // ..of which both sides have independent variables
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

IndependentVariables::IndependentVariables(Term term) {
  Scopes scopes;
  for (const auto& [number, count] : scopes.visit(term)) {
    const Within& within = scopes.within(number);
    if (within.linked == 0 && within.together < 2) idle.push_back(number);
    if (within.linked < count) open = true;
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
