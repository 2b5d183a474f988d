// SPDX-License-Identifier: MIT
#include "narsese/fidelity.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string_view>

#include "narsese/printer.hpp"
#include "narsese/utf8.hpp"

namespace engram::narsese {
namespace {

// Compounds in compounds that ONA holds: its terms are arrays of 64 places.
constexpr std::uint32_t ona_depth = 5;

// The term with its components replaced by what `change` makes of them, then itself changed.
Term rebuilt(Term term, TermTable& table, const std::function<Term(Term)>& change) {
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back(rebuilt(component, table, change));
  if (!std::ranges::equal(components, term.components())) term = table.with_components(term, components);
  return change(term);
}

bool is_one_of(Term term, std::initializer_list<Connector> connectors) {
  return term.kind() == TermKind::compound &&
         std::ranges::find(connectors, term.connector()) != connectors.end();
}

bool is_implication(Term term) {
  return term.is(Copula::implication) || term.is(Copula::predictive_implication) ||
         term.is(Copula::concurrent_implication) || term.is(Copula::retrospective_implication);
}
bool is_equivalence(Term term) {
  return term.is(Copula::equivalence) || term.is(Copula::predictive_equivalence) ||
         term.is(Copula::concurrent_equivalence);
}

Term flattened(Term term, TermTable& table) {
  std::vector<Term> components;
  for (const Term component : term.components())
    if (component.is(term.connector()))
      components.insert(components.end(), component.components().begin(), component.components().end());
    else
      components.push_back(component);
  const bool fits = components.size() <= TermTable::max_components;
  return components.size() == term.components().size() || !fits
             ? term
             : table.compound(term.connector(), components);
}

bool are_all(Term term, Connector set) {
  return std::ranges::all_of(term.components(), [&](Term component) { return component.is(set); });
}

std::vector<Term> united(Term term) {
  std::vector<Term> all;
  for (const Term set : term.components())
    all.insert(all.end(), set.components().begin(), set.components().end());
  return all;
}

// What stands in the first component, a set, and in all others (`in_others`) or in none of them.
std::vector<Term> chosen(Term term, bool in_others) {
  std::vector<Term> some;
  for (const Term element : term.components()[0].components()) {
    const auto has = [&](Term set) {
      return std::ranges::find(set.components(), element) != set.components().end();
    };
    const auto others = term.components().subspan(1);
    if (in_others ? std::ranges::all_of(others, has) : std::ranges::none_of(others, has))
      some.push_back(element);
  }
  return some;
}

Term set_of(Connector set, const std::vector<Term>& elements, Term otherwise, TermTable& table) {
  return elements.empty() ? otherwise : table.compound(set, elements);
}

// {a} | {b} is {a,b}, and [a] & [b] is [a,b]: what either has (Wang 2013, definition 7.4).
Term sets_joined(Term term, TermTable& table) {
  const bool joins_extensions = term.is(Connector::intensional_intersection);
  const Connector set = joins_extensions ? Connector::extensional_set : Connector::intensional_set;
  if (!are_all(term, set)) return term;
  const auto elements = united(term);
  return elements.size() <= TermTable::max_components ? table.compound(set, elements) : term;
}

// {a,b} & {b,c} is {b}, and [a,b] | [b,c] is [b].
Term sets_intersected(Term term, TermTable& table) {
  const Connector set =
      term.is(Connector::extensional_intersection) ? Connector::extensional_set : Connector::intensional_set;
  return are_all(term, set) ? set_of(set, chosen(term, true), term, table) : term;
}

Term sets_subtracted(Term term, TermTable& table) {
  const Connector set =
      term.is(Connector::extensional_difference) ? Connector::extensional_set : Connector::intensional_set;
  return are_all(term, set) ? set_of(set, chosen(term, false), term, table) : term;
}

Term intervals_added(Term sequence, TermTable& table) {
  constexpr auto longest = std::numeric_limits<std::int64_t>::max();
  std::vector<Term> components;
  for (const Term component : sequence.components()) {
    const bool both = component.kind() == TermKind::interval && !components.empty() &&
                      components.back().kind() == TermKind::interval;
    if (both && components.back().number() <= longest - component.number())
      components.back() = table.interval(components.back().number() + component.number());
    else
      components.push_back(component);
  }
  return components.size() < 2 ? sequence : table.compound(Connector::sequence, components);
}

// Of a sequence that is a whole sentence OpenNARS drops the intervals at its ends.
Term without_outer_intervals(Term term, TermTable& table) {
  if (!is_one_of(term, {Connector::sequence, Connector::parallel})) return term;
  auto components = term.components();
  const auto is_interval = [](Term component) { return component.kind() == TermKind::interval; };
  while (components.size() > 1 && is_interval(components.front())) components = components.subspan(1);
  while (components.size() > 1 && is_interval(components.back()))
    components = components.first(components.size() - 1);
  if (components.size() == term.components().size()) return term;
  return components.size() == 1 ? components[0] : table.compound(term.connector(), components);
}

Term held_by_opennars(Term term, TermTable& table) {
  if (is_one_of(term, {Connector::conjunction, Connector::sequence, Connector::parallel}))
    term = flattened(term, table);
  if (term.is(Connector::sequence)) term = intervals_added(term, table);
  if (is_one_of(term, {Connector::extensional_difference, Connector::intensional_difference}))
    term = sets_subtracted(term, table);
  if (term.is(Connector::negation) && term.components()[0].is(Connector::negation))
    return term.components()[0].components()[0];
  if (term.is(Connector::spatial) && term.components().size() == 1) return term.components()[0];
  if (is_implication(term) && is_implication(term.predicate())) {
    const bool temporal = !term.is(Copula::implication);
    const std::array<Term, 2> conditions{term.subject(), term.predicate().subject()};
    const Term both = table.compound(temporal ? Connector::sequence : Connector::conjunction, conditions);
    const Term subject = both.kind() == TermKind::compound ? flattened(both, table) : both;
    return table.statement(term.copula(), subject, term.predicate().predicate());
  }
  return term;
}

Term held_by_pynars(Term term, TermTable& table) {
  if (is_one_of(term, {Connector::conjunction, Connector::disjunction, Connector::extensional_set,
                       Connector::intensional_set, Connector::extensional_intersection,
                       Connector::intensional_intersection, Connector::sequence, Connector::parallel}))
    term = flattened(term, table);
  if (is_one_of(term, {Connector::extensional_intersection, Connector::intensional_intersection})) {
    const Term joined = sets_joined(term, table);
    return joined != term ? joined : sets_intersected(term, table);
  }
  return term;
}

// ONA joins sets that are a side of the whole sentence, when that is an inheritance.
Term held_by_ona(Term term, TermTable& table) {
  if (!term.is(Copula::inheritance)) return term;
  std::array<Term, 2> sides{term.subject(), term.predicate()};
  for (Term& side : sides)
    if (is_one_of(side, {Connector::extensional_intersection, Connector::intensional_intersection}))
      side = sets_joined(side, table);
  return table.statement(Copula::inheritance, sides[0], sides[1]);
}

// --- what cannot be held
// ------------------------------------------------------------------------------------

// For messages, cut where it is long.
std::string quote(Term term) {
  constexpr std::size_t longest = 80;
  std::string text = print(term);
  if (text.size() > longest) {
    text.resize(find_invalid_utf8(std::string_view(text).substr(0, longest)));
    text += "...";
  }
  return "'" + text + "'";
}

std::string name_excess(Term term, Dialect dialect) {
  const std::string_view name = term.name();
  const DialectFacts& system = facts(dialect);
  const std::size_t bytes = name.size() + (term.kind() == TermKind::op ? 1 : 0);
  if (bytes > system.max_name_bytes)
    return "the name " + quote(term) + " has " + std::to_string(bytes) + " bytes, of which " +
           std::string(system.system) + " keeps " + std::to_string(system.max_name_bytes);
  for (const std::string_view part : system.garbled_in_names)
    if (!part.empty() && name.find(part) != std::string_view::npos)
      return std::string(system.system) + " garbles '" + std::string(part) + "' in the name " + quote(term);
  if (name.size() == 1 && system.garbled_names.find(name[0]) != std::string_view::npos)
    return std::string(system.system) + " garbles the name " + quote(term);
  return {};
}

// What ONA takes for one of its arrows.
std::string ona_start_excess(Term term) {
  if (term.kind() != TermKind::statement || term.subject().kind() != TermKind::atom) return {};
  const char first = term.subject().name().front();
  return first != '-' && first != '='
             ? ""
             : "ONA garbles '<" + std::string(1, first) + "', with which " + quote(term) + " starts";
}

bool is_done_by_another(Term operation) {
  if (!operation.is(Copula::inheritance) || operation.predicate().kind() != TermKind::op ||
      !operation.subject().is(Connector::product))
    return false;
  const Term doer = operation.subject().components()[0];
  if (!doer.is(Connector::extensional_set)) return false;
  const Term who = doer.components()[0];
  return who.kind() != TermKind::variable && !(who.kind() == TermKind::atom && who.name() == "SELF");
}

// ONA silently drops a prediction whose sequence holds an operation of another than {SELF}.
std::string ona_prediction_excess(const Sentence& sentence) {
  const Term term = sentence.term;
  if (sentence.asks() || !term.is(Copula::predictive_implication)) return {};
  for (Term rest = term.subject(); rest.is(Connector::sequence); rest = rest.components()[0])
    for (const Term step : rest.components())
      if (is_done_by_another(step))
        return "ONA silently drops a prediction with " + quote(step) + ": it plans for {SELF} alone";
  return {};
}

// Sets and images, whose many components cannot be nested.
std::string ona_arity_excess(Term term) {
  if (term.components().size() > 2)
    return "ONA holds at most two components, and " + quote(term) + " has " +
           std::to_string(term.components().size());
  if (term.kind() == TermKind::compound && is_image(term.connector()) && term.components().size() != 2)
    return "ONA's images are of a relation and one argument, not as " + quote(term);
  return {};
}

bool has_component(Term whole, Term part) {
  return std::ranges::find(whole.components(), part) != whole.components().end();
}

// OpenNARS, Statement.invalidStatement and its makers.
std::string opennars_excess(Term term) {
  if (term.kind() != TermKind::statement) return {};
  const Term s = term.subject(), p = term.predicate();
  const auto contains = [](Term whole, Term part) {
    const bool image = whole.kind() == TermKind::compound && is_image(whole.connector());
    return !image && has_component(whole, part);
  };
  const bool crossed = s.kind() == TermKind::statement && p.kind() == TermKind::statement &&
                       s.subject() == p.predicate() && s.predicate() == p.subject();
  if (s == p || contains(s, p) || contains(p, s) || crossed)
    return "OpenNARS finds " + quote(term) + " meaningless: one side repeats the other or holds it";
  if ((is_implication(term) && is_implication(s)) ||
      (is_equivalence(term) &&
       (is_implication(s) || is_implication(p) || is_equivalence(s) || is_equivalence(p))))
    return "OpenNARS rejects " + quote(term) + ": an implication stands where it wants none";
  return {};
}

std::string pynars_excess(Term term) {
  const bool name = term.kind() == TermKind::atom || term.kind() == TermKind::op;
  if (name && term.name().front() != '"' && !is_plain_for_pynars(term.name()))
    return "PyNARS reads letters, digits, _ and ' in names, not " + quote(term);
  if (is_one_of(term, {Connector::extensional_intersection, Connector::intensional_intersection})) {
    const bool extensional = term.is(Connector::extensional_intersection);
    if (are_all(term, extensional ? Connector::extensional_set : Connector::intensional_set) &&
        chosen(term, true).empty())
      return "PyNARS stops at sets that share nothing: " + quote(term);
  }
  if (term.is(Connector::negation) && term.components()[0].is(Connector::negation))
    return "PyNARS takes the double negation " + quote(term) + " for a single one";
  return {};
}

std::string own_excess(Term term, Dialect dialect) {
  if (term.kind() == TermKind::atom || term.kind() == TermKind::op)
    if (auto why = name_excess(term, dialect); !why.empty()) return why;
  const std::size_t most = facts(dialect).max_variables_of_a_kind;
  if (term.kind() == TermKind::variable && static_cast<std::size_t>(term.number()) > most)
    return std::string(facts(dialect).system) + " knows " + std::to_string(most) +
           " variables of a kind, and " + quote(term) + " is one more";
  switch (dialect) {
    case Dialect::ona:
      if (auto why = ona_start_excess(term); !why.empty()) return why;
      return ona_arity_excess(term);
    case Dialect::opennars:
      return opennars_excess(term);
    case Dialect::pynars:
      return pynars_excess(term);
    default:
      return {};
  }
}

std::string excess_within(Term term, Dialect dialect) {
  if (auto why = own_excess(term, dialect); !why.empty()) return why;
  for (const Term component : term.components())
    if (auto why = excess_within(component, dialect); !why.empty()) return why;
  return {};
}

}  // namespace

bool is_plain_for_pynars(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    const bool letter =
        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    return letter || (c >= '0' && c <= '9') || c == '_' || c == '\'' || c == '`';
  });
}

Term as_held_by(Dialect dialect, Term term, TermTable& table, std::vector<std::string>& changes) {
  const auto changed = [&](Term part, Term other) {
    if (other != part)
      changes.push_back(std::string(facts(dialect).system) + " makes " + quote(other) + " of " + quote(part));
    return other;
  };
  if (dialect == Dialect::ona) return changed(term, held_by_ona(term, table));
  if (dialect == Dialect::pynars)
    return rebuilt(term, table, [&](Term part) { return changed(part, held_by_pynars(part, table)); });
  if (dialect != Dialect::opennars) return term;
  term = rebuilt(term, table, [&](Term part) { return changed(part, held_by_opennars(part, table)); });
  return changed(term, without_outer_intervals(term, table));
}

std::string excess(const Sentence& sentence, Dialect dialect) {
  const Term term = sentence.term;
  if (dialect == Dialect::ona) {
    if (term.depth() - 1 > ona_depth)
      return "ONA nests terms " + std::to_string(ona_depth) + " deep, and " + quote(term) + " is nested " +
             std::to_string(term.depth() - 1) + " deep";
    const bool reflexive = term.is(Copula::inheritance) || term.is(Copula::similarity);
    if (reflexive && !sentence.asks() && term.subject() == term.predicate())
      return "ONA silently drops " + quote(term);
    if (auto why = ona_prediction_excess(sentence); !why.empty()) return why;
  }
  if (dialect == Dialect::pynars && term.kind() == TermKind::variable)
    return "PyNARS reads no variable alone, as " + quote(term);
  return excess_within(term, dialect);
}

Term nested_by_twos(Term term, TermTable& table) {
  return rebuilt(term, table, [&](Term part) {
    const auto components = part.components();
    if (components.size() <= 2 || components.size() > ona_depth + 1 || part.kind() != TermKind::compound ||
        is_set(part.connector()) || is_image(part.connector()))
      return part;
    Term nested = components[0];
    for (const Term next : components.subspan(1)) {
      const std::array<Term, 2> pair{nested, next};
      nested = table.compound(part.connector(), pair);
    }
    return nested;
  });
}

}  // namespace engram::narsese
