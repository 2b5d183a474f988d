// SPDX-License-Identifier: MIT
#include "narsese/term_copies.hpp"

namespace engram::narsese {

Term TermCopies::operator()(Term term) {
  const auto known = index_.find(term.hash(), [&](std::uint32_t i) { return from_[i] == term; });
  if (known != HashIndex::none) return to_[known];
  const Term copy = made(term);
  index_.insert(term.hash(), static_cast<std::uint32_t>(from_.size()));
  from_.push_back(term);
  to_.push_back(copy);
  return copy;
}

Term TermCopies::made(Term term) {
  switch (term.kind()) {
    case TermKind::atom:
      return table_.atom(term.name());
    case TermKind::op:
      return table_.op(term.name());
    case TermKind::variable:
      return table_.variable(term.variable_kind(), term.number());
    case TermKind::interval:
      return table_.interval(term.number());
    case TermKind::compound:
    case TermKind::statement:
      break;
  }
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back((*this)(component));
  return table_.with_components(term, components);
}

}  // namespace engram::narsese
