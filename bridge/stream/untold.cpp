// SPDX-License-Identifier: MIT
#include "bridge/stream/untold.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace engram::bridge {
namespace {

using ItemKind = UntoldItem::Kind;

bool is_event(const UntoldItem& item) { return item.kind == ItemKind::event; }

}  // namespace

void Untold::add(core::Moment now, std::vector<UntoldItem> events, std::uint64_t after) {
  if (events.empty() && after == 0) return;
  UntoldCycle& cycle = last(now);
  std::ranges::move(events, std::back_inserter(cycle.items));
  cycle.after = after;
  catch_up();
}

void Untold::add(core::Moment now, UntoldItem item) {
  last(now).items.push_back(std::move(item));
  catch_up();
  std::vector<UntoldItem>& items = cycles_.back().items;
  const auto others = items.size() - static_cast<std::size_t>(std::ranges::count_if(items, is_event));
  if (others <= limits_.items) return;
  // A quarter at once, so that a flood does not look at all of it each time.
  std::size_t over = others - limits_.items * 3 / 4;
  crowded_out_ +=
      std::erase_if(items, [&](const UntoldItem& one) { return !is_event(one) && over > 0 && over-- > 0; });
}

// That of this moment, whose time has not passed yet.
UntoldCycle& Untold::last(core::Moment now) {
  if (cycles_.empty() || cycles_.back().after > 0 || cycles_.back().now != now)
    cycles_.push_back({.now = now});
  return cycles_.back();
}

UntoldCycle Untold::take() {
  UntoldCycle next = std::move(cycles_.front());
  cycles_.pop_front();
  return next;
}

// Where there are too many cycles, all become one, of the moment of the last.
void Untold::catch_up() {
  if (cycles_.size() <= limits_.cycles) return;
  UntoldCycle one = take();
  for (UntoldCycle& next : cycles_) {
    one.before += std::exchange(one.after, next.after) + next.before;
    one.now = next.now;
    std::ranges::move(next.items, std::back_inserter(one.items));
  }
  late_ += std::erase_if(
      one.items, [&](const UntoldItem& item) { return is_event(item) && !tellable_(item.time, one.now); });
  keep_best(one.items);
  say_goals_once(one.items);
  cycles_.clear();
  cycles_.push_back(std::move(one));
}

void Untold::keep_best(std::vector<UntoldItem>& items) {
  std::vector<std::pair<double, std::uint64_t>> budgets;  // of two that are alike the later one is better
  for (const UntoldItem& item : items)
    if (is_event(item)) budgets.emplace_back(item.budget, item.episode);
  if (budgets.size() <= limits_.events) return;
  const auto least = budgets.end() - static_cast<std::ptrdiff_t>(limits_.events);
  std::ranges::nth_element(budgets, least);
  crowded_out_ += std::erase_if(items, [&](const UntoldItem& item) {
    return is_event(item) && std::pair(item.budget, item.episode) < *least;
  });
}

// The last time.
void Untold::say_goals_once(std::vector<UntoldItem>& items) {
  std::set<std::string> said;
  for (auto item = items.rbegin(); item != items.rend(); ++item)
    if (item->kind == ItemKind::goal && !said.insert(item->text).second) item->text.clear();
  crowded_out_ += std::erase_if(
      items, [](const UntoldItem& item) { return item.kind == ItemKind::goal && item.text.empty(); });
}

}  // namespace engram::bridge
