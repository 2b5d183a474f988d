// SPDX-License-Identifier: MIT
// A graph of all proofs of a question, sums over these proofs, and the best of them.
//
// A proof is a tree, and the proofs of a question share most of their parts. They are stored as an acyclic AND/OR graph (a
// directed hypergraph). A node is a statement, and each of its edges is one way to prove it from premises. A proof of a node
// is one of its edges together with a proof of each premise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/memory.hpp"

namespace engram::core {

/// The proofs of nodes. The weight of a proof is the product of the weights of its edges, each as often as it occurs. Callers
/// pass the logarithms of these weights, one for each edge; -infinity excludes an edge.
class ProofGraph {
 public:
  using Node = std::uint32_t;
  using EdgeId = std::uint32_t;

  /// One way to prove its conclusion.
  struct Edge {
    Node conclusion = 0;
    std::vector<Node> premises;            // none: the statement alone proves it
    std::optional<StatementId> statement;  // the statement of the memory that it uses beside the premises
  };
  /// A proof of a node: an edge, and a proof of each of its premises, in their order.
  struct Proof {
    EdgeId edge = 0;
    std::vector<Proof> premises;
    double log_weight = 0;

    /// The statements of its edges, ascending, each once.
    std::vector<StatementId> statements(const ProofGraph& graph) const;
  };

  /// Adds a node without edges, and returns its number: nodes are numbered from 0.
  Node add_node();
  /// Errors  std::invalid_argument unless each premise was added before the conclusion
  EdgeId add_edge(Edge edge);

  std::size_t nodes() const { return edges_of_.size(); }
  std::span<const Edge> edges() const { return edges_; }

  /// Sums over all proofs of a node.
  struct Sums {
    double log_total = 0;          // log Z, Z the sum of the weights of all proofs; -infinity without a proof
    std::vector<double> expected;  // for each edge, how often a proof drawn by weight uses it
  };
  /// Inside and outside sums.
  /// Shapes  log_weights (edges)
  /// Cost    O(premises of all edges)
  /// Source  Baker 1979, "Trainable grammars for speech recognition"; for hypergraphs: Li and Eisner 2009,
  ///         "First- and second-order expectation semirings"
  Sums sums(Node of, std::span<const double> log_weights) const;

  /// The `count` proofs of a node with the largest weights, or all if there are fewer. Of two proofs with the same weight the
  /// one whose edge was added first comes first.
  /// Shapes  log_weights (edges)
  /// Cost    O(edges + count log count) times the depth of a proof
  /// Source  Huang and Chiang 2005, "Better k-best parsing", algorithm 3
  std::vector<Proof> best(Node of, std::size_t count, std::span<const double> log_weights) const;

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<EdgeId>> edges_of_;  // by conclusion
};

}  // namespace engram::core
