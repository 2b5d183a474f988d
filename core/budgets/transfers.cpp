// SPDX-License-Identifier: MIT
#include "core/budgets/transfers.hpp"

#include <algorithm>

namespace engram::core {

void TransferLog::add(const Transfer& transfer) {
  if (!(transfer.amount > 0)) return;
  kept_.push_back({count_++, transfer});
  if (kept_.size() >= 2 * most_ + 1024) prune();
}

void TransferLog::add_changes(const Vector& before, const Vector& after, TransferReason reason) {
  require_size("budgets after", after.size(), before.size());
  for (Index i = 0; i < before.size(); ++i) {
    const auto id = static_cast<std::uint32_t>(i);
    if (before[i] > after[i]) add({id, {}, before[i] - after[i], reason});
    if (after[i] > before[i]) add({{}, id, after[i] - before[i], reason});
  }
}

void TransferLog::prune() {
  if (kept_.size() <= most_) return;
  const auto larger = [](const Numbered& a, const Numbered& b) {
    return a.transfer.amount != b.transfer.amount ? a.transfer.amount > b.transfer.amount
                                                  : a.number < b.number;
  };
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(most_);
  std::nth_element(kept_.begin(), end, kept_.end(), larger);
  kept_.erase(end, kept_.end());
}

std::vector<Transfer> TransferLog::transfers() const {
  TransferLog pruned = *this;
  pruned.prune();
  std::ranges::sort(pruned.kept_, {}, &Numbered::number);
  std::vector<Transfer> transfers;
  transfers.reserve(pruned.kept_.size());
  for (const Numbered& each : pruned.kept_) transfers.push_back(each.transfer);
  return transfers;
}

}  // namespace engram::core
