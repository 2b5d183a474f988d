// SPDX-License-Identifier: MIT
// Links predicted from the paths between two entities: vectors are sent along them, and how far each entity's
// are sent on is learnt.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/relational_attention.hpp"

namespace engram::core {

/// Who stands in which relation to whom: facts (head, relation, tail), and each the other way round by the
/// reciprocal relation, whose number is larger by the number of relations.
class RelationalGraph {
 public:
  struct Edge {
    std::uint32_t relation, to;
  };
  /// Errors  std::invalid_argument for a number that is not below those given
  RelationalGraph(std::uint32_t entities, std::uint32_t relations, std::span<const Fact> facts);

  std::uint32_t entities() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint32_t relations() const { return relations_; }  // reciprocals counted
  std::span<const Edge> from(std::uint32_t entity) const {
    return {edges_.data() + first_[entity], edges_.data() + first_[entity + 1]};
  }

 private:
  std::uint32_t relations_;
  std::vector<std::size_t> first_;
  std::vector<Edge> edges_;  // of an entity, in the order of the facts
};

struct BellmanFordOptions {
  std::uint32_t layers = 6;       // T, of 1 .. 16: the longest path
  std::uint32_t width = 300;      // entities a layer whose vectors are sent on
  std::uint32_t most_edges = 64;  // of an entity that are followed, evenly spread over all of them
  bool linear = false;            // h(t+1) = z(t), all priorities 1: sums over paths, to be checked by hand
};

/// A question (head, relation, ?). While one learns from a fact, what joins its two ends is not to be seen.
struct BellmanFordQuestion {
  std::uint32_t head = 0, relation = 0, tail = 0;
  bool hide = false;  // leave out all edges between head and tail
};

/// Generalised Bellman-Ford iteration for a question (u, q, ?), with D numbers an entity:
///     h_u(0) = e_q,  h_v(0) = 0 elsewhere,      s_x(t) = sigmoid(p_t . h_x(t) + p_tq)
///     z_v(t) = [v = u] e_q + sum over edges (x, r, v) of kept x:  s_x(t) h_x(t) * (w_tr + w_tqr)
///     h_v(t+1) = h_v(t) + relu(g_t * norm(A_t h_v(t) + B_t z_v(t) + c_t) + b_t),     t = 0 .. T-1
///     score(v) = o . relu(M h_v(T) + m_q) + o_0 for entities reached, the constant n_q for all others
/// with * by element and norm to mean 0 and variance 1. Kept are the `width` entities of largest s, of equals
/// those reached first. An edge thus costs D, an entity D^2 a layer, and the size of the graph nothing.
/// Numbers are added in one order; Real is float or double, D 32 or 4 (for checks).
/// Source  Zhu et al. 2021, "Neural Bellman-Ford Networks"; Zhu et al. 2022, "A*Net" (the priority)
template <class Real, int D>
class BellmanFordNetwork {
 public:
  using Row = std::array<Real, D>;

  /// What a question leaves behind. Use it again: it keeps its room.
  struct Trace {
    struct Edge {
      std::uint32_t from, relation, to;  // places
    };
    struct Layer {
      std::vector<Row> h, z, normal;  // by place; normal: the normalised sum
      std::vector<Real> deviation;    // 1 / its standard deviation
      std::vector<Real> priority;
      std::vector<Edge> edges;
    };
    std::vector<std::uint32_t> reached;  // entities by place; the first is the question's head
    std::vector<Layer> layers;           // 0 .. T-1
    std::vector<Row> h, hidden;          // h(T), and relu(M h + m)
    std::vector<Real> scores;            // by place
    Real unreached = 0;
    std::vector<std::uint32_t>
        place;  // by entity, 0: not reached, else its place + 1; zero between questions
  };

  /// All numbers by name; each is the place of the first in one list.
  struct Layout {
    std::size_t e, shared, own, a, b, c, gain, shift, p, pq, m, mq, o, o0, unreached, size;
  };

  /// Parameters are drawn by the seed.
  /// Errors  std::invalid_argument for options out of range
  BellmanFordNetwork(std::uint32_t relations, const BellmanFordOptions& options, std::uint64_t seed);

  const BellmanFordOptions& options() const { return options_; }
  std::uint32_t relations() const { return relations_; }
  const Layout& layout() const { return at_; }
  std::vector<Real>& parameters() { return parameters_; }
  const std::vector<Real>& parameters() const { return parameters_; }

  /// Cost  layers * (kept edges * D + entities reached * D^2)
  void forward(const RelationalGraph& graph, const BellmanFordQuestion& question, Trace& trace) const;

  /// -log of the share of exp(score) that the tail has of all entities' but the other known answers, its
  /// gradient added to `gradient` unless that is empty. forward() must have gone before.
  /// `known` ascending, with or without the tail.
  double loss(const RelationalGraph& graph, const BellmanFordQuestion& question,
              std::span<const std::uint32_t> known, Trace& trace, std::span<Real> gradient) const;

 private:
  void backward(const BellmanFordQuestion& question, const std::vector<Real>& of_scores, Trace& trace,
                std::span<Real> gradient) const;
  void send(const RelationalGraph& graph, const BellmanFordQuestion& question, std::size_t t,
            Trace& trace) const;
  void update(std::size_t t, Trace& trace, std::vector<Row>& next) const;

  BellmanFordOptions options_;
  std::uint32_t relations_;
  Layout at_{};
  std::vector<Real> parameters_;
};

extern template class BellmanFordNetwork<float, 32>;
extern template class BellmanFordNetwork<double, 4>;

}  // namespace engram::core
