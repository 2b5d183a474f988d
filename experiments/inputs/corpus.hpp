// SPDX-License-Identifier: MIT
// A Narsese file as an experiment sees it: a memory of what it states, and what it asks.
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

/// A question and what its author expects.
struct Question {
  std::size_t line = 0;
  narsese::Sentence sentence;
  std::vector<narsese::Sentence> expected;       // answers
  using Proof = std::vector<core::StatementId>;  // its premises; see Corpus::lost
  std::vector<Proof> proofs = {};                // that the file names, as a rule the shortest first
  bool refuted = false;                          // no answer is expected: "//expected: Answer: None."

  /// Number of statements in the first proof, 0 if none is known.
  std::size_t needed() const { return proofs.empty() ? 0 : proofs.front().size(); }
};

struct Corpus {
  std::string name;
  std::unique_ptr<core::Session> session;
  std::vector<Question> questions;
  std::vector<std::size_t> lines;       // where each statement was said first
  std::vector<narsese::Sentence> said;  // judgments and goals in their order, each time they were said
  std::vector<core::RejectedLine> rejected;
  /// Premises that were said and that the memory has no more, or has refused, as it was full. In proofs they are
  /// numbered behind its statements: who ranks these never ranks them.
  std::vector<narsese::Sentence> lost = {};
  ForgottenOverTime forgotten = {};
  std::shared_ptr<narsese::TermTable> terms = {};  // of what was said, where the memory's come and go

  std::size_t held() const { return session->memory().statements().size(); }
  bool is_held(core::StatementId premise) const { return premise < held(); }
  bool is_held(const Question::Proof& proof) const {
    return std::ranges::all_of(proof, [&](core::StatementId premise) { return is_held(premise); });
  }
  narsese::Sentence premise(core::StatementId id) const {
    return is_held(id) ? session->memory().statements()[id].sentence : lost[id - held()];
  }
};

/// What the memory of a corpus does that is full. Where it is said, and be it ForgettingPolicy::none, proofs keep what
/// they have lost; else a proof that is not whole in the memory is none, and the line that names it is rejected.
using CorpusForgetting = std::optional<core::ForgettingPolicy>;

/// Reads a file to its end.  Errors  InputError; std::system_error where reading fails halfway
Corpus load_corpus(const Input& input, const core::MemoryOptions& memory, CorpusForgetting forgetting = {});
/// The same from a stream, under a name.
Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory,
                   CorpusForgetting forgetting = {});

/// Rejected lines beside the name of their file.
using Rejections = std::vector<std::pair<std::string, core::RejectedLine>>;
void add_rejections(Rejections& all, const Corpus& corpus);

}  // namespace engram::experiments
