// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/methods/declaration.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/ecan.hpp"

namespace engram::core {
namespace {

// Of each link as evidence for going together, the frequency, where what was denied of both counts as said of
// each alone: it does not change while all fades alike.
LinkRows strengths_of(const MemoryIndex& memory) {
  return [&memory](Index i) {
    std::vector<SparseVector::Entry> row = memory.links_of(i);
    for (auto& [j, w] : row) {
      const double either = memory.activity(i) + memory.activity(j) - w;
      w = narsese::to_truth({w, std::max(either, w)}).frequency;
    }
    return row;
  };
}

/// ECAN: each cycle a bank pays wages to the cue's concepts, the more the richer it is, then
/// core/walks/ecan.hpp's cycle runs. Strengths are at first the frequencies of the links as evidence that
/// i and j go together. The activation is the share of all STI that a concept owns in the end. It reaches what
/// is within so many links of the cue as there are cycles, with a focus only the neighbours of the richest.
struct EcanRetriever {
  double wage = 10;  // of the 1000 that the bank owns at first; doubled while it owns them
  EcanOptions options;
  int cycles = 20;
  static constexpr bool is_local = true;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    constexpr double wealth = 1000;  // chosen; a unit of account
    const BankPolicy policy{wealth / 2, wealth / 2};
    Ecan network(memory.concepts(), strengths_of(memory), wealth, 1.0, options);
    const SparseVector earned = cue.activation / sum(cue.activation);
    for (int t = 0; t < cycles; ++t) {
      const double wages = policy.wage(wage, network.funds());
      earned.each([&](ConceptId i, double share) {
        if (share > 0) network.stimulate(i, wages * share);
      });
      network.cycle();
    }
    const SparseVector sti = network.sti().at_least_zero();
    const double all = sum(sti);
    Recall recall = from_concepts(memory, all > 0 ? sti / all : sti);
    recall.iterations = cycles;
    return recall;
  }
  static constexpr const char* no_sum =
      "importance comes of a simulation in which rent, wages and the links themselves change with it: "
      "what came from whom is not kept apart (linear_ecan is the same in proportion, and has a sum)";
};

}  // namespace

Method ecan_method() {
  using R = EcanRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("ecan", "hebbian walk",
                        "an economy of attention: wages to the cue, rent, learning links, diffusion")
      .support(Support::sparse)
      .number("wage", &R::wage, 1e-3, 100, "a cycle, of the 1000 that the bank owns")
      .number("rent", of(&EcanOptions::rent), 0, 100, "rate, of the logarithm of what is owned")
      .number("conjunction", of(&EcanOptions::conjunction), 0, 1,
              "what a link comes to of the conjunction of its ends")
      .number("max_spread", of(&EcanOptions::max_spread), 0, 1,
              "share that goes to the neighbours a cycle, at most")
      .whole("focus", of(&EcanOptions::focus), 0, 1e6, "the richest that spread and learn; 0: all")
      .whole("cycles", &R::cycles, 1, 10000, "until it is read");
}

}  // namespace engram::core
