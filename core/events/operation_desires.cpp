// SPDX-License-Identifier: MIT
#include "core/events/operation_desires.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "core/budgets/nars_budgets.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/truth.hpp"

namespace engram::core {
namespace {

using narsese::Copula;
using narsese::Sentence;
using narsese::Tense;
using narsese::Term;
using narsese::TruthValue;

// Appends the elements of a sequence, nested ones included, without intervals.
void add_parts(Term term, std::vector<Term>& parts) {
  if (term.is(narsese::Connector::sequence))
    for (const Term part : term.components()) add_parts(part, parts);
  else if (term.kind() != narsese::TermKind::interval)
    parts.push_back(term);
}

// The truth of an event as of now; nothing if it is unknown or in the future.
std::optional<TruthValue> truth_now(const Memory& memory, Term event, double eligibility) {
  Sentence judgement;
  judgement.term = event;
  const auto found = memory.find(judgement);
  if (!found) return {};
  const Statement said = memory.statements()[*found];
  TruthValue truth = said.sentence.truth_or_default();
  const Tense tense = said.sentence.tense;
  if (tense.kind == Tense::Kind::eternal) return truth;
  if (tense.kind == Tense::Kind::future) return {};
  double age = static_cast<double>(memory.now()) - static_cast<double>(said.updated);
  if (tense.kind == Tense::Kind::offset) age -= static_cast<double>(tense.cycles);
  if (age < 0) return {};
  truth.confidence *= core::exp(-age / eligibility);
  return truth;
}

// The statements that mention the goal's rarest concept. All implications of the goal are among them.
std::span<const StatementId> mentions(const MemoryIndex& index, Term goal) {
  std::span<const StatementId> fewest;
  bool is_first = true;
  const auto visit = [&](const auto& self, Term term) -> void {
    const auto id = index.memory().graph().find(term);
    if (id && index.memory().graph().was_active(*id)) {
      const auto found = index.mentions(static_cast<Index>(*id));
      if (is_first || found.size() < fewest.size()) fewest = found;
      is_first = false;
    }
    for (const Term part : term.components()) self(self, part);
  };
  visit(visit, goal);
  return fewest;
}

}  // namespace

std::vector<OperationDesire> operation_desires(const MemoryIndex& index, Term goal,
                                               const OperationDesireOptions& options) {
  const Memory& memory = index.memory();
  std::map<std::string, OperationDesire> best;  // by operator
  std::vector<Term> parts;
  for (const StatementId id : mentions(index, goal)) {
    charge(16);
    const Term term = memory.statements().term(id);
    if (!term.is(Copula::predictive_implication) || term.predicate() != goal || term.has_variables() ||
        memory.statements().punctuation(id) != narsese::Punctuation::judgment)
      continue;
    charge(16 * term.complexity());
    parts.clear();
    add_parts(term.subject(), parts);
    const Term operation = parts.empty() ? Term() : narsese::operator_of(parts.back());
    if (!operation) continue;
    parts.pop_back();
    std::optional<TruthValue> situation = TruthValue{1, 1};
    for (const Term event : parts) {
      const auto one = truth_now(memory, event, options.eligibility);
      situation = one ? std::optional(narsese::intersection(*situation, *one)) : std::nullopt;
      if (!situation) break;
    }
    if (!situation) continue;
    const TruthValue implied = memory.statements().truth_or_default(id);
    const TruthValue desired =
        narsese::goal_deduction(narsese::goal_deduction(options.desire, implied), *situation);
    const OperationDesire found{
        operation,
        desired,
        id,
        {narsese::expectation(desired), implied.confidence, truth_to_quality(implied)}};
    const auto [place, is_new] = best.try_emplace(narsese::print(operation), found);
    if (!is_new && found.budget.priority > place->second.budget.priority) place->second = found;
  }
  std::vector<OperationDesire> desires;
  for (const auto& [name, desire] : best) desires.push_back(desire);
  std::ranges::stable_sort(desires, std::greater{},
                           [](const OperationDesire& one) { return one.budget.priority; });
  if (desires.size() > options.most) desires.resize(options.most);
  return desires;
}

}  // namespace engram::core
