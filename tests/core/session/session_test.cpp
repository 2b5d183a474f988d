// SPDX-License-Identifier: MIT
#include "core/session/session.hpp"

#include <sstream>

#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using core::Session;

namespace {

core::InputReport feed(Session& session, const std::string& text) {
  std::istringstream in(text);
  return session.read(in);
}

}  // namespace

TEST_CASE("read() accepts good lines, reports bad ones, and advances by cycle numbers", "[session]") {
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

TEST_CASE("input() of a text equals read() of a stream", "[session]") {
  const std::string text = "<a --> b>.\n<a -> b>.\n10\n<b --> c>. %0.5%\n//expected: x\n<a --> c>?";
  Session read, whole;
  const auto of_stream = feed(read, text), of_text = whole.input(text);
  CHECK(of_text.accepted == of_stream.accepted);
  CHECK(of_text.accepted == 3);
  REQUIRE(of_text.rejected.size() == 1);
  CHECK(of_text.rejected_in_all == 1);
  CHECK(of_text.rejected[0].line == 2);
  CHECK(whole.memory().now() == read.memory().now());
  CHECK(whole.memory().statements().size() == 2);
  CHECK(whole.input("<a -> b>.\n", narsese::Dialect::ona).rejected_in_all == 1);
}

TEST_CASE("a sentence beyond a limit is rejected with its line, and the others are accepted", "[session]") {
  core::MemoryOptions options;
  options.limits.max_active = 2;
  Session session(options);
  const auto report = feed(session, "<a --> b>.\n(&&,a,b,c).\n<a --> c>.\n");
  CHECK(report.accepted == 2);
  REQUIRE(report.rejected.size() == 1);
  CHECK(report.rejected[0].line == 2);
  CHECK(report.rejected[0].message.find("limit is 2") != std::string::npos);
}

TEST_CASE("the index follows the memory", "[session]") {
  Session session;
  CHECK(session.index().statements() == 0);
  feed(session, "<a --> b>.");
  CHECK(session.index().statements() == 1);
  feed(session, "<b --> c>.");
  CHECK(session.index().statements() == 2);
  session.reset();
  CHECK(session.index().statements() == 0);
  CHECK(session.index().concepts() == 0);
}

TEST_CASE("a cue is a sentence or a term with known concepts", "[session]") {
  Session session;
  feed(session, "<a --> b>.");
  CHECK(session.cue("<a --> ?1>?")->activation.whole().sum() == 1);
  CHECK(session.cue("<a --> b>")->activation.whole().sum() == 2);
  CHECK(session.cue("unheard")->activation.whole().sum() == 0);
  const auto wrong = session.cue("<a --> ");
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().offset == 7);
}

TEST_CASE("known_concept() finds only concepts with activation", "[session]") {
  Session session;
  feed(session, "<{SELF} --> b>.");
  CHECK(session.known_concept("b")->has_value());
  CHECK_FALSE(session.known_concept("{SELF}")->has_value());  // {SELF} is a concept that only conducts
  CHECK_FALSE(session.known_concept("unheard")->has_value());
  CHECK_FALSE(session.known_concept("?1")->has_value());
  CHECK_FALSE(session.known_concept("<b").has_value());
}

TEST_CASE("the limit of bytes holds for memory, index and recall together", "[session]") {
  core::MemoryOptions options;
  options.limits.max_bytes = std::size_t{2} << 20;
  Session session(options);
  std::string text;
  for (int i = 0; i < 8000; ++i)
    text += "<a" + std::to_string(i) + " --> b" + std::to_string(i % 50) + ">.\n";
  const core::Method& method = core::method_named("concept_attention");
  const auto recalled = [&](const core::Options& options_of_method) {
    const Session::Request request(session);
    session.recall(core::ConfiguredMethod(method, options_of_method), *session.cue("b1"));
    return session.bytes();
  };
  {
    const Session::Request request(session);
    const auto report = feed(session, text);
    CHECK(report.accepted > 1000);
    REQUIRE_FALSE(report.rejected.empty());
    CHECK(report.rejected[0].message.find("the memory is full") == 0);
    CHECK(report.accepted + report.rejected.size() == 8000);
  }
  CHECK(session.bytes() <= options.limits.max_bytes);
  const core::Options large{{"embedding", std::string("random_indexing")}, {"dimensions", 2000.0}};
  const std::size_t statements = session.memory().statements().size();
  try {
    recalled(large);
    FAIL("the recall must exceed the limit of bytes");
  } catch (const core::WorkStopped& stopped) {
    CHECK(stopped.reason == core::WorkStopped::Reason::bytes);
  }
  CHECK(session.memory().statements().size() == statements);
  CHECK(session.bytes() == session.memory().bytes());  // a stopped recall leaves nothing in memory
  session.reset();
  {
    const Session::Request request(session);
    text.resize(text.size() / 20);
    feed(session, text);
  }
  const std::size_t learnt = session.bytes();
  CHECK(recalled({}) > learnt);
  CHECK(recalled({{"embedding", std::string("random_indexing")}, {"dimensions", 16.0}}) > learnt);
  CHECK_THROWS_AS(recalled(large), core::WorkStopped);
  CHECK(recalled({}) <= options.limits.max_bytes);
}
