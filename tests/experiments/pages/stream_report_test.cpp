// SPDX-License-Identifier: MIT
#include "experiments/pages/stream_report.hpp"

#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

namespace {

// Counts after `now` cycles. Half of the operations reach their goal before `half`, all of them later.
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

std::size_t times(const std::string& page, const std::string& text) {
  std::size_t found = 0;
  for (std::size_t at = page.find(text); at != page.npos; at = page.find(text, at + 1)) ++found;
  return found;
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
  CHECK(page.find("4000 events came, 2000 were passed on") != page.npos);
  CHECK(page.find("&lt;(&amp;/,a,^left) =/&gt; g&gt;. %1;0.9%") != page.npos);
  CHECK(times(page, "<figure class=\"lane\">") == 3);
  CHECK(page.find("operations that did not, in time") != page.npos);
  CHECK(page.find("dropped: too many in a cycle") == page.npos);  // none were dropped
  // In the curve a share of one half is at y 68, a share of 1 at y 8.
  const std::size_t curve = page.find("points=\"", page.find("share of operations"));
  const std::string share = page.substr(curve, page.find("\"/>", curve) - curve);
  CHECK(times(share, ",68.0 ") + times(share, ",67.") + times(share, ",68.") >= 15);
  CHECK(times(share, ",8.0 ") >= 15);
  CHECK(share.ends_with(",8.0 "));
}

TEST_CASE("an empty stream has a page", "[experiments][pages]") {
  const std::string page = stream_report("ONA", {}, {}, {});
  CHECK(page.find("Nothing: no operation was followed by a goal") != page.npos);
}
