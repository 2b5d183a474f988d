// SPDX-License-Identifier: MIT
// Experiment `answering`: if a reasoner gets only a few selected statements, do they contain a whole proof of the
// answer? The questions have known proofs and come from files, generated knowledge and WordNet.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/inputs/asked_questions.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "experiments/reasoners/reasoner.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::answering {

inline const std::string wordnet_kind = "wordnet";

/// A kind of question set that depends on a seed. Generated knowledge (experiments/inputs/proof_sets.hpp) differs for
/// every seed. The nouns of WordNet are fixed, and the seed selects the questions.
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

/// Tuning of methods on training questions, which come from other seeds and the first half of each file. Every method
/// has the same number of candidates, the shipped options first. The candidate with most whole proofs on training
/// questions is evaluated on the test questions.
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

/// Options of a spec of this experiment.
struct AnsweringOptions {
  std::vector<SeededSet> sets;
  std::vector<Gate> gates;                 // gates for the questions of files
  std::size_t most_questions = 1'000'000;  // only the first questions of each file are used; "questions"
  Half half = Half::all;                   // the half of these questions that is used
  std::vector<std::size_t> cutoffs{10};    // cut-offs of nDCG and recall
  std::vector<Variants> ablation;
  Tuning tuning;
  std::optional<SystemChoice> system;  // a live NARS
  std::filesystem::path recording;     // file with the recorded answers of `system`; empty: none
};

/// Reads "sets"; `fallback` is the default. If `measured`, the sets have gates, at which methods are measured.
/// Errors  JsonError, SpecError
std::vector<SeededSet> read_sets(SpecObject& reader, const Json& fallback, bool measured);

/// Reads "system": a live NARS, or false. A recording without a command is an input. With a command, new exchanges are
/// added to the recording.
/// Errors  JsonError, SpecError
void read_live(SpecReader& reader, Spec& spec, AnsweringOptions& options);

/// Creates a trial for each file and each seed of a set.
std::unique_ptr<Trials> answering_trials(const Spec& spec, const AnsweringOptions& options);
/// Draws the conclusion from the rows: tables, plots and pages.
Conclusion conclude_answering(const Spec& spec, const AnsweringOptions& options,
                              const std::vector<Json>& rows);

/// Labels of the reference rows that every run has beside the methods. They select all statements, or only those of the
/// first proof.
inline const std::string everything_arm = "everything", oracle_arm = "oracle";

/// Most statements sent to a live NARS for a question. Chosen: more than any system can hold, and sending this number
/// takes seconds.
inline constexpr std::size_t most_sent = 30'000;

/// Text for captions: how comparisons of methods pair their values.
inline const std::string pairing = "seed by seed, in files question by question";

/// Labels of methods of an ablation, and of tuning candidates, in result rows. The prefix avoids collisions with
/// methods of the spec.
inline std::string configuration_name(const std::string& label) { return "configuration " + label; }
inline std::string candidate_name(const std::string& label) { return "candidate " + label; }

/// Values of "part" in rows: whether the row is about questions for tuning or for evaluation.
inline const std::string training = "training", test = "test";
/// Value of "part" in rows about full memories. In these rows, "method" is a forgetting policy, and the measure is
/// whether a whole proof is still in memory.
inline const std::string in_memory = "in memory";

/// Extracts the comparable measures of a row: for sets with seeds by seed, for files by question.
std::vector<Observation> observed_measures(const Json& row);

}  // namespace engram::experiments::answering
