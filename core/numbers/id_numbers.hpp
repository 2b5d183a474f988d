// SPDX-License-Identifier: MIT
// The few of many ids that something has to do with, numbered as they are met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "narsese/hash_index.hpp"

namespace engram::core {

/// Ids and their numbers 0, 1, 2, ... in the order in which they came, so that what is known of them stands in
/// vectors that are as long as there are.  Cost  O(1) expected; 24 bytes an id, which are
/// claimed
class IdNumbers {
 public:
  std::size_t size() const { return ids_.size(); }
  /// By number.
  const std::vector<std::uint32_t>& ids() const { return ids_; }
  /// Whether it has a number.
  bool contains(std::uint32_t id) const { return find(id).has_value(); }
  /// Its number, if it has one.
  std::optional<std::uint32_t> find(std::uint32_t id) const {
    const std::uint32_t number =
        index_.find(narsese::mix(id), [&](std::uint32_t i) { return ids_[i] == id; });
    return number == narsese::HashIndex::none ? std::nullopt : std::optional(number);
  }
  /// The number of an id, and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::uint32_t id) {
    const std::size_t before = ids_.size();
    const std::uint32_t number = index_.find_or_insert(
        narsese::mix(id), [&](std::uint32_t i) { return ids_[i] == id; },
        [&] {
          if (before == claimed_) claim();
          ids_.push_back(id);
          return static_cast<std::uint32_t>(before);
        });
    return {number, ids_.size() > before};
  }

 private:
  static constexpr std::size_t bytes_an_id = 24, few = 4096;

  void claim() {
    claims_.emplace_back(bytes_an_id * std::max(few, claimed_));
    claimed_ += std::max(few, claimed_);
  }

  std::list<Reservation> claims_;  // together for claimed_ ids
  std::size_t claimed_ = 0;
  std::vector<std::uint32_t> ids_;
  narsese::HashIndex index_;
};

}  // namespace engram::core
