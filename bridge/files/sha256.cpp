// SPDX-License-Identifier: MIT
#include "bridge/files/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace engram::bridge {
namespace {

using Handle = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

void require_done(int status) {
  if (status != 1) throw std::runtime_error("SHA-256 is not available");
}

Handle new_handle() {
  Handle handle(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  require_done(handle != nullptr ? 1 : 0);
  return handle;
}

}  // namespace

struct Sha256::Context {
  Handle handle = new_handle();
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  require_done(EVP_DigestInit_ex(context_->handle.get(), EVP_sha256(), nullptr));
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes) {
  require_done(EVP_DigestUpdate(context_->handle.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digest() const {
  const Handle copy = new_handle();  // a context is unusable after its digest was read
  require_done(EVP_MD_CTX_copy_ex(copy.get(), context_->handle.get()));
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned length = 0;
  require_done(EVP_DigestFinal_ex(copy.get(), bytes.data(), &length));
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

std::string sha256_of_text(std::string_view text) {
  Sha256 hasher;
  hasher.add(text);
  return hasher.digest();
}

}  // namespace engram::bridge
