// SPDX-License-Identifier: MIT
// What is known, what is asked of it, and what of that an answer needs.
#pragma once

#include <filesystem>

#include "experiments/answering/answering.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments::answering {

/// A question, and what is wanted of every method.
struct AskedQuestion {
  narsese::Sentence sentence;
  std::string text;
  core::Cue asked;
  std::vector<core::ConceptId> names;  // that it activates
  std::vector<std::string> expected, expected_terms;
  std::vector<Question::Proof> proofs;  // of the first each statement once
  bool refuted = false;                 // the file says that nothing answers it
  bool training = false;
  std::size_t unit =
      0;  // of gates that are multiples: what the first proof needs, of a question that nothing
          // answers what that of the question before it needs
  std::vector<bool> statements;        // those of the first proof that the memory has
  std::size_t lost = 0;                // those that it has not
  std::vector<bool> concepts, others;  // needed ones: that the proof and the answer mention, and the question
                                       // does not; all that the question does not name

  /// What the first proof needs, 0 where none is known.
  std::size_t needed() const { return proofs.empty() ? 0 : proofs.front().size(); }
};

struct QuestionSet {
  std::string label;
  std::vector<Gate> gates;
  bool ablation = false;
  std::optional<std::uint64_t> seed = {};
  Corpus corpus = {};
  std::vector<AskedQuestion> questions = {};
  std::vector<std::string> sha256 = {};   // of the files that others made, where it is of such
  std::vector<std::uint32_t> drawn = {};  // all statements, in an order for those with equal scores

  std::string title() const { return seed ? label : std::filesystem::path(label).filename().string(); }
};

/// What counts as solved when `asked` is asked: the other questions of the set with a known proof (the
/// first) that the memory has, for one that is for training those for training alone. Left out are those that ask
/// the same or expect an answer that it expects, too.
std::vector<core::SolvedQuestion> solved_beside(const QuestionSet& set, const AskedQuestion& asked);

/// Of each question of a file its half, 0 or 1, or 2 for neither. In their order each goes to the half with whose
/// known proofs its own share a statement; where there is none to the one with fewer, the first if both have as
/// many; and where both do to neither. So no statement of a known proof is in both. What has no known proof goes
/// with the question before it.
std::vector<int> halves(const std::vector<AskedQuestion>& questions);

/// A file with its first questions, as many as the options want; where something is tuned, the first half of
/// these is for training. Where the options want a half, it has these questions alone.
/// Errors  SpecError where no question says what it needs or expects, or the half has none
QuestionSet file_set(const Input& input, const AnsweringOptions& options, const core::MemoryOptions& memory,
                     CorpusForgetting forgetting = {});

/// One of a kind, for a seed; all its questions are for training, or none. `asks_nars`: with questions that
/// nothing answers (experiments/answering/counterparts.hpp), as a file's where the options name a system.
QuestionSet seeded_set(const SeededSet& set, std::uint64_t seed, bool training, bool asks_nars,
                       const core::MemoryOptions& memory, CorpusForgetting forgetting = {});

/// The files that sets of WordNet are read from.  Errors  InputError where one is not found
std::vector<std::filesystem::path> require_wordnet();

}  // namespace engram::experiments::answering
