// SPDX-License-Identifier: MIT
#include "core/embedding.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"

namespace engram::core {

Matrix random_indexing(const SparseRows& episodes, Index dimensions, Index nonzeros, std::uint64_t seed) {
  require(nonzeros >= 1 && nonzeros <= dimensions, "random indexing needs 1 <= nonzeros <= dimensions");
  Matrix embedding = Matrix::Zero(episodes.columns(), dimensions);
  std::vector<Index> places;
  for (Index statement = 0; statement < episodes.rows(); ++statement) {
    Rng rng(seed, "random_indexing", static_cast<std::uint64_t>(statement));
    places.clear();
    while (static_cast<Index>(places.size()) < nonzeros) {
      const auto place = static_cast<Index>(rng.below(static_cast<std::uint64_t>(dimensions)));
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    const auto members = episodes.columns_of(statement);
    const auto activations = episodes.values_of(statement);
    for (const Index place : places) {
      const double sign = (rng.bits() & 1) != 0 ? 1.0 : -1.0;
      for (std::size_t i = 0; i < members.size(); ++i) embedding(members[i], place) += sign * activations[i];
    }
  }
  return embedding / std::sqrt(static_cast<double>(nonzeros));
}

}  // namespace engram::core
