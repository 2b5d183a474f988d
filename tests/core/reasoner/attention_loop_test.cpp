// SPDX-License-Identifier: MIT
#include "core/reasoner/question_answering.hpp"

#include <memory>
#include <sstream>

#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core::attention_loop_tests {
namespace {

// A memory, a reasoner with its statements, and a method that prefers the statements with a given name.
struct World {
  explicit World(std::string_view narsese) {
    session.input(narsese);
    auto made = by_worth([](Knowledge&, SentenceId) { return 1.0; });
    WorthControl& control = *made;
    const auto attend = [this](core::Session& memory, const core::Cue& cue) {
      ++asked;
      CHECK(cue.activation.size() == static_cast<core::Index>(memory.memory().graph().size()));
      core::Vector scores(static_cast<core::Index>(memory.memory().statements().size()));
      known.clear();
      for (core::StatementId id = 0; id < memory.memory().statements().size(); ++id) {
        const std::string term = narsese::print(memory.memory().statements()[id].sentence.term);
        known.insert(term);
        scores[id] = term.find(wanted) != term.npos ? 1 : 0;
      }
      return scores;
    };
    const core::Cue cue = *session.cue("<a --> ?1>?");
    loop = std::make_unique<AttentionLoop>(session, cue, attend, control);
    reasoner = std::make_unique<Reasoner>(table, std::move(made));
    reasoner->observe([this](const ReasonerEvent& event) {
      loop->observe(*reasoner, event);
      if (event.kind == ReasonerEvent::Kind::derived)
        derived.push_back(narsese::print(reasoner->knowledge()[event.sentence].term));
    });
    std::string line;
    std::istringstream in{std::string(narsese)};
    while (std::getline(in, line)) reasoner->input(*narsese::parse_sentence(line, table));
  }

  core::Session session;
  narsese::TermTable table;
  std::unique_ptr<Reasoner> reasoner;
  std::unique_ptr<AttentionLoop> loop;
  std::set<std::string> known;
  std::vector<std::string> derived;
  std::string wanted = "nothing has this";
  std::size_t asked = 0;
};

const char* const two_chains = "<a --> b>.\n<b --> c>.\n<c --> d>.\n<x --> y>.\n<y --> z>.\n<z --> w>.";

}  // namespace

TEST_CASE("a copy of the memory gets strong conclusions only", "[reasoner]") {
  World world("<a --> b>.\n<b --> c>.\n<a --> d>.");
  world.reasoner->run(30);
  world.loop->refresh(*world.reasoner);
  CHECK(world.asked == 1);
  for (const char* strong : {"<a --> b>", "<b --> c>", "<a --> d>", "<a --> c>"})
    CHECK(world.known.contains(strong));
  // <b --> d> follows only by induction, whose conclusions are too weak for the copy.
  CHECK(std::ranges::find(world.derived, "<b --> d>") != world.derived.end());
  CHECK_FALSE(world.known.contains("<b --> d>"));
  CHECK(world.session.memory().statements().size() == 3);
}

TEST_CASE("the reasoner continues with the statements that the method prefers", "[reasoner]") {
  for (const char* wanted : {"z", "c"}) {
    World world(two_chains);
    world.wanted = wanted;
    world.loop->refresh(*world.reasoner);
    world.reasoner->run(14);
    const auto first_with = [&](const char* name) {
      const auto found = std::ranges::find_if(
          world.derived, [&](const std::string& term) { return term.find(name) != term.npos; });
      return found - world.derived.begin();
    };
    INFO(wanted);
    CHECK((first_with("x") < first_with("a")) == (std::string(wanted) == "z"));
  }
}

TEST_CASE("scores of zero change nothing", "[reasoner]") {
  World world(two_chains), other(two_chains);
  for (int i = 0; i < 10; ++i) {
    world.reasoner->run(5);
    world.loop->refresh(*world.reasoner);
    other.reasoner->run(5);
  }
  CHECK(world.asked == 10);
  CHECK(world.derived == other.derived);
}

}  // namespace engram::core::attention_loop_tests
