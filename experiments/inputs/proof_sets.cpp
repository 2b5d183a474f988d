// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/proof_set_parts.hpp"

namespace engram::experiments {

ProofSet generate_families(std::size_t size, std::uint64_t seed, std::size_t questions) {
  core::require(size >= 10, "size must be at least 10");
  const std::size_t families = (size - 4) / 6;
  core::Rng rng(seed, "families");
  const Names names("p", 7 * families, rng);
  const std::array<std::string, 2> parents{"father", "mother"}, grandparents{"grandfather", "grandmother"};
  ProofSet set;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) say(set, rule_text(parents[a], parents[b], grandparents[a]));
  // Places in a family: 0 is the child, 1 and 2 are the parents, 3 to 6 the grandparents.
  const auto person = [](std::size_t family, std::size_t place) { return 7 * family + place; };
  const auto parent_of = [](std::size_t child, std::size_t sex) { return 2 * child + 1 + sex; };
  for (std::size_t f = 0; f < families; ++f)
    for (std::size_t child = 0; child < 3; ++child)
      for (std::size_t sex = 0; sex < 2; ++sex)
        say(set,
            inheritance_text(names.pair(person(f, parent_of(child, sex)), person(f, child)), parents[sex]));

  const auto order = rng.permutation(static_cast<std::uint32_t>(4 * families));
  for (std::size_t q = 0; q < std::min<std::size_t>(questions, order.size()); ++q) {
    const std::size_t family = order[q] / 4, elder = order[q] / 2 % 2, younger = order[q] % 2;
    const std::size_t parent = parent_of(0, younger), grandparent = parent_of(parent, elder);
    const std::string pair = names.pair(person(family, grandparent), person(family, 0));
    const std::size_t facts = 4 + 6 * family;
    set.questions.push_back({inheritance_text(pair, "?1"),
                             inheritance_text(pair, grandparents[elder]),
                             {2 * elder + younger, facts + younger, facts + 2 * parent + elder}});
  }
  shuffle(set, rng);
  return set;
}

namespace {

using core::require;
using core::Rng;
using Person = std::uint32_t;

// Facts and rules in numeric form. Names are assigned when they are printed.
struct ChainFact {
  int relation = 0;
  Person from = 0, to = 0;
};
struct ChainRule {
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
  const std::vector<ChainRule>& rules() const { return rules_; }
  const std::vector<ChainFact>& facts() const { return facts_; }
  const std::vector<ChainFact>& denied() const { return denied_; }
  const std::vector<std::uint32_t>& contradicted() const { return contradicted_; }
  bool is_said(Person a, Person b) const { return said_.contains({a, b}) || said_.contains({b, a}); }

  // All conclusions from chains of 2 to `longest` facts that begin at `person`, keyed by the last person of the chain
  // and the relation.
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
    const ChainFact fact{static_cast<int>(rng.below(static_cast<std::uint64_t>(options_.relations))), from,
                         to};
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

  // Derives all relations that follow from a chain of facts, each with the set of rules used. Covers every bracketing
  // of the chain by the CYK algorithm.
  std::set<std::pair<int, RuleSet>> derive(const std::vector<std::uint32_t>& path) const {
    using Spans = std::set<std::pair<int, RuleSet>>;
    const std::size_t n = path.size();
    std::vector<std::vector<Spans>> table(n + 1, std::vector<Spans>(n));  // by [length][begin] of a part
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
  std::vector<ChainRule> rules_;
  std::vector<ChainFact> facts_, denied_;
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

// All questions about `person` with a unique shortest proof of `length` facts. An `open` question asks for the
// relation, so its proof must be the shortest one over all relations.
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
          "rules must be in [1, 64], and at most the number of pairs of relations");
  require(o.people >= 2 && o.people <= 1000, "people must be in [2, 1000]");
  require(o.facts >= 1 && 4 * o.facts <= o.people * (o.people - 1),
          "facts must be at most half the number of pairs of people in a group");
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
  const auto say_fact = [&](const ChainFact& fact, const char* truth) {
    say(set, inheritance_text(names.pair(fact.from, fact.to), relation_name(fact.relation)), truth);
  };
  for (const ChainRule& rule : world.rules())
    say(set,
        rule_text(relation_name(rule.first), relation_name(rule.second), relation_name(rule.conclusion)));
  for (const ChainFact& fact : world.facts()) say_fact(fact, "");
  for (const ChainFact& fact : world.denied()) say_fact(fact, " %0.0;0.9%");
  for (const std::uint32_t id : world.contradicted()) say_fact(world.facts()[id], " %0.0;0.6%");
  ask_chains(set, world, names, options, seed);
  shuffle(set, rng);
  return set;
}

namespace {

using Node = std::uint32_t;

// Numbers of statements of each kind in a tree of `size` statements. The proportions are chosen by hand.
struct TreePlan {
  explicit TreePlan(std::size_t size)
      : individuals(std::max<std::size_t>(2, size / 4)),
        second_classes(size / 20),
        told(std::max<std::size_t>(2, size * 7 / 25)),
        denied(std::max<std::size_t>(1, size / 12)),
        classes(1 + size - individuals - second_classes - told - denied) {}
  std::size_t individuals, second_classes, told, denied, classes;
};

// Generator of a taxonomy. Nodes are numbered in this order: classes, individuals, properties.
class Taxonomy {
 public:
  Taxonomy(std::size_t size, Rng& rng)
      : trees_(std::max<std::size_t>(1, size / tree_size)),
        properties_(std::min<std::size_t>(20, trees_ + 2)),
        counts_(count(size)),
        class_names_("c", counts_.first, rng),
        individual_names_("i", counts_.second, rng),
        property_names_("p", properties_, rng),
        graph_(counts_.first + counts_.second + properties_) {
    Node first_class = 0, first_individual = 0;
    for (std::size_t t = 0; t < trees_; ++t) {
      const TreePlan plan(part_of(size, trees_, t));
      grow(plan, first_class, rng);
      fill(plan, first_class, first_individual, rng);
      first_class += static_cast<Node>(plan.classes);
      first_individual += static_cast<Node>(plan.individuals);
    }
  }

  ProofSet& set() { return set_; }

  void ask(std::size_t questions, Rng& rng) {
    std::vector<Node> individuals(counts_.second);
    for (std::size_t i = 0; i < individuals.size(); ++i) individuals[i] = individual(static_cast<Node>(i));
    ask_paths(set_, graph_, individuals, questions, rng, [&](Node start, const LinkGraph::Path& path) {
      if (path.end < property(0)) return std::string();
      for (const Node above : graph_.reached(start))
        if (denied_.contains({above, path.end})) return std::string();
      return inheritance_text(text(start), text(path.end));
    });
  }

 private:
  std::pair<std::size_t, std::size_t> count(std::size_t size) const {
    std::pair<std::size_t, std::size_t> classes_individuals;
    for (std::size_t t = 0; t < trees_; ++t) {
      const TreePlan plan(part_of(size, trees_, t));
      classes_individuals.first += plan.classes;
      classes_individuals.second += plan.individuals;
    }
    return classes_individuals;
  }

  Node individual(Node i) const { return static_cast<Node>(counts_.first) + i; }
  Node property(Node p) const { return static_cast<Node>(counts_.first + counts_.second) + p; }
  Node any_property(Rng& rng) const { return property(static_cast<Node>(rng.below(properties_))); }

  std::string text(Node node) const {
    if (node >= property(0)) return "[" + property_names_(node - property(0)) + "]";
    return node >= individual(0) ? "{" + individual_names_(node - individual(0)) + "}" : class_names_(node);
  }

  // Adds an inheritance statement. Returns false if the set already contains it.
  bool inherit(Node from, Node to) {
    if (!said_.insert({from, to}).second) return false;
    graph_.add(from, to, set_.statements.size());
    say(set_, inheritance_text(text(from), text(to)));
    return true;
  }

  // Adds the classes of a tree, then their properties. Each class is below one of the three classes added before it, so
  // that trees are deep.
  void grow(const TreePlan& plan, Node first, Rng& rng) {
    const auto any_class = [&] { return first + static_cast<Node>(rng.below(plan.classes)); };
    for (Node c = 1; c < plan.classes; ++c)
      inherit(first + c, first + c - 1 - static_cast<Node>(rng.below(std::min<Node>(c, 3))));
    std::vector<Node> told;
    while (told.size() < plan.told) {
      const Node p = any_property(rng);
      if (inherit(any_class(), p)) told.push_back(p);
    }
    for (std::size_t i = 0; i < plan.denied;) {
      const std::pair<Node, Node> pair{any_class(), told[rng.below(told.size())]};
      if (!said_.insert(pair).second) continue;
      denied_.insert(pair);
      say(set_, inheritance_text(text(pair.first), text(pair.second)), " %0.0;0.9%");
      ++i;
    }
  }

  // Adds the individuals of a tree, preferably to deep classes. Some individuals get a second class, which may be in
  // any tree.
  void fill(const TreePlan& plan, Node first_class, Node first_individual, Rng& rng) {
    for (std::size_t i = 0; i < plan.individuals; ++i)
      inherit(individual(first_individual + static_cast<Node>(i)),
              first_class + static_cast<Node>(std::max(rng.below(plan.classes), rng.below(plan.classes))));
    for (std::size_t i = 0; i < plan.second_classes;) {
      const Node who = individual(first_individual + static_cast<Node>(rng.below(plan.individuals)));
      i += inherit(who, static_cast<Node>(rng.below(counts_.first))) ? 1 : 0;
    }
  }

  std::size_t trees_, properties_;
  std::pair<std::size_t, std::size_t> counts_;  // numbers of classes and individuals
  Names class_names_, individual_names_, property_names_;
  LinkGraph graph_;
  ProofSet set_;
  std::set<std::pair<Node, Node>> said_, denied_;
};

}  // namespace

ProofSet generate_taxonomies(std::size_t size, std::uint64_t seed, std::size_t questions) {
  core::require(size >= 10, "size must be at least 10");
  // A very small set may allow no question. In that case, draw another set.
  for (std::uint64_t draw = 0;; ++draw) {
    Rng rng(seed, "taxonomies", draw);
    Taxonomy taxonomy(size, rng);
    taxonomy.ask(questions, rng);
    if (questions > 0 && taxonomy.set().questions.empty()) continue;
    shuffle(taxonomy.set(), rng);
    return std::move(taxonomy.set());
  }
}

namespace {

using Event = std::uint32_t;

// Probabilities of the random choices, chosen by hand.
constexpr double by_operation = 0.3, shared = 0.5, leaving = 0.4, arriving = 0.3;
constexpr std::uint64_t operations = 5;
constexpr std::array<const char*, 4> truths{"", " %1.0;0.8%", " %1.0;0.6%", " %1.0;0.45%"};

struct EventLink {
  Event from = 0, to = 0;
  std::uint32_t operation = 0;  // 0: the link needs no operation
  const char* truth = "";
};

class EventWorld {
 public:
  EventWorld(std::size_t size, Rng& rng) {
    const std::size_t groups = std::max<std::size_t>(1, size / event_group_size);
    for (std::size_t g = 0; g < groups; ++g) draw_group(part_of(size, groups, g), rng);
  }

  const std::vector<EventLink>& links() const { return links_; }
  std::size_t events() const { return events_; }

 private:
  void draw_group(std::size_t size, Rng& rng) {
    const std::size_t full = links_.size() + size;
    const std::vector<Event> chain = draw_chain(size, rng);
    while (links_.size() < full) {
      const double kind = rng.uniform();
      const Event place = chain[rng.below(chain.size())];
      if (kind < leaving)
        leave(chain, place, rng);
      else if (kind < leaving + arriving)
        link(events_++, place, rng);
      else if (full - links_.size() >= 2)
        go_around(chain, rng);
    }
    chain_events_.insert(chain_events_.end(), chain.begin(), chain.end());
  }

  // Draws a chain of at least five links. One inner event may belong to an earlier chain.
  std::vector<Event> draw_chain(std::size_t size, Rng& rng) {
    std::vector<Event> chain(6 + (size - 10) / 10);
    for (Event& event : chain) event = events_++;
    if (!chain_events_.empty() && rng.uniform() < shared)
      chain[1 + rng.below(chain.size() - 2)] = chain_events_[rng.below(chain_events_.size())];
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) link(chain[i], chain[i + 1], rng);
    return chain;
  }

  // Adds a distractor link to a new event. It starts at `place`, or extends the last distractor that leaves the chain.
  void leave(const std::vector<Event>& chain, Event place, Rng& rng) {
    const Event last = links_.back().to;
    const bool on = rng.below(3) == 0 && std::ranges::find(chain, last) == chain.end();
    link(on ? last : place, events_++, rng);
  }

  // Adds a detour of two links around a link of the chain. No shortest proof uses the detour.
  void go_around(const std::vector<Event>& chain, Rng& rng) {
    const std::size_t i = rng.below(chain.size() - 1);
    const Event between = events_++;
    link(chain[i], between, rng);
    link(between, chain[i + 1], rng);
  }

  void link(Event from, Event to, Rng& rng) {
    const bool operates = rng.uniform() < by_operation;
    links_.push_back({from, to, operates ? static_cast<std::uint32_t>(1 + rng.below(operations)) : 0,
                      truths[rng.below(truths.size())]});
  }

  Event events_ = 0;
  std::vector<EventLink> links_;
  std::vector<Event> chain_events_;  // events of the chains of earlier groups
};

std::string implication_text(const std::string& from, std::uint32_t operation, const std::string& to) {
  const std::string cause = operation == 0 ? from : "(&/, " + from + ", ^o" + std::to_string(operation) + ")";
  return "<" + cause + " =/> " + to + ">";
}

void ask_events(ProofSet& set, const EventWorld& world, const Names& names, std::size_t questions, Rng& rng) {
  LinkGraph graph(world.events());
  std::vector<Event> starts(world.events());
  for (std::size_t i = 0; i < world.links().size(); ++i)
    graph.add(world.links()[i].from, world.links()[i].to, i);
  for (std::size_t e = 0; e < starts.size(); ++e) starts[e] = static_cast<Event>(e);
  ask_paths(set, graph, starts, questions, rng, [&](Event start, const LinkGraph::Path& path) {
    std::uint32_t operation = 0;
    for (const std::size_t id : path.statements) {
      const std::uint32_t next = world.links()[id].operation;
      if (operation != 0 && next != 0) return std::string();
      operation = std::max(operation, next);
    }
    return implication_text(names(start), operation, names(path.end));
  });
}

}  // namespace

ProofSet generate_events(std::size_t size, std::uint64_t seed, std::size_t questions) {
  core::require(size >= 10, "size must be at least 10");
  // In a very small set, every path may need several operations, so that no question remains. Draw another set then.
  for (std::uint64_t draw = 0;; ++draw) {
    Rng rng(seed, "events", draw);
    const EventWorld world(size, rng);
    const Names names("e", world.events(), rng);
    ProofSet set;
    for (const EventLink& link : world.links())
      say(set, implication_text(names(link.from), link.operation, names(link.to)), link.truth);
    ask_events(set, world, names, questions, rng);
    if (questions > 0 && set.questions.empty()) continue;
    shuffle(set, rng);
    return set;
  }
}

ProofSet generate(const std::string& kind, const ChainOptions& options, std::uint64_t seed) {
  if (kind == "chains") return generate_chains(options, seed);
  if (kind == "theories") return generate_theories(options, seed);
  if (kind == "compositions") return generate_compositions(options, seed);
  const auto size = [&](std::size_t of_group, std::size_t shared = 0) {
    return options.groups > 0 ? shared + of_group * options.groups : options.size;
  };
  if (kind == "families") return generate_families(size(6, 4), seed, options.questions);
  if (kind == "taxonomies") return generate_taxonomies(size(tree_size), seed, options.questions);
  return generate_events(size(event_group_size), seed, options.questions);
}

void write_nal(std::ostream& out, const ProofSet& set, const std::string& heading) {
  out << "//" << heading << '\n';
  for (std::size_t i = 0; i < set.statements.size(); ++i)
    out << set.statements[i] << '.' << set.truths[i] << '\n';
  for (const ProvenQuestion& question : set.questions) {
    out << question.question << "?\n//expected: Answer: " << question.answer << ".\n";
    for (const std::size_t id : question.needed) out << "//needed: " << set.statements[id] << ".\n";
  }
}

}  // namespace engram::experiments
