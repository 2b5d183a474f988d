// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/proof_set_parts.hpp"

namespace engram::experiments {
namespace {

using core::require;
using core::Rng;
using Person = std::uint32_t;

// Facts and rules in numeric form. Names are assigned when they are printed.
struct Fact {
  int relation = 0;
  Person from = 0, to = 0;
};
struct Rule {
  int first = 0, second = 0, conclusion = 0;
};

using RuleSet = std::uint64_t;  // one bit for each rule

struct Proof {
  std::vector<std::uint32_t> facts;
  RuleSet rules = 0;
  std::size_t size() const { return facts.size() + static_cast<std::size_t>(std::popcount(rules)); }
};

// Shortest proofs found so far for a relation of two people.
struct Shortest {
  std::size_t size = 0;
  std::vector<Proof> proofs;
  void add(const Proof& proof) {
    if (proofs.empty() || proof.size() < size) {
      size = proof.size();
      proofs.clear();
    }
    if (proof.size() == size) proofs.push_back(proof);
  }
};

class ChainWorld {
 public:
  ChainWorld(const ChainOptions& options, std::uint64_t seed) : options_(options), seed_(seed) {
    draw_rules();
    draw_facts();
  }

  std::size_t people() const { return groups_ * static_cast<std::size_t>(options_.people); }
  const std::vector<Rule>& rules() const { return rules_; }
  const std::vector<Fact>& facts() const { return facts_; }
  const std::vector<Fact>& denied() const { return denied_; }
  const std::vector<std::uint32_t>& contradicted() const { return contradicted_; }
  bool is_said(Person a, Person b) const { return said_.contains({a, b}) || said_.contains({b, a}); }

  // All conclusions from chains of 2 to `longest` facts that begin at `person`, by the last person and the relation.
  std::map<Person, std::map<int, Shortest>> conclusions_from(Person person) const {
    std::map<Person, std::map<int, Shortest>> found;
    std::vector<std::uint32_t> path;
    std::vector<Person> visited{person};
    extend(path, visited, found);
    return found;
  }

 private:
  void draw_rules() {
    Rng rng(seed_, "chain rules");
    const auto n = static_cast<std::uint32_t>(options_.relations);
    const auto pairs = rng.permutation(n * n);
    for (int r = 0; r < options_.rules; ++r) {
      const auto pair = pairs[static_cast<std::size_t>(r)];
      rules_.push_back(
          {static_cast<int>(pair / n), static_cast<int>(pair % n), static_cast<int>(rng.below(n))});
    }
  }

  void draw_facts() {
    Rng rng(seed_, "chain facts");
    const auto rules = static_cast<std::size_t>(options_.rules);
    const auto a_group = static_cast<double>(options_.facts) * (1 + 2 * options_.noise);
    groups_ = std::max<std::size_t>(
        1, options_.groups > 0
               ? options_.groups
               : static_cast<std::size_t>(static_cast<double>(options_.size - rules) / a_group));
    leaving_.resize(people());
    for (std::size_t g = 0; g < groups_; ++g)
      for (int i = 0; i < options_.facts; ++i) draw_fact(rng, g);
  }

  void draw_fact(Rng& rng, std::size_t group) {
    const auto [from, to] = draw_pair(rng, group);
    const Fact fact{static_cast<int>(rng.below(static_cast<std::uint64_t>(options_.relations))), from, to};
    const double chance = rng.uniform();
    if (chance < options_.noise) contradicted_.push_back(static_cast<std::uint32_t>(facts_.size()));
    if (chance >= options_.noise) leaving_[from].push_back(static_cast<std::uint32_t>(facts_.size()));
    facts_.push_back(fact);
    if (rng.uniform() >= options_.noise) return;
    const auto [x, y] = draw_pair(rng, group);
    denied_.push_back({static_cast<int>(rng.below(static_cast<std::uint64_t>(options_.relations))), x, y});
  }

  // Draws two people that no fact relates yet.
  std::pair<Person, Person> draw_pair(Rng& rng, std::size_t group) {
    const auto size = static_cast<std::uint64_t>(options_.people);
    for (;;) {
      auto a = static_cast<Person>(group * size + rng.below(size)),
           b = static_cast<Person>(group * size + rng.below(size));
      if (rng.uniform() < options_.cross_links)
        (rng.below(2) == 0 ? a : b) = static_cast<Person>(rng.below(people()));
      if (a == b || is_said(a, b)) continue;
      said_.insert({a, b});
      return {a, b};
    }
  }

  void extend(std::vector<std::uint32_t>& path, std::vector<Person>& visited,
              std::map<Person, std::map<int, Shortest>>& found) const {
    for (const std::uint32_t id : leaving_[visited.back()]) {
      const Person next = facts_[id].to;
      if (std::ranges::find(visited, next) != visited.end()) continue;
      path.push_back(id);
      visited.push_back(next);
      if (path.size() >= 2)
        for (const auto& [relation, rules] : derive(path)) found[next][relation].add({path, rules});
      if (path.size() < static_cast<std::size_t>(options_.longest)) extend(path, visited, found);
      path.pop_back();
      visited.pop_back();
    }
  }

  // All (relation, rules used) that follow from a chain of facts, over all bracketings. Uses the CYK algorithm.
  std::set<std::pair<int, RuleSet>> derive(const std::vector<std::uint32_t>& path) const {
    using Spans = std::set<std::pair<int, RuleSet>>;
    const std::size_t n = path.size();
    std::vector<std::vector<Spans>> table(n + 1, std::vector<Spans>(n));  // [length][begin]
    for (std::size_t i = 0; i < n; ++i) table[1][i].insert({facts_[path[i]].relation, RuleSet{0}});
    for (std::size_t length = 2; length <= n; ++length)
      for (std::size_t i = 0; i + length <= n; ++i)
        for (std::size_t left = 1; left < length; ++left)
          join(table[left][i], table[length - left][i + left], table[length][i]);
    return table[n][0];
  }

  void join(const std::set<std::pair<int, RuleSet>>& left, const std::set<std::pair<int, RuleSet>>& right,
            std::set<std::pair<int, RuleSet>>& out) const {
    for (const auto& [a, used_left] : left)
      for (const auto& [b, used_right] : right)
        for (std::size_t r = 0; r < rules_.size(); ++r)
          if (rules_[r].first == a && rules_[r].second == b)
            out.insert({rules_[r].conclusion, used_left | used_right | RuleSet{1} << r});
  }

  ChainOptions options_;
  std::uint64_t seed_;
  std::size_t groups_ = 0;
  std::vector<Rule> rules_;
  std::vector<Fact> facts_, denied_;
  std::vector<std::uint32_t> contradicted_;          // indices of facts
  std::vector<std::vector<std::uint32_t>> leaving_;  // by person: facts that proofs may use
  std::set<std::pair<Person, Person>> said_;
};

// A candidate question and its proof.
struct Candidate {
  Person from = 0, to = 0;
  int relation = 0;
  const Proof* proof = nullptr;
};

// All questions about `person` with a unique shortest proof of `length` facts.
std::vector<Candidate> candidates(const ChainWorld& world, Person person, std::size_t length, bool open,
                                  const std::map<Person, std::map<int, Shortest>>& conclusions) {
  std::vector<Candidate> out;
  for (const auto& [end, relations] : conclusions) {
    if (world.is_said(person, end)) continue;
    std::size_t least = SIZE_MAX, times = 0;
    for (const auto& [relation, shortest] : relations) least = std::min(least, shortest.size);
    for (const auto& [relation, shortest] : relations)
      times += shortest.size == least ? shortest.proofs.size() : 0;
    for (const auto& [relation, shortest] : relations)
      if ((open ? shortest.size == least && times == 1 : shortest.proofs.size() == 1) &&
          shortest.proofs.front().facts.size() == length)
        out.push_back({person, end, relation, &shortest.proofs.front()});
  }
  return out;
}

std::string relation_name(int relation) { return "r" + std::to_string(relation + 1); }

void ask_chains(ProofSet& set, const ChainWorld& world, const Names& names, const ChainOptions& options,
                std::uint64_t seed) {
  Rng rng(seed, "chain questions");
  const auto lengths = static_cast<std::size_t>(options.longest - options.shortest + 1);
  std::set<std::pair<Person, Person>> asked;
  for (std::size_t tries = 0; set.questions.size() < options.questions && tries < 200 * options.questions;
       ++tries) {
    const std::size_t turn = set.questions.size();
    const bool open = turn / lengths % 2 == 0;
    const auto person = static_cast<Person>(rng.below(world.people()));
    const auto conclusions = world.conclusions_from(person);
    const auto length = static_cast<std::size_t>(options.shortest) + turn % lengths;
    const auto found = candidates(world, person, length, open, conclusions);
    if (found.empty()) continue;
    const Candidate& chosen = found[rng.below(found.size())];
    if (!asked.insert({chosen.from, chosen.to}).second) continue;
    const std::string pair = names.pair(chosen.from, chosen.to);
    ProvenQuestion question{inheritance_text(pair, open ? "?1" : relation_name(chosen.relation)),
                            inheritance_text(pair, relation_name(chosen.relation)),
                            {}};
    for (std::size_t r = 0; r < world.rules().size(); ++r)
      if (chosen.proof->rules >> r & 1) question.needed.push_back(r);
    for (const std::uint32_t fact : chosen.proof->facts)
      question.needed.push_back(world.rules().size() + fact);
    set.questions.push_back(std::move(question));
  }
}

void require_sane(const ChainOptions& o) {
  require(o.size >= 100, "size must be at least 100");
  require(o.relations >= 1 && o.relations <= 1000, "relations must be in [1, 1000]");
  require(o.rules >= 1 && o.rules <= 64 && o.rules <= o.relations * o.relations,
          "rules must be in [1, 64], and at most the pairs of relations");
  require(o.people >= 2 && o.people <= 1000, "people must be in [2, 1000]");
  require(o.facts >= 1 && 4 * o.facts <= o.people * (o.people - 1),
          "facts must be at most half as many as pairs of people in a group");
  require(o.cross_links >= 0 && o.cross_links <= 1, "cross_links must be in [0, 1]");
  require(o.noise >= 0 && o.noise <= 0.25, "noise must be in [0, 0.25]");
  require(o.shortest >= 2 && o.shortest <= o.longest && o.longest <= 6, "chains must have 2 to 6 facts");
}

}  // namespace

ProofSet generate_chains(const ChainOptions& options, std::uint64_t seed) {
  require_sane(options);
  const ChainWorld world(options, seed);
  Rng rng(seed, "chain names");
  const Names names("p", world.people(), rng);
  ProofSet set;
  const auto say_fact = [&](const Fact& fact, const char* truth) {
    say(set, inheritance_text(names.pair(fact.from, fact.to), relation_name(fact.relation)), truth);
  };
  for (const Rule& rule : world.rules())
    say(set,
        rule_text(relation_name(rule.first), relation_name(rule.second), relation_name(rule.conclusion)));
  for (const Fact& fact : world.facts()) say_fact(fact, "");
  for (const Fact& fact : world.denied()) say_fact(fact, " %0.0;0.9%");
  for (const std::uint32_t id : world.contradicted()) say_fact(world.facts()[id], " %0.0;0.6%");
  ask_chains(set, world, names, options, seed);
  shuffle(set, rng);
  return set;
}

}  // namespace engram::experiments
