// SPDX-License-Identifier: MIT
#include "core/graph/statements.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace engram::core {

Statement Statements::operator[](std::size_t e) const {
  const Packed& packed = packed_[e];
  Statement said;
  said.sentence.term = packed.term;
  said.sentence.punctuation = packed.punctuation;
  said.sentence.tense.kind = packed.tense;
  if (packed.has_truth) said.sentence.truth = packed.truth;
  const auto id = static_cast<StatementId>(e);
  said.active = active(id);
  said.evidence = packed.evidence;
  said.times = packed.times;
  said.updated = packed.updated;
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
  Packed packed;
  packed.term = statement.sentence.term;
  packed.punctuation = statement.sentence.punctuation;
  packed.active_count = static_cast<std::uint16_t>(statement.active.size());
  if (!statement.active.empty()) {
    packed.active = lists_.allocate(statement.active.size_bytes());
    std::ranges::uninitialized_copy(
        statement.active,
        std::span(static_cast<ConceptId*>(lists_.at(packed.active)), statement.active.size()));
  }
  packed_.push_back(packed);
  set(static_cast<StatementId>(packed_.size() - 1), statement);
}

void Statements::set(StatementId e, const Statement& statement) {
  Packed& packed = packed_[e];
  const narsese::Sentence& sentence = statement.sentence;
  packed.has_truth = sentence.truth.has_value();
  packed.truth = sentence.truth.value_or(narsese::TruthValue{});
  packed.tense = sentence.tense.kind;
  packed.evidence = statement.evidence;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  packed.times = static_cast<std::uint32_t>(std::min(statement.times, most));
  const Rare more{sentence.budget, sentence.delay,   sentence.tense.cycles,
                  statement.times, statement.denied, statement.updated};
  if (is_rare(e)) {
    rare_[packed.updated - first_rare] = more;
  } else if (sentence.budget || sentence.delay || sentence.tense.cycles != 0 || statement.denied != 0 ||
             statement.times > most || statement.updated >= first_rare) {
    packed.updated = first_rare + static_cast<std::uint32_t>(rare_.size());
    rare_.push_back(more);
  } else {
    packed.updated = static_cast<std::uint32_t>(statement.updated);
  }
}

}  // namespace engram::core
