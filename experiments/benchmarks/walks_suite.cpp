// SPDX-License-Identifier: MIT
// Walks along links.
#include <string>
#include <vector>

#include "core/walks/page_rank.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/made_graph.hpp"
#include "experiments/benchmarks/suites.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;

constexpr double damping = 0.85;
constexpr int steps = 20;

// P' of a walk: where a concept's share comes from.
SparseMatrix<double> shares_of(const SparseRows& graph) {
  SparseMatrix<double> matrix = matrix_of<double>(graph);
  std::vector<double> shares;
  for (Index i = 0; i < graph.rows(); ++i) {
    set_shares(graph, i, shares);
    std::ranges::copy(shares, matrix.valuePtr() + matrix.outerIndexPtr()[i]);
  }
  return SparseMatrix<double>(matrix.transpose());
}

void page_rank(const Sizes& sizes, Index concepts, Scoreboard& board) {
  Rng rng(sizes.seed, "walks benchmark");
  const SparseRows graph = concept_graph(rng, concepts, sizes.links);
  const SparseMatrix<double> shares = shares_of(graph);
  Vector restart = Vector::Zero(concepts);
  restart[concepts / 2] = 1;
  const auto links = static_cast<double>(graph.entries());
  Contest contest{"walks",
                  "PageRank, " + std::to_string(steps) + " steps along " + std::to_string(graph.entries()) +
                      " ends of links of " + std::to_string(concepts) + " concepts",
                  "link and step",
                  {}};
  add_reading(contest.contestants, "links (12 bytes)", link_bytes(shares), links);
  contest.contestants.push_back({.role = Role::peer, .name = "Eigen", .pieces = links * steps, .run = [&] {
                                   Vector rank = restart, next(concepts);
                                   for (int step = 0; step < steps; ++step) {
                                     next.noalias() = shares * rank;
                                     rank = (1 - damping) * restart + damping * next;
                                   }
                                   return rank.sum();
                                 }});
  contest.contestants.push_back(
      {.name = "personalised PageRank", .pieces = links * steps, .run = [&] {
         return personalized_page_rank(graph, restart, damping, 0, steps).rank.sum();
       }});
  board.hold(contest);
  require_same(named(contest, "Eigen"), named(contest, "personalised PageRank"), 1e-9);
}

}  // namespace

void walks_suite(const Sizes& sizes, Scoreboard& board) {
  for (const Index concepts : sizes.concepts) page_rank(sizes, concepts, board);
}

}  // namespace engram::benchmarks
