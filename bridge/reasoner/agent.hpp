// SPDX-License-Identifier: MIT
// Acts: learns from events what leads to what, and does what leads to its goals. NAL-7 and NAL-8 as far as ONA's procedural
// core goes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/reasoner/decision.hpp"
#include "bridge/reasoner/event_window.hpp"
#include "bridge/reasoner/general_rules.hpp"
#include "bridge/reasoner/goal_queue.hpp"
#include "core/numbers/random.hpp"
#include "narsese/sentence.hpp"

namespace engram::bridge {

/// How an agent acts.
struct AgentOptions {
  static constexpr std::size_t most_operators = 10;

  /// What it can do, without ^; an empty name is none. ONA's.
  std::array<std::string, most_operators> operators{"left", "right", "up", "down",     "say",
                                                    "pick", "drop",  "go", "activate", "deactivate"};
  std::size_t babbling_operators = most_operators;  // the first so many are tried
  double motor_babbling = 0.2;                      // share of goals for which it tries one. ONA's
  double decision_threshold = 0.501;                // expectation at least. ONA's
  double suppresses_babbling = 0.55;                // expectation above which it does not try. ONA's
  std::uint64_t seed = 1;                           // of what it tries
  TemporalOptions temporal = {};
};

/// What an agent tells of what it does. Valid within the call.
struct AgentEvent {
  /// What has come about.
  enum class Kind : std::uint8_t { input, derived, revised, answer, executed };

  Kind kind;
  narsese::Sentence sentence;  // an event's with its cycle; of what was executed the operation as a judgment
  std::span<const InputNumber> stamp;
  Cycle created = 0;  // of an answer: when its truth last changed
};

/// Terms without variables. Each event and goal takes a cycle, and an operation that is done another one; cycles in which
/// nothing waits cost nothing. Deterministic: what it does depends on what it is told and the seed alone.
/// One thread at a time.
class Agent {
 public:
  using Observer = std::function<void(const AgentEvent&)>;
  /// The number of the next input: so events and all else that is told are counted as one.
  using NextInput = std::function<InputNumber()>;

  static constexpr std::uint64_t most_nodes = 64;      // of an event's term, as ONA's
  static constexpr Cycle last_cycle = Cycle{1} << 60;  // there time stops

  Agent(const AgentOptions& options, NextInput next_input);
  Agent(const Agent&) = delete;

  /// `answers_alone`: and what is executed.
  void observe(Observer observer, bool answers_alone = false);
  /// From now on. Another seed begins anew what it tries. Operators must be the same where it has experienced anything.
  void act_as(const AgentOptions& options);
  bool has_experience() const { return memory_.size() > 0 || memory_.operations() > 0; }

  /// Whether a sentence is of a moment that is known: :|:, :!N: or :-N:.
  static bool is_of_a_moment(const narsese::Sentence& sentence);
  /// An event, a goal, or a question about an event. Its term may be of any table.
  /// Returns  what is the matter, and nothing has changed
  std::optional<std::string> input(const narsese::Sentence& sentence);
  /// A predictive implication that always holds, as input number so much: acted upon if its sides are no other
  /// implications, and it has one operation at most, at the end of the first. If it has variables, its instances are
  /// believed as well, once events, goals or other instances name what the variables stand for (GeneralRules).
  void believe(const narsese::Sentence& sentence, InputNumber number);
  /// Whether an implication that leads somewhere needs this term, of any table.
  bool awaits(narsese::Term term);
  /// Something that follows from the last event that was told, and what always holds: an event of the same cycle from
  /// the same input. Takes no cycle.
  void follow(const narsese::Sentence& sentence);
  /// Tells the answer to a question about predictive implications, of the largest expectation, where events brought one.
  void answer(narsese::Term question);
  /// So many cycles.
  void run(std::uint64_t cycles);

  Cycle now() const { return now_; }
  const TemporalMemory& memory() const { return memory_; }
  /// As Narsese has it.
  narsese::Term term_of(const TemporalImplication& implication) { return memory_.term_of(implication); }

 private:
  OperationId operation_in(narsese::Term term);
  narsese::Term own(narsese::Term term);
  narsese::Term flat(narsese::Term term);
  void experience(narsese::Term term, const Happening& happening, AgentEvent::Kind kind);
  std::optional<TemporalRule> rule_of(const narsese::Sentence& sentence, InputNumber number);
  bool add_rule(const TemporalRule& rule, bool revises);
  void add_instances(narsese::Term fact);
  void answer_about_event(narsese::Term question);
  void cycle();
  std::optional<Decision> pursue(const WaitingGoal& goal, std::size_t layer);
  bool take_apart(const WaitingGoal& goal, std::size_t layer);
  std::optional<Decision> suggest(const WaitingGoal& goal);
  void derive_subgoals(const WaitingGoal& goal, std::size_t layer);
  void want(WaitingGoal goal, std::size_t layer);
  void execute(OperationId operation);
  void make_room();
  void tell(AgentEvent::Kind kind, const narsese::Sentence& sentence, std::span<const InputNumber> stamp,
            Cycle created = 0);
  bool hears(AgentEvent::Kind kind) const;
  void tell_implication(AgentEvent::Kind kind, const TemporalImplication& implication);

  AgentOptions options_;
  NextInput next_input_;
  Observer observer_;
  bool answers_alone_ = false;
  TemporalMemory memory_;
  EventWindow window_;
  GeneralRules rules_;
  std::optional<Happening> last_event_;
  GoalQueue goals_;
  std::vector<EventConceptId> wanted_;  // of the goals of the last EventWindow::width cycles
  core::Rng rng_;
  Cycle now_ = 1;
};

}  // namespace engram::bridge
