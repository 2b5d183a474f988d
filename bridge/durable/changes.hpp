// SPDX-License-Identifier: MIT
// Serialised changes of a session, in order: the contents of a journal record. Private to bridge.
#pragma once

#include <string>
#include <vector>

#include "bridge/snapshots/term_arrays.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Collects changes and serialises them. The changes are sentences rather than requests, because the fate of a request
/// may depend on a clock, but the effect of a sentence does not. The bytes are:
///   - the kinds of the changes, one byte each
///   - the terms and sentences (bridge/snapshots/term_arrays.hpp)
///   - the numbers of cycles that passed
///   - for each forgetting: the reason, the number of statements, a bit for each forgotten one, and the links that
///     stayed because an input stated them
///   - for each budget: the same as in a binary snapshot
/// A reset of the memory, if there is one, is the first change, because earlier changes are dropped.
class ChangesOut {
 public:
  /// The memory was reset. Drops all earlier changes.
  void begin();
  /// The memory accepted a sentence.
  void accept(const narsese::Sentence& sentence, bool tells_link);
  /// Time passed.
  void advance(core::Time cycles);
  /// The memory forgot everything except these statements and links.
  void keep(const std::vector<bool>& statements, const std::vector<bool>& links,
            core::ForgettingReason reason);
  /// A request stored a budget.
  void allocate(core::AllocationOf of, const core::Vector& budget);

  bool empty() const { return kinds_.empty(); }
  /// Returns the serialised changes and clears them.
  std::string take();

 private:
  WholeTermsOut terms_;
  SentencesOut sentences_;
  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint64_t> cycles_;
  std::string rest_;  // data of forgettings and budgets
};

/// Applies serialised changes to a session.
/// Errors  ByteError if the bytes are invalid; std::runtime_error if the memory refuses a sentence that it accepted
///         before
void replay(ByteReader& bytes, core::Session& session);

}  // namespace engram::bridge
