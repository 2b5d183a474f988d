// SPDX-License-Identifier: MIT
// Tells AddressSanitizer, where it watches, which memory nobody may look at.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define ENGRAM_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ENGRAM_WATCHED 1
#endif
#endif

#ifdef ENGRAM_WATCHED
#include <sanitizer/asan_interface.h>
#endif

namespace engram::narsese {

#ifdef ENGRAM_WATCHED
inline constexpr bool memory_is_watched = true;
inline void poison(const void* memory, std::size_t bytes) { __asan_poison_memory_region(memory, bytes); }
inline void unpoison(const void* memory, std::size_t bytes) { __asan_unpoison_memory_region(memory, bytes); }
#else
inline constexpr bool memory_is_watched = false;
/// Nothing, where nobody watches.
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
#endif

}  // namespace engram::narsese
