// SPDX-License-Identifier: MIT
// Tests of generated theories and compositions. An independent forward chainer parses the statements and checks the
// proofs.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "experiments/inputs/proof_sets.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/experiments/inputs/proof_set_checks.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace narsese = engram::narsese;

namespace {

using Ids = std::set<std::size_t>;
using Literal = std::vector<std::string>;  // predicate and one or two names; variables start with $

bool is_variable(const std::string& name) { return name[0] == '$'; }

Literal literal_in(narsese::Term term) {
  Literal literal{narsese::print(term.predicate())};
  const narsese::Term subject = term.subject();
  if (subject.kind() == narsese::TermKind::compound && subject.connector() == narsese::Connector::product)
    for (const narsese::Term name : subject.components()) literal.push_back(narsese::print(name));
  else
    literal.push_back(narsese::print(subject));
  return literal;
}

struct Clause {
  std::size_t id = 0;
  std::vector<Literal> conditions;  // empty for a fact
  Literal conclusion;
};

Clause clause_in(const std::string& text, std::size_t id = 0) {
  narsese::TermTable table;
  const auto term = narsese::parse_term(text, table);
  REQUIRE(term);
  if (!term->is(narsese::Copula::implication)) return {id, {}, literal_in(*term)};
  Clause clause{id, {}, literal_in(term->predicate())};
  const narsese::Term body = term->subject();
  if (body.kind() == narsese::TermKind::compound)
    for (const narsese::Term condition : body.components())
      clause.conditions.push_back(literal_in(condition));
  else
    clause.conditions.push_back(literal_in(body));
  return clause;
}

std::vector<Clause> clauses_of(const ProofSet& set) {
  std::vector<Clause> clauses;
  for (std::size_t i = 0; i < set.statements.size(); ++i) clauses.push_back(clause_in(set.statements[i], i));
  return clauses;
}

std::vector<Clause> among(const std::vector<Clause>& clauses, const Ids& ids) {
  std::vector<Clause> chosen;
  for (const std::size_t id : ids) chosen.push_back(clauses[id]);
  return chosen;
}

// All consequences of some clauses: each derived literal with the first round that derived it, and the ground instances
// of the rules that were applied.
struct Consequences {
  std::map<Literal, std::size_t> rounds;
  std::vector<Clause> applied;
};

void match(const Clause& rule, std::size_t next, std::map<std::string, std::string> values,
           const std::map<Literal, std::size_t>& known, std::vector<Clause>& applied) {
  const auto grounded = [&](Literal literal) {
    for (std::size_t i = 1; i < literal.size(); ++i)
      if (values.contains(literal[i])) literal[i] = values.at(literal[i]);
    return literal;
  };
  if (next == rule.conditions.size()) {
    Clause ground{rule.id, {}, grounded(rule.conclusion)};
    for (const Literal& condition : rule.conditions) ground.conditions.push_back(grounded(condition));
    applied.push_back(ground);
    return;
  }
  const Literal condition = grounded(rule.conditions[next]);
  for (auto at = known.lower_bound({condition[0]}); at != known.end() && at->first[0] == condition[0]; ++at) {
    auto more = values;
    bool fits = true;
    for (std::size_t i = 1; fits && i < condition.size(); ++i)
      fits = (is_variable(condition[i]) ? more.emplace(condition[i], at->first[i]).first->second
                                        : condition[i]) == at->first[i];
    if (fits) match(rule, next + 1, more, known, applied);
  }
}

Consequences consequences(const std::vector<Clause>& clauses) {
  Consequences all;
  for (const Clause& clause : clauses)
    if (clause.conditions.empty()) all.rounds[clause.conclusion] = 0;
  for (std::size_t round = 1, before = 0; before != all.rounds.size(); ++round) {
    before = all.rounds.size();
    all.applied.clear();
    for (const Clause& clause : clauses)
      if (!clause.conditions.empty()) match(clause, 0, {}, all.rounds, all.applied);
    for (const Clause& ground : all.applied) all.rounds.try_emplace(ground.conclusion, round);
  }
  return all;
}

bool proves(const std::vector<Clause>& clauses, const Ids& ids, const Literal& goal) {
  return consequences(among(clauses, ids)).rounds.contains(goal);
}

// For each literal, its minimal sets of at most `most` premises. The function combines known sets until no new set
// appears.
std::map<Literal, std::set<Ids>> premise_sets(const std::vector<Clause>& clauses, std::size_t most) {
  std::map<Literal, std::set<Ids>> found;
  const auto add = [&](const Literal& literal, const Ids& ids) {
    std::set<Ids>& known = found[literal];
    const auto holds = [&](const Ids& other) { return std::ranges::includes(ids, other); };
    if (ids.size() > most || std::ranges::any_of(known, holds)) return false;
    std::erase_if(known, [&](const Ids& other) { return std::ranges::includes(other, ids); });
    return known.insert(ids).second;
  };
  for (const Clause& clause : clauses)
    if (clause.conditions.empty()) add(clause.conclusion, {clause.id});
  const std::vector<Clause> applied = consequences(clauses).applied;
  for (bool changed = true; std::exchange(changed, false);)
    for (const Clause& ground : applied) {
      std::set<Ids> combined{{ground.id}};
      for (const Literal& condition : ground.conditions) {
        std::set<Ids> next;
        for (const Ids& a : combined)
          for (const Ids& b : found[condition]) {
            Ids both = a;
            both.insert(b.begin(), b.end());
            if (both.size() <= most) next.insert(std::move(both));
          }
        combined = std::move(next);
      }
      for (const Ids& ids : combined) changed |= add(ground.conclusion, ids);
    }
  return found;
}

Ids ids_of(const ProvenQuestion& question) { return {question.needed.begin(), question.needed.end()}; }

// Checks by forward chaining that the needed statements of each question prove its answer.
void check_derivations(const ProofSet& set, const std::vector<Clause>& clauses) {
  check_needed(set, [&](const std::vector<std::size_t>& premises, const std::string& answer) {
    return proves(clauses, Ids(premises.begin(), premises.end()), clause_in(answer).conclusion);
  });
}

// Checks that no other set of premises is as small as the needed set, for questions that need at most `most` premises.
// Returns the number of these questions.
std::size_t check_only_shortest(const ProofSet& set, const std::vector<Clause>& clauses, std::size_t most) {
  const auto all = premise_sets(clauses, most);
  std::size_t checked = 0;
  for (const ProvenQuestion& question : set.questions) {
    const Ids needed = ids_of(question);
    if (needed.size() > most) continue;
    ++checked;
    std::set<Ids> as_small = all.at(clause_in(question.answer).conclusion);
    std::erase_if(as_small, [&](const Ids& ids) { return ids.size() > needed.size(); });
    CHECK(as_small == std::set<Ids>{needed});
  }
  return checked;
}

ProofSet theories(std::size_t groups, std::uint64_t seed, bool shared_words, std::size_t questions = 40) {
  ChainOptions options;
  options.groups = groups;
  options.questions = questions;
  options.shared_words = shared_words;
  return generate("theories", options, seed);
}

ProofSet compositions(std::size_t groups, std::uint64_t seed, bool both_ways, bool joined,
                      std::size_t questions = 40) {
  ChainOptions options;
  options.groups = groups;
  options.questions = questions;
  options.both_ways = both_ways;
  options.joined = joined;
  return generate("compositions", options, seed);
}

// The persons of each connected component of facts. The key is one person of the component.
std::map<std::string, std::set<std::string>> components(const std::vector<Clause>& clauses) {
  std::map<std::string, std::string> leader;
  const auto find = [&](std::string name) {
    while (leader.emplace(name, name).first->second != name) name = leader[name];
    return name;
  };
  for (const Clause& clause : clauses)
    if (clause.conditions.empty()) leader[find(clause.conclusion[1])] = find(clause.conclusion[2]);
  std::map<std::string, std::set<std::string>> all;
  for (const auto& [name, to] : std::map(leader)) all[find(name)].insert(name);
  return all;
}

}  // namespace

TEST_CASE("Generated theories: each question has one shortest proof, a tree of the scheduled depth",
          "[experiments]") {
  for (const bool shared_words : {false, true}) {
    const ProofSet set = theories(30, 7, shared_words);
    REQUIRE(set.questions.size() == 40);
    const auto clauses = clauses_of(set);
    check_derivations(set, clauses);
    check_corpus(set);
    CHECK(check_only_shortest(set, clauses, 20) == 40);
    std::map<std::size_t, std::size_t> depths;
    for (const ProvenQuestion& question : set.questions) {
      const Consequences proof = consequences(among(clauses, ids_of(question)));
      const std::size_t depth = proof.rounds.at(clause_in(question.answer).conclusion);
      ++depths[depth];
      CHECK((depth == 1 || std::ranges::any_of(proof.applied, [&](const Clause& ground) {
               return std::ranges::count_if(ground.conditions, [&](const Literal& condition) {
                        return proof.rounds.at(condition) > 0;
                      }) >= 2;
             })));
    }
    CHECK(depths == std::map<std::size_t, std::size_t>{{1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}});
  }
}

TEST_CASE("Generated theories: no other set of premises as small proves the answer", "[experiments]") {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const ProofSet set = theories(1, seed, false);
    const auto clauses = clauses_of(set);
    REQUIRE(clauses.size() <= 20);
    for (const ProvenQuestion& question : set.questions) {
      if (question.needed.size() > 4) continue;
      ++checked;
      const Literal goal = clause_in(question.answer).conclusion;
      std::set<Ids> sufficient;
      for (std::size_t chosen = 0; chosen < std::size_t{1} << clauses.size(); ++chosen) {
        if (static_cast<std::size_t>(std::popcount(chosen)) > question.needed.size()) continue;
        Ids ids;
        for (std::size_t i = 0; i < clauses.size(); ++i)
          if ((chosen >> i & 1) != 0) ids.insert(i);
        if (proves(clauses, ids, goal)) sufficient.insert(ids);
      }
      CHECK(sufficient == std::set<Ids>{ids_of(question)});
    }
  }
  CHECK(checked >= 6);
}

TEST_CASE("Generated theories: sizes, rule forms, distractors and words", "[experiments]") {
  const ProofSet set = theories(200, 3, false, 5);
  CHECK(set.statements.size() >= 200 * 15);
  CHECK(set.statements.size() <= 200 * 20);
  CHECK(std::set<std::string>(set.statements.begin(), set.statements.end()).size() == set.statements.size());
  const auto clauses = clauses_of(set);
  const Consequences all = consequences(clauses);
  Ids applied;
  for (const Clause& ground : all.applied) applied.insert(ground.id);
  std::map<std::size_t, std::size_t> conditions;
  std::size_t rules = 0, without_variable = 0;
  for (const Clause& clause : clauses) {
    ++conditions[clause.conditions.size()];
    if (clause.conditions.empty()) continue;
    ++rules;
    without_variable += set.statements[clause.id].find('$') == std::string::npos ? 1 : 0;
  }
  REQUIRE(conditions.size() == 5);
  for (const auto& [count, times] : conditions) CHECK(times > 50);
  CHECK(rules - applied.size() >= 200);
  CHECK(without_variable > rules / 10);
  CHECK(without_variable < rules / 4);

  const auto attributes = [](const ProofSet& of) {
    std::set<std::string> words;
    for (const Clause& clause : clauses_of(of))
      if (clause.conclusion.size() == 2) words.insert(clause.conclusion[0]);
    return words.size();
  };
  CHECK(attributes(theories(30, 3, false)) > 150);
  CHECK(attributes(theories(30, 3, true)) <= 60);
}

TEST_CASE(
    "Generated compositions: each question has one shortest proof of the scheduled length, 2 to 10 facts",
    "[experiments]") {
  for (const bool both_ways : {false, true})
    for (const bool joined : {false, true}) {
      const ProofSet set = compositions(30, 7, both_ways, joined);
      REQUIRE(set.questions.size() == 40);
      CHECK(set.statements.size() == 60 + 30 * (both_ways ? 34 : 17));
      const auto clauses = clauses_of(set);
      check_derivations(set, clauses);
      check_corpus(set);
      std::map<std::size_t, std::size_t> lengths;
      for (const ProvenQuestion& question : set.questions)
        ++lengths[static_cast<std::size_t>(std::ranges::count_if(
            question.needed, [&](std::size_t id) { return clauses[id].conditions.empty(); }))];
      REQUIRE(lengths.size() == 9);
      CHECK(lengths.begin()->first == 2);
      for (const auto& [length, times] : lengths) CHECK((times == 4 || times == 5));
      CHECK(components(clauses).size() == (joined ? 1 : 30));
    }
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const ProofSet plain = compositions(2, seed, false, seed == 2);
    CHECK(check_only_shortest(plain, clauses_of(plain), 15) >= 25);
    const ProofSet both = compositions(1, seed, true, false);
    CHECK(check_only_shortest(both, clauses_of(both), 9) >= 10);
  }
}

TEST_CASE("Generated compositions: the rules are an associative table", "[experiments]") {
  const ProofSet set = compositions(3, 5, true, true);
  std::map<std::pair<std::string, std::string>, std::string> table;
  std::map<std::pair<std::string, std::string>, std::string> facts;
  for (const Clause& clause : clauses_of(set)) {
    if (clause.conditions.empty()) {
      CHECK(
          facts.emplace(std::pair(clause.conclusion[1], clause.conclusion[2]), clause.conclusion[0]).second);
      continue;
    }
    REQUIRE(clause.conditions.size() == 2);
    const bool turned = clause.conditions[0][2] != clause.conditions[1][1];
    const Literal &first = clause.conditions[turned ? 1 : 0], &second = clause.conditions[turned ? 0 : 1];
    CHECK(first[2] == second[1]);
    CHECK(Literal(clause.conclusion.begin() + 1, clause.conclusion.end()) == Literal{first[1], second[2]});
    CHECK(table.emplace(std::pair(first[0], second[0]), clause.conclusion[0]).second);
  }
  CHECK(table.size() == 60);
  std::size_t both_orders = 0;
  for (const auto& [left, ab] : table)
    for (const auto& [right, bc] : table) {
      if (left.second != right.first) continue;
      const auto ab_c = table.find({ab, right.second}), a_bc = table.find({left.first, bc});
      if (ab_c == table.end() || a_bc == table.end()) continue;
      ++both_orders;
      CHECK(ab_c->second == a_bc->second);
    }
  CHECK(both_orders > 50);
  std::map<std::string, std::string> inverse;
  for (const auto& [pair, relation] : facts) {
    const auto back = facts.find({pair.second, pair.first});
    REQUIRE(back != facts.end());
    CHECK(inverse.emplace(relation, back->second).first->second == back->second);
  }
}

TEST_CASE("Generated theories and compositions: equal seeds give equal files, and sizes", "[experiments]") {
  for (const std::string kind : {"theories", "compositions"}) {
    ChainOptions options;
    options.questions = 5;
    CHECK(nal_text(generate(kind, options, 5)) == nal_text(generate(kind, options, 5)));
    CHECK(nal_text(generate(kind, options, 5)) != nal_text(generate(kind, options, 6)));
    const std::size_t size = generate(kind, options, 5).statements.size();
    CHECK(size > 900);
    CHECK(size < 1100);
    options.questions = 0;
    options.size = 10;
    CHECK(generate(kind, options, 1).questions.empty());
    CHECK_FALSE(generate(kind, options, 1).statements.empty());
  }
}
