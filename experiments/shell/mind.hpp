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

#include "core/reasoner/agent.hpp"
#include "core/reasoner/question_answering.hpp"
#include "core/session/session.hpp"

namespace engram::experiments {

/// An answer to an eternal question, which is a question without a tense.
struct ShellAnswer {
  core::ProvenAnswer proof;
  std::int64_t created = 0;  // cycle in which the answer was entered or inferred
  std::vector<core::InputNumber> stamp;
};

/// A reasoner for eternal sentences, an agent for sentences with a tense, and their common clock. A memory contains the
/// eternal judgments of the input, and a retrieval method scores them for each question.
class Mind {
 public:
  /// Most sentences of the reasoner. When it has more, it forgets half of them. The value is chosen by hand: each
  /// question reads every sentence, so more would make answers slow.
  static constexpr std::size_t most_sentences = 100'000;
  /// Number of recent events that can answer a question about the present or the past. Chosen by hand.
  static constexpr std::size_t most_events = 20;

  Mind(const core::MemoryLimits& limits, const core::AgentOptions& acting,
       core::Reasoner::Observer hear_reasoner, core::Agent::Observer hear_agent);
  Mind(const Mind&) = delete;

  core::Session& session() { return session_; }
  core::Reasoner& reasoner() { return reasoner_; }
  const core::Knowledge& knowledge() const { return reasoner_.knowledge(); }
  core::Agent& agent() { return agent_; }
  /// Table of the terms in the reasoner's sentences.
  narsese::TermTable& table() { return table_; }
  /// Priority that the control of the reasoner gives to a sentence.
  double priority(core::SentenceId id) { return control_->retention(reasoner_.knowledge(), id).second; }

  /// Advances the clock by this number of cycles. Set `agent_too` to false if the agent has already executed these
  /// cycles.
  void pass(std::uint64_t cycles, bool agent_too = true);
  /// Adds an eternal judgment.
  /// Returns  an error message; the mind is then unchanged
  std::optional<std::string> believe(const std::string& text, const narsese::Sentence& sentence);
  /// Infers from the agent's last event and the eternal judgments, and passes the consequences that the agent needs on
  /// to it. `scores` selects the judgments if there are many.
  void follow(const narsese::Sentence& event, const core::AttentionLoop::Scorer& scores);
  /// Answers a question with a tense from recent events. Takes the latest event from which an answer follows, and the
  /// answer with the largest expectation. Calls `answer` with this answer and the number of the event.
  /// Returns  whether there is an answer
  bool answer_by_event(const std::string& question, const core::AttentionLoop::Scorer& scores,
                       const std::function<void(const narsese::Sentence&, core::InputNumber)>& answer);
  /// Returns answers to an eternal question, by descending expectation. The answers are conclusions of earlier cycles,
  /// and conclusions that answer_question() infers from the judgments.
  std::vector<ShellAnswer> answers(const std::string& question, const core::AttentionLoop::Scorer& scores,
                                   const core::AnsweringOptions& options);
  /// Records that this sentence, printed without its truth value, was entered now with this input number.
  void number(const std::string& narsese, core::InputNumber input);

 private:
  // Maps inference steps to cycles: the steps from number `step` on were executed from cycle `cycle` on.
  struct Span {
    std::uint64_t step;
    std::int64_t cycle;
  };

  std::int64_t created(core::SentenceId id) const;

  // An input event.
  struct Event {
    std::string term;
    narsese::TruthValue truth;
    core::Cycle time = 0;
    core::InputNumber number = 0;
  };
  using Consequence = std::function<void(narsese::TermTable& table, const core::KnownSentence& known)>;

  void infer_from(const Event& event, const core::AttentionLoop::Scorer& scores, const Consequence& take);
  void believe_inferred(const core::ReasonerEvent& event);
  void remember(const core::AgentEvent& event);

  narsese::TermTable table_;
  core::Session session_;
  core::WorthControl* control_ = nullptr;  // owned by the reasoner
  core::Reasoner reasoner_;
  core::Agent agent_;
  std::unordered_map<std::string, core::InputNumber> numbers_;  // last input number of each sentence
  std::unordered_map<core::InputNumber, std::int64_t> cycles_;  // cycle of each input
  std::deque<Event> events_;                                    // the latest, at most most_events
  std::set<std::string, std::less<>> implications_;             // predictive implications passed to the agent
  std::vector<Span> spans_;
  double urgency_ = 1;
};

}  // namespace engram::experiments
