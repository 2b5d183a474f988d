// SPDX-License-Identifier: MIT
// Why walks on the graph recall what they do: what comes along each link.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/methods/explanation_parts.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Something flows along links, in shares of what a node gives away:
///   score_i = own_i + sum_j given_j P_ji - taken_i
class FlowExplainer : public ConceptsExplainer {
 public:
  /// What nodes have from elsewhere, and why.
  struct Own {
    std::string words;
    Vector amount;  // (n)
  };
  /// What flows, and along which links.
  struct Flow {
    SparseRows links;
    Vector given;          // (n): what a node gives to its neighbours, all together
    std::vector<Own> own;  // what it has from elsewhere
    double passed_on = 0;  // factor of a link on a way, times its share
    double start = 0;      // of a way, times the cue
    std::string score;     // what the score is
  };

  FlowExplainer(Flow flow, const MemoryIndex& readings, const Cue& cue, const Recall& recall);
  Explanation of_concept(ConceptId id) const override;

 private:
  void find_ways();
  std::vector<Stop> way_to(ConceptId id) const;

  Flow flow_;
  SparseRows incoming_;  // row i: shares of others' gifts that come to i
  std::vector<double> strength_;
  std::vector<std::uint32_t> before_;
};

/// The cue as shares of 1.
Vector total_share(const Vector& cue);
/// What nodes without links give: it goes back to the cue.
double without_way(const SparseRows& links, const Vector& given);

}  // namespace engram::core
