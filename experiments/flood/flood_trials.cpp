// SPDX-License-Identifier: MIT
// Trials of experiment `flood`: asks every question under each policy, each time with an empty reasoner.
#include <algorithm>

#include "experiments/answering/live_answers.hpp"
#include "experiments/flood/asking.hpp"
#include "experiments/flood/flood.hpp"
#include "experiments/statistics/ranking_measures.hpp"

namespace engram::experiments::flood {
namespace {

using core::StatementId;
using narsese::TruthValue;

constexpr std::size_t most_shown = 100;  // limit of questions of a set that get a page; chosen by hand

// Asks another NARS, to compare it with the built-in reasoner. It gets all statements, the best ones through a gate, or
// only a known proof.
class OutsideSystem {
 public:
  // Uses the system and the recording that the options name.  Errors  those of LiveAnswers
  explicit OutsideSystem(const answering::AnsweringOptions& options)
      : name_(options.system->system->name), live_(*options.system, options.recording) {}

  // Asks a question and records whether the answer is as expected, in the row labelled `arm`, which it adds if needed.
  // A failure or timeout counts as no answer. Does nothing for more than most_sent statements.
  void ask(const std::string& arm, const QuestionSet& set, const AskedQuestion& question,
           const std::vector<StatementId>& input, std::vector<Json>& rows) {
    if (input.size() > answering::most_sent) return;
    auto known = std::ranges::find_if(rows, [&](const Json& row) { return row.at("method") == arm; });
    if (known == rows.end()) {
      Json row = {{"part", outside_part}, {"set", set.label}, {"statements", set.corpus.held()},
                  {"system", name_},      {"method", arm},    {"questions", 0}};
      if (set.seed) row["seed"] = *set.seed;
      rows.push_back(std::move(row));
      known = rows.end() - 1;
    }
    Json& row = *known;
    Json seconds = Json::array();
    const auto answer = live_.answer(set, question, input, seconds);
    const bool found = answer && question.expects(answer->term);
    row["questions"] = row["questions"].get<std::size_t>() + 1;
    row["measures"]["answered"].push_back(found ? 1.0 : 0.0);
  }

 private:
  std::string name_;
  answering::LiveAnswers live_;
};

class FloodTrials : public TrialsOf<FloodOptions> {
 public:
  FloodTrials(const Spec& spec, const FloodOptions& options)
      : TrialsOf(spec, options), policies_(flood_policies(spec, options)), sets_(spec, options.asked) {}

  Rejections prepare() override {
    if (options_.asked.system) outside_ = std::make_unique<OutsideSystem>(options_.asked);
    return sets_.prepare();
  }

  std::size_t count() const override { return sets_.count(); }
  Json setting(std::size_t trial) const override { return sets_.setting(trial); }

  TrialResult run(std::size_t trial) const override {
    return run(trial, *sets_.set(trial), sets_.place(trial).shown);
  }

 private:
  TrialResult run(std::size_t trial, const QuestionSet& set, bool shown) const {
    std::vector<const AskedQuestion*> questions;
    for (const AskedQuestion& question : set.questions)
      if (question.needed() > 0 && !question.expected_terms.empty()) questions.push_back(&question);
    std::vector<std::vector<TruthValue>> exact;
    const FloodAsking asking{set, options_.steps};
    for (const AskedQuestion* question : questions) exact.push_back(asking.exact_truths(*question));
    TrialResult result;
    std::vector<Json> outside;
    if (outside_)
      for (const AskedQuestion* question : questions)
        outside_->ask(answering::everything_arm, set, *question, {set.drawn.begin(), set.drawn.end()},
                      outside);
    for (const FloodPolicy& policy : policies_) {
      Json row = {{"trial", trial},
                  {"set", set.label},
                  {"statements", set.corpus.held()},
                  {"method", policy.label},
                  {"questions", questions.size()}};
      if (set.seed) row["seed"] = *set.seed;
      Json each = Json::array();  // seconds for each question, with selection of inputs
      for (std::size_t i = 0; i < questions.size(); ++i) {
        FloodAnswer answered;
        FloodInput input;
        each.push_back(seconds([&] {
          input = input_of(policy, set, *questions[i]);
          answered = ask(policy, asking, *questions[i], input, exact[i], shown && i < most_shown);
        }));
        Json& measures = row["measures"];
        measures["answered"].push_back(answered.found ? 1.0 : 0.0);
        measures["weaker"].push_back(answered.weaker ? 1.0 : 0.0);
        measures["steps"].push_back(static_cast<double>(answered.steps));
        measures["provable"].push_back(exact[i].empty() ? 0.0 : 1.0);
        if (!answered.shown.is_null()) row["shown"].push_back(std::move(answered.shown));
        if (outside_ && applies_outside(policy))
          outside_->ask(policy.label, set, *questions[i], input.statements, outside);
      }
      if (!row.contains("measures")) continue;
      result.timings.push_back(
          {{"trial", trial}, {"set", set.title()}, {"method", policy.label}, {"each", each}});
      result.rows.push_back(std::move(row));
    }
    for (Json& row : outside) {
      row["trial"] = trial;
      result.rows.push_back(std::move(row));
    }
    if (options_.experience > 0)
      for (Json& row : experience_rows(set, options_)) {
        row["trial"] = trial;
        result.rows.push_back(std::move(row));
      }
    return result;
  }

  // Whether the other NARS is asked under this policy. It is, if the policy only selects statements, because a policy
  // cannot order the inference of another system.
  static bool applies_outside(const FloodPolicy& policy) {
    return policy.label == known_proof || (policy.method && policy.mode == Mode::gate);
  }

  // Input of the reasoner under a policy: all statements in random order, or those that the gate selects.
  FloodInput input_of(const FloodPolicy& policy, const QuestionSet& set,
                      const AskedQuestion& question) const {
    FloodInput input;
    const auto& all = set.drawn;
    if (policy.label == known_proof) {
      input.statements = question.proofs.front();
      input.urgency.assign(input.statements.size(), 1);
      return input;
    }
    if (!policy.method) {
      input.statements.assign(all.begin(), all.end());
      return input;
    }
    const core::Vector scores =
        policy.method->method.recall(set.corpus.session->index(), CueWithSolved(set, question)).statements;
    if (policy.mode != Mode::gate && policy.mode != Mode::both) {
      input.statements.assign(all.begin(), all.end());
    } else {
      const auto best = first_items(scores, options_.gate, all);
      input.statements.assign(best.begin(), best.end());
    }
    return policy.mode == Mode::gate ? input : FloodInput::by_scores(std::move(input.statements), scores);
  }

  FloodAnswer ask(const FloodPolicy& policy, const FloodAsking& asking, const AskedQuestion& question,
                  const FloodInput& input, const std::vector<TruthValue>& exact, bool shows) const {
    if (policy.method && policy.mode == Mode::again) {
      const CueWithSolved asked(asking.set, question);
      auto control = core::by_worth(input.urgency_of_inputs());
      const core::ConfiguredMethod& method = policy.method->method;
      const auto attend = [&](core::Session& memory, const core::Cue& for_cue) {
        return method.recall(memory.index(), for_cue).statements;
      };
      core::AttentionLoop loop(*asking.set.corpus.session, asked, attend, *control);
      const AskedAgain again{loop, options_.refresh};
      return asking.ask(question, input, std::move(control), &exact, shows, &again);
    }
    if (!input.urgency.empty()) {
      const bool weighed = policy.method && policy.mode != Mode::loop;
      return asking.ask_by_urgency(question, input, &exact, weighed, shows);
    }
    auto control = policy.control.empty() ? core::first_in_first_out()
                                          : make_control(policy.control, asking.set.seed.value_or(0));
    return asking.ask(question, input, std::move(control), &exact, shows);
  }

  std::vector<FloodPolicy> policies_;
  answering::TrialSets sets_;
  std::unique_ptr<OutsideSystem> outside_;  // null if the spec has no system
};

}  // namespace

std::unique_ptr<Trials> flood_trials(const Spec& spec, const FloodOptions& options) {
  return std::make_unique<FloodTrials>(spec, options);
}

}  // namespace engram::experiments::flood
