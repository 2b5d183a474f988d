// SPDX-License-Identifier: MIT
#include "experiments/runs/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {
namespace {

class Hasher {
 public:
  Hasher() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
      throw std::runtime_error("SHA-256 is not available");
  }

  void add(const char* data, std::size_t size) { EVP_DigestUpdate(context_.get(), data, size); }

  std::string digest() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned length = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &length);
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
      text += "0123456789abcdef"[bytes[i] >> 4];
      text += "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_of_text(std::string_view text) {
  Hasher hasher;
  hasher.add(text.data(), text.size());
  return hasher.digest();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file = open_input(path);
  Hasher hasher;
  std::array<char, 1 << 16> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0)
    hasher.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
  require_whole(file, path.string());
  return hasher.digest();
}

}  // namespace engram::experiments
