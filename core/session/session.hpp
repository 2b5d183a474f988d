// SPDX-License-Identifier: MIT
// One memory in use: Narsese text in, recalls and budgets out. What C++, the protocol and the command line share.
#pragma once

#include <functional>
#include <istream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/budgets/budget_allocator.hpp"
#include "core/budgets/forgetting.hpp"
#include "core/methods/methods.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/session/latest_inputs.hpp"
#include "narsese/nal_reader.hpp"

namespace engram::core {

/// A line that was not taken in, and why.
struct RejectedLine {
  std::size_t line = 1;
  std::size_t column = 1;
  std::string message;
};

/// What reading some lines of Narsese came to. The good lines are kept whatever the others are.
struct InputReport {
  std::size_t accepted = 0;  // sentences, questions among them
  std::vector<RejectedLine> rejected;
  std::size_t rejected_in_all = 0;
  std::size_t most_rejected = std::numeric_limits<std::size_t>::max();  // that are told of

  /// Counts a line that was not taken in, and keeps it unless there are too many.
  void reject(std::size_t line, std::size_t column, std::string message);
};

/// Sees every line as it is read, after its sentence has been accepted or refused; its terms last as long as
/// the table's, within a Session::Request until it returns.
using LineObserver = std::function<void(const narsese::NalLine& line)>;

/// Is told what became of all numbers, each time that something was forgotten (ForgottenSoFar::recent has what).
using Follower = std::function<void(const Renumbering& numbers)>;

/// A memory with what is worked out from it kept until it changes.
class Session {
 public:
  /// One request, from before its text is read until nothing of it is looked at any more. With it goes what
  /// was named in it alone, by questions, cues and refused lines: terms that it has met are void then, but
  /// for those that stand in the memory. While it lasts its work may take what bytes are left when it begins:
  /// see MemoryOptions::limits.max_bytes, which hold for what is learnt, the readings that are kept and the
  /// request together.
  /// Cost  that of what it has named
  class Request {
   public:
    explicit Request(Session& session);
    ~Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

   private:
    Session& session_;
    WorkBudget work_;
  };

  /// `forgetting`: what a memory does that is full. Where nothing is forgotten it refuses what is new.
  explicit Session(MemoryOptions options = {}, ForgettingOptions forgetting = {});
  /// A session that goes on from the same memory, readings and budgets, each from then on by itself, in a thread of its
  /// own if need be: what is asked of it gets the replies that the other would have given, to the last bit. Nobody
  /// observes it. A session must not be copied by two threads at once, nor while it is changed.
  /// Cost  as of copying the memory (core/graph/memory.hpp) and its readings
  Session(const Session& other);
  Session(Session&&) = default;
  Session& operator=(Session&&) = default;
  ~Session() = default;

  const Memory& memory() const { return memory_; }
  /// What was forgotten, and how that is decided.
  const Forgetting& forgetting() const { return forgetting_; }
  /// Another number after each change of the memory or of the budgets that are kept, never one that was before.
  std::uint64_t version() const { return versions_before_ + memory_.version(); }
  /// The last sentences that were accepted, as they were said, the latest last; not what was told of links, and none
  /// that are forgotten by now.
  std::vector<std::string> latest() const { return latest_.texts(memory_); }
  /// Of what was learnt, of the readings that are kept, and of what others keep.
  std::size_t bytes() const;
  /// What max_bytes leave to a request.
  std::size_t room() const;
  /// From now on so many of max_bytes are taken by what others keep of what it has learnt.
  void share_with(std::size_t others_bytes);
  /// Of the memory, whatever becomes of it: they never change, so any thread may read them at any time.
  const MemoryLimits& limits() const { return options_.limits; }
  /// Forgets everything, terms included.
  void reset();

  /// Goes on with another memory and its kept budgets, as its session would; the limits stay these.
  void become(Memory memory, SparseVector concept_budget, SparseVector statement_budget,
              Forgetting::State forgotten = {});

  /// Reads Narsese until the stream ends: sentences are accepted, those that tell of links
  /// (narsese/link_judgement.hpp) as that, cycle numbers let time pass, the rest is skipped. Within a Request
  /// names of other lines are gone before the next are read, and so they are where the session forgets. May be
  /// stopped (WorkStopped) between two lines.
  InputReport input(std::istream& narsese, const LineObserver& observer = {}, const Follower& follow = {});
  /// The same of a text that is at hand, as one piece of work: all of it is read before any of it is taken
  /// in, and a memory whose input was stopped is as it was. Only where a learner passes over many links is the
  /// taking in stopped as well: then the lines that are left are rejected, each with the reason. Of more than
  /// `most_rejected` lines the rest are only counted.
  /// Errors  WorkStopped
  InputReport input(std::string_view narsese, narsese::Dialect dialect = narsese::Dialect::any);
  static constexpr std::size_t most_rejected = 10'000;  // chosen

  /// Takes one sentence in as input() does; `tells_link`: as evidence for a link (narsese::NalLine::tells_link).
  /// Where it has no room, or it is time to look for what has decayed away, this comes after what is forgotten.
  /// Returns  the statement, nothing for a question or for what is told of a link; or why it was refused
  narsese::Result<std::optional<StatementId>, std::string> accept(const narsese::Sentence& sentence,
                                                                  bool tells_link = false,
                                                                  const Follower& follow = {});
  /// For what is learnt in other ways.
  Memory& change();
  /// Forgets as Memory::keep does; kept budgets go on without what is gone.
  Renumbering keep(const std::vector<bool>& statements, const std::vector<bool>& links,
                   ForgettingReason reason);
  /// From now on nothing is forgotten but by keep(): for who does again what a session did.
  void forget_when_told() { forgets_by_itself_ = false; }
  /// From now on it forgets by its own policy again.
  void forget_by_itself() { forgets_by_itself_ = true; }

  /// A cue written as a sentence or a term: its known concepts, each active. A cue of which nothing is
  /// known is a cue of zeros.
  narsese::Result<Cue, narsese::ParseError> cue(std::string_view narsese);
  /// A term alone, as a weighted cue names it. Nothing where the term is unknown or holds no activation.
  narsese::Result<std::optional<ConceptId>, narsese::ParseError> known_concept(std::string_view term);

  /// The memory's readings at this moment. They stay, and catch up with what is new, as long as memory and
  /// readings together leave max_bytes room to grow.
  /// Errors  WorkStopped where a request has not the bytes for them; none are kept then, so that
  ///         another request has room
  const MemoryIndex& readings();

  /// From now on recalls by this method have these options, such as a model's, where they say no others.
  /// Errors  OptionError
  void use(const Method& method, const Options& options);
  /// What a recall by this method has: what is said, and of what is not, what is used.
  Options options_of(const Method& method, const Options& said) const;
  /// Errors  OptionError for options the method does not take; WorkStopped, as readings()
  Recall recall(const Method& method, const Options& options, const Cue& cue);

  /// Budgets for what was recalled, best first (core/budgets/budget_allocator.hpp). They stay: they are the
  /// budget before of the next allocation of the same kind, until reset().
  std::vector<Allocation> allocate(const Recall& recall, const AllocationOptions& options,
                                   TransferLog* log = nullptr);
  /// Shares of the last allocation, of sum 1, for the concepts or statements there were; empty: none yet.
  const SparseVector& budget(AllocationOf of) const {
    return *(of == AllocationOf::concepts ? concept_budget_ : statement_budget_);
  }
  /// From now on these budgets are those of another session: of a copy, say, that was asked for them.
  void take_budget(AllocationOf of, Session& other) {
    budget_of(of) = other.budget_of(of);
    ++versions_before_;
  }

 private:
  // Where the memory stood when the terms were last marked.
  struct Moment {
    std::size_t concepts = 0, statements = 0;
  };
  void mark();
  void give_back();
  bool forget(ForgettingReason reason, const Follower& follow);
  narsese::Result<std::optional<StatementId>, std::string> accept_with_room(const narsese::Sentence& sentence,
                                                                            bool tells_link,
                                                                            const Follower& follow);
  narsese::Result<std::optional<StatementId>, std::string> store(const narsese::Sentence& sentence,
                                                                 bool tells_link);
  bool in_request_ = false;
  Moment marked_;
  MemoryOptions options_;
  std::map<std::string, Options> used_;  // by method
  Memory memory_;
  narsese::Result<std::optional<StatementId>, std::string> store_expected(const narsese::Sentence& sentence,
                                                                          bool tells_link);
  void drop_readings_that_are_in_the_way();
  void drop_readings();
  void note_readings();

  std::size_t others_bytes_ = 0;
  std::unique_ptr<MemoryIndex> readings_;
  // Which copies share.
  using Budget = std::shared_ptr<const SparseVector>;
  static Budget kept(SparseVector budget) { return std::make_shared<const SparseVector>(std::move(budget)); }
  Budget& budget_of(AllocationOf of) {
    return of == AllocationOf::concepts ? concept_budget_ : statement_budget_;
  }
  Budget concept_budget_ = kept({}), statement_budget_ = concept_budget_;
  std::uint64_t versions_before_ = 0;  // of other memories, and of budgets
  LatestInputs latest_;
  Forgetting forgetting_;
  bool forgets_by_itself_ = true;
};

}  // namespace engram::core
