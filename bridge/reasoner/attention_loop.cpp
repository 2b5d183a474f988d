// SPDX-License-Identifier: MIT
#include "bridge/reasoner/attention_loop.hpp"

#include <algorithm>
#include <optional>

#include "narsese/term_copies.hpp"

namespace engram::bridge {

AttentionLoop::AttentionLoop(const core::Session& memory, const core::Cue& cue, Attend attend,
                             WorthControl& control)
    : memory_(memory),
      cue_(cue),
      attend_(std::move(attend)),
      control_(control),
      bytes_at_first_(memory_.bytes()) {}

void AttentionLoop::hear(const Reasoner& reasoner, const ReasonerEvent& event) {
  using Kind = ReasonerEvent::Kind;
  const KnownSentence& known = reasoner.knowledge()[event.sentence];
  const bool is_new = event.kind != Kind::answer && known.judges();
  if (is_new && (event.kind == Kind::input || known.strong)) new_.push_back(event.sentence);
}

void AttentionLoop::attend_again(Reasoner& reasoner) {
  grown_.reset();
  {
    core::WorkBudget work({});
    work.leaves_nothing();  // but what the memory has grown by: the next time its readings are others
    weigh(reasoner);
  }
  grown_.emplace(memory_.bytes() - std::min(memory_.bytes(), bytes_at_first_));
}

void AttentionLoop::weigh(Reasoner& reasoner) {
  say_what_is_new(reasoner.knowledge());
  core::Cue cue = core::cue_for(memory_.memory(), cue_.term);  // more of what is asked may be known by now
  cue.solved = cue_.solved;
  const core::Vector scores = attend_(memory_, cue);
  double most = 0;
  for (const auto& [sentence, statement] : said_) most = std::max(most, scores[statement]);
  if (most <= 0) return;
  std::vector<double> shares(reasoner.knowledge().size(), unscored_urgency);
  for (const auto& [sentence, statement] : said_)
    shares[sentence] = urgency_of_score(scores[statement], most);
  control_.reweigh([&](SentenceId id, double before) { return (before + shares[id]) / 2; });
}

// What the reasoner was told the memory knows already: that is only looked up.
void AttentionLoop::say_what_is_new(const Knowledge& knowledge) {
  narsese::TermCopies copies(memory_.change().terms());
  for (const SentenceId id : std::exchange(new_, {})) {
    const KnownSentence& known = knowledge[id];
    narsese::Sentence sentence;
    sentence.term = copies(known.term);
    sentence.punctuation = known.punctuation;
    sentence.truth = known.truth;
    std::optional<core::StatementId> statement;
    if (known.rule == KnownSentence::told) {
      statement = memory_.memory().find(sentence);
    } else if (const auto accepted = memory_.accept(sentence)) {
      statement = *accepted;
    }
    if (statement) said_.emplace_back(id, *statement);
  }
}

}  // namespace engram::bridge
