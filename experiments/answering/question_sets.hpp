// SPDX-License-Identifier: MIT
// Question sets of files and of generated knowledge, and unanswerable counterparts of questions.
#pragma once

#include <cstdint>
#include <filesystem>

#include "experiments/answering/answering.hpp"
#include "experiments/inputs/asked_questions.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments::answering {

/// Adds a counterpart after each question with a known answer and proof: a question that should have no answer. It asks
/// for the expected answer with one name replaced by the name at the same place of another answer; the seed selects
/// both. A counterpart must be false as far as known: no statement states or denies it, no question expects it, and a
/// proof search (core/proofs/proof_search.hpp, default options) finds no proof. A question stays without a counterpart
/// if 50 draws find none. Does nothing if the corpus already has refuted questions.
/// Cost  up to 50 proof searches for each question
void add_counterparts(Corpus& corpus, std::uint64_t seed);

/// Splits questions into two halves whose known proofs share no statements. Returns 0 or 1 for each question, or 2 if
/// it belongs to neither half. Questions are assigned in order. A question joins the half whose proofs share a
/// statement with its proofs. If both halves do, it joins neither. If no half does, it joins the smaller half, or the
/// first of equal halves. A question without a known proof joins the half of the question before it.
std::vector<int> halves(const std::vector<AskedQuestion>& questions);

/// Creates the question set of a file from its first `most_questions` questions. With tuning, the first half of these
/// is for training. If the options select a half, the set contains only that half.
/// Errors  SpecError if no question names needed statements or expected answers, or if the half has none
QuestionSet file_set(const Input& input, const AnsweringOptions& options, const core::MemoryOptions& memory,
                     CorpusForgetting forgetting = {});

/// Creates a generated question set for a seed. `training` applies to all its questions. If `asks_nars` is set, adds
/// questions without an answer (add_counterparts()), as file_set() does if the options name a system.
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
  /// Creates the set at a place again, with a memory that uses another forgetting policy.
  QuestionSet made(const Place& place, CorpusForgetting forgetting) const;

 private:
  const Spec& spec_;
  const AnsweringOptions& options_;
  CorpusForgetting forgetting_;
  std::vector<Place> seeds_;  // seeds of each set, for training and evaluation
  std::vector<std::shared_ptr<const QuestionSet>> files_;
};

}  // namespace engram::experiments::answering
