// SPDX-License-Identifier: MIT
// Generates protocol requests from bytes. Almost all requests have valid terms, methods and shapes, so that they reach
// the computation. A few have one error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace engram::fuzz {

/// Narsese that the fuzzed session learns before its first request.
extern const char* const told;

/// Makes choices, each from the next byte. If no bytes are left, makes the first choice.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }
  std::size_t below(std::size_t n) { return next() % n; }
  /// True for one in 32 values of the next byte.
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

/// Generates the next request, with its members sorted by name.
nlohmann::json next_request(Choices& choices);

}  // namespace engram::fuzz
