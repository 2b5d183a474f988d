// SPDX-License-Identifier: MIT
#include "core/graph/statements.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace engram::core {

Statement Statements::operator[](std::size_t e) const {
  const Held& held = held_[e];
  Statement said;
  said.sentence.term = held.term;
  said.sentence.punctuation = held.punctuation;
  said.sentence.tense.kind = held.tense;
  if (held.has_truth) said.sentence.truth = held.truth;
  const auto id = static_cast<StatementId>(e);
  said.active = active(id);
  said.evidence = held.evidence;
  said.times = held.times;
  said.updated = held.updated;
  if (!is_rare(id)) return said;
  const Rare& more = rare(id);
  said.sentence.budget = more.budget;
  said.sentence.delay = more.delay;
  said.sentence.tense.cycles = more.cycles;
  said.times = more.times;
  said.denied = more.denied;
  said.updated = more.updated;
  return said;
}

void Statements::push_back(const Statement& statement) {
  Held held;
  held.term = statement.sentence.term;
  held.punctuation = statement.sentence.punctuation;
  held.active_count = static_cast<std::uint16_t>(statement.active.size());
  if (!statement.active.empty()) {
    held.active = lists_.allocate(statement.active.size_bytes());
    std::ranges::uninitialized_copy(
        statement.active,
        std::span(static_cast<ConceptId*>(lists_.at(held.active)), statement.active.size()));
  }
  held_.push_back(held);
  set(static_cast<StatementId>(held_.size() - 1), statement);
}

void Statements::set(StatementId e, const Statement& statement) {
  Held& held = held_[e];
  const narsese::Sentence& sentence = statement.sentence;
  held.has_truth = sentence.truth.has_value();
  held.truth = sentence.truth.value_or(narsese::TruthValue{});
  held.tense = sentence.tense.kind;
  held.evidence = statement.evidence;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  held.times = static_cast<std::uint32_t>(std::min(statement.times, most));
  const Rare more{sentence.budget, sentence.delay,   sentence.tense.cycles,
                  statement.times, statement.denied, statement.updated};
  if (is_rare(e)) {
    rare_[held.updated - first_rare] = more;
  } else if (sentence.budget || sentence.delay || sentence.tense.cycles != 0 || statement.denied != 0 ||
             statement.times > most || statement.updated >= first_rare) {
    held.updated = first_rare + static_cast<std::uint32_t>(rare_.size());
    rare_.push_back(more);
  } else {
    held.updated = static_cast<std::uint32_t>(statement.updated);
  }
}

}  // namespace engram::core
