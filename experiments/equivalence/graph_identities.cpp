// SPDX-License-Identifier: MIT
// Identities of the concept graph: one memory in three views, and spreading activation as iterated attention.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/attention.hpp"
#include "core/index/memory_index.hpp"
#include "core/numbers/numeric.hpp"
#include "core/walks/page_rank.hpp"
#include "experiments/equivalence/identity.hpp"
#include "narsese/parser.hpp"

namespace engram::experiments::equivalence {
namespace {

using core::SparseRows;

constexpr double damping = 0.85;

// Random links over size + 1 nodes, because the ring needs at least two.
SparseRows links_for(Index size, Rng& rng) { return random_links(rng, size + 1, 0.3); }

// Softmax of log w over the neighbours of each node.
Matrix masked_attention(const SparseRows& links) {
  const Index n = links.rows();
  const Matrix w = links.dense();
  Matrix scores = Matrix::Zero(n, n);
  core::Mask allow(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      allow(i, j) = w(i, j) > 0;
      if (allow(i, j)) scores(i, j) = core::log(w(i, j));
    }
  return core::attend_by(scores, Matrix::Identity(n, n), {.scale = 1, .allow = allow, .bias = {}}).weights;
}

Vector random_restart(Index n, Rng& rng) {
  Vector v(n);
  for (double& share : v) share = rng.uniform();
  return v / core::sum(v);
}

double masked_softmax_is_random_walk(Index size, Rng& rng) {
  const SparseRows links = links_for(size, rng);
  const Index n = links.rows();
  Matrix walk(n, n);
  for (Index i = 0; i < n; ++i) {
    const Vector start = Vector::Unit(n, i);
    walk.row(i) = (2 * core::page_rank_steps(links, start, 0.5, 1).row(0).transpose() - start).transpose();
  }
  return deviation_of(masked_attention(links), walk);
}

double page_rank_is_a_series(Index size, Rng& rng) {
  const SparseRows links = links_for(size, rng);
  const Vector v = random_restart(links.rows(), rng);
  const Matrix walk = masked_attention(links);
  Vector term = (1 - damping) * v, series = term;
  for (int k = 1; k < 300; ++k) {  // 0.85^300 < 1e-21
    term = damping * core::multiply_transposed(walk, term);
    series += term;
  }
  return deviation_of(core::personalized_page_rank(links, v, damping, 1e-15).rank, series);
}

double spreading_is_iterated_attention(Index size, Rng& rng) {
  const SparseRows links = links_for(size, rng);
  const Vector v = random_restart(links.rows(), rng);
  const Matrix walk = masked_attention(links), steps = core::page_rank_steps(links, v, damping, 6);
  Vector x = v;
  double worst = 0;
  for (Index t = 0; t < steps.rows(); ++t) {
    x = (1 - damping) * v + damping * core::multiply_transposed(walk, x);
    worst = std::max(worst, deviation_of(x, Vector(steps.row(t).transpose())));
  }
  return worst;
}

// Linear attention economy, as in singnet/das. Every node pays a share of its funds as rent. The total rent is paid out
// as wages for stimulus. Then every node passes a share to its neighbours.
double attention_economy_is_lazy_page_rank(Index size, Rng& rng) {
  constexpr double rent = 0.75, spread = 0.1;
  const SparseRows links = links_for(size, rng);
  const Index n = links.rows();
  const Vector stimulus = random_restart(n, rng);
  const Matrix walk = masked_attention(links);
  const auto pass_on = [&](const Vector& funds) {
    return Vector((1 - spread) * funds + spread * core::multiply_transposed(walk, funds));
  };
  Vector funds = Vector::Constant(n, 1 / static_cast<double>(n));
  for (int t = 0; t < 60; ++t)  // 0.25^60 < 1e-36
    funds = pass_on((1 - rent) * funds + rent * core::sum(funds) * stimulus);

  // The lazy walk stays at its node with probability 1 - spread. A self-link has the weight that gives this
  // probability.
  Matrix lazy = links.dense();
  for (Index i = 0; i < n; ++i) lazy(i, i) = core::sum(links.values_of(i)) * (1 - spread) / spread;
  const Vector rank = core::personalized_page_rank(sparse(lazy), stimulus, 1 - rent, 1e-16).rank;
  return deviation_of(funds, pass_on(rank));
}

// Creates a memory with decay that contains statements about random names.
core::Memory random_memory(Index size, Rng& rng) {
  core::MemoryOptions options;
  options.decay = 0.01;
  core::Memory memory(options);
  const auto name = [&] { return "c" + std::to_string(rng.below(static_cast<std::uint64_t>(size) + 3)); };
  for (Index said = 0; said < 2 * size + 2; ++said) {
    const std::string confidence = std::to_string(1 + rng.below(9));
    const auto sentence = narsese::parse_sentence(
        "<(*," + name() + "," + name() + ") --> " + name() + ">. %1;0." + confidence + "%", memory.terms());
    if (!sentence || !memory.accept(*sentence)) throw std::logic_error("a random sentence was refused");
  }
  return memory;
}

double links_are_coactivation(Index size, Rng& rng) {
  const core::Memory memory = random_memory(size, rng);
  const core::MemoryIndex readings(memory);
  const Matrix a = readings.episodes().dense();
  Matrix learnt = readings.links().dense(), counted(a.cols(), a.cols());
  learnt.diagonal() = readings.activity();
  for (Index i = 0; i < a.cols(); ++i)
    for (Index j = 0; j < a.cols(); ++j) {
      const Vector both = a.col(i).cwiseProduct(a.col(j));
      counted(i, j) = core::dot(both, readings.evidence());
    }
  return deviation_of(learnt, counted);
}

double links_are_raw_scores(Index size, Rng& rng) {
  const core::Memory memory = random_memory(size, rng);
  const core::MemoryIndex readings(memory);
  Matrix learnt = readings.links().dense();
  learnt.diagonal() = readings.activity();
  Matrix x = readings.episodes().dense().transpose();  // a concept's episodes times D^1/2
  for (Index e = 0; e < x.cols(); ++e) x.col(e) *= std::sqrt(readings.evidence(e));
  return deviation_of(core::scores(core::Score::dot, x, x), learnt);
}

constexpr Identity graph_rows[] = {
    {"graph_links_are_coactivation", "W = A' D A, learnt a pair at a time with lazy decay",
     "the Hebbian reading: what the concept graph learns online is the product of its episodes", "derived",
     links_are_coactivation},
    {"graph_links_are_attention_scores", "X X' = W for X = A' D^(1/2)",
     "the attention reading: scores of concepts embedded by their episodes are the graph", "derived",
     links_are_raw_scores},
    {"masked_softmax_is_the_random_walk", "softmax(log w_ij) over neighbours = w_ij / sum_j w_ij",
     "attention to neighbours with scores log w is a step of the random walk", "derived",
     masked_softmax_is_random_walk},
    {"spreading_activation_is_iterated_attention", "x <- (1-d) v + d P' x, P = softmax(log w)",
     "spreading activation with restart is that attention, iterated", "Haveliwala 2002",
     spreading_is_iterated_attention},
    {"page_rank_is_a_series_of_attention", "r = sum (1-d) d^k (P')^k v",
     "Personalized PageRank is attention over paths of every length", "Haveliwala 2002",
     page_rank_is_a_series},
    {"attention_economy_is_lazy_page_rank", "fixed point of rent, wages, spreading = A r, r = PageRank of A",
     "an attention economy (rent 0.75, spreading 0.1) settles where PageRank of a lazy walk is",
     "singnet/das AttentionBroker; derived", attention_economy_is_lazy_page_rank},
};

}  // namespace

std::span<const Identity> graph_identities() { return graph_rows; }

}  // namespace engram::experiments::equivalence
