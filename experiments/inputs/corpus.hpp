// SPDX-License-Identifier: MIT
// Corpus: a Narsese file, with a memory of its statements and its questions.
#pragma once

#include <algorithm>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.hpp"
#include "experiments/inputs/forgotten.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// A question with the answers and proofs that its author expects.
struct Question {
  std::size_t line = 0;
  narsese::Sentence sentence;
  std::vector<narsese::Sentence> expected;       // answers
  using Proof = std::vector<core::StatementId>;  // premises; see Corpus::lost
  std::vector<Proof> proofs = {};                // proofs that the file names, usually the shortest first
  bool refuted = false;                          // no answer is expected: "//expected: Answer: None."

  /// Number of statements in the first proof, 0 if none is known.
  std::size_t needed() const { return proofs.empty() ? 0 : proofs.front().size(); }
};

struct Corpus {
  std::string name;
  std::unique_ptr<core::Session> session;
  std::vector<Question> questions;
  std::vector<std::size_t> lines;       // line of the first input of each statement
  std::vector<narsese::Sentence> said;  // all judgments and goals in order, repetitions included
  std::vector<core::RejectedLine> rejected;
  /// Premises that were read, but that the full memory has forgotten or rejected. In proofs, their ids are greater than
  /// the ids of all statements, so no ranking contains them.
  std::vector<narsese::Sentence> lost = {};
  ForgottenOverTime forgotten = {};
  std::shared_ptr<narsese::TermTable> terms = {};  // owns the terms in `said` if the memory forgets

  std::size_t held() const { return session->memory().statements().size(); }
  bool is_held(core::StatementId premise) const { return premise < held(); }
  bool is_held(const Question::Proof& proof) const {
    return std::ranges::all_of(proof, [&](core::StatementId premise) { return is_held(premise); });
  }
  narsese::Sentence premise(core::StatementId id) const {
    return is_held(id) ? session->memory().statements()[id].sentence : lost[id - held()];
  }
};

/// Forgetting policy of a full memory. With a policy (also ForgettingPolicy::none), proofs keep lost premises. Without
/// one, the corpus rejects proofs with a premise that is not in memory.
using CorpusForgetting = std::optional<core::ForgettingPolicy>;

/// Reads a whole file.  Errors  InputError; std::system_error if reading fails
Corpus load_corpus(const Input& input, const core::MemoryOptions& memory, CorpusForgetting forgetting = {});
/// Reads a corpus from a stream. `name` replaces the file name.
Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory,
                   CorpusForgetting forgetting = {});

/// Rejected lines, each with the name of its file.
using Rejections = std::vector<std::pair<std::string, core::RejectedLine>>;
void add_rejections(Rejections& all, const Corpus& corpus);

}  // namespace engram::experiments
