// SPDX-License-Identifier: MIT
// Experiment `flood`: attention as inference control. How many questions does the same reasoner answer within a limit
// of steps, for each control, as its memory fills with irrelevant statements?
#pragma once

#include "core/reasoner/question_answering.hpp"
#include "experiments/answering/answering.hpp"
#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::flood {

/// How the reasoner uses the scores of a method.
enum class Mode : std::uint8_t {
  loop,     // all statements are input; scores are their urgency, so the largest come first
  weighed,  // all statements are input; scores are their worth
  gate,     // only the best statements are input, processed first in, first out
  both,     // only the best statements are input, with their scores
  again,    // as weighed, but the method is queried repeatedly, with inferences added to its memory
};
inline constexpr std::array<core::NamedValue<Mode>, 5> modes{{{Mode::loop, "loop"},
                                                              {Mode::weighed, "weighed"},
                                                              {Mode::gate, "gate"},
                                                              {Mode::both, "both"},
                                                              {Mode::again, "again"}}};

struct FloodOptions {
  answering::AnsweringOptions asked;  // sets, questions for each file, their half, and the live NARS
  std::vector<std::string> controls;  // controls that use no scores: names in control_names()
  std::vector<Mode> modes;
  std::size_t gate = 12;                        // statements that the modes `gate` and `both` select
  std::size_t refresh = core::default_refresh;  // steps between queries of the method, in mode `again`
  std::size_t experience = 0;                   // questions of each set for learning from answers; 0: none
  std::size_t round = 20;                       // of these questions, reported together
  std::uint64_t steps = 2000;                   // inference steps for each question; "steps"
};

/// A policy: a control, or a method in one of its modes.
struct FloodPolicy {
  std::string label;
  std::string control = {};  // empty for methods and for the oracle
  std::optional<MethodChoice> method = {};
  Mode mode = Mode::loop;
};
/// All policies of a run in the order of its tables: controls, methods with the baselines, then the oracle, whose input
/// is a known proof.
std::vector<FloodPolicy> flood_policies(const Spec& spec, const FloodOptions& options);
inline const std::string known_proof = "oracle";

std::unique_ptr<Trials> flood_trials(const Spec& spec, const FloodOptions& options);
Conclusion conclude_flood(const Spec& spec, const FloodOptions& options, const std::vector<Json>& rows);

/// Adds a page for each question of the first seed: how each policy reached its answer, and how it spent its steps.
void add_derivation_pages(const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::flood
