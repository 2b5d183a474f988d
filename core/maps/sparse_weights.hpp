// SPDX-License-Identifier: MIT
// Weights by a simplex map from the largest scores alone.
#pragma once

#include <optional>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// The distribution p(s) where of n scores only some are known and no other is greater than `others`; nothing
/// where it cannot be told from these: where one of `others` might get a weight, as with softmax it always
/// does. The more scores there are, the higher the threshold of a map, so that whoever is below it is out for
/// good.
/// Shapes   known (scores of a vector of `size`, ascending), others >= 0 -> (size)
/// Ranges   the same bits as `apply` to all scores of which the others are 0 or below the threshold, for
///          sparsemax, argmax, entmax with alpha 1.5 and 2; else the same but for the last digits
/// Errors   as those of apply
/// Cost     that of apply, of 16 times the known scores that are within T times the map's margin of the best
std::optional<SparseVector> weights_of_largest(const Regulariser& omega, Index size,
                                               const std::vector<SparseVector::Entry>& known, double others,
                                               double temperature = usual_temperature);

}  // namespace engram::core
