// SPDX-License-Identifier: MIT
// The experience of an agent: its events and goals, and the implications that it learned from the order of events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <boost/container/static_vector.hpp>

#include "core/numbers/numeric.hpp"
#include "core/reasoner/knowledge.hpp"
#include "narsese/term.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

/// A point in time, in cycles of the agent, counted from 1.
using Cycle = std::int64_t;

/// Factor on the confidence of an event for each cycle between the event and the time of its use. ONA's.
inline constexpr double projection_decay = 0.8;

/// Projects the truth value of an event to a time `cycles` away: frequency f stays, confidence c becomes c
/// projection_decay^|cycles|.
inline narsese::TruthValue projection(narsese::TruthValue a, Cycle cycles) {
  constexpr Cycle nothing_left = 100'000;
  const auto distance = static_cast<unsigned>(std::min(std::abs(cycles), nothing_left));
  return {a.frequency, a.confidence * power(projection_decay, distance)};
}

/// Temporal induction {A at t, B at t + cycles} |- A =/> B: the truth value that one observation gives to the
/// implication. It is the induction of B from A, with A projected to the time of B, made eternal: f = f_B, w = c' with
/// c' the confidence of the evidence w' = f_A c_A decay^cycles c_B. Here f and c are frequency and confidence, and w is
/// the amount of evidence.
inline narsese::TruthValue temporal_induction(narsese::TruthValue earlier, narsese::TruthValue later,
                                              Cycle cycles) {
  return narsese::eternalization(narsese::induction(later, projection(earlier, cycles)));
}

/// NAL revision with an upper bound on the confidence. At the bound, new evidence replaces old evidence, so the
/// frequency can always change.
inline narsese::TruthValue bounded_revision(narsese::TruthValue a, narsese::TruthValue b,
                                            double max_confidence) {
  const narsese::Evidence x = narsese::to_evidence(a, max_confidence);
  const narsese::Evidence y = narsese::to_evidence(b, max_confidence);
  narsese::TruthValue both = narsese::to_truth({x.positive + y.positive, x.total + y.total});
  both.confidence = std::min(both.confidence, max_confidence);
  return both;
}

/// Id of a concept of TemporalMemory: a term that was an event, a goal, or a side of an implication.
using EventConceptId = std::uint32_t;
/// Id of an implication of TemporalMemory.
using ImplicationId = std::uint32_t;
/// Id of an operation of TemporalMemory, counted from 1. The value 0 means no operation.
using EventOperationId = std::uint32_t;

/// Largest number of events in a sequence (&/,a,b,..). ONA's.
inline constexpr std::size_t longest_sequence = 3;

/// The stamp of an event: the numbers of the inputs that it rests on, one for each event of a sequence, and one for an
/// operation. Events with a common input must not be combined.
using EventStamp = boost::container::static_vector<InputNumber, longest_sequence + 2>;

/// An occurrence of an event: its time, truth value and stamp.
struct EventOccurrence {
  narsese::TruthValue truth;
  Cycle time = 0;
  EventStamp stamp;
};

/// The desire of a goal: its truth value, its time, and the inputs it rests on.
struct Desire {
  narsese::TruthValue truth;
  Cycle time = 0;
  std::vector<InputNumber> stamp;
};

/// A concept of an agent: a term with its last occurrence as an event, its last desire as a goal, and the implications
/// that it is a side of.
struct EventConcept {
  narsese::Term term;
  std::size_t length = 1;                 // number of events in a sequence; 1 for any other term
  std::optional<EventOccurrence> belief;  // last occurrence
  std::optional<Desire> goal;             // last desire
  std::uint64_t uses = 0;
  Cycle last_used = 0;
  std::vector<ImplicationId> from, to;  // implications with it as precondition, and as postcondition
};

/// A learned or given implication: <(precondition &/ operation) =/> postcondition>, or <precondition =/> postcondition>
/// without an operation.
struct TemporalImplication {
  static constexpr std::uint64_t never = 0;

  EventConceptId precondition = 0, postcondition = 0;
  EventOperationId operation = 0;
  narsese::TruthValue truth;
  double delay = 0;  // mean number of cycles from the operation (or precondition) to the postcondition
  std::vector<InputNumber> stamp;  // inputs it rests on: the newest max_stamp, ascending
  std::uint64_t counted = never;   // newest occurrence of the precondition counted as evidence, by number
  Cycle changed = 0;               // cycle of the last change of the truth value
  bool exists = true;              // false if it was removed; its id may be reused
};

/// Bounded memory of an agent: concepts, operations and implications. When it is full, forget() removes the least
/// useful concepts and implications.
class TemporalMemory {
 public:
  static constexpr std::size_t max_concepts = 4096;        // ONA's
  static constexpr std::size_t max_per_effect = 120;       // of a postcondition and operation; ONA's
  static constexpr std::size_t max_implications = 50'000;  // chosen
  static constexpr std::size_t max_bytes = 256 << 20;      // most bytes of terms; chosen
  static constexpr std::size_t max_stamp = 32;        // most inputs in a stamp; as Knowledge::max_evidence
  static constexpr std::size_t max_operations = 100;  // distinct pairs of operator and arguments; chosen

  /// The term table of this memory. All terms passed to its functions must belong to it.
  narsese::TermTable& table() { return table_; }

  /// Returns the id of an operation, which is added if it is new. The id is 0 if there is no room.
  EventOperationId operation(narsese::Term term);
  /// The term of the operation with this id.
  narsese::Term operation_term(EventOperationId id) const { return operations_[id - 1]; }
  std::size_t operation_count() const { return operations_.size(); }

  /// Returns the concept of a term, which is added if it is new, and counts a use at time `now`.
  EventConceptId conceptualize(narsese::Term term, Cycle now);
  /// Returns the concept of a term, or nothing if there is none.
  std::optional<EventConceptId> find(narsese::Term term) const;
  EventConcept& operator[](EventConceptId id) { return concepts_[id]; }
  const EventConcept& operator[](EventConceptId id) const { return concepts_[id]; }
  std::size_t size() const { return concepts_.size(); }
  /// Returns the sequence (&/,first,last). If `first` is a sequence itself, its events become events of the result.
  narsese::Term sequence(narsese::Term first, narsese::Term last);

  /// Returns the implication with this precondition, operation (0: none) and postcondition, or nothing if there is
  /// none.
  std::optional<ImplicationId> find(EventConceptId precondition, EventOperationId operation,
                                    EventConceptId post) const;
  /// Adds an implication that is not in the memory yet, and returns its id.
  /// Returns  nothing if max_per_effect implications have the same postcondition and operation, and all have at least
  ///          its expectation
  std::optional<ImplicationId> add(const TemporalImplication& implication);
  /// The implication with this id, for changes to its numbers. Callers must not change its sides or its operation.
  TemporalImplication& implication(ImplicationId id) { return implications_[id]; }
  /// The implication with this id.
  const TemporalImplication& implication(ImplicationId id) const { return implications_[id]; }
  /// All implications by id, including removed ones (exists is false).
  std::span<const TemporalImplication> implications() const { return implications_; }
  std::size_t implication_count() const { return index_.size(); }
  /// Returns the implication as a term: <(&/,a,^op) =/> b>.
  narsese::Term term_of(const TemporalImplication& implication);

  /// Whether a limit is reached, so that forget() must be called before the next input.
  bool is_full() const;
  /// Removes the less useful half of the concepts, except those marked in `in_use` (by id). Usefulness is ONA's u / (u
  /// + 1) with u = uses / (cycles since the last use + 1). Implications that lost a side are removed; among the others,
  /// the max_implications / 2 with the largest expectation stay. All ids and all terms of the table change.
  /// Returns  the new ids of the concepts
  IdRemap forget(Cycle now, const std::vector<bool>& in_use);

 private:
  void remove(ImplicationId id);
  void keep_implications(const IdRemap& concepts);
  void keep_terms();
  static std::uint64_t key(EventConceptId precondition, EventOperationId operation, EventConceptId post) {
    return std::uint64_t{precondition} << 40 | std::uint64_t{operation} << 32 | post;
  }

  narsese::TermTable table_;
  std::vector<narsese::Term> operations_;
  std::vector<EventConcept> concepts_;
  std::vector<TemporalImplication> implications_;
  std::vector<ImplicationId> free_;
  // The two maps are never iterated.
  std::unordered_map<narsese::Term, EventConceptId, narsese::HashOfTerm> concept_ids_;
  std::unordered_map<std::uint64_t, ImplicationId> index_;
};

/// Adds the inputs `more` to a stamp, which then has the newest TemporalMemory::max_stamp inputs in ascending order.
void merge_stamps(std::vector<InputNumber>& stamp, std::span<const InputNumber> more);

/// Sliding window of recent events, from which an agent learns implications. It holds the last occurrence of each event
/// and each sequence in the last `width` cycles, and the operations that were executed after it. A new event B and an
/// earlier event A give evidence:
///   A, B            |- A =/> B           temporal_induction(); also B =/> A if both have the same time
///   A, ^op, B       |- (A &/ ^op) =/> B  with A and the operation as a sequence
///   A, B            |- (A &/ B)          a sequence by intersection, which is an event with B's time
/// Each occurrence of A counts at most once in an implication, so no input counts twice. It counts in favour when the
/// first B occurs. It counts against the implication when A leaves the window, or occurs again after B was due.
class EventWindow {
 public:
  static constexpr Cycle width = 20;                // width of the window, in cycles; ONA's
  static constexpr std::size_t max_events = 64;     // most single events; chosen
  static constexpr std::size_t max_sequences = 64;  // most sequences: the newest ones; chosen
  /// Confidence of the observation that an expected event did not occur; its frequency is 0. The value equals the
  /// default confidence of an input event, so an implication that holds half of the time gets frequency 1/2.
  static constexpr double absence_confidence = 0.9;
  /// Largest confidence of an implication. It limits how long old evidence counts (bounded_revision).
  static constexpr double max_confidence = 0.9;
  static constexpr double min_confidence = 0.01;  // smallest confidence of a conclusion; ONA's

  /// Callback that receives each implication that is new or revised.
  using Observer = std::function<void(const TemporalImplication&, bool is_new)>;

  EventWindow(TemporalMemory& memory, Observer observer) : memory_(memory), observer_(std::move(observer)) {}

  /// Adds an event, which must not be an operation, and learns from it. If the term has a later occurrence already,
  /// nothing changes.
  /// Cost  O(occurrences in the window) terms and implications
  void add_event(narsese::Term term, const EventOccurrence& occurrence, Cycle now);
  /// Adds an executed operation to the occurrences before it.
  void add_operation(EventOperationId operation, const EventOccurrence& occurrence);
  /// Removes the occurrences that left the window. They become evidence against implications whose postcondition did
  /// not follow.
  void advance_to(Cycle now);

  bool empty() const { return events_.empty() && sequences_.empty(); }
  /// Sets in_use[id] for each concept in the window, so that the memory does not remove the concept.
  void mark_used(std::vector<bool>& in_use) const;
  /// Applies new ids after the memory removed concepts. A concept of the window must not be removed.
  void renumber(const IdRemap& concepts);

 private:
  struct Execution {
    EventOperationId operation;
    EventOccurrence occurrence;
  };
  struct Instance {
    EventConceptId concept_id;
    std::uint64_t number;  // number of the occurrence, counted from 1
    EventOccurrence occurrence;
    std::vector<Execution> executions = {};  // operations executed after it: the last execution of each
  };

  void learn_from(const Instance& earlier, const Instance& later);
  void count(const Instance& earlier, const Execution* execution, const Instance& later);
  void count_absences(const Instance& leaving, Cycle now, bool all);
  void add_evidence(const TemporalImplication& instance, narsese::TruthValue truth);
  narsese::TruthValue truth_of(const Instance& earlier, const Execution* execution) const;
  void add_sequences(const Instance& last, Cycle now);
  void remove(EventConceptId id, std::vector<Instance>& from, Cycle now);

  TemporalMemory& memory_;
  Observer observer_;
  std::vector<Instance> events_, sequences_;  // occurrences in the window, in the order of time
  std::uint64_t instances_ = 0;
};

}  // namespace engram::core
