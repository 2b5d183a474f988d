// SPDX-License-Identifier: MIT
// SHA-256 as lower-case hexadecimal, by OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace engram::bridge {

/// Of bytes that come piece by piece.
class Sha256 {
 public:
  /// Errors  std::runtime_error where OpenSSL has none
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  /// Goes on with these bytes.
  void add(std::string_view bytes);
  /// Of all so far; more may follow.
  std::string digest() const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// SHA-256 of a text as lower-case hexadecimal.
std::string sha256_of_text(std::string_view text);

}  // namespace engram::bridge
