// SPDX-License-Identifier: MIT
// Pattern of a few events that happened together or one after another.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <span>

#include "core/events/event_kinds.hpp"

namespace engram::core {

/// One to four different kinds of events, in order of time. Events of the same cycle are ordered by kind, so equal
/// situations give equal patterns. A pattern of one kind is a single event.
struct EventPattern {
  static constexpr std::size_t most = 4;  // most kinds in a pattern

  std::array<EventKind, most> kinds{};  // unused places are 0
  std::uint8_t size = 0;                // number of kinds; 0: no event
  std::uint8_t later = 0;               // bit i: kind i happened in a later cycle than kind i - 1

  EventPattern() = default;
  explicit EventPattern(EventKind kind) : kinds{kind}, size(1) {}

  std::span<const EventKind> parts() const { return {kinds.data(), size}; }
  bool has(EventKind kind) const { return std::ranges::find(parts(), kind) != parts().end(); }
  bool has_any(std::span<const EventKind> ascending) const {
    return std::ranges::any_of(parts(),
                               [&](EventKind kind) { return std::ranges::binary_search(ascending, kind); });
  }
  auto operator<=>(const EventPattern&) const = default;
};

/// Hash of a pattern, equal on all machines.
struct EventPatternHash {
  std::size_t operator()(const EventPattern& pattern) const {
    std::uint64_t hash = pattern.size * 31U + pattern.later;
    for (const EventKind kind : pattern.parts()) {
      hash = (hash ^ (kind + 0x9e3779b97f4a7c15ULL)) * 0xbf58476d1ce4e5b9ULL;
      hash ^= hash >> 31;
    }
    return static_cast<std::size_t>(hash);
  }
};

}  // namespace engram::core
