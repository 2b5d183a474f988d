// SPDX-License-Identifier: MIT
// Compact storage of the statements of a memory, with the evidence and the concepts of each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/concept_graph.hpp"
#include "core/numbers/chunked_vector.hpp"
#include "narsese/arena.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// Number of a statement in a memory: 0, 1, 2, ... in order of first mention.
using StatementId = std::uint32_t;

/// Statement: all accepted sentences with one term and punctuation, with the evidence of their episodes. An episode is
/// one accepted sentence.
struct Statement {
  narsese::Sentence sentence;  // the last sentence; its truth is revised over all while all were eternal
  std::span<const ConceptId> active = {};  // concepts it activates, ascending; owned by the memory
  double evidence = 0;                     // sum over its episodes, decayed to `updated`
  std::uint64_t times = 0;                 // number of episodes
  Time updated = 0;
  double denied = 0;  // the part of `evidence` that speaks against the sentence
};

/// List of statements, indexed by id. A statement takes 48 bytes and 4 for each active concept, rounded up to 8. The
/// few that have a budget, a delay, a moment or denied evidence take 72 bytes more.
class Statements {
 public:
  static constexpr std::size_t max_active = 0xffff;  // concepts of one statement

  using const_iterator = IndexIterator<Statements, Statement, Statement>;

  std::size_t size() const { return packed_.size(); }
  bool empty() const { return packed_.empty(); }
  Statement operator[](std::size_t e) const;
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, size()}; }

  narsese::Term term(StatementId e) const { return packed_[e].term; }
  narsese::Punctuation punctuation(StatementId e) const { return packed_[e].punctuation; }
  /// The concepts that the statement activates, ascending.
  std::span<const ConceptId> active(StatementId e) const {
    const Packed& packed = packed_[e];
    if (packed.active_count == 0) return {};
    return {static_cast<const ConceptId*>(lists_.at(packed.active)), packed.active_count};
  }
  /// Sum of the evidence of the statement's episodes, decayed to cycle updated(e). Memory::evidence() gives the present
  /// value.
  double evidence(StatementId e) const { return packed_[e].evidence; }
  /// Prefetches the data of a statement into the processor's cache. Use it before reading many statements.
  void prefetch(StatementId e) const {
    const auto* place = reinterpret_cast<const char*>(&packed_[e]);
    __builtin_prefetch(place);
    __builtin_prefetch(place + sizeof(Packed) - 1);  // it may span two cache lines
  }
  /// The number of episodes (accepted sentences) of the statement.
  std::uint64_t times(StatementId e) const { return is_rare(e) ? rare(e).times : packed_[e].times; }
  /// The cycle of the statement's last episode.
  Time updated(StatementId e) const { return is_rare(e) ? rare(e).updated : packed_[e].updated; }
  /// The truth value of the statement's sentence, or the default truth value of a judgement if it has none.
  narsese::TruthValue truth_or_default(StatementId e) const {
    return packed_[e].has_truth ? packed_[e].truth : narsese::TruthValue{};
  }

  /// Appends a copy of a statement and of its list of concepts.
  void push_back(const Statement& statement);
  /// Replaces the data of statement e, except its term, punctuation and concepts.
  void set(StatementId e, const Statement& statement);
  /// Replaces the term handle of statement e by another handle of an equal term, after the term table has moved its
  /// terms.
  void rename(StatementId e, narsese::Term term) { packed_[e].term = term; }

  /// Allocated bytes of this list.
  std::size_t bytes() const { return packed_.bytes() + rare_.bytes() + lists_.reserved(); }
  /// Upper bound on bytes() after one more statement with `active` concepts.
  std::size_t bytes_with_one_more(std::size_t active) const {
    return packed_.bytes_with(1) + rare_.bytes_with(1) + lists_.reserved_with(active * sizeof(ConceptId));
  }

 private:
  struct Packed {
    narsese::Term term;
    narsese::TruthValue truth{};
    double evidence = 0;
    std::uint32_t updated = 0;  // from first_rare on: first_rare + index in rare_
    std::uint32_t times = 0;
    std::uint32_t active = 0;
    std::uint16_t active_count = 0;
    narsese::Punctuation punctuation : 4 = narsese::Punctuation::judgment;
    narsese::Tense::Kind tense : 4 = narsese::Tense::Kind::eternal;
    bool has_truth = false;
  };
  static_assert(sizeof(Packed) == 48);
  static constexpr std::uint32_t first_rare = 0x80000000U;
  // Additional fields of few statements.
  struct Rare {
    std::optional<narsese::BudgetValue> budget;
    std::optional<double> delay;
    std::int64_t cycles = 0;
    std::uint64_t times = 0;
    double denied = 0;
    Time updated = 0;
  };

  bool is_rare(StatementId e) const { return packed_[e].updated >= first_rare; }
  const Rare& rare(StatementId e) const { return rare_[packed_[e].updated - first_rare]; }

  ChunkedVector<Packed> packed_;
  ChunkedVector<Rare> rare_;
  narsese::Arena lists_;
};

}  // namespace engram::core
