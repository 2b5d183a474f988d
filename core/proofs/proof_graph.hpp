// SPDX-License-Identifier: MIT
// The graph of the proofs of a question, with sums over the proofs and a search for the best proofs.
//
// A proof is a tree, and the proofs of a question share most of their parts. They are stored as an acyclic AND/OR graph
// (a directed hypergraph). A node is a statement, and each of its edges proves it from premises. A proof of a node is
// one of its edges together with a proof of each premise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/memory.hpp"

namespace engram::core {

/// An acyclic AND/OR graph of proofs. Each edge proves its conclusion from its premises, and a proof uses one edge for
/// each statement that it proves. The weight of a proof is the product of the weights of its edges, with repetitions.
/// Callers pass the logarithms of the weights of all edges; -infinity excludes an edge.
class ProofGraph {
 public:
  using Node = std::uint32_t;
  using EdgeId = std::uint32_t;

  /// An edge: one step that proves a conclusion from premises.
  struct Edge {
    Node conclusion = 0;
    std::vector<Node> premises;            // empty: the statement alone proves the conclusion
    std::optional<StatementId> statement;  // the statement of the memory that the step uses
  };
  /// A proof of a node, as a tree: an edge, and a proof of each of its premises in their order.
  struct Proof {
    EdgeId edge = 0;
    std::vector<Proof> premises;
    double log_weight = 0;

    /// The statements that the proof uses, ascending, each once.
    std::vector<StatementId> statements(const ProofGraph& graph) const;
  };

  /// Adds a node without edges, and returns its number. Nodes are numbered from 0.
  Node add_node();
  /// Adds an edge, and returns its number. Edges are numbered from 0.
  /// Errors  std::invalid_argument unless each premise was added before the conclusion
  EdgeId add_edge(Edge edge);

  std::size_t nodes() const { return edges_of_.size(); }
  std::span<const Edge> edges() const { return edges_; }

  /// Sums over all proofs of a node.
  struct Sums {
    double log_total = 0;          // logarithm of the sum of weights; -infinity without a proof
    std::vector<double> expected;  // for each edge: mean number of uses by a proof drawn by weight
  };
  /// Computes the sums over all proofs of the node `of` by the inside-outside algorithm. Use it to normalise weights to
  /// probabilities, and for gradients.
  /// Shapes  log_weights (edges)
  /// Cost    O(premises of all edges)
  /// Source  Baker 1979, "Trainable grammars for speech recognition"; for hypergraphs: Li and Eisner 2009,
  ///         "First- and second-order expectation semirings"
  Sums sums(Node of, std::span<const double> log_weights) const;

  /// Returns the `count` proofs of the node `of` with the largest weights, best first, or all if there are fewer. If
  /// two proofs have the same weight, the one whose edge was added earlier comes first.
  /// Shapes  log_weights (edges)
  /// Cost    O(edges + count log count) times the depth of a proof
  /// Source  Huang and Chiang 2005, "Better k-best parsing", algorithm 3
  std::vector<Proof> best(Node of, std::size_t count, std::span<const double> log_weights) const;

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<EdgeId>> edges_of_;  // edges that prove each node
};

}  // namespace engram::core
