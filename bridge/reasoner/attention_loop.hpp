// SPDX-License-Identifier: MIT
// Attention in a loop: what is inferred is said to a memory, and a method is asked again what deserves budget.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "bridge/reasoner/reasoner.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Steps between two times that a method is asked, by default. Chosen from 8 to 512 on generated sets with seeds 901 and 902
/// (experiment flood): fewer, and some proofs of seven statements are lost to what was inferred first; more, and all take
/// longer.
inline constexpr std::uint64_t usual_refresh = 64;

/// Reweighs the sentences that a reasoner knows while it works on a question. A copy of the memory that has the reasoner's
/// inputs also stores its strong conclusions (KnownSentence) as episodes, from which it learns links. The method then scores the
/// copy's statements, and with s the score of a sentence divided by the largest score
///   worth <- (worth + s) / 2
/// (WorthControl::reweigh). A sentence that the copy does not have, because it is not strong, gets the s of a statement with
/// score 0. Do not use it with a reasoner that forgets.
class AttentionLoop {
 public:
  /// Scores of the memory's statements for a cue, by a method.
  using Attend = std::function<core::Vector(core::Session& memory, const core::Cue& cue)>;

  /// The inputs are statements of `memory`, or are left as they are. `cue`, whose term is of that memory's table, is what is
  /// asked; what it may learn from must outlive this.
  /// Cost  as of copying a session
  AttentionLoop(const core::Session& memory, const core::Cue& cue, Attend attend, WorthControl& control);

  /// All that the reasoner tells from its first input on.
  void hear(const Reasoner& reasoner, const ReasonerEvent& event);
  /// Between two steps.
  /// Cost  that of the method, of saying what is new, and WorthControl::reweigh's
  void attend_again(Reasoner& reasoner);

 private:
  void weigh(Reasoner& reasoner);
  void say_what_is_new(const Knowledge& knowledge);

  core::Session memory_;
  core::Cue cue_;
  Attend attend_;
  WorthControl& control_;
  std::size_t bytes_at_first_;
  std::optional<core::Reservation> grown_;
  std::vector<SentenceId> new_;
  std::vector<std::pair<SentenceId, core::StatementId>> said_;
};

}  // namespace engram::bridge
