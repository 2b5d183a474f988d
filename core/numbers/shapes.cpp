// SPDX-License-Identifier: MIT
#include "core/numbers/shapes.hpp"

#include <array>
#include <charconv>

namespace engram::core {

void refuse(const char* rule, double found) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), found).ptr;
  throw std::invalid_argument(std::string(rule) + ", found " + std::string(digits.data(), end));
}

}  // namespace engram::core
