// SPDX-License-Identifier: MIT
#include "experiments/reports/floors.hpp"

#include <algorithm>

namespace engram::experiments {

std::vector<MethodChoice> with_floors(const std::vector<MethodChoice>& methods) {
  std::vector<MethodChoice> all = methods;
  for (const char* name : {"overlap", "frequency", "uniform"}) {
    const core::Method* floor = core::find_method(name);
    const core::Options options = core::complete_options(*floor, {});
    if (std::ranges::any_of(all,
                            [&](const MethodChoice& m) { return m.method == floor && m.options == options; }))
      continue;
    std::string label = name;  // somebody may have given that name to another method
    while (std::ranges::find(all, label, &MethodChoice::label) != all.end()) label = "floor " + label;
    all.push_back({label, floor, options});
  }
  return all;
}

std::vector<std::string> with_prediction_floors(std::vector<std::string> methods) {
  for (const char* floor : {"markov", "frequency", "uniform"})
    if (std::ranges::find(methods, floor) == methods.end()) methods.emplace_back(floor);
  return methods;
}

}  // namespace engram::experiments
