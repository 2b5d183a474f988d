// SPDX-License-Identifier: MIT
#include "core/attention/masks.hpp"

#include <cstdlib>

#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

template <class Rule>
Mask square_mask(Index n, Rule allowed) {
  Mask mask(n, n);
  for (Index i = 0; i < n; ++i) {
    charge(static_cast<std::uint64_t>(n));
    for (Index j = 0; j < n; ++j) mask(i, j) = allowed(i, j);
  }
  return mask;
}

}  // namespace

Mask causal_mask(Index n) {
  return square_mask(n, [](Index i, Index j) { return j <= i; });
}

Mask window_mask(Index n, Index width) {
  require(width >= 0, "the width of a window must not be negative", width);
  return square_mask(n, [&](Index i, Index j) { return std::abs(i - j) <= width; });
}

Mask neighbourhood_mask(const SparseRows& links) {
  require_size("columns of links", links.columns(), links.rows());
  Mask mask = Mask::Identity(links.rows(), links.rows());
  for (Index i = 0; i < links.rows(); ++i)
    for (std::size_t k = 0; k < links.columns_of(i).size(); ++k)
      if (links.values_of(i)[k] > 0) mask(i, links.columns_of(i)[k]) = true;
  return mask;
}

}  // namespace engram::core
