// SPDX-License-Identifier: MIT
#include "bridge/stream/operations.hpp"

#include "narsese/printer.hpp"

namespace engram::bridge {

std::string operator_in(narsese::Term term) {
  if (term.is(narsese::Copula::inheritance)) term = term.predicate();
  return term.kind() == narsese::TermKind::op ? narsese::print(term) : "";
}

}  // namespace engram::bridge
