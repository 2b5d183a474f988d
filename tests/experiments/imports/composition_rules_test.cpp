// SPDX-License-Identifier: MIT
#include "experiments/imports/composition_rules.hpp"

#include <map>
#include <set>
#include <sstream>

#include "core/numbers/random.hpp"
#include "experiments/imports/table.hpp"
#include "experiments/inputs/corpus.hpp"
#include "tests/experiments/imports/gathered.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using Fact = std::array<std::string, 3>;

namespace {

std::string table_of(const std::set<Fact>& facts) {
  std::string text;
  for (const auto& [head, relation, tail] : facts) text += head + "\t" + relation + "\t" + tail + "\n";
  return text;
}

// A family of three generations: a grandfather, his son and daughter, and the son's son.
std::set<Fact> kin_of(int family) {
  const auto who = [&](const std::string& role) { return role + std::to_string(family); };
  return {{who("old"), "father", who("man")},   {who("man"), "father", who("boy")},
          {who("old"), "father", who("woman")}, {who("woman"), "sister", who("man")},
          {who("woman"), "aunt", who("boy")},   {who("old"), "grandfather", who("boy")}};
}

std::set<Fact> kin(int families) {
  std::set<Fact> facts;
  for (int i = 0; i < families; ++i) facts.merge(kin_of(i));
  return facts;
}

void read_kin(const std::set<Fact>& facts, bool held_out, Knowledge& knowledge) {
  std::istringstream file(table_of(facts));
  read_table("kin.tsv", file, {}, held_out, knowledge, unwatched);
}

std::string name_in(const Knowledge& knowledge, NameId id) { return knowledge.names().at(id).source; }

// All pairs of facts from which a rule derives this fact, by exhaustive search.
std::set<std::vector<Fact>> joined(const std::set<Fact>& facts, const std::vector<CompositionRule>& rules,
                                   const Fact& made, const Knowledge& knowledge) {
  std::set<std::vector<Fact>> all;
  for (const CompositionRule& rule : rules)
    for (const Fact& a : facts)
      for (const Fact& b : facts)
        if (name_in(knowledge, rule.result) == made[1] && a[1] == name_in(knowledge, rule.first) &&
            b[1] == name_in(knowledge, rule.second) && a[0] == made[0] && a[2] == b[0] && b[2] == made[2])
          all.insert({a, b});
  return all;
}

}  // namespace

TEST_CASE("rule counts match an exhaustive search", "[experiments][imports]") {
  core::Rng rng(1, "facts");
  std::set<Fact> facts;
  const auto person = [&] { return "p" + std::to_string(rng.below(12)); };
  while (facts.size() < 60) facts.insert({person(), "r" + std::to_string(rng.below(3)), person()});
  Gathered gathered;
  read_kin(facts, false, gathered.knowledge);

  std::map<std::array<std::string, 3>, std::pair<std::size_t, std::size_t>> expected;
  for (const std::string first : {"r0", "r1", "r2"})
    for (const std::string second : {"r0", "r1", "r2"}) {
      std::set<std::pair<std::string, std::string>> pairs;
      for (const Fact& a : facts)
        for (const Fact& b : facts)
          if (a[1] == first && b[1] == second && a[2] == b[0] && a[0] != b[2]) pairs.emplace(a[0], b[2]);
      for (const std::string result : {"r0", "r1", "r2"}) {
        std::size_t support = 0;
        for (const auto& [x, z] : pairs) support += facts.count({x, result, z});
        if (support >= 2) expected[{first, second, result}] = {pairs.size(), support};
      }
    }
  const auto rules = composition_rules(gathered.knowledge, 1000, 2);
  std::map<std::array<std::string, 3>, std::pair<std::size_t, std::size_t>> found;
  double before = 1;
  for (const CompositionRule& rule : rules) {
    found[{name_in(gathered.knowledge, rule.first), name_in(gathered.knowledge, rule.second),
           name_in(gathered.knowledge, rule.result)}] = {rule.pairs, rule.support};
    const double share = static_cast<double>(rule.support) / static_cast<double>(rule.pairs);
    CHECK(share <= before);
    before = share;
  }
  CHECK(found == expected);
  CHECK(composition_rules(gathered.knowledge, 3, 2).size() == 3);
}

TEST_CASE("questions have the named proof, and false questions have none", "[experiments][imports]") {
  std::set<Fact> facts = kin(30), asked;
  for (int i = 0; i < 30; i += 3) {
    const auto who = [&](const std::string& role) { return role + std::to_string(i); };
    asked.insert({who("woman"), "aunt", who("boy")});
    asked.insert({who("old"), "grandfather", who("boy")});
  }
  for (const Fact& fact : asked) facts.erase(fact);
  Gathered gathered;
  read_kin(facts, false, gathered.knowledge);
  read_kin(asked, true, gathered.knowledge);
  const auto rules = composition_rules(gathered.knowledge, 4, 5);
  const auto questions = provable_questions(gathered.knowledge, rules, 12, 1);

  const auto fact_of = [&](NameId head, NameId relation, NameId tail) {
    return Fact{name_in(gathered.knowledge, head), name_in(gathered.knowledge, relation),
                name_in(gathered.knowledge, tail)};
  };
  std::size_t right = 0, wrong = 0, relations = 0, proofs = 0;
  for (const AskedFact& question : questions) {
    const Claim& fact = question.fact;
    const Fact said = fact_of(fact.subject, fact.relation, fact.object);
    relations += question.asks_relation;
    if (question.holds) {
      ++right;
      CHECK(asked.contains(said));
      std::set<std::vector<Fact>> found;
      for (const AskedFact::Proof& proof : question.proofs) {
        const CompositionRule& rule = rules.at(*proof.rule);
        CHECK(rule.result == fact.relation);
        const Claim &first = proof.claims.at(0), &second = proof.claims.at(1);
        CHECK((first.relation == rule.first && second.relation == rule.second));
        CHECK((first.subject == fact.subject && first.object == second.subject &&
               second.object == fact.object));
        found.insert({fact_of(first.subject, first.relation, first.object),
                      fact_of(second.subject, second.relation, second.object)});
      }
      CHECK(found.size() == question.proofs.size());
      CHECK(found == joined(facts, rules, said, gathered.knowledge));
      proofs += question.proofs.size();
    } else {
      ++wrong;
      CHECK(!facts.contains(said));
      CHECK(!asked.contains(said));
      CHECK(said[0].back() == said[2].back());  // of the same family, so not an easy negative
    }
  }
  CHECK(right == 12);
  CHECK(wrong > 0);
  CHECK(relations == 6);

  const auto written =
      write_knowledge(gathered.knowledge, rules, questions, {.heading = "test", .truth = {}});
  const auto same = provable_questions(gathered.knowledge, rules, 12, 1);
  CHECK(write_knowledge(gathered.knowledge, rules, same, {.heading = "test", .truth = {}}).text ==
        written.text);
  const auto other = provable_questions(gathered.knowledge, rules, 12, 2);
  CHECK(write_knowledge(gathered.knowledge, rules, other, {.heading = "test", .truth = {}}).text !=
        written.text);
  CHECK(statements_read(written.text) == facts.size() + 4);
  CHECK(lines_of(written.text, "//needed: ").size() == 3 * proofs);
  CHECK(lines_of(written.text, "//or:").size() == proofs - right);
  CHECK(lines_of(written.text, "//expected: Answer: None.").size() == wrong);
  CHECK(lines_of(written.text, "//father . father -> grandfather: support 20 of 30 pairs").size() == 1);
  CHECK(lines_of(written.text,
                 "<(&&,<(*,$1,#1) --> father>,<(*,#1,$2) --> father>) ==> <(*,$1,$2) --> "
                 "grandfather>>. %0.67;0.97%")
            .size() == 1);
}

TEST_CASE("names that the target rejects leave no question with an incomplete proof",
          "[experiments][imports]") {
  Gathered gathered;
  std::set<Fact> asked;
  for (int i = 0; i < 60; ++i) {  // 240 people; ONA accepts fewer than 182
    std::set<Fact> facts = kin_of(i);
    const Fact last{"old" + std::to_string(i), "grandfather", "boy" + std::to_string(i)};
    if (i % 2 == 1) asked.insert(facts.extract(last).value());
    read_kin(facts, false, gathered.knowledge);
  }
  read_kin(asked, true, gathered.knowledge);
  const auto rules = composition_rules(gathered.knowledge, 6, 5);
  const auto questions = provable_questions(gathered.knowledge, rules, 30, 1);
  const auto written =
      write_knowledge(gathered.knowledge, rules, questions, {"test", narsese::Dialect::ona, {}});
  CHECK(written.refused > 0);
  std::istringstream in(written.text);
  const Corpus corpus = read_corpus(in, "kin", {});
  CHECK(corpus.rejected.empty());  // every premise is in the file
  std::size_t proven = 0;
  for (const Question& question : corpus.questions) {
    CHECK(question.proofs.empty() == question.expected.empty());
    for (const Question::Proof& proof : question.proofs) CHECK(proof.size() == 3);
    proven += !question.expected.empty();
  }
  CHECK(proven > 0);
  CHECK(proven < 30);
}
