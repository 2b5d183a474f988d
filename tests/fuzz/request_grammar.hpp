// SPDX-License-Identifier: MIT
// Requests of the protocol made of bytes: nearly all of terms, methods and shapes that there are, so that
// they come to the work itself; a few wrong in one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace engram::fuzz {

/// What a session is told before it is asked.
extern const char* const told;

/// Choices, a byte each; where there are none left, the first of all that can be chosen.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }
  std::size_t below(std::size_t n) { return next() % n; }
  /// Once in 32 times.
  bool rarely() { return next() % 32 == 31; }
  template <class T>
  const T& of(std::span<const T> choices) {
    return choices[below(choices.size())];
  }
  template <class T, std::size_t n>
  const T& of(const T (&choices)[n]) {
    return choices[below(n)];
  }

 private:
  std::size_t next() {
    if (bytes_.empty()) return 0;
    const std::size_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  std::span<const std::uint8_t> bytes_;
};

/// The next request. Its members are in the order of the alphabet.
nlohmann::json next_request(Choices& choices);

}  // namespace engram::fuzz
