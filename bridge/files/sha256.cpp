// SPDX-License-Identifier: MIT
#include "bridge/files/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <boost/algorithm/hex.hpp>
#include <iterator>
#include <stdexcept>

namespace engram::bridge {
namespace {

void require_done(bool done) {
  if (!done) throw std::runtime_error("SHA-256 is not available");
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
  require_done(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes) {
  require_done(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::digest() const {
  const Sha256 copy;  // a context is unusable after its digest was read
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned length = 0;
  require_done(EVP_MD_CTX_copy_ex(copy.context_.get(), context_.get()) == 1 &&
               EVP_DigestFinal_ex(copy.context_.get(), bytes.data(), &length) == 1);
  std::string text;
  boost::algorithm::hex_lower(bytes.begin(), bytes.begin() + length, std::back_inserter(text));
  return text;
}

std::string sha256_of_text(std::string_view text) {
  Sha256 hasher;
  hasher.add(text);
  return hasher.digest();
}

}  // namespace engram::bridge
