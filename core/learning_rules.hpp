// SPDX-License-Identifier: MIT
// Rules that turn +1/-1 patterns into the couplings of a Hopfield network. Rules that learn from a stream of
// activity are in core/hebbian.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/shapes.hpp"

namespace engram::core {

enum class WeightRule : std::uint8_t {
  hebb,
  storkey,
  storkey_full_field,
  pseudo_inverse,
  pseudo_inverse_zero_diag
};

struct WeightRuleFacts {
  std::string_view name;
  WeightRule rule;
};

inline constexpr std::array<WeightRuleFacts, 5> weight_rules{{
    {"hebb", WeightRule::hebb},
    {"storkey", WeightRule::storkey},
    {"storkey_full_field", WeightRule::storkey_full_field},
    {"pseudo_inverse", WeightRule::pseudo_inverse},
    {"pseudo_inverse_zero_diag", WeightRule::pseudo_inverse_zero_diag},
}};

/// Nothing for a name that is not in weight_rules.
std::optional<WeightRule> weight_rule_named(std::string_view name);

/// Hebb's rule  W = (1/n) sum_k x_k x_k', zero diagonal. Local, incremental, in any order.
/// Shapes   patterns (k, n), entries +1 or -1 -> (n, n), symmetric; no patterns give 0
/// Errors   std::invalid_argument for n = 0 or another entry
/// Cost     O(k n^2); exact but for the division
/// Source   Hopfield 1982
Matrix hebb_weights(const Matrix& patterns);

/// The couplings that a rule makes of patterns.
/// Shapes   patterns (k, n), entries +1 or -1 -> (n, n), symmetric; no patterns give 0
/// Errors   std::invalid_argument for n = 0 or another entry
Matrix pattern_weights(WeightRule rule, const Matrix& patterns);

}  // namespace engram::core
