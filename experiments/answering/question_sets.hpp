// SPDX-License-Identifier: MIT
// Question sets of files and of each kind of generated set.
#pragma once

#include <filesystem>

#include "experiments/answering/answering.hpp"
#include "experiments/inputs/asked_questions.hpp"

namespace engram::experiments::answering {

/// Splits questions into halves without common statements of known proofs. Returns 0 or 1 for each question, or 2 for
/// neither. In order, a question joins the half whose proofs share a statement with its proofs. If no half does, it
/// joins the smaller one, or the first if both are equal; if both do, it joins neither. A question without a known
/// proof joins the half of the question before it.
std::vector<int> halves(const std::vector<AskedQuestion>& questions);

/// Question set of a file, with at most `most_questions` questions. With tuning, the first half of these is for
/// training. If the options select a half, the set contains only that half.
/// Errors  SpecError if no question names needed statements or expected answers, or if the half has none
QuestionSet file_set(const Input& input, const AnsweringOptions& options, const core::MemoryOptions& memory,
                     CorpusForgetting forgetting = {});

/// Question set of a kind for a seed. All its questions are for training, or none. If `asks_nars` is set, adds
/// questions without an answer (experiments/answering/counterparts.hpp), as file_set() does if the options name a
/// system.
QuestionSet seeded_set(const SeededSet& set, std::uint64_t seed, bool training, bool asks_nars,
                       const core::MemoryOptions& memory, CorpusForgetting forgetting = {});

/// Paths of the WordNet files.  Errors  InputError if one is missing
std::vector<std::filesystem::path> require_wordnet();

/// Question sets of a spec, one for each trial: first the files, then each seeded set with its training seeds and its
/// other seeds.
class TrialSets {
 public:
  /// Description of the set of a trial.
  struct Place {
    std::size_t set = 0;  // index of the file or of the seeded set
    std::optional<std::uint64_t> seed = {};
    bool training = false;
    bool shown = false;  // has a page for each question: files, and the first test seed of a set
  };

  /// Both arguments must outlive this object.
  TrialSets(const Spec& spec, const AnsweringOptions& options, CorpusForgetting forgetting = {});
  /// Reads the files. Call it once.  Errors  InputError, SpecError
  Rejections prepare();
  std::size_t count() const { return spec_.inputs.size() + options_.sets.size() * seeds_.size(); }
  Place place(std::size_t trial) const;
  /// As Trials::setting(). The setting leaves out other seeds and sets, because they do not affect the trial.
  Json setting(std::size_t trial) const;
  std::shared_ptr<const QuestionSet> set(std::size_t trial) const;
  /// The set at a place, with a memory that forgets by another policy.
  QuestionSet made(const Place& place, CorpusForgetting forgetting) const;

 private:
  const Spec& spec_;
  const AnsweringOptions& options_;
  CorpusForgetting forgetting_;
  std::vector<Place> seeds_;  // seeds of each set
  std::vector<std::shared_ptr<const QuestionSet>> files_;
};

}  // namespace engram::experiments::answering
