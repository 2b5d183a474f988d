// SPDX-License-Identifier: MIT
#include "core/events/event_kinds.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace engram::core;

namespace {

void no_eviction(const std::vector<EventKind>&) { FAIL("no kind may be evicted"); }

}  // namespace

TEST_CASE("EventKinds maps terms to numbers and back", "[events]") {
  EventKinds kinds(16);
  const EventKind a = kinds.intern("a", no_eviction), b = kinds.intern("<b --> c>", no_eviction);
  CHECK(a != b);
  CHECK(kinds.intern("a", no_eviction) == a);
  CHECK(kinds.find("<b --> c>") == b);
  CHECK(kinds.find("c") == EventKinds::none);
  CHECK(kinds.term(b) == "<b --> c>");
  CHECK(kinds.size() == 2);
}

TEST_CASE("a full table evicts the least recently named third, except pinned kinds", "[events]") {
  EventKinds kinds(18);
  for (int i = 0; i < 18; ++i) kinds.intern("e" + std::to_string(i), no_eviction);
  kinds.intern("e0", no_eviction);
  kinds.pin(kinds.find("e1"), true);
  std::vector<EventKind> gone;
  const EventKind added = kinds.intern("new", [&](const std::vector<EventKind>& evicted) { gone = evicted; });
  CHECK(gone == std::vector<EventKind>{2, 3, 4, 5, 6});  // a third of the 17 kinds that are not pinned
  CHECK(std::ranges::find(gone, added) != gone.end());
  CHECK(kinds.find("e2") == EventKinds::none);
  CHECK(kinds.find("e0") == 0);
  CHECK(kinds.find("e1") == 1);
  CHECK(kinds.size() == 14);
}

TEST_CASE("a stream of new names stays within the capacity", "[events]") {
  EventKinds kinds(100);
  std::size_t times = 0;
  for (int i = 0; i < 10'000; ++i) {
    kinds.intern("name_" + std::to_string(i), [&](const std::vector<EventKind>&) { ++times; });
    REQUIRE(kinds.size() <= 100);
  }
  CHECK(times == 9900 / 33);
  CHECK(kinds.bytes() < 100 * 100);
  CHECK_THROWS_AS(EventKinds(3), std::invalid_argument);
}
