// SPDX-License-Identifier: MIT
// Priming: does a gate of a few statements hold what a question needs? Questions with known proofs, of files,
// of generated knowledge and of WordNet.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// How many statements a reasoner is given: a number, or a multiple of what the question needs.
struct StatementCapacity {
  std::size_t amount = 12;
  bool multiple = false;
  std::string name() const { return std::to_string(amount) + (multiple ? "x" : ""); }
  std::size_t of(std::size_t needed) const { return multiple ? amount * needed : amount; }
};

/// A kind of generated knowledge (experiments/inputs/proof_sets.hpp), of which one is made for every seed; or
/// WordNet's nouns, of which other questions are asked for every seed.
struct GeneratedSet {
  std::string kind, label;
  ChainOptions options{.groups = 30, .questions = 10};
  std::vector<StatementCapacity> capacities;
  bool ablation = false;
};

/// A method and what it becomes when options of it are changed.
struct Ablation {
  MethodChoice base;
  std::vector<MethodChoice> changed;
};

inline const std::string wordnet_kind = "wordnet";

struct PrimingOptions {
  std::vector<GeneratedSet> generated;
  std::vector<StatementCapacity> capacities;  // of files
  std::vector<std::size_t> cutoffs{10};       // of nDCG and recall
  std::vector<Ablation> ablation;
};

std::unique_ptr<Trials> priming_trials(const Spec& spec, const PrimingOptions& options);
Conclusion conclude_priming(const Spec& spec, const PrimingOptions& options, const std::vector<Json>& rows);

/// A file, or a kind of generated knowledge, with its rows in the order of the seeds.
struct PrimingSet {
  std::string label, title;  // title: of a file its name without folders, where no other has the same
  bool generated = false, ablation = false;
  std::vector<std::string> kept, whole;  // names of measures, one a capacity: "kept 12", "whole 12"
  std::vector<const Json*> rows;
};

/// All that there is, in the order of the rows.
std::vector<PrimingSet> priming_sets(const PrimingOptions& options, const std::vector<Json>& rows);

/// One value a unit of resampling, in the same order for every method: of generated sets the mean over a
/// seed's questions, as sets of different seeds are independent; of a file each of its questions. None where
/// the method was not run, or nothing was measured.
std::vector<double> priming_values(const PrimingSet& set, const std::string& method,
                                   const std::string& measure);

/// What each change of an ablation is worth: kept on the sets that say so, and the difference to what was
/// changed and to the best configuration of all, seed by seed. Nothing where the spec names no ablation.
void add_ablation(const PrimingOptions& options, const std::vector<PrimingSet>& sets, Conclusion& conclusion);

/// What an ablation's rows call the method: its label may be that of a method of the spec as well.
inline std::string configuration_name(const std::string& label) { return "configuration " + label; }

}  // namespace engram::experiments
