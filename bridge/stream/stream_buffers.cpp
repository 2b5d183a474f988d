// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_buffers.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace engram::bridge {
namespace {

using ItemKind = PendingItem::Kind;

bool is_event(const PendingItem& item) { return item.kind == ItemKind::event; }

std::size_t bytes_of(const Episode& episode) { return sizeof(Episode) + episode.term.capacity(); }

}  // namespace

std::uint64_t EpisodeLog::add(Episode::Kind kind, std::string term, std::int64_t time, bool passed) {
  episodes_.push_back({kind, std::move(term), time, ++numbered_, passed});
  bytes_ += bytes_of(episodes_.back());
  while (episodes_.size() > most_ || bytes_ > most_bytes_) {
    bytes_ -= bytes_of(episodes_.front());
    episodes_.pop_front();
  }
  return numbered_;
}

void EpisodeLog::pass(std::uint64_t number) {
  if (episodes_.empty() || number < episodes_.front().number || number > numbered_) return;
  episodes_[static_cast<std::size_t>(number - episodes_.front().number)].passed = true;
}

std::vector<Episode> EpisodeLog::of(std::string_view term, std::size_t most) const {
  std::vector<Episode> found;
  for (auto episode = episodes_.rbegin(); episode != episodes_.rend() && found.size() < most; ++episode)
    if (episode->term == term) found.push_back(*episode);
  return found;
}

void PendingQueue::add(core::Moment now, std::vector<PendingItem> events, std::uint64_t after) {
  if (events.empty() && after == 0) return;
  PendingCycle& cycle = cycle_at(now);
  std::ranges::move(events, std::back_inserter(cycle.items));
  cycle.after = after;
  merge_cycles();
}

void PendingQueue::add(core::Moment now, PendingItem item) {
  cycle_at(now).items.push_back(std::move(item));
  merge_cycles();
  std::vector<PendingItem>& items = cycles_.back().items;
  const auto others = items.size() - static_cast<std::size_t>(std::ranges::count_if(items, is_event));
  if (others <= limits_.items) return;
  // Drops a quarter at once, so that a flood does not cause a scan for each item.
  std::size_t over = others - limits_.items * 3 / 4;
  crowded_out_ +=
      std::erase_if(items, [&](const PendingItem& one) { return !is_event(one) && over > 0 && over-- > 0; });
}

// The cycle of this moment, created if the last one has ended.
PendingCycle& PendingQueue::cycle_at(core::Moment now) {
  if (cycles_.empty() || cycles_.back().after > 0 || cycles_.back().now != now)
    cycles_.push_back({.now = now});
  return cycles_.back();
}

PendingCycle PendingQueue::take() {
  PendingCycle next = std::move(cycles_.front());
  cycles_.pop_front();
  return next;
}

// Merges all cycles into one, at the time of the last, if there are too many.
void PendingQueue::merge_cycles() {
  if (cycles_.size() <= limits_.cycles) return;
  PendingCycle one = take();
  for (PendingCycle& next : cycles_) {
    one.before += std::exchange(one.after, next.after) + next.before;
    one.now = next.now;
    std::ranges::move(next.items, std::back_inserter(one.items));
  }
  late_ += std::erase_if(
      one.items, [&](const PendingItem& item) { return is_event(item) && !can_send_(item.time, one.now); });
  keep_best_events(one.items);
  drop_repeated(one.items);
  cycles_.clear();
  cycles_.push_back(std::move(one));
}

void PendingQueue::keep_best_events(std::vector<PendingItem>& items) {
  std::vector<std::pair<double, std::uint64_t>> budgets;  // of equal budgets the later one wins
  for (const PendingItem& item : items)
    if (is_event(item)) budgets.emplace_back(item.budget, item.episode);
  if (budgets.size() <= limits_.events) return;
  const auto least = budgets.end() - static_cast<std::ptrdiff_t>(limits_.events);
  std::ranges::nth_element(budgets, least);
  crowded_out_ += std::erase_if(items, [&](const PendingItem& item) {
    return is_event(item) && std::pair(item.budget, item.episode) < *least;
  });
}

// Keeps the last occurrence of each goal and of each advice.
void PendingQueue::drop_repeated(std::vector<PendingItem>& items) {
  std::set<std::string> seen;
  const auto repeats = [](const PendingItem& item) {
    return item.kind == ItemKind::goal || item.kind == ItemKind::advice;
  };
  for (auto item = items.rbegin(); item != items.rend(); ++item)
    if (repeats(*item) && !seen.insert(item->text).second) item->text.clear();
  crowded_out_ +=
      std::erase_if(items, [&](const PendingItem& item) { return repeats(item) && item.text.empty(); });
}

}  // namespace engram::bridge
