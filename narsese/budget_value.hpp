// SPDX-License-Identifier: MIT
// A share of the reasoner's resources, as NARS writes it: $priority;durability;quality$.
#pragma once

namespace engram::narsese {

/// priority: how soon and how often, durability: how slowly priority is lost, quality: worth in the long
/// run; each in [0, 1].
/// Source   Wang 2013, section 5.2; defaults are OpenNARS's for judgments.
struct BudgetValue {
  double priority = 0.8;
  double durability = 0.5;
  double quality = 0.95;

  friend bool operator==(const BudgetValue&, const BudgetValue&) = default;
};

}  // namespace engram::narsese
