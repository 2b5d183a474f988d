// SPDX-License-Identifier: MIT
// SHA-256 digests as lower-case hexadecimal digits, computed by OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace engram::bridge {

/// Incremental SHA-256.
class Sha256 {
 public:
  /// Starts a digest of no bytes.  Errors  std::runtime_error if OpenSSL does not provide SHA-256
  Sha256();

  /// Appends bytes.
  void add(std::string_view bytes);
  /// The digest of the bytes so far. Callers may add more afterwards.
  std::string digest() const;

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

/// SHA-256 of a text as lower-case hexadecimal.
std::string sha256_of_text(std::string_view text);

}  // namespace engram::bridge
