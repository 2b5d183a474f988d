// SPDX-License-Identifier: MIT
// Prints the two statements with the best budgets for a question.
#include <iostream>

#include "core/engram.hpp"

using namespace engram;

int main() {
  core::Session session;
  session.input("<tim --> cat>.\n<cat --> animal>.\n<rex --> dog>.\n<dog --> animal>.");
  const auto cue = session.cue("<tim --> animal>?");
  const auto recall = session.recall(core::ConfiguredMethod("proof_attention"), *cue);
  const core::AllocationOptions two{.of = core::AllocationOf::statements, .cut = {.capacity = 2}};
  for (const core::Allocation& given : session.allocate(recall, two))
    std::cout << narsese::print(session.memory().statements()[given.id].sentence) << "  "
              << given.budget.priority << '\n';
}
