// SPDX-License-Identifier: MIT
#include "core/shards/term_key.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace engram::core {

TermKeys::Secret TermKeys::draw() {
  std::random_device device;
  Secret secret;
  for (std::uint64_t& word : secret) word = (std::uint64_t{device()} << 32 | device()) | 1;
  return secret;
}

TermKey TermKeys::begin(narsese::TermLabel label) const {
  return {narsese::fold(label.bits() ^ secret_[0], secret_[1]),
          narsese::fold(label.bits() ^ secret_[2], secret_[3])};
}

void TermKeys::add(TermKey& key, std::uint64_t a, std::uint64_t b) const {
  key.first = narsese::fold(key.first ^ a ^ secret_[0], b ^ secret_[1]) + key.first;
  key.second = narsese::fold(key.second ^ b ^ secret_[2], a ^ secret_[3]) + key.second;
}

void TermKeys::add_name(TermKey& key, std::string_view name) const {
  for (std::size_t i = 0; i < name.size(); i += 2 * sizeof(std::uint64_t)) {
    std::array<std::uint64_t, 2> words{};
    std::memcpy(words.data(), name.data() + i, std::min(name.size() - i, sizeof words));
    add(key, words[0], words[1]);
  }
}

}  // namespace engram::core
