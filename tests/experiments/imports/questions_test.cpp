// SPDX-License-Identifier: MIT
#include "experiments/imports/questions.hpp"

#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "core/numbers/random.hpp"
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

std::string name_in(const Knowledge& knowledge, NameId id) { return knowledge.names().at(id).source; }

// All pairs of facts from which one of the rules derives the fact `made`, found by exhaustive search.
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

using Way = std::vector<std::pair<std::string, std::string>>;
using Inheritances = std::set<std::pair<std::string, std::string>>;

// Layers of classes. Each class is below one to three classes of a higher layer, so some classes have several paths
// upwards.
Inheritances classes(core::Rng& rng, int layers, int width) {
  Inheritances links;
  const auto name = [](int layer, int at) { return "c" + std::to_string(layer) + "x" + std::to_string(at); };
  for (int layer = 0; layer + 1 < layers; ++layer)
    for (int at = 0; at < width; ++at)
      for (std::uint64_t more = 1 + rng.below(3); more > 0; --more) {
        const int up = std::min(layers - 1, layer + 1 + static_cast<int>(rng.below(5) == 0));
        links.emplace(name(layer, at),
                      name(up, static_cast<int>(rng.below(static_cast<std::uint64_t>(width)))));
      }
  return links;
}

// Finds all paths from `at` to `to` of at most six links, by exhaustive search.
void find_ways(const Inheritances& links, const std::string& at, const std::string& to, Way& way,
               std::set<Way>& all) {
  if (at == to) all.insert(way);
  if (at == to || way.size() == 6) return;
  for (const auto& link : links) {
    const std::string& above = link.second;
    if (link.first != at || std::ranges::any_of(way, [&](const auto& step) { return step.first == above; }))
      continue;
    way.push_back(link);
    find_ways(links, above, to, way, all);
    way.pop_back();
  }
}

bool leads(const Inheritances& links, const std::string& from, const std::string& to) {
  std::set<std::string> seen{from};
  for (bool more = true; more;) {
    more = false;
    for (const auto& [below, above] : links) more |= seen.contains(below) && seen.insert(above).second;
  }
  return seen.contains(to);
}

void read_links(const Inheritances& links, Gathered& gathered) {
  std::set<Fact> facts;
  for (const auto& [below, above] : links) facts.insert({below, "is_a", above});
  read_facts(gathered, table_of(facts), {{"is_a"}, {}, {}});
}

}  // namespace

TEST_CASE("rule counts match an exhaustive search", "[experiments][imports]") {
  core::Rng rng(1, "facts");
  std::set<Fact> facts;
  const auto person = [&] { return "p" + std::to_string(rng.below(12)); };
  while (facts.size() < 60) facts.insert({person(), "r" + std::to_string(rng.below(3)), person()});
  Gathered gathered;
  read_facts(gathered, table_of(facts));

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

TEST_CASE("questions have all their proofs, and false questions are not derivable",
          "[experiments][imports]") {
  std::set<Fact> facts = kin(30), asked;
  for (int i = 0; i < 30; i += 3) {
    const auto who = [&](const std::string& role) { return role + std::to_string(i); };
    asked.insert({who("woman"), "aunt", who("boy")});
    asked.insert({who("old"), "grandfather", who("boy")});
  }
  for (const Fact& fact : asked) facts.erase(fact);
  Gathered gathered;
  read_facts(gathered, table_of(facts));
  read_facts(gathered, table_of(asked), {}, true);
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
      // Not an easy negative example: both people are of the same family.
      CHECK(said[0].back() == said[2].back());
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
  for (int i = 0; i < 60; ++i) {  // 60 families of four people give 240 names; ONA accepts fewer than 182
    std::set<Fact> facts = kin_of(i);
    const Fact last{"old" + std::to_string(i), "grandfather", "boy" + std::to_string(i)};
    if (i % 2 == 1) asked.insert(facts.extract(last).value());
    read_facts(gathered, table_of(facts));
  }
  read_facts(gathered, table_of(asked), {}, true);
  const auto rules = composition_rules(gathered.knowledge, 6, 5);
  const auto questions = provable_questions(gathered.knowledge, rules, 30, 1);
  const auto written =
      write_knowledge(gathered.knowledge, rules, questions, {"test", narsese::Dialect::ona, {}});
  CHECK(written.refused > 0);
  std::istringstream in(written.text);
  const Corpus corpus = read_corpus(in, "kin", {});
  CHECK(corpus.rejected.empty());  // the file contains every premise of every question
  std::size_t proven = 0;
  for (const Question& question : corpus.questions) {
    CHECK(question.proofs.empty() == question.expected.empty());
    for (const Question::Proof& proof : question.proofs) CHECK(proof.size() == 3);
    proven += !question.expected.empty();
  }
  CHECK(proven > 0);
  CHECK(proven < 30);
}

TEST_CASE("true inheritance questions have all their proofs, false ones none", "[experiments][imports]") {
  core::Rng rng(3, "inheritance");
  const Inheritances links = classes(rng, 8, 7);
  Gathered gathered;
  read_links(links, gathered);
  const auto questions = inheritance_questions(gathered.knowledge, 20, 1);
  const auto name = [&](NameId id) { return gathered.knowledge.names().at(id).source; };
  std::map<std::size_t, int> lengths;
  std::size_t several = 0, wrong = 0;
  for (const AskedFact& question : questions) {
    const std::string subject = name(question.fact.subject), object = name(question.fact.object);
    CHECK(leads(links, subject, object) == question.holds);
    if (!question.holds) {
      ++wrong;
      CHECK(question.proofs.empty());
      CHECK(!leads(links, object, subject));
      continue;
    }
    std::set<Way> found, expected;
    for (std::size_t i = 0; i < question.proofs.size(); ++i) {
      Way way;
      for (const Claim& claim : question.proofs[i].claims)
        way.emplace_back(name(claim.subject), name(claim.object));
      CHECK((i == 0 || way.size() >= question.proofs[i - 1].claims.size()));
      found.insert(way);
    }
    Way way;
    find_ways(links, subject, object, way, expected);
    CHECK(found.size() == question.proofs.size());
    if (expected.size() <= most_proofs)
      CHECK(found == expected);
    else
      CHECK((found.size() == most_proofs && std::ranges::includes(expected, found)));
    several += found.size() > 1;
    ++lengths[question.proofs.front().claims.size()];
  }
  CHECK(several > 5);
  CHECK(wrong > 10);
  for (std::size_t length = 2; length <= 6; ++length) CHECK(lengths[length] > 0);

  const auto written = write_knowledge(gathered.knowledge, {}, questions, {.heading = "test", .truth = {}});
  std::istringstream in(written.text);
  const Corpus corpus = read_corpus(in, "classes", {});
  CHECK(corpus.rejected.empty());
  REQUIRE(corpus.questions.size() == questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i)
    CHECK(corpus.questions[i].proofs.size() == questions[i].proofs.size());
}

TEST_CASE("cyclic inheritance terminates", "[experiments][imports]") {
  Gathered gathered;
  read_links({{"a", "b"}, {"b", "c"}, {"c", "a"}, {"c", "d"}, {"d", "d"}}, gathered);
  for (const AskedFact& question : inheritance_questions(gathered.knowledge, 10, 1)) {
    CHECK(question.holds);
    CHECK(question.proofs.size() == 1);
  }
  CHECK(inheritance_questions(gathered.knowledge, 0, 1).empty());
}
