// SPDX-License-Identifier: MIT
// The statements of a memory, held in few bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/concept_graph.hpp"
#include "core/numbers/chunked_vector.hpp"
#include "core/numbers/index_iterator.hpp"
#include "narsese/arena.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// The number of a statement, in the order in which they were first said.
using StatementId = std::uint32_t;

/// A sentence that was said, once or often, and what it activates.
struct Statement {
  narsese::Sentence sentence;  // the last one; while all were eternal, with the truth revised over all
  std::span<const ConceptId> active = {};  // ascending; of the memory that it is in
  double evidence = 0;                     // sum over its episodes, as of `updated`
  std::uint64_t times = 0;
  Time updated = 0;
  double denied = 0;  // of `evidence`, how much is against what was said, as of `updated`
};

/// Statements by their ids, each told as a whole or number by number. One takes 48 bytes and 4 for each concept
/// that it activates, in steps of 8; what few have (a budget, a delay, a moment, denial) is kept beside them, in
/// 72 bytes more.
class Statements {
 public:
  static constexpr std::size_t most_active = 0xffff;  // concepts of one

  using const_iterator = IndexIterator<Statements, Statement, Statement>;

  std::size_t size() const { return held_.size(); }
  bool empty() const { return held_.empty(); }
  Statement operator[](std::size_t e) const;
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, size()}; }

  /// Its term.
  narsese::Term term(StatementId e) const { return held_[e].term; }
  /// Judgement, goal, question or quest.
  narsese::Punctuation punctuation(StatementId e) const { return held_[e].punctuation; }
  /// The concepts that it activates, ascending.
  std::span<const ConceptId> active(StatementId e) const {
    const Held& held = held_[e];
    if (held.active_count == 0) return {};
    return {static_cast<const ConceptId*>(lists_.at(held.active)), held.active_count};
  }
  /// Its episodes' evidence, as of its last one.
  double evidence(StatementId e) const { return held_[e].evidence; }
  /// For who is about to read many: begins to bring one near.
  void prefetch(StatementId e) const {
    const auto* place = reinterpret_cast<const char*>(&held_[e]);
    __builtin_prefetch(place);
    __builtin_prefetch(place + sizeof(Held) - 1);  // it may stand in two lines of the cache
  }
  /// How often it was said.
  std::uint64_t times(StatementId e) const { return is_rare(e) ? rare(e).times : held_[e].times; }
  /// The cycle of its last episode.
  Time updated(StatementId e) const { return is_rare(e) ? rare(e).updated : held_[e].updated; }
  /// Its truth, as it was said last; that of judgements without one where none was.
  narsese::TruthValue truth_or_default(StatementId e) const {
    return held_[e].has_truth ? held_[e].truth : narsese::TruthValue{};
  }

  /// A new statement, with its concepts.
  void push_back(const Statement& statement);
  /// All of a statement but its term, punctuation and concepts.
  void set(StatementId e, const Statement& statement);
  /// Another handle of the same term.
  void rename(StatementId e, narsese::Term term) { held_[e].term = term; }

  std::size_t bytes() const { return held_.bytes() + rare_.bytes() + lists_.reserved(); }
  /// What that is at most once there is one more, of so many concepts.
  std::size_t bytes_with_one_more(std::size_t active) const {
    return held_.bytes_with(1) + rare_.bytes_with(1) + lists_.reserved_with(active * sizeof(ConceptId));
  }

 private:
  struct Held {
    narsese::Term term;
    narsese::TruthValue truth{};
    double evidence = 0;
    std::uint32_t updated = 0;  // from first_rare on, where there is more of it
    std::uint32_t times = 0;
    std::uint32_t active = 0;
    std::uint16_t active_count = 0;
    narsese::Punctuation punctuation : 4 = narsese::Punctuation::judgment;
    narsese::Tense::Kind tense : 4 = narsese::Tense::Kind::eternal;
    bool has_truth = false;
  };
  static_assert(sizeof(Held) == 48);
  static constexpr std::uint32_t first_rare = 0x80000000U;
  // What few statements have.
  struct Rare {
    std::optional<narsese::BudgetValue> budget;
    std::optional<double> delay;
    std::int64_t cycles = 0;
    std::uint64_t times = 0;
    double denied = 0;
    Time updated = 0;
  };

  bool is_rare(StatementId e) const { return held_[e].updated >= first_rare; }
  const Rare& rare(StatementId e) const { return rare_[held_[e].updated - first_rare]; }

  ChunkedVector<Held> held_;
  ChunkedVector<Rare> rare_;
  narsese::Arena lists_;
};

}  // namespace engram::core
