// SPDX-License-Identifier: MIT
#include "bridge/reasoner/variable_introduction.hpp"

#include <algorithm>
#include <utility>

#include "narsese/term_queries.hpp"

namespace engram::bridge {
namespace {

using narsese::Copula;
using narsese::Term;
using narsese::TermKind;
using narsese::TermTable;
using narsese::VariableKind;

constexpr std::size_t most_introduced = 3;

bool contains(Term whole, Term part) {
  return whole == part ||
         (whole.complexity() > part.complexity() &&
          std::ranges::any_of(whole.components(), [&](Term inner) { return contains(inner, part); }));
}

// The inheritance statements that a side says.
void add_statements(Term side, std::vector<Term>& statements) {
  if (side.is(Copula::inheritance)) {
    statements.push_back(side);
  } else if (side.kind() == TermKind::compound || narsese::is_higher_order(side)) {
    for (const Term part : side.components()) add_statements(part, statements);
  }
}

bool is_set_of_several(Term term) {
  return (term.is(narsese::Connector::extensional_set) || term.is(narsese::Connector::intensional_set)) &&
         term.components().size() > 1;
}

// Times that a term stands in the statement as something that is named there: not as an image's relation, and not as
// one of several components of a set.
std::size_t places(Term term, Term wanted) {
  if (term == wanted) return 1;
  if (is_set_of_several(term)) return 0;
  std::size_t found = 0;
  const bool image = term.kind() == TermKind::compound && narsese::is_image(term.connector());
  for (std::size_t i = 0; i < term.components().size(); ++i) {
    if (image && i == 0 && term.components()[0] == wanted) continue;
    found += places(term.components()[i], wanted);
  }
  return found;
}

class Introduction {
 public:
  Introduction(TermTable& table, narsese::TermLabel label, std::span<const Term> parts,
               const TermLimits& limits)
      : table_(table), label_(label), parts_(parts), limits_(limits) {}

  std::vector<Generalization> all() {
    std::vector<Term> statements;
    for (const Term part : parts_) add_statements(part, statements);
    for (std::size_t i = 0; i < statements.size(); ++i)
      for (std::size_t j = i + 1; j < statements.size(); ++j)
        for (const Term side : statements[i].components()) add_common(side, statements[j]);
    if (common_.size() > most_introduced) common_.resize(most_introduced);
    std::vector<Generalization> found;
    for (std::uint32_t chosen = 1; chosen < (1U << common_.size()); ++chosen) {
      replaced_.clear();
      for (std::size_t i = 0; i < common_.size(); ++i)
        if ((chosen >> i & 1) != 0) replaced_.push_back(variable_for(common_[i]));
      // Of statements whose subjects and predicates are all gone nothing is left.
      if (std::ranges::all_of(statements,
                              [&](Term s) { return is_replaced(s.subject()) && is_replaced(s.predicate()); }))
        continue;
      if (const Term general = made(label_, parts_)) found.push_back({general, replaced_.size()});
    }
    return found;
  }

 private:
  void add_common(Term part, Term other) {
    if (part.kind() == TermKind::variable || part.kind() == TermKind::interval) return;
    if (!part.has_variables() && places(other, part) > 0) {
      if (std::ranges::find(common_, part) == common_.end()) common_.push_back(part);
      return;
    }
    if (is_set_of_several(part)) return;
    const bool image = part.kind() == TermKind::compound && narsese::is_image(part.connector());
    for (std::size_t i = 0; i < part.components().size(); ++i) {
      // Of a relation what is within may be common, but not itself.
      if (image && i == 0) {
        for (const Term inner : part.components()[0].components()) add_common(inner, other);
        continue;
      }
      add_common(part.components()[i], other);
    }
  }

  std::pair<Term, Term> variable_for(Term common) {
    const bool of_rule =
        label_.kind == TermKind::statement && contains(parts_[0], common) && contains(parts_[1], common);
    const auto kind = of_rule ? VariableKind::independent : VariableKind::dependent;
    // Past all that the term has already: numbers are put in order when the conclusion is drawn.
    const bool has_others = std::ranges::any_of(parts_, &Term::has_variables);
    const std::int64_t first = has_others ? 1 << 24 : 1;
    return {common, table_.variable(kind, first + static_cast<std::int64_t>(replaced_.size()))};
  }

  bool is_replaced(Term term) const {
    return std::ranges::find(replaced_, term, &std::pair<Term, Term>::first) != replaced_.end();
  }

  bool has_replaced(Term term) const {
    return std::ranges::any_of(replaced_, [&](const auto& pair) { return contains(term, pair.first); });
  }

  Term with_variables(Term term) {
    const auto known = std::ranges::find(replaced_, term, &std::pair<Term, Term>::first);
    if (known != replaced_.end()) return known->second;
    if (term.components().empty() || is_set_of_several(term) || !has_replaced(term)) return term;
    return made(term.label(), term.components());
  }

  Term made(narsese::TermLabel label, std::span<const Term> parts) {
    const bool image =
        label.kind == TermKind::compound && narsese::is_image(static_cast<narsese::Connector>(label.symbol));
    Components components;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      components.push_back(image && i == 0 && is_replaced(parts[i]) ? parts[i] : with_variables(parts[i]));
      if (!components.back()) return {};
    }
    return make_term(table_, label, {components.data(), components.size()}, limits_);
  }

  TermTable& table_;
  narsese::TermLabel label_;
  std::span<const Term> parts_;
  const TermLimits& limits_;
  std::vector<Term> common_;
  std::vector<std::pair<Term, Term>> replaced_;
};

}  // namespace

std::vector<Generalization> introduce_variables(TermTable& table, narsese::TermLabel label,
                                                std::span<const Term> parts, const TermLimits& limits) {
  return Introduction(table, label, parts, limits).all();
}

}  // namespace engram::bridge
