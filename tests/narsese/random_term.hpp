// SPDX-License-Identifier: MIT
// Seeded random terms and sentences, and random spellings of a term.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "narsese/printer.hpp"
#include "narsese/sentence.hpp"
#include "narsese/term_queries.hpp"

namespace engram::narsese::testing {

/// SplitMix64 (Steele, Lea and Flood 2014). It gives the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  /// A uniform number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(list.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

struct TermShape {
  std::size_t depth = 4;
  std::size_t components = 4;      // at most, in one compound
  std::size_t variable_kinds = 3;  // number of kinds out of $ # ?
  std::size_t variables = 2;       // distinct variables of each kind; 0 for none
  std::size_t leaf_rarity = 4;     // one of this many inner nodes is replaced by a leaf
  bool commutative_only = false;   // only commutative compounds and symmetric statements
};

/// Shapes with up to six variables: of one kind, of three kinds, and in nested commutative compounds.
inline std::vector<TermShape> shapes_with_variables(std::size_t commutative_depth = 5) {
  return {{.variable_kinds = 1, .variables = 6},
          {.variable_kinds = 3, .variables = 2},
          {.depth = commutative_depth,
           .components = 3,
           .variable_kinds = 2,
           .variables = 3,
           .leaf_rarity = 9,
           .commutative_only = true}};
}

/// Valid names, many of them with characters that could also end a name.
inline constexpr std::array<std::string_view, 24> atom_names{
    "a",   "b",   "c",   "bird", "S_0.3", "x-y", "5",       "-5",    "3.14", "A.b", "a:b", "a%",
    "a=b", "a|b", "a/b", "a!b",  "a~b",   "_x",  "\"a b\"", "don't", "ü",    "鸟",  "🐦_1", "\"(*\""};

class RandomTerms {
 public:
  RandomTerms(Random& random, TermTable& table, TermShape shape = {})
      : random_(random), table_(table), shape_(shape) {}

  Term term() { return term(shape_.depth); }

  /// A random sentence with numbered variables, as the parser returns it.
  Sentence sentence() {
    Sentence sentence;
    sentence.term = number_variables(table_, term());
    sentence.punctuation = static_cast<Punctuation>(random_.below(4));
    sentence.tense = tense();
    if (!sentence.asks() && random_.one_in(2)) sentence.truth = TruthValue{share(), share()};
    if (random_.one_in(2)) sentence.budget = BudgetValue{share(), share(), share()};
    return sentence;
  }

 private:
  double share() { return random_.one_in(8) ? static_cast<double>(random_.below(2)) : random_.unit(); }

  Tense tense() {
    Tense tense{static_cast<Tense::Kind>(random_.below(6)), 0};
    const std::uint64_t bits = random_.next() >> random_.below(64);
    if (tense.kind == Tense::Kind::offset) tense.cycles = static_cast<std::int64_t>(bits);  // of both signs
    if (tense.kind == Tense::Kind::at) tense.cycles = static_cast<std::int64_t>(bits >> 1);
    return tense;
  }

  Term leaf() {
    if (shape_.variables > 0 && !random_.one_in(3))
      return table_.variable(static_cast<VariableKind>(random_.below(shape_.variable_kinds)),
                             static_cast<std::int64_t>(1 + random_.below(shape_.variables)));
    switch (random_.below(8)) {
      case 0:
        return table_.op(random_.pick(std::array{"go", "say-it", "pick.up"}));
      case 1:
        return table_.interval(static_cast<std::int64_t>(random_.next() >> (1 + random_.below(63))));
      default:
        return table_.atom(random_.pick(atom_names));
    }
  }

  std::vector<Term> terms(std::size_t count, std::size_t depth) {
    std::vector<Term> terms;
    while (terms.size() < count) terms.push_back(term(depth));
    return terms;
  }

  // Replaces the sides of a statement by terms that have abbreviations: {--, --], {-], (^op,..).
  void abbreviable(std::vector<Term>& sides, std::size_t depth) {
    const auto single = [&](Connector set) { return table_.compound(set, terms(1, depth - 1)); };
    if (random_.one_in(3)) {
      sides = {table_.compound(Connector::product, terms(1 + random_.below(2), depth - 1)), table_.op("go")};
      return;
    }
    if (!random_.one_in(3)) sides[0] = single(Connector::extensional_set);
    if (!random_.one_in(3)) sides[1] = single(Connector::intensional_set);
  }

  Term term(std::size_t depth) {
    if (depth <= 1 || random_.one_in(shape_.leaf_rarity)) return leaf();
    if (random_.one_in(2)) {
      const Copula copula = random_.one_in(3) ? Copula::inheritance : random_.pick(copulas).copula;
      if (shape_.commutative_only && !facts(copula).symmetric) return term(depth);
      auto sides = terms(2, depth - 1);
      if (copula == Copula::inheritance && random_.one_in(2)) abbreviable(sides, depth - 1);
      return table_.statement(copula, sides[0], sides[1]);
    }
    const ConnectorFacts& rule = random_.pick(connectors);
    if (shape_.commutative_only && !rule.commutative) return term(depth);
    const std::size_t most = std::min(rule.max_arity, random_.one_in(3) ? 2 : shape_.components);
    const auto parts = terms(rule.min_arity + random_.below(most - rule.min_arity + 1), depth - 1);
    if (is_image(rule.connector)) return table_.image(rule.connector, parts, 1 + random_.below(parts.size()));
    return table_.compound(rule.connector, parts);
  }

  Random& random_;
  TermTable& table_;
  TermShape shape_;
};

/// Appends the variables of a term in the order of their first visit.
inline void collect_variables(Term term, std::vector<Term>& variables) {
  if (term.kind() == TermKind::variable &&
      std::find(variables.begin(), variables.end(), term) == variables.end())
    variables.push_back(term);
  for (const Term component : term.components()) collect_variables(component, variables);
}

/// The term with each variable from[i] replaced by to[i].
inline Term replace(TermTable& table, Term term, const std::vector<Term>& from, const std::vector<Term>& to) {
  if (const auto place = std::find(from.begin(), from.end(), term); place != from.end())
    return to[static_cast<std::size_t>(place - from.begin())];
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back(replace(table, component, from, to));
  return table.with_components(term, components);
}

/// Prints a term in a random spelling. Brackets, separators, prefix or infix form, the notation of images, the order of
/// commutative components and the names of variables vary.
class Spelling {
 public:
  Spelling(Random& random, Term term) : random_(random) {
    collect_variables(term, variables_);
    std::vector<std::string> pool{"x", "y", "1", "2", "7", "who", "x.1", "ü", "_", "a-b", "10", "z"};
    random_.shuffle(pool);
    for (std::size_t i = 0; i < variables_.size(); ++i)
      names_.push_back(i < pool.size() ? pool[i] : "v" + std::to_string(i));
    text_ = spell(term);
  }

  const std::string& text() const { return text_; }

 private:
  std::string gap() {  // optional blanks
    constexpr std::array<std::string_view, 5> gaps{"", "", " ", "  ", "\t"};
    return std::string(random_.pick(gaps));
  }
  std::string blank() { return random_.one_in(4) ? "\t" : " "; }

  std::string spell(Term term) {
    switch (term.kind()) {
      case TermKind::variable: {
        const auto place = std::find(variables_.begin(), variables_.end(), term) - variables_.begin();
        return symbol(term.variable_kind()) + names_[static_cast<std::size_t>(place)];
      }
      case TermKind::compound:
        return compound(term);
      case TermKind::statement:
        return statement(term);
      default:
        return print(term);
    }
  }

  std::vector<std::string> spell_all(Term term, bool commutative) {
    std::vector<std::string> texts;
    for (const Term component : term.components()) texts.push_back(spell(component));
    if (commutative) {
      if (random_.one_in(8)) texts.push_back(texts.front());  // duplicates count once
      random_.shuffle(texts);
    }
    return texts;
  }

  std::string list(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
      if (!out.empty()) out += random_.one_in(2) ? gap() + ',' + gap() : blank();
      out += text;
    }
    return out;
  }

  std::string compound(Term term) {
    const ConnectorFacts& rule = facts(term.connector());
    auto texts = spell_all(term, rule.commutative);
    if (term.is(Connector::extensional_set)) return '{' + gap() + list(texts) + gap() + '}';
    if (term.is(Connector::intensional_set)) return '[' + gap() + list(texts) + gap() + ']';
    if (is_image(term.connector())) return image(term, rule, texts);
    if (term.is(Connector::negation) && random_.one_in(2))
      return "(!" + (random_.one_in(2) ? gap() + ',' : blank()) + texts[0] + gap() + ')';
    if (texts.size() > 1 && !term.is(Connector::spatial) && random_.one_in(2)) return infix(rule, texts);
    return prefix(rule, list(texts));
  }

  std::string prefix(const ConnectorFacts& rule, const std::string& components) {
    return '(' + gap() + std::string(rule.text) + (random_.one_in(2) ? gap() + ',' + gap() : blank()) +
           components + gap() + ')';
  }

  std::string infix(const ConnectorFacts& rule, const std::vector<std::string>& texts) {
    // The connectors | - ~ may be parts of names, so they need blanks around them; & and * do not.
    const bool tight =
        random_.one_in(2) && std::string_view("&*").find(rule.text[0]) != std::string_view::npos;
    std::string out = '(' + gap();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i > 0) out += tight ? std::string(rule.text) : blank() + std::string(rule.text) + blank();
      out += texts[i];
    }
    return out + gap() + ')';
  }

  std::string image(Term term, const ConnectorFacts& rule, std::vector<std::string>& texts) {
    if (texts.size() == 2 && random_.one_in(2))
      return '(' + gap() + texts[0] + blank() + std::string(rule.text) +
             std::to_string(term.image_position()) + blank() + texts[1] + gap() + ')';
    texts.insert(texts.begin() + static_cast<std::ptrdiff_t>(term.image_position()), "_");
    return prefix(rule, list(texts));
  }

  std::string statement(Term term) {
    auto sides = spell_all(term, false);
    std::string copula(facts(term.copula()).text);
    if (facts(term.copula()).symmetric && random_.one_in(2)) std::swap(sides[0], sides[1]);
    if (term.is(Copula::inheritance)) {
      if (term.predicate().kind() == TermKind::op && term.subject().is(Connector::product) &&
          random_.one_in(2))
        return '(' + gap() + sides[1] + gap() + ',' + gap() + list(spell_all(term.subject(), false)) + gap() +
               ')';
      instance_copula(term, sides, copula);
    }
    const bool round = random_.one_in(3);
    return (round ? '(' : '<') + gap() + sides[0] + gap() + copula + gap() + sides[1] + gap() +
           (round ? ')' : '>');
  }

  void instance_copula(Term term, std::vector<std::string>& sides, std::string& copula) {
    const auto single = [](Term side, Connector set) {
      return side.is(set) && side.components().size() == 1;
    };
    const bool instance = single(term.subject(), Connector::extensional_set) && random_.one_in(2);
    const bool property = single(term.predicate(), Connector::intensional_set) && random_.one_in(2);
    if (instance) sides[0] = spell(term.subject().components()[0]);
    if (property) sides[1] = spell(term.predicate().components()[0]);
    if (instance || property) copula = !property ? "{--" : instance ? "{-]" : "--]";
  }

  Random& random_;
  std::vector<Term> variables_;
  std::vector<std::string> names_;
  std::string text_;
};

}  // namespace engram::narsese::testing
