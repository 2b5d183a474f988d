// SPDX-License-Identifier: MIT
// The events of the last cycles, and what is learnt from their order.
#pragma once

#include <functional>
#include <vector>

#include "bridge/reasoner/temporal_memory.hpp"

namespace engram::bridge {

/// How evidence in time is weighed.
struct TemporalOptions {
  /// Of what should have come and did not: an event of frequency 0 and this confidence.
  double absence_confidence =
      0.9;  // a told event's, so that what fails as often as it holds has frequency 1/2
  /// That an implication reaches at most: so many instances it remembers, as it were (revision_up_to).
  double most_confidence = 0.9;
  /// Of a conclusion at least. ONA's.
  double least_confidence = 0.01;
};

/// Holds the last instance of each term of the last temporal_window cycles, single events and sequences of them, and the
/// operations done after each. From a new event B it learns, with what came before:
///   A, B            |- A =/> B           of all A that are no operations (temporal_induction); of one moment also B =/> A
///   A, ^op, B       |- (A &/ ^op) =/> B  of A and the operation as a sequence
///   A, B            |- (A &/ B)          a sequence, by intersection, in turn an event of B's time
/// An instance of A is evidence in an implication once: for it by the first B, or against it, once A leaves the window, or
/// comes again when B should have come. So no input counts twice.
class EventWindow {
 public:
  static constexpr Cycle width = 20;                 // in cycles: ONA's
  static constexpr std::size_t most_events = 64;     // single ones; chosen
  static constexpr std::size_t most_sequences = 64;  // the newest; chosen

  /// Is told of each implication that is new, or revised.
  using Learnt = std::function<void(const TemporalImplication&, bool is_new)>;

  EventWindow(TemporalMemory& memory, const TemporalOptions& options, Learnt learnt)
      : memory_(memory), options_(options), learnt_(std::move(learnt)) {}

  /// Something has happened, no operation. One that is older than the last of its term changes nothing.
  /// Cost  what is in the window, a term and an implication each
  void take(narsese::Term term, const Happening& happening, Cycle now);
  /// An operation was done.
  void take(OperationId operation, const Happening& happening);
  /// What is too old leaves, and what it should have brought and did not counts against that.
  void pass_to(Cycle now);

  bool empty() const { return events_.empty() && sequences_.empty(); }
  /// Marks the concepts of what it holds.
  void mark(std::vector<bool>& in_use) const;
  /// Other numbers for its concepts, all of which stay.
  void renumber(const KeptIds& concepts);

 private:
  struct Done {
    OperationId operation;
    Happening happening;
  };
  // An instance of a term, in the order of their times.
  struct Instance {
    EventConceptId of;
    std::uint64_t number;  // counted from 1
    Happening happening;
    std::vector<Done> done = {};  // after it, the last of each operation
  };

  void learn_from(const Instance& earlier, const Instance& later);
  void count(const Instance& earlier, const Done* done, const Instance& later);
  void add_evidence(const TemporalImplication& instance, narsese::TruthValue truth);
  void judge(const Instance& leaving, Cycle now, bool all);
  narsese::TruthValue with(const Instance& earlier, const Done* done) const;
  void add_sequences(const Instance& last, Cycle now);
  void leave(EventConceptId id, std::vector<Instance>& from, Cycle now);

  TemporalMemory& memory_;
  TemporalOptions options_;
  Learnt learnt_;
  std::vector<Instance> events_, sequences_;
  std::uint64_t instances_ = 0;
};

}  // namespace engram::bridge
