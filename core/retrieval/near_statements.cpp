// SPDX-License-Identifier: MIT
#include "core/retrieval/near_statements.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/numbers/work_budget.hpp"

namespace engram::core {

NearStatements::NearStatements(const MemoryIndex& memory, const SparseVector& state)
    : memory_(&memory), state_(state) {
  require_size("state", state.size(), memory.concepts());
  state.each([&](ConceptId id, double x) {
    require(x >= 0, "a state must not be negative", x);
    if (const std::size_t mentions = memory.mentions(id).size(); mentions > 0)
      parts_.push_back({id, x, mentions});
  });
  charge(32 * parts_.size());
  const auto worth = [](const Part& part) {
    return part.weight * part.weight / static_cast<double>(part.mentions);
  };
  std::ranges::sort(parts_, [&](const Part& a, const Part& b) {
    const double of_a = worth(a), of_b = worth(b);
    return of_a != of_b ? of_a > of_b : a.id < b.id;
  });
  lengths_.assign(parts_.size() + 1, 0.0);
  left_.assign(parts_.size() + 1, 0);
  double square = 0;
  for (std::size_t k = parts_.size(); k-- > 0;) {
    square += parts_[k].weight * parts_[k].weight;
    lengths_[k] = std::sqrt(square);
    left_[k] = left_[k + 1] + parts_[k].mentions;
  }
}

bool NearStatements::look_further() {
  if (read_ == parts_.size()) return false;
  for (const StatementId e : memory_->mentions(parts_[read_].id)) {
    if (!ids_.insert(e).second) continue;
    charge(32 * memory_->episode(e).size());
    found_.emplace_back(e, similarity_of(*memory_, e, state_));
  }
  ++read_;
  return true;
}

double NearStatements::beyond() const {
  constexpr double rounding = 1 + 1e-9;  // far more than keys, lengths and similarities may be off by
  return lengths_[read_] * rounding;
}

std::uint64_t NearStatements::beyond_count() const {
  return std::min(left_[read_], static_cast<std::uint64_t>(memory_->statements()) - found_.size());
}

double NearStatements::nth_best(std::size_t n) const {
  if (n == 0 || found_.size() < n) return 0;
  charge(4 * found_.size());
  std::vector<double> scores;
  scores.reserve(found_.size());
  for (const auto& [e, score] : found_) scores.push_back(score);
  const auto nth = scores.begin() + static_cast<std::ptrdiff_t>(n - 1);
  std::nth_element(scores.begin(), nth, scores.end(), std::greater<>());
  return *nth;
}

double similarity_of(const MemoryIndex& memory, Index e, const SparseVector& state) {
  const auto columns = memory.episode(e);
  const std::vector<double> key = memory.key(e);
  double total = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) total += key[k] * state[columns[k]];
  return total;
}

}  // namespace engram::core
