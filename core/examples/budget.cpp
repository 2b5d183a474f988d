// SPDX-License-Identifier: MIT
// Narsese in, budget out.
#include <iostream>

#include "core/budgets/budget_allocator.hpp"
#include "core/methods/methods.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

using namespace engram;

int main() {
  core::Memory memory;
  for (const char* line : {"<tim --> cat>.", "<cat --> animal>.", "<rex --> dog>.", "<dog --> animal>."})
    memory.accept(*narsese::parse_sentence(line, memory.terms()));
  const auto question = narsese::parse_sentence("<tim --> animal>?", memory.terms());
  const core::Readings readings(memory);
  const auto attention = core::make_retriever(*core::find_method("attention"));
  const core::Recall recall = attention(readings, core::cue_for(memory, question->term));
  for (const core::Allocation& given : core::allocate_statements(memory, readings, recall, 2))
    std::cout << narsese::print(memory.statements()[given.id].sentence) << "  $" << given.budget.priority
              << ";" << given.budget.durability << ";" << given.budget.quality << "$\n";
}
