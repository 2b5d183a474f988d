// SPDX-License-Identifier: MIT
#include "bridge/session.hpp"

#include <sstream>

#include "bridge/attached_memory.hpp"
#include "bridge/protocol.hpp"
#include "narsese/printer.hpp"
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

TEST_CASE("names that are only asked about are gone with the request", "[bridge][session]") {
  core::MemoryOptions options;
  options.limits.max_bytes = std::size_t{1} << 20;
  const auto session = std::make_shared<Session>(options);
  bridge::Protocol protocol = bridge::Protocol::on(session);
  CHECK(protocol.handle(R"({"id": 1, "op": "input", "narsese": "<tim --> cat>."})").find("true") !=
        std::string::npos);
  const auto bytes = [&] { return session->bytes(); };
  const std::size_t terms = session->change().terms().size(), before = bytes();
  std::size_t refused = 0, most = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string n = std::to_string(i);
    for (const std::string& request :
         {R"({"op": "recall", "cue": "<fresh)" + n + R"( --> ?1>?", "method": "uniform"})",
          R"({"op": "recall", "cue": {"other)" + n + R"(": 1}, "method": "uniform"})",
          R"({"op": "links", "term": "third)" + n + R"("})",
          R"({"op": "input", "narsese": "<tim --> fourth)" + n + R"(>?\n<oops)" + n +
              R"( --> \n//expected: Answer: <fifth)" + n + R"( --> tim>"})"})
      refused += protocol.handle(request).find(R"("ok":true)") == std::string::npos;
    most = std::max(most, bytes());
  }
  CHECK(refused == 0);
  CHECK(session->change().terms().size() == terms);
  CHECK(most < before + 150'000);  // a block and an index to spare
  CHECK(protocol.handle(R"({"op": "recall", "cue": "tim"})").find(R"("term":"cat")") != std::string::npos);
}

TEST_CASE("a session that gives names back has learnt what any other has, and knows it by name",
          "[bridge][session]") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::uint64_t state = seed;
    const auto below = [&](std::uint64_t n) {
      state = narsese::mix(state + 0x9e3779b97f4a7c15ULL);
      return state % n;
    };
    std::size_t fresh = 0;
    const auto name = [&] { return "n" + std::to_string(below(3) == 0 ? 1000 + fresh++ : below(200)); };
    const auto line = [&]() -> std::string {
      const std::string a = name(), b = name();
      switch (below(9)) {
        case 0:
          return "<" + a + " --> ?1>?";
        case 1:
          return "<" + a + " --> (" + b;
        case 2:
          return "//expected: Answer: <" + a + " --> " + b + ">.";
        case 3:
          return "<" + a + " <-> " + b +
                 ">. %1.00000000000000000000000000000000;0.50000000000000000000000000000000%";
        case 4:
          return "<<$1 --> " + a + "> ==> <$1 --> (*," + b + ",$2)>>.";
        case 5:
          return "(&&,a1,a2,a3,a4," + a + "," + b + ").";  // refused: too many
        case 6:
          return "$1.";
        default:
          return "<" + a + " --> " + b + ">. %0." + std::to_string(below(9) + 1) + "%";
      }
    };
    core::MemoryOptions options;
    options.limits.max_active = 4;
    Session plain(options), giving(options);
    std::size_t differences = 0;
    for (int request = 0; request < 120; ++request) {
      std::string text;
      for (std::uint64_t lines = below(300); lines > 0; --lines) text += line() + "\n";
      const auto expected = feed(plain, text);
      const Session::Request guard(giving);
      const auto found = feed(giving, text);
      differences += found.accepted != expected.accepted || found.rejected.size() != expected.rejected.size();
      if (request % 3 == 0) {
        const auto cue = giving.cue("<" + name() + " --> ?1>?");
        if (cue->size() > 0 && cue->sum() > 0) giving.recall(*core::find_method("attention"), {}, *cue);
      }
    }
    CHECK(differences == 0);
    CHECK(bridge::memory_text(giving.memory()) == bridge::memory_text(plain.memory()));
    core::Memory& memory = giving.change();
    for (core::ConceptId id = 0; id < memory.graph().size(); ++id) {
      const narsese::Term term = memory.graph()[id].term;
      differences += memory.graph().find(term) != id;
      differences +=
          !term.has_variables() && !(*narsese::parse_term(narsese::print(term), memory.terms()) == term);
    }
    CHECK(differences == 0);
    CHECK(plain.change().terms().size() > giving.change().terms().size() + fresh / 3);
  }
}

TEST_CASE("a limit in bytes holds for what is learnt, for readings and for the recall", "[bridge][session]") {
  core::MemoryOptions options;
  options.limits.max_bytes = std::size_t{3} << 20;
  Session session(options);
  std::string text;
  for (int i = 0; i < 8000; ++i)
    text += "<a" + std::to_string(i) + " --> b" + std::to_string(i % 50) + ">.\n";
  const core::Method& method = *core::find_method("concept_attention");
  const auto recalled = [&](const core::Options& options_of_method) {
    const Session::Request request(session);
    session.recall(method, options_of_method, *session.cue("b1"));
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
    FAIL("there are not so many bytes");
  } catch (const core::WorkStopped& stopped) {
    CHECK(stopped.reason == core::WorkStopped::Reason::bytes);
  }
  CHECK(session.memory().statements().size() == statements);
  CHECK(session.bytes() == session.memory().bytes());  // nothing is kept of what was stopped
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
