// SPDX-License-Identifier: MIT
#include "experiments/runs/located_inputs.hpp"

#include <algorithm>

namespace engram::experiments {

namespace fs = std::filesystem;

Json located_inputs(const Spec& spec) {
  Json located = Json::array();
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      located.push_back({{"name", input.name}, {"path", fs::absolute(input.path)}});
  return located;
}

std::vector<fs::path> folders_of_inputs(const Json& located) {
  std::vector<fs::path> folders;
  for (const Json& input : located) {
    const auto name = input.at("name").get<std::string>(), path = input.at("path").get<std::string>();
    if (!path.ends_with(name)) continue;
    fs::path folder = path.substr(0, path.size() - name.size());
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(std::move(folder));
  }
  return folders;
}

}  // namespace engram::experiments
