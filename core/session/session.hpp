// SPDX-License-Identifier: MIT
// Session: a memory in use, with input of Narsese text, recall, budgets and forgetting. C++ programs, the protocol and
// the command line all use this class.
#pragma once

#include <array>
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
#include "core/methods/method.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/nal_reader.hpp"

namespace engram::core {

/// Input line that was refused, with the position of the error in it and the reason.
struct RejectedLine {
  std::size_t line = 1;
  std::size_t column = 1;
  std::string message;
};

/// Result of reading lines of Narsese: how many were accepted, and which were rejected. Good lines are accepted even if
/// others are rejected.
struct InputReport {
  std::size_t accepted = 0;            // sentences, questions included
  std::vector<RejectedLine> rejected;  // at most max_rejected, the first ones
  std::size_t rejected_in_all = 0;
  std::size_t max_rejected = std::numeric_limits<std::size_t>::max();

  /// Counts a rejected line, and stores it unless there are max_rejected already.
  void reject(std::size_t line, std::size_t column, std::string message);
};

/// Callback for each line after its sentence was accepted or rejected. Inside a Session::Request the terms of the line
/// are only valid during the call.
using LineObserver = std::function<void(const narsese::NalLine& line)>;

/// Callback after the session has forgotten statements, with the new ids of concepts and statements.
/// ForgettingHistory::recent has the details.
using ForgettingObserver = std::function<void(const Renumbering& numbers)>;

/// Ring buffer of the last accepted sentences, for display. Statements are stored by id, so adding one is cheap.
class LatestInputs {
 public:
  static constexpr std::size_t capacity = 20;  // chosen: fits on one screen
  /// Chosen; longer questions are cut and end with "...".
  static constexpr std::size_t max_question_bytes = 1024;

  /// Adds an accepted sentence and drops the oldest one. `statement` is the id of its statement, empty for a question.
  void add(const narsese::Sentence& sentence, std::optional<StatementId> statement);
  /// The stored sentences as text, the latest last. `memory` must be the memory that accepted them.
  std::vector<std::string> texts(const Memory& memory) const;
  /// Replaces the ids of statements after forgetting, and drops forgotten statements.
  void renumber(const Renumbering& numbers);

 private:
  struct Entry {
    narsese::Sentence sentence = {};  // without its term
    std::optional<StatementId> statement = {};
    std::string text = {};  // of a question; empty if there is none or the statement was forgotten
  };
  std::array<Entry, capacity> entries_;
  std::size_t next_ = 0;  // the oldest entry, which is replaced next
};

/// A memory with its index, budgets and forgetting policy. One thread at a time may use a session; a copy may be used
/// on another thread.
class Session {
 public:
  /// RAII scope of one request, for example a question of a client; create it before parsing the request's text. The
  /// destructor releases the terms that only questions, cues and rejected lines use, which invalidates their handles.
  /// The work of the request may use the bytes that limits().max_bytes leaves free at its start; memory, index and
  /// request share this limit.
  /// Cost  O(released terms)
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

  /// Creates a session with an empty memory. If the memory is full, it forgets by the policy of `forgetting`; without a
  /// policy it refuses new input.
  explicit Session(MemoryOptions options = {}, ForgettingOptions forgetting = {});
  /// Copy-on-write snapshot of memory, index and budgets, without the observer. Both sessions give the same replies to
  /// the same requests, bit for bit, and may run on different threads. No other thread may change or copy the source
  /// during the copy.
  /// Cost  as for copying the memory (core/graph/memory.hpp) and its index
  Session(const Session& other);
  Session(Session&&) = default;
  Session& operator=(Session&&) = default;
  ~Session() = default;

  const Memory& memory() const { return memory_; }
  /// The memory, to change it directly or to make terms. Drops the index first if the memory could grow so much that
  /// both exceed max_bytes.
  Memory& mutable_memory();
  /// The forgetting policy with its history.
  const Forgetting& forgetting() const { return forgetting_; }
  /// A number that differs after each change of the memory or the budgets; numbers never repeat. Use it to validate
  /// caches.
  std::uint64_t version() const { return versions_before_ + memory_.version(); }
  /// The last accepted sentences as text, the latest last, without link judgements and forgotten statements.
  std::vector<std::string> latest_inputs() const { return latest_.texts(memory_); }
  /// Bytes of the memory and the index, plus the bytes of set_external_bytes().
  std::size_t bytes() const;
  /// The bytes that max_bytes leaves free for a request.
  std::size_t room() const;
  /// Counts bytes outside of this session, such as copies of learned data, against max_bytes. Replaces the number of
  /// the last call.
  void set_external_bytes(std::size_t external_bytes);
  /// The limits of the memory. They never change, so any thread may read them.
  const MemoryLimits& limits() const { return options_.limits; }
  /// Replaces the memory by an empty one, and forgets all terms, budgets and forgetting state.
  void reset();
  /// Replaces memory, budgets and forgetting state, for example by the contents of a snapshot. The session takes its
  /// decay, active terms and learning rule from `memory`; the limits stay.
  void restore(Memory memory, SparseVector concept_budget, SparseVector statement_budget,
               Forgetting::State forgotten = {});

  /// Reads Narsese line by line until the stream ends: accepts sentences and link judgements
  /// (narsese/link_judgement.hpp), lets cycles pass, and skips all else. Use it for files and streams of any length.
  /// Temporary terms are released between lines within a Request or if the session forgets. WorkStopped can interrupt
  /// between two lines; the lines before stay accepted.
  InputReport read(std::istream& narsese, const LineObserver& observer = {},
                   const ForgettingObserver& on_forgotten = {});
  /// Accepts a whole text, all or nothing, for requests of a client: the text is parsed before the first sentence is
  /// accepted, and WorkStopped leaves the memory unchanged. Single lines can still be rejected. One exception: if a
  /// learner exceeds the work limit while sentences are accepted, the remaining lines are rejected with that reason.
  /// The report stores at most max_rejected lines.
  /// Errors  WorkStopped
  InputReport input(std::string_view narsese, narsese::Dialect dialect = narsese::Dialect::any);
  static constexpr std::size_t max_rejected = 10'000;  // chosen

  /// Accepts one sentence, as read() does for each line. `tells_link` marks a link judgement
  /// (narsese::NalLine::tells_link). First forgets decayed evidence if that is due, and forgets more until the sentence
  /// fits.
  /// Returns  the statement, nothing for a question or a link judgement; or why the sentence was refused
  AcceptResult accept(const narsese::Sentence& sentence, bool tells_link = false,
                      const ForgettingObserver& on_forgotten = {});
  /// Forgets all statements and link judgements except those whose flags are set (Memory::keep), and returns the new
  /// ids. Budgets of forgotten items are removed, and the rest are scaled to sum 1.
  Renumbering keep(const std::vector<bool>& statements, const std::vector<bool>& links,
                   ForgettingReason reason);
  /// Disables automatic forgetting, so that only keep() forgets. Use it to replay a log of changes, which contains the
  /// calls of keep().
  void pause_forgetting() { forgets_automatically_ = false; }
  void resume_forgetting() { forgets_automatically_ = true; }

  /// Parses a question (a sentence or a term) into a cue: each concept that the memory knows is active. Without known
  /// concepts the cue is all 0.
  narsese::Result<Cue, narsese::ParseError> cue(std::string_view narsese);
  /// Parses a term and returns its concept, for cues with weights. Returns nothing if the memory does not know the
  /// term, or if the concept has no activity.
  narsese::Result<std::optional<ConceptId>, narsese::ParseError> known_concept(std::string_view term);

  /// The index of the memory, brought up to date. The session keeps it and updates it incrementally, while max_bytes
  /// leaves room.
  /// Errors  WorkStopped if the index does not fit; the old index is then dropped, so that other requests have room
  const MemoryIndex& index();

  /// Sets the default options of a method in this session, for example those of a trained model. configured() uses
  /// them.
  void use(const ConfiguredMethod& method) { configured_.insert_or_assign(method.name(), method); }
  /// Returns a method with the given options. Other options have the values set by use(), or the method's defaults.
  /// Errors  OptionError
  ConfiguredMethod configured(const Method& method, const Options& given = {}) const;
  /// Scores concepts and statements for a cue by a method.
  /// Errors   WorkStopped; OptionError if the memory has no learnt links or if a file of vectors cannot be read;
  ///          std::invalid_argument for a cue of another size
  Recall recall(const ConfiguredMethod& method, const Cue& cue);

  /// Allocates budgets for the concepts or statements of a recall, and returns them, best first
  /// (core/budgets/budget_allocator.hpp). The session keeps their shares as the prior of the next allocation of the
  /// same kind. If `log` is given, it gets all transfers of budget.
  std::vector<Allocation> allocate(const Recall& recall, const AllocationOptions& options,
                                   TransferLog* log = nullptr);
  /// Shares of the last allocation of concepts or statements, by id, with sum 1; empty before the first.
  const SparseVector& budget(AllocationOf of) const {
    return *(of == AllocationOf::concepts ? concept_budget_ : statement_budget_);
  }
  /// Takes over the budget of another session, for example of a copy that computed an allocation on another thread. The
  /// sessions share the data.
  void copy_budget(AllocationOf of, Session& other) {
    budget_of(of) = other.budget_of(of);
    ++versions_before_;
  }

 private:
  // Copies of a session share budgets.
  using Budget = std::shared_ptr<const SparseVector>;
  static Budget shared(SparseVector budget) {
    return std::make_shared<const SparseVector>(std::move(budget));
  }
  Budget& budget_of(AllocationOf of) {
    return of == AllocationOf::concepts ? concept_budget_ : statement_budget_;
  }
  void mark();
  void release_terms();
  bool forget(ForgettingReason reason, const ForgettingObserver& on_forgotten);
  // Trains the forgetting policy with the sentence, then stores it.
  AcceptResult train_and_store(const narsese::Sentence& sentence, bool tells_link);
  // Stores the sentence; drops the index if it does not fit otherwise.
  AcceptResult store(const narsese::Sentence& sentence, bool tells_link);
  void drop_index();
  void charge_index();

  bool in_request_ = false;
  // Sizes of the memory when its terms were last marked.
  std::size_t marked_concepts_ = 0, marked_statements_ = 0;
  MemoryOptions options_;
  std::map<std::string, ConfiguredMethod> configured_;  // set by use(), by method name
  Memory memory_;
  std::size_t external_bytes_ = 0;
  std::unique_ptr<MemoryIndex> index_;
  Budget concept_budget_ = shared({}), statement_budget_ = concept_budget_;
  std::uint64_t versions_before_ = 0;  // counts replaced memories and changes of budgets
  LatestInputs latest_;
  Forgetting forgetting_;
  bool forgets_automatically_ = true;
};

}  // namespace engram::core
