// SPDX-License-Identifier: MIT
#include "bridge/attach/seen_set.hpp"

#include <charconv>
#include <string>

#include "bridge/files/sha256.hpp"

namespace engram::bridge {

bool SeenSet::add(std::string_view text) {
  const std::string hexadecimal = sha256_of_text(text);
  Digest digest{};
  constexpr std::size_t digits = 16;  // hexadecimal digits of 64 bits
  const char* at = hexadecimal.data();
  for (std::uint64_t& half : digest) {
    std::from_chars(at, at + digits, half, 16);
    at += digits;
  }
  if (!known_.insert(digest).second) return false;
  order_.push_back(digest);
  if (order_.size() > most_) {
    known_.erase(order_.front());
    order_.pop_front();
  }
  return true;
}

}  // namespace engram::bridge
