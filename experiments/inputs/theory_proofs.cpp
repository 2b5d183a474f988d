// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "experiments/inputs/proof_set_parts.hpp"
#include "experiments/inputs/theory.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::Rng;

// Words and names of all theories; attributes come before relations.
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

  // Adds a theory. A rule that an earlier theory has is not repeated.
  void add_theory(std::size_t number) {
    const Theory theory = draw_theory(deepest - number % 3, rng_);
    const std::vector<int> words = words_of(number);
    const auto name = [&](int n) { return n < 0 ? n : static_cast<int>(number) * Theory::names + n; };
    const auto placed = [&](const TheoryAtom& atom) {
      return TheoryAtom{words[static_cast<std::size_t>(atom.word)], name(atom.a), name(atom.b)};
    };
    for (const TheoryAtom& fact : theory.facts) facts_.push_back(placed(fact));
    for (TheoryRule rule : theory.rules) {
      for (TheoryAtom& condition : rule.conditions) condition = placed(condition);
      rule.conclusion = placed(rule.conclusion);
      // Parsing normalises the order of conditions and the numbers of variables.
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

}  // namespace

ProofSet generate_theories(const ChainOptions& options, std::uint64_t seed) {
  const std::size_t theories =
      options.groups > 0 ? options.groups : std::max<std::size_t>(1, options.size / theory_size);
  return Theories(theories, options.shared_words, seed).asked(options.questions);
}

}  // namespace engram::experiments
