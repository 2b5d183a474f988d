// SPDX-License-Identifier: MIT
// Benchmark suite: the default method, which is attention over the proofs of a question, and learning from a question.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "core/proofs/proof_training.hpp"
#include "core/session/session.hpp"
#include "core/walks/path_search.hpp"
#include "experiments/benchmarks/suites.hpp"
#include "narsese/parser.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;

// A memory, its questions about whether one class is below another, and the statements of their proofs.
struct Asked {
  Session session;
  std::vector<ProofExample> examples;

  const MemoryIndex& index() { return session.index(); }
};

// Generates a tree of classes with three children each, and the same number of relations between random names. Half of
// the relations lead mostly to hubs, which are the first names in each block of fifty names. The neighbourhood of a
// name has the same size in memories of any size, so the times of two memories show the effect of the memory's size
// only. The questions ask whether a class is below another one that is two to five levels higher.
void make(Asked& asked, std::size_t statements, const Sizes& sizes) {
  Rng rng(sizes.seed, "path benchmark");
  const std::size_t names = std::max<std::size_t>(statements / 2, 2);
  const auto above = [](std::size_t i) { return (i - 1) / 3; };
  const auto name = [](std::size_t i) { return "c" + std::to_string(i); };
  const auto is_below = [&](std::size_t a, std::size_t b) { return "<" + name(a) + " --> " + name(b) + ">"; };
  std::string text;
  const auto say = [&] {
    asked.session.input(text);
    text.clear();
  };
  for (std::size_t i = 1; i < names; ++i) {
    text += is_below(i, above(i)) + ".\n";
    const std::size_t a = rng.below(names);
    const double x = rng.uniform();
    const std::size_t any = rng.below(names), hub = any / 50 * 50 + static_cast<std::size_t>(x * x * x * 50);
    const std::size_t b = i % 2 == 0 ? any : std::min(hub, names - 1);
    if (a != b) text += "<(*," + name(a) + "," + name(b) + ") --> r" + std::to_string(rng.below(6)) + ">.\n";
    if (text.size() > 1'000'000) say();
  }
  say();
  const auto said = [&](std::size_t a, std::size_t b) {
    return *asked.session.memory().find(
        *narsese::parse_sentence(is_below(a, b) + ".", asked.session.mutable_memory().terms()));
  };
  const MemoryIndex& memory = asked.index();
  for (std::size_t q = 0; q < sizes.questions; ++q) {
    const std::size_t from = names / 2 + rng.below(names - names / 2);
    std::size_t to = from;
    std::vector<StatementId> proof;
    for (std::size_t up = 2 + q % 4; up > 0 && to > 0; --up, to = above(to))
      proof.push_back(said(to, above(to)));
    if (from == to) continue;
    std::ranges::sort(proof);
    asked.examples.push_back(
        {&memory, proof_query(memory, *asked.session.cue(is_below(from, to) + "?")), {proof}});
  }
}

void questions(const Sizes& sizes, std::size_t statements, Scoreboard& board) {
  Asked asked;
  make(asked, statements, sizes);
  const MemoryIndex& memory = asked.index();
  const auto& examples = asked.examples;
  const auto count = static_cast<double>(examples.size());
  Contest contest{"paths",
                  std::to_string(examples.size()) + " questions of " +
                      std::to_string(asked.session.memory().statements().size()) + " statements",
                  "question"};
  contest.add_peer("a breadth-first search (Boost.Graph)", count, [&] {
    double steps = 0;
    for (const ProofExample& example : examples) {
      const NamePair& pair = example.query.pairs.front();
      for (const StatementPath& path : shortest_paths(memory, std::array{pair.from, *pair.to}, {.paths = 1}))
        steps += static_cast<double>(path.size());
    }
    return steps;
  });
  contest.add_engram("attention over proofs", count, [&] {
    double total = 0;
    for (const ProofExample& example : examples)
      for (const auto& [e, budget] :
           budgets(ProofAttention(memory, example.query, shipped_proof_weights, {})))
        total += budget;
    return total;
  });
  contest.add_engram("log-likelihood of a proof, and its gradient", count, [&] {
    double total = 0;
    for (const ProofExample& example : examples)
      if (const auto learnt =
              ExampleProofs(example, shipped_proof_weights, {}).likelihood(shipped_proof_weights))
        total += learnt->log_p;
    return total;
  });
  board.hold(contest);
}

}  // namespace

void paths_suite(const Sizes& sizes, Scoreboard& board) {
  for (const std::size_t statements : sizes.statements) questions(sizes, statements, board);
}

}  // namespace engram::benchmarks
