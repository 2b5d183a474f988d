// SPDX-License-Identifier: MIT
// A memory that listens to a NARS: what a transcript of their talk makes of it.
//
// All that the memory learns, it learns from entries: so the same entries give the same memory, to the last
// bit, whether they come as they happen or from a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bridge/attach/model_learning.hpp"
#include "bridge/attach/once.hpp"
#include "bridge/attach/transcript.hpp"
#include "bridge/systems/nars_system.hpp"
#include "bridge/systems/short_names.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// A memory that learns from the transcript of a session with a NARS, entry by entry. Where it forgets, what is kept of
/// its statements beside it follows; the rest of that is bounded. The bytes of both are taken from the memory's.
class AttachedMemory {
 public:
  explicit AttachedMemory(const SessionStart& start, core::MemoryObserver* observer = nullptr);
  explicit AttachedMemory(const NarsSystem& system, Learning learning = Learning::all)
      : AttachedMemory(SessionStart{.system = &system, .learning = learning}) {}

  /// What an entry came to. Within a core::Session::Request its terms are void with that.
  struct Effect {
    narsese::NalLine line = {};                       // of an input
    std::string refusal = {};                         // of its sentence by the memory
    std::optional<core::StatementId> statement = {};  // that its sentence is
    std::vector<NarsEvent> events = {};  // of a line that was heard: terms and arguments named back
  };
  /// Learns from one entry:
  ///   input   as core::Session::input does: sentences are episodes, numbers let time pass
  ///   heard   a judgment or goal that was derived or revised, and that the user did not say, is an episode,
  ///           once for each stamp; not what it says of its own doing (NarsSystem::mental). An answer
  ///           reinforces the links that led to it: for each input in its stamp, the links between the
  ///           concepts of that input are told the input's frequency with the answer's confidence, once (see
  ///           ConceptGraph::tell): a denial that is used for an answer is no evidence that its ends go
  ///           together.
  ///           What memory refuses, because it is full and forgets nothing, is not learnt.
  /// With a model that learns, an answer of confidence above 1/2 with a stamp of inputs that are statements here
  /// teaches it, before links are reinforced, once for the same evidence; and, when the next input comes, a question that had no answer,
  /// where the system answers at once, what it was given, which are the inputs of the reasoner at work.
  /// "Once" is of the last of each kind, as many as the limits leave room for (most_remembered).
  Effect apply(const TranscriptEntry& entry);

  /// What the memory has already, of an earlier session, counts as said by the user from here on.
  void take_on();

  /// Nothing where none learns.
  const std::optional<ModelLearning>& model() const { return model_; }

  /// The memory, to be changed.
  core::Session& session() { return session_; }
  const core::Session& session() const { return session_; }

  /// Where a statement comes from.
  struct Origin {
    /// Of all statements that there ever were, from 1: no other has it, whatever is forgotten.
    std::uint64_t number = 0;
    bool told = false;                      // the user said it; else the reasoner inferred it
    std::vector<std::uint64_t> stamp = {};  // that it had when it was inferred first
  };
  /// By statement; the numbers ascend.
  const std::vector<Origin>& origins() const { return origins_; }
  /// The statement of this number; nothing where it is forgotten.  Cost  O(log statements)
  std::optional<core::StatementId> find(std::uint64_t number) const;
  /// Statements that the user said and the memory has.
  std::size_t told() const;
  /// What each kind of thing beside a memory of these limits may take at most: what was inferred, what has reinforced,
  /// what has taught, inputs of the reasoner, and what a new reasoner is told again (Attachment). It is theirs from the
  /// beginning.
  static std::size_t bytes_beside(const core::MemoryLimits& limits) {
    return limits.max_bytes / 64;
  }  // chosen
  /// How many of a kind are so remembered: no more than the memory may have statements.
  static std::size_t most_remembered(const core::MemoryLimits& limits);
  /// What has come of the session until now.
  SessionEnd end() const;
  bool has_names() const { return !names_.empty(); }
  /// A sentence that the reasoner was told, under the user's names; what holds none that was given stays as it
  /// is.
  std::string named_back(const std::string& sentence);
  /// The number by which the reasoner at work counts an input; the first one for a term.
  std::optional<std::uint64_t> number_of(const narsese::Term& term) const;

 private:
  Effect learn_from(const TranscriptEntry& entry);
  std::vector<NarsEvent> events_of(const std::string& line);
  narsese::Result<std::optional<core::StatementId>, std::string> accept(const narsese::Sentence& sentence,
                                                                        bool tells_link = false,
                                                                        std::size_t stamp_bytes = 0);
  void follow(std::span<const std::uint32_t> numbers);
  void hear_input(const NarsEvent& event);
  void forget_inputs();
  void note_bytes();
  void learn(const NarsEvent& event);
  void reinforce(const NarsEvent& answer);
  void teach(const NarsEvent& answer);
  void teach_failure();
  std::string evidence_of(const NarsEvent& answer) const;
  std::vector<core::StatementId> only_inferred() const;
  std::optional<std::vector<core::StatementId>> statements_of(const std::vector<std::uint64_t>& stamp);

  const NarsSystem& system_;
  Learning learning_;
  core::Session session_;
  NamesBack names_;
  std::vector<Origin> origins_;
  std::size_t stamp_bytes_ = 0;
  struct Input {
    std::string term;
    double frequency = 1;
  };
  std::map<std::uint64_t, Input> inputs_;  // of the reasoner at work, by its own count
  std::size_t input_bytes_ = 0;
  Once heard_;       // what was inferred, each with its stamp
  Once reinforced_;  // answers, each with the inputs that it rests on
  Once taught_;      // likewise, to the model
  std::optional<ModelLearning> model_;
  bool in_links_ = false;      // the inputs so far left a section of links open
  std::string open_question_;  // its term, as long as it has no answer; for the model
};

/// All that a memory holds, as text with every digit: two memories are the same if their texts are.
std::string memory_text(const core::Memory& memory);

}  // namespace engram::bridge
