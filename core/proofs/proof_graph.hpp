// SPDX-License-Identifier: MIT
// All proofs of a question as one graph, with sums over them and the best of them.
//
// A proof is a tree. The proofs of a question share most of their parts, so they are kept as an acyclic AND/OR graph
// (a directed hypergraph): a node is something that is proved, and each of its edges is one way to prove it from the
// premises of the edge, all of which are needed. A proof of a node is one of its edges with a proof of each premise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/memory.hpp"

namespace engram::core {

/// The proofs of nodes. The weight of a proof is the product of the weights of its edges, each as often as it occurs.
class ProofGraph {
 public:
  using Node = std::uint32_t;
  using EdgeId = std::uint32_t;

  /// One way to prove its conclusion.
  struct Edge {
    Node conclusion = 0;
    std::vector<Node> premises;            // none: the statement alone proves it
    double log_weight = 0;                 // finite
    std::optional<StatementId> statement;  // what it uses of the memory beside the premises
  };
  /// A proof of a node: an edge, and a proof of each of its premises, in their order.
  struct Proof {
    EdgeId edge = 0;
    std::vector<Proof> premises;
    double log_weight = 0;

    /// The statements that it uses, ascending, each once.
    std::vector<StatementId> statements(const ProofGraph& graph) const;
  };

  Node add_node();
  /// Errors  std::invalid_argument unless each premise was added before the conclusion
  EdgeId add_edge(Edge edge);

  std::size_t nodes() const { return edges_of_.size(); }
  std::span<const Edge> edges() const { return edges_; }

  /// Sums over the proofs of a node.
  struct Sums {
    double log_total = 0;  // log Z, the sum of the weights of all proofs; -infinity where there is none
    std::vector<double> expected;  // of each edge: how often a proof drawn by weight uses it
  };
  /// Inside and outside sums.
  /// Cost    O(premises of all edges)
  /// Source  Baker 1979, "Trainable grammars for speech recognition"; for hypergraphs: Li and Eisner 2009,
  ///         "First- and second-order expectation semirings"
  Sums sums(Node of) const;

  /// Proofs of a node, the largest weight first; of those alike the one whose edges were added first. As many as
  /// there are, if these are fewer than `count`.
  /// Cost    O(edges + count log count) times the depth of a proof
  /// Source  Huang and Chiang 2005, "Better k-best parsing", algorithm 3
  std::vector<Proof> best(Node of, std::size_t count) const;

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<EdgeId>> edges_of_;  // by conclusion
};

}  // namespace engram::core
