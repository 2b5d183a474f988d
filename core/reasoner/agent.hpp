// SPDX-License-Identifier: MIT
// A procedural agent: it learns from events which implications hold between them, and executes operations to reach its
// goals. It covers the part of NAL-7 and NAL-8 that the procedural core of ONA covers.
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

/// Options of an agent: its operators, motor babbling (random operations, from which a new agent learns), and the
/// decision threshold. The defaults are ONA's.
struct AgentOptions {
  static constexpr std::size_t max_operators = 10;

  /// Names of the operators that the agent can execute, without ^. Empty names are unused places.
  std::array<std::string, max_operators> operators{"left", "right", "up", "down",     "say",
                                                   "pick", "drop",  "go", "activate", "deactivate"};
  std::size_t babbling_operators = max_operators;  // babbling chooses among the first of them; their number
  double motor_babbling = 0.2;        // motor babbling: probability that a goal triggers a random operation
  double decision_threshold = 0.501;  // smallest expectation of an operation that is executed
  std::uint64_t seed = 1;             // of random numbers for motor babbling
};

/// The record that an observer of an agent receives: one input, conclusion, answer or executed operation. The
/// references are valid during the call.
struct AgentEvent {
  /// The kind of what happened; `derived` and `revised` are conclusions.
  enum class Kind : std::uint8_t { input, derived, revised, answer, executed };

  Kind kind;
  narsese::Sentence sentence;          // an event has its cycle as tense; an operation is a judgment
  std::span<const InputNumber> stamp;  // inputs that the sentence rests on, by number
  Cycle created = 0;                   // for an answer: cycle of the last change of its truth value
};

/// Procedural agent: learns temporal implications from events, and pursues goals by operations. An event or goal takes
/// one cycle, and an executed operation takes one more. A cycle costs nothing if no goal waits and no event is recent.
/// Events and goals must not contain variables. The agent is deterministic: its behaviour depends only on its inputs
/// and the seed. Use it from one thread at a time.
class Agent {
 public:
  using Observer = std::function<void(const AgentEvent&)>;
  /// Function that returns the number of the next input. If a reasoner gets the other inputs, share the counter with
  /// it, so that numbers identify inputs in both.
  using NextInput = std::function<InputNumber()>;

  static constexpr std::uint64_t max_nodes = 64;       // largest complexity of an event's term; ONA's
  static constexpr Cycle last_cycle = Cycle{1} << 60;  // cycle at which the clock stops

  Agent(const AgentOptions& options, NextInput next_input);
  Agent(const Agent&) = delete;

  /// Sets the observer, which receives every AgentEvent. With `answers_only`, it receives only answers and executed
  /// operations.
  void observe(Observer observer, bool answers_only = false);
  /// Replaces the options. A new seed restarts the random numbers. Do not change the operators once has_experience() is
  /// true.
  void set_options(const AgentOptions& options);
  /// Whether the agent has received an event, a goal or an implication.
  bool has_experience() const { return memory_.size() > 0 || memory_.operation_count() > 0; }

  /// Whether a sentence is about a moment (`:|:`, `:!N:` or `:-N:`), so that the agent should get it.
  static bool is_temporal(const narsese::Sentence& sentence);
  /// Processes an event, a goal, or a question about an event. The observer gets the conclusions. The term may belong
  /// to any table.
  /// Returns  an error message if the agent rejects the input, which then changes nothing
  std::optional<std::string> input(const narsese::Sentence& sentence);
  /// Adds a predictive implication (=/>) that holds at any time. The first side may end with one operation. The agent
  /// ignores the implication if that side consists of operations only, or ends with two operations. If the implication
  /// has variables, the agent adds instances when events, goals or other instances match one of its sides
  /// (GeneralRules).
  /// `number`  the input number of the sentence
  void add_implication(const narsese::Sentence& sentence, InputNumber number);
  /// Whether an implication has the term as a condition. Use it to find out whether a conclusion of timeless knowledge
  /// is worth adding by add_consequence(). The term may belong to any table.
  bool needs(narsese::Term term);
  /// Adds a conclusion that a reasoner drew from the last input event and timeless knowledge. It becomes an event with
  /// the time and the stamp (the inputs it rests on) of that input event, and takes no cycle.
  void add_consequence(const narsese::Sentence& sentence);
  /// Answers a question about an implication: the observer gets the implication with the largest expectation that
  /// matches the question and has evidence from events.
  void answer(narsese::Term question);
  /// Lets cycles pass without input. input() runs the cycle of its event or goal itself.
  void run(std::uint64_t cycles);

  Cycle now() const { return now_; }
  const TemporalMemory& memory() const { return memory_; }
  /// Returns the implication as a term: <(&/,a,^op) =/> b>.
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
  std::vector<EventConceptId>
      recent_goals_;  // concepts of goals pursued in the last EventWindow::width cycles
  Rng rng_;
  Cycle now_ = 1;
};

}  // namespace engram::core
