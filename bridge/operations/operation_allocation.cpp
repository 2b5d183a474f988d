// SPDX-License-Identifier: MIT
// The variant of `allocate` for operations: which operation to execute next for a goal.
#include "bridge/operations/allocation_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "core/events/operation_desires.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using narsese::Sentence;

// A goal, given as a sentence or as a term.
Sentence goal_in(const Request& request, narsese::TermTable& terms) {
  const JsonValue cue = request["cue"];
  const auto read =
      narsese::parse_sentence_or_term(cue.text("a goal as Narsese"), terms, narsese::Punctuation::goal);
  if (!read) throw parse_error("/cue", read.error());
  if (read->punctuation != narsese::Punctuation::goal)
    throw bad_value("/cue", "of operations: 'cue' must be a goal such as <a --> [b]>!, found " + cue.text());
  return *read;
}

}  // namespace

Json allocate_operations(const Context& context, const Request& request) {
  request.refuse_others({"cue", "of", "capacity", "eligibility"});
  core::Session& session = context.session;
  const Sentence goal = goal_in(request, session.mutable_memory().terms());
  core::OperationDesireOptions options{.desire = goal.truth_or_default(), .most = request.count("capacity")};
  options.eligibility = request.positive("eligibility", options.eligibility);
  Json budgets = Json::array();
  for (const core::OperationDesire& each : core::operation_desires(session.index(), goal.term, options)) {
    const auto& because = session.memory().statements()[each.because].sentence;
    add_to(budgets, {{"term", narsese::print(each.operation)},
                     {"priority", each.budget.priority},
                     {"durability", each.budget.durability},
                     {"quality", each.budget.quality},
                     {"because", narsese::print(because)}});
  }
  return {{"budgets", budgets}};
}

}  // namespace engram::bridge
