// SPDX-License-Identifier: MIT
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

std::vector<Observation> observed(const Json& row, const std::vector<const char*>& unit,
                                  const std::vector<std::pair<const char*, const char*>>& measures) {
  std::string place;
  for (const char* member : unit) place += row.at(member).dump() + " ";
  std::vector<Observation> all;
  for (const auto& [name, pointer] : measures) {
    const Json::json_pointer at(pointer);
    if (!row.contains(at)) continue;
    const Json& value = row.at(at);
    all.push_back({name, row.at("method").get<std::string>(), place,
                   value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>()});
  }
  return all;
}

}  // namespace engram::experiments
