// SPDX-License-Identifier: MIT
// Links predicted from the paths between two entities: vectors are sent along them, and how far each entity's
// are sent on is learnt.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/links/relational_graph.hpp"

namespace engram::core {

/// How far and how wide the network looks.
struct BellmanFordOptions {
  std::uint32_t layers = 6;       // T, of 1 .. 16: the longest path
  std::uint32_t width = 300;      // entities a layer whose vectors are sent on
  std::uint32_t most_edges = 64;  // of an entity that are followed, evenly spread over all of them
  bool dependent = true;          // w_tqr: what an edge means depends on what is asked; off, it is 0
  bool linear = false;            // h(t+1) = z(t), all priorities 1: sums over paths, to be checked by hand
};

/// What is not to be seen while one learns from a fact: the fact itself, either way round, or all that joins its
/// two ends, for graphs in which one relation says what another one does (Zhu et al. 2021).
enum class Hidden : std::uint8_t { nothing, fact, ends };

/// A question (head, relation, ?), and what it hides.
struct BellmanFordQuestion {
  std::uint32_t head = 0, relation = 0, tail = 0;
  Hidden hidden = Hidden::nothing;
};

/// Generalised Bellman-Ford iteration for a question (u, q, ?), with D numbers an entity:
///     h_u(0) = e_q,  h_v(0) = 0 elsewhere,      s_x(t) = sigmoid(p_t . h_x(t) + p_tq)
///     z_v(t) = [v = u] e_q + sum over edges (x, r, v) of kept x:  s_x(t) h_x(t) * (w_tr + w_tqr)
///     h_v(t+1) = h_v(t) + relu(g_t * norm(A_t h_v(t) + B_t z_v(t) + c_t) + b_t),     t = 0 .. T-1,
/// for u and whoever was sent something, h_v(t) for all others;
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
    /// An edge that was followed.
    struct Edge {
      std::uint32_t from, relation, to;  // from: a place; to: one of those sent to
    };
    /// What a layer did.
    struct Layer {
      std::vector<Row> h;               // by place
      std::vector<std::uint32_t> sent;  // places that were sent something; the first is the head's
      std::vector<Row> z, normal;       // of these; normal: the normalised sum
      std::vector<Real> deviation;      // 1 / its standard deviation
      std::vector<std::uint32_t> kept;  // places
      std::vector<Real> priority;       // of these
      std::vector<Edge> edges;          // in the order of those kept
    };
    std::vector<std::uint32_t> reached;  // entities by place; the first is the question's head
    std::vector<Layer> layers;           // 0 .. T-1
    std::vector<Row> h, hidden;          // h(T), and relu(M h + m)
    std::vector<Real> scores;            // by place
    Real unreached = 0;
    // By entity, 0: not reached, else its place + 1; zero between questions.
    std::vector<std::uint32_t> place;
    std::vector<Real> logits;         // room of forward
    std::vector<std::uint32_t> slot;  // by place, likewise: among those sent to + 1
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
  /// All parameters, to be changed.
  std::vector<Real>& parameters() { return parameters_; }
  const std::vector<Real>& parameters() const { return parameters_; }

  /// Cost  layers * (kept edges * D + entities sent to * D^2 + entities reached * D)
  void forward(const RelationalGraph& graph, const BellmanFordQuestion& question, Trace& trace) const;

  /// Of wrong answers whose share of exp(score) is below `least`, one each time that their shares, added up in
  /// the order of places from `offset` * least on, pass a multiple of `least`; it then counts as if its share
  /// were `least`. With an offset drawn evenly from [0, 1) the gradient is right on average (systematic
  /// sampling), and few of them are walked back from. least 0: all count.
  struct Sampling {
    double least = 0, offset = 0;
  };

  /// -log of the share of exp(score) that the tail has of all entities' but the other known answers, its
  /// gradient added to `gradient` unless that is empty. forward() must have gone before.
  /// `known` ascending, with or without the tail.
  double loss(const RelationalGraph& graph, const BellmanFordQuestion& question,
              std::span<const std::uint32_t> known, Trace& trace, std::span<Real> gradient,
              const Sampling& sampling = {}) const;

 private:
  // w_tr of all r, then w_tqr; the latter is none unless `dependent`.
  std::size_t shared_at(std::size_t t) const { return at_.shared + t * relations_ * D; }
  std::size_t own_at(std::size_t t, std::size_t q) const {
    return at_.own + (t * relations_ + q) * relations_ * D;
  }
  // w_tr + w_tqr of all r
  std::vector<Row> edge_weights(std::size_t t, std::size_t q) const;
  void keep(std::size_t t, const BellmanFordQuestion& question, Trace& trace) const;
  void follow(const RelationalGraph& graph, const BellmanFordQuestion& question, std::size_t t,
              Trace& trace) const;
  void send(const BellmanFordQuestion& question, std::size_t t, Trace& trace) const;
  void update(std::size_t t, Trace& trace) const;
  void score(const BellmanFordQuestion& question, Trace& trace) const;
  void backward(const BellmanFordQuestion& question, const std::vector<Real>& of_scores, const Trace& trace,
                std::span<Real> gradient) const;

  BellmanFordOptions options_;
  std::uint32_t relations_;
  Layout at_{};
  std::vector<Real> parameters_;
};

}  // namespace engram::core
