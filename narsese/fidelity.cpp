// SPDX-License-Identifier: MIT
#include "narsese/fidelity.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

// Nesting depth of ONA's terms, which are arrays of 64 slots.
constexpr std::uint32_t ona_depth = 5;

// Applies `change` to all subterms, from the leaves up.
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

bool has_component(Term whole, Term part) {
  return std::ranges::find(whole.components(), part) != whole.components().end();
}

// The compound, or `term` if there are too many components.
Term compound_or(Term term, Connector connector, const std::vector<Term>& components, TermTable& table) {
  return components.size() <= TermTable::max_components ? table.compound(connector, components) : term;
}

Term flattened(Term term, TermTable& table) {
  const auto is_nested = [&](Term component) { return component.is(term.connector()); };
  if (std::ranges::none_of(term.components(), is_nested)) return term;
  std::vector<Term> components;
  for (const Term component : term.components())
    if (is_nested(component))
      components.insert(components.end(), component.components().begin(), component.components().end());
    else
      components.push_back(component);
  return compound_or(term, term.connector(), components, table);
}

bool are_all(Term term, Connector set) {
  return std::ranges::all_of(term.components(), [&](Term component) { return component.is(set); });
}

bool is_interval(Term term) { return term.kind() == TermKind::interval; }

// {a} | {b} is {a,b}, and [a] & [b] is [a,b] (Wang 2013, definition 7.4).
Term sets_joined(Term term, TermTable& table) {
  const bool joins_extensions = term.is(Connector::intensional_intersection);
  const Connector set = joins_extensions ? Connector::extensional_set : Connector::intensional_set;
  if (!are_all(term, set)) return term;
  std::vector<Term> elements;
  for (const Term part : term.components())
    elements.insert(elements.end(), part.components().begin(), part.components().end());
  return compound_or(term, set, elements, table);
}

// {a,b} - {b,c} is {a}, and [a,b] ~ [b,c] is [a].
Term sets_subtracted(Term term, TermTable& table) {
  const Connector set =
      term.is(Connector::extensional_difference) ? Connector::extensional_set : Connector::intensional_set;
  if (!are_all(term, set)) return term;
  std::vector<Term> left;
  for (const Term element : term.components()[0].components())
    if (!has_component(term.components()[1], element)) left.push_back(element);
  return left.empty() ? term : table.compound(set, left);
}

// --- OpenNARS: Conjunction.make, Implication.make and the constructor of Sentence

Term intervals_added(Term sequence, TermTable& table) {
  constexpr auto longest = std::numeric_limits<std::int64_t>::max();
  std::vector<Term> components;
  for (const Term component : sequence.components()) {
    const bool both = is_interval(component) && !components.empty() && is_interval(components.back());
    if (both && components.back().number() <= longest - component.number())
      components.back() = table.interval(components.back().number() + component.number());
    else
      components.push_back(component);
  }
  return components.size() == 1 ? components[0] : table.compound(Connector::sequence, components);
}

Term without_intervals(Term term, TermTable& table) {
  std::vector<Term> components;
  std::ranges::copy_if(term.components(), std::back_inserter(components),
                       [](Term component) { return !is_interval(component); });
  if (components.empty()) return term;
  return components.size() == 1 ? components[0] : table.compound(term.connector(), components);
}

// OpenNARS drops the intervals at one end of a sequence that is a whole sentence.
Term without_outer_intervals(Term term, TermTable& table) {
  if (!is_one_of(term, {Connector::sequence, Connector::spatial})) return term;
  auto components = term.components();
  const auto first = std::ranges::find_if_not(components, is_interval);
  if (first == components.end()) return term;
  if (first != components.begin())
    components = components.subspan(static_cast<std::size_t>(first - components.begin()));
  else
    while (is_interval(components.back())) components = components.first(components.size() - 1);
  if (components.size() == term.components().size()) return term;
  return components.size() == 1 ? components[0] : table.compound(term.connector(), components);
}

bool is_conjunction(Term term) {
  return is_one_of(term,
                   {Connector::conjunction, Connector::parallel, Connector::sequence, Connector::spatial});
}

// The conditions of an implication of an implication, merged; no term if they are too many.
Term joined_conditions(Copula copula, Term outer, Term inner, TermTable& table) {
  const Connector connector = is_conjunction(outer)                      ? outer.connector()
                              : copula == Copula::predictive_implication ? Connector::sequence
                              : copula == Copula::concurrent_implication ? Connector::parallel
                                                                         : Connector::conjunction;
  const bool ordered = connector == Connector::sequence || connector == Connector::spatial;
  const auto opens = [&](Term condition) {
    if (!ordered) return is_conjunction(condition);
    if (condition == inner && is_conjunction(outer)) return condition.is(connector);
    return is_one_of(condition, {Connector::sequence, Connector::spatial});
  };
  std::vector<Term> all;
  for (const Term condition : {outer, inner})
    if (opens(condition))
      all.insert(all.end(), condition.components().begin(), condition.components().end());
    else
      all.push_back(condition);
  return compound_or({}, connector, all, table);
}

Term held_by_opennars(Term term, TermTable& table) {
  if (is_one_of(term, {Connector::conjunction, Connector::sequence, Connector::parallel}))
    term = flattened(term, table);
  if (is_one_of(term, {Connector::conjunction, Connector::parallel})) return without_intervals(term, table);
  if (term.is(Connector::sequence)) return intervals_added(term, table);
  if (is_one_of(term, {Connector::extensional_difference, Connector::intensional_difference}))
    return sets_subtracted(term, table);
  if (term.is(Connector::negation) && term.components()[0].is(Connector::negation))
    return term.components()[0].components()[0];
  if (term.is(Connector::spatial) && term.components().size() == 1) return term.components()[0];
  if (!is_implication(term) || !is_implication(term.predicate())) return term;
  const Term conditions = joined_conditions(term.copula(), term.subject(), term.predicate().subject(), table);
  if (!conditions) return term;
  return table.statement(term.copula(), held_by_opennars(conditions, table), term.predicate().predicate());
}

// --- PyNARS: Compound.prepocess_terms

// {a,b} & {b,c} is {b}, {a} | {b} is {a,b}, and the reverse for [..], also if there are other components.
Term sets_merged(Term term, Connector set, bool intersect, TermTable& table) {
  std::vector<Term> sets, others;
  for (const Term component : term.components()) (component.is(set) ? sets : others).push_back(component);
  if (sets.size() < 2) return term;
  std::vector<Term> elements;
  for (const Term candidate : sets)
    for (const Term element : candidate.components())
      if (!intersect || std::ranges::all_of(sets, [&](Term other) { return has_component(other, element); }))
        elements.push_back(element);
  if (elements.empty()) return term;
  if (elements.size() > TermTable::max_components) return term;
  others.push_back(table.compound(set, elements));
  return others.size() == 1 ? others[0] : table.compound(term.connector(), others);
}

Term held_by_pynars(Term term, TermTable& table) {
  if (is_one_of(term, {Connector::conjunction, Connector::disjunction, Connector::extensional_set,
                       Connector::intensional_set, Connector::extensional_intersection,
                       Connector::intensional_intersection, Connector::sequence, Connector::parallel}))
    term = flattened(term, table);
  if (is_one_of(term, {Connector::extensional_intersection, Connector::intensional_intersection})) {
    const bool extensional = term.is(Connector::extensional_intersection);
    const Connector connector = term.connector();
    term = sets_merged(term, Connector::extensional_set, extensional, table);
    if (term.is(connector)) term = sets_merged(term, Connector::intensional_set, !extensional, table);
  }
  return term;
}

// ONA joins sets only if they are a side of the whole sentence and the sentence is an inheritance.
Term held_by_ona(Term term, TermTable& table) {
  if (!term.is(Copula::inheritance)) return term;
  std::array<Term, 2> sides{term.subject(), term.predicate()};
  for (Term& side : sides)
    if (is_one_of(side, {Connector::extensional_intersection, Connector::intensional_intersection}))
      side = sets_joined(side, table);
  return table.statement(Copula::inheritance, sides[0], sides[1]);
}

// --- terms that cannot be stored

// The term for a message, shortened if it is long.
std::string quote(Term term) {
  constexpr std::size_t longest = 80;
  std::string text = print(term);
  if (text.size() > longest) {
    text.resize(find_invalid_utf8(std::string_view(text).substr(0, longest)));
    text += "...";
  }
  return "'" + text + "'";
}

std::string unsupported_name(Term term, Dialect dialect) {
  const std::string_view name = term.name();
  const DialectFacts& system = facts(dialect);
  const std::size_t bytes = name.size() + (term.kind() == TermKind::op ? 1 : 0);
  if (bytes > system.max_name_bytes)
    return "the name " + quote(term) + " has " + std::to_string(bytes) + " bytes, but " +
           std::string(system.system) + " keeps only " + std::to_string(system.max_name_bytes);
  for (const std::string_view part : system.garbled_in_names)
    if (!part.empty() && name.find(part) != std::string_view::npos)
      return std::string(system.system) + " garbles '" + std::string(part) + "' in the name " + quote(term);
  if (name.size() == 1 && system.garbled_names.find(name[0]) != std::string_view::npos)
    return std::string(system.system) + " garbles the name " + quote(term);
  return {};
}

// A statement with a start that ONA reads as an arrow.
std::string ona_unsupported_start(Term term) {
  if (term.kind() != TermKind::statement || term.subject().kind() != TermKind::atom) return {};
  const char first = term.subject().name().front();
  return first != '-' && first != '='
             ? ""
             : "ONA garbles '<" + std::string(1, first) + "' at the start of " + quote(term);
}

bool has_other_agent(Term operation) {
  if (!operation.is(Copula::inheritance) || operation.predicate().kind() != TermKind::op ||
      !operation.subject().is(Connector::product))
    return false;
  const Term agents = operation.subject().components()[0];
  if (!agents.is(Connector::extensional_set)) return false;
  const Term agent = agents.components()[0];
  return agent.kind() != TermKind::variable && !(agent.kind() == TermKind::atom && agent.name() == "SELF");
}

// ONA silently drops a predictive judgment if its sequence has an operation by an agent other than {SELF}.
std::string ona_unsupported_prediction(const Sentence& sentence) {
  const Term term = sentence.term;
  if (sentence.punctuation != Punctuation::judgment || !term.is(Copula::predictive_implication)) return {};
  for (Term rest = term.subject(); rest.is(Connector::sequence); rest = rest.components()[0])
    for (const Term step : rest.components())
      if (has_other_agent(step))
        return "ONA silently drops a prediction with " + quote(step) + ": it plans for {SELF} alone";
  return {};
}

// Sets and images with more components than ONA stores; they cannot be nested in pairs.
std::string ona_unsupported_arity(Term term) {
  if (term.components().size() > 2)
    return "ONA holds at most two components, and " + quote(term) + " has " +
           std::to_string(term.components().size());
  if (term.kind() == TermKind::compound && is_image(term.connector()) && term.components().size() != 2)
    return "ONA's images are of a relation and one argument, not as " + quote(term);
  return {};
}

// Whether `part` is a component of `whole`. OpenNARS does not look into images.
bool has_visible_component(Term whole, Term part) {
  const bool image = whole.kind() == TermKind::compound && is_image(whole.connector());
  return !image && has_component(whole, part);
}

// <a --> b> and <b --> a>
bool are_reversed(Term s, Term p) {
  if (s.kind() != TermKind::statement || p.kind() != TermKind::statement) return false;
  const bool symmetric = facts(s.copula()).symmetric || facts(p.copula()).symmetric;
  return (s.subject() == p.predicate() && s.predicate() == p.subject()) ||
         (symmetric && s.subject() == p.subject() && s.predicate() == p.predicate());
}

// <a ==> <b ==> c>> in which c, or a condition in a conjunction b, repeats a.
bool repeats_conditions(Term s, Term implication) {
  const Term b = implication.subject(), c = implication.predicate();
  return (is_conjunction(b) && has_component(b, s)) || s == c || (is_conjunction(s) && has_component(s, c));
}

// The components of a compound as OpenNARS stores them: an image's relation takes the placeholder's position.
std::vector<Term> slots(Term term) {
  std::vector<Term> components(term.components().begin(), term.components().end());
  if (term.kind() == TermKind::compound && is_image(term.connector()))
    std::rotate(components.begin(), components.begin() + 1,
                components.begin() + static_cast<std::ptrdiff_t>(term.image_position()));
  return components;
}

// The image connector of a side of a statement, or the one that the other side gets if this side is a product.
std::optional<Connector> image_of(Term statement, std::size_t side) {
  const Term compound = statement.components()[side];
  const Connector image = side == 0 ? Connector::intensional_image : Connector::extensional_image;
  if (compound.is(image)) return image;
  if (!compound.is(Connector::product)) return {};
  return side == 0 ? Connector::extensional_image : Connector::intensional_image;
}

// <(*,a,b) --> R> and <a --> (/,R,_,b)>, which OpenNARS identifies by their sets of terms. OpenNARS ignores
// positions, and so does this function.
bool have_equal_term_sets(Term a, Term b) {
  const auto terms_of = [](Term statement, std::size_t side) {
    std::vector<Term> terms = slots(statement.components()[side]);
    terms.push_back(statement.components()[1 - side]);
    return terms;
  };
  const auto within = [](const std::vector<Term>& terms) {
    return [&terms](Term term) { return std::ranges::find(terms, term) != terms.end(); };
  };
  for (const std::size_t i : {0U, 1U})
    for (const std::size_t j : {0U, 1U}) {
      if (!image_of(a, i) || image_of(a, i) != image_of(b, j)) continue;
      const bool same_place = a.components()[i].image_position() == b.components()[j].image_position();
      if (i == j && (a.components()[i].is(Connector::product) || !same_place)) continue;
      const std::vector<Term> x = terms_of(a, i), y = terms_of(b, j);
      if (std::ranges::all_of(x, within(y)) && std::ranges::all_of(y, within(x))) return true;
    }
  return false;
}

// Terms.equalSubTermsInRespectToImageAndProduct
bool mean_the_same(Term a, Term b) {
  if (a == b) return true;
  const auto say_the_same = [](Term x, Term y) {
    return ((x.is(Copula::inheritance) && y.is(Copula::inheritance)) ||
            (x.is(Copula::similarity) && y.is(Copula::similarity))) &&
           have_equal_term_sets(x, y);
  };
  if (say_the_same(a, b)) return true;
  const bool alike =
      a.kind() == b.kind() && ((a.kind() == TermKind::compound && a.connector() == b.connector()) ||
                               (a.kind() == TermKind::statement && a.copula() == b.copula() &&
                                !a.is(Copula::inheritance) && !a.is(Copula::similarity)));
  return alike &&
         std::ranges::equal(slots(a), slots(b), [&](Term x, Term y) { return x == y || say_the_same(x, y); });
}

// Statement.invalidStatement, and the terms that OpenNARS's factories do not make.
std::string opennars_unsupported_term(Term term) {
  if (is_one_of(term, {Connector::conjunction, Connector::parallel}) &&
      std::ranges::all_of(term.components(), is_interval))
    return "OpenNARS drops the intervals of " + quote(term) + ", which leaves nothing";
  if (is_one_of(term, {Connector::extensional_difference, Connector::intensional_difference})) {
    const Term a = term.components()[0], b = term.components()[1];
    const Connector set =
        term.is(Connector::extensional_difference) ? Connector::extensional_set : Connector::intensional_set;
    if (a == b || (are_all(term, set) && std::ranges::all_of(a.components(), [&](Term element) {
                     return has_component(b, element);
                   })))
      return "OpenNARS finds that " + quote(term) + " leaves nothing";
  }
  if (term.kind() != TermKind::statement) return {};
  const Term s = term.subject(), p = term.predicate();
  const bool may_hold = term.is(Copula::predictive_implication) || term.is(Copula::concurrent_implication) ||
                        term.is(Copula::predictive_equivalence) || term.is(Copula::concurrent_equivalence);
  const bool may_cross = term.is(Copula::predictive_equivalence) || term.is(Copula::concurrent_equivalence);
  if (mean_the_same(s, p) || (!may_hold && (has_visible_component(s, p) || has_visible_component(p, s))) ||
      (!may_cross && are_reversed(s, p)))
    return "OpenNARS finds " + quote(term) + " meaningless: one side repeats or contains the other";
  const auto is_higher = [](Term side) { return is_implication(side) || is_equivalence(side); };
  if ((is_implication(term) && (is_higher(s) || is_equivalence(p))) ||
      (is_equivalence(term) && (is_higher(s) || is_higher(p))))
    return "OpenNARS rejects " + quote(term) + ": it allows no implication there";
  if ((is_implication(term) || is_equivalence(term)) && (is_interval(s) || is_interval(p)))
    return "OpenNARS rejects " + quote(term) + ": an interval implies nothing";
  if (is_implication(term) && is_implication(p) && repeats_conditions(s, p))
    return "OpenNARS rejects " + quote(term) + ": as one implication it would repeat a side";
  return {};
}

bool has_independent(Term term) { return has_variable(term, VariableKind::independent); }

bool is_independent(Term term) { return term.kind() == TermKind::variable && has_independent(term); }

// Checks of OpenNARS on a whole sentence.
std::string opennars_unsupported_sentence(const Sentence& sentence) {
  const Term term = sentence.term;
  if (is_independent(term) && !sentence.budget)
    return "OpenNARS takes the $ of " + quote(term) + " for a budget's";
  if (term.is(Connector::spatial) && std::ranges::all_of(term.components(), is_interval))
    return "OpenNARS drops the intervals of " + quote(term) + ", which leaves nothing";
  return {};
}

std::string pynars_unsupported_term(Term term) {
  const bool name = term.kind() == TermKind::atom || term.kind() == TermKind::op;
  if (name && term.name().front() != '"' && !is_plain_for_pynars(term.name()))
    return "PyNARS reads letters, digits, _ and ' in names, not " + quote(term);
  if (is_one_of(term, {Connector::extensional_intersection, Connector::intensional_intersection})) {
    const Connector set = term.is(Connector::extensional_intersection) ? Connector::extensional_set
                                                                       : Connector::intensional_set;
    std::vector<Term> sets;
    std::ranges::copy_if(term.components(), std::back_inserter(sets),
                         [&](Term component) { return component.is(set); });
    if (!sets.empty() && std::ranges::none_of(sets[0].components(), [&](Term element) {
          return std::ranges::all_of(sets, [&](Term other) { return has_component(other, element); });
        }))
      return "PyNARS finds nothing that the sets of " + quote(term) + " share";
  }
  if (term.is(Connector::negation) && term.components()[0].is(Connector::negation))
    return "PyNARS takes the double negation " + quote(term) + " for a single one";
  if (is_one_of(term, {Connector::extensional_set, Connector::intensional_set}) &&
      term.components().size() == 1 && term.components()[0].kind() == TermKind::compound &&
      is_commutative(term.components()[0].label()) && !term.components()[0].is(term.connector()))
    return "PyNARS takes " + quote(term) + " for a set of the components of " + quote(term.components()[0]);
  return {};
}

std::string unsupported_term(Term term, Dialect dialect) {
  if (term.kind() == TermKind::atom || term.kind() == TermKind::op)
    if (auto why = unsupported_name(term, dialect); !why.empty()) return why;
  const std::size_t most = facts(dialect).max_variables_of_a_kind;
  if (term.kind() == TermKind::variable && static_cast<std::size_t>(term.number()) > most)
    return std::string(facts(dialect).system) + " knows " + std::to_string(most) +
           " variables of a kind, and " + quote(term) + " is one more";
  switch (dialect) {
    case Dialect::ona:
      if (auto why = ona_unsupported_start(term); !why.empty()) return why;
      return ona_unsupported_arity(term);
    case Dialect::opennars:
      return opennars_unsupported_term(term);
    case Dialect::pynars:
      return pynars_unsupported_term(term);
    default:
      return {};
  }
}

std::string unsupported_subterm(Term term, Dialect dialect) {
  if (auto why = unsupported_term(term, dialect); !why.empty()) return why;
  for (const Term component : term.components())
    if (auto why = unsupported_subterm(component, dialect); !why.empty()) return why;
  return {};
}

}  // namespace

bool is_plain_for_pynars(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return is_word_letter(c) || c == '\'' || c == '`'; });
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

std::string lost_evidence(const Sentence& sentence, Dialect dialect) {
  if (dialect != Dialect::opennars || sentence.asks()) return {};
  const Term term = sentence.term;
  bool lost = term.kind() == TermKind::interval;
  if (term.kind() == TermKind::statement) {
    const Term s = term.subject(), p = term.predicate();
    lost = is_independent(s) || is_independent(p) ||
           ((is_implication(term) || is_equivalence(term)) && has_independent(s) != has_independent(p));
  }
  return lost ? "OpenNARS gives " + quote(term) +
                    " a confidence of 0: an interval or a $-variable is alone on a side"
              : "";
}

std::string unsupported_reason(const Sentence& sentence, Dialect dialect) {
  const Term term = sentence.term;
  if (dialect == Dialect::ona) {
    constexpr double least_confidence = 0.01;  // Config.h: MIN_CONFIDENCE
    if (sentence.truth && sentence.truth->confidence < least_confidence)
      return "ONA silently drops a sentence with a confidence below " + print_number(least_confidence);
    if (term.depth() - 1 > ona_depth)
      return "ONA nests terms " + std::to_string(ona_depth) + " deep, and " + quote(term) + " is nested " +
             std::to_string(term.depth() - 1) + " deep";
    const bool reflexive = term.is(Copula::inheritance) || term.is(Copula::similarity);
    if (reflexive && !sentence.asks() && term.subject() == term.predicate())
      return "ONA silently drops " + quote(term);
    if (auto why = ona_unsupported_prediction(sentence); !why.empty()) return why;
  }
  if (dialect == Dialect::opennars)
    if (auto why = opennars_unsupported_sentence(sentence); !why.empty()) return why;
  if (dialect == Dialect::pynars && term.kind() == TermKind::variable)
    return "PyNARS reads no variable alone, as " + quote(term);
  return unsupported_subterm(term, dialect);
}

Term nested_by_twos(Term term, TermTable& table) {
  if (term.depth() - 1 > ona_depth) return term;  // it does not fit in any case
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
