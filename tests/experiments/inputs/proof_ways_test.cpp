// SPDX-License-Identifier: MIT
// Tests of generated taxonomies and event chains: an independent search parses the statements and checks the proofs.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "experiments/inputs/corpus.hpp"
#include "experiments/inputs/proof_set_parts.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;
namespace narsese = engram::narsese;

namespace {

// A statement <from --> to> or <(&/, from, operations..) =/> to>, parsed from its text.
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

// Whether a statement follows from these premises alone, by computing all consequences.
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

// Links between terms by statements that are not denied.
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

// All paths of at most `most` links, as sets of statements.
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

// Checks that each question is proven by its needed statements, by no subset of them, and by no other proof of at most
// the same length.
void check_proofs(const ProofSet& set) {
  const Links links = links_of(set);
  std::set<std::string> asked;
  for (const ProvenQuestion& question : set.questions) {
    CHECK(asked.insert(question.question).second);
    CHECK(question.answer == question.question);
    CHECK(std::ranges::is_sorted(question.needed));
    CHECK(question.needed.size() >= 2);
    CHECK(question.needed.size() <= 5);
    CHECK(follows_from(set, question.needed, question.answer));
    for (const std::size_t left_out : question.needed) {
      auto without = question.needed;
      std::erase(without, left_out);
      CHECK_FALSE(follows_from(set, without, question.answer));
    }
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

std::string ways_text(const ProofSet& set) {
  std::ostringstream out;
  write_nal(out, set, "heading");
  return out.str();
}

// Checks sizes and numbers of questions, and that a corpus accepts every line and finds every premise.
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
  CHECK(ways_text(generate(500, 5, 9)) == ways_text(generate(500, 5, 9)));
  CHECK(ways_text(generate(500, 5, 9)) != ways_text(generate(500, 6, 9)));
  CHECK_THROWS_AS(generate(9, 1, 1), std::invalid_argument);

  const ProofSet set = generate(10'000, 2, 40);
  REQUIRE(set.statements.size() == 10'000);
  check_proofs(set);
  CHECK(proof_lengths(set) == std::map<std::size_t, std::size_t>{{2, 10}, {3, 10}, {4, 10}, {5, 10}});
  std::istringstream text(ways_text(set));
  const Corpus corpus = read_corpus(text, "generated", {});
  CHECK(corpus.rejected.empty());
  REQUIRE(corpus.questions.size() == 40);
  for (std::size_t q = 0; q < 40; ++q) {
    CHECK(corpus.questions[q].needed() == set.questions[q].needed.size());
    CHECK(corpus.questions[q].expected.size() == 1);
  }
}

}  // namespace

TEST_CASE("single_ways excludes nodes behind two equally short paths", "[experiments]") {
  LinkGraph graph(7);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> links{{0, 1}, {0, 2}, {1, 3}, {2, 3},
                                                                   {3, 4}, {1, 5}, {5, 6}};
  for (std::size_t i = 0; i < links.size(); ++i) graph.add(links[i].first, links[i].second, i);
  CHECK(graph.single_ways(0, 1).size() == 2);
  const auto two = graph.single_ways(0, 2), three = graph.single_ways(0, 3);
  REQUIRE(two.size() == 1);
  CHECK(two[0].end == 5);
  CHECK(two[0].statements == std::vector<std::size_t>{0, 5});
  REQUIRE(three.size() == 1);
  CHECK(three[0].end == 6);
  CHECK(graph.single_ways(0, 4).empty());
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
  CHECK(classes_of.size() == 600);  // six for each tree
  CHECK(std::ranges::count_if(classes_of, [](const auto& c) { return c.second > 1; }) > 80);
  CHECK(told_of.size() == 20);
  for (const auto& [property, count] : told_of) CHECK(count > 10);  // seven for each tree, of twenty
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
  CHECK(only_in(arriving, leaving) > 600);  // dead ends
  CHECK(only_in(leaving, arriving) > 600);
  // Within a group few events are reachable; through shared events some reach many.
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
