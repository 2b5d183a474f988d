// SPDX-License-Identifier: MIT
#include "experiments/pages/live_report.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;

namespace {

// Counts of a stream after `now` cycles with one operation each. Until cycle `half`, half of the operations reach their
// goal; afterwards all do.
bridge::StreamCounts counts_at(core::Moment now, core::Moment half) {
  bridge::StreamCounts counts;
  counts.now = now;
  const auto cycles = static_cast<std::uint64_t>(now),
             early = static_cast<std::uint64_t>(std::min(now, half));
  counts.events = 4 * cycles;
  counts.passed = 2 * cycles;
  counts.failed = early / 2;
  counts.reached = cycles - counts.failed;
  return counts;
}

}  // namespace

TEST_CASE("a stream's history is bounded and evenly spaced", "[experiments][pages]") {
  for (const core::Moment all : {1, 100, 239, 240, 241, 1000, 100'000}) {
    INFO(all);
    StreamHistory history;
    for (core::Moment now = 0; now < all; ++now) history.look(counts_at(now, all / 2));
    const auto& moments = history.moments();
    REQUIRE(moments.size() <= StreamHistory::most);
    REQUIRE(moments.size() >= static_cast<std::size_t>(std::min<core::Moment>(all, StreamHistory::most / 2)));
    const core::Moment step = moments.size() > 1 ? moments[1].now - moments[0].now : 1;
    for (std::size_t i = 0; i < moments.size(); ++i)
      REQUIRE(moments[i].now == step * static_cast<core::Moment>(i));
    CHECK(all - moments.back().now <= step);
  }
}

TEST_CASE("a stream's page has its curves, the learnt implications and the counts", "[experiments][pages]") {
  StreamHistory history;
  for (core::Moment now = 0; now < 1000; ++now) history.look(counts_at(now, 500));
  const std::string page =
      stream_report("ONA", history, counts_at(1000, 500), {"<(&/,a,^left) =/> g>. %1;0.9%"});
  CHECK(contains(page, "4000 input events, 2000 selected"));
  CHECK(contains(page, "&lt;(&amp;/,a,^left) =/&gt; g&gt;. %1;0.9%"));
  CHECK(times(page, "<figure class=\"lane\">") == 3);
  CHECK(contains(page, "operations that missed their goal"));
  // No events were dropped, so the page does not mention the limit.
  CHECK_FALSE(contains(page, "events beyond the limit of a cycle"));
  // The y coordinate of the curve is 68 for a share of 1/2, and 8 for a share of 1.
  const std::size_t curve = page.find("points=\"", page.find("share of operations"));
  const std::string share = page.substr(curve, page.find("\"/>", curve) - curve);
  CHECK(times(share, ",68.0 ") + times(share, ",67.") + times(share, ",68.") >= 15);
  CHECK(times(share, ",8.0 ") >= 15);
  CHECK(share.ends_with(",8.0 "));
}

TEST_CASE("an empty stream has a page", "[experiments][pages]") {
  const std::string page = stream_report("ONA", {}, {}, {});
  CHECK(contains(page, "Nothing: no operation was followed by a wanted goal"));
}

TEST_CASE("a session's page has the part about forgetting only if its memory may forget",
          "[experiments][pages][forgetting]") {
  using Kind = bridge::TranscriptEntry::Kind;
  std::vector<bridge::TranscriptEntry> entries;
  for (int i = 0; i < 200; ++i) entries.push_back({Kind::input, "<n" + std::to_string(i) + " --> thing>."});
  entries.push_back({Kind::input, "<n199 --> ?1>?"});
  bridge::SessionStart start{.system = &bridge::ona(), .forgetting = core::ForgettingPolicy::useful};
  start.limits.max_statements = 30;
  const std::string page = session_report(start, entries);
  for (const char* text : {"<h2>What was forgotten</h2>", "<code>useful</code>", "no room: statements",
                           "aria-label=\"statements in memory over time\"", "&lt;n9 --&gt; thing&gt;"})
    CHECK(contains(page, text));
  bridge::AttachedMemory memory(start);
  for (const auto& entry : entries) memory.apply(entry);
  const auto gone = memory.session().forgetting().state().so_far.statements;
  CHECK(gone > 150);
  CHECK(contains(page, "The memory forgot " + std::to_string(gone) + " statements"));

  start.forgetting = core::ForgettingPolicy::none;
  CHECK_FALSE(contains(session_report(start, entries), "What was forgotten"));
  start.forgetting = core::ForgettingPolicy::useful;
  start.limits = {};
  CHECK(contains(session_report(start, entries), "<p>Nothing: no limit was reached"));
}
