// SPDX-License-Identifier: MIT An agent that learns from events what leads to what, and executes operations to reach
// its goals. It covers the part of NAL-7 and NAL-8 that ONA's procedural core covers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "core/reasoner/general_rules.hpp"
#include "core/reasoner/goals.hpp"
#include "core/reasoner/temporal_memory.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// Options of an agent. The defaults are ONA's.
struct AgentOptions {
  static constexpr std::size_t max_operators = 10;

  /// Names of the operators without ^. Empty names are unused places.
  std::array<std::string, max_operators> operators{"left", "right", "up", "down",     "say",
                                                   "pick", "drop",  "go", "activate", "deactivate"};
  std::size_t babbling_operators = max_operators;  // motor babbling chooses among the first ones
  double motor_babbling = 0.2;                     // probability that a goal triggers a random operation
  double decision_threshold = 0.501;               // smallest expectation of an operation that is executed
  std::uint64_t seed = 1;                          // for motor babbling
};

/// One event that an observer of an agent receives. The references are valid during the call.
struct AgentEvent {
  /// Kind of event.
  enum class Kind : std::uint8_t { input, derived, revised, answer, executed };

  Kind kind;
  narsese::Sentence sentence;  // an event has its cycle as tense; an executed operation is a judgment
  std::span<const InputNumber> stamp;
  Cycle created = 0;  // cycle of the last change of an answer's truth value
};

/// Procedural agent. Events and goals must not contain variables. An event or goal takes one cycle, and an executed
/// operation takes one more. A cycle costs nothing if no goal waits and no event is recent. The agent is deterministic:
/// its behaviour depends only on its inputs and the seed. Use it from one thread at a time.
class Agent {
 public:
  using Observer = std::function<void(const AgentEvent&)>;
  /// Returns the number of the next input. Share the counter with a reasoner that gets the other inputs.
  using NextInput = std::function<InputNumber()>;

  static constexpr std::uint64_t max_nodes = 64;       // of an event's term; ONA's
  static constexpr Cycle last_cycle = Cycle{1} << 60;  // the clock stops here

  Agent(const AgentOptions& options, NextInput next_input);
  Agent(const Agent&) = delete;

  /// Sets the observer. With `answers_only`, it receives answers and executed operations.
  void observe(Observer observer, bool answers_only = false);
  /// Replaces the options. A new seed restarts the random numbers. Do not change the operators if has_experience().
  void set_options(const AgentOptions& options);
  /// Whether the agent has received an event, a goal or an implication.
  bool has_experience() const { return memory_.size() > 0 || memory_.operation_count() > 0; }

  /// Whether the tense of a sentence is a known moment: `:|:`, `:!N:` or `:-N:`.
  static bool is_temporal(const narsese::Sentence& sentence);
  /// Processes an event, a goal, or a question about an event. The term may belong to any table.
  /// Returns  an error message if the input is rejected; a rejected input changes nothing
  std::optional<std::string> input(const narsese::Sentence& sentence);
  /// Adds a predictive implication that always holds. The first side may end with one operation. The agent ignores the
  /// implication if that side consists of operations only, or ends with two operations. If the implication has
  /// variables, the agent adds instances when events, goals or other instances match one of its sides (GeneralRules).
  void add_implication(const narsese::Sentence& sentence, InputNumber number);
  /// Whether an implication has the term, which may belong to any table, as a condition.
  bool needs(narsese::Term term);
  /// Adds a conclusion from the last input event and timeless knowledge. The new event has the time and the stamp of
  /// that input event, and takes no cycle.
  void add_consequence(const narsese::Sentence& sentence);
  /// Reports the implication with the largest expectation that matches the question and has evidence from events.
  void answer(narsese::Term question);
  /// Runs cycles. Input events and goals run their own cycle.
  void run(std::uint64_t cycles);

  Cycle now() const { return now_; }
  const TemporalMemory& memory() const { return memory_; }
  /// The implication as a term: <(&/,a,^op) =/> b>.
  narsese::Term term_of(const TemporalImplication& implication) { return memory_.term_of(implication); }

 private:
  narsese::Term copied(narsese::Term term);
  narsese::Term flattened(narsese::Term term);
  bool can_execute(narsese::Term term) const;
  EventOperationId operation_in(narsese::Term term);
  void add_event(narsese::Term term, const EventOccurrence& occurrence, AgentEvent::Kind kind);
  std::optional<TemporalRule> rule_of(const narsese::Sentence& sentence, InputNumber number);
  bool add_rule(const TemporalRule& rule, bool revises);
  void add_instances(narsese::Term fact);
  void answer_about_event(narsese::Term question);
  void cycle();
  std::optional<Decision> pursue(const PendingGoal& goal, std::size_t layer);
  bool pursue_sequence(const PendingGoal& goal, std::size_t layer);
  std::optional<Decision> choose_operation(const PendingGoal& goal);
  void derive_subgoals(const PendingGoal& goal, std::size_t layer);
  void add_goal(PendingGoal goal, std::size_t layer);
  void execute(EventOperationId operation);
  void make_room();
  bool is_observed(AgentEvent::Kind kind) const;
  void notify(AgentEvent::Kind kind, const narsese::Sentence& sentence, std::span<const InputNumber> stamp,
              Cycle created = 0);
  void notify_implication(AgentEvent::Kind kind, const TemporalImplication& implication);

  AgentOptions options_;
  NextInput next_input_;
  Observer observer_;
  bool answers_only_ = false;
  TemporalMemory memory_;
  EventWindow window_;
  GeneralRules rules_;
  std::optional<EventOccurrence> last_event_;
  GoalQueue goals_;
  std::vector<EventConceptId> recent_goals_;  // pursued in the last EventWindow::width cycles
  Rng rng_;
  Cycle now_ = 1;
};

}  // namespace engram::core
