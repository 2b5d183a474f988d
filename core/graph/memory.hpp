// SPDX-License-Identifier: MIT
// What has been said: every accepted sentence is an episode that activates the concepts it mentions.
#pragma once

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

/// Is told of each change of a memory once it is made, in their order: for who keeps them elsewhere. What it is
/// told makes the same memory again, to the last bit.
class MemoryObserver {
 public:
  virtual void begun() = 0;  // a memory of which nothing is said yet; one that was there before is over
  virtual void accepted(const narsese::Sentence& sentence, bool tells_link) = 0;  // questions, too
  virtual void advanced(Time cycles) = 0;

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
};

struct MemoryImage;

/// Learns from sentences, in the order in which they come.
class Memory {
 public:
  explicit Memory(MemoryOptions options = {});

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
  /// Gives back the terms made since terms().mark() but those that the concepts and statements from these on
  /// are named by, which may move, and marks anew: there were so many then.
  /// Cost  nothing where there are none, else that of the terms made since
  void keep_terms_since(std::size_t concepts, std::size_t statements);

  /// Bytes of all that was learnt, and of all terms: what its containers have allocated, with what they hold
  /// in reserve; within 15 % of what an allocator hands out for it.  Cost  O(1)
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
  ///           its learner would pass over more links than the work may (core/numbers/work.hpp). The memory is
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

  /// The terms within `term` that hold activation, each once, in the order of their first mention.
  std::vector<narsese::Term> active_terms(narsese::Term term) const;

  /// What of `term` this memory knows and can think of: concept ids, ascending.
  std::vector<ConceptId> known_concepts(narsese::Term term) const;

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
  /// Errors  std::invalid_argument unless this memory is empty, the image fits these limits and could be of a
  ///         memory: then this memory is half made and of no use
  void become(const MemoryImage& image);
  /// From now on options().observer.
  void observe(MemoryObserver* observer) { options_.observer = observer; }

 private:
  static std::uint64_t statement_hash(const narsese::Sentence& sentence);
  StatementId find_statement(const narsese::Sentence& sentence) const;  // HashIndex::none for a new one
  void add(const Statement& statement);                                 // of another memory
  bool has_room(narsese::Term fresh, std::span<const narsese::Term> active) const;
  bool has_room_near_the_limit(narsese::Term fresh, std::span<const narsese::Term> active) const;
  void limit_terms();
  std::string too_many_bytes() const;
  std::vector<ConceptId> ids_of(std::span<const narsese::Term> terms) const;
  bool holds_activation(narsese::Term term) const;
  void collect(narsese::Term term, std::vector<narsese::Term>& found) const;

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
};

}  // namespace engram::core
