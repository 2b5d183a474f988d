// SPDX-License-Identifier: MIT
// Generators of theories and compositions. Their proofs are trees of rule uses.
#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/numbers/random.hpp"
#include "experiments/inputs/proof_set_parts.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::Rng;

// Atom of a theory: <a --> [word]> if b is `none`, otherwise <(*, a, b) --> word>. For a and b, numbers from 0 up are
// names, and numbers from `first_variable` down are variables.
struct TheoryAtom {
  static constexpr int none = -1, first_variable = -2;
  int word = 0, a = 0, b = none;
  friend auto operator<=>(const TheoryAtom&, const TheoryAtom&) = default;
};

// Rule: the conditions imply the conclusion. All variables of the conclusion occur in the conditions.
struct TheoryRule {
  std::vector<TheoryAtom> conditions;
  TheoryAtom conclusion;
  friend bool operator==(const TheoryRule&, const TheoryRule&) = default;
};

// Substitution of names for variables.
using TheoryBinding = std::map<int, int>;
// Applies a substitution to an atom. The substitution may also replace names.
TheoryAtom bound(TheoryAtom atom, const TheoryBinding& binding) {
  const auto name = [&](int n) { return binding.contains(n) ? binding.at(n) : n; };
  return {atom.word, name(atom.a), name(atom.b)};
}

// Forward closure: all ground atoms that are stated or derivable, sorted by level. The level of an atom is the least
// depth of its proofs; stated atoms have level 0.
class TheoryClosure {
 public:
  // Computes the closure.  Cost  for each level, a search for all matches of all rules
  TheoryClosure(const std::vector<TheoryAtom>& told, const std::vector<TheoryRule>& rules);
  const std::vector<TheoryAtom>& atoms() const { return atoms_; }
  std::size_t level(std::uint32_t atom) const { return levels_[atom]; }
  bool holds(const TheoryAtom& atom) const { return numbers_.contains(atom); }
  // Index in atoms() of an atom that is stated or derivable.
  std::uint32_t number(const TheoryAtom& atom) const { return numbers_.at(atom); }
  // All substitutions that satisfy the conditions of the rule.
  std::vector<TheoryBinding> matches(const TheoryRule& rule) const;

 private:
  void add(const TheoryAtom& atom, std::size_t level);
  void match(const TheoryRule& rule, std::size_t next, const TheoryBinding& so_far,
             std::vector<TheoryBinding>& found) const;

  std::map<TheoryAtom, std::uint32_t> numbers_;
  std::map<int, std::vector<std::uint32_t>> by_word_;
  std::vector<TheoryAtom> atoms_;
  std::vector<std::size_t> levels_;
};

TheoryClosure::TheoryClosure(const std::vector<TheoryAtom>& told, const std::vector<TheoryRule>& rules) {
  for (const TheoryAtom& atom : told) add(atom, 0);
  for (std::size_t level = 1, before = 0; before != atoms_.size(); ++level) {
    before = atoms_.size();
    std::vector<TheoryAtom> found;
    for (const TheoryRule& rule : rules)
      for (const TheoryBinding& binding : matches(rule)) found.push_back(bound(rule.conclusion, binding));
    for (const TheoryAtom& atom : found) add(atom, level);
  }
}

std::vector<TheoryBinding> TheoryClosure::matches(const TheoryRule& rule) const {
  std::vector<TheoryBinding> found;
  match(rule, 0, {}, found);
  return found;
}

void TheoryClosure::add(const TheoryAtom& atom, std::size_t level) {
  const auto number = static_cast<std::uint32_t>(atoms_.size());
  if (!numbers_.emplace(atom, number).second) return;
  by_word_[atom.word].push_back(number);
  atoms_.push_back(atom);
  levels_.push_back(level);
}

void TheoryClosure::match(const TheoryRule& rule, std::size_t next, const TheoryBinding& so_far,
                          std::vector<TheoryBinding>& found) const {
  if (next == rule.conditions.size()) return found.push_back(so_far);
  const TheoryAtom condition = bound(rule.conditions[next], so_far);
  if (condition.a >= 0 && condition.b >= TheoryAtom::none) {
    if (holds(condition)) match(rule, next + 1, so_far, found);
    return;
  }
  const auto with_word = by_word_.find(condition.word);
  if (with_word == by_word_.end()) return;
  for (const std::uint32_t number : with_word->second) {
    const TheoryAtom& atom = atoms_[number];
    TheoryBinding binding = so_far;
    if (condition.a < TheoryAtom::none) binding[condition.a] = atom.a;
    if (condition.b < TheoryAtom::none) binding.emplace(condition.b, atom.b);
    if (bound(condition, binding) == atom) match(rule, next + 1, binding, found);
  }
}

// A random theory. The first names are individuals; the first words are attributes.
struct Theory {
  static constexpr int individuals = 4, things = 2, names = individuals + things;
  static constexpr int attributes = 12, relations = 8, words = attributes + relations;
  static constexpr std::size_t least_statements = 15, most_statements = 20;
  std::vector<TheoryAtom> facts;
  std::vector<TheoryRule> rules;
};

// Generates a random theory, by expanding proofs backwards from their conclusions. One proof has the given depth. If
// that is at least 2, one of its rules has two derived conditions. Then adds distractors: facts that use the words of
// the proofs for other names, and rules that no facts satisfy. The frequencies of the forms of rules and facts are
// chosen by hand.
class TheoryDraft {
 public:
  TheoryDraft(std::size_t depth, Rng& rng) : rng_(rng) {
    state_.unused = rng_.permutation(Theory::words);
    const std::size_t size =
        Theory::least_statements + rng_.below(Theory::most_statements - Theory::least_statements + 1);
    while (!grow(depth, size)) {
    }
    for (int tries = 0; tries < 10; ++tries) grow(1 + rng_.below(3), size);
    distract(size - state_.facts.size() - state_.rules.size());
  }

  Theory theory() const { return {facts(), state_.rules}; }

 private:
  struct State {
    std::set<TheoryAtom> facts;
    std::vector<TheoryRule> rules;
    std::vector<std::uint32_t> unused;  // words not used so far
    std::vector<int> told, derived;     // words of facts, and of conclusions
  };

  std::vector<TheoryAtom> facts() const { return {state_.facts.begin(), state_.facts.end()}; }
  bool chance(std::uint64_t percent) { return rng_.below(100) < percent; }
  int below(std::size_t bound) { return static_cast<int>(rng_.below(bound)); }
  template <typename T>
  const T& any(const std::vector<T>& all) {
    return all[rng_.below(all.size())];
  }

  // Adds a proof of this depth. Returns false and changes nothing if too few words are left, or if `size` statements
  // leave no space for two distractors.
  bool grow(std::size_t depth, std::size_t size) {
    const State before = state_;
    if (prove(new_atom(below(Theory::individuals), state_.derived), depth, depth > 1) &&
        state_.facts.size() + state_.rules.size() + 2 <= size)
      return true;
    state_ = before;
    return false;
  }

  TheoryAtom with_word(int word, int name) {
    if (word < Theory::attributes) return {word, name};
    return {word, name, (name + 1 + below(Theory::names - 1)) % Theory::names};
  }

  // Returns an atom with an unused word, and appends the word to `words`. If no word is left, the word of the atom is
  // `none`.
  TheoryAtom new_atom(int name, std::vector<int>& words) {
    if (state_.unused.empty()) return {TheoryAtom::none};
    words.push_back(static_cast<int>(state_.unused.back()));
    state_.unused.pop_back();
    return with_word(words.back(), name);
  }

  // Returns an atom that a fact states about the name: an existing fact, or a new atom with the word of another fact or
  // with an unused word.
  TheoryAtom told_atom(int name) {
    std::vector<TheoryAtom> known;
    std::ranges::copy_if(state_.facts, std::back_inserter(known),
                         [&](const TheoryAtom& fact) { return fact.a == name; });
    if (!known.empty() && chance(30)) return any(known);
    return state_.told.empty() || chance(60) ? new_atom(name, state_.told)
                                             : with_word(any(state_.told), name);
  }

  // Adds the rules and facts of a proof of the goal. Returns false if no unused words are left. With `branches`, at
  // least two conditions of the last rule are derived.
  bool prove(const TheoryAtom& goal, std::size_t depth, bool branches) {
    if (goal.word == TheoryAtom::none) return false;
    const std::size_t derived = depth == 1 ? 0 : branches || chance(25) ? 2 : 1;
    const std::size_t count = std::max<std::size_t>(derived, 1 + rng_.below(4));
    std::vector<int> names{goal.a};  // individuals that conditions may be about
    std::set<TheoryAtom> conditions;
    for (std::size_t i = 0; i < count; ++i) {
      const int name = i == 0 ? goal.a : any(names);
      const TheoryAtom condition = i < derived ? new_atom(name, state_.derived) : told_atom(name);
      if (condition.word == TheoryAtom::none) return false;
      if (condition.b >= 0 && condition.b < Theory::individuals) names.push_back(condition.b);
      conditions.insert(condition);
      if (i >= derived)
        state_.facts.insert(condition);
      else if (!prove(condition, i == 0 ? depth - 1 : 1 + rng_.below(depth - 1), false))
        return false;
    }
    state_.rules.push_back(generalised({{conditions.begin(), conditions.end()}, goal}));
    return true;
  }

  // Replaces names by variables in four of five rules. Names that occur once are mostly kept.
  TheoryRule generalised(TheoryRule rule) {
    if (chance(20)) return rule;
    std::map<int, int> times;
    for (const TheoryAtom& condition : rule.conditions)
      for (const int name : {condition.a, condition.b}) ++times[name];
    TheoryBinding variable;
    for (const auto& [name, count] : times)
      if (name >= 0 &&
          (name == rule.conclusion.a || chance(count + (name == rule.conclusion.b) > 1 ? 70 : 30)))
        variable[name] = TheoryAtom::first_variable - static_cast<int>(variable.size());
    for (TheoryAtom& condition : rule.conditions) condition = bound(condition, variable);
    rule.conclusion = bound(rule.conclusion, variable);
    return rule;
  }

  // Adds `count` distractors, at least one fact and one rule. They use the words of the proofs and one unused word.
  void distract(std::size_t count) {
    const std::size_t rules = std::max<std::size_t>(1, count / 3);
    std::vector<int> words = state_.told;
    words.insert(words.end(), state_.derived.begin(), state_.derived.end());
    if (!state_.unused.empty()) words.push_back(static_cast<int>(state_.unused.back()));
    const TheoryClosure known(facts(), state_.rules);
    for (const std::size_t last = state_.facts.size() + count - rules; state_.facts.size() < last;)
      if (const TheoryAtom fact = with_word(any(words), below(Theory::individuals)); !known.holds(fact))
        state_.facts.insert(fact);
    const TheoryClosure all(facts(), state_.rules);
    for (const std::size_t last = state_.rules.size() + rules; state_.rules.size() < last;) {
      const int name = below(Theory::individuals);
      const TheoryBinding variable{{name, TheoryAtom::first_variable}};
      std::set<TheoryAtom> conditions;
      for (std::size_t i = 2 + rng_.below(3); i > 0; --i)
        conditions.insert(bound(with_word(any(words), name), variable));
      const TheoryRule rule{{conditions.begin(), conditions.end()},
                            bound(with_word(any(words), name), variable)};
      if (!conditions.contains(rule.conclusion) && all.matches(rule).empty() &&
          std::ranges::find(state_.rules, rule) == state_.rules.end())
        state_.rules.push_back(rule);
    }
  }

  Rng& rng_;
  State state_;
};

// Texts of the words and names of all theories. Words are numbered: first all attributes, then all relations.
struct TheoryWords {
  TheoryWords(std::size_t theories, bool shared, Rng& rng)
      : attribute_count(shared ? std::max<std::size_t>(Theory::attributes, 2 * theories)
                               : theories * Theory::attributes),
        relation_count(shared ? std::max<std::size_t>(Theory::relations, theories)
                              : theories * Theory::relations),
        attributes("a", attribute_count, rng),
        relations("r", relation_count, rng),
        individuals("p", theories * Theory::individuals, rng),
        things("t", theories * Theory::things, rng) {}

  std::string name(int n) const {
    if (n < 0) return "$" + std::to_string(TheoryAtom::first_variable + 1 - n);
    const std::size_t theory = static_cast<std::size_t>(n) / Theory::names,
                      place = static_cast<std::size_t>(n) % Theory::names;
    return place < Theory::individuals ? "{" + individuals(theory * Theory::individuals + place) + "}"
                                       : things(theory * Theory::things + place - Theory::individuals);
  }

  std::string text(const TheoryAtom& atom) const {
    const auto word = static_cast<std::size_t>(atom.word);
    if (atom.b == TheoryAtom::none) return inheritance_text(name(atom.a), "[" + attributes(word) + "]");
    return relation_text(name(atom.a), name(atom.b), relations(word - attribute_count));
  }

  std::string text(const TheoryRule& rule) const {
    std::vector<std::string> conditions;
    for (const TheoryAtom& condition : rule.conditions) conditions.push_back(text(condition));
    return rule_text(conditions, text(rule.conclusion));
  }

  std::size_t attribute_count, relation_count;
  Names attributes, relations, individuals, things;
};

class Theories {
 public:
  Theories(std::size_t theories, bool shared_words, std::uint64_t seed)
      : shared_words_(shared_words), rng_(seed, "theories"), words_(theories, shared_words, rng_) {
    for (std::size_t t = 0; t < theories; ++t) add_theory(t);
  }

  ProofSet asked(std::size_t questions) {
    const TheoryClosure closure(facts_, rules_);
    const ProofGraph graph = say_all(closure);
    std::vector<std::vector<std::uint32_t>> by_level(deepest + 1);
    for (std::uint32_t atom = 0; atom < closure.atoms().size(); ++atom)
      if (closure.level(atom) <= deepest) by_level[closure.level(atom)].push_back(atom);
    ask_in_turn(set_, questions, deepest, 200, [&](std::size_t turn) -> std::optional<ProvenQuestion> {
      const std::vector<std::uint32_t>& atoms = by_level[turn + 1];
      if (atoms.empty()) return {};
      const std::uint32_t goal = atoms[rng_.below(atoms.size())];
      const std::string text = words_.text(closure.atoms()[goal]);
      ProofGraph::Premises needed = graph.only_shortest_proof(goal, Theory::most_statements);
      if (needed.empty()) return {};
      const ProofShape shape = graph.shape(goal, needed);
      if (shape.depth != turn + 1 || shape.branches != (turn > 0)) return {};
      return ProvenQuestion{text, text, std::move(needed)};
    });
    shuffle(set_, rng_);
    return std::move(set_);
  }

 private:
  static constexpr std::size_t deepest = 5;

  // Adds a theory. Omits rules that an earlier theory already contains.
  void add_theory(std::size_t number) {
    const Theory theory = TheoryDraft(deepest - number % 3, rng_).theory();
    const std::vector<int> words = words_of(number);
    const auto name = [&](int n) { return n < 0 ? n : static_cast<int>(number) * Theory::names + n; };
    const auto placed = [&](const TheoryAtom& atom) {
      return TheoryAtom{words[static_cast<std::size_t>(atom.word)], name(atom.a), name(atom.b)};
    };
    for (const TheoryAtom& fact : theory.facts) facts_.push_back(placed(fact));
    for (TheoryRule rule : theory.rules) {
      for (TheoryAtom& condition : rule.conditions) condition = placed(condition);
      rule.conclusion = placed(rule.conclusion);
      // Parsing normalises the order of conditions and the numbers of variables, so that equal rules have equal texts.
      narsese::TermTable table;
      if (forms_.insert(narsese::print(*narsese::parse_term(words_.text(rule), table))).second)
        rules_.push_back(std::move(rule));
    }
  }

  // Maps each word of a theory to a word of the set.
  std::vector<int> words_of(std::size_t theory) {
    std::vector<int> words;
    const auto add = [&](std::size_t first, std::size_t all, std::size_t own) {
      for (const std::size_t end = words.size() + own; words.size() < end;) {
        const std::size_t word =
            first + (shared_words_ ? rng_.below(all) : theory * own + own - (end - words.size()));
        if (std::ranges::find(words, static_cast<int>(word)) == words.end())
          words.push_back(static_cast<int>(word));
      }
    };
    add(0, words_.attribute_count, Theory::attributes);
    add(words_.attribute_count, words_.relation_count, Theory::relations);
    return words;
  }

  ProofGraph say_all(const TheoryClosure& closure) {
    ProofGraph graph(closure.atoms().size());
    for (const TheoryAtom& fact : facts_) {
      graph.tell(closure.number(fact), set_.statements.size());
      say(set_, words_.text(fact));
    }
    for (const TheoryRule& rule : rules_) {
      for (const TheoryBinding& binding : closure.matches(rule)) {
        std::set<std::uint32_t> conditions;
        for (const TheoryAtom& condition : rule.conditions)
          conditions.insert(closure.number(bound(condition, binding)));
        graph.add({set_.statements.size(),
                   {conditions.begin(), conditions.end()},
                   closure.number(bound(rule.conclusion, binding))});
      }
      say(set_, words_.text(rule));
    }
    return graph;
  }

  bool shared_words_;
  Rng rng_;
  TheoryWords words_;
  std::vector<TheoryAtom> facts_;
  std::vector<TheoryRule> rules_;
  std::set<std::string> forms_;
  ProofSet set_;
};

using Person = std::uint32_t;
using Relation = std::uint32_t;
using Premises = ProofGraph::Premises;

constexpr std::size_t backbone = 12, side_facts = 5, story_facts = backbone + side_facts;
constexpr std::size_t shortest_chain = 2, longest_chain = 10, composition_rules = 60;

// Relations are the elements of the dicyclic group of order 12: number i is a^i, and number 6 + i is a^i x, with a^6 =
// 1, x x = a^3 and x a = a^-1 x. Number 0 is the identity.
constexpr Relation group_order = 12, half = group_order / 2;

Relation product_of(Relation p, Relation q) {
  const bool x = p >= half, y = q >= half;
  const Relation power = p % half + (x ? half - q % half : q % half) + (x && y ? half / 2 : 0);
  return power % half + (x == y ? 0 : half);
}

Relation inverse_of(Relation p) { return p < half ? (half - p) % half : half + (p + half / 2) % half; }

// Generator of stories, whose facts form a forest. Each person has an element of the group as position. The relation of
// two persons p and q is the product of the inverse position of p and the position of q.
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
  using Paths = std::map<Person, Premises>;  // maps the last person of a path to the facts of the path

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

  // Draws a chain of facts, then facts that lead from the chain or to it. Each person but the first is introduced by
  // one fact.
  void draw_story(bool joined) {
    // For each person but the first: the index of an earlier person, and whether the fact leads from that person.
    std::array<std::pair<std::size_t, bool>, story_facts> before;
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

  // Paths of at most `most` facts from a person. In a forest there is at most one path between two persons.
  static Paths paths_from(const Links& links, Person from, std::size_t most) {
    Paths found{{from, {}}};
    std::vector<Person> layer{from};
    for (std::size_t length = 1; length <= most; ++length) {
      std::vector<Person> next;
      for (const Person person : layer)
        for (const Link& link : links[person]) {
          if (found.contains(link.to)) continue;
          Premises path = found.at(person);
          path.insert(std::ranges::lower_bound(path, link.statement), link.statement);
          found[link.to] = std::move(path);
          next.push_back(link.to);
        }
      layer = std::move(next);
    }
    return found;
  }

  // Returns the unique shortest proof with at most `most` statements, or an empty list. The search uses only persons on
  // walks of at most `facts` facts from `start` to `end`.
  Premises proof(Person start, Person end, std::size_t facts, std::size_t most) const {
    const Paths from = paths_from(leaving_, start, facts), to = paths_from(arriving_, end, facts);
    std::vector<Person> persons;
    for (const auto& [person, path] : from)
      if (to.contains(person) && path.size() + to.at(person).size() <= facts) persons.push_back(person);
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

  // Adds all rule uses whose first condition is the relation of persons x and y.
  void add_uses(ProofGraph& graph, const std::vector<Person>& persons, std::uint32_t x,
                std::uint32_t y) const {
    const auto count = static_cast<std::uint32_t>(persons.size());
    const Relation a = relation(persons[x], persons[y]);
    if (a == 0) return;
    for (std::uint32_t z = 0; z < count; ++z)
      if (const auto rule = rules_.find({a, relation(persons[y], persons[z])}); rule != rules_.end())
        graph.add({rule->second, {x * count + y, y * count + z}, x * count + z});
  }

  // Searches for proofs along the chain first. This search is fast and rejects most questions without a unique proof.
  // The size of its result limits the search for other proofs.
  Premises only_proof(Person start, Person end, std::size_t length) const {
    const Premises of_chain = proof(start, end, length, 2 * length);
    return of_chain.empty() || !both_ways_ ? of_chain
                                           : proof(start, end, of_chain.size() - 1, of_chain.size());
  }

  std::optional<ProvenQuestion> drawn_question(std::size_t length) {
    const auto start = static_cast<Person>(rng_.below(positions_.size()));
    Paths ends = paths_from(leaving_, start, length);
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
  std::vector<Names> names_;  // one element; empty until the number of persons is known
  ProofSet set_;
  std::map<std::pair<Relation, Relation>, std::size_t> rules_;
  std::vector<Relation> positions_;
  std::vector<std::pair<Person, Person>> facts_;
  Links leaving_, arriving_;
};

}  // namespace

ProofSet generate_theories(const ChainOptions& options, std::uint64_t seed) {
  const std::size_t theories =
      options.groups > 0 ? options.groups : std::max<std::size_t>(1, options.size / theory_size);
  return Theories(theories, options.shared_words, seed).asked(options.questions);
}

ProofSet generate_compositions(const ChainOptions& options, std::uint64_t seed) {
  return std::move(Stories(options, seed).set());
}

}  // namespace engram::experiments
