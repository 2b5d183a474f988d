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

/// Bounded set of texts, to count each piece of evidence once. A full set drops its oldest text. Each text takes the
/// same space, because the set stores the first half of its SHA-256.
class SeenSet {
 public:
  /// `most`  capacity in texts, at least one
  explicit SeenSet(std::size_t most) : most_(most > 0 ? most : 1) {}

  /// Adds a text. Returns whether it is new.
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

/// Online training of the weights of proof_attention (core/proofs/proof_training.hpp), which rank the input of a NARS.
/// The answers of the NARS, and its unanswered questions, are the training data.
class ModelLearning {
 public:
  /// Continues the training of `model`. Frozen weights stay constant, in later sessions too.
  /// Errors  std::invalid_argument if the model is not one of proof_attention
  explicit ModelLearning(Model model, const std::vector<core::ProofFeature>& frozen = {});

  /// Trains on an answer with the proof `used`: this proof becomes more probable among all proofs of the answer. The
  /// training ignores the statements `without`. Pass the statements that the reasoner inferred, because a proof with an
  /// inferred statement is shorter than a proof with the premises of that statement.
  void answered(core::Session& session, const narsese::Term& answer,
                const std::vector<core::StatementId>& used, const std::vector<core::StatementId>& without);
  /// Trains on a question that the statements `given` did not answer. Does nothing for more than most_given statements.
  void failed(core::Session& session, const narsese::Term& question,
              const std::vector<core::StatementId>& given, const std::vector<core::StatementId>& without);
  /// The most statements that failed() trains on. The limit was chosen because its time grows with their square.
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

/// A memory that learns from the transcript of a session with a NARS, entry by entry. In addition it keeps bounded
/// records about the origin of statements and about the input of the NARS. They count against the byte limit of the
/// memory.
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
  ///   - `input`: A sentence is an episode, and a number lets time pass (core::Session::input).
  ///   - `heard`, an inference: The judgment or goal is an episode, once for each stamp. The memory ignores sentences
  ///     that the user stated, and sentences about the activity of the reasoner (NarsSystem::mental_operators).
  ///   - `heard`, an answer: The memory reinforces the links between the concepts of each input in the stamp. The
  ///     links get a judgment with the frequency of the input and the confidence of the answer.
  /// A model that learns is trained in two cases, before links are reinforced:
  ///   - The stamp of an answer with confidence above 1/2 names statements of the memory. They are its proof.
  ///   - The next input comes while a question has no answer, although the system answers at once. All inputs of the
  ///     current reasoner then count as statements that did not answer the question.
  /// A repeated answer or inference counts only once while its SeenSet contains it.
  Effect apply(const TranscriptEntry& entry);

  /// Marks all statements of the memory as stated by the user. Call this once, after loading a stored memory.
  void adopt_statements();

  /// The model that learns, if there is one.
  const std::optional<ModelLearning>& model() const { return model_; }
  core::Session& session() { return session_; }
  const core::Session& session() const { return session_; }

  /// The origin of a statement.
  struct Origin {
    std::uint64_t number = 0;               // position among all statements ever added, from 1; never reused
    bool stated = false;                    // by the user; otherwise the reasoner inferred it
    std::vector<std::uint64_t> stamp = {};  // of its first inference
  };
  /// Indexed by statement, with ascending numbers.
  const std::vector<Origin>& origins() const { return origins_; }
  /// The statement with this number, unless it was forgotten.  Cost  O(log statements)
  std::optional<core::StatementId> find(std::uint64_t number) const;
  /// Number of statements that the user stated.
  std::size_t stated_count() const;
  /// Byte limit of each kind of record: inferences, reinforcing answers, training answers, inputs of the reasoner, and
  /// lines for a restarted reasoner (LiveReasoner). All five limits are charged from the start.
  static std::size_t max_record_bytes(const core::MemoryLimits& limits) { return limits.max_bytes / 64; }
  /// Checksums of the memory and the model as they are now.
  SessionEnd end() const;
  bool has_replaced_names() const { return !names_.empty(); }
  /// Restores the user's names in a sentence for the reasoner. Sentences without replaced names stay unchanged.
  std::string with_original_names(const std::string& sentence);
  /// The smallest number that the current reasoner gave to an input with this term.
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

/// The whole contents of a memory as text, with exact numbers, to compare two memories.
std::string memory_text(const core::Memory& memory);

}  // namespace engram::bridge
