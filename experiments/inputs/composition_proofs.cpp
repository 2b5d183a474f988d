// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "experiments/inputs/proof_set_parts.hpp"

namespace engram::experiments {
namespace {

using core::Rng;
using Person = std::uint32_t;
using Relation = std::uint32_t;
using Premises = ProofGraph::Premises;

constexpr std::size_t backbone = 12, side_facts = 5, story_facts = backbone + side_facts;
constexpr std::size_t shortest_chain = 2, longest_chain = 10, composition_rules = 60;

// Dicyclic group of order 12: element i is a^i, and 6 + i is a^i x, with a^6 = 1, x x = a^3 and x a = a^-1 x. Element 0
// is the identity.
constexpr Relation group_order = 12, half = group_order / 2;

Relation product_of(Relation p, Relation q) {
  const bool x = p >= half, y = q >= half;
  const Relation power = p % half + (x ? half - q % half : q % half) + (x && y ? half / 2 : 0);
  return power % half + (x == y ? 0 : half);
}

Relation inverse_of(Relation p) { return p < half ? (half - p) % half : half + (p + half / 2) % half; }

// Generator of stories. Facts form a forest. Each person has a position in the group; the relation of two persons is
// the quotient of their positions.
class Stories {
 public:
  Stories(const ChainOptions& options, std::uint64_t seed)
      : both_ways_(options.both_ways), rng_(seed, "compositions"), words_("r", group_order - 1, rng_) {
    say_rules();
    const std::size_t rules = set_.statements.size(), a_story = story_facts * (both_ways_ ? 2 : 1);
    const std::size_t room = options.size > rules ? (options.size - rules) / a_story : 0;
    const std::size_t stories = options.groups > 0 ? options.groups : std::max<std::size_t>(1, room);
    for (std::size_t s = 0; s < stories; ++s) draw_story(options.joined);
    say_facts();
    ask_in_turn(set_, options.questions, longest_chain - shortest_chain + 1, 200,
                [&](std::size_t turn) { return drawn_question(shortest_chain + turn); });
    shuffle(set_, rng_);
  }

  ProofSet& set() { return set_; }

 private:
  struct Link {
    Person to = 0;
    std::size_t statement = 0;
  };
  using Links = std::vector<std::vector<Link>>;
  using Ways = std::map<Person, Premises>;  // paths by end: the facts of each path

  std::string word(Relation relation) const { return words_(relation - 1); }
  Relation relation(Person a, Person b) const { return product_of(inverse_of(positions_[a]), positions_[b]); }

  void say_rules() {
    for (const std::uint32_t pair : rng_.permutation(group_order * group_order)) {
      const Relation a = pair / group_order, b = pair % group_order, c = product_of(a, b);
      if (a == 0 || b == 0 || c == 0 || rules_.size() == composition_rules) continue;
      rules_[{a, b}] = set_.statements.size();
      say(set_, rule_text({relation_text("$1", "$2", word(a)), relation_text("$2", "$3", word(b))},
                          relation_text("$1", "$3", word(c))));
    }
  }

  // Draws a chain, then facts from it and to it. Each person but the first is introduced by one fact.
  void draw_story(bool joined) {
    std::array<std::pair<std::size_t, bool>, story_facts>
        before;  // for each later person: an earlier one; whether the fact begins there
    for (std::size_t i = 0; i < story_facts; ++i)
      before[i] = i < backbone ? std::pair(i, true) : std::pair(rng_.below(backbone + 1), rng_.below(2) == 0);
    std::vector<Person> persons(story_facts + 1);
    const std::size_t known = positions_.size();
    const std::size_t shared = joined && known > 0 ? rng_.below(persons.size()) : persons.size();
    for (std::size_t i = 0; i < persons.size(); ++i) {
      persons[i] = static_cast<Person>(i == shared ? rng_.below(known) : positions_.size());
      if (i != shared) positions_.push_back(static_cast<Relation>(rng_.below(group_order)));
    }
    // Redraw positions until the two persons of each fact have different ones.
    for (bool changed = true; std::exchange(changed, false);)
      for (std::size_t i = 0; i < story_facts; ++i) {
        const Person a = persons[before[i].first], b = persons[i + 1];
        while (positions_[a] == positions_[b]) {
          positions_[i + 1 == shared ? a : b] = static_cast<Relation>(rng_.below(group_order));
          changed = true;
        }
      }
    for (std::size_t i = 0; i < story_facts; ++i) {
      const Person a = persons[before[i].first], b = persons[i + 1];
      facts_.push_back(before[i].second ? std::pair(a, b) : std::pair(b, a));
    }
  }

  void say_facts() {
    const std::size_t persons = positions_.size();
    names_.emplace_back("p", persons, rng_);
    leaving_.resize(persons);
    arriving_.resize(persons);
    const auto fact = [&](Person from, Person to) {
      leaving_[from].push_back({to, set_.statements.size()});
      arriving_[to].push_back({from, set_.statements.size()});
      say(set_, relation_text(name(from), name(to), word(relation(from, to))));
    };
    for (const auto& [from, to] : facts_) {
      fact(from, to);
      if (both_ways_) fact(to, from);
    }
  }

  std::string name(Person person) const { return names_.front()(person); }

  // Paths of at most `most` facts from a person. In a forest each path is unique.
  static Ways ways(const Links& links, Person from, std::size_t most) {
    Ways found{{from, {}}};
    std::vector<Person> layer{from};
    for (std::size_t length = 1; length <= most; ++length) {
      std::vector<Person> next;
      for (const Person person : layer)
        for (const Link& link : links[person]) {
          if (found.contains(link.to)) continue;
          Premises way = found.at(person);
          way.insert(std::ranges::lower_bound(way, link.statement), link.statement);
          found[link.to] = std::move(way);
          next.push_back(link.to);
        }
      layer = std::move(next);
    }
    return found;
  }

  // Unique shortest proof with at most `most` statements, or none. Only considers persons on walks of at most `facts`
  // facts from `start` to `end`.
  Premises proof(Person start, Person end, std::size_t facts, std::size_t most) const {
    const Ways from = ways(leaving_, start, facts), to = ways(arriving_, end, facts);
    std::vector<Person> persons;
    for (const auto& [person, way] : from)
      if (to.contains(person) && way.size() + to.at(person).size() <= facts) persons.push_back(person);
    const auto count = static_cast<std::uint32_t>(persons.size());
    const auto place = [&](Person p) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(persons, p) - persons.begin());
    };
    ProofGraph graph(std::size_t{count} * count);
    std::vector<Premises> beside(std::size_t{count} * count);
    for (std::uint32_t x = 0; x < count; ++x)
      for (std::uint32_t y = 0; y < count; ++y) {
        std::ranges::set_union(from.at(persons[x]), to.at(persons[y]),
                               std::back_inserter(beside[x * count + y]));
        add_uses(graph, persons, x, y);
      }
    for (const Person person : persons)
      for (const Link& link : leaving_[person])
        if (std::ranges::binary_search(persons, link.to))
          graph.tell(place(person) * count + place(link.to), link.statement);
    return graph.only_shortest_proof(place(start) * count + place(end), most, beside);
  }

  // Adds all rule uses whose first condition is the atom of persons x and y.
  void add_uses(ProofGraph& graph, const std::vector<Person>& persons, std::uint32_t x,
                std::uint32_t y) const {
    const auto count = static_cast<std::uint32_t>(persons.size());
    const Relation a = relation(persons[x], persons[y]);
    if (a == 0) return;
    for (std::uint32_t z = 0; z < count; ++z)
      if (const auto rule = rules_.find({a, relation(persons[y], persons[z])}); rule != rules_.end())
        graph.add({rule->second, {x * count + y, y * count + z}, x * count + z});
  }

  // Searches the chain alone first. This search decides most skipped questions quickly, and bounds the size of other
  // proofs.
  Premises only_proof(Person start, Person end, std::size_t length) const {
    const Premises of_chain = proof(start, end, length, 2 * length);
    return of_chain.empty() || !both_ways_ ? of_chain
                                           : proof(start, end, of_chain.size() - 1, of_chain.size());
  }

  std::optional<ProvenQuestion> drawn_question(std::size_t length) {
    const auto start = static_cast<Person>(rng_.below(positions_.size()));
    Ways ends = ways(leaving_, start, length);
    std::erase_if(ends, [&](const auto& end) { return end.second.size() != length; });
    if (ends.empty()) return {};
    const Person end = std::next(ends.begin(), static_cast<std::ptrdiff_t>(rng_.below(ends.size())))->first;
    const Relation answer = relation(start, end);
    Premises needed = answer == 0 ? Premises() : only_proof(start, end, length);
    if (needed.empty()) return {};
    return ProvenQuestion{relation_text(name(start), name(end), "?1"),
                          relation_text(name(start), name(end), word(answer)), std::move(needed)};
  }

  bool both_ways_;
  Rng rng_;
  Names words_;
  std::vector<Names> names_;  // names of persons, once their number is known
  ProofSet set_;
  std::map<std::pair<Relation, Relation>, std::size_t> rules_;
  std::vector<Relation> positions_;
  std::vector<std::pair<Person, Person>> facts_;
  Links leaving_, arriving_;
};

}  // namespace

ProofSet generate_compositions(const ChainOptions& options, std::uint64_t seed) {
  return std::move(Stories(options, seed).set());
}

}  // namespace engram::experiments
