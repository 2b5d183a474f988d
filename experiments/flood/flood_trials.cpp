// SPDX-License-Identifier: MIT
// One question after the other, of a reasoner that knows nothing but what it is told for it, under each policy.
#include <algorithm>
#include <map>

#include "bridge/reasoner/reasoner.hpp"
#include "experiments/answering/question_sets.hpp"
#include "experiments/flood/controls.hpp"
#include "experiments/flood/flood.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_copies.hpp"

namespace engram::experiments {
namespace {

using bridge::KnownSentence;
using bridge::Reasoner;
using bridge::ReasonerEvent;
using bridge::SentenceId;
using core::StatementId;
using narsese::TruthValue;

constexpr std::size_t most_shown = 6;       // questions of a set that have a page
constexpr std::size_t most_proofs = 16;     // of which the truth is worked out
constexpr std::size_t most_names_told = 8;  // where a policy spent its steps

// Of what scores nothing: thought of after all that scores something, in the order in which it was told.
constexpr double unscored = 1e-12;

// What a reasoner is told, in that order, and how urgent each is.
struct Told {
  std::vector<StatementId> statements;
  std::vector<double> urgency;  // of each; empty: the control does not ask
};

// What came of a question.
struct Answered {
  bool found = false;       // the expected answer, as true as a known proof alone makes it first
  bool weaker = false;      // or with less confidence, or another frequency
  std::uint64_t steps = 0;  // until it was found; else all that were done
  std::optional<TruthValue> truth = {};
  Json shown = nullptr;
};

// As close as what is printed with two digits.
bool is_as_true(const TruthValue& truth, const TruthValue& exact) {
  constexpr double half = 0.005;
  return std::abs(truth.frequency - exact.frequency) < half && truth.confidence > exact.confidence - half;
}

class FloodTrials : public TrialsOf<FloodOptions> {
 public:
  FloodTrials(const Spec& spec, const FloodOptions& options)
      : TrialsOf(spec, options), policies_(flood_policies(spec, options)) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const SeededSet& set : options_.sets)
      if (set.kind == wordnet_kind) require_wordnet();
    for (const Input& input : spec_.inputs) {
      files_.push_back(file_set(input, options_.files, spec_.memory));
      add_rejections(rejections, files_.back().corpus);
    }
    return rejections;
  }

  std::size_t count() const override { return files_.size() + options_.sets.size() * spec_.seeds.size(); }

  // Which other seeds and sets there are makes no difference to a trial.
  Json setting(std::size_t trial) const override {
    Json json = {{"spec", spec_.resolved}};
    for (const char* other : {"seeds", "sets"}) json.at("spec").erase(other);
    if (trial < files_.size()) {
      json["file"] = trial;
    } else {
      const auto [set, seed] = place_of(trial);
      json["set"] = spec_.resolved.at("sets").at(set);
      json["seed"] = spec_.seeds[seed];
      json["shown"] = seed == 0;
    }
    return json;
  }

  TrialResult run(std::size_t trial) const override {
    if (trial < files_.size()) return run(trial, files_[trial], true);
    const auto [set, seed] = place_of(trial);
    return run(trial, seeded_set(options_.sets[set], spec_.seeds[seed], false, false, spec_.memory),
               seed == 0);
  }

 private:
  std::pair<std::size_t, std::size_t> place_of(std::size_t trial) const {
    const std::size_t number = trial - files_.size();
    return {number / spec_.seeds.size(), number % spec_.seeds.size()};
  }

  TrialResult run(std::size_t trial, const QuestionSet& set, bool shown) const {
    std::vector<const AskedQuestion*> questions;
    for (const AskedQuestion& question : set.questions)
      if (question.needed() > 0 && !question.expected_terms.empty()) questions.push_back(&question);
    std::vector<std::vector<TruthValue>> exact;
    for (const AskedQuestion* question : questions) exact.push_back(exact_truths(set, *question));
    TrialResult result;
    for (const FloodPolicy& policy : policies_) {
      Json row = {{"trial", trial},
                  {"set", set.label},
                  {"statements", set.corpus.held()},
                  {"method", policy.label},
                  {"questions", questions.size()}};
      if (set.seed) row["seed"] = *set.seed;
      Json choosing = Json::array(), reasoning = Json::array(), rate = Json::array();
      for (std::size_t i = 0; i < questions.size(); ++i) {
        Told told;
        choosing.push_back(seconds([&] { told = told_by(policy, set, *questions[i]); }));
        Answered answered;
        reasoning.push_back(seconds(
            [&] { answered = ask(policy, set, *questions[i], told, &exact[i], shown && i < most_shown); }));
        Json& measures = row["measures"];
        measures["answered"].push_back(answered.found ? 1.0 : 0.0);
        measures["weaker"].push_back(answered.weaker ? 1.0 : 0.0);
        measures["steps"].push_back(static_cast<double>(answered.steps));
        measures["provable"].push_back(exact[i].empty() ? 0.0 : 1.0);
        if (!answered.shown.is_null()) row["shown"].push_back(std::move(answered.shown));
      }
      if (!row.contains("measures")) continue;
      for (const auto& [prefix, each] :
           {std::pair("choosing by ", &choosing), {"reasoning under ", &reasoning}})
        result.timings.push_back(
            {{"trial", trial}, {"set", set.title()}, {"method", prefix + policy.label}, {"each", *each}});
      result.rows.push_back(std::move(row));
    }
    return result;
  }

  // All in an order that is drawn, but for what a gate keeps.
  Told told_by(const FloodPolicy& policy, const QuestionSet& set, const AskedQuestion& question) const {
    Told told;
    const auto& all = set.drawn;
    if (policy.label == known_proof) {
      told.statements = question.proofs.front();
      told.urgency.assign(told.statements.size(), 1);
      return told;
    }
    if (!policy.method) {
      told.statements.assign(all.begin(), all.end());
      return told;
    }
    const std::vector<core::SolvedQuestion> solved = solved_beside(set, question);
    core::Cue asked = question.asked;
    asked.solved = solved;
    const core::Vector scores = core::make_retriever(*policy.method->method, policy.method->options)(
                                    set.corpus.session->readings(), asked)
                                    .statements;
    if (policy.mode == Mode::loop || policy.mode == Mode::weighed) {
      told.statements.assign(all.begin(), all.end());
    } else {
      const auto best = first_items(scores, options_.gate, all);
      told.statements.assign(best.begin(), best.end());
    }
    if (policy.mode == Mode::gate) return told;
    double most = 0;
    for (const StatementId id : told.statements) most = std::max(most, scores[id]);
    for (const StatementId id : told.statements)
      told.urgency.push_back(most > 0 ? std::max(scores[id] / most, unscored) : unscored);
    return told;
  }

  std::unique_ptr<bridge::Control> control_of(const FloodPolicy& policy, const QuestionSet& set,
                                              const Told& told) const {
    if (!policy.control.empty()) return make_control(policy.control, set.seed.value_or(0));
    if (told.urgency.empty()) return bridge::first_in_first_out();
    const bool first = !policy.method || policy.mode == Mode::loop;
    const auto by = first ? bridge::by_urgency : bridge::by_worth;
    return by([&told](bridge::Knowledge& knowledge, SentenceId id) {
      const auto evidence = knowledge.evidence(id);
      return evidence.empty() ? 1.0 : told.urgency[evidence[0] - 1];
    });
  }

  // What each known proof alone leads to first; nothing of one that does not lead to what is expected.
  std::vector<TruthValue> exact_truths(const QuestionSet& set, const AskedQuestion& question) const {
    std::vector<TruthValue> truths;
    for (std::size_t i = 0; i < std::min(most_proofs, question.proofs.size()); ++i) {
      Told told;
      told.statements = question.proofs[i];
      told.urgency.assign(told.statements.size(), 1);
      if (const auto truth = ask({known_proof}, set, question, told, nullptr, false).truth)
        truths.push_back(*truth);
    }
    return truths;
  }

  // Done as soon as the answer is as true as one of `exact`; where that is null, with the first one.
  Answered ask(const FloodPolicy& policy, const QuestionSet& set, const AskedQuestion& question,
               const Told& told, const std::vector<TruthValue>* exact, bool shows) const {
    narsese::TermTable table;
    narsese::TermCopies copies(table);
    Reasoner reasoner(table, control_of(policy, set, told));
    const auto tell = [&](narsese::Sentence sentence) {
      sentence.term = copies(sentence.term);
      return reasoner.input(sentence);
    };
    Answered answered;
    std::optional<SentenceId> best;
    const auto hear = [&](const ReasonerEvent& event) {
      if (event.kind != ReasonerEvent::Kind::answer || answered.found) return;
      const KnownSentence& answer = reasoner.knowledge()[event.sentence];
      if (!is_expected(question, answer.term)) return;
      if (best && reasoner.knowledge()[*best].truth.confidence >= answer.truth.confidence) return;
      best = event.sentence;
      answered.truth = answer.truth;
      answered.found = exact == nullptr || std::ranges::any_of(*exact, [&](const TruthValue& truth) {
                         return is_as_true(answer.truth, truth);
                       });
      answered.steps = reasoner.steps();
    };
    for (const StatementId id : told.statements) tell(set.corpus.premise(id));
    reasoner.observe(hear);
    tell(question.sentence);
    constexpr std::uint64_t at_once = 64;
    while (!answered.found && reasoner.steps() < options_.steps &&
           reasoner.run(std::min(at_once, options_.steps - reasoner.steps())) > 0) {
    }
    answered.weaker = best && !answered.found;
    if (!answered.found) answered.steps = options_.steps;
    if (shows) answered.shown = shown(reasoner, question, best, answered);
    return answered;
  }

  static bool is_expected(const AskedQuestion& question, narsese::Term term) {
    const std::string text = narsese::print(term);
    return std::ranges::find(question.expected_terms, text) != question.expected_terms.end();
  }

  // The derivation, a line a sentence with the numbers of its premises, and what the steps were spent on.
  static Json shown(Reasoner& reasoner, const AskedQuestion& question, std::optional<SentenceId> best,
                    const Answered& answered) {
    bridge::Knowledge& knowledge = reasoner.knowledge();
    Json json = {{"question", question.text}, {"expected", question.expected}, {"found", answered.found},
                 {"steps", answered.steps},   {"derivation", Json::array()},   {"rules", Json::object()},
                 {"names", Json::array()}};
    if (best) {
      const std::vector<SentenceId> proof = reasoner.derivation(*best);
      for (const SentenceId id : proof) {
        const KnownSentence& sentence = knowledge[id];
        Json line = {{"term", narsese::print(sentence.term)},
                     {"punctuation", std::string(1, narsese::symbol(sentence.punctuation))},
                     {"rule", reasoner.rule_name(id)},
                     {"step", sentence.step},
                     {"premises", Json::array()}};
        if (!sentence.asks()) {
          line["truth"] = {sentence.truth.frequency, sentence.truth.confidence};
          line["stamp"] = knowledge.evidence(id);
        }
        for (const SentenceId premise : sentence.premises)
          if (premise != KnownSentence::none)
            line["premises"].push_back(std::ranges::find(proof, premise) - proof.begin());
        json["derivation"].push_back(std::move(line));
      }
    }
    std::map<std::string, std::size_t> rules;
    std::map<bridge::NameId, std::size_t> names;
    for (SentenceId id = 0; id < knowledge.size(); ++id) {
      if (knowledge[id].rule == KnownSentence::told) continue;
      ++rules[std::string(reasoner.rule_name(id))];
      for (const bridge::NameId name : knowledge.names(id)) ++names[name];
    }
    for (const auto& [rule, times] : rules) json["rules"][rule] = times;
    std::vector<std::pair<std::size_t, std::string>> most;
    for (const auto& [name, times] : names) most.emplace_back(times, narsese::print(knowledge.name(name)));
    std::ranges::sort(most, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (most.size() > most_names_told) most.resize(most_names_told);
    for (const auto& [times, name] : most) json["names"].push_back({name, times});
    return json;
  }

  std::vector<FloodPolicy> policies_;
  std::vector<QuestionSet> files_;
};

}  // namespace

std::unique_ptr<Trials> flood_trials(const Spec& spec, const FloodOptions& options) {
  return std::make_unique<FloodTrials>(spec, options);
}

}  // namespace engram::experiments
