// SPDX-License-Identifier: MIT
#include "core/events/event_kinds.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace engram::core;

namespace {

void nothing_goes(const std::vector<EventKind>&) { FAIL("nothing may be forgotten"); }

}  // namespace

TEST_CASE("a term keeps its number, and its text", "[events]") {
  EventKinds kinds(16);
  const EventKind a = kinds.of("a", nothing_goes), b = kinds.of("<b --> c>", nothing_goes);
  CHECK(a != b);
  CHECK(kinds.of("a", nothing_goes) == a);
  CHECK(kinds.find("<b --> c>") == b);
  CHECK(kinds.find("c") == EventKinds::none);
  CHECK(kinds.term(b) == "<b --> c>");
  CHECK(kinds.size() == 2);
}

TEST_CASE("a full table forgets the third that was named the longest ago, but no goal", "[events]") {
  EventKinds kinds(18);
  for (int i = 0; i < 18; ++i) kinds.of("e" + std::to_string(i), nothing_goes);
  kinds.of("e0", nothing_goes);
  kinds.pin(kinds.find("e1"), true);
  std::vector<EventKind> gone;
  const EventKind added = kinds.of("new", [&](const std::vector<EventKind>& forgotten) { gone = forgotten; });
  CHECK(gone == std::vector<EventKind>{2, 3, 4, 5, 6});  // a third of the 17 that are no goal
  CHECK(std::ranges::find(gone, added) != gone.end());
  CHECK(kinds.find("e2") == EventKinds::none);
  CHECK(kinds.find("e0") == 0);
  CHECK(kinds.find("e1") == 1);
  CHECK(kinds.size() == 14);
}

TEST_CASE("a stream of fresh names stays within the capacity", "[events]") {
  EventKinds kinds(100);
  std::size_t times = 0;
  for (int i = 0; i < 10'000; ++i) {
    kinds.of("name_" + std::to_string(i), [&](const std::vector<EventKind>&) { ++times; });
    REQUIRE(kinds.size() <= 100);
  }
  CHECK(times == 9900 / 33);
  CHECK(kinds.bytes() < 100 * 100);
  CHECK_THROWS_AS(EventKinds(3), std::invalid_argument);
}
