// SPDX-License-Identifier: MIT
// The experience of an agent: events, goals, and implications that it learned from the order of events.
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

/// A moment in cycles, counted from 1.
using Cycle = std::int64_t;

/// Factor on the confidence of an event for each cycle of distance. ONA's.
inline constexpr double projection_decay = 0.8;

/// Truth value of an event seen from a distance of `cycles`: (f, c decay^|cycles|).
inline narsese::TruthValue projection(narsese::TruthValue a, Cycle cycles) {
  constexpr Cycle nothing_left = 100'000;
  const auto distance = static_cast<unsigned>(std::min(std::abs(cycles), nothing_left));
  return {a.frequency, a.confidence * power(projection_decay, distance)};
}

/// Temporal induction {A at t, B at t + cycles} |- A =/> B. This is the induction of B from A projected to B's time,
/// eternalized: f = f_B, w = c' with c' of w' = f_A c_A decay^cycles c_B.
inline narsese::TruthValue temporal_induction(narsese::TruthValue earlier, narsese::TruthValue later,
                                              Cycle cycles) {
  return narsese::eternalization(narsese::induction(later, projection(earlier, cycles)));
}

/// Revision with a bounded confidence. At the bound, new evidence replaces old evidence, so the frequency stays able to
/// change.
inline narsese::TruthValue bounded_revision(narsese::TruthValue a, narsese::TruthValue b,
                                            double max_confidence) {
  const narsese::Evidence x = narsese::to_evidence(a, max_confidence);
  const narsese::Evidence y = narsese::to_evidence(b, max_confidence);
  narsese::TruthValue both = narsese::to_truth({x.positive + y.positive, x.total + y.total});
  both.confidence = std::min(both.confidence, max_confidence);
  return both;
}

/// Id of a term that was an event, a goal, or a side of an implication.
using EventConceptId = std::uint32_t;
/// Id of an implication.
using ImplicationId = std::uint32_t;
/// Id of an operation, counted from 1. The value 0 means no operation.
using EventOperationId = std::uint32_t;

/// Largest number of events in a sequence. ONA's.
inline constexpr std::size_t longest_sequence = 3;

/// The inputs that an event rests on: one for each event of a sequence, and one for an operation.
using EventStamp = boost::container::static_vector<InputNumber, longest_sequence + 2>;

/// One occurrence of an event.
struct EventOccurrence {
  narsese::TruthValue truth;
  Cycle time = 0;
  EventStamp stamp;
};

/// The desire value of a goal at a moment.
struct Desire {
  narsese::TruthValue truth;
  Cycle time = 0;
  std::vector<InputNumber> stamp;
};

/// A term with its last occurrence, its last goal, and its implications.
struct EventConcept {
  narsese::Term term;
  std::size_t length = 1;  // number of events in a sequence
  std::optional<EventOccurrence> belief;
  std::optional<Desire> goal;
  std::uint64_t uses = 0;
  Cycle last_used = 0;
  std::vector<ImplicationId> from, to;  // implications with it as precondition, and as postcondition
};

/// The implication <(precondition &/ operation) =/> postcondition>, or <precondition =/> postcondition>.
struct TemporalImplication {
  static constexpr std::uint64_t never = 0;

  EventConceptId precondition = 0, postcondition = 0;
  EventOperationId operation = 0;
  narsese::TruthValue truth;
  double delay = 0;  // cycles from the operation, or else from the precondition, to the postcondition
  std::vector<InputNumber> stamp;  // ascending; the newest max_stamp inputs
  std::uint64_t counted = never;   // newest occurrence of the precondition that was counted as evidence
  Cycle changed = 0;               // cycle of the last change of the truth value
  bool exists = true;              // false if it was removed
};

/// Concepts, operations and implications within fixed limits. A full memory removes the least useful concepts and
/// implications.
class TemporalMemory {
 public:
  static constexpr std::size_t max_concepts = 4096;   // ONA's
  static constexpr std::size_t max_per_effect = 120;  // implications of a postcondition and operation; ONA's
  static constexpr std::size_t max_implications = 50'000;  // chosen
  static constexpr std::size_t max_bytes = 256 << 20;      // of terms; chosen
  static constexpr std::size_t max_stamp = 32;             // as in Knowledge
  static constexpr std::size_t max_operations = 100;       // distinct operators and arguments; chosen

  /// The table of all terms in this memory.
  narsese::TermTable& table() { return table_; }

  /// Finds an operation, or adds it.
  /// Returns  0 if there is no room
  EventOperationId operation(narsese::Term term);
  /// The term of an operation.
  narsese::Term operation_term(EventOperationId id) const { return operations_[id - 1]; }
  std::size_t operation_count() const { return operations_.size(); }

  /// Finds the concept of a term, or adds it, and counts the use.
  EventConceptId conceptualize(narsese::Term term, Cycle now);
  /// The concept of a term, if there is one.
  std::optional<EventConceptId> find(narsese::Term term) const;
  EventConcept& operator[](EventConceptId id) { return concepts_[id]; }
  const EventConcept& operator[](EventConceptId id) const { return concepts_[id]; }
  std::size_t size() const { return concepts_.size(); }
  /// The term (&/,first,last). The events of a sequence `first` become events of the result.
  narsese::Term sequence(narsese::Term first, narsese::Term last);

  /// The implication with these parts. Use 0 for no operation.
  std::optional<ImplicationId> find(EventConceptId precondition, EventOperationId operation,
                                    EventConceptId post) const;
  /// Adds an implication that is not in the memory yet.
  /// Returns  nothing if the table of its postcondition is full and the implication has the lowest expectation
  std::optional<ImplicationId> add(const TemporalImplication& implication);
  /// An implication of the memory, to change its numbers. Callers must not change its parts.
  TemporalImplication& implication(ImplicationId id) { return implications_[id]; }
  /// An implication of the memory.
  const TemporalImplication& implication(ImplicationId id) const { return implications_[id]; }
  /// All implications, including removed ones.
  std::span<const TemporalImplication> implications() const { return implications_; }
  std::size_t implication_count() const { return index_.size(); }
  /// The implication as a term: <(&/,a,^op) =/> b>.
  narsese::Term term_of(const TemporalImplication& implication);

  bool is_full() const;
  /// Removes the less useful half of the concepts, except those marked in `in_use`. Usefulness is ONA's u / (u + 1)
  /// with u = uses / (cycles since the last use + 1). Also removes implications that lost a side; of the others, the
  /// best max_implications / 2 by expectation stay. All ids and all terms of the table change.
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
  // Both maps are never iterated.
  std::unordered_map<narsese::Term, EventConceptId, narsese::HashOfTerm> concept_ids_;
  std::unordered_map<std::uint64_t, ImplicationId> index_;
};

/// Adds the inputs `more` to a stamp, and keeps the newest max_stamp inputs in ascending order.
void merge_stamps(std::vector<InputNumber>& stamp, std::span<const InputNumber> more);

/// The last occurrence of each event and each sequence in the last `width` cycles, and the operations executed after
/// it. A new event B and an earlier event A give evidence:
///   A, B            |- A =/> B           temporal_induction; also B =/> A if both have the same time
///   A, ^op, B       |- (A &/ ^op) =/> B  with A and the operation as a sequence
///   A, B            |- (A &/ B)          a sequence by intersection, which is an event with B's time
/// Each occurrence of A counts at most once in an implication, so no input counts twice. It counts in favour when the
/// first B occurs. It counts against when A leaves the window, or occurs again after B was due.
class EventWindow {
 public:
  static constexpr Cycle width = 20;                // in cycles; ONA's
  static constexpr std::size_t max_events = 64;     // single events; chosen
  static constexpr std::size_t max_sequences = 64;  // the newest sequences; chosen
  /// Confidence of a missing event. Its frequency is 0. The confidence equals the confidence of an input event, so an
  /// implication that holds half of the time has frequency 1/2.
  static constexpr double absence_confidence = 0.9;
  /// Largest confidence of an implication. It bounds the number of remembered instances (bounded_revision).
  static constexpr double max_confidence = 0.9;
  static constexpr double min_confidence = 0.01;  // of a conclusion; ONA's

  /// Receives each implication that is new or revised.
  using Observer = std::function<void(const TemporalImplication&, bool is_new)>;

  EventWindow(TemporalMemory& memory, Observer observer) : memory_(memory), observer_(std::move(observer)) {}

  /// Adds an event that is no operation. An event that is older than the last occurrence of its term changes nothing.
  /// Cost  O(occurrences in the window) terms and implications
  void add_event(narsese::Term term, const EventOccurrence& occurrence, Cycle now);
  /// Adds an executed operation.
  void add_operation(EventOperationId operation, const EventOccurrence& occurrence);
  /// Removes the occurrences that are too old. They are evidence against implications with a missing
  /// postcondition.
  void advance_to(Cycle now);

  bool empty() const { return events_.empty() && sequences_.empty(); }
  /// Sets the flag of each concept in the window.
  void mark_used(std::vector<bool>& in_use) const;
  /// Applies new ids to the concepts. None may be removed.
  void renumber(const IdRemap& concepts);

 private:
  struct Execution {
    EventOperationId operation;
    EventOccurrence occurrence;
  };
  struct Instance {
    EventConceptId concept_id;
    std::uint64_t number;  // counted from 1
    EventOccurrence occurrence;
    std::vector<Execution> executions = {};  // after it; the last one of each operation
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
  std::vector<Instance> events_, sequences_;  // in the order of time
  std::uint64_t instances_ = 0;
};

}  // namespace engram::core
