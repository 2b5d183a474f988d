// SPDX-License-Identifier: MIT
#include "core/budgets/term_policy.hpp"

namespace engram::core {

TermClass class_of(narsese::Term term) {
  if (term.has_variables()) return TermClass::variable;
  switch (term.kind()) {
    case narsese::TermKind::atom:
      return term.name() == "SELF" ? TermClass::self : TermClass::atom;
    case narsese::TermKind::op:
      return TermClass::op;
    case narsese::TermKind::statement:
      return TermClass::statement;
    case narsese::TermKind::compound:
    case narsese::TermKind::interval:
      return TermClass::compound;
    case narsese::TermKind::variable:
      break;
  }
  return TermClass::variable;
}

TermPolicy::TermPolicy() : roles_{} {
  for (const TermClassFacts& facts : term_classes) roles_[static_cast<std::size_t>(facts.value)] = facts.role;
}

TermPolicy::TermPolicy(const ActivationPolicy& memory) : TermPolicy() {
  if (memory.compounds) set(TermClass::compound, Role::holds);
  if (memory.self) set(TermClass::self, Role::holds);
  if (memory.statements) set(TermClass::statement, Role::holds);
}

void TermPolicy::set(TermClass term_class, Role role) {
  require(term_class != TermClass::variable || role == Role::ignored,
          "a variable stands for no one thing: it can only be ignored");
  roles_[static_cast<std::size_t>(term_class)] = role;
}

}  // namespace engram::core
