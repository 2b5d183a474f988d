// SPDX-License-Identifier: MIT
// Memory, reasoner and agent of one conversation.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "bridge/reasoner/agent.hpp"
#include "bridge/reasoner/attention_loop.hpp"
#include "bridge/reasoner/question_answering.hpp"
#include "core/session/session.hpp"

namespace engram::experiments {

/// An answer to an eternal question.
struct ShellAnswer {
  bridge::ProvenAnswer proof;
  std::int64_t created = 0;  // the cycle in which it was told or inferred
  std::vector<bridge::InputNumber> stamp;
};

/// One reasoner for eternal sentences, one agent for those with a tense, and their clock. The memory has the eternal
/// judgments that were told; a method scores them when a question is asked.
class Mind {
 public:
  /// Sentences that the reasoner holds before it forgets half of them. Chosen: thinking about a question looks at each.
  static constexpr std::size_t most_sentences = 100'000;
  /// Events that a question about a moment may rest on. Chosen.
  static constexpr std::size_t most_events = 20;

  Mind(const core::MemoryLimits& limits, const bridge::AgentOptions& acting,
       bridge::Reasoner::Observer hear_reasoner, bridge::Agent::Observer hear_agent);
  Mind(const Mind&) = delete;

  core::Session& session() { return session_; }
  bridge::Reasoner& reasoner() { return reasoner_; }
  const bridge::Knowledge& knowledge() const { return reasoner_.knowledge(); }
  bridge::Agent& agent() { return agent_; }
  /// Terms of the reasoner's sentences.
  narsese::TermTable& table() { return table_; }
  /// What a sentence is worth to the reasoner's control.
  double priority(bridge::SentenceId id) { return control_->retention(reasoner_.knowledge(), id).second; }

  /// Lets cycles pass. `agent_too`: false if they have passed for the agent already.
  void pass(std::uint64_t cycles, bool agent_too = true);
  /// Takes an eternal judgment in.
  /// Returns  what is the matter, and nothing has changed
  std::optional<std::string> believe(const std::string& text, const narsese::Sentence& sentence);
  /// Tells the agent what follows from an event, which it was told last, and the eternal judgments, as far as the agent
  /// awaits it. `scores`: those of a method, by which judgments are chosen if there are many.
  void follow(const narsese::Sentence& event, const bridge::AttentionLoop::Attend& scores);
  /// Calls `answer` with what follows from one of the last events and answers a question about a moment, and with the
  /// number of that event. Of the latest event that has such an answer, it is the one of the largest expectation.
  /// Returns  whether there is one
  bool answer_by_event(const std::string& question, const bridge::AttentionLoop::Attend& scores,
                       const std::function<void(const narsese::Sentence&, bridge::InputNumber)>& answer);
  /// Answers to an eternal question, by descending expectation: conclusions of earlier cycles, and what
  /// answer_question() infers from the told judgments.
  std::vector<ShellAnswer> answers(const std::string& question, const bridge::AttentionLoop::Attend& scores,
                                   const bridge::AnsweringOptions& options);
  /// Says that a sentence, printed without its truth value, was told now as this input.
  void number(const std::string& narsese, bridge::InputNumber input);

 private:
  // Steps of inference from `step` on were done from a cycle on.
  struct Span {
    std::uint64_t step;
    std::int64_t cycle;
  };

  std::int64_t created(bridge::SentenceId id) const;

  // An event that was told.
  struct Event {
    std::string term;
    narsese::TruthValue truth;
    bridge::Cycle time = 0;
    bridge::InputNumber number = 0;
  };
  using Consequence = std::function<void(narsese::TermTable& table, const bridge::KnownSentence& known)>;

  void infer_from(const Event& event, const bridge::AttentionLoop::Attend& scores, const Consequence& take);
  void believe_inferred(const bridge::ReasonerEvent& event);
  void remember(const bridge::AgentEvent& event);

  narsese::TermTable table_;
  core::Session session_;
  bridge::WorthControl* control_ = nullptr;  // the reasoner's
  bridge::Reasoner reasoner_;
  bridge::Agent agent_;
  std::unordered_map<std::string, bridge::InputNumber> numbers_;  // of what was told, the last
  std::unordered_map<bridge::InputNumber, std::int64_t> cycles_;  // in which it was told
  std::deque<Event> events_;                                      // the last most_events
  std::set<std::string, std::less<>> implications_;               // predictive ones that the agent was told
  std::vector<Span> spans_;
  double urgency_ = 1;
};

}  // namespace engram::experiments
