// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;
namespace narsese = engram::narsese;

namespace {

// The facts r(x, y) and rules a(x, y), b(y, z) -> c(x, z), parsed from the statements' text.
struct ProofWorld {
  using Relation = std::array<std::string, 3>;  // relation, from, to
  std::map<Relation, std::size_t> facts;
  std::map<Relation, std::size_t> rules;  // a, b, c
  std::set<std::string> everybody;
};

ProofWorld::Relation relation_in(narsese::Term term) {
  const auto pair = term.subject().components();
  const auto name = [](narsese::Term t) {
    return t.kind() == narsese::TermKind::variable ? std::string() : std::string(t.name());
  };
  return {std::string(name(term.predicate())), name(pair[0]), name(pair[1])};
}

// `among`: the statements to use; by default all that are not denied.
ProofWorld proof_world(const ProofSet& set, const std::vector<std::size_t>* among = nullptr) {
  narsese::TermTable table;
  ProofWorld world;
  std::set<std::string> denied;
  for (std::size_t i = 0; i < set.statements.size(); ++i)
    if (!set.truths[i].empty()) denied.insert(set.statements[i]);
  for (std::size_t i = 0; i < set.statements.size(); ++i) {
    if (denied.contains(set.statements[i])) continue;
    if (among != nullptr && std::ranges::find(*among, i) == among->end()) continue;
    const auto term = narsese::parse_term(set.statements[i], table);
    REQUIRE(term);
    if (term->is(narsese::Copula::implication)) {
      const auto premises = term->subject().components();
      REQUIRE(premises.size() == 2);
      // Components of (&&, ..) are sorted; the first premise is the one with $1.
      const bool turned =
          premises[0].subject().components()[0].variable_kind() == narsese::VariableKind::dependent;
      world.rules[{relation_in(premises[turned ? 1 : 0])[0], relation_in(premises[turned ? 0 : 1])[0],
                   relation_in(term->predicate())[0]}] = i;
    } else {
      const auto relation = relation_in(*term);
      CHECK(world.facts.emplace(relation, i).second);
      world.everybody.insert({relation[1], relation[2]});
    }
  }
  return world;
}

using Used = std::set<std::size_t>;

// The relations that rules derive from a and b, with the rules.
std::vector<std::pair<std::string, std::size_t>> joins(const ProofWorld& world, const std::string& a,
                                                       const std::string& b) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const auto& [rule, id] : world.rules)
    if (rule[0] == a && rule[1] == b) found.emplace_back(rule[2], id);
  return found;
}

// The smallest sets of at most `most` statements that derive the relation from two or three facts in a row. Both orders
// of applying two rules are written out.
std::set<Used> proofs(const ProofWorld& world, const ProofWorld::Relation& goal, std::size_t most) {
  std::set<Used> all;
  const auto add = [&](const std::string& relation, const Used& used) {
    if (relation == goal[0] && used.size() <= most) all.insert(used);
  };
  for (const auto& [f, i] : world.facts) {
    if (f[1] != goal[1] || f[2] == goal[2]) continue;
    for (const auto& [g, j] : world.facts) {
      if (g[1] != f[2] || g[2] == goal[1]) continue;
      if (g[2] == goal[2])
        for (const auto& [c, r] : joins(world, f[0], g[0])) add(c, {i, j, r});
      if (g[2] == goal[2]) continue;
      for (const auto& [h, k] : world.facts) {
        if (h[1] != g[2] || h[2] != goal[2]) continue;
        for (const auto& [c, r] : joins(world, f[0], g[0]))
          for (const auto& [d, q] : joins(world, c, h[0])) add(d, {i, j, k, r, q});
        for (const auto& [c, r] : joins(world, g[0], h[0]))
          for (const auto& [d, q] : joins(world, f[0], c)) add(d, {i, j, k, r, q});
      }
    }
  }
  return all;
}

// Whether the relation can be derived, by computing all consequences.
bool follows(const ProofWorld& world, const ProofWorld::Relation& goal) {
  std::set<ProofWorld::Relation> known;
  for (const auto& [fact, id] : world.facts) known.insert(fact);
  for (std::size_t before = 0; before != known.size();) {
    before = known.size();
    const auto so_far = known;
    for (const auto& f : so_far)
      for (const auto& g : so_far)
        if (f[2] == g[1])
          for (const auto& [c, r] : joins(world, f[0], g[0])) known.insert({c, f[1], g[2]});
  }
  return known.contains(goal);
}

ProofWorld::Relation asked_relation(const std::string& text) {
  narsese::TermTable table;
  const auto term = narsese::parse_term(text, table);
  REQUIRE(term);
  return relation_in(*term);
}

std::string nal_text(const ProofSet& set) {
  std::ostringstream out;
  write_nal(out, set, "heading");
  return out.str();
}

}  // namespace

TEST_CASE(
    "Generated families: four rules, six facts each, and each grandparent has one proof of three "
    "statements") {
  const ProofSet set = generate_families(64, 3);
  REQUIRE(set.statements.size() == 64);
  REQUIRE(set.questions.size() == 40);
  const ProofWorld world = proof_world(set);
  CHECK(world.rules.size() == 4);
  CHECK(world.facts.size() == 60);
  CHECK(world.everybody.size() == 70);
  std::set<std::string> asked;
  for (const ProvenQuestion& question : set.questions) {
    CHECK(asked.insert(question.question).second);
    CHECK(asked_relation(question.question)[0].empty());
    const auto all = proofs(world, asked_relation(question.answer), 5);
    REQUIRE(all.size() == 1);
    CHECK(*all.begin() == Used(question.needed.begin(), question.needed.end()));
  }
  CHECK(generate_families(10, 1).questions.size() == 4);
  CHECK(generate_families(18004, 1).statements.size() == 18004);
  CHECK_THROWS_AS(generate_families(9, 1), std::invalid_argument);
}

TEST_CASE("Generated chains: the needed statements are the only shortest proof, by hand-written joins") {
  ChainOptions options;
  options.size = 100;
  options.questions = 12;
  options.longest = 3;
  std::size_t open = 0, lengths = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const ProofSet set = generate_chains(options, seed);
    const ProofWorld world = proof_world(set);
    REQUIRE(world.rules.size() == 40);
    for (const ProvenQuestion& question : set.questions) {
      auto goal = asked_relation(question.answer);
      const Used needed(question.needed.begin(), question.needed.end());
      lengths |= std::size_t{1} << needed.size();
      CHECK(proofs(world, goal, needed.size()) == std::set<Used>{needed});
      if (asked_relation(question.question)[0] == goal[0]) continue;
      ++open;  // no other relation of the two has an equally short proof
      for (int r = 1; r <= 10; ++r) {
        const std::string other = "r" + std::to_string(r);
        if (other == goal[0]) continue;
        CHECK(proofs(world, {other, goal[1], goal[2]}, needed.size()).empty());
      }
    }
  }
  CHECK(open > 5);
  CHECK((lengths & (1u << 3)) != 0);  // two facts and a rule
  CHECK((lengths & (1u << 5)) != 0);  // three facts and two rules
}

TEST_CASE("Generated chains: sizes, cross links, denied facts, and equal files for equal seeds") {
  ChainOptions options;
  options.size = 3000;
  const ProofSet set = generate_chains(options, 5);
  CHECK(set.statements.size() > 2850);
  CHECK(set.statements.size() < 3150);
  CHECK(set.questions.size() == 40);
  const auto denied = std::ranges::count(set.truths, " %0.0;0.9%"),
             contradicted = std::ranges::count(set.truths, " %0.0;0.6%");
  CHECK(denied > 80);
  CHECK(denied < 200);
  CHECK(contradicted > 80);
  CHECK(contradicted < 200);
  for (const ProvenQuestion& question : set.questions) {
    CHECK(follows(proof_world(set, &question.needed), asked_relation(question.answer)));
    for (const std::size_t left_out : question.needed) {
      auto without = question.needed;
      std::erase(without, left_out);
      CHECK_FALSE(follows(proof_world(set, &without), asked_relation(question.answer)));
    }
    CHECK(std::ranges::is_sorted(question.needed));
    for (const std::size_t id : question.needed) CHECK(set.truths[id].empty());
  }
  CHECK(nal_text(set) == nal_text(generate_chains(options, 5)));
  CHECK(nal_text(set) != nal_text(generate_chains(options, 6)));

  options.cross_links = 0;  // then each person reaches only the seven others of a group
  std::map<std::string, std::set<std::string>> near;
  for (const auto& [fact, id] : proof_world(generate_chains(options, 5)).facts) {
    near[fact[1]].insert(fact[2]);
    near[fact[2]].insert(fact[1]);
  }
  for (const auto& [person, others] : near) {
    std::set<std::string> reached{person};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const std::string& p : std::set<std::string>(reached))
        reached.insert(near[p].begin(), near[p].end());
    }
    CHECK(reached.size() <= 8);
  }
}

TEST_CASE("Generated chains: options out of range are refused") {
  const auto refused = [](auto change) {
    ChainOptions options;
    change(options);
    CHECK_THROWS_AS(generate_chains(options, 1), std::invalid_argument);
  };
  refused([](ChainOptions& o) { o.size = 99; });
  refused([](ChainOptions& o) { o.rules = 65; });
  refused([](ChainOptions& o) { o.relations = 6; });
  refused([](ChainOptions& o) { o.facts = 29; });
  refused([](ChainOptions& o) { o.noise = 0.3; });
  refused([](ChainOptions& o) { o.longest = 7; });
  refused([](ChainOptions& o) { o.shortest = 5; });
}

TEST_CASE("Generated files quote the needed statements as they are written") {
  const ProofSet set = generate_families(10, 1, 1);
  const std::string text = nal_text(set);
  CHECK(text.starts_with("//heading\n" + set.statements[0] + ".\n"));
  std::string tail = set.questions[0].question + "?\n//expected: Answer: " + set.questions[0].answer + ".\n";
  for (const std::size_t id : set.questions[0].needed) tail += "//needed: " + set.statements[id] + ".\n";
  CHECK(text.ends_with(tail));
}
