// SPDX-License-Identifier: MIT
#include "experiments/runs/sha256.hpp"

#include <array>

#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file = open_input(path);
  bridge::Sha256 hasher;
  std::array<char, 1 << 16> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0)
    hasher.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  require_whole(file, path.string());
  return hasher.digest();
}

}  // namespace engram::experiments
