// SPDX-License-Identifier: MIT
// A memory that learns from a session with a NARS. The transcript entries are its only input: the same entries give the
// same memory, bit for bit, whether they arrive live or from a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "bridge/attach/transcript.hpp"
#include "bridge/models/model.hpp"
#include "bridge/systems/nars_system.hpp"
#include "bridge/systems/short_names.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Bounded set of texts that were already counted. Remembers the latest texts by the first half of their SHA-256, so
/// every text takes the same space.
class SeenSet {
 public:
  /// A set of at most `most` texts, at least one. If it is full, it drops the oldest.
  explicit SeenSet(std::size_t most) : most_(most > 0 ? most : 1) {}

  /// Adds a text. Returns whether it is new.  Cost  O(text size) expected
  bool add(std::string_view text);

  /// Bytes of one text: two copies of its digest, a list node, and its share of the hash table.
  static constexpr std::size_t bytes_each = 72;

 private:
  using Digest = std::array<std::uint64_t, 2>;
  struct Hash {
    std::size_t operator()(const Digest& digest) const { return static_cast<std::size_t>(digest[0]); }
  };

  std::size_t most_;
  std::deque<Digest> order_;
  std::unordered_set<Digest, Hash> known_;  // only for look-ups
};

/// Online training of the model that selects input for a NARS, from the answers of the NARS. Trains the weights of
/// proof_attention (core/proofs/proof_training.hpp).
class ModelLearning {
 public:
  /// Continues the training of a model that was trained in earlier sessions, or starts from any other model of
  /// proof_attention. Frozen weights stay constant, in later sessions too.
  /// Errors  std::invalid_argument for a model of another method
  explicit ModelLearning(Model model, const std::vector<core::ProofFeature>& frozen = {});

  /// Trains on an answer. The statements `used` are its proof; among all statements between the two names of the
  /// answer, their probability increases. The model does not see the statements `without`, because inferred statements
  /// would replace their premises.
  void answered(core::Session& session, const narsese::Term& answer,
                const std::vector<core::StatementId>& used, const std::vector<core::StatementId>& without);
  /// Trains on a question that got no answer from `given`. Ignores the question if there are more than most_given
  /// statements.
  void failed(core::Session& session, const narsese::Term& question,
              const std::vector<core::StatementId>& given, const std::vector<core::StatementId>& without);
  /// Chosen: the cost of a failure is quadratic in this number if all statements share a name.
  static constexpr std::size_t most_given = 1'000;

  /// The current model. Training keeps the provenance of the initial model.
  const Model& model() const { return model_; }

 private:
  template <class Learn>
  void learn(core::Session& session, const narsese::Term& sentence,
             const std::vector<core::StatementId>& without, Learn learn);

  Model model_;
  core::ProofAttentionOptions attention_;
  core::ProofLearner learner_;
};

/// A memory that learns from the transcript of a session with a NARS, entry by entry. Records about its statements and
/// inputs are kept in addition. These records are bounded, follow the forgetting of the memory, and count against its
/// byte limit.
class AttachedMemory {
 public:
  explicit AttachedMemory(const SessionStart& start, core::MemoryObserver* observer = nullptr);

  /// The effect of one entry. The terms are valid until the end of the current core::Session::Request, if there is one.
  struct Effect {
    narsese::NalLine line = {};                       // the parsed line of an input
    std::string refusal = {};                         // why the memory refused the sentence
    std::optional<core::StatementId> statement = {};  // the statement for the sentence
    std::vector<NarsEvent> events = {};  // events in a line of the reasoner, under the user's names
  };
  /// Learns from one entry:
  ///   - `input`: like core::Session::input. A sentence is an episode; a number lets time pass.
  ///   - `heard`: a derived or revised judgment or goal is an episode, once for each stamp. Excluded are sentences that
  ///     the user stated and sentences about the reasoner's own activity (NarsSystem::mental_operators).
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
  /// Repeated evidence counts once. The sets of seen evidence are bounded (at most one record for each
  /// statement that the memory may hold) and drop the oldest.
  Effect apply(const TranscriptEntry& entry);

  /// Treats all statements that the memory already has as stated by the user. Call this once, after loading a memory
  /// from an earlier session.
  void adopt_statements();

  /// The model that learns, if there is one.
  const std::optional<ModelLearning>& model() const { return model_; }

  /// The session of the memory.
  core::Session& session() { return session_; }
  const core::Session& session() const { return session_; }

  /// The origin of a statement.
  struct Origin {
    /// Position among all statements ever added, from 1. Forgetting never reuses a number.
    std::uint64_t number = 0;
    bool stated = false;                    // the user stated it; otherwise the reasoner inferred it
    std::vector<std::uint64_t> stamp = {};  // the stamp of its first inference
  };
  /// Indexed by statement, with ascending numbers.
  const std::vector<Origin>& origins() const { return origins_; }
  /// The statement with this number, unless it was forgotten.  Cost  O(log statements)
  std::optional<core::StatementId> find(std::uint64_t number) const;
  /// Number of statements that the user stated.
  std::size_t stated_count() const;
  /// Byte limit of each kind of record that is kept in addition to the memory: inferences, reinforcing answers,
  /// training answers, inputs of the reasoner, and lines for a restarted reasoner (Attachment). All five limits are
  /// charged from the start.
  static std::size_t max_record_bytes(const core::MemoryLimits& limits) {
    return limits.max_bytes / 64;
  }  // chosen
  /// Checksums of the memory and the model as they are now.
  SessionEnd end() const;
  bool has_replaced_names() const { return !names_.empty(); }
  /// Translates a sentence of the reasoner back to the user's names. A sentence without replaced names stays unchanged.
  std::string with_original_names(const std::string& sentence);
  /// The number that the current reasoner gave to an input with this term (the smallest, if there are several).
  std::optional<std::uint64_t> number_of(const narsese::Term& term) const;

 private:
  Effect learn_from(const TranscriptEntry& entry);
  std::vector<NarsEvent> events_of(const std::string& line);
  narsese::Result<std::optional<core::StatementId>, std::string> accept(const narsese::Sentence& sentence,
                                                                        bool tells_link = false,
                                                                        std::size_t stamp_bytes = 0);
  void renumber_records(std::span<const std::uint32_t> numbers);
  void record_input(const NarsEvent& event);
  void charge_records();
  void learn(const NarsEvent& event);
  void reinforce(const NarsEvent& answer);
  void train_on_answer(const NarsEvent& answer);
  void train_on_failure();
  std::string evidence_key(const NarsEvent& answer) const;
  std::vector<core::StatementId> inferred_statements() const;
  std::optional<std::vector<core::StatementId>> statements_of(const std::vector<std::uint64_t>& stamp);

  const NarsSystem& system_;
  Learning learning_;
  core::Session session_;
  OriginalNames names_;
  std::vector<Origin> origins_;
  std::size_t stamp_bytes_ = 0;
  struct Input {
    std::string term;
    double frequency = 1;
  };
  std::map<std::uint64_t, Input> inputs_;  // inputs of the current reasoner, by its own numbers
  std::size_t input_bytes_ = 0;
  SeenSet seen_inferences_;      // inferences with their stamps
  SeenSet seen_reinforcements_;  // answers that reinforced links, with their inputs
  SeenSet seen_proofs_;          // answers that trained the model, with their inputs
  std::optional<ModelLearning> model_;
  bool in_links_ = false;      // the input is within a section of links
  std::string open_question_;  // term of a question without an answer yet; for the model
};

/// The whole contents of a memory as text, with exact numbers. Two memories are equal if their texts are equal.
std::string memory_text(const core::Memory& memory);

}  // namespace engram::bridge
