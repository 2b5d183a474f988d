// SPDX-License-Identifier: MIT
// Touchstones of attention: designs of animal learning, three theories of it, and the attention of the event filter.
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
  /// How strongly the learner expects the reinforcer after these stimuli.
  virtual double response(std::string_view stimuli) const = 0;
  /// Attention to a stimulus: the associability alpha of a theory, the score of the filter; 0 for a theory without it.
  virtual double attention(char stimulus) const = 0;
};

/// A theory by its name in tables.
struct Theory {
  std::string name;
  std::unique_ptr<Conditioner> (*make)();
};

/// The theories, and the model of the event filter with and without combinations of events (core/events/outcome_model).
/// V_i is the associative strength of stimulus i, sum V that of all stimuli of the trial, and lambda 1 on reinforced
/// trials, otherwise 0. Rates are chosen, and the same in all designs.
///   Rescorla and Wagner   V_i += 0.2 (lambda - sum V); response sum V
///   Mackintosh            V_i += 0.2 alpha_i (lambda - V_i), alpha_i from 0.5. alpha_i rises if |lambda - V_i| is smaller
///                         than |lambda - V_X|, with V_X the sum of the other stimuli, otherwise it falls. The paper leaves
///                         the size open: it is 0.2 times the difference, and at least 0.01 for a fall; alpha_i stays
///                         in [0.1, 1].
///   Pearce and Hall       excitation V_i += 0.2 alpha_i lambda if sum (V - W) < lambda; inhibition
///                         W_i += 0.2 alpha_i (sum (V - W) - lambda) if that is above 0; response sum (V - W). alpha_i
///                         starts at 1 and is |lambda - sum (V - W)| of the last trial with i.
///   attention             an OutcomeModel with one operation that is done in every trial. Its prediction is the
///                         response. A trial without stimuli and reinforcer follows every trial, as in a session.
/// Sources  Rescorla and Wagner 1972; Mackintosh 1975, equations 1, 4 and 5; Pearce and Hall 1980, with the condition on
///          excitation as in Pearce, Kaye and Hall 1982
const std::vector<Theory>& theories();

/// Trains a learner. A design is phases separated by "; ". A phase is a number of rounds and the trials of a round, each
/// with + if it is reinforced, - if not: "16 A+; 8 AB+ B-".
/// Errors  std::invalid_argument for another form
void train(Conditioner& learner, std::string_view design);

/// A phenomenon: training of a group and of its control, and the stimuli whose response is compared.
struct Touchstone {
  std::string name, design, tested, control_design, control_tested;
  bool stronger;        // whether animals of the group respond more strongly than the control, or less
  std::string animals;  // what animals do, and the source
};
const std::vector<Touchstone>& touchstones();

/// A question about attention alone: attention to a stimulus after training.
struct AttentionProbe {
  std::string name, design;
  char stimulus;
};
const std::vector<AttentionProbe>& attention_probes();

/// Least difference of responses that counts as a phenomenon; chosen.
inline constexpr double least_difference = 0.05;

}  // namespace engram::experiments::sensors
