// SPDX-License-Identifier: MIT
#include "core/paths/path_questions.hpp"

#include <algorithm>

#include "core/walks/question_ends.hpp"

namespace engram::core {
namespace {

std::optional<PathQuestion> of_words(const Readings& memory, const Cue& cue) {
  const auto crossing = cue.term ? crossing_of(cue.term) : std::nullopt;
  if (!crossing) return std::nullopt;
  PathQuestion question;
  const std::vector<ConceptId> named = cue.names();
  const auto concept_of = [&](narsese::Term name) -> std::optional<ConceptId> {
    const auto found = std::ranges::find(named, name, [&](ConceptId id) { return memory.term(id); });
    return found == named.end() ? std::nullopt : std::optional(*found);
  };
  const auto from = concept_of(crossing->from), to = concept_of(crossing->to);
  const bool is_open = crossing->from.kind() == narsese::TermKind::variable ||
                       crossing->to.kind() == narsese::TermKind::variable;
  if ((!from && !to) || (!(from && to) && !is_open)) return std::nullopt;
  question.asked.kind = crossing->kind;
  if (crossing->kind == StepKind::relation) {
    const auto relation = concept_of(crossing->relation);
    question.relation_known = relation.has_value();
    question.asked.relation = relation.value_or(0);
  }
  question.from = from ? *from : *to;
  if (from) question.to = to;
  if (!from) question.asked = question.asked.turned();
  return question;
}

}  // namespace

std::vector<PathQuestion> path_questions(const Readings& memory, const Cue& cue) {
  if (const auto question = of_words(memory, cue)) return {*question};
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
  std::vector<PathQuestion> questions;
  for (std::size_t i = 0; i < ends.size(); ++i)
    for (std::size_t j = i + 1; j < ends.size(); ++j) {
      PathQuestion& question = questions.emplace_back();
      question.from = ends[i].id;
      question.to = ends[j].id;
    }
  if (ends.size() == 1) questions.emplace_back().from = ends.front().id;
  return questions;
}

}  // namespace engram::core
