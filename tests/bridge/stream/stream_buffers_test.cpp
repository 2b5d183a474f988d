// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_buffers.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace engram::bridge::stream_buffers_tests {
namespace {

using Kind = PendingItem::Kind;

PendingItem event(const char* text, core::Moment time, double budget) {
  static std::uint64_t episodes = 0;
  return {.text = text, .time = time, .episode = ++episodes, .budget = budget};
}

std::string texts(const PendingCycle& cycle) {
  std::string text;
  for (const PendingItem& item : cycle.items) text += item.text;
  return text;
}

bool now_alone(core::Moment time, core::Moment now) { return time >= now; }
bool any_time(core::Moment, core::Moment) { return true; }

}  // namespace

TEST_CASE("cycles are delivered unchanged if the NARS keeps up", "[bridge][stream]") {
  PendingQueue queue({.cycles = 2}, now_alone);
  queue.add(1, {event("a", 1, 0.5), event("b", 1, 0.5)}, 0);
  queue.add(1, {.kind = Kind::goal, .text = "G"});
  queue.add(1, {}, 5);
  const PendingCycle first = queue.take();
  CHECK((texts(first) == "abG" && first.before == 0 && first.after == 5 && first.now == 1));
  CHECK(queue.empty());
  queue.add(2, {}, 0);
  CHECK(queue.empty());
}

TEST_CASE(
    "waiting cycles merge into one if the NARS is slow: past events are late or the best ones stay, and no "
    "time is lost",
    "[bridge][stream]") {
  PendingQueue late({.cycles = 2, .events = 2}, now_alone);
  PendingQueue past({.cycles = 2, .events = 2}, any_time);
  for (PendingQueue* queue : {&late, &past}) {
    for (core::Moment now = 1; now <= 5; ++now) {
      const char* const names[] = {"a", "b", "c", "d", "e"};
      queue->add(now, {event(names[now - 1], now, 1.0 / static_cast<double>(now))}, 0);
      queue->add(now, {.kind = Kind::goal, .text = now % 2 == 0 ? "H" : "G"});
      if (now < 5) queue->add(now, {}, 4);
    }
  }
  // Every queue overflowed twice: at c and at e.
  const PendingCycle now = late.take(), all = past.take();
  CHECK((late.empty() && past.empty()));
  CHECK(texts(now) == "GHeG");
  CHECK((now.before == 16 && now.after == 0 && now.now == 5));
  CHECK(late.late() == 4);
  CHECK(late.crowded_out() == 2);  // two repeated goals were dropped
  CHECK(texts(all) == "abGHG");    // the events c, d and e have the smallest budgets, so they were dropped
  CHECK(past.crowded_out() == 5);
}

TEST_CASE("the queue is bounded and drops its oldest items", "[bridge][stream]") {
  PendingQueue queue({.cycles = 2, .items = 8}, now_alone);
  for (int i = 0; i < 1000; ++i) queue.add(1, {.kind = Kind::question, .text = std::to_string(i)});
  const PendingCycle cycle = queue.take();
  CHECK(cycle.items.size() <= 8);
  CHECK(cycle.items.back().text == "999");
  CHECK(queue.crowded_out() + cycle.items.size() == 1000);
}

TEST_CASE("EpisodeLog keeps the latest episodes within its limits and finds them by term",
          "[bridge][stream]") {
  EpisodeLog log(3, 1 << 20);
  for (int time = 1; time <= 5; ++time)
    log.add(Episode::Kind::event, time % 2 == 0 ? "even" : "odd", time, false);
  CHECK((log.size() == 3));
  log.pass(5);
  log.pass(1);  // ignored: episode 1 has left the log
  log.pass(6);  // ignored: episode 6 does not exist
  const auto odd = log.of("odd", 10);
  REQUIRE(odd.size() == 2);
  CHECK((odd[0].time == 5 && odd[0].passed && odd[1].time == 3 && !odd[1].passed));
  CHECK(log.of("odd", 1).size() == 1);
  EpisodeLog small(1000, 2000);
  for (int i = 0; i < 100; ++i) small.add(Episode::Kind::event, std::string(500, 'x'), i, false);
  CHECK(small.size() <= 4);
}

}  // namespace engram::bridge::stream_buffers_tests
