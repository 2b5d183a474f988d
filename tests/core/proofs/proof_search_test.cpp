// SPDX-License-Identifier: MIT
#include "core/proofs/proof_search.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/numbers/work.hpp"
#include "core/proofs/proof_attention.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using Proof = std::vector<StatementId>;

std::vector<Proof> proofs(Memory& memory, const std::string& question,
                          const ProofSearchOptions& search = {}) {
  const Readings readings(memory);
  ProofAttentionOptions options;
  options.search = search;
  const ProofAttention attention(readings, samples::term(memory, question), options);
  std::vector<Proof> found;
  for (const ProofGuess& guess : attention.guesses()) found.push_back(guess.statements);
  return found;
}

Proof best_proof(Memory& memory, const std::string& question) {
  const auto all = proofs(memory, question);
  return all.empty() ? Proof() : all.front();
}

TEST_CASE("a proof is a tree: conditions of a rule are derived in their turn", "[core][proofs]") {
  Memory memory = samples::told({
      "<{tim} --> [big]>.",                                                          // 0
      "<(*,{tim},cat) --> chase>.",                                                  // 1
      "<<$1 --> [big]> ==> <$1 --> [strong]>>.",                                     // 2
      "<(&&,<$1 --> [strong]>,<(*,$1,cat) --> chase>) ==> <(*,$1,dog) --> need>>.",  // 3
      "<(&&,<(*,$1,dog) --> need>,<$1 --> [strong]>) ==> <$1 --> [kind]>>.",         // 4
      "<{sue} --> [strong]>.",                                                       // 5
      "<(&&,<$1 --> [kind]>,<$1 --> [red]>) ==> <$1 --> [rare]>>.",                  // 6
  });
  CHECK(proofs(memory, "<{tim} --> [kind]>") == std::vector<Proof>{{0, 1, 2, 3, 4}});
  CHECK(proofs(memory, "<{sue} --> [kind]>").empty());
  CHECK(proofs(memory, "<{tim} --> [rare]>").empty());
  CHECK(best_proof(memory, "<(*,{tim},?1) --> need>") == Proof{0, 1, 2, 3});
  CHECK(best_proof(memory, "<?1 --> [kind]>") == Proof{0, 1, 2, 3, 4});
}

TEST_CASE("inheritance, similarity and implications lead from goal to goal", "[core][proofs]") {
  Memory memory = samples::told({
      "<{tim} --> cat>.",                   // 0
      "<cat --> mammal>.",                  // 1
      "<mammal --> animal>.",               // 2
      "<animal <-> creature>.",             // 3
      "<(*,mammal,air) --> breathe>.",      // 4
      "<breathe --> need>.",                // 5
      "<rain ==> wet>.",                    // 6
      "<wet ==> slippery>.",                // 7
      "<(&/,dark,^light,+2) =/> bright>.",  // 8
      "<bright =/> glad>.",                 // 9
      "rain.",                              // 10
  });
  CHECK(best_proof(memory, "<{tim} --> animal>") == Proof{0, 1, 2});
  CHECK(best_proof(memory, "<{tim} --> creature>") == Proof{0, 1, 2, 3});
  CHECK(best_proof(memory, "<(*,cat,air) --> breathe>") == Proof{1, 4});
  CHECK(best_proof(memory, "<(*,{tim},air) --> need>") == Proof{0, 1, 4, 5});
  CHECK(best_proof(memory, "<rain ==> slippery>") == Proof{6, 7});
  CHECK(best_proof(memory, "<(&/,dark,^light) =/> glad>") == Proof{8, 9});
  CHECK(best_proof(memory, "slippery") == Proof{6, 7, 10});
  CHECK(best_proof(memory, "<cat --> ?1>") == Proof{1});
  CHECK(proofs(memory, "<animal --> cat>").empty());
}

TEST_CASE("links that a rule concludes stand anywhere in a chain", "[core][proofs]") {
  Memory memory = samples::told({
      "<tom --> tabby>.",                       // 0
      "<tabby --> striped>.",                   // 1
      "<<$1 --> striped> ==> <$1 --> wild>>.",  // 2
      "<wild --> animal>.",                     // 3
      "<animal --> being>.",                    // 4
  });
  CHECK(proofs(memory, "<tom --> being>") == std::vector<Proof>{{0, 1, 2, 3, 4}});
  CHECK(proofs(memory, "<tabby --> animal>") == std::vector<Proof>{{1, 2, 3}});
}

TEST_CASE("what does not hold is shown by denials, and by rules about what does not", "[core][proofs]") {
  Memory memory = samples::told({
      "<{pingu} --> penguin>.",                                      // 0
      "<penguin --> bird>.",                                         // 1
      "<<$1 --> penguin> ==> (--,<$1 --> [fly]>)>.",                 // 2
      "<<$1 --> bird> ==> <$1 --> [fly]>>.",                         // 3
      "<cold --> nice>. %0;0.9%",                                    // 4
      "<winter --> cold>.",                                          // 5
      "<(&&,<$1 --> bird>,(--,<$1 --> [fly]>)) ==> <$1 --> odd>>.",  // 6
      "<<$1 --> odd> ==> <$1 --> plain>>. %0;0.9%",                  // 7
  });
  // The cheaper proof comes first: it is the denial.
  CHECK(best_proof(memory, "<{pingu} --> [fly]>") == Proof{0, 2});
  CHECK(proofs(memory, "<{pingu} --> [fly]>").size() == 2);
  CHECK(best_proof(memory, "(--,<{pingu} --> [fly]>)") == Proof{0, 2});
  CHECK(best_proof(memory, "<winter --> nice>") == Proof{4, 5});
  CHECK(best_proof(memory, "<{pingu} --> odd>") == Proof{0, 1, 2, 6});
  CHECK(best_proof(memory, "<{pingu} --> plain>") == Proof{0, 1, 2, 6, 7});
}

TEST_CASE("rules of every form are read", "[core][proofs]") {
  Memory memory = samples::told({
      "<a --> (/,eat,_,bread)>.",                                               // 0
      "<<(*,$1,bread) --> eat> ==> <$1 --> fed>>.",                             // 1
      "<<$1 --> fed> <=> <$1 --> [glad]>>.",                                    // 2
      "<<$1 --> [glad]> ==> <<$1 --> [rich]> ==> <$1 --> [proud]>>>.",          // 3
      "<a --> [rich]>.",                                                        // 4
      "<<$1 --> [proud]> =/> <$1 --> (/,seek,_,fame)>>.",                       // 5
      "<(*,x,y,z) --> between>.",                                               // 6
      "<<(*,$1,$2,$3) --> between> ==> <(*,$3,$2,$1) --> between>>.",           // 7
      "<(\\,hate,m,_) --> n>.",                                                 // 8
      "<(&&,<$1 --> (/,like,_,$2)>,<$2 --> (/,like,_,$1)>) ==> <$1 <-> $2>>.",  // 9
      "<p --> (/,like,_,q)>.",                                                  // 10
      "<(*,q,p) --> like>.",                                                    // 11
      "<(*,s,s) --> like>.",                                                    // 12
      "<<(*,$1,$1) --> like> ==> <$1 --> vain>>.",                              // 13
  });
  CHECK(best_proof(memory, "<(*,a,bread) --> eat>") == Proof{0});
  CHECK(best_proof(memory, "<a --> [glad]>") == Proof{0, 1, 2});
  CHECK(best_proof(memory, "<a --> [proud]>") == Proof{0, 1, 2, 3, 4});
  CHECK(best_proof(memory, "<(*,a,fame) --> seek>") == Proof{0, 1, 2, 3, 4, 5});
  CHECK(best_proof(memory, "<(*,z,y,x) --> between>") == Proof{6, 7});
  CHECK(best_proof(memory, "<(*,m,n) --> hate>") == Proof{8});
  CHECK(best_proof(memory, "<p <-> q>") == Proof{9, 10, 11});
  CHECK(best_proof(memory, "<s --> vain>") == Proof{12, 13});
}

TEST_CASE("compositions of many facts are found, and proofs in circles are none", "[core][proofs]") {
  Memory memory;
  constexpr int length = 20;
  for (int i = 0; i < length; ++i)
    samples::say(memory, "<(*,p" + std::to_string(i) + ",p" + std::to_string(i + 1) + ") --> r>.");
  samples::say(memory, "<(&&,<(*,$1,#1) --> r>,<(*,#1,$2) --> r>) ==> <(*,$1,$2) --> r>>.");
  samples::say(memory, "<<(*,$1,$2) --> s> ==> <(*,$1,$2) --> t>>.");
  samples::say(memory, "<<(*,$1,$2) --> t> ==> <(*,$1,$2) --> s>>.");
  CHECK(best_proof(memory, "<(*,p0,p20) --> r>").size() == length + 1);
  CHECK(proofs(memory, "<(*,p0,p1) --> s>").empty());
  CHECK(proofs(memory, "<(*,p1,p0) --> r>").empty());
}

// Rules of one to three conditions over unary and binary predicates, and facts.
struct Program {
  using Literal = std::vector<int>;  // predicate, then arguments; below 0: a variable
  struct Rule {
    std::vector<Literal> premises;
    Literal conclusion;
  };
  std::set<Literal> facts;
  std::vector<Rule> rules;
};

std::string text(const Program::Literal& literal) {
  const auto name = [](int argument) {
    return argument < 0 ? "$" + std::to_string(-argument) : "c" + std::to_string(argument);
  };
  if (literal.size() == 2) return "<" + name(literal[1]) + " --> u" + std::to_string(literal[0]) + ">";
  return "<(*," + name(literal[1]) + "," + name(literal[2]) + ") --> b" + std::to_string(literal[0]) + ">";
}

Program random_program(Rng& rng) {
  Program program;
  const auto literal = [&](bool open) {
    Program::Literal made{static_cast<int>(rng.below(4))};
    for (std::uint64_t i = 1 + rng.below(2); i-- > 0;)
      made.push_back(open && rng.below(5) > 0 ? -1 - static_cast<int>(rng.below(3))
                                              : static_cast<int>(rng.below(4)));
    return made;
  };
  for (int i = 0; i < 8; ++i) program.facts.insert(literal(false));
  for (int i = 0; i < 6; ++i) {
    Program::Rule rule;
    for (std::uint64_t p = 1 + rng.below(3); p-- > 0;) rule.premises.push_back(literal(true));
    rule.conclusion = literal(true);
    for (std::size_t a = 1; a < rule.conclusion.size(); ++a) {
      // A variable of the conclusion is one of a premise.
      const int x = rule.conclusion[a];
      if (x < 0 && std::ranges::none_of(rule.premises, [&](const auto& p) {
            return std::find(p.begin() + 1, p.end(), x) != p.end();
          }))
        rule.conclusion[a] = static_cast<int>(rng.below(4));
    }
    if (std::ranges::find(rule.premises, rule.conclusion) == rule.premises.end())
      program.rules.push_back(rule);
  }
  return program;
}

// Forward chaining until nothing is new.
std::set<Program::Literal> closure(const Program& program) {
  std::set<Program::Literal> known = program.facts;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const Program::Rule& rule : program.rules) {
      std::map<int, int> bound;
      const std::function<void(std::size_t)> meet = [&](std::size_t i) {
        if (i == rule.premises.size()) {
          Program::Literal made = rule.conclusion;
          for (std::size_t a = 1; a < made.size(); ++a)
            if (made[a] < 0) made[a] = bound.at(made[a]);
          is_new = known.insert(made).second || is_new;
          return;
        }
        const std::set<Program::Literal> now = known;
        for (const Program::Literal& fact : now) {
          if (fact.size() != rule.premises[i].size() || fact[0] != rule.premises[i][0]) continue;
          const std::map<int, int> before = bound;
          bool fits = true;
          for (std::size_t a = 1; fits && a < fact.size(); ++a) {
            const int x = rule.premises[i][a];
            fits = x < 0 ? bound.emplace(x, fact[a]).first->second == fact[a] : x == fact[a];
          }
          if (fits) meet(i + 1);
          bound = before;
        }
      };
      meet(0);
    }
  }
  return known;
}

TEST_CASE("what is proved is what forward chaining derives, and each proof proves it", "[core][proofs]") {
  Rng rng(3, "proof_search");
  int derived = 0, not_derived = 0;
  for (int round = 0; round < 120; ++round) {
    const Program program = random_program(rng);
    Memory memory;
    for (const Program::Literal& fact : program.facts) samples::say(memory, text(fact) + ".");
    for (const Program::Rule& rule : program.rules) {
      std::string conditions;
      for (const Program::Literal& premise : rule.premises)
        conditions += (conditions.empty() ? "" : ",") + text(premise);
      samples::say(memory, "<" + (rule.premises.size() > 1 ? "(&&," + conditions + ")" : conditions) +
                               " ==> " + text(rule.conclusion) + ">.");
    }
    const auto known = closure(program);
    const Readings readings(memory);
    for (int asked = 0; asked < 10; ++asked) {
      Program::Literal question{static_cast<int>(rng.below(4))};
      for (std::uint64_t i = 1 + rng.below(2); i-- > 0;) question.push_back(static_cast<int>(rng.below(4)));
      const auto found = proofs(memory, text(question), {.work = 10'000'000, .slack = 1});
      INFO("round " << round << ": " << text(question));
      REQUIRE(found.empty() == !known.contains(question));
      (found.empty() ? not_derived : derived)++;
      // Each proof's own statements suffice.
      for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i) {
        Memory alone;
        for (const StatementId e : found[i])
          samples::say(alone, narsese::print(memory.statements()[e].sentence));
        const Readings read(alone);
        ProofAttentionOptions options;
        options.search = {.work = 10'000'000, .slack = 0};
        CHECK_FALSE(ProofAttention(read, samples::term(alone, text(question)), options).guesses().empty());
      }
    }
  }
  CHECK(derived > 200);
  CHECK(not_derived > 200);
}

TEST_CASE("a search ends when its work is spent, and can be stopped", "[core][proofs]") {
  Memory memory;
  for (int i = 0; i < 200; ++i)
    samples::say(memory,
                 "<(*,p" + std::to_string(i) + ",p" + std::to_string((i * 7 + 1) % 200) + ") --> r>.");
  samples::say(memory, "<(&&,<(*,$1,#1) --> r>,<(*,#1,$2) --> r>) ==> <(*,$1,$2) --> r>>.");
  const Readings readings(memory);
  const auto question = samples::term(memory, "<(*,?1,?2) --> r>");  // 40,000 answers
  const ProofForest some = search_proofs(readings, question, {.work = 1000, .slack = 1000});
  CHECK_FALSE(some.is_complete);
  CHECK(some.work >= 1000);
  CHECK(some.work < 3000);
  {
    const Work work({100'000});
    CHECK_THROWS_AS(search_proofs(readings, question, {.work = 1'000'000'000, .slack = 1000}), WorkStopped);
  }
  const Work few({WorkLimits::unlimited, 200'000});
  CHECK_THROWS_AS(search_proofs(readings, question, {.work = 1'000'000'000, .slack = 1000}), WorkStopped);
}

TEST_CASE("chains of thousands of facts are proved, and longer ones do no harm", "[core][proofs]") {
  Memory memory;
  for (int i = 0; i < 8000; ++i)
    samples::say(memory, "<a" + std::to_string(i) + " --> a" + std::to_string(i + 1) + ">.");
  const ProofSearchOptions much{.work = 10'000'000, .slack = 0};
  const auto found = proofs(memory, "<a0 --> a4000>", much);
  REQUIRE(found.size() == 1);
  CHECK(found.front().size() == 4000);
  CHECK(proofs(memory, "<a0 --> a8000>", much).empty());
}

TEST_CASE("budgets say whether a proof is missing yet", "[core][proofs]") {
  Memory memory = samples::told({
      "<a --> b>.",          // 0
      "<b --> d>.",          // 1
      "<a --> c>.",          // 2
      "<c --> d>. %1;0.5%",  // 3: doubted
      "<e --> f>.",          // 4: beside it
  });
  const Readings readings(memory);
  const ProofAttention attention(readings, samples::term(memory, "<a --> d>"), {});
  REQUIRE(attention.guesses().size() == 2);
  CHECK(attention.guesses()[0].statements == Proof{0, 1});
  CHECK(attention.guesses()[0].cost == Approx(2 + 2 * 0.1));        // expectations .95
  CHECK(attention.guesses()[1].cost == Approx(2 + 0.1 + 2 * .25));  // .95 and .75
  const double odds = std::exp(-2 * (0.6 - 0.2));
  CHECK(attention.guesses()[0].share == Approx(1 / (1 + odds)));
  using Budgets = std::vector<std::pair<StatementId, double>>;
  const Budgets found = budgets(attention, 0.75);
  REQUIRE(found.size() == 4);
  CHECK(found[0] == std::pair(StatementId{0}, 1.0));
  CHECK(found[3] == std::pair(StatementId{3}, 0.25));
  CHECK(attention.marginals()[2].second == Approx(odds / (1 + odds)));
}

}  // namespace
}  // namespace engram::core
