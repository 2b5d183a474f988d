// SPDX-License-Identifier: MIT
#include "core/retrieval/backward_chaining.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "core/numbers/work.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

BackwardChaining chained(Memory& memory, const std::string& question, const BackwardOptions& options = {}) {
  const Readings readings(memory);
  return chain_backward(readings, cue_for(memory, samples::term(memory, question)), options);
}

using Proof = std::vector<StatementId>;
using Proofs = std::vector<Proof>;

std::map<StatementId, int> depths(const BackwardChaining& chained) {
  std::map<StatementId, int> of;
  for (const Touched& one : chained.touched) CHECK(of.emplace(one.statement, one.depth).second);
  return of;
}

TEST_CASE("rules and facts are chained back from the question", "[core][backward_chaining]") {
  Memory memory = samples::told({
      "<(*,ada,ben) --> parent>.",                                                              // 0
      "<(*,ben,cleo) --> parent>.",                                                             // 1
      "<(*,cleo,dora) --> parent>.",                                                            // 2
      "<(&&,<(*,$1,#1) --> parent>,<(*,#1,$2) --> parent>) ==> <(*,$1,$2) --> grandparent>>.",  // 3
      "<<(*,$1,$2) --> grandparent> ==> <(*,$2,$1) --> descendant>>.",                          // 4
      "<(*,zoe,ben) --> friend>.",                                                              // 5
  });
  CHECK(chained(memory, "<(*,ada,ben) --> parent>").proofs == Proofs{{0}});
  CHECK(chained(memory, "<(*,ada,cleo) --> grandparent>").proofs == Proofs{{0, 1, 3}});
  const BackwardChaining two = chained(memory, "<(*,dora,ben) --> descendant>");
  CHECK(two.proofs == Proofs{{1, 2, 3, 4}});
  CHECK(depths(two) == std::map<StatementId, int>{{4, 0}, {3, 1}, {1, 2}, {2, 2}});
  // A question's variable stands for what fits; the friend of ben is never looked for.
  CHECK(chained(memory, "<(*,ada,cleo) --> ?1>").proofs == Proofs{{0, 1, 3}});
  CHECK(chained(memory, "<(*,?1,dora) --> grandparent>").proofs == Proofs{{1, 2, 3}});
  CHECK(chained(memory, "<(*,ada,dora) --> grandparent>").proofs.empty());
  CHECK(chained(memory, "<(*,dora,ben) --> descendant>", {.depth = 1}).proofs.empty());
  CHECK(chained(memory, "(*,ada,ben)").touched.empty());  // asks for nothing that could be so
  CHECK(chained(memory, "<(*,nobody,knows) --> this>").touched.empty());
}

TEST_CASE("inheritance is gone along from the subject, of relations, too", "[core][backward_chaining]") {
  Memory memory = samples::told({
      "<{tim} --> cat>.",                                    // 0
      "<cat --> mammal>.",                                   // 1
      "<mammal --> animal>.",                                // 2
      "<dog --> mammal>.",                                   // 3
      "<(*,tim,rex) --> chases>.",                           // 4
      "<chases --> follows>.",                               // 5
      "<<$1 --> animal> ==> <$1 --> mortal>>.",              // 6
      "<cat --> [soft]>. %0.1;0.9%",                         // 7
      "<cat <-> lynx>.",                                     // 8
      "<<rex --> loud> ==> <tim --> awake>>.",               // 9
      "<rex --> loud>.",                                     // 10
      "<<(*,$1,$2) --> equal> <=> <(*,$2,$1) --> alike>>.",  // 11
      "<(*,u,v) --> equal>.",                                // 12
  });
  CHECK(chained(memory, "<{tim} --> animal>").proofs == Proofs{{0, 1, 2}});
  CHECK(chained(memory, "<{tim} --> mortal>").proofs == Proofs{{0, 1, 2, 6}});
  CHECK(chained(memory, "<cat --> ?1>").proofs == Proofs{{1}, {1, 2}, {1, 2, 6}});
  CHECK(chained(memory, "<(*,tim,rex) --> follows>").proofs == Proofs{{4, 5}});
  CHECK(chained(memory, "<animal --> cat>").proofs.empty());
  CHECK(chained(memory, "<cat --> [soft]>").proofs == Proofs{{7}});  // it is denied: an answer
  CHECK(chained(memory, "<{tim} --> [soft]>").proofs.empty());       // and no premise
  CHECK(chained(memory, "<lynx --> mammal>").proofs == Proofs{{1, 8}});
  CHECK(chained(memory, "<lynx <-> cat>").proofs == Proofs{{8}});
  CHECK(chained(memory, "<?1 <-> cat>").proofs == Proofs{{8}});
  CHECK(chained(memory, "<tim --> awake>").proofs == Proofs{{9, 10}});
  CHECK(chained(memory, "<(*,v,u) --> alike>").proofs == Proofs{{11, 12}});
}

// Facts (from, relation, to) and rules r(a, c) <- p(a, b), q(b, c): how many statements, each use counted,
// the smallest proof of each fact has, by going over all until nothing changes.
struct LeastProofs {
  static constexpr int names = 5, relations = 3;
  using Fact = std::array<int, 3>;
  using Rule = std::array<int, 3>;  // p, q, r
  std::map<Fact, int> size;

  LeastProofs(const std::vector<Fact>& facts, const std::vector<Rule>& rules) {
    for (const Fact& fact : facts) size[fact] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Rule& rule : rules)
        for (int a = 0; a < names; ++a)
          for (int b = 0; b < names; ++b)
            for (int c = 0; c < names; ++c) {
              const auto p = size.find({a, rule[0], b}), q = size.find({b, rule[1], c});
              if (p == size.end() || q == size.end()) continue;
              const int total = 1 + p->second + q->second;
              const auto [known, is_new] = size.emplace(Fact{a, rule[2], c}, total);
              changed |= is_new || total < known->second;
              known->second = std::min(known->second, total);
            }
    }
  }
};

TEST_CASE("implications of one kind are steps, too", "[core][backward_chaining]") {
  Memory memory =
      samples::told({"<(&/,a,^go) =/> b>.", "<b =/> c>.", "<c =/> d>.", "<b ==> d>.", "<c =/> b>."});
  CHECK(chained(memory, "<(&/,a,^go) =/> d>").proofs == Proofs{{0, 1, 2}});
  CHECK(chained(memory, "<b ==> c>").proofs.empty());
  CHECK(chained(memory, "<(&/,a,^stay) =/> d>").proofs.empty());
}

TEST_CASE("a proof is found where there is one, the smallest first, and is one",
          "[core][backward_chaining]") {
  Rng rng(11, "backward_chaining_test");
  const auto number = [&](int below) {
    return static_cast<int>(rng.below(static_cast<std::uint64_t>(below)));
  };
  int proved = 0, deep = 0, refused = 0;
  for (int trial = 0; trial < 25; ++trial) {
    std::vector<std::string> lines;
    std::vector<LeastProofs::Fact> facts;
    std::vector<LeastProofs::Rule> rules;
    const auto name = [](int i) { return "n" + std::to_string(i); };
    const auto relation = [](int i) { return "r" + std::to_string(i); };
    for (int i = 0; i < 5; ++i) {
      const LeastProofs::Fact fact{number(LeastProofs::names), number(LeastProofs::relations),
                                   number(LeastProofs::names)};
      if (std::ranges::count(facts, fact) > 0) continue;
      facts.push_back(fact);
      lines.push_back("<(*," + name(fact[0]) + "," + name(fact[2]) + ") --> " + relation(fact[1]) + ">.");
    }
    for (int i = 0; i < 3; ++i) {
      const LeastProofs::Rule rule{number(LeastProofs::relations), number(LeastProofs::relations),
                                   number(LeastProofs::relations)};
      const std::string line = "<(&&,<(*,$1,#1) --> " + relation(rule[0]) + ">,<(*,#1,$2) --> " +
                               relation(rule[1]) + ">) ==> <(*,$1,$2) --> " + relation(rule[2]) + ">>.";
      if (std::ranges::count(lines, line) > 0) continue;
      rules.push_back(rule);
      lines.push_back(line);
    }
    Memory memory = samples::told(lines);
    const LeastProofs least(facts, rules);
    for (int a = 0; a < LeastProofs::names; ++a)
      for (int r = 0; r < LeastProofs::relations; ++r)
        for (int b = 0; b < LeastProofs::names; ++b) {
          const auto found = chained(memory, "<(*," + name(a) + "," + name(b) + ") --> " + relation(r) + ">",
                                     {.depth = 6, .proofs = 3, .visits = 4000});
          const auto known = least.size.find({a, r, b});
          INFO(trial << ": " << a << ' ' << r << ' ' << b);
          if (known == least.size.end()) {
            CHECK(found.proofs.empty());
            ++refused;
            continue;
          }
          if (known->second > 7) continue;  // may lie beyond what is visited
          REQUIRE_FALSE(found.proofs.empty());
          for (const Proof& proof : found.proofs) {
            std::vector<LeastProofs::Fact> its_facts;
            std::vector<LeastProofs::Rule> its_rules;
            for (const StatementId e : proof)
              if (e < facts.size())
                its_facts.push_back(facts[e]);
              else
                its_rules.push_back(rules[e - facts.size()]);
            const LeastProofs alone(its_facts, its_rules);
            REQUIRE(alone.size.count({a, r, b}) == 1);
            if (&proof == &found.proofs.front()) CHECK(alone.size.at({a, r, b}) == known->second);
          }
          ++proved;
          deep += known->second > 3 ? 1 : 0;
        }
  }
  CHECK(proved > 150);
  CHECK(deep > 20);
  CHECK(refused > 100);
}

TEST_CASE("what never ends is ended", "[core][backward_chaining]") {
  Memory memory =
      samples::told({"<<{$1} --> number> ==> <$1 --> number>>.", "<<$1 --> number> ==> <{$1} --> number>>.",
                     "<(*,$1,{$1}) --> in>.", "<<$1 --> p> ==> <$1 --> p>>.", "<a --> b>.", "<b --> a>.",
                     "<(&&,<(*,$1,#1) --> r>,<(*,#1,$2) --> r>) ==> <(*,$1,$2) --> r>>.", "<(*,a,b) --> r>.",
                     "<(*,b,a) --> r>.", "<<(*,$1,$1) --> big> ==> <$1 --> big>>."});  // 2^64 nodes in all
  for (const char* question : {"<a --> big>", "<zero --> number>", "<a --> p>", "<a --> c>",
                               "<(*,a,c) --> r>", "<?1 --> ?2>", "<?1 --> p>"}) {
    INFO(question);
    const auto found = chained(memory, question, {.depth = 64, .proofs = 1000, .visits = 3000});
    for (const Proof& proof : found.proofs) CHECK(std::ranges::is_sorted(proof));
    const bool open = std::string(question).find('?') != std::string::npos;
    for (const Proof& proof : found.proofs)
      CHECK(std::ranges::count_if(found.proofs, [&](const Proof& other) {
              return open ? proof == other : std::ranges::includes(proof, other);
            }) == 1);
  }
  CHECK(chained(memory, "<(*,?1,{?1}) --> in>").proofs == Proofs{{2}});
  CHECK(chained(memory, "<(*,?1,?1) --> in>").proofs.empty());  // it would be {it}, within itself
  const Work work({.bytes = 100'000});
  const Readings readings(memory);
  CHECK_THROWS_AS(chain_backward(readings, cue_for(memory, samples::term(memory, "<(*,a,c) --> r>")),
                                 {64, 1000, 1'000'000}),
                  WorkStopped);
}

}  // namespace
}  // namespace engram::core
