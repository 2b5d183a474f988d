// SPDX-License-Identifier: MIT
#include "core/retrieval/premise_selection.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

std::size_t occurrences(const Readings& memory, ConceptId id) {
  return memory.mentions.columns_of(id).size();
}

bool triggers(const Readings& memory, std::size_t occ, StatementId e, const SineOptions& options) {
  const auto symbols = memory.episodes.columns_of(e);
  spend(2 * symbols.size());
  std::size_t least = occ;
  for (const ConceptId id : symbols) least = std::min(least, occurrences(memory, id));
  const auto general = static_cast<double>(occ);
  return general <= options.generality || general <= options.tolerance * static_cast<double>(least);
}

double mepo_mark(const Readings& memory, const std::vector<char>& relevant, StatementId e) {
  const auto symbols = memory.episodes.columns_of(e);
  spend(16 * symbols.size());
  double weight = 0, others = 0;
  for (const ConceptId id : symbols)
    if (relevant[id] != 0)
      weight += 1 + 2 / log(static_cast<double>(occurrences(memory, id)) + 1);
    else
      ++others;
  return weight / (weight + others);
}

// A set of concepts or statements, and what was added to it last.
struct Grown {
  std::vector<char> has;
  std::vector<std::uint32_t> fresh;

  explicit Grown(Index size) : has(static_cast<std::size_t>(size), 0) {}
  void add(std::uint32_t id) {
    if (has[id] != 0) return;
    has[id] = 1;
    fresh.push_back(id);
  }
  std::vector<std::uint32_t> take_fresh() { return std::exchange(fresh, {}); }
};

}  // namespace

std::vector<SineSelected> select_by_sine(const Readings& memory, std::span<const ConceptId> symbols,
                                         const SineOptions& options) {
  const Claim bytes(static_cast<std::uint64_t>(memory.concepts() + 16 * memory.statements()));
  Grown reached(memory.concepts());
  for (const ConceptId id : symbols) reached.add(id);
  std::vector<SineSelected> of_statement(
      static_cast<std::size_t>(memory.statements()));  // depth 0: not selected

  std::vector<SineSelected> selected;
  for (int depth = 1; depth <= options.depth && !reached.fresh.empty(); ++depth) {
    std::vector<StatementId> round;
    for (const ConceptId id : reached.take_fresh()) {
      const std::size_t occ = occurrences(memory, id);
      for (const StatementId e : memory.mentions.columns_of(id)) {
        SineSelected& own = of_statement[e];
        if ((own.depth != 0 && own.depth < depth) || !triggers(memory, occ, e, options)) continue;
        if (own.depth == 0) round.push_back(e);
        own = {e, depth, own.depth == 0 ? occ : std::min(own.trigger, occ)};
      }
    }
    std::ranges::sort(round);
    for (const StatementId e : round) {
      selected.push_back(of_statement[e]);
      for (const ConceptId id : memory.episodes.columns_of(e)) reached.add(id);
    }
  }
  return selected;
}

std::vector<MepoSelected> select_by_mepo(const Readings& memory, std::span<const ConceptId> symbols,
                                         const MepoOptions& options) {
  const Claim bytes(static_cast<std::uint64_t>(memory.concepts() + memory.statements()));
  Grown relevant(memory.concepts()), near(memory.statements());
  for (const ConceptId id : symbols) relevant.add(id);

  std::vector<MepoSelected> selected;
  std::vector<StatementId> candidates;
  double pass_mark = options.pass_mark;
  for (int round = 1;; ++round) {
    for (const ConceptId id : relevant.take_fresh()) {
      spend(occurrences(memory, id));
      for (const StatementId e : memory.mentions.columns_of(id)) near.add(e);
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
      for (const ConceptId id : memory.episodes.columns_of(one.statement)) relevant.add(id);
    std::ranges::copy(passed, std::back_inserter(selected));
    pass_mark += (1 - pass_mark) / options.convergence;
  }
}

}  // namespace engram::core
