// SPDX-License-Identifier: MIT
// The questions of a file, and of each kind of set.
#pragma once

#include <filesystem>

#include "experiments/answering/answering.hpp"
#include "experiments/inputs/asked_questions.hpp"

namespace engram::experiments::answering {

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

/// The sets of a spec, one for each trial: its files, then each seeded set with its seeds for training and its others.
class TrialSets {
 public:
  /// A trial's set before it is made.
  struct Place {
    std::size_t set = 0;  // of the files, or of the seeded sets
    std::optional<std::uint64_t> seed = {};
    bool training = false;
    bool shown = false;  // question by question: files, and the first seed of a set that is not for training
  };

  /// Both must outlive this.
  TrialSets(const Spec& spec, const AnsweringOptions& options, CorpusForgetting forgetting = {});
  /// Reads the files; called once.  Errors  InputError, SpecError
  Rejections prepare();
  std::size_t count() const { return spec_.inputs.size() + options_.sets.size() * seeds_.size(); }
  Place place(std::size_t trial) const;
  /// As Trials::setting(). Other seeds and sets make no difference to a trial.
  Json setting(std::size_t trial) const;
  std::shared_ptr<const QuestionSet> set(std::size_t trial) const;
  /// The same of a memory that forgets by another policy.
  QuestionSet made(const Place& place, CorpusForgetting forgetting) const;

 private:
  const Spec& spec_;
  const AnsweringOptions& options_;
  CorpusForgetting forgetting_;
  std::vector<Place> seeds_;  // of each set
  std::vector<std::shared_ptr<const QuestionSet>> files_;
};

}  // namespace engram::experiments::answering
