// SPDX-License-Identifier: MIT
#include "core/proofs/name_pairs.hpp"

#include <algorithm>

#include "core/walks/question_ends.hpp"

namespace engram::core {
namespace {

std::optional<NamePair> pair_of_statement(const MemoryIndex& memory, const Cue& cue) {
  const auto stated = cue.term ? relation_of(cue.term) : std::nullopt;
  if (!stated) return std::nullopt;
  const std::vector<ConceptId> named = cue.names();
  const auto concept_of = [&](narsese::Term name) -> std::optional<ConceptId> {
    const auto found = std::ranges::find(named, name, [&](ConceptId id) { return memory.term(id); });
    return found == named.end() ? std::nullopt : std::optional(*found);
  };
  const auto from = concept_of(stated->from), to = concept_of(stated->to);
  const bool is_open =
      stated->from.kind() == narsese::TermKind::variable || stated->to.kind() == narsese::TermKind::variable;
  if ((!from && !to) || (!(from && to) && !is_open)) return std::nullopt;
  NamePair pair;
  pair.kind = stated->kind;
  if (stated->kind == StepKind::relation) pair.relation = concept_of(stated->relation);
  pair.from = from ? *from : *to;
  if (from) pair.to = to;
  pair.back = !from && pair.kind != StepKind::similarity;
  return pair;
}

}  // namespace

std::vector<NamePair> name_pairs(const MemoryIndex& memory, const Cue& cue) {
  if (const auto pair = pair_of_statement(memory, cue)) return {*pair};
  constexpr std::size_t most_ends = 4;  // chosen: pairs grow with the square
  std::vector<QuestionEnd> ends = question_ends(memory, cue);
  const auto mentions = [&](const QuestionEnd& end) {
    return memory.mentions(static_cast<Index>(end.id)).size();
  };
  std::ranges::sort(ends, [&](const QuestionEnd& a, const QuestionEnd& b) {
    if (mentions(a) != mentions(b)) return mentions(a) < mentions(b);
    return narsese::compare(memory.term(a.id), memory.term(b.id)) < 0;
  });
  ends.resize(std::min(ends.size(), most_ends));
  std::vector<NamePair> pairs;
  for (std::size_t i = 0; i < ends.size(); ++i)
    for (std::size_t j = i + 1; j < ends.size(); ++j) pairs.push_back({ends[i].id, ends[j].id});
  if (ends.size() == 1) pairs.push_back({ends.front().id});
  return pairs;
}

}  // namespace engram::core
