// SPDX-License-Identifier: MIT
// Benchmark suite: walks along links.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/made_graph.hpp"
#include "experiments/benchmarks/matrix_peers.hpp"
#include "experiments/benchmarks/suites.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;

constexpr double damping = 0.85;
constexpr int steps = 20;

// The transposed matrix P' of a walk: row i lists the sources of the share of concept i.
LinkMatrix<double> shares_of(SparseRows graph) {
  std::vector<double> shares;
  for (Index i = 0; i < graph.rows(); ++i) {
    set_shares(graph, i, shares);
    std::ranges::copy(shares, graph.values_of(i).begin());
  }
  return LinkMatrix<double>(graph.transposed());
}

std::span<const double> span_of(const Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

void page_rank(const Sizes& sizes, Index concepts, Scoreboard& board) {
  Rng rng(sizes.seed, "walks benchmark");
  const SparseRows graph = concept_graph(rng, concepts, sizes.links);
  const LinkMatrix<double> shares = shares_of(graph);
  Vector restart = Vector::Zero(concepts);
  restart[concepts / 2] = 1;
  const auto links = static_cast<double>(graph.entries());
  Contest contest{"walks",
                  "PageRank, " + std::to_string(steps) + " steps along " + std::to_string(graph.entries()) +
                      " ends of links of " + std::to_string(concepts) + " concepts",
                  "link and step",
                  {}};
  add_reading(contest.contestants, "links (12 bytes)", shares.bytes(), links);
  contest.contestants.push_back({.role = Role::peer, .name = "Eigen", .pieces = links * steps, .run = [&] {
                                   return page_rank_by_eigen(shares.rows(), span_of(restart), damping, steps);
                                 }});
  contest.contestants.push_back(
      {.name = "personalised PageRank", .pieces = links * steps, .run = [&] {
         return personalized_page_rank(graph, restart, damping, 0, steps).rank.sum();
       }});
  board.hold(contest);
  require_same(named(contest, "Eigen"), named(contest, "personalised PageRank"), 1e-9);
}

// Runs the economy until it is stationary.
void economy_at_rest(const Sizes& sizes, Index concepts, Scoreboard& board) {
  constexpr double rent = 0.2, spread = 0.4;
  Rng rng(sizes.seed, "walks benchmark");
  const SparseRows graph = concept_graph(rng, concepts, sizes.links);
  const LinkMatrix<double> shares = shares_of(graph);
  Vector wages = Vector::Zero(concepts);
  wages[concepts / 2] = 1;
  const int iterations = linear_ecan(graph, wages, rent, spread).iterations;
  const double pieces = static_cast<double>(graph.entries()) * iterations;
  Contest contest{"walks",
                  "ECAN in proportion, at rest after " + std::to_string(iterations) + " steps along " +
                      std::to_string(graph.entries()) + " ends of links of " + std::to_string(concepts) +
                      " concepts",
                  "link and step",
                  {}};
  add_reading(contest.contestants, "links (12 bytes)", shares.bytes(), static_cast<double>(graph.entries()));
  contest.contestants.push_back({.role = Role::peer, .name = "Eigen", .pieces = pieces, .run = [&] {
                                   return economy_by_eigen(shares.rows(), span_of(wages), rent, spread,
                                                           iterations);
                                 }});
  contest.contestants.push_back({.name = "linear ECAN", .pieces = pieces, .run = [&] {
                                   return linear_ecan(graph, wages, rent, spread).sti.squaredNorm();
                                 }});
  board.hold(contest);
  require_same(named(contest, "Eigen"), named(contest, "linear ECAN"), 1e-9);
}

// Runs the economy with funds at all concepts: each cycle updates all strengths and spreads along all links.
void economy(const Sizes& sizes, Index concepts, Scoreboard& board) {
  Rng rng(sizes.seed, "walks benchmark");
  SparseRows strengths = concept_graph(rng, concepts, sizes.links);
  constexpr double most = 64;  // largest generated weight
  for (Index i = 0; i < concepts; ++i)
    for (double& strength : strengths.values_of(i)) strength /= most;
  const LinkMatrix<double> read(strengths);
  const auto links = static_cast<double>(strengths.entries());
  constexpr int cycles = 10;
  Contest contest{"walks",
                  "ECAN, " + std::to_string(cycles) + " cycles along " + std::to_string(strengths.entries()) +
                      " ends of links of " + std::to_string(concepts) + " concepts",
                  "link and cycle",
                  {}};
  add_reading(contest.contestants, "links (12 bytes)", read.bytes(), links);
  contest.contestants.push_back({.name = "ECAN", .pieces = links * cycles, .run = [&] {
                                   Ecan bank(concepts, rows_of(strengths), 100, 1);
                                   for (Index id = 0; id < concepts; ++id)
                                     bank.stimulate(id, 1e-6 * static_cast<double>(1 + id % 7));
                                   for (int cycle = 0; cycle < cycles; ++cycle) bank.cycle();
                                   return bank.funds();
                                 }});
  board.hold(contest);
}

}  // namespace

void walks_suite(const Sizes& sizes, Scoreboard& board) {
  for (const Index concepts : sizes.concepts) {
    page_rank(sizes, concepts, board);
    economy_at_rest(sizes, concepts, board);
    economy(sizes, concepts, board);
  }
}

}  // namespace engram::benchmarks
