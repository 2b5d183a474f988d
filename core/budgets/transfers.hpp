// SPDX-License-Identifier: MIT
// A ledger of budget: who gave how much to whom, and why.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// first: there was no budget before; decay: the previous budget faded towards equal shares; similarity: what
/// the cue has in common with an item; link: a concept that only conducts hands on what it got; capacity:
/// what does not stay gives up what it has.
enum class TransferReason : std::uint8_t { first, decay, similarity, link, capacity };

inline constexpr std::array<NamedValue<TransferReason>, 5> transfer_reasons{{
    {TransferReason::first, "first"},
    {TransferReason::decay, "decay"},
    {TransferReason::similarity, "similarity"},
    {TransferReason::link, "link"},
    {TransferReason::capacity, "capacity"},
}};

/// From one item to another. Nothing stands for the common pool: where shares are normalised everybody pays
/// into it and is paid from it, and who pays whom has no answer. Only links lead from one item to another.
struct Transfer {
  std::optional<std::uint32_t> from, to;
  double amount = 0;  // > 0
  TransferReason reason = TransferReason::first;
};

/// Collects transfers, in their order. Of more than `most` the largest are kept, of equal ones the first.
class TransferLog {
 public:
  explicit TransferLog(std::size_t most) : most_(most) {}

  /// Keeps it, or counts it alone where there are more than are kept.
  void add(const Transfer& transfer);
  /// The change from one distribution to another, through the pool: one transfer for each item that changes.
  /// Shapes  before (n), after (n)
  void add_changes(const Vector& before, const Vector& after, TransferReason reason);

  /// What was kept, in order.
  std::vector<Transfer> transfers() const;
  std::size_t count() const { return count_; }  // of all, kept or not

 private:
  struct Numbered {
    std::size_t number;
    Transfer transfer;
  };
  void prune();

  std::size_t most_, count_ = 0;
  std::vector<Numbered> kept_;
};

}  // namespace engram::core
