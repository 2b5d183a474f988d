// SPDX-License-Identifier: MIT
// Touchstones: classic experiments of animal learning that test attention, three theories that explain them, and the
// event filter.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engram::experiments::sensors {

/// A learner that sees stimuli and whether they are reinforced. A stimulus is a letter from A to Z; a trial with "AB"
/// shows A and B together. Learners start without knowledge.
class Conditioner {
 public:
  virtual ~Conditioner() = default;
  virtual void trial(std::string_view stimuli, bool reinforced) = 0;
  /// Strength with which the learner expects the reinforcer after these stimuli.
  virtual double response(std::string_view stimuli) const = 0;
  /// Attention to a stimulus: the associability alpha of a theory, or the score of the filter; 0 for a theory without
  /// attention.
  virtual double attention(char stimulus) const = 0;
};

/// A theory: its name in tables, and a factory of learners.
struct Theory {
  std::string name;
  std::unique_ptr<Conditioner> (*make)();
};

/// The compared theories of animal learning, and the outcome model of the event filter (core/events/outcome_model) with
/// and without combinations of events. V_i is the associative strength of stimulus i, sum V the sum of the strengths of
/// all stimuli of the trial, and lambda 1 on reinforced trials, otherwise 0. alpha_i is the associability of stimulus
/// i. The rate 0.2 is chosen, and the same in all designs.
///   Rescorla and Wagner   V_i += 0.2 (lambda - sum V). The response is sum V.
///   Mackintosh            V_i += 0.2 alpha_i (lambda - V_i). alpha_i starts at 0.5 and stays in [0.1, 1]. It rises if
///                         |lambda - V_i| is smaller than |lambda - V_X|, with V_X the sum of the other stimuli,
///                         otherwise it falls. The paper leaves the size of the change open: here it is 0.2 times the
///                         difference, and at least 0.01 for a fall.
///   Pearce and Hall       Excitation: V_i += 0.2 alpha_i lambda if sum (V - W) < lambda. Inhibition:
///                         W_i += 0.2 alpha_i (sum (V - W) - lambda) if that is above 0. The response is sum (V - W).
///                         alpha_i starts at 1 and is |lambda - sum (V - W)| of the last trial with i.
///   attention             An OutcomeModel with one operation, which is executed in every trial. Its prediction is the
///                         response. Every trial is followed by one without stimuli and reinforcer, for the time
///                         between trials.
/// Sources  Rescorla and Wagner 1972; Mackintosh 1975, equations 1, 4 and 5; Pearce and Hall 1980, with the condition
///          on excitation as in Pearce, Kaye and Hall 1982
const std::vector<Theory>& theories();

/// Trains a learner with a design such as "16 A+; 8 AB+ B-": phases separated by "; ". Each phase is a number of
/// rounds, followed by the trials of one round. A + marks a reinforced trial, a - an unreinforced one.
/// Errors  std::invalid_argument for another form
void train(Conditioner& learner, std::string_view design);

/// A phenomenon of animal learning: the training of a group and of its control, and the stimuli at which their
/// responses are compared.
struct Touchstone {
  std::string name, design, tested, control_design, control_tested;
  bool stronger;        // whether animals of the group respond more strongly than the control; false: less
  std::string animals;  // what animals do, and the source
};
const std::vector<Touchstone>& touchstones();

/// A measurement of attention: a training design, and the stimulus whose attention is compared before and after it.
struct AttentionProbe {
  std::string name, design;
  char stimulus;
};
const std::vector<AttentionProbe>& attention_probes();

/// Least difference between group and control that counts as the phenomenon; chosen.
inline constexpr double least_difference = 0.05;

}  // namespace engram::experiments::sensors
