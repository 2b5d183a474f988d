// SPDX-License-Identifier: MIT
#include "experiments/sensors/distractors.hpp"

#include <numeric>
#include <utility>

namespace engram::experiments::sensors {

Distractors::Distractors(const WorldOptions& options, std::uint64_t seed)
    : count_(options.distractors),
      names_(options.names),
      drawn_(seed, "sensors distractors"),
      placed_(seed, "sensors places") {
  std::iota(names_.begin(), names_.end(), 1U);
}

Sensed Distractors::among(std::vector<std::string> relevant, std::vector<std::string> others,
                          std::string goal) {
  const std::size_t relevant_count = relevant.size();
  std::vector<std::string> all = std::move(relevant);
  for (std::string& event : others) all.push_back(std::move(event));
  for (std::size_t i = 0; i < count_; ++i) {  // first steps of a Fisher-Yates shuffle
    std::swap(names_[i], names_[i + drawn_.below(names_.size() - i)]);
    all.push_back("distractor_" + std::to_string(names_[i]));
  }
  const auto places = placed_.permutation(static_cast<std::uint32_t>(all.size()));
  Sensed sensed;
  sensed.events.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) sensed.events[places[i]] = std::move(all[i]);
  sensed.relevant.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(relevant_count));
  sensed.goal = std::move(goal);
  return sensed;
}

}  // namespace engram::experiments::sensors
