// SPDX-License-Identifier: MIT
// What an agent has experienced: events, what is wanted, and what it learnt leads to what.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "bridge/reasoner/forgetting.hpp"
#include "bridge/reasoner/knowledge.hpp"
#include "bridge/reasoner/temporal_truth.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// The number of a term that was an event, a goal, or a side of an implication.
using EventConceptId = std::uint32_t;
/// The number of an implication in time.
using ImplicationId = std::uint32_t;
/// Of an operation, counted from 1; 0: none.
using OperationId = std::uint32_t;

/// Events of one sequence at most.
inline constexpr std::size_t longest_sequence = 3;  // ONA's

/// The inputs that an event rests on: of a sequence one each, and one of an operation.
class EventStamp {
 public:
  EventStamp() = default;
  explicit EventStamp(InputNumber number) : numbers_{number}, size_(1) {}

  /// Of both. Only where that are longest_sequence + 2 at most.
  EventStamp operator+(const EventStamp& other) const;
  /// Whether they have an input in common.
  bool overlaps(const EventStamp& other) const;
  std::span<const InputNumber> numbers() const { return {numbers_.data(), size_}; }

 private:
  std::array<InputNumber, longest_sequence + 2> numbers_{};
  std::size_t size_ = 0;
};

/// Something that was so at a moment.
struct Happening {
  narsese::TruthValue truth;
  Cycle time = 0;
  EventStamp stamp;
};

/// Something that was wanted at a moment.
struct Desire {
  narsese::TruthValue truth;
  Cycle time = 0;
  std::vector<InputNumber> stamp;
};

/// A term with what it has to do with time.
struct EventConcept {
  narsese::Term term;
  std::size_t length = 1;           // events in a sequence
  std::optional<Happening> belief;  // the last
  std::optional<Desire> goal;       // the last
  std::uint64_t uses = 0;
  Cycle last_used = 0;
  std::vector<ImplicationId> from, to;  // of which it is the first side (without an operation), or the second
};

/// <(precondition &/ operation) =/> postcondition>, or <precondition =/> postcondition>.
struct TemporalImplication {
  static constexpr std::uint64_t never = 0;

  EventConceptId precondition = 0, postcondition = 0;
  OperationId operation = 0;
  narsese::TruthValue truth;
  double delay = 0;  // cycles from the operation, or else the precondition, to the postcondition
  std::vector<InputNumber> stamp;  // ascending, the newest most_stamp
  std::uint64_t counted = never;   // the newest occurrence of the precondition that is evidence in it
  Cycle changed = 0;               // when its truth last did
  bool lives = true;
};

/// Keeps all of it within limits: what is least useful goes.
class TemporalMemory {
 public:
  static constexpr std::size_t most_concepts = 4096;        // ONA's
  static constexpr std::size_t most_of_table = 120;         // of one postcondition and operation: ONA's
  static constexpr std::size_t most_implications = 50'000;  // chosen
  static constexpr std::size_t most_bytes = 256 << 20;      // of terms; chosen
  static constexpr std::size_t most_stamp = 32;             // as Knowledge
  static constexpr std::size_t most_operations = 100;       // with other arguments each; chosen

  /// Of all its terms.
  narsese::TermTable& table() { return table_; }

  /// Registers an operation, or finds it.  Returns  0 where there is no room
  OperationId operation(narsese::Term term);
  /// Of one that is registered.
  narsese::Term operation_term(OperationId id) const { return operations_[id - 1]; }
  std::size_t operations() const { return operations_.size(); }

  /// The concept of this term, made where there is none.
  EventConceptId conceptualize(narsese::Term term, Cycle now);
  /// The concept of this term, if there is one.
  std::optional<EventConceptId> find(narsese::Term term) const;
  EventConcept& operator[](EventConceptId id) { return concepts_[id]; }
  const EventConcept& operator[](EventConceptId id) const { return concepts_[id]; }
  std::size_t size() const { return concepts_.size(); }
  /// a, b: (&/,a,b), where a may be a sequence.
  narsese::Term sequence(narsese::Term first, narsese::Term last);

  /// The implication of these, if there is one; operation 0: none.
  std::optional<ImplicationId> find(EventConceptId precondition, OperationId operation,
                                    EventConceptId post) const;
  /// One that is not there yet. Nothing where it is worth least of a full table.
  std::optional<ImplicationId> add(const TemporalImplication& implication);
  /// One that is there; its numbers may be changed, not what it is of.
  TemporalImplication& implication(ImplicationId id) { return implications_[id]; }
  /// The same, to look at.
  const TemporalImplication& implication(ImplicationId id) const { return implications_[id]; }
  /// Some of them may be gone: `lives`.
  std::span<const TemporalImplication> implications() const { return implications_; }
  std::size_t living_implications() const { return index_.size(); }
  /// As Narsese has it: <(&/,a,^op) =/> b>.
  narsese::Term term_of(const TemporalImplication& implication);

  bool is_full() const;
  /// Forgets half of the concepts, the least useful, u / (u + 1) with u = uses / (cycles since the last + 1) as ONA has
  /// it, but none of `in_use`; and of the implications all that have lost a side, and where they are still more than
  /// half of what there may be, those of the least expectation. All ids of both change, and all terms of the table.
  /// Returns  where the concepts went
  KeptIds forget(Cycle now, const std::vector<bool>& in_use);

 private:
  void remove(ImplicationId id);
  void keep_implications(const KeptIds& concepts);
  void keep_terms();
  static std::uint64_t key(EventConceptId precondition, OperationId operation, EventConceptId post) {
    return std::uint64_t{precondition} << 40 | std::uint64_t{operation} << 32 | post;
  }

  narsese::TermTable table_;
  std::vector<narsese::Term> operations_;
  std::vector<EventConcept> concepts_;
  std::vector<TemporalImplication> implications_;
  std::vector<ImplicationId> free_;
  // Looked up, never walked.
  std::unordered_map<narsese::Term, EventConceptId, narsese::HashOfTerm> concept_ids_;
  std::unordered_map<std::uint64_t, ImplicationId> index_;
};

/// The inputs of both, the newest most_stamp of them, ascending.
void add_to_stamp(std::vector<InputNumber>& stamp, std::span<const InputNumber> more);

}  // namespace engram::bridge
