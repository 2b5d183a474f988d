// SPDX-License-Identifier: MIT
// Who may have a budget: a role for each kind of term.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/budgets/budget_update.hpp"
#include "core/graph/memory.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

/// Kinds of terms that a policy tells apart.
enum class TermClass : std::uint8_t { atom, op, self, compound, statement, variable };

/// A kind of term, its role where nothing else is said, and why.
struct TermClassFacts {
  TermClass value;
  std::string_view name;
  Role role;
  std::string_view reason;
};

/// Copulas, connectors and intervals are no concepts: nothing can hold there. A term with a variable within
/// is of the class variable: it stands for no one thing.
inline constexpr std::array<TermClassFacts, 6> term_classes{{
    {TermClass::atom, "atom", Role::holds, "a name is what a reasoner can work on"},
    {TermClass::op, "operator", Role::holds, "an operation is something that can be done next"},
    {TermClass::self, "SELF", Role::ignored,
     "it is in every operation: budget would leak through it from each to all others"},
    {TermClass::compound, "compound", Role::conducts,
     "its components are the names; with both, what is named in a compound would count twice"},
    {TermClass::statement, "statement", Role::conducts,
     "likewise; statements have budgets of their own, where they are what is allocated to"},
    {TermClass::variable, "variable", Role::ignored,
     "the same variable in two sentences is two things: there is nothing to hold, and no way from one to the "
     "other"},
}};

inline constexpr std::array<NamedValue<Role>, 3> role_names{
    {{Role::holds, "holds"}, {Role::conducts, "conducts"}, {Role::ignored, "ignored"}}};

/// The class of a term; what has a variable anywhere within is a variable.
TermClass class_of(narsese::Term term);

/// Roles of all classes. What a memory is told to let be active (compounds,
/// statements, SELF: core/graph/memory.hpp) is meant to hold.
class TermPolicy {
 public:
  TermPolicy();
  explicit TermPolicy(const ActivationPolicy& memory);

  Role operator[](TermClass term_class) const { return roles_[static_cast<std::size_t>(term_class)]; }
  /// Errors  std::invalid_argument for a variable that is to hold or conduct
  void set(TermClass term_class, Role role);

 private:
  std::array<Role, term_classes.size()> roles_;
};

}  // namespace engram::core
