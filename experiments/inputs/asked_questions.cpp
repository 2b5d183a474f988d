// SPDX-License-Identifier: MIT
#include "experiments/inputs/asked_questions.hpp"

#include <algorithm>

#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::ConceptId;
using core::StatementId;

template <class Id>
void sort_once(std::vector<Id>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

// Computes the members that depend on the cue, the proofs and the answers.
AskedQuestion completed(const Corpus& corpus, AskedQuestion asked) {
  asked.names = asked.cue.names();
  for (Question::Proof& proof : asked.proofs) sort_once(proof);
  asked.unit = asked.needed();
  std::vector<ConceptId> mentioned = asked.answers;
  if (!asked.proofs.empty())
    for (const StatementId id : asked.proofs.front()) {
      if (!corpus.is_held(id)) continue;
      const auto& members = corpus.session->memory().statements()[id].active;
      mentioned.insert(mentioned.end(), members.begin(), members.end());
    }
  const core::Vector& activity = corpus.session->index().activity();
  std::erase_if(mentioned, [&](ConceptId id) { return asked.cue.activation[id] != 0 || activity[id] <= 0; });
  sort_once(mentioned);
  asked.wanted = std::move(mentioned);
  return asked;
}

bool have_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::find_first_of(a, b) != a.end();
}

}  // namespace

AskedQuestion asked_question(const Corpus& corpus, const Question& question) {
  const core::Memory& memory = corpus.session->memory();
  AskedQuestion asked{question};
  asked.text = narsese::print(question.sentence);
  asked.cue = core::cue_for(memory, question.sentence.term);
  for (const narsese::Sentence& expected : question.expected) {
    asked.expected_texts.push_back(narsese::print(expected));
    asked.expected_terms.push_back(narsese::print(expected.term));
    for (const ConceptId id : memory.known_concepts(expected.term))
      if (asked.cue.activation[id] == 0 && std::ranges::find(asked.answers, id) == asked.answers.end())
        asked.answers.push_back(id);
  }
  return completed(corpus, std::move(asked));
}

AskedQuestion held_out_question(const Corpus& corpus, StatementId statement, ConceptId concept_id) {
  const core::Memory& memory = corpus.session->memory();
  const core::Statement& whole = memory.statements()[statement];
  AskedQuestion asked{{corpus.lines[statement], whole.sentence, {}, {{statement}}}};
  core::Vector activation = core::Vector::Zero(static_cast<core::Index>(memory.graph().size()));
  for (const ConceptId member : whole.active) activation[member] = member == concept_id ? 0.0 : 1.0;
  asked.cue = core::Cue(std::move(activation));
  const std::string answer = narsese::print(memory.graph()[concept_id].term);
  asked.text = narsese::print(whole.sentence.term) + " without " + answer;
  asked.expected_texts = asked.expected_terms = {answer};
  asked.answers = {concept_id};
  return completed(corpus, std::move(asked));
}

std::vector<core::SolvedQuestion> solved_beside(const QuestionSet& set, const AskedQuestion& asked) {
  std::vector<core::SolvedQuestion> solved;
  for (const AskedQuestion& other : set.questions) {
    const bool may_be_known =
        other.needed() > 0 && (other.training || !asked.training) && set.corpus.is_held(other.proofs.front());
    const bool tells =
        other.sentence.term == asked.sentence.term || have_common(other.expected_terms, asked.expected_terms);
    if (may_be_known && !tells) solved.push_back({other.names, other.proofs.front()});
  }
  return solved;
}

}  // namespace engram::experiments
