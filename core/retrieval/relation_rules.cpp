// SPDX-License-Identifier: MIT
#include "core/retrieval/relation_rules.hpp"

#include <algorithm>

#include "core/numbers/work.hpp"
#include "core/retrieval/readings.hpp"

namespace engram::core {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::Term;
using narsese::TermKind;

constexpr std::size_t most_premises = 4;  // chosen

// <(*, $x, $y) --> r>, or <$x --> b> with b as `to`.
struct Part {
  Term from, to;
  StepSymbol symbol;
  ConceptId name = 0;       // of a class
  std::size_t premise = 0;  // which of the rule's
  bool is_class() const { return symbol.kind == StepKind::inheritance; }
};

std::optional<ConceptId> id_of(const Memory& memory, StatementId rule, Term name) {
  const auto ids = memory.statements().active(rule);
  const auto id = std::ranges::find(ids, name, [&](ConceptId i) { return memory.graph().term(i); });
  return id == ids.end() ? std::nullopt : std::optional<ConceptId>(*id);
}

std::optional<Part> part_of(const Memory& memory, StatementId rule, Term term) {
  if (const Term name = class_of_variable(term)) {
    const auto id = id_of(memory, rule, name);
    return id ? std::optional(Part{term.subject(), name, {StepKind::inheritance, 0, false}, *id})
              : std::nullopt;
  }
  if (!term.is(Copula::inheritance) || !term.subject().is(Connector::product)) return std::nullopt;
  const auto arguments = term.subject().components();
  const auto id = id_of(memory, rule, term.predicate());
  if (arguments.size() != 2 || term.predicate().kind() != TermKind::atom || !id) return std::nullopt;
  for (const Term argument : arguments)
    if (argument.kind() != TermKind::variable) return std::nullopt;
  return Part{arguments[0], arguments[1], {StepKind::relation, *id, false}};
}

// Steps, and the variables between which they lead: one more.
struct Row {
  std::vector<StepSymbol> steps;
  std::vector<Term> variables;
};

// The premises in a row from the row's last variable to `to`, each once.
bool find_row(const std::vector<Part>& premises, Term to, std::vector<bool>& used, Row& row) {
  const Term at = row.variables.back();
  if (row.steps.size() == premises.size()) return at == to;
  for (std::size_t i = 0; i < premises.size(); ++i) {
    if (used[i]) continue;
    used[i] = true;
    for (const bool back : {false, true}) {
      if ((back ? premises[i].to : premises[i].from) != at) continue;
      row.steps.push_back(back ? premises[i].symbol.turned() : premises[i].symbol);
      row.variables.push_back(back ? premises[i].from : premises[i].to);
      if (find_row(premises, to, used, row)) return true;
      row.steps.pop_back();
      row.variables.pop_back();
    }
    used[i] = false;
  }
  return false;
}

std::optional<Row> row_of(const std::vector<Part>& premises, Term from, Term to) {
  Row row{{}, {from}};
  std::vector<bool> used(premises.size());
  return find_row(premises, to, used, row) ? std::optional(std::move(row)) : std::nullopt;
}

// <$y --> b> as the last premise of the row: the other classes stand beside it.
std::optional<RelationRule> class_rule(StatementId rule, Term begin, const std::vector<Part>& relations,
                                       const std::vector<Part>& classes, const Part& last) {
  auto row = row_of(relations, begin, last.from);
  if (!row) return std::nullopt;
  RelationRule read{rule, {StepKind::inheritance, 0, false}, std::move(row->steps)};
  read.premises.push_back(last.symbol);
  read.premises.push_back({StepKind::implication, rule_step(rule, last.premise), false});
  read.is_step = true;
  for (const Part& other : classes) {
    if (&other == &last) continue;
    const auto at = std::ranges::find(row->variables, other.from);
    if (at == row->variables.end()) return std::nullopt;
    read.beside.push_back({static_cast<std::size_t>(at - row->variables.begin()), other.name});
  }
  return read;
}

std::vector<RelationRule> read_rule(const Memory& memory, const RulePattern& pattern) {
  const StatementId rule = pattern.statement;
  const auto conclusion = part_of(memory, rule, pattern.conclusion);
  if (!conclusion || pattern.premises.size() > most_premises) return {};
  std::vector<Part> relations, classes;
  for (std::size_t i = 0; i < pattern.premises.size(); ++i) {
    auto part = part_of(memory, rule, pattern.premises[i]);
    if (!part) return {};
    part->premise = i;
    (part->is_class() ? classes : relations).push_back(*part);
  }
  std::vector<RelationRule> read;
  if (conclusion->is_class()) {
    for (const Part& last : classes)
      if (auto one = class_rule(rule, conclusion->from, relations, classes, last))
        read.push_back(*std::move(one));
  } else if (classes.empty()) {
    if (auto row = row_of(relations, conclusion->from, conclusion->to))
      read.push_back({rule, conclusion->symbol, std::move(row->steps)});
  }
  return read;
}

RelationRule turned(const RelationRule& rule) {
  RelationRule other{rule.statement, rule.conclusion.turned()};
  for (auto step = rule.premises.rbegin(); step != rule.premises.rend(); ++step)
    other.premises.push_back(step->turned());
  other.is_step = rule.is_step;
  for (const RelationRule::Beside& said : rule.beside)
    other.beside.push_back({rule.premises.size() - said.premises_before, said.of});
  return other;
}

}  // namespace

RelationRules::RelationRules(const Readings& memory) { catch_up(memory.memory(), memory.rules()); }

void RelationRules::catch_up(const Memory& memory, std::span<const StatementId> rules) {
  const auto has_evidence = [&](StatementId e) { return memory.evidence(e) > 0; };
  const auto has_lost_it = [&](StatementId e) {
    return !has_evidence(e) && !std::ranges::binary_search(without_evidence_, e);
  };
  if (std::ranges::any_of(without_evidence_, has_evidence) ||
      (memory.graph().decay() > 0 && std::ranges::any_of(rules.first(known_), has_lost_it)))
    *this = RelationRules();
  for (; known_ < rules.size(); ++known_) {
    const StatementId e = rules[known_];
    const Term term = memory.statements().term(e);
    spend(4 * term.complexity());
    if (!has_evidence(e)) {
      without_evidence_.push_back(e);
      continue;
    }
    std::vector<RulePattern> patterns;
    add_rule_patterns(e, term, patterns);
    for (const RulePattern& pattern : patterns)
      for (const RelationRule& rule : read_rule(memory, pattern)) {
        if (statements_.empty() || statements_.back() != e) statements_.push_back(e);
        add(rule);
        add(turned(rule));
      }
  }
}

void RelationRules::add(RelationRule rule) {
  const std::size_t r = rules_.size();
  const auto& premises = rule.premises;
  if (premises.size() == 1) by_one_[premises[0]].push_back(r);
  if (premises.size() > 1) by_two_[{premises[0], premises[1]}].push_back(r);
  for (std::size_t i = 1; i < premises.size(); ++i)
    conclusions_[{premises[i - 1], premises[i]}].insert(rule.conclusion);
  by_conclusion_[rule.conclusion].push_back(r);
  constexpr std::size_t places = 512;  // of a rule, in the maps, about
  bytes_ += sizeof rule + places + premises.size() * sizeof(StepSymbol) +
            rule.beside.size() * sizeof(RelationRule::Beside);
  rules_.push_back(std::move(rule));
}

std::vector<const RelationRule*> RelationRules::of_one(const StepSymbol& premise) const {
  std::vector<const RelationRule*> found;
  if (const auto at = by_one_.find(premise); at != by_one_.end())
    for (const std::size_t r : at->second) found.push_back(&rules_[r]);
  return found;
}

std::vector<const RelationRule*> RelationRules::of_two(const StepSymbol& first,
                                                       const StepSymbol& second) const {
  std::vector<const RelationRule*> found;
  if (const auto at = by_two_.find({first, second}); at != by_two_.end())
    for (const std::size_t r : at->second) found.push_back(&rules_[r]);
  return found;
}

RelationRules::Joined RelationRules::joined(const StepSymbol& first, const StepSymbol& second,
                                            const StepSymbol& asked) const {
  const auto found = conclusions_.find({first, second});
  if (found == conclusions_.end()) return {};
  return {true, found->second.contains(asked)};
}

std::set<StepSymbol> RelationRules::corners(const StepSymbol& asked, bool first) const {
  std::set<StepSymbol> known{asked};
  for (std::vector<StepSymbol> open{asked}; !open.empty();) {
    const StepSymbol symbol = open.back();
    open.pop_back();
    const auto concluding = by_conclusion_.find(symbol);
    if (concluding == by_conclusion_.end()) continue;
    spend(concluding->second.size());
    for (const std::size_t r : concluding->second) {
      const auto& premises = rules_[r].premises;
      const StepSymbol& corner = first ? premises.front() : premises.back();
      if (known.insert(corner).second) open.push_back(corner);
    }
  }
  return known;
}

}  // namespace engram::core
