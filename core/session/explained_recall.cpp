// SPDX-License-Identifier: MIT
#include "core/session/explained_recall.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "core/numbers/numeric.hpp"
#include "narsese/printer.hpp"

namespace engram::core {
namespace {

constexpr std::size_t max_transfers = 1000000;

// Texts for all reasons except similarity, whose text contains the score of the item.
const std::map<TransferReason, std::string> words_of{
    {TransferReason::first, "no previous budget: equal shares"},
    {TransferReason::decay, "decay: the budget before fades towards equal shares, by its durability"},
    {TransferReason::link, "links: from concepts that only conduct"},
    {TransferReason::capacity, "cut-off: reassigned from items beyond the top"}};

// The share as a sum of the previous budget and the transfers of each kind.
Account share_account(double share, double before, const std::map<TransferReason, double>& transfers,
                      const std::string& similarity) {
  std::vector<Account::Part> parts{{"budget before", before}};
  for (const auto& [reason, amount] : transfers)
    parts.push_back({reason == TransferReason::similarity ? similarity : words_of.at(reason), amount});
  std::erase_if(parts, [](const Account::Part& part) { return part.amount == 0; });
  double sum_of_parts = 0;
  for (const Account::Part& part : parts) sum_of_parts += part.amount;
  if (std::abs(share - sum_of_parts) > 1e-12)  // if there are more transfers than max_transfers
    parts.push_back({"transfers too small to be logged", share - sum_of_parts});
  return {"share of the budget", share, parts};
}

// The explained concepts or statements, best first.
std::vector<ExplainedItem> items(Session& session, const Recall& recall, const Explainer& explainer,
                                 const AllocationOptions& options) {
  const bool of_concepts = options.of == AllocationOf::concepts;
  const SparseVector& previous = session.budget(options.of);
  const Vector before = previous;
  TransferLog log(max_transfers);
  const SparseVector allotted = allot(session.index(), recall, previous, options, &log);
  const auto given = allocations(session.memory(), session.index(), recall, options.of, allotted);
  const double all_allotted = sum(allotted);
  const Vector shares = all_allotted > 0 ? allotted / all_allotted : previous;
  const Vector& scores = of_concepts ? recall.concepts : recall.statements;
  const double all = sum(scores);
  std::map<std::uint32_t, std::map<TransferReason, double>> transfers;
  for (const Transfer& each : log.transfers()) {
    if (each.from) transfers[*each.from][each.reason] -= each.amount;
    if (each.to) transfers[*each.to][each.reason] += each.amount;
  }
  std::vector<ExplainedItem> items;
  for (const Allocation& each : given) {
    ExplainedItem item{of_concepts ? explainer.of_concept(each.id) : explainer.of_statement(each.id),
                       of_concepts ? narsese::print(session.memory().graph()[each.id].term)
                                   : narsese::print(session.memory().statements()[each.id].sentence),
                       each.budget, !of_concepts, each.id};
    item.score = scores[each.id];
    if (!item.accounts.empty() && !item.accounts[0].words.starts_with("score"))
      item.accounts[0].words.insert(0, "score: ");
    const std::string similarity =
        "similarity to the cue: score " + decimals(item.score) +
        (options.prior ? ", the best has " + decimals(max(scores)) : " of " + decimals(all) + " in all");
    const double had = options.prior && each.id < before.size() ? before[each.id] : 0.0;
    item.accounts.insert(item.accounts.begin(),
                         share_account(shares[each.id], had, transfers[each.id], similarity));
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

std::string decimals(double number) {
  std::array<char, 400> buffer{};
  const bool shows = std::abs(number) >= 1e-4 || number == 0;
  const auto form = shows ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, form, shows ? 6 : 1);
  return {buffer.data(), end};
}

ExplainedRecall explain_recall(Session& session, const ConfiguredMethod& method, const Cue& cue,
                               const Recall& recall, std::size_t top, bool with_prior) {
  const ExplainerPtr explainer = method.explain(session.index(), cue, recall);
  AllocationOptions how;
  how.cut.capacity = top;
  how.prior = with_prior;
  how.policy = TermPolicy(session.memory().options().activation);
  ExplainedRecall explained{method.name(), method.method().summary, {}, {}};
  explained.concepts = items(session, recall, *explainer, how);
  how.of = AllocationOf::statements;
  explained.statements = items(session, recall, *explainer, how);
  return explained;
}

}  // namespace engram::core
