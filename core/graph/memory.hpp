// SPDX-License-Identifier: MIT
// A memory of sentences: each accepted sentence is an episode that activates the concepts it mentions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/graph/concept_graph.hpp"
#include "core/graph/link_learning.hpp"
#include "core/graph/statements.hpp"
#include "narsese/result.hpp"
#include "narsese/sentence.hpp"

namespace engram::narsese {
struct NalLine;
}

namespace engram::core {

/// Selects the terms that can be active; episodes link only these terms. Atoms and operators always can. Variables,
/// intervals, copulas and terms that contain variables never can, because they name no single thing. SELF, compounds
/// and statements cannot by default: on the kinship and taxonomy files, a question's premises are found more often with
/// atoms alone, with half the links.
struct ActivationPolicy {
  bool compounds = false;   // {tim}, (*,tim,tom)
  bool statements = false;  // <tim --> cat>
  bool self = false;        // SELF, which is in every operation and so would be a hub
};

/// Limits on the size of a memory. It refuses input that would exceed one, before it allocates. All defaults are
/// chosen.
struct MemoryLimits {
  std::size_t max_concepts = std::size_t{1} << 22;
  std::size_t max_hebbian_links = std::size_t{1} << 25;
  std::size_t max_statements = std::size_t{1} << 22;
  std::size_t max_active = 256;                  // concepts that one sentence activates; at most 65,535
  std::size_t max_bytes = std::size_t{1} << 32;  // 4 GiB, for all that Memory::bytes() counts
};

/// Why the memory forgets: the limit that would be exceeded, or evidence that has decayed.
enum class ForgettingReason : std::uint8_t { concepts, links, statements, bytes, decayed };

/// New ids of concepts and statements after the memory has forgotten some, indexed by the old id; `gone` for a
/// forgotten item.
struct Renumbering {
  static constexpr std::uint32_t gone = 0xffffffffU;
  std::vector<std::uint32_t> concepts, statements;
};

/// Interface for callbacks after each change of a memory, in order. Use it to log changes: a memory that gets the
/// logged changes again is the same, bit for bit.
class MemoryObserver {
 public:
  virtual void begun() = 0;  // a new, empty memory replaces the observed one
  virtual void accepted(const narsese::Sentence& sentence, bool tells_link) = 0;  // questions included
  /// Time has passed without input.
  virtual void advanced(Time cycles) = 0;
  virtual void kept(const std::vector<bool>& statements, const std::vector<bool>& links,
                    ForgettingReason reason) = 0;  // the memory forgot; arguments of Memory::keep

 protected:
  ~MemoryObserver() = default;
};

/// Options of a memory: its decay, active terms, limits, learning rule and observer.
struct MemoryOptions {
  double decay = 0;  // share of evidence lost each cycle, in [0, 1)
  ActivationPolicy activation;
  MemoryLimits limits;
  std::optional<LinkLearning> learning = {};  // rule that learns additional link weights
  MemoryObserver* observer = nullptr;         // must outlive the memory
  bool reserves_forgetting_space = false;     // leave half of max_bytes to keep() and to questions
};

struct MemoryImage;

/// Result of accepting a sentence: its statement (nothing for a question), or the reason of the refusal.
using AcceptResult = narsese::Result<std::optional<StatementId>, std::string>;

/// Memory of sentences: the statements that it has accepted, and the concept graph and terms learned from them.
class Memory {
 public:
  explicit Memory(MemoryOptions options = {});
  /// Copy-on-write: the two memories share pages until one changes them, but bytes() counts the pages in both. Term
  /// handles are valid in both. Given the same input, both stay equal. The copy keeps the observer; call observe() to
  /// change it.
  /// Cost  O(pages of 16 to 64 KiB); later a copy of each page that either memory changes
  Memory(const Memory&) = default;
  Memory(Memory&&) = default;
  Memory& operator=(Memory&&) = default;
  ~Memory() = default;

  /// The term table. Sentences for this memory must have terms from it. The table may use the bytes that the other
  /// parts leave of max_bytes.
  narsese::TermTable& terms() { return terms_; }
  const ConceptGraph& graph() const { return graph_; }
  const Statements& statements() const { return statements_; }
  const MemoryOptions& options() const { return options_; }
  /// The learner of additional link weights; empty unless options().learning is set.
  const std::optional<LinkLearner>& learner() const { return learner_; }
  Time now() const { return now_; }
  /// A number that differs after each change of the memory. Use it to validate caches.
  std::uint64_t version() const { return version_; }

  /// Accepts a sentence and advances one cycle. A judgment or goal is an episode: it adds its confidence as evidence D
  /// to its statement. All sentences with the same term and punctuation belong to one statement. A question changes
  /// nothing but the cycle.
  ///
  /// The evidence D of a statement is split by its frequency f (for a goal, its degree of desire). The share f supports
  /// the links between the statement's concepts, and the share 1 - f is denied. All of D counts for the activity of
  /// each concept. While all sentences of a statement are eternal, f is the frequency of their revised truth, so a
  /// contradiction removes the support of earlier sentences. An event keeps its own f, because later events do not
  /// change it. A learner (options().learning) learns with evidence f c from each single sentence of frequency f and
  /// confidence c, because its rules depend on the order of sentences and cannot be undone.
  /// Errors    the reason as text if a limit would be exceeded, even for a moment while a container grows; WorkStopped
  ///           if the learner would visit too many links (core/numbers/work_budget.hpp). The memory is then unchanged
  /// Cost      O(m max_partners) expected for m active concepts, and the learner's cost
  AcceptResult accept(const narsese::Sentence& sentence);

  /// Accepts a judgement about a link, such as <(*,a,b) --> associated>, and returns the link's number (see
  /// ConceptGraph::revise). The judgement is not an episode, makes no statement and takes no cycle, so an empty memory
  /// that reads the links of another one has the same links.
  /// Errors    the reason as text unless both ends can be active and c is in (0, 1), or if a limit would be exceeded.
  ///           The memory is then unchanged
  narsese::Result<std::uint32_t, std::string> accept_link(const narsese::Sentence& judgement);

  /// Lets `cycles` cycles pass without input, at most until last_moment (core/graph/memory_image.hpp). All evidence
  /// decays accordingly.
  void advance(Time cycles);
  /// Prefetches the data that accept() reads for the sentences in `lines`. Use it for batches of lines.
  void prefetch(std::span<const narsese::NalLine> lines) const;

  /// The terms within `term`, itself included, that can be active (ActivationPolicy), each once, in order of first
  /// mention.
  std::vector<narsese::Term> active_terms(narsese::Term term) const;
  /// The concepts of this memory among active_terms(term), ascending.
  std::vector<ConceptId> known_concepts(narsese::Term term) const;
  /// The statement with the term and punctuation of `sentence`, if there is one.
  std::optional<StatementId> find(const narsese::Sentence& sentence) const;

  /// Evidence of a statement's episodes, decayed to now.
  double evidence(const Statement& statement) const;
  double evidence(StatementId e) const {
    return statements_.evidence(e) * graph_.retention(now_ - statements_.updated(e));
  }
  /// Total evidence of episodes and link judgements, decayed to now.
  double total_evidence() const { return total_ * graph_.retention(now_ - total_updated_); }

  /// Forgets all statements and link judgements except those whose flags are set, and returns the new ids. The memory
  /// then equals one that read each kept statement once, in order, with its present evidence and time. Concepts that no
  /// kept statement or judgement mentions are forgotten too. Weights of the learner between remaining concepts stay.
  /// Terms stay until release_terms_since().
  /// statements  flags by StatementId
  /// links       flags by number of the Hebbian link; they matter only for links with judgements
  /// Cost        as accepting the kept statements without parsing; bytes_to_forget() bytes
  Renumbering keep(const std::vector<bool>& statements, const std::vector<bool>& links,
                   ForgettingReason reason);
  /// Upper bound on the temporary bytes of keep() and release_terms_since().  Cost  O(1)
  std::size_t bytes_to_forget() const;
  /// Whether an empty memory with these limits on concepts, links and statements could accept the sentence. Does not
  /// check the limit on bytes. Use it to decide whether forgetting can help.
  bool fits_when_empty(const narsese::Sentence& sentence) const;
  /// The limit that the last refused sentence would have exceeded. Empty after an accepted sentence, and after a
  /// refusal for another reason.
  std::optional<ForgettingReason> exceeded_limit() const { return exceeded_limit_; }
  /// Releases the terms made since terms().mark(), and sets a new mark. Keeps terms of concepts with an id of at least
  /// `concepts` and of statements with an id of at least `statements`: the sizes at the mark. The kept terms may move.
  /// Also calls release_forgotten_terms(). Use it after a request, to free the terms of questions and rejected lines.
  /// Cost  O(terms made since the mark)
  void release_terms_since(std::size_t concepts, std::size_t statements);
  /// Releases all terms that name no concept or statement, if they are at least a fourth of the table. The other terms
  /// move, which invalidates handles outside this memory.
  /// Cost  0 or O(terms): amortised O(forgotten terms)
  void release_forgotten_terms();

  /// Allocated bytes of terms and learned data, at most 15 % below the allocator's real use. Leaves out untouched bytes
  /// before tables that are aligned to 2 MiB pages.  Cost  O(1)
  std::size_t bytes() const;
  /// Counts bytes outside of this memory, such as an index, against max_bytes. Replaces the number of the last call.
  void set_external_bytes(std::size_t external_bytes);
  /// Sets options().reserves_forgetting_space: whether the memory leaves half of max_bytes free.
  void reserve_forgetting_space(bool reserves) { options_.reserves_forgetting_space = reserves; }
  /// Sets options().observer, which is called after each change; null for none.
  void observe(MemoryObserver* observer) { options_.observer = observer; }

  /// An image of the learned data as plain numbers, for a snapshot (core/graph/memory_image.hpp).  Cost  O(memory)
  MemoryImage image() const;
  /// Restores an image of a memory with the same options except for limits, bit for bit. The terms of the image must be
  /// from this memory's table. Uses two threads.
  /// Errors  std::invalid_argument unless this memory is empty and the image is consistent and within the limits. The
  ///         memory is then unusable
  void restore(const MemoryImage& image);

 private:
  // By concept: whether it holds activation, and whether a component does.
  struct Activation {
    std::vector<bool> itself, inner;
  };

  static std::uint64_t statement_hash(const narsese::Sentence& sentence);
  bool is_statement(StatementId e, const narsese::Sentence& sentence) const;
  // Why the sentence would exceed a limit, empty if it would not.
  std::string check_limits(const narsese::Sentence& sentence, std::span<const narsese::Term> active,
                           bool is_new);
  StatementId add_statement(const narsese::Sentence& sentence, std::span<const narsese::Term> active);
  void add_episode(StatementId id, const narsese::Sentence& sentence, bool is_new);
  void replay(std::vector<ConceptGraph::JudgedLink> judged);
  void restore_statements(const MemoryImage& image, const ConceptGraph::Components& components);
  void restore_statement(const Statement& statement, ConceptId likely,
                         const ConceptGraph::Components& components, const Activation& activation,
                         std::vector<ConceptId>& active);
  // Whether an episode of these concepts, with a new statement of term `fresh` if it is set, fits in max_bytes.
  bool fits(narsese::Term fresh, std::span<const narsese::Term> active) const;
  void limit_terms();
  // Bytes of max_bytes that learning must leave free. A memory that forgets leaves half for the index, for questions
  // and for forgetting itself; otherwise a full memory could answer nothing.
  std::size_t headroom() const {
    if (!options_.reserves_forgetting_space) return external_bytes_;
    return std::max({external_bytes_, bytes_to_forget(), options_.limits.max_bytes / 2});
  }
  // Notes the limit and returns a message.
  std::string full(ForgettingReason limit, const char* items = nullptr);
  // The two ends of a link judgement, or why the sentence is none.
  narsese::Result<std::array<narsese::Term, 2>, std::string> ends_of_link(
      const narsese::Sentence& judgement) const;
  std::vector<ConceptId> ids_of(std::span<const narsese::Term> terms) const;
  bool holds_activation(narsese::Term term) const;
  // Whether a term can be active, if the caller knows whether a component of it can.
  bool holds_activation(narsese::Term term, bool inner_holds) const;
  void collect(narsese::Term term, std::vector<narsese::Term>& found) const;
  Activation activation_by_concept(const ConceptGraph::Components& components) const;
  void collect(ConceptId id, const ConceptGraph::Components& components, const Activation& activation,
               std::vector<ConceptId>& found) const;

  MemoryOptions options_;
  narsese::TermTable terms_;
  ConceptGraph graph_;
  std::optional<LinkLearner> learner_;
  Statements statements_;
  narsese::HashIndex statement_index_;
  Time now_ = 0;
  std::uint64_t version_ = 0;
  double total_ = 0;  // evidence of episodes and link judgements, as of total_updated_
  Time total_updated_ = 0;
  std::optional<ForgettingReason> exceeded_limit_;
  std::size_t external_bytes_ = 0;
  std::size_t unnamed_ = 0;  // terms without a concept after the last release of forgotten terms
};

/// A Hebbian link in the form of a judgement, <(*,source,target) --> associated>.
struct LinkJudgement {
  narsese::Term source, target;  // in the order of narsese::compare
  double weight = 0;             // positive evidence: the link's entry in the matrix W
  narsese::TruthValue truth;     // f = w+/w, c = w/(w+k), of positive evidence w+ and total w
};

/// The `top` strongest Hebbian links that have evidence now; only links of concept `of` if it is given. They are sorted
/// by weight (computed from f and c), then confidence, then terms. The order does not depend on ids, so a memory that
/// reads these judgements in any order returns the same list. Expectation would be a bad order: most links have f <
/// 1/2, so it ranks links with less evidence higher.
/// Cost  O(links), and O(top log top) to sort
std::vector<LinkJudgement> best_links(const Memory& memory, std::optional<ConceptId> of, std::size_t top);

}  // namespace engram::core
