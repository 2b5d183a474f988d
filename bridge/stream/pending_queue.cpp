// SPDX-License-Identifier: MIT
#include "bridge/stream/pending_queue.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace engram::bridge {
namespace {

using ItemKind = PendingItem::Kind;

bool is_event(const PendingItem& item) { return item.kind == ItemKind::event; }

}  // namespace

void PendingQueue::add(core::Moment now, std::vector<PendingItem> events, std::uint64_t after) {
  if (events.empty() && after == 0) return;
  PendingCycle& cycle = last(now);
  std::ranges::move(events, std::back_inserter(cycle.items));
  cycle.after = after;
  catch_up();
}

void PendingQueue::add(core::Moment now, PendingItem item) {
  last(now).items.push_back(std::move(item));
  catch_up();
  std::vector<PendingItem>& items = cycles_.back().items;
  const auto others = items.size() - static_cast<std::size_t>(std::ranges::count_if(items, is_event));
  if (others <= limits_.items) return;
  // Drops a quarter at once, so that a flood does not cause a scan for each item.
  std::size_t over = others - limits_.items * 3 / 4;
  crowded_out_ +=
      std::erase_if(items, [&](const PendingItem& one) { return !is_event(one) && over > 0 && over-- > 0; });
}

// The cycle of this moment, created if the last one has ended.
PendingCycle& PendingQueue::last(core::Moment now) {
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
void PendingQueue::catch_up() {
  if (cycles_.size() <= limits_.cycles) return;
  PendingCycle one = take();
  for (PendingCycle& next : cycles_) {
    one.before += std::exchange(one.after, next.after) + next.before;
    one.now = next.now;
    std::ranges::move(next.items, std::back_inserter(one.items));
  }
  late_ += std::erase_if(
      one.items, [&](const PendingItem& item) { return is_event(item) && !tellable_(item.time, one.now); });
  keep_best(one.items);
  say_goals_once(one.items);
  cycles_.clear();
  cycles_.push_back(std::move(one));
}

void PendingQueue::keep_best(std::vector<PendingItem>& items) {
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

// Keeps the last occurrence of each goal.
void PendingQueue::say_goals_once(std::vector<PendingItem>& items) {
  std::set<std::string> said;
  for (auto item = items.rbegin(); item != items.rend(); ++item)
    if (item->kind == ItemKind::goal && !said.insert(item->text).second) item->text.clear();
  crowded_out_ += std::erase_if(
      items, [](const PendingItem& item) { return item.kind == ItemKind::goal && item.text.empty(); });
}

}  // namespace engram::bridge
