// SPDX-License-Identifier: MIT
#include "core/events/event_kinds.hpp"

#include <algorithm>
#include <stdexcept>

namespace engram::core {

EventKinds::EventKinds(std::size_t capacity) : capacity_(capacity) {
  if (capacity < 16 || capacity > std::size_t{1} << 24)
    throw std::invalid_argument("the capacity of event kinds must be in [16, 2^24], found " +
                                std::to_string(capacity));
}

EventKind EventKinds::find(std::string_view term) const {
  const auto found = numbers_.find(term);
  return found == numbers_.end() ? none : found->second;
}

EventKind EventKinds::intern(std::string_view term,
                             const std::function<void(const std::vector<EventKind>&)>& evicted) {
  if (const auto found = numbers_.find(term); found != numbers_.end()) {
    terms_[found->second].last = ++clock_;
    return found->second;
  }
  if (free_.empty() && terms_.size() == capacity_) evicted(evict());
  EventKind kind = static_cast<EventKind>(terms_.size());
  if (free_.empty()) {
    terms_.emplace_back();
  } else {
    kind = free_.back();
    free_.pop_back();
  }
  const auto added = numbers_.emplace(std::string(term), kind).first;
  terms_[kind] = {&added->first, ++clock_, false};
  text_bytes_ += term.size();
  return kind;
}

std::vector<EventKind> EventKinds::evict() {
  std::vector<EventKind> known;
  for (EventKind kind = 0; kind < terms_.size(); ++kind)
    if (!terms_[kind].pinned) known.push_back(kind);
  if (known.empty()) throw std::length_error("no kind of event can be evicted, because all are goals");
  const std::size_t count = std::max<std::size_t>(1, known.size() / 3);
  const auto last = known.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(known.begin(), last - 1, known.end(),
                   [&](EventKind a, EventKind b) { return terms_[a].last < terms_[b].last; });
  known.erase(last, known.end());
  std::sort(known.begin(), known.end());
  for (const EventKind kind : known) {
    text_bytes_ -= terms_[kind].text->size();
    numbers_.erase(numbers_.find(*terms_[kind].text));
    terms_[kind] = {};
  }
  free_.assign(known.rbegin(), known.rend());
  return known;
}

}  // namespace engram::core
