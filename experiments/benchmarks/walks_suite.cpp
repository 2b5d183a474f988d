// SPDX-License-Identifier: MIT
// Benchmark suite: walks along links.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"
#include "experiments/benchmarks/library_peers.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/made_graph.hpp"
#include "experiments/benchmarks/suites.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;

constexpr double damping = 0.85;
constexpr int steps = 20;

// The transposed transition matrix of a walk: row i has the probability of a step from each neighbour to concept i.
LinkMatrix<double> shares_of(SparseRows graph) {
  std::vector<double> shares;
  for (Index i = 0; i < graph.rows(); ++i) {
    set_shares(graph, i, shares);
    std::ranges::copy(shares, graph.values_of(i).begin());
  }
  return LinkMatrix<double>(graph.transposed());
}

std::span<const double> span_of(const Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

std::string along_links(const SparseRows& graph) {
  return " along " + std::to_string(graph.entries()) + " ends of links of " + std::to_string(graph.rows()) +
         " concepts";
}

void page_rank(const SparseRows& graph, Scoreboard& board) {
  const LinkMatrix<double> shares = shares_of(graph);
  Vector restart = Vector::Zero(graph.rows());
  restart[graph.rows() / 2] = 1;
  const auto links = static_cast<double>(graph.entries());
  Contest contest{"walks", "PageRank, " + std::to_string(steps) + " steps" + along_links(graph),
                  "link and step"};
  add_reading(contest, "links (12 bytes)", shares.bytes(), links);
  contest.add_peer("Eigen", links * steps,
                   [&] { return page_rank_by_eigen(shares.rows(), span_of(restart), damping, steps); });
  contest.add_engram("personalised PageRank", links * steps,
                     [&] { return personalized_page_rank(graph, restart, damping, 0, steps).rank.sum(); });
  board.hold(contest);
  require_same(contest.named("Eigen"), contest.named("personalised PageRank"), 1e-9);
}

// Measures ECAN's attention economy with rent proportional to funds, run until it is stationary.
void stationary_economy(const SparseRows& graph, Scoreboard& board) {
  constexpr double rent = 0.2, spread = 0.4;
  const LinkMatrix<double> shares = shares_of(graph);
  Vector wages = Vector::Zero(graph.rows());
  wages[graph.rows() / 2] = 1;
  const int iterations = linear_ecan(graph, wages, rent, spread).iterations;
  const auto links = static_cast<double>(graph.entries());
  const double pieces = links * iterations;
  Contest contest{
      "walks",
      "ECAN in proportion, at rest after " + std::to_string(iterations) + " steps" + along_links(graph),
      "link and step"};
  add_reading(contest, "links (12 bytes)", shares.bytes(), links);
  contest.add_peer("Eigen", pieces,
                   [&] { return economy_by_eigen(shares.rows(), span_of(wages), rent, spread, iterations); });
  contest.add_engram("linear ECAN", pieces,
                     [&] { return linear_ecan(graph, wages, rent, spread).sti.squaredNorm(); });
  board.hold(contest);
  require_same(contest.named("Eigen"), contest.named("linear ECAN"), 1e-9);
}

// Measures ECAN's attention economy with funds at all concepts. Each cycle updates all link strengths and spreads funds
// along all links.
void economy(SparseRows strengths, Scoreboard& board) {
  constexpr double largest_weight = 64;
  const Index concepts = strengths.rows();
  for (Index i = 0; i < concepts; ++i)
    for (double& strength : strengths.values_of(i)) strength /= largest_weight;
  const LinkMatrix<double> read(strengths);
  const auto links = static_cast<double>(strengths.entries());
  constexpr int cycles = 10;
  Contest contest{"walks", "ECAN, " + std::to_string(cycles) + " cycles" + along_links(strengths),
                  "link and cycle"};
  add_reading(contest, "links (12 bytes)", read.bytes(), links);
  contest.add_engram("ECAN", links * cycles, [&] {
    Ecan bank(concepts, rows_of(strengths), 100, 1);
    for (Index id = 0; id < concepts; ++id) bank.stimulate(id, 1e-6 * static_cast<double>(1 + id % 7));
    for (int cycle = 0; cycle < cycles; ++cycle) bank.cycle();
    return bank.funds();
  });
  board.hold(contest);
}

}  // namespace

void walks_suite(const Sizes& sizes, Scoreboard& board) {
  for (const Index concepts : sizes.concepts) {
    Rng rng(sizes.seed, "walks benchmark");
    SparseRows graph = concept_graph(rng, concepts, sizes.links);
    page_rank(graph, board);
    stationary_economy(graph, board);
    economy(std::move(graph), board);
  }
}

}  // namespace engram::benchmarks
