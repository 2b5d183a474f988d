// SPDX-License-Identifier: MIT
// Who stands in which relation to whom, both ways, to be walked from any entity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/relational_attention.hpp"

namespace engram::core {

/// Facts (head, relation, tail), and each the other way round by the reciprocal relation, whose number is larger
/// by the number of relations.
class RelationalGraph {
 public:
  /// Where a relation leads to.
  struct Edge {
    std::uint32_t relation, to;
  };
  /// Errors  std::invalid_argument for a number that is not below those given
  RelationalGraph(std::uint32_t entities, std::uint32_t relations, std::span<const Fact> facts);

  std::uint32_t entities() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint32_t relations() const { return relations_; }  // reciprocals counted
  /// The relation the other way round.
  std::uint32_t reciprocal(std::uint32_t relation) const {
    return relation < relations_ / 2 ? relation + relations_ / 2 : relation - relations_ / 2;
  }
  /// What leads from an entity, by relation and end.
  std::span<const Edge> from(std::uint32_t entity) const {
    return {edges_.data() + first_[entity], edges_.data() + first_[entity + 1]};
  }

 private:
  std::uint32_t relations_;
  std::vector<std::size_t> first_;
  std::vector<Edge> edges_;  // of an entity, in the order of the facts
};

}  // namespace engram::core
