// SPDX-License-Identifier: MIT
#include "narsese/term_hash.hpp"

#include <random>

namespace engram::narsese {
namespace {

TermHash::Key draw_key() {
  std::random_device device;
  TermHash::Key key;
  // Odd, so that none is 0, which would send all to the same place.
  for (std::uint64_t& word : key) word = (std::uint64_t{device()} << 32 | device()) | 1;
  return key;
}

}  // namespace

TermHash::TermHash() {
  static const Key key_of_process = draw_key();
  key_ = key_of_process;
}

}  // namespace engram::narsese
