// SPDX-License-Identifier: MIT
#include "experiments/pages/forgotten_page.hpp"

#include "experiments/inputs/forgotten.hpp"
#include "experiments/pages/session_report.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

Json some() {
  return {{"policy", "recent"},
          {"statements", 7},
          {"concepts", 5},
          {"links", 4},
          {"times", {{"statements", 2}, {"decayed", 1}}},
          {"cycles", 40},
          {"held", 6},
          {"moments",
           {{{"from", 10},
             {"to", 20},
             {"times", {{"statements", 2}}},
             {"before", 9},
             {"left", 6},
             {"statements", 6},
             {"concepts", 4},
             {"links", 4},
             {"examples", {"<a --> b>", "<script>"}}},
            {{"from", 30},
             {"to", 30},
             {"times", {{"decayed", 1}}},
             {"before", 7},
             {"left", 6},
             {"statements", 1},
             {"concepts", 1},
             {"links", 0},
             {"examples", Json::array()}}}}};
}

TEST_CASE("the part about forgetting shows how much was forgotten, when, why, and examples",
          "[experiments][pages][forgetting]") {
  const std::string html = forgotten_html(some());
  for (const char* text : {"7 statements went, and with them 5 concepts and 4 links",
                           "2 times because there was no room for another statement; once because their "
                           "evidence had decayed away",
                           "<code>recent</code>, what was said last", "6 are left", "<th>10–20</th>",
                           "<th>30</th>", "<td>no room: statements</td>", "<td>decayed away</td>",
                           "<code>&lt;a --&gt; b&gt;</code>, <code>&lt;script&gt;</code>"})
    CHECK(html.find(text) != std::string::npos);
  CHECK(count(html, "class=\"mark\"") == 2);
  CHECK(html.find("<script>") == std::string::npos);
  Json none = some();
  none["moments"] = Json::array();
  CHECK(forgotten_html(none) == "<p>Nothing: no limit was reached, and nothing had decayed away.</p>\n");
  Json broken = some();
  broken["moments"][0].erase("left");
  CHECK_THROWS_AS(forgotten_html(broken), Json::exception);
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
    CHECK(page.find(text) != std::string::npos);
  bridge::AttachedMemory memory(start);
  for (const auto& entry : entries) memory.apply(entry);
  const auto gone = memory.session().forgetting().state().so_far.statements;
  CHECK(gone > 150);
  CHECK(page.find(std::to_string(gone) + " statements went") != std::string::npos);

  start.forgetting = core::ForgettingPolicy::none;
  CHECK(session_report(start, entries).find("What was forgotten") == std::string::npos);
  start.forgetting = core::ForgettingPolicy::useful;
  start.limits = {};
  CHECK(session_report(start, entries).find("<p>Nothing: no limit was reached") != std::string::npos);
}

}  // namespace
}  // namespace engram::experiments
