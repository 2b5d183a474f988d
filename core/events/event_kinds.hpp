// SPDX-License-Identifier: MIT
// Numbers for what events are: few enough that tables by number are arrays, however many names come by.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engram::core {

/// The number of what an event is: of its term.
using EventKind = std::uint32_t;

/// Terms by number. At most so many are known: where there is no room, the third that was named the longest ago goes,
/// and its numbers are used again.
class EventKinds {
 public:
  static constexpr EventKind none = 0xFFFFFFFF;

  /// Errors  std::invalid_argument unless capacity is in [16, 2^24]
  explicit EventKinds(std::size_t capacity);

  /// Its number, a new one for a new term.  `forgotten` is told once of the kinds that went for it, ascending; what they
  /// had must be gone when it returns.
  /// Cost  O(length); where some go, O(capacity), once in capacity / 3 new names
  EventKind of(std::string_view term, const std::function<void(const std::vector<EventKind>&)>& forgotten);
  /// Its number, or none.
  EventKind find(std::string_view term) const;
  /// The term.
  std::string_view term(EventKind kind) const { return *terms_[kind].text; }
  /// From now on it is never forgotten, or may be again.
  void pin(EventKind kind, bool pinned) { terms_[kind].pinned = pinned; }
  /// That are known now.
  std::size_t size() const { return numbers_.size(); }
  /// Of names and table.
  std::size_t bytes() const { return text_bytes_ + numbers_.size() * sizeof(Named); }

 private:
  struct Named {
    const std::string* text = nullptr;  // the key in the table, or null: the number is free
    std::uint64_t named = 0;            // when it was named last
    bool pinned = false;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::vector<EventKind> forget_some();

  std::size_t capacity_;
  std::uint64_t clock_ = 0;
  std::unordered_map<std::string, EventKind, Hash, std::equal_to<>> numbers_;  // looked up, never walked
  std::vector<Named> terms_;
  std::vector<EventKind> free_;
  std::size_t text_bytes_ = 0;
};

}  // namespace engram::core
