// SPDX-License-Identifier: MIT
#include "core/numbers/free_memory.hpp"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace engram::core {

void give_back_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void give_back_large_blocks() {
#ifdef __GLIBC__
  constexpr int large = 4 << 20;  // chosen: vectors of smaller memories are not mapped again and again
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 2 * large);
#endif
}

}  // namespace engram::core
