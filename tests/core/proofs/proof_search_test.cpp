// SPDX-License-Identifier: MIT
#include "core/proofs/proof_search.hpp"

#include "core/numbers/work_budget.hpp"
#include "narsese/printer.hpp"
#include "tests/core/proofs/proof_samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Proof = std::vector<StatementId>;

std::vector<Proof> proofs(Memory& memory, const std::string& question,
                          const ProofSearchOptions& search = {}) {
  const MemoryIndex index(memory);
  const ProofAttentionOptions options{.search = search};
  const ProofAttention attention(index, {{term(memory, question)}, {}}, plain_proof_weights, options);
  std::vector<Proof> found;
  for (const WeightedProof& guess : attention.proofs()) found.push_back(guess.statements);
  return found;
}

Proof best_proof(Memory& memory, const std::string& question) {
  const auto all = proofs(memory, question);
  return all.empty() ? Proof() : all.front();
}

TEST_CASE("a proof is a tree: the conditions of a rule are proved as well", "[proofs]") {
  Memory memory = told({
      "<{tim} --> [big]>.",                                                          // statement 0
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

TEST_CASE("inheritance, similarity and implications lead from goal to goal", "[proofs]") {
  Memory memory = told({
      "<{tim} --> cat>.",                   // statement 0
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

TEST_CASE("a chain may have links by rules in any position", "[proofs]") {
  Memory memory = told({
      "<tom --> tabby>.",                       // statement 0
      "<tabby --> striped>.",                   // 1
      "<<$1 --> striped> ==> <$1 --> wild>>.",  // 2
      "<wild --> animal>.",                     // 3
      "<animal --> being>.",                    // 4
  });
  CHECK(proofs(memory, "<tom --> being>") == std::vector<Proof>{{0, 1, 2, 3, 4}});
  CHECK(proofs(memory, "<tabby --> animal>") == std::vector<Proof>{{1, 2, 3}});
}

TEST_CASE("denials, and rules with negations, prove that a statement does not hold", "[proofs]") {
  Memory memory = told({
      "<{pingu} --> penguin>.",                                      // statement 0
      "<penguin --> bird>.",                                         // 1
      "<<$1 --> penguin> ==> (--,<$1 --> [fly]>)>.",                 // 2
      "<<$1 --> bird> ==> <$1 --> [fly]>>.",                         // 3
      "<cold --> nice>. %0;0.9%",                                    // 4
      "<winter --> cold>.",                                          // 5
      "<(&&,<$1 --> bird>,(--,<$1 --> [fly]>)) ==> <$1 --> odd>>.",  // 6
      "<<$1 --> odd> ==> <$1 --> plain>>. %0;0.9%",                  // 7
  });
  // The statement can be proved and denied. The cheaper proof comes first, which is that of the denial.
  CHECK(best_proof(memory, "<{pingu} --> [fly]>") == Proof{0, 2});
  CHECK(proofs(memory, "<{pingu} --> [fly]>").size() == 2);
  CHECK(best_proof(memory, "(--,<{pingu} --> [fly]>)") == Proof{0, 2});
  CHECK(best_proof(memory, "<winter --> nice>") == Proof{4, 5});
  CHECK(best_proof(memory, "<{pingu} --> odd>") == Proof{0, 1, 2, 6});
  CHECK(best_proof(memory, "<{pingu} --> plain>") == Proof{0, 1, 2, 6, 7});
}

TEST_CASE("all forms of rules are used", "[proofs]") {
  Memory memory = told({
      "<a --> (/,eat,_,bread)>.",                                               // statement 0
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

TEST_CASE("compositions of many facts are found, and circular proofs are not", "[proofs]") {
  Memory memory;
  constexpr int length = 20;
  for (int i = 0; i < length; ++i)
    say(memory, "<(*,p" + std::to_string(i) + ",p" + std::to_string(i + 1) + ") --> r>.");
  say(memory, "<(&&,<(*,$1,#1) --> r>,<(*,#1,$2) --> r>) ==> <(*,$1,$2) --> r>>.");
  say(memory, "<<(*,$1,$2) --> s> ==> <(*,$1,$2) --> t>>.");
  say(memory, "<<(*,$1,$2) --> t> ==> <(*,$1,$2) --> s>>.");
  CHECK(best_proof(memory, "<(*,p0,p20) --> r>").size() == length + 1);
  CHECK(proofs(memory, "<(*,p0,p1) --> s>").empty());
  CHECK(proofs(memory, "<(*,p1,p0) --> r>").empty());
}

// Random facts, and rules with one to three conditions, over unary and binary predicates.
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
      // Each variable of the conclusion occurs in a premise.
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

// Forward chaining to a fixed point: the cost of the cheapest proof of each statement, if each step costs 2.
std::map<Program::Literal, double> closure(const Program& program) {
  std::map<Program::Literal, double> known;
  for (const Program::Literal& fact : program.facts) known.emplace(fact, 2);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const Program::Rule& rule : program.rules) {
      std::map<int, int> bound;
      const std::function<void(std::size_t, double)> meet = [&](std::size_t i, double cost) {
        if (i == rule.premises.size()) {
          Program::Literal made = rule.conclusion;
          for (std::size_t a = 1; a < made.size(); ++a)
            if (made[a] < 0) made[a] = bound.at(made[a]);
          const auto [found, is_first] = known.emplace(made, cost);
          is_new = is_first || cost < found->second || is_new;
          found->second = std::min(found->second, cost);
          return;
        }
        const std::map<Program::Literal, double> now = known;
        for (const auto& [fact, of_fact] : now) {
          if (fact.size() != rule.premises[i].size() || fact[0] != rule.premises[i][0]) continue;
          const std::map<int, int> before = bound;
          bool fits = true;
          for (std::size_t a = 1; fits && a < fact.size(); ++a) {
            const int x = rule.premises[i][a];
            fits = x < 0 ? bound.emplace(x, fact[a]).first->second == fact[a] : x == fact[a];
          }
          if (fits) meet(i + 1, cost + of_fact);
          bound = before;
        }
      };
      meet(0, 2);
    }
  }
  return known;
}

Memory memory_of(const Program& program) {
  Memory memory;
  for (const Program::Literal& fact : program.facts) say(memory, text(fact) + ".");
  for (const Program::Rule& rule : program.rules) {
    std::string conditions;
    for (const Program::Literal& premise : rule.premises)
      conditions += (conditions.empty() ? "" : ",") + text(premise);
    say(memory, "<" + (rule.premises.size() > 1 ? "(&&," + conditions + ")" : conditions) + " ==> " +
                    text(rule.conclusion) + ">.");
  }
  return memory;
}

TEST_CASE("the search proves what forward chaining derives, at the same cost", "[proofs]") {
  Rng rng(3, "proof_search");
  int derived = 0, not_derived = 0, untabled = 0;
  for (int round = 0; round < 120; ++round) {
    const Program program = random_program(rng);
    Memory memory = memory_of(program);
    const auto known = closure(program);
    const MemoryIndex index(memory);
    for (int asked = 0; asked < 10; ++asked) {
      Program::Literal question{static_cast<int>(rng.below(4))};
      for (std::uint64_t i = 1 + rng.below(2); i-- > 0;) question.push_back(static_cast<int>(rng.below(4)));
      const auto found = proofs(memory, text(question), {.work = 10'000'000, .slack = 2});
      INFO("round " << round << ": " << text(question));
      REQUIRE(found.empty() == !known.contains(question));
      (found.empty() ? not_derived : derived)++;
      // Without tables, the search for a goal without a proof might not end, so only goals with proofs are compared.
      ProofWeights no_doubt = plain_proof_weights;
      at(no_doubt, ProofFeature::uncertainty) = 0;
      const ProofScorer scorer(index, no_doubt, {}, nullptr, false);
      for (const bool is_tabled : {true, false}) {
        if (found.empty()) break;
        const ProofForest forest =
            search_proofs(scorer, {term(memory, text(question))},
                          {.work = is_tabled ? 10'000'000U : 20'000U, .slack = 0, .is_tabled = is_tabled});
        REQUIRE((!is_tabled || !forest.answers.empty()));
        if (forest.answers.empty()) continue;
        CHECK(forest.proved[forest.answers[0]].cost == Approx(known.at(question)));
        untabled += is_tabled ? 0 : 1;
      }
      // The statements of each proof suffice to derive the question.
      for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i) {
        Memory alone;
        for (const StatementId e : found[i]) say(alone, narsese::print(memory.statements()[e].sentence));
        const MemoryIndex read(alone);
        ProofAttentionOptions options;
        options.search = {.work = 10'000'000, .slack = 0};
        CHECK_FALSE(ProofAttention(read, {{term(alone, text(question))}, {}}, plain_proof_weights, options)
                        .proofs()
                        .empty());
      }
    }
  }
  CHECK(derived > 200);
  CHECK(not_derived > 200);
  CHECK(untabled > 150);
}

TEST_CASE("no step costs less than least_cost, and the cost of a statement is that of its first proof",
          "[proofs]") {
  Rng rng(4, "proof_search");
  int steps = 0, at_least = 0;
  for (int round = 0; round < 100; ++round) {
    Memory memory = memory_of(random_program(rng));
    for (int i = 0; i < 6; ++i)
      say(memory, "<c" + std::to_string(rng.below(4)) + (i % 2 == 0 ? " --> c" : " <-> c") +
                      std::to_string(4 + rng.below(4)) + ">. %1;0." + std::to_string(1 + rng.below(9)) + "%");
    const MemoryIndex index(memory);
    ProofWeights theta = random_proof_weights(rng);
    for (double& weight : theta) weight = round % 2 == 0 ? std::min(0.0, weight) - 0.1 : 3 * weight;
    const ProofScorer scorer(index, theta, {}, nullptr, true);
    for (const char* question : {"<c0 --> u1>", "<(*,c1,?1) --> b2>", "<?1 --> u0>", "<(*,c4,c5) --> b0>"}) {
      const ProofForest forest =
          search_proofs(scorer, {term(memory, question)}, {.work = 20'000, .slack = 6});
      for (const ProofForest::Proved& proved : forest.proved) {
        for (const ProofForest::Step& step : proved.steps) {
          CHECK(scorer.cost(step.features) >= scorer.least_cost());
          at_least += scorer.cost(step.features) < scorer.least_cost() + 0.1 ? 1 : 0;
          ++steps;
        }
        double cost = scorer.cost(proved.steps.at(0).features);
        for (const std::uint32_t premise : proved.steps[0].premises) cost += forest.proved[premise].cost;
        CHECK(proved.cost == Approx(cost));
      }
      for (std::size_t i = 1; i < forest.answers.size(); ++i)
        CHECK(forest.proved[forest.answers[i - 1]].cost <= forest.proved[forest.answers[i]].cost);
    }
  }
  CHECK(steps > 1000);
  CHECK(at_least > 100);  // the bound is tight for many steps
}

TEST_CASE("a question can ask for one of its names, with its statement as the known answer", "[proofs]") {
  Memory memory = told({
      "<(*,ann,bob) --> mother>.",                                                              // statement 0
      "<(*,bob,cid) --> father>.",                                                              // 1
      "<(*,bob,dan) --> father>.",                                                              // 2
      "<(&&,<(*,$1,#2) --> mother>,<(*,#2,$3) --> father>) ==> <(*,$1,$3) --> grandmother>>.",  // 3
      "<{ann} --> [old]>.",                                                                     // 4
  });
  const MemoryIndex index(memory);
  const ProofScorer scorer(index, plain_proof_weights, {}, nullptr, false);
  const auto asked = [&](const char* question, const char* open, const Proof& without) {
    return search_proofs(scorer, {term(memory, question), term(memory, open), without}, {});
  };
  const char* const question = "<(*,ann,cid) --> grandmother>";
  const ProofForest both = asked(question, "cid", {});
  REQUIRE(both.answers.size() == 2);
  REQUIRE(both.known_answer);
  CHECK(std::ranges::find(both.answers, *both.known_answer) != both.answers.end());
  const ProofForest::Step& rule = both.proved[*both.known_answer].steps.at(0);
  REQUIRE(rule.statement == 3);
  Proof premises;
  for (const std::uint32_t premise : rule.premises)
    premises.push_back(both.proved[premise].steps.at(0).statement);
  CHECK(premises == Proof{0, 1});
  CHECK(both.is_complete);
  // Statements in `without` must not be used by proofs.
  const ProofForest other = asked(question, "cid", {1});
  CHECK(other.answers.size() == 1);
  CHECK_FALSE(other.known_answer);
  for (const StatementId e : {0U, 3U}) CHECK(asked(question, "cid", {e}).answers.empty());
  CHECK(asked(question, "ann", {}).known_answer);
  CHECK(asked(question, "grandmother", {}).known_answer);
  CHECK(asked("<{ann} --> [old]>", "old", {}).known_answer);
  CHECK(asked("<{ann} --> [old]>", "ann", {}).known_answer);
  CHECK(asked("<{ann} --> [old]>", "ann", {4}).answers.empty());
  CHECK(search_proofs(scorer, {}, {}).answers.empty());
}

TEST_CASE("a search ends when its work is spent or the budget is exceeded", "[proofs]") {
  Memory memory;
  for (int i = 0; i < 200; ++i)
    say(memory, "<(*,p" + std::to_string(i) + ",p" + std::to_string((i * 7 + 1) % 200) + ") --> r>.");
  say(memory, "<(&&,<(*,$1,#1) --> r>,<(*,#1,$2) --> r>) ==> <(*,$1,$2) --> r>>.");
  const MemoryIndex index(memory);
  const ProofScorer scorer(index, plain_proof_weights, {}, nullptr, false);
  const ProofQuestion question{term(memory, "<(*,?1,?2) --> r>")};  // this question has 40,000 answers
  const ProofForest some = search_proofs(scorer, question, {.work = 1000, .slack = 1000});
  CHECK_FALSE(some.is_complete);
  CHECK(some.work >= 1000);
  CHECK(some.work < 3000);
  {
    const WorkBudget work({100'000});
    CHECK_THROWS_AS(search_proofs(scorer, question, {.work = 1'000'000'000, .slack = 1000}), WorkStopped);
  }
  const WorkBudget few({WorkLimits::unlimited, 200'000});
  CHECK_THROWS_AS(search_proofs(scorer, question, {.work = 1'000'000'000, .slack = 1000}), WorkStopped);
}

TEST_CASE("chains of thousands of facts are proved, and longer ones do not overflow the stack", "[proofs]") {
  Memory memory;
  for (int i = 0; i < 8000; ++i)
    say(memory, "<a" + std::to_string(i) + " --> a" + std::to_string(i + 1) + ">.");
  const ProofSearchOptions much{.work = 10'000'000, .slack = 0};
  const auto found = proofs(memory, "<a0 --> a4000>", much);
  REQUIRE(found.size() == 1);
  CHECK(found.front().size() == 4000);
  CHECK(proofs(memory, "<a0 --> a8000>", much).empty());
}

double sum_of_shares(Memory& memory, const std::string& question) {
  const MemoryIndex index(memory);
  const ProofAttention attention(index, {{term(memory, question)}, {}}, plain_proof_weights, {});
  double sum = 0;
  for (const WeightedProof& guess : attention.proofs()) sum += guess.share;
  return sum;
}

TEST_CASE("each use of a statement is one step, also of an implication", "[proofs]") {
  Memory memory = told({"<rain ==> wet>.", "<wet ==> slippery>.", "<rain <=> cloudy>."});
  CHECK(sum_of_shares(memory, "<rain ==> wet>") == Approx(1));
  CHECK(sum_of_shares(memory, "<rain ==> slippery>") == Approx(1));
  CHECK(sum_of_shares(memory, "<rain <=> cloudy>") == Approx(1));
}

TEST_CASE("independent replacements of parts of a goal in any order are one proof", "[proofs]") {
  Memory memory = told({"<a --> x>.", "<b --> y>.", "<(*,x,y) --> r>."});
  CHECK(sum_of_shares(memory, "<(*,a,b) --> r>") == Approx(1));
}

TEST_CASE("a denial for a class does not extend to its superclasses", "[proofs]") {
  Memory memory = told({
      "<bird --> animal>.",                          // statement 0
      "<<$1 --> penguin> ==> (--,<$1 --> bird>)>.",  // 1
      "<{pingu} --> penguin>.",                      // 2
      "<mother --> parent>.",                        // 3
      "<(*,a,b) --> mother>. %0;0.9%",               // 4
  });
  CHECK(proofs(memory, "<{pingu} --> animal>").empty());
  CHECK(proofs(memory, "<(*,a,b) --> parent>").empty());
}

TEST_CASE("a doubtful fact does not hide a cheaper proof of the same statement", "[proofs]") {
  Memory memory = told({
      "<x --> a>. %0.6;0.3%",          // statement 0
      "<x --> b>.",                    // 1
      "<<$1 --> b> ==> <$1 --> a>>.",  // 2
      "<<$1 --> a> ==> <$1 --> q>>.",  // 3
      "<x --> c>. %1;0.8%",            // 4
      "<<$1 --> c> ==> <$1 --> q>>.",  // 5
  });
  const MemoryIndex index(memory);
  ProofWeights theta = plain_proof_weights;
  at(theta, ProofFeature::counterevidence) = -20;
  const ProofAttention attention(index, {{term(memory, "<x --> q>")}, {}}, theta, {});
  REQUIRE(attention.proofs().size() == 2);
  CHECK(attention.proofs()[0].statements == Proof{4, 5});
  CHECK(attention.proofs()[1].statements == Proof{1, 2, 3});
}

}  // namespace
}  // namespace engram::core
