// SPDX-License-Identifier: MIT
// One memory in use: Narsese text in, recalls and budgets out. What the protocol and the command line share.
#pragma once

#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/budgets/budget_allocator.hpp"
#include "core/retrieval/methods.hpp"
#include "narsese/nal_reader.hpp"

namespace engram::bridge {

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
};

/// Sees every line as it is read, after its sentence has been accepted or refused.
using LineObserver = std::function<void(const narsese::NalLine& line)>;

/// A memory with what is worked out from it kept until it changes.
class Session {
 public:
  explicit Session(core::MemoryOptions options = {}) : options_(options), memory_(options) {}

  const core::Memory& memory() const { return memory_; }
  /// Of the memory, whatever becomes of it: they never change, so any thread may read them at any time.
  const core::MemoryLimits& limits() const { return options_.limits; }
  /// Forgets everything, terms included.
  void reset();

  /// Goes on with another memory and its kept budgets, as its session would; the limits stay these.
  void become(core::Memory memory, core::Vector concept_budget, core::Vector statement_budget);

  /// Reads Narsese until the stream ends: sentences are accepted, those that tell of links
  /// (narsese/link_judgement.hpp) as that, cycle numbers let time pass, the rest is skipped. Nothing is read
  /// by a session that is full().
  InputReport input(std::istream& narsese, const LineObserver& observer = {},
                    narsese::Dialect dialect = narsese::Dialect::any);

  /// Takes one sentence in as input() does; `text` is what it was read from.
  /// Returns  the statement, nothing for a question or for what is told of a link; or why it was refused
  narsese::Result<std::optional<core::StatementId>, std::string> accept(const narsese::Sentence& sentence,
                                                                        std::string_view text = {});
  /// Why no more names are read; empty as long as they are: once the terms that were ever named, in questions
  /// and cues too, take more than 1 MiB and 256 bytes for each concept that the memory may hold. Input, cues
  /// and terms are refused then, until reset().
  std::string full();
  /// For what is learnt in other ways; what was worked out from the memory is dropped.
  core::Memory& change();

  /// A cue written as a sentence or a term: its known concepts, each active. A cue of which nothing is
  /// known is a cue of zeros.
  narsese::Result<core::Cue, narsese::ParseError> cue(std::string_view narsese);
  /// A term alone, as a weighted cue names it. Nothing where the term is unknown or holds no activation.
  narsese::Result<std::optional<core::ConceptId>, narsese::ParseError> known_concept(std::string_view term);

  /// The memory's readings at this moment.
  const core::Readings& readings();

  /// Errors  core::OptionError for options the method does not take
  core::Recall recall(const core::Method& method, const core::Options& options, const core::Cue& cue) {
    return core::make_retriever(method, options)(readings(), cue);
  }

  /// Budgets for what was recalled, best first (core/budgets/budget_allocator.hpp). They stay: they are the
  /// budget before of the next allocation of the same kind, until reset().
  std::vector<core::Allocation> allocate(const core::Recall& recall, const core::AllocationOptions& options,
                                         core::TransferLog* log = nullptr);
  /// Shares of the last allocation, of sum 1, for the concepts or statements there were; empty: none yet.
  const core::Vector& budget(core::AllocationOf of) const {
    return of == core::AllocationOf::concepts ? concept_budget_ : statement_budget_;
  }

 private:
  core::MemoryOptions options_;
  core::Memory memory_;
  std::optional<core::Readings> readings_;
  core::Vector concept_budget_, statement_budget_;
};

}  // namespace engram::bridge
