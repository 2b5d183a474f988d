// SPDX-License-Identifier: MIT
#include "experiments/imports/knowledge.hpp"

#include <set>
#include <string>

#include "tests/support/catch.hpp"

namespace engram::experiments {
namespace {

std::string text(const Knowledge& knowledge, const Claim& claim) {
  const auto name = [&](NameId id) { return knowledge.names()[id].source; };
  return name(claim.subject) + " " + (claim.kind == ClaimKind::relation ? name(claim.relation) : "is") + " " +
         name(claim.object);
}

// Forty people, each with a friend and a class. One further friendship is held out as a question.
Knowledge people() {
  Knowledge knowledge([](const Finding&) {});
  const auto name = [&](const std::string& text) { return knowledge.name(text, text, {}); };
  for (int i = 0; i < 40; ++i) {
    const std::string one = "p" + std::to_string(i), other = "p" + std::to_string((i + 1) % 40);
    knowledge.add({ClaimKind::relation, name(one), name(other), name("friend"), {}});
    knowledge.add({ClaimKind::inheritance, name(one), name("c" + std::to_string(i % 8)), 0, {}});
  }
  knowledge.hold_out({ClaimKind::relation, name("p0"), name("p5"), name("friend"), {}});
  return knowledge;
}

}  // namespace

TEST_CASE("wrong claims have the requested share and kinds, and contradict no claim of the source",
          "[experiments][imports]") {
  const Knowledge plain = people();
  for (const double share : {0.0, 0.25, 0.5}) {
    Knowledge knowledge = people();
    add_wrong_claims(knowledge, share, 7);
    const std::size_t wrong = knowledge.claims().size() - plain.claims().size();
    CHECK(static_cast<double>(wrong) / static_cast<double>(knowledge.claims().size()) ==
          Approx(share).margin(0.01));
    CHECK(knowledge.remarks.size() == (share > 0 ? 1 : 0));
    std::set<std::string> seen{text(knowledge, knowledge.held_out().front())};
    for (std::size_t i = 0; i < knowledge.claims().size(); ++i) {
      const Claim& claim = knowledge.claims()[i];
      INFO(text(knowledge, claim));
      CHECK(seen.insert(text(knowledge, claim)).second);
      const char of = knowledge.names()[claim.object].source[0];
      CHECK(of == (claim.kind == ClaimKind::relation ? 'p' : 'c'));
      CHECK(claim.subject != claim.object);
      if (i < plain.claims().size()) CHECK(text(knowledge, claim) == text(plain, plain.claims()[i]));
    }
  }
  Knowledge one = people(), again = people(), other = people();
  add_wrong_claims(one, 0.3, 1);
  add_wrong_claims(again, 0.3, 1);
  add_wrong_claims(other, 0.3, 2);
  CHECK(text(one, one.claims().back()) == text(again, again.claims().back()));
  std::string all_one, all_other;
  for (const Claim& claim : one.claims()) all_one += text(one, claim) + "\n";
  for (const Claim& claim : other.claims()) all_other += text(other, claim) + "\n";
  CHECK(all_one != all_other);
}

TEST_CASE("add_wrong_claims() terminates even if no wrong claim exists", "[experiments][imports]") {
  Knowledge knowledge([](const Finding&) {});
  const NameId a = knowledge.name("a", "a", {}), b = knowledge.name("b", "b", {});
  knowledge.add({ClaimKind::inheritance, a, b, 0, {}});
  add_wrong_claims(knowledge, 0.9, 1);
  CHECK(knowledge.claims().size() == 1);
}

}  // namespace engram::experiments
