// SPDX-License-Identifier: MIT
// What has been said: every accepted sentence is an episode that activates the concepts it mentions.
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

/// Which terms hold activation. Atoms and operators always do; variables, intervals, copulas and what
/// consists of them alone never do, nor does a term with a variable in it: it stands for no one thing. SELF
/// does not, and compounds and statements are concepts of the graph but only conduct, unless switched on: on
/// the kinship and taxonomy files a question's premises are found more often with atoms alone, at half the
/// links.
struct ActivationPolicy {
  bool compounds = false;   // {tim}, (*,tim,tom)
  bool statements = false;  // <tim --> cat>
  bool self = false;        // SELF, which is in every operation and so would be a hub
};

/// Bounds on growth; what would pass them is refused with a reason, before memory is asked for. All chosen,
/// not derived.
struct MemoryLimits {
  std::size_t max_concepts = std::size_t{1} << 22;
  std::size_t max_hebbian_links = std::size_t{1} << 25;
  std::size_t max_statements = std::size_t{1} << 22;
  std::size_t max_active = 256;                  // concepts that one sentence activates; 65,535 at most
  std::size_t max_bytes = std::size_t{1} << 32;  // 4 GiB, of all that Memory::bytes() counts
};

/// Why something is forgotten: which limit it was, or that its evidence has decayed away.
enum class ForgettingReason : std::uint8_t { concepts, links, statements, bytes, decayed };

/// Numbers after some were forgotten: by the number before, the one since; or gone.
struct Renumbering {
  static constexpr std::uint32_t gone = 0xffffffffU;
  std::vector<std::uint32_t> concepts, statements;
};

/// Is told of each change of a memory once it is made, in their order: for who keeps them elsewhere. What it is
/// told makes the same memory again, to the last bit.
class MemoryObserver {
 public:
  virtual void begun() = 0;  // a memory of which nothing is said yet; one that was there before is over
  virtual void accepted(const narsese::Sentence& sentence, bool tells_link) = 0;  // questions, too
  /// So many cycles have passed.
  virtual void advanced(Time cycles) = 0;
  virtual void kept(const std::vector<bool>& statements, const std::vector<bool>& links,
                    ForgettingReason reason) = 0;  // Memory::keep

 protected:
  ~MemoryObserver() = default;
};

/// How a memory fades, which terms become concepts, and how large it may grow.
struct MemoryOptions {
  double decay = 0;  // share of all evidence that is lost a cycle, in [0, 1)
  ActivationPolicy activation;
  MemoryLimits limits;
  std::optional<LinkLearning> learning = {};  // a rule that learns weights of its own beside the counts
  MemoryObserver* observer = nullptr;         // outlives the memory
  bool keeps_room_to_forget = false;          // half of max_bytes, so that keep() and questions find room
};

struct MemoryImage;

/// Learns from sentences, in the order in which they come.
class Memory {
 public:
  explicit Memory(MemoryOptions options = {});
  /// The same memory once more: handles of its terms are good in both, and whatever is said to both, they stay the
  /// same. Both share what neither has changed since, and bytes() counts it on both sides. Its observer hears of the
  /// changes of both: see observe().
  /// Cost  a look at each page of 16 to 64 KiB; then, of each page that either changes, that of copying it
  Memory(const Memory&) = default;
  Memory(Memory&&) = default;
  Memory& operator=(Memory&&) = default;
  ~Memory() = default;

  /// Terms of sentences given to this memory must come from this table, whose limit is what is left of
  /// max_bytes.
  narsese::TermTable& terms() { return terms_; }
  const ConceptGraph& graph() const { return graph_; }
  const Statements& statements() const { return statements_; }
  const MemoryOptions& options() const { return options_; }
  /// What learns by options().learning from every episode; nothing where that names no rule.
  const std::optional<LinkLearner>& learner() const { return learner_; }
  Time now() const { return now_; }
  /// Another number after each change, so that what was worked out before can tell.
  std::uint64_t version() const { return version_; }
  /// Forgets the statements that are not kept, and what was told of the links that are not. What is left is the
  /// memory to which the kept statements were said, in their order, each once, with the evidence that it has had
  /// since it was said last: links and activity are sums over these (learnt weights stay as they are, where both
  /// ends do). So concepts that none of them names are gone, and numbers are given anew. Terms stay until
  /// keep_terms_since().
  /// statements  by statement    links  by Hebbian link; of those without anything told nothing is asked
  /// Cost  as of saying what is kept, without reading it; bytes_to_forget() bytes
  Renumbering keep(const std::vector<bool>& statements, const std::vector<bool>& links,
                   ForgettingReason reason);
  /// What keep() and keep_terms_since() take at most for a moment beside all there is.  Cost  O(1)
  std::size_t bytes_to_forget() const;
  /// Whether an empty memory has room for it, but for bytes.
  bool could_hold(const narsese::Sentence& sentence) const;
  /// The limit that refused what was last said, if that was one of size.
  std::optional<ForgettingReason> shortage() const { return shortage_; }
  /// Gives back the terms made since terms().mark() but those that the concepts and statements from these on
  /// are named by, which may move, and marks anew: there were so many then. Where much was forgotten since the
  /// last time, this is give_back_forgotten_terms(), too.
  /// Cost  nothing where there are none, else that of the terms made since
  void keep_terms_since(std::size_t concepts, std::size_t statements);
  /// Where terms that no concept has any more have come to a fourth, all go but those of concepts and statements,
  /// which move: all other handles are void then.
  /// Cost  nothing, or that of all terms: on average that of those forgotten
  void give_back_forgotten_terms();

  /// Bytes of all that was learnt, and of all terms: what its containers have allocated, with what they hold
  /// in reserve; within 15 % of what an allocator hands out for it, but for what is left untouched before tables
  /// that begin on a page of 2 MiB.  Cost  O(1)
  std::size_t bytes() const;
  /// Lets time pass without input, to the last moment at most (core/graph/memory_image.hpp).
  void advance(Time cycles);

  /// Takes a sentence in, one cycle. Judgments and goals are episodes whose evidence D is their confidence;
  /// questions ask and teach nothing: they give no statement, and without a truth value they are evidence of
  /// nothing. The same term and punctuation is one statement.
  ///
  /// What is denied is no evidence that things go together. Of a statement's D the share f is for the links
  /// between its concepts and 1 - f against them; all of it counts for the activity of each. While the
  /// statement is eternal, f is its revised truth's: who contradicts what was said takes away what that gave,
  /// and of one statement alone the link's frequency is the statement's. Of events each keeps the f that it
  /// came with: what is over was so. Of a goal f is how far it is desired, so what is to be avoided joins
  /// nothing. A learner, whose rules depend on the order of episodes and cannot take one back, learns from
  /// f c of each sentence as it comes.
  /// Returns   the statement, or nothing for a question
  /// Errors    the reason as text if a limit would be passed, if only while a container grows; WorkStopped where
  ///           its learner would pass over more links than the work may (core/numbers/work_budget.hpp). The memory is
  ///           then unchanged
  /// Cost      O(m max_partners) expected for m active concepts, and that of its learner
  narsese::Result<std::optional<StatementId>, std::string> accept(const narsese::Sentence& sentence);

  /// Takes in what is told of a link: a judgement with the ends of narsese::link_ends (see
  /// ConceptGraph::tell). It is no episode
  /// and no statement, and takes no cycle: a memory that is told the links of another has them as they are.
  /// Returns   the link's index
  /// Errors    the reason as text unless a and b may hold activation and c is in (0, 1), or if a limit would
  ///           be passed; the memory is then unchanged
  narsese::Result<std::uint32_t, std::string> accept_link(const narsese::Sentence& judgement);

  /// Asks memory for what accept will need of these lines, where they have a sentence.
  void prefetch(std::span<const narsese::NalLine> lines) const;

  /// The terms within `term` that hold activation, each once, in the order of their first mention.
  std::vector<narsese::Term> active_terms(narsese::Term term) const;

  /// Why a sentence is refused that mentions so many concepts; nothing where it is not.
  std::string too_many_active(std::size_t active) const;
  /// The ends of a link that is told; or why it is no such judgement.
  narsese::Result<std::array<narsese::Term, 2>, std::string> ends_of_link(
      const narsese::Sentence& judgement) const;

  /// What of `term` this memory knows and can think of: concept ids, ascending.
  std::vector<ConceptId> known_concepts(narsese::Term term) const;

  /// The statement that says this.
  std::optional<StatementId> find(const narsese::Sentence& sentence) const;

  /// Evidence of a statement's episodes, decayed to now.
  double evidence(const Statement& statement) const;
  double evidence(StatementId e) const {
    return statements_.evidence(e) * graph_.kept(now_ - statements_.updated(e));
  }
  /// Evidence of all episodes and of what was told of links, decayed to now.
  double total_evidence() const { return total_ * graph_.kept(now_ - total_updated_); }

  /// All that was learnt, as numbers (core/graph/memory_image.hpp).  Cost  a copy of the memory
  MemoryImage image() const;
  /// Takes on the state of another memory with the same options but for limits, to the last bit: whatever
  /// is said to both from then on, they are the same. Terms of the image come from this memory's table.
  /// By two threads.
  /// Errors  std::invalid_argument unless this memory is empty, the image fits these limits and could be of a
  ///         memory: then this memory is half made and of no use
  void become(const MemoryImage& image);
  /// From now on options().observer.
  void observe(MemoryObserver* observer) { options_.observer = observer; }
  /// From now on so many of max_bytes are taken by what others keep of it.
  void share_with(std::size_t others_bytes);
  /// From now on options().keeps_room_to_forget.
  void keep_room_to_forget(bool keeps) { options_.keeps_room_to_forget = keeps; }

 private:
  // By concept: whether it holds activation, and whether something within does.
  struct Activation {
    std::vector<bool> itself, inner;
  };

  static std::uint64_t statement_hash(const narsese::Sentence& sentence);
  StatementId find_statement(const narsese::Sentence& sentence) const;  // HashIndex::none for a new one
  bool says(StatementId e, const narsese::Sentence& sentence) const;    // the same
  void become_statements(const MemoryImage& image, const ConceptGraph::Components& components);
  void add(const Statement& statement, ConceptId likely, const ConceptGraph::Components& components,
           const Activation& activation, std::vector<ConceptId>& active);  // of another memory
  bool has_room(narsese::Term fresh, std::span<const narsese::Term> active) const;
  bool has_room_near_the_limit(narsese::Term fresh, std::span<const narsese::Term> active) const;
  void limit_terms();
  // What must be left of max_bytes: for what others keep of it; where it forgets half of them, for readings and
  // questions, which would find no room beside a memory that is always full, and for forgetting.
  std::size_t beside() const {
    if (!options_.keeps_room_to_forget) return others_;
    return std::max({others_, bytes_to_forget(), options_.limits.max_bytes / 2});
  }
  std::string full(ForgettingReason limit, const char* of = nullptr);
  std::vector<ConceptId> ids_of(std::span<const narsese::Term> terms) const;
  bool holds_activation(narsese::Term term) const;
  bool holds(narsese::Term term, bool inner_holds) const;
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
  double total_ = 0;  // of episodes, and of what was told of links
  Time total_updated_ = 0;
  std::optional<ForgettingReason> shortage_;
  std::size_t others_ = 0;   // bytes of max_bytes
  std::size_t unnamed_ = 0;  // terms that no concept had when they were last all of use
};

}  // namespace engram::core
