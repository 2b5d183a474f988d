// SPDX-License-Identifier: MIT
// Experiment `answering`: do the few statements that a reasoner gets contain a whole proof? The questions have known
// proofs and come from files, generated knowledge and WordNet.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/inputs/given_statements.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "experiments/reasoners/system_choice.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::answering {

inline const std::string wordnet_kind = "wordnet";

/// A kind of question set with seeds. Generated knowledge (experiments/inputs/proof_sets.hpp) differs for every seed.
/// The nouns of WordNet are fixed, and the seed selects the questions.
struct SeededSet {
  std::string kind, label;
  ChainOptions options{.groups = 30, .questions = 10};
  double wrong = 0;  // WordNet only: share of statements that are random and wrong
  std::vector<Gate> gates;
  bool ablation = false;
};

/// A method and its variants with other options.
struct Variants {
  MethodChoice base;
  std::vector<MethodChoice> changed;
};

/// Tuning of methods on training questions: those of other seeds, and the first half of each file. Every method has the
/// same number of candidates, the shipped options first. The candidate with most whole proofs on training questions is
/// evaluated on the others.
struct Tuning {
  std::vector<std::uint64_t> seeds{1001, 1002, 1003, 1004, 1005};
  std::vector<Variants> methods;  // empty: no tuning, and all questions are evaluated
};

/// Half of the questions of a file (experiments/answering/question_sets.hpp). Use one half to learn, and the other to
/// evaluate.
enum class Half : std::uint8_t { all, first, second };
/// Reads "half". The default "all" is not recorded, so that specs without this member resolve as before it existed.
/// Errors  JsonError
Half read_half(SpecObject& reader);

struct AnsweringOptions {
  std::vector<SeededSet> sets;
  std::vector<Gate> gates;                 // gates of files
  std::size_t most_questions = 1'000'000;  // limit for each file, the first ones count; "questions"
  Half half = Half::all;                   // which of these are used
  std::vector<std::size_t> cutoffs{10};    // cut-offs of nDCG and recall
  std::vector<Variants> ablation;
  Tuning tuning;
  std::optional<SystemChoice> system;  // a live NARS
  std::filesystem::path recording;     // file of its answers; empty: none
};

/// Reads "sets"; `fallback` is the default. `measured`: the sets have gates, because methods are measured on them.
/// Errors  JsonError, SpecError
std::vector<SeededSet> read_sets(SpecObject& reader, const Json& fallback, bool measured);

/// Reads "system": a live NARS, or false. A recording without a command is an input. With a command, new exchanges are
/// added to the recording.
/// Errors  JsonError, SpecError
void read_live(SpecReader& reader, Spec& spec, AnsweringOptions& options);

std::unique_ptr<Trials> answering_trials(const Spec& spec, const AnsweringOptions& options);
Conclusion conclude_answering(const Spec& spec, const AnsweringOptions& options,
                              const std::vector<Json>& rows);

/// Arms that every run has in addition to the methods: all statements, and only the first proof.
inline const std::string everything_arm = "everything", oracle_arm = "oracle";

/// Most statements sent to a live NARS. Chosen: more than any system can hold, and sending this number takes seconds.
inline constexpr std::size_t most_told = 30'000;

/// Unit of pairing in comparisons of methods.
inline const std::string pairing = "seed by seed, in files question by question";

/// Labels in rows of a method of an ablation, and of a tuning candidate. The prefix avoids collisions with methods of
/// the spec.
inline std::string configuration_name(const std::string& label) { return "configuration " + label; }
inline std::string candidate_name(const std::string& label) { return "candidate " + label; }

/// Parts of a set: questions for tuning, and questions for evaluation.
inline const std::string training = "training", test = "test";
/// Part of the rows about full memories. Their methods are forgetting policies, and the measure is whether a whole
/// proof is still in memory.
inline const std::string in_memory = "in memory";

/// Rows of a file or of a set with seeds, in the order of the seeds.
struct RowSet {
  std::string label, title;  // title: for a file, its name without folders if that is unique
  std::string file;          // unique form of the title for file names
  bool seeded = false, ablation = false;
  std::vector<Gate> gates;
  std::vector<const Json*> rows;
  /// Names of a measure at each gate: "whole 18", "whole 3x".
  std::vector<std::string> measures(const std::string& of) const;
};

/// Extracts the comparable measures of a row: for sets with seeds by seed, for files by question.
std::vector<Observation> observed_measures(const Json& row);

/// Groups the rows by set, in order of appearance.
std::vector<RowSet> row_sets(const AnsweringOptions& options, const std::vector<Json>& rows);

/// Values of a measure, one for each unit of resampling, in the same order for every method. The unit is a seed (mean
/// over its questions, because sets of different seeds are independent), or a question of a file. Empty if the method
/// was not run or nothing was measured. Rows without a part count as `test`.
std::vector<double> row_values(const RowSet& set, const std::string& method, const std::string& measure,
                               const std::string& part = test);

/// Adds the answers of a live NARS. Does nothing if the spec has no system.
void add_answers(const Spec& spec, const AnsweringOptions& options, const std::vector<RowSet>& sets,
                 Conclusion& conclusion);

/// Adds the ablation: for each change, the share of needed statements kept, and the paired differences from the
/// unchanged method and from the best configuration. Uses only sets marked for ablation. Does nothing if the spec has
/// no ablation.
void add_ablation(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// Adds the tuning: the options chosen on training questions, and their performance on the others compared with the
/// shipped options. Does nothing if the spec has no tuning.
void add_tuning(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// Adds a comparison of forgetting policies: which keeps most whole proofs in a full memory, and what this run forgot.
/// Does nothing if memories do not forget.
void add_memory(const Spec& spec, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// Adds a page for each question: its proofs, the selection of each method, and the statements that the selection
/// lacks.
void add_question_pages(const std::vector<RowSet>& sets, Conclusion& conclusion);

}  // namespace engram::experiments::answering
