// SPDX-License-Identifier: MIT
// Link prediction from the paths between two entities, by a graph neural network. The network sends vectors along the
// paths, and learns how far to follow them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/relational_attention.hpp"

namespace engram::core {

/// Graph of facts for the network: the edges of each entity, for facts (head, relation, tail) and their reciprocals
/// (tail, relation + relations, head).
class RelationalGraph {
 public:
  /// Edge: a relation, and the entity to which it leads.
  struct Edge {
    std::uint32_t relation, to;
  };
  /// Builds the graph of `facts` and of their reciprocals.
  /// Errors  std::invalid_argument if a fact names an entity or relation that is out of range
  RelationalGraph(std::uint32_t entities, std::uint32_t relations, std::span<const Fact> facts);

  std::uint32_t entities() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  /// Twice the number of relations in the facts, because each has a reciprocal relation.
  std::uint32_t relations() const { return relations_; }
  /// The reciprocal of a relation; the reciprocal of a reciprocal is the relation itself.
  std::uint32_t reciprocal(std::uint32_t relation) const {
    return relation < relations_ / 2 ? relation + relations_ / 2 : relation - relations_ / 2;
  }
  /// The edges from an entity, in the order of the facts.
  std::span<const Edge> from(std::uint32_t entity) const {
    return {edges_.data() + first_[entity], edges_.data() + first_[entity + 1]};
  }

 private:
  std::uint32_t relations_;
  std::vector<std::size_t> first_;  // the first edge of each entity
  std::vector<Edge> edges_;
};

/// Depth and width of the network's search along paths.
struct BellmanFordOptions {
  std::uint32_t layers = 6;   // number of layers T, 1 .. 16: the most edges on a path
  std::uint32_t width = 300;  // most entities that send their vectors, in each layer
  /// Most edges of an entity that are followed, evenly spaced among all its edges.
  std::uint32_t most_edges = 64;
  bool dependent = true;  // whether edge weights depend on the queried relation (w_tqr in BellmanFordNetwork)
  /// Without learnt maps: the vectors are sums over paths, h(t+1) = z(t); for checks by hand.
  bool linear = false;
};

/// Facts that are hidden from the network while it learns from one fact, so that it cannot read off the answer: none,
/// the fact and its reciprocal, or every fact between the same two entities. Use `ends` if one relation of the graph
/// implies another (Zhu et al. 2021).
enum class Hidden : std::uint8_t { nothing, fact, ends };

/// Question for the tail of (head, relation, ?), and the facts that it hides. `tail` is the right answer, used for
/// training and for hiding.
struct BellmanFordQuestion {
  std::uint32_t head = 0, relation = 0, tail = 0;
  Hidden hidden = Hidden::nothing;
};

/// Graph neural network that scores all entities as answers to a question (u, q, ?): a generalised Bellman-Ford
/// iteration with a vector h_v of D numbers for each entity v. In layers t = 0 .. T-1,
///     h_u(0) = e_q,  h_v(0) = 0 elsewhere,      s_x(t) = sigmoid(p_t . h_x(t) + p_tq)
///     z_v(t) = [v = u] e_q + sum over edges (x, r, v) of kept x:  s_x(t) h_x(t) * (w_tr + w_tqr)
///     h_v(t+1) = h_v(t) + relu(g_t * norm(A_t h_v(t) + B_t z_v(t) + c_t) + b_t),
/// for u and each v that receives a message, h_v(t) for all others;
///     score(v) = o . relu(M h_v(T) + m_q) + o_0 for entities reached, the constant n_q for all others
/// with * elementwise and norm to mean 0 and variance 1. z_v is the message to v, and s_x the priority of x. All other
/// letters are learnt parameters: vectors e, p, w, g, c, b, m, o, matrices A, B, M and numbers p_tq, o_0, n_q. A layer
/// keeps the options.width entities with the largest s (ties: the entity reached first). An edge costs D and an entity
/// D^2 per layer, independently of the size of the graph. Sums are in a fixed order. Real and D are float and 32, or
/// double and 4 for checks.
/// Source  Zhu et al. 2021, "Neural Bellman-Ford Networks"; Zhu et al. 2022, "A*Net" (the priority)
template <class Real, int D>
class BellmanFordNetwork {
 public:
  using Row = std::array<Real, D>;

  /// Intermediate values of forward() for one question, which loss() reads. The place of an entity is its index in
  /// `reached`. Reuse one object to reuse its memory.
  struct Trace {
    /// An edge that a layer followed: from an index into `kept` to an index into `receivers`.
    struct Edge {
      std::uint32_t from, relation, to;
    };
    /// Intermediate values of one layer.
    struct Layer {
      std::vector<Row> h;                    // indexed by place
      std::vector<std::uint32_t> receivers;  // places that received a message; the first is the head's
      std::vector<Row> z, normal;            // indexed as receivers; normal: the normalised sum
      std::vector<Real> deviation;           // 1 / standard deviation of the sum
      std::vector<std::uint32_t> kept;       // places that send
      std::vector<Real> priority;            // indexed as kept
      std::vector<Edge> edges;               // in the order of kept
    };
    std::vector<std::uint32_t> reached;  // entities, indexed by place; the first is the question's head
    std::vector<Layer> layers;           // 0 .. T-1
    std::vector<Row> h, hidden;          // h(T), and relu(M h + m)
    std::vector<Real> scores;            // indexed by place
    Real unreached = 0;                  // score of the other entities
    // Indexed by entity: place + 1, or 0 if not reached. All 0 between questions.
    std::vector<std::uint32_t> place;
    std::vector<Real> logits;         // scratch memory of forward()
    std::vector<std::uint32_t> slot;  // indexed by place: index into receivers + 1, or 0
  };

  /// Offsets of the parameters in parameters(), by the names in the formulas of BellmanFordNetwork; `size` is their
  /// number.
  struct Layout {
    std::size_t e, shared, own, a, b, c, gain, shift, p, pq, m, mq, o, o0, unreached, size;
  };

  /// Creates an untrained network for this number of relations, reciprocals included. Its parameters are random numbers
  /// from the seed.
  /// Errors  std::invalid_argument for options out of range, or for more than 2^20 parameters
  BellmanFordNetwork(std::uint32_t relations, const BellmanFordOptions& options, std::uint64_t seed);

  const BellmanFordOptions& options() const { return options_; }
  std::uint32_t relations() const { return relations_; }
  const Layout& layout() const { return layout_; }
  std::vector<Real>& parameters() { return parameters_; }
  const std::vector<Real>& parameters() const { return parameters_; }

  /// Computes the scores of all entities for a question, and stores them with all intermediate values in `trace`. The
  /// graph must have as many relations as the network.
  /// Cost  layers * (kept edges * D + receivers * D^2 + entities reached * D)
  void forward(const RelationalGraph& graph, const BellmanFordQuestion& question, Trace& trace) const;

  /// Options for systematic sampling of wrong answers in loss(), so that backpropagation starts from few answers. It
  /// affects answers with a softmax share below `least`. Their shares are accumulated by place, starting at offset *
  /// least. Each time the sum passes a multiple of `least`, the answer counts with share `least`; the others are
  /// ignored. With an offset uniform in [0, 1) the gradient is unbiased. With least 0 all answers count.
  struct Sampling {
    double least = 0, offset = 0;
  };

  /// Loss for training: returns the cross-entropy of the question's tail, -log of its softmax share among all entities
  /// except the other known answers. Adds the gradient with respect to parameters() to `gradient` unless that is empty.
  /// Call forward() with the same question and trace first. `known` must be ascending; it may contain the tail.
  double loss(const RelationalGraph& graph, const BellmanFordQuestion& question,
              std::span<const std::uint32_t> known, Trace& trace, std::span<Real> gradient,
              const Sampling& sampling = {}) const;

 private:
  // Offsets of w_tr for all r, and of w_tqr, which is empty unless `dependent`.
  std::size_t shared_at(std::size_t t) const { return layout_.shared + t * relations_ * D; }
  std::size_t own_at(std::size_t t, std::size_t q) const {
    return layout_.own + (t * relations_ + q) * relations_ * D;
  }
  // w_tr + w_tqr for all r
  std::vector<Row> edge_weights(std::size_t t, std::size_t q) const;
  void keep(std::size_t t, const BellmanFordQuestion& question, Trace& trace) const;
  void follow(const RelationalGraph& graph, const BellmanFordQuestion& question, std::size_t t,
              Trace& trace) const;
  void send(const BellmanFordQuestion& question, std::size_t t, Trace& trace) const;
  void update(std::size_t t, Trace& trace) const;
  void score(const BellmanFordQuestion& question, Trace& trace) const;
  void backward(const BellmanFordQuestion& question, const std::vector<Real>& d_scores, const Trace& trace,
                std::span<Real> gradient) const;

  BellmanFordOptions options_;
  std::uint32_t relations_;
  Layout layout_{};
  std::vector<Real> parameters_;
};

}  // namespace engram::core
