// SPDX-License-Identifier: MIT
// Reads the hostile strings of tests/hostile. A file has one string, and its name describes the attack.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace engram::testing {

inline std::vector<std::pair<std::string, std::string>> hostile_strings() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : std::filesystem::directory_iterator(ENGRAM_SOURCE_DIR "/tests/hostile")) {
    std::ifstream file(entry.path(), std::ios::binary);
    all.emplace_back(entry.path().filename().string(), std::string(std::istreambuf_iterator<char>(file), {}));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace engram::testing
