// SPDX-License-Identifier: MIT
// Experiment `flood`: attention as inference control. How many questions does the same reasoner answer within a limit
// of steps, for each control, as its memory fills with irrelevant statements?
#pragma once

#include "core/reasoner/question_answering.hpp"
#include "experiments/answering/result_tables.hpp"
#include "experiments/formats/conclusion.hpp"
#include "experiments/inputs/asked_questions.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::flood {

/// How the reasoner uses the scores that a method gives to statements.
enum class Mode : std::uint8_t {
  loop,     // all statements are input; scores are their urgency, so the largest come first
  weighed,  // all statements are input; scores are their worth, which multiplies along derivations
  gate,     // only the best statements are input, processed first in, first out
  both,     // only the best statements are input; scores are their worth
  again,    // as `weighed`, but the method is queried repeatedly, with inferences added to its memory
};
inline constexpr std::array<core::NamedValue<Mode>, 5> modes{{{Mode::loop, "loop"},
                                                              {Mode::weighed, "weighed"},
                                                              {Mode::gate, "gate"},
                                                              {Mode::both, "both"},
                                                              {Mode::again, "again"}}};

/// Options of a spec of this experiment.
struct FloodOptions {
  answering::AnsweringOptions asked;  // sets, the limit and the half of their questions, and a live NARS
  std::vector<std::string> controls;  // controls that use no scores: names in control_names()
  std::vector<Mode> modes;
  std::size_t gate = 12;                        // statements that the modes `gate` and `both` select
  std::size_t refresh = core::default_refresh;  // steps between queries of the method, in mode `again`
  std::size_t experience = 0;                   // questions of each set for learning from answers; 0: none
  std::size_t round = 20;                       // questions that the table of learning reports together
  std::uint64_t steps = 2000;                   // limit of inference steps for each question
};

/// A policy: a control, or a method in one of its modes.
struct FloodPolicy {
  std::string label;
  std::string control = {};  // empty for methods and for the oracle
  std::optional<MethodChoice> method = {};
  Mode mode = Mode::loop;
};
/// Policies of a run in the order of its tables: controls, methods with the baselines, then the oracle, which gets only
/// a known proof as input.
std::vector<FloodPolicy> flood_policies(const Spec& spec, const FloodOptions& options);
inline const std::string known_proof = "oracle";

/// Creates a trial for each file and each seed of a set. It asks every question under every policy.
std::unique_ptr<Trials> flood_trials(const Spec& spec, const FloodOptions& options);
/// Draws the conclusion from the rows: tables, plots and pages.
Conclusion conclude_flood(const Spec& spec, const FloodOptions& options, const std::vector<Json>& rows);

using answering::RowSet;

/// Groups the rows of policies by set. Skips rows with another "part".
std::vector<RowSet> flood_sets(const FloodOptions& options, const std::vector<Json>& rows);
/// Title of a set without the size: "families" for "families 500". Sets of equal kind differ only in size.
std::string kind_of(const RowSet& set);
/// Mean number of statements in memory, over the rows of a set.
double statements_of(const RowSet& set);

/// Values of a measure under a policy, one for each question of every seed.
std::vector<double> each_of(RowSet set, const std::string& policy, const std::string& measure);
/// Share of the questions that a policy answers within `steps` inference steps: a value for each seed, or for each
/// question of a file (0 or 1).
std::vector<double> answered_within(const RowSet& set, const std::string& policy, double steps);

/// Measures learning from answers on one set. Returns a row for attention over proofs that learns after each question,
/// and a row for the same attention with fixed weights. Both start with plain weights, and get all statements as input,
/// weighed by their scores. Uses at most `options.experience` questions. Skips a question if its first proof shares a
/// fact with an earlier proof, so that learning cannot reuse facts.
std::vector<Json> experience_rows(const QuestionSet& set, const FloodOptions& options);

/// Adds the table and the plots of learning from answers. Does nothing if no row has the part "experience".
void add_experience(const FloodOptions& options, const std::vector<Json>& rows, Conclusion& conclusion);

/// Member "part" of the rows of learning from answers, and of the rows of another NARS. Rows of policies lack it.
inline const std::string experience_part = "experience", outside_part = "outside";

/// Adds a page for each question of the first seed: how each policy reached its answer, and how it spent its steps.
void add_derivation_pages(const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::flood
