// SPDX-License-Identifier: MIT
#include "core/filters/premise_selection.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

std::size_t occurrences(const MemoryIndex& memory, ConceptId id) { return memory.mentions(id).size(); }

bool triggers(const MemoryIndex& memory, std::size_t occ, StatementId e, const SineOptions& options) {
  const auto symbols = memory.episode(e);
  charge(2 * symbols.size());
  std::size_t least = occ;
  for (const ConceptId id : symbols) least = std::min(least, occurrences(memory, id));
  const auto general = static_cast<double>(occ);
  return general <= options.generality || general <= options.tolerance * static_cast<double>(least);
}

double mepo_mark(const MemoryIndex& memory, const IdNumbers& relevant, StatementId e) {
  const auto symbols = memory.episode(e);
  charge(16 * symbols.size());
  double weight = 0, others = 0;
  for (const ConceptId id : symbols)
    if (relevant.contains(id))
      weight += 1 + 2 / log(static_cast<double>(occurrences(memory, id)) + 1);
    else
      ++others;
  return weight / (weight + others);
}

// A set of ids, with the ids added since the last call of take_fresh().
struct Grown {
  IdNumbers has;
  std::vector<std::uint32_t> fresh;

  void add(std::uint32_t id) {
    if (has.insert(id).second) fresh.push_back(id);
  }
  std::vector<std::uint32_t> take_fresh() { return std::exchange(fresh, {}); }
};

}  // namespace

std::vector<SineSelected> select_by_sine(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const SineOptions& options) {
  Grown reached;
  for (const ConceptId id : symbols) reached.add(id);
  IdNumbers selected_ids;
  std::vector<SineSelected> of_statement;  // by number in selected_ids

  std::vector<SineSelected> selected;
  for (int depth = 1; depth <= options.depth && !reached.fresh.empty(); ++depth) {
    std::vector<StatementId> round;
    for (const ConceptId id : reached.take_fresh()) {
      const std::size_t occ = occurrences(memory, id);
      for (const StatementId e : memory.mentions(id)) {
        const auto known = selected_ids.find(e);
        if ((known && of_statement[*known].depth < depth) || !triggers(memory, occ, e, options)) continue;
        if (known) {
          of_statement[*known].trigger = std::min(of_statement[*known].trigger, occ);
          continue;
        }
        selected_ids.insert(e);
        of_statement.push_back({e, depth, occ});
        round.push_back(e);
      }
    }
    std::ranges::sort(round);
    for (const StatementId e : round) {
      selected.push_back(of_statement[*selected_ids.find(e)]);
      for (const ConceptId id : memory.episode(e)) reached.add(id);
    }
  }
  return selected;
}

std::vector<MepoSelected> select_by_mepo(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const MepoOptions& options) {
  Grown relevant, near;
  for (const ConceptId id : symbols) relevant.add(id);

  std::vector<MepoSelected> selected;
  std::vector<StatementId> candidates;
  double pass_mark = options.pass_mark;
  for (int round = 1;; ++round) {
    for (const ConceptId id : relevant.take_fresh()) {
      charge(occurrences(memory, id));
      for (const StatementId e : memory.mentions(id)) near.add(e);
    }
    std::ranges::copy(near.take_fresh(), std::back_inserter(candidates));
    std::vector<MepoSelected> passed;
    std::erase_if(candidates, [&](StatementId e) {
      const double mark = mepo_mark(memory, relevant.has, e);
      if (mark > pass_mark) passed.push_back({e, round, mark});
      return mark > pass_mark;
    });
    if (passed.empty()) return selected;
    std::ranges::sort(passed, {}, &MepoSelected::statement);
    for (const MepoSelected& one : passed)
      for (const ConceptId id : memory.episode(one.statement)) relevant.add(id);
    std::ranges::copy(passed, std::back_inserter(selected));
    pass_mark += (1 - pass_mark) / options.convergence;
  }
}

}  // namespace engram::core
