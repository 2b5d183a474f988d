// SPDX-License-Identifier: MIT
// A Narsese file as an experiment sees it: a memory of what it states, and what it asks.
#pragma once

#include <istream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// A question and what its author expects.
struct Question {
  std::size_t line = 0;
  narsese::Sentence sentence;
  std::vector<narsese::Sentence> expected;       // answers
  using Proof = std::vector<core::StatementId>;  // its premises
  std::vector<Proof> proofs;                     // that the file names, as a rule the shortest first

  /// What the first proof needs; nothing where none is known.
  Proof needed() const { return proofs.empty() ? Proof() : proofs.front(); }
};

struct Corpus {
  std::string name;
  std::unique_ptr<core::Session> session;
  std::vector<Question> questions;
  std::vector<std::size_t> lines;       // where each statement was said first
  std::vector<narsese::Sentence> said;  // judgments and goals in their order, each time they were said
  std::vector<core::RejectedLine> rejected;
};

/// Reads a file to its end.  Errors  InputError; std::system_error where reading fails halfway
Corpus load_corpus(const Input& input, const core::MemoryOptions& memory);
/// The same from a stream, under a name.
Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory);

/// Rejected lines beside the name of their file.
using Rejections = std::vector<std::pair<std::string, core::RejectedLine>>;
void add_rejections(Rejections& all, const Corpus& corpus);

}  // namespace engram::experiments
