// SPDX-License-Identifier: MIT
// Answering: is a whole proof among the few statements that a reasoner is given? Questions with known proofs,
// of files, of generated knowledge and of WordNet.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/inputs/given_statements.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "experiments/reasoners/system_choice.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/leads.hpp"

namespace engram::experiments::answering {

inline const std::string wordnet_kind = "wordnet";

/// A kind of generated knowledge (experiments/inputs/proof_sets.hpp), of which one is made for every seed; or
/// WordNet's nouns, of which other questions are asked for every seed.
struct SeededSet {
  std::string kind, label;
  ChainOptions options{.groups = 30, .questions = 10};
  double wrong = 0;  // of WordNet: share of its statements that are drawn
  std::vector<Gate> gates;
  bool ablation = false;
};

/// A method and what it becomes when options of it are changed.
struct Variants {
  MethodChoice base;
  std::vector<MethodChoice> changed;
};

/// As many candidates of each method, the shipped one the first. What has most whole proofs on questions for
/// training (of other seeds; of files the first half) is shown on the others.
struct Tuning {
  std::vector<std::uint64_t> seeds{1001, 1002, 1003, 1004, 1005};
  std::vector<Variants> methods;  // none: nothing is chosen, and all questions are shown
};

/// Of a file's questions (experiments/answering/question_sets.hpp): one half is for learning, one for showing what
/// that is worth.
enum class Half : std::uint8_t { all, first, second };
/// "half": that, of which "all" is not told: specs that say nothing of it stay what they were.
/// Errors  JsonError
Half read_half(SpecObject& reader);

struct AnsweringOptions {
  std::vector<SeededSet> sets;
  std::vector<Gate> gates;                 // of files
  std::size_t most_questions = 1'000'000;  // of a file, the first; "questions"
  Half half = Half::all;                   // of these
  std::vector<std::size_t> cutoffs{10};    // of nDCG and recall
  std::vector<Variants> ablation;
  Tuning tuning;
  std::optional<SystemChoice> system;  // a live NARS
  std::filesystem::path recording;     // of what it answers; empty: none
};

/// "sets": by default these. `measured`: with the gates through which methods are measured.
/// Errors  JsonError, SpecError
std::vector<SeededSet> read_sets(SpecObject& reader, const Json& fallback, bool measured);

/// "system": a live NARS, or false. A recording without a command is an input; with one, what is asked is added to it.
/// Errors  JsonError, SpecError
void read_live(SpecReader& reader, Spec& spec, AnsweringOptions& options);

std::unique_ptr<Trials> answering_trials(const Spec& spec, const AnsweringOptions& options);
Conclusion conclude_answering(const Spec& spec, const AnsweringOptions& options,
                              const std::vector<Json>& rows);

/// The arms beside the methods: all that is known, and the first proof alone.
inline const std::string everything_arm = "everything", oracle_arm = "oracle";

/// Statements of which a live NARS is told at most. Chosen: more than any holds, and what it does not hold
/// takes seconds a question to tell.
inline constexpr std::size_t most_told = 30'000;

/// What is paired where methods are compared.
inline const std::string pairing = "seed by seed, in files question by question";

/// What rows call a method of an ablation, or one that may be chosen: its label may be that of a method of
/// the spec as well.
inline std::string configuration_name(const std::string& label) { return "configuration " + label; }
inline std::string candidate_name(const std::string& label) { return "candidate " + label; }

/// Questions on which something is chosen, and those whose numbers are shown.
inline const std::string training = "training", test = "test";
/// Rows that tell what memories still have whose limits are reached: policies are their methods, and their measure is
/// whether a whole proof of a question is there.
inline const std::string in_memory = "in memory";

/// A file, or a set with seeds, with its rows in the order of the seeds.
struct RowSet {
  std::string label, title;  // title: of a file its name without folders, where no other has the same
  std::string file;          // the title as part of files' names, which no other has
  bool seeded = false, ablation = false;
  std::vector<Gate> gates;
  std::vector<const Json*> rows;
  /// The names of a measure at each gate: "whole 18", "whole 3x".
  std::vector<std::string> measures(const std::string& of) const;
};

/// What of a row can be compared: each measure, of sets with seeds by seed, of files question by question.
std::vector<Observation> observed_measures(const Json& row);

/// All that there is, in the order of the rows.
std::vector<RowSet> row_sets(const AnsweringOptions& options, const std::vector<Json>& rows);

/// One value a unit of resampling, in the same order for every method: of sets with seeds the mean over a
/// seed's questions, as sets of different seeds are independent; of a file each of its questions. None where
/// the method was not run, or nothing was measured. A row that names no part is of `test`.
std::vector<double> row_values(const RowSet& set, const std::string& method, const std::string& measure,
                               const std::string& part = test);

/// What a live NARS answers to what it was given. Nothing where the spec names none.
void add_answers(const Spec& spec, const AnsweringOptions& options, const std::vector<RowSet>& sets,
                 Conclusion& conclusion);

/// What each change of an ablation is worth: kept on the sets that say so, and the difference to what was
/// changed and to the best configuration of all, seed by seed. Nothing where the spec names no ablation.
void add_ablation(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// What was chosen on questions for training, and what the choice is worth on the others beside what is
/// shipped. Nothing where the spec tunes nothing.
void add_tuning(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// Which policy keeps most whole proofs in a memory that is full, and what was forgotten in this run. Nothing where
/// memories forget nothing.
void add_memory(const Spec& spec, const std::vector<RowSet>& sets, Conclusion& conclusion);

/// A page a question: its proofs, what each method gave, and where it lost a proof.
void add_question_pages(const std::vector<RowSet>& sets, Conclusion& conclusion);

}  // namespace engram::experiments::answering
