// SPDX-License-Identifier: MIT
// What was done to a session, in its order, as bytes: what a journal's records hold. Private to bridge.
#pragma once

#include <string>
#include <vector>

#include "bridge/snapshots/term_arrays.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Changes as they are written: sentences rather than the requests they came with, since whether a request is
/// taken in whole may depend on a clock, and what came of it does not. The kinds of the changes, a byte each; terms
/// and sentences (bridge/snapshots/term_arrays.hpp); of time that passed the cycles; of what was forgotten the reason,
/// how many statements there were, which of them went (a bit each) and which links that were told of stayed; of budgets
/// what binary snapshots have of them. A new memory is the first change or none: what came before it is left out.
class ChangesOut {
 public:
  /// A memory begins anew; what came before is left out.
  void begin();
  /// A sentence that was accepted.
  void accept(const narsese::Sentence& sentence, bool tells_link);
  /// Cycles that passed.
  void advance(core::Time cycles);
  /// What was kept when the rest was forgotten.
  void keep(const std::vector<bool>& statements, const std::vector<bool>& links,
            core::ForgettingReason reason);
  /// A budget that stays.
  void allocate(core::AllocationOf of, const core::Vector& budget);

  bool empty() const { return kinds_.empty(); }
  /// All since the last time.
  std::string take();

 private:
  WholeTermsOut terms_;
  SentencesOut sentences_;
  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint64_t> cycles_;
  std::string rest_;  // of what was forgotten, and of budgets
};

/// Does them again.
/// Errors  ByteError for what are no changes; std::runtime_error where the memory refuses what it once took in
void replay(ByteReader& bytes, core::Session& session);

}  // namespace engram::bridge
