// SPDX-License-Identifier: MIT
// Flood: attention as inference control. What does one and the same reasoner answer in so many steps as its memory fills
// with what has nothing to do with the question, under each control?
#pragma once

#include "bridge/reasoner/attention_loop.hpp"
#include "experiments/answering/answering.hpp"
#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::flood {

/// How a method's shares reach the reasoner.
enum class Mode : std::uint8_t {
  loop,     // it is told everything, and the shares of its inputs are their urgency: the largest come first
  weighed,  // it is told everything, and the shares of its inputs are what they are worth
  gate,     // it is told the best alone, and thinks of them first in, first out
  both,     // the best alone, by their shares
  again,  // as weighed, and the method is asked again and again, of a memory to which is said what was inferred
};
inline constexpr std::array<core::NamedValue<Mode>, 5> modes{{{Mode::loop, "loop"},
                                                              {Mode::weighed, "weighed"},
                                                              {Mode::gate, "gate"},
                                                              {Mode::both, "both"},
                                                              {Mode::again, "again"}}};

struct FloodOptions {
  answering::AnsweringOptions
      asked;  // sets, questions per file, the half of them that is asked, and the live NARS
  std::vector<std::string> controls;  // that read no shares: names of control_names()
  std::vector<Mode> modes;
  std::size_t gate = 12;                        // statements that it is told of by the other modes
  std::size_t refresh = bridge::usual_refresh;  // steps after which a method is asked again
  std::size_t experience = 0;  // questions of each set from which it learns, one after the other; 0: none
  std::size_t round = 20;      // of these, that are told of together
  std::uint64_t steps = 2000;  // of inference, for a question; "steps"
};

/// A policy of the run: a control by its name, or a method in one of its modes.
struct FloodPolicy {
  std::string label;
  std::string control = {};  // empty: a method's, or the oracle
  std::optional<MethodChoice> method = {};
  Mode mode = Mode::loop;
};
/// All of a run, in the order of its tables: controls, methods with the baselines, then the oracle, which knows a proof.
std::vector<FloodPolicy> flood_policies(const Spec& spec, const FloodOptions& options);
inline const std::string known_proof = "oracle";

std::unique_ptr<Trials> flood_trials(const Spec& spec, const FloodOptions& options);
Conclusion conclude_flood(const Spec& spec, const FloodOptions& options, const std::vector<Json>& rows);

/// A page a question of the first seed: how each policy came to its answer, and what it spent its steps on.
void add_derivation_pages(const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::flood
