// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "experiments/inputs/proof_set_parts.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/experiments/inputs/proof_set_checks.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace narsese = engram::narsese;

namespace {

// The facts and rules of a proof set, parsed from the text of its statements. A fact is r(x, y), and a rule is a(x, y),
// b(y, z) -> c(x, z). The values are indices of statements.
struct ProofWorld {
  using Relation = std::array<std::string, 3>;  // for a fact: relation, from, to
  std::map<Relation, std::size_t> facts;
  std::map<Relation, std::size_t> rules;  // the relations a, b and c of each rule
  std::set<std::string> everybody;
};

ProofWorld::Relation relation_in(narsese::Term term) {
  const auto pair = term.subject().components();
  const auto name = [](narsese::Term t) {
    return t.kind() == narsese::TermKind::variable ? std::string() : std::string(t.name());
  };
  return {std::string(name(term.predicate())), name(pair[0]), name(pair[1])};
}

// Parses the statements of a set with the indices `among`. Without `among`, all statements that are not denied.
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
      // Components of (&&, ..) are sorted. The first premise of a rule is the component with the variable $1.
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

// The relations that rules derive from facts of the relations a and b, each with the index of its rule.
std::vector<std::pair<std::string, std::size_t>> joins(const ProofWorld& world, const std::string& a,
                                                       const std::string& b) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const auto& [rule, id] : world.rules)
    if (rule[0] == a && rule[1] == b) found.emplace_back(rule[2], id);
  return found;
}

// The minimal sets of at most `most` statements that derive `goal` from two or three facts in a row. Two rules can be
// applied in two orders, and the function tries both.
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

// Whether `goal` follows from the facts and rules, decided by computing all consequences.
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

// A parsed statement <from --> to> or <(&/, from, operations..) =/> to>.
using Told = std::tuple<std::string, std::string, std::string>;  // from, operations, to

Told told_by(const std::string& text) {
  narsese::TermTable table;
  const auto term = narsese::parse_term(text, table);
  REQUIRE(term);
  const narsese::Term cause = term->subject();
  const std::string to = narsese::print(term->predicate());
  if (cause.kind() != narsese::TermKind::compound || !term->is(narsese::Copula::predictive_implication))
    return {narsese::print(cause), "", to};
  std::string operations;
  for (std::size_t i = 1; i < cause.components().size(); ++i)
    operations += narsese::print(cause.components()[i]);
  return {narsese::print(cause.components()[0]), operations, to};
}

bool is_denied(const ProofSet& set, std::size_t i) { return set.truths[i].starts_with(" %0"); }

// Whether the statement `goal` follows from these premises alone, decided by computing all consequences.
bool follows_from(const ProofSet& set, const std::vector<std::size_t>& premises, const std::string& goal) {
  std::set<Told> known;
  for (const std::size_t id : premises)
    if (!is_denied(set, id)) known.insert(told_by(set.statements[id]));
  for (std::size_t before = 0; before != known.size();) {
    before = known.size();
    const auto so_far = known;
    for (const auto& [a, first, b] : so_far)
      for (const auto& [c, second, d] : so_far)
        if (b == c && a != d) known.insert({a, first + second, d});
  }
  return known.contains(told_by(goal));
}

// For each term the terms that it links to, each with the index of its statement. Denied statements give no link.
using Links = std::map<std::string, std::vector<std::pair<std::string, std::size_t>>>;

Links links_of(const ProofSet& set) {
  Links links;
  for (std::size_t i = 0; i < set.statements.size(); ++i) {
    if (is_denied(set, i)) continue;
    const auto [from, operations, to] = told_by(set.statements[i]);
    links[from].emplace_back(to, i);
  }
  return links;
}

// All paths of at most `most` links, each as the set of its statements.
std::vector<std::set<std::size_t>> ways_between(const Links& links, const std::string& from,
                                                const std::string& to, std::size_t most) {
  std::vector<std::set<std::size_t>> all;
  std::set<std::size_t> used;
  const std::function<void(const std::string&)> go = [&](const std::string& at) {
    if (at == to) all.push_back(used);
    if (used.size() == most || !links.contains(at)) return;
    for (const auto& [next, id] : links.at(at))
      if (used.insert(id).second) {
        go(next);
        used.erase(id);
      }
  };
  go(from);
  return all;
}

std::set<std::string> all_above(const Links& links, const std::string& from) {
  std::set<std::string> known{from};
  for (std::size_t before = 0; before != known.size();) {
    before = known.size();
    for (const std::string& at : std::set<std::string>(known))
      if (links.contains(at))
        for (const auto& [next, id] : links.at(at)) known.insert(next);
  }
  return known;
}

// Checks that the needed statements prove each question, that no proper subset does, and that no other path of at most
// the same length does.
void check_proofs(const ProofSet& set) {
  check_needed(set,
               [&](const auto& premises, const auto& answer) { return follows_from(set, premises, answer); });
  const Links links = links_of(set);
  for (const ProvenQuestion& question : set.questions) {
    CHECK(question.answer == question.question);
    CHECK(question.needed.size() >= 2);
    CHECK(question.needed.size() <= 5);
    const auto [from, operations, to] = told_by(question.question);
    const std::set<std::size_t> needed(question.needed.begin(), question.needed.end());
    CHECK(ways_between(links, from, to, needed.size()) == std::vector<std::set<std::size_t>>{needed});
  }
}

std::map<std::size_t, std::size_t> proof_lengths(const ProofSet& set) {
  std::map<std::size_t, std::size_t> lengths;
  for (const ProvenQuestion& question : set.questions) ++lengths[question.needed.size()];
  return lengths;
}

// Checks the number of statements and questions for many sizes. Also checks that a corpus accepts every line and finds
// every premise.
void check_sizes(ProofSet (*generate)(std::size_t, std::uint64_t, std::size_t)) {
  for (std::size_t size = 10; size < 64; ++size) {
    const ProofSet set = generate(size, size, 5);
    CHECK(set.statements.size() == size);
    CHECK(set.truths.size() == size);
    CHECK(std::set<std::string>(set.statements.begin(), set.statements.end()).size() == size);
    CHECK_FALSE(set.questions.empty());
    CHECK(set.questions.size() <= 5);
    check_proofs(set);
  }
  for (std::uint64_t seed = 1; seed <= 200; ++seed) CHECK_FALSE(generate(10, seed, 1).questions.empty());
  CHECK(generate(10, 1, 0).questions.empty());
  CHECK(nal_text(generate(500, 5, 9)) == nal_text(generate(500, 5, 9)));
  CHECK(nal_text(generate(500, 5, 9)) != nal_text(generate(500, 6, 9)));
  CHECK_THROWS_AS(generate(9, 1, 1), std::invalid_argument);

  const ProofSet set = generate(10'000, 2, 40);
  REQUIRE(set.statements.size() == 10'000);
  check_proofs(set);
  CHECK(proof_lengths(set) == std::map<std::size_t, std::size_t>{{2, 10}, {3, 10}, {4, 10}, {5, 10}});
  check_corpus(set);
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
      // The asked relation is unique: no other relation of the two persons has an equally short proof.
      ++open;
      for (int r = 1; r <= 10; ++r) {
        const std::string other = "r" + std::to_string(r);
        if (other == goal[0]) continue;
        CHECK(proofs(world, {other, goal[1], goal[2]}, needed.size()).empty());
      }
    }
  }
  CHECK(open > 5);
  CHECK((lengths & (1u << 3)) != 0);  // some questions need two facts and a rule
  CHECK((lengths & (1u << 5)) != 0);  // some questions need three facts and two rules
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
  check_needed(set, [&](const auto& premises, const auto& answer) {
    return follows(proof_world(set, &premises), asked_relation(answer));
  });
  for (const ProvenQuestion& question : set.questions)
    for (const std::size_t id : question.needed) CHECK(set.truths[id].empty());
  CHECK(nal_text(set) == nal_text(generate_chains(options, 5)));
  CHECK(nal_text(set) != nal_text(generate_chains(options, 6)));

  // Without links between groups, each person reaches only the seven others of the group.
  options.cross_links = 0;
  Links near;
  for (const auto& [fact, id] : proof_world(generate_chains(options, 5)).facts) {
    near[fact[1]].emplace_back(fact[2], id);
    near[fact[2]].emplace_back(fact[1], id);
  }
  for (const auto& [person, others] : near) CHECK(all_above(near, person).size() <= 8);
}

TEST_CASE("Generated chains: options out of range are refused") {
  for (const ChainOptions& options :
       {ChainOptions{.size = 99}, ChainOptions{.rules = 65}, ChainOptions{.relations = 6},
        ChainOptions{.facts = 29}, ChainOptions{.noise = 0.3}, ChainOptions{.longest = 7},
        ChainOptions{.shortest = 5}})
    CHECK_THROWS_AS(generate_chains(options, 1), std::invalid_argument);
}

TEST_CASE("Generated files quote the needed statements as they are written") {
  const ProofSet set = generate_families(10, 1, 1);
  const std::string text = nal_text(set);
  CHECK(text.starts_with("//heading\n" + set.statements[0] + ".\n"));
  std::string tail = set.questions[0].question + "?\n//expected: Answer: " + set.questions[0].answer + ".\n";
  for (const std::size_t id : set.questions[0].needed) tail += "//needed: " + set.statements[id] + ".\n";
  CHECK(text.ends_with(tail));
}

TEST_CASE("unique_paths excludes nodes behind two equally short paths", "[experiments]") {
  LinkGraph graph(7);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> links{{0, 1}, {0, 2}, {1, 3}, {2, 3},
                                                                   {3, 4}, {1, 5}, {5, 6}};
  for (std::size_t i = 0; i < links.size(); ++i) graph.add(links[i].first, links[i].second, i);
  CHECK(graph.unique_paths(0, 1).size() == 2);
  const auto two = graph.unique_paths(0, 2), three = graph.unique_paths(0, 3);
  REQUIRE(two.size() == 1);
  CHECK(two[0].end == 5);
  CHECK(two[0].statements == std::vector<std::size_t>{0, 5});
  REQUIRE(three.size() == 1);
  CHECK(three[0].end == 6);
  CHECK(graph.unique_paths(0, 4).empty());
  CHECK(graph.reached(3) == std::vector<std::uint32_t>{3, 4});
}

TEST_CASE("Generated taxonomies: each question has one shortest proof, at every size", "[experiments]") {
  check_sizes(generate_taxonomies);
}

TEST_CASE("Generated events: each question has one shortest proof, at every size", "[experiments]") {
  check_sizes(generate_events);
}

TEST_CASE("Generated taxonomies: properties affirmed and denied elsewhere, and individuals in two classes",
          "[experiments]") {
  const ProofSet set = generate_taxonomies(2500, 7, 200);
  CHECK(set.questions.size() == 200);
  std::map<std::string, std::size_t> classes_of, told_of, denied_of;
  std::set<std::pair<std::string, std::string>> denied;
  for (std::size_t i = 0; i < set.statements.size(); ++i) {
    const auto [from, none, to] = told_by(set.statements[i]);
    if (from[0] == '{') ++classes_of[from];
    if (to[0] == '[') ++(is_denied(set, i) ? denied_of : told_of)[to];
    if (is_denied(set, i)) {
      CHECK(set.truths[i] == " %0.0;0.9%");
      CHECK(to[0] == '[');
      denied.insert({from, to});
    } else {
      CHECK(set.truths[i].empty());
    }
  }
  CHECK(classes_of.size() == 600);  // each tree has six individuals
  CHECK(std::ranges::count_if(classes_of, [](const auto& c) { return c.second > 1; }) > 80);
  CHECK(told_of.size() == 20);
  // Each tree affirms seven of the twenty properties.
  for (const auto& [property, count] : told_of) CHECK(count > 10);
  CHECK(denied.size() == 200);
  CHECK(denied_of.size() == 20);
  const Links links = links_of(set);
  for (const ProvenQuestion& question : set.questions) {
    const auto [individual, none, property] = told_by(question.question);
    CHECK(individual[0] == '{');
    CHECK(property[0] == '[');
    for (const std::string& above : all_above(links, individual))
      CHECK_FALSE(denied.contains({above, property}));
  }
}

TEST_CASE("Generated events: operations, confidences, shared events and dead ends", "[experiments]") {
  const ProofSet set = generate_events(4000, 7, 200);
  CHECK(set.questions.size() == 200);
  std::map<std::string, std::size_t> by_operation, by_truth, leaving, arriving;
  for (std::size_t i = 0; i < set.statements.size(); ++i) {
    const auto [from, operation, to] = told_by(set.statements[i]);
    ++by_operation[operation];
    ++by_truth[set.truths[i]];
    ++leaving[from];
    ++arriving[to];
  }
  CHECK(by_operation.size() == 6);
  CHECK(by_operation[""] > 2700);
  CHECK(by_operation[""] < 2900);
  REQUIRE(by_truth.size() == 4);
  for (const auto& [truth, count] : by_truth) CHECK((count > 900 && count < 1100));
  const auto only_in = [](const auto& a, const auto& b) {
    return std::ranges::count_if(a, [&](const auto& event) { return !b.contains(event.first); });
  };
  CHECK(only_in(arriving, leaving) > 600);  // more than 600 events have no successor
  CHECK(only_in(leaving, arriving) > 600);
  // Groups are small. Some events reach more than 40 others, because groups share events.
  const Links links = links_of(set);
  std::size_t most = 0;
  for (const auto& [event, next] : links) most = std::max(most, all_above(links, event).size());
  CHECK(most > 40);
  std::size_t with_operation = 0;
  for (const ProvenQuestion& question : set.questions)
    with_operation += std::get<1>(told_by(question.question)).empty() ? 0 : 1;
  CHECK(with_operation > 60);
  CHECK(with_operation < 160);
}
