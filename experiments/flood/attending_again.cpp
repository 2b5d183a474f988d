// SPDX-License-Identifier: MIT
#include "experiments/flood/attending_again.hpp"

#include <algorithm>
#include <utility>

#include "narsese/term_copies.hpp"

namespace engram::experiments {
namespace {

using bridge::KnownSentence;
using bridge::SentenceId;

class AttendingAgain : public OnLooker {
 public:
  AttendingAgain(const QuestionSet& set, const core::Cue& cue, const MethodChoice& method,
                 std::size_t refresh, bridge::WorthControl& control)
      : session_(*set.corpus.session),
        cue_(cue),
        retriever_(core::make_retriever(*method.method, method.options)),
        refresh_(refresh),
        control_(control) {}

  void hear(const bridge::Reasoner& reasoner, const bridge::ReasonerEvent& event) override {
    const KnownSentence& known = reasoner.knowledge()[event.sentence];
    using Kind = bridge::ReasonerEvent::Kind;
    const bool is_new = event.kind != Kind::answer && known.judges();
    if (is_new && (event.kind == Kind::input || known.strong)) new_.push_back(event.sentence);
  }

  std::uint64_t steps() const override { return refresh_; }

  void after_steps(bridge::Reasoner& reasoner) override {
    say_what_is_new(reasoner.knowledge());
    core::Cue cue = core::cue_for(session_.memory(), cue_.term);  // it may know more of what is asked by now
    cue.solved = cue_.solved;
    const core::Vector scores = retriever_(session_.readings(), cue).statements;
    double most = 0;
    for (const auto& [sentence, statement] : said_) most = std::max(most, scores[statement]);
    if (most <= 0) return;
    std::vector<double> shares(reasoner.knowledge().size(), -1);
    for (const auto& [sentence, statement] : said_)
      shares[sentence] = bridge::urgency_of_score(scores[statement], most);
    control_.reweigh(reasoner.knowledge(), [&](SentenceId id, double before) {
      return shares[id] < 0 ? before : (before + shares[id]) / 2;
    });
  }

 private:
  // What it was told the memory knows, and is only looked up.
  void say_what_is_new(const bridge::Knowledge& knowledge) {
    narsese::TermCopies copies(session_.change().terms());
    for (const SentenceId id : std::exchange(new_, {})) {
      const KnownSentence& known = knowledge[id];
      narsese::Sentence sentence;
      sentence.term = copies(known.term);
      sentence.punctuation = known.punctuation;
      sentence.truth = known.truth;
      std::optional<core::StatementId> statement;
      if (known.rule == KnownSentence::told)
        statement = session_.memory().find(sentence);
      else if (const auto accepted = session_.accept(sentence))
        statement = *accepted;
      if (statement) said_.emplace_back(id, *statement);
    }
  }

  core::Session session_;
  core::Cue cue_;
  core::AnyRetriever retriever_;
  std::uint64_t refresh_;
  bridge::WorthControl& control_;
  std::vector<SentenceId> new_;
  std::vector<std::pair<SentenceId, core::StatementId>> said_;
};

}  // namespace

FloodAnswer ask_again(const FloodAsking& asking, const AskedQuestion& question, const FloodTold& told,
                      const core::Cue& cue, const MethodChoice& method, std::size_t refresh,
                      const std::vector<narsese::TruthValue>& exact, bool shows) {
  auto control = bridge::by_worth(told.urgency_of_inputs());
  AttendingAgain again(asking.set, cue, method, refresh, *control);
  return asking.ask(question, told, std::move(control), &exact, shows, &again);
}

}  // namespace engram::experiments
