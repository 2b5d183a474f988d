// SPDX-License-Identifier: MIT
#include "core/numbers/shapes.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace engram::core {

void refuse(const char* rule, double found) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), found).ptr;
  throw std::invalid_argument(std::string(rule) + ", found " + std::string(digits.data(), end));
}

void require_positive(const char* what, double number) {
  if (!(number > 0 && std::isfinite(number)))
    refuse((std::string(what) + " must be finite and above 0").c_str(), number);
}

}  // namespace engram::core
