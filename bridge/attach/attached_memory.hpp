// SPDX-License-Identifier: MIT
// A memory that learns from a session with a NARS. The transcript entries are its only input: the same entries give the
// same memory, bit for bit, whether they arrive live or from a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bridge/attach/model_learning.hpp"
#include "bridge/attach/seen_set.hpp"
#include "bridge/attach/transcript.hpp"
#include "bridge/systems/nars_system.hpp"
#include "bridge/systems/short_names.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// A memory that learns from the transcript of a session with a NARS, entry by entry. Records about its statements and
/// inputs are kept in addition. These records are bounded, follow the forgetting of the memory, and count against its
/// byte limit.
class AttachedMemory {
 public:
  explicit AttachedMemory(const SessionStart& start, core::MemoryObserver* observer = nullptr);
  explicit AttachedMemory(const NarsSystem& system, Learning learning = Learning::all)
      : AttachedMemory(SessionStart{.system = &system, .learning = learning}) {}

  /// The effect of one entry. Its terms are valid until the end of the current core::Session::Request, if there is one.
  struct Effect {
    narsese::NalLine line = {};                       // the parsed line of an input
    std::string refusal = {};                         // why the memory refused the sentence
    std::optional<core::StatementId> statement = {};  // the statement for the sentence
    std::vector<NarsEvent> events = {};  // events in a line of the reasoner, under the user's names
  };
  /// Learns from one entry:
  ///   - `input`: like core::Session::input. A sentence is an episode; a number lets time pass.
  ///   - `heard`: a derived or revised judgment or goal is an episode, once for each stamp. Excluded are sentences that
  ///     the user stated and sentences about the reasoner's own activity (NarsSystem::mental).
  ///   - `heard`, an answer: reinforces the links that led to it. For each input in its stamp, the links between the
  ///     concepts of that input get one judgement, with the frequency of the input and the confidence of the answer.
  ///     A negative input is thus evidence against its links.
  /// If the memory is full and does not forget, it refuses the sentence and does not learn it.
  ///
  /// A model that learns is trained in two cases, before any link is reinforced:
  ///   - An answer has confidence above 1/2, and its stamp consists of inputs that are statements of the memory. The
  ///     inputs are then a proof of the answer.
  ///   - The next input comes while a question has no answer, and the system answers at once. All inputs of the current
  ///     reasoner then count as a failed set.
  /// Repeated evidence counts once. The sets of seen evidence are bounded (most_remembered) and drop the oldest.
  Effect apply(const TranscriptEntry& entry);

  /// Treats all statements that the memory already has as stated by the user. Call this once, after loading a memory
  /// from an earlier session.
  void take_on();

  /// The model that learns, if there is one.
  const std::optional<ModelLearning>& model() const { return model_; }

  /// The session of the memory.
  core::Session& session() { return session_; }
  const core::Session& session() const { return session_; }

  /// The origin of a statement.
  struct Origin {
    /// Position among all statements ever added, from 1. Forgetting never reuses a number.
    std::uint64_t number = 0;
    bool told = false;                      // the user stated it; otherwise the reasoner inferred it
    std::vector<std::uint64_t> stamp = {};  // the stamp of its first inference
  };
  /// Indexed by statement, with ascending numbers.
  const std::vector<Origin>& origins() const { return origins_; }
  /// The statement with this number, unless it was forgotten.  Cost  O(log statements)
  std::optional<core::StatementId> find(std::uint64_t number) const;
  /// Number of statements that the user stated.
  std::size_t told() const;
  /// Byte limit of each kind of record that is kept in addition to the memory: inferences, reinforcing answers,
  /// training answers, inputs of the reasoner, and lines for a restarted reasoner (Attachment). All five limits are
  /// charged from the start.
  static std::size_t bytes_beside(const core::MemoryLimits& limits) {
    return limits.max_bytes / 64;
  }  // chosen
  /// Most records of one kind: at most the memory's limit on statements.
  static std::size_t most_remembered(const core::MemoryLimits& limits);
  /// Checksums of the memory and the model as they are now.
  SessionEnd end() const;
  bool has_names() const { return !names_.empty(); }
  /// Translates a sentence of the reasoner back to the user's names. A sentence without replaced names stays unchanged.
  std::string named_back(const std::string& sentence);
  /// The number that the current reasoner gave to an input with this term (the smallest, if there are several).
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
  std::map<std::uint64_t, Input> inputs_;  // inputs of the current reasoner, by its own numbers
  std::size_t input_bytes_ = 0;
  SeenSet heard_;       // inferences with their stamps
  SeenSet reinforced_;  // answers that reinforced links, with their inputs
  SeenSet taught_;      // answers that trained the model, with their inputs
  std::optional<ModelLearning> model_;
  bool in_links_ = false;      // the input is within a section of links
  std::string open_question_;  // term of a question without an answer yet; for the model
};

/// The whole contents of a memory as text, with exact numbers. Two memories are equal if their texts are equal.
std::string memory_text(const core::Memory& memory);

}  // namespace engram::bridge
