// SPDX-License-Identifier: MIT
#include "bridge/session.hpp"

#include <sstream>

#include "tests/support/catch.hpp"

using namespace engram;
using bridge::Session;

namespace {

bridge::InputReport feed(Session& session, const std::string& text) {
  std::istringstream in(text);
  return session.input(in);
}

}  // namespace

TEST_CASE("input keeps the good lines, places the bad ones, and lets cycle numbers pass time",
          "[bridge][session]") {
  Session session;
  const auto report =
      feed(session, "<a --> b>.\n<a -> b>.\n10\n// a comment\n\n<b --> c>. %0.5%\n<a --> c>?\n");
  CHECK(report.accepted == 3);
  REQUIRE(report.rejected.size() == 1);
  CHECK(report.rejected[0].line == 2);
  CHECK(report.rejected[0].column == 4);
  CHECK(session.memory().statements().size() == 2);
  CHECK(session.memory().now() == 13);
}

TEST_CASE("a sentence past a limit is rejected with its line and the rest is kept", "[bridge][session]") {
  core::MemoryOptions options;
  options.limits.max_active = 2;
  Session session(options);
  const auto report = feed(session, "<a --> b>.\n(&&,a,b,c).\n<a --> c>.\n");
  CHECK(report.accepted == 2);
  REQUIRE(report.rejected.size() == 1);
  CHECK(report.rejected[0].line == 2);
  CHECK(report.rejected[0].message.find("limit is 2") != std::string::npos);
}

TEST_CASE("readings follow the memory", "[bridge][session]") {
  Session session;
  CHECK(session.readings().statements() == 0);
  feed(session, "<a --> b>.");
  CHECK(session.readings().statements() == 1);
  feed(session, "<b --> c>.");
  CHECK(session.readings().statements() == 2);
  session.reset();
  CHECK(session.readings().statements() == 0);
  CHECK(session.readings().concepts() == 0);
}

TEST_CASE("a cue is a sentence or a term, and names what the memory knows", "[bridge][session]") {
  Session session;
  feed(session, "<a --> b>.");
  CHECK((*session.cue("<a --> ?1>?")).sum() == 1);
  CHECK((*session.cue("<a --> b>")).sum() == 2);
  CHECK((*session.cue("unheard")).sum() == 0);
  const auto wrong = session.cue("<a --> ");
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().offset == 7);
}

TEST_CASE("a weighted cue may name only concepts that can be active", "[bridge][session]") {
  Session session;
  feed(session, "<{SELF} --> b>.");
  CHECK(session.known_concept("b")->has_value());
  CHECK_FALSE(session.known_concept("{SELF}")->has_value());  // a concept, but one that only conducts
  CHECK_FALSE(session.known_concept("unheard")->has_value());
  CHECK_FALSE(session.known_concept("?1")->has_value());
  CHECK_FALSE(session.known_concept("<b").has_value());
}

TEST_CASE("names that are only asked about fill a memory no further than its limit", "[bridge][session]") {
  core::MemoryOptions options;
  options.limits.max_concepts = 1000;
  constexpr std::size_t most = (1 << 20) + 256 * 1000;
  Session session(options);
  feed(session, "<a --> b>.");
  std::size_t asked = 0;
  while (asked < 10'000 && session.cue(std::string(1000, 'x') + std::to_string(asked))) ++asked;
  CHECK(asked > 1000);
  CHECK(asked < 1300);  // of 1000 bytes each
  CHECK(session.change().terms().memory_bytes() > most);
  CHECK(session.change().terms().memory_bytes() < most + 4096);
  CHECK(session.cue("a").error().message().find("the limit") != std::string::npos);
  CHECK_FALSE(session.known_concept("a"));
  const auto report = feed(session, "<a --> c>.\n<a --> c>?");
  CHECK(report.accepted == 0);
  CHECK(report.rejected.size() == 1);
  session.reset();
  CHECK(feed(session, "<a --> c>.").accepted == 1);
  CHECK(session.cue("a"));
}
