// SPDX-License-Identifier: MIT
// A question in, a few statements out: is a whole proof among them, and where are the needed ones ranked?
#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "experiments/answering/calibration.hpp"
#include "experiments/answering/findings.hpp"
#include "experiments/spec/method_choice.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments::answering {
namespace {

using core::StatementId;
using core::Vector;
using Given = std::span<const StatementId>;
using Questions = std::vector<const AskedQuestion*>;

constexpr std::size_t most_shown = 20;  // questions of a set that have a page

// Whose questions are measured with which methods.
struct Part {
  std::string name;
  std::vector<MethodChoice> choices;
};

// The questions of a part of a set, and what all its rows have in common.
struct Round {
  const QuestionSet& set;
  Questions questions;
  Json common;
  std::map<const AskedQuestion*, std::optional<Answer>> oracles = {};  // of a live NARS, if there is one
};

// What a NARS is asked: what something answers, and what nothing does.
bool is_asked(const AskedQuestion& question) { return question.needed() > 0 || question.refuted; }

class AnsweringTrials : public TrialsOf<AnsweringOptions> {
 public:
  AnsweringTrials(const Spec& spec, const AnsweringOptions& options)
      : TrialsOf(spec, options), methods_(with_baselines(spec.methods)) {
    configurations_ = all_of(options.ablation, configuration_name);
    candidates_ = all_of(options.tuning.methods, candidate_name);
    if (!candidates_.empty()) training_seeds_ = options.tuning.seeds;
  }

  Rejections prepare() override {
    Rejections rejections;
    if (options_.system) live_ = std::make_unique<LiveAnswers>(*options_.system, options_.recording);
    for (const SeededSet& set : options_.sets)
      if (set.kind == wordnet_kind) require_wordnet();
    for (const Input& input : spec_.inputs) {
      files_.push_back(file_set(input, options_, spec_.memory, forgetting()));
      add_rejections(rejections, files_.back().corpus);
    }
    return rejections;
  }

  std::size_t count() const override {
    return files_.size() + options_.sets.size() * (training_seeds_.size() + spec_.seeds.size());
  }

  // Which other seeds and sets there are makes no difference to a trial.
  Json setting(std::size_t trial) const override {
    Json json = {{"spec", spec_.resolved}};
    for (const char* other : {"seeds", "sets"}) json.at("spec").erase(other);
    json.at("spec").at("tuning").erase("seeds");
    if (trial < files_.size()) {
      json["file"] = trial;
    } else {
      const SeededTrial place = place_of(trial);
      json["set"] = spec_.resolved.at("sets").at(place.set);
      json["seed"] = place.seed;
      json["training"] = place.training;
      json["shown"] = place.shown;
    }
    return json;
  }

  TrialResult run(std::size_t trial) const override {
    const bool of_file = trial < files_.size();
    const SeededTrial place = of_file ? SeededTrial{.shown = true} : place_of(trial);
    const auto set_by = [&](CorpusForgetting policy) {
      return of_file ? file_set(spec_.inputs[trial], options_, spec_.memory, policy)
                     : seeded_set(options_.sets[place.set], place.seed, place.training,
                                  options_.system.has_value(), spec_.memory, policy);
    };
    std::optional<QuestionSet> made;
    if (!of_file) made = set_by(forgetting());
    const QuestionSet& set = of_file ? files_[trial] : *made;
    TrialResult result = run(trial, set, place.shown);
    if (forgetting() && !place.training)
      for (const auto& policy : core::forgetting_policies)
        result.rows.push_back(policy.value == *forgetting()
                                  ? memory_row(trial, set, policy, place.shown)
                                  : memory_row(trial, set_by(policy.value), policy, false));
    return result;
  }

 private:
  using Name = std::string (*)(const std::string&);

  struct SeededTrial {
    std::size_t set = 0;
    std::uint64_t seed = 0;
    bool training = false, shown = false;
  };

  CorpusForgetting forgetting() const {
    return spec_.forgetting == core::ForgettingPolicy::none ? CorpusForgetting() : spec_.forgetting;
  }

  // Of which questions a whole proof is in a memory that forgets by this policy.
  static Json memory_row(std::size_t trial, const QuestionSet& set,
                         const core::NamedValue<core::ForgettingPolicy>& policy, bool shows) {
    Json row = {{"trial", trial},
                {"set", set.label},
                {"part", in_memory},
                {"statements", set.corpus.held()},
                {"method", policy.name}};
    if (set.seed) row["seed"] = *set.seed;
    Json& whole = row["measures"][in_memory] = Json::array();
    for (const AskedQuestion& question : set.questions)
      if (!question.training && question.needed() > 0)
        whole.push_back(
            std::ranges::any_of(question.proofs,
                                [&](const Question::Proof& proof) { return set.corpus.is_held(proof); })
                ? 1.0
                : 0.0);
    row["questions"] = whole.size();
    if (shows && set.corpus.session->forgetting().is_on())
      row["forgotten"] = set.corpus.forgotten.json(*set.corpus.session);
    return row;
  }

  static std::vector<MethodChoice> all_of(const std::vector<Variants>& all, Name name) {
    std::vector<MethodChoice> choices;
    for (const Variants& variants : all) {
      choices.push_back(variants.base);
      choices.insert(choices.end(), variants.changed.begin(), variants.changed.end());
    }
    for (MethodChoice& choice : choices) choice.label = name(choice.label);
    return choices;
  }

  // Of each set the seeds for training, then the others; the first of these is shown question by question.
  SeededTrial place_of(std::size_t trial) const {
    const std::size_t of_set = training_seeds_.size() + spec_.seeds.size(), number = trial - files_.size();
    const std::size_t place = number % of_set;
    if (place < training_seeds_.size()) return {number / of_set, training_seeds_[place], true, false};
    const std::size_t seed = place - training_seeds_.size();
    return {number / of_set, spec_.seeds[seed], false, seed == 0};
  }

  std::vector<Part> parts_of(const QuestionSet& set) const {
    std::vector<Part> parts;
    if (std::ranges::any_of(set.questions, &AskedQuestion::training))
      parts.push_back({training, candidates_});
    if (std::ranges::all_of(set.questions, &AskedQuestion::training)) return parts;
    parts.push_back({test, methods_});
    std::vector<MethodChoice>& choices = parts.back().choices;
    if (set.ablation) choices.insert(choices.end(), configurations_.begin(), configurations_.end());
    choices.insert(choices.end(), candidates_.begin(), candidates_.end());
    return parts;
  }

  TrialResult run(std::size_t trial, const QuestionSet& set, bool shown) const {
    TrialResult result;
    for (const Part& part : parts_of(set)) {
      const Round round = make_round(trial, set, part.name);
      const std::size_t first_row = result.rows.size();
      for (std::size_t i = 0; i < part.choices.size(); ++i) {
        const bool is_own = part.name == test && i < methods_.size();
        add_row(round, part.choices[i].label, measure(round, part.choices[i], is_own, is_own && shown),
                result);
      }
      if (part.name != test) continue;
      for (const std::string& arm : {everything_arm, oracle_arm})
        add_row(round, arm, arm_row(round, arm), result);
      if (shown) add_texts(round, std::span(result.rows).subspan(first_row));
    }
    return result;
  }

  Round make_round(std::size_t trial, const QuestionSet& set, const std::string& part) const {
    Round round{set, {}, {}};
    Json needed = Json::array();  // of each with a known proof: how many statements the first has
    Json holds = Json::array();   // of each that a NARS is asked: whether something answers it
    for (const AskedQuestion& question : set.questions) {
      if (question.training != (part == training)) continue;
      round.questions.push_back(&question);
      if (question.needed() > 0) needed.push_back(question.needed());
      if (!live_ || part != test || !is_asked(question)) continue;
      holds.push_back(!question.refuted);
      round.oracles[&question] = live_->oracle(set, question);
    }
    round.common = {{"trial", trial},
                    {"set", set.label},
                    {"part", part},
                    {"statements", set.corpus.session->readings().statements()},
                    {"questions", round.questions.size()},
                    {"needed", needed}};
    if (live_) round.common["holds"] = holds;
    if (set.seed) round.common["seed"] = *set.seed;
    if (!set.sha256.empty()) round.common["sha256"] = set.sha256;
    return round;
  }

  struct MeasuredRow {
    Findings findings;
    Json shown;  // null: nothing is
    Json
        promises;  // by gate, of each question that the method promises something for: of what, and whether it is so
  };

  static void add_row(const Round& round, const std::string& label, const MeasuredRow& measured,
                      TrialResult& result) {
    const Json times = {{"trial", round.common.at("trial")}, {"set", round.set.title()}, {"method", label}};
    for (const auto& [prefix, each] :
         {std::pair("", &measured.findings.seconds), {"asking after ", &measured.findings.asking}}) {
      if (each->empty()) continue;
      result.timings.push_back(times);
      result.timings.back()["method"] = prefix + label;
      result.timings.back()["each"] = *each;
    }
    if (measured.findings.measures().empty()) return;
    Json& row = result.rows.emplace_back(round.common);
    row["method"] = label;
    if (!measured.shown.is_null()) row["shown"] = measured.shown;
    if (!measured.promises.is_null()) row["promises"] = measured.promises;
    row["measures"] = measured.findings.measures();
  }

  MeasuredRow measure(const Round& round, const MethodChoice& choice, bool asks, bool shows) const {
    const core::Readings& readings = round.set.corpus.session->readings();
    const core::AnyRetriever retriever = core::make_retriever(*choice.method, choice.options);
    MeasuredRow row;
    if (shows) row.shown = Json::array();
    for (const AskedQuestion* question : round.questions) {
      if (question->refuted && !(live_ && asks)) continue;
      const std::vector<core::SolvedQuestion> solved = solved_beside(round.set, *question);
      core::Cue asked = question->asked;
      asked.solved = solved;
      core::Recall recall;
      row.findings.seconds.push_back(seconds([&] { recall = retriever(readings, asked); }));
      std::size_t most = 0;
      for (const Gate& gate : round.set.gates) most = std::max(most, gate.capacity(question->unit));
      const auto first = first_items(recall.statements, most, round.set.drawn);
      const auto given = [&](const Gate& gate) {
        return let_through(gate, question->unit, first, recall.statements);
      };
      const auto proof = [&](Given among) {
        return expected_proof(among, recall.statements, question->proofs);
      };
      add_gates(round, *question, asks, given, proof, row.findings);
      if (recall.promises && question->needed() > 0)
        for (const Gate& gate : round.set.gates)
          row.promises[gate.name()].push_back({promised(recall.statements, given(gate)),
                                               given_proof(given(gate), question->proofs).whole > 0});
      if (question->needed() > 0)
        row.findings.add_ranking("statements",
                                 RankingMeasures(recall.statements, question->statements, question->lost),
                                 options_.cutoffs);
      if (shows && question->needed() > 0 && row.shown.size() < most_shown)
        row.shown.push_back(
            shown_given(round.set, *question, recall.statements, given(round.set.gates.front())));
      const RankingMeasures concepts(recall.concepts, question->concepts, question->others);
      if (concepts.wanted() > 0) row.findings.add_ranking("concepts", concepts, options_.cutoffs);
    }
    return row;
  }

  // Everything, whatever the gate, or the first proof alone, as far as the memory has it.
  MeasuredRow arm_row(const Round& round, const std::string& arm) const {
    const std::vector<StatementId> all(round.set.drawn.begin(), round.set.drawn.end());
    MeasuredRow row;
    for (const AskedQuestion* question : round.questions) {
      Question::Proof first = question->proofs.empty() ? Question::Proof() : question->proofs.front();
      std::erase_if(first, [&](StatementId id) { return !round.set.corpus.is_held(id); });
      const Given given = arm == everything_arm ? Given(all) : Given(first);
      const auto proof = [&](Given among) { return given_proof(among, question->proofs); };
      add_gates(
          round, *question, true, [&](const Gate&) { return given; }, proof, row.findings);
    }
    return row;
  }

  // What `given` lets through each gate, how much of the proofs that holds, and what a live NARS answers to it: of the
  // same given it is not asked twice.
  template <class GivenAt, class ProofAmong>
  void add_gates(const Round& round, const AskedQuestion& question, bool asks, GivenAt given_at,
                 ProofAmong proof_among, Findings& findings) const {
    std::optional<std::pair<Given, std::optional<Answer>>> last;
    for (const Gate& gate : round.set.gates) {
      const Given given = given_at(gate);
      if (question.needed() > 0) findings.add_given(gate.name(), given.size(), proof_among(given));
      if (!live_ || !asks || !is_asked(question) || given.size() > most_told) continue;
      if (!last || last->first.data() != given.data() || last->first.size() != given.size())
        last = {given, live_->answer(round.set, question, given, findings.asking)};
      findings.add_answer(gate.name(), question, round.oracles.at(&question), last->second);
    }
  }

  // What a method gave, best first, and where it ranks what the first proof needs.
  static Json shown_given(const QuestionSet& set, const AskedQuestion& question, const Vector& scores,
                          Given given) {
    Json shown = {{"given", Json::array()}, {"ranks", Json::array()}};
    for (const StatementId id : given) shown["given"].push_back({id, scores[id]});
    for (const StatementId id : question.proofs.front()) {
      std::vector<bool> alone(question.statements.size());
      if (set.corpus.is_held(id)) alone[id] = true;
      const auto ranks = RankingMeasures(scores, alone).ranks();
      shown["ranks"].push_back(ranks.empty() ? Json(nullptr) : Json(ranks.front()));
    }
    return shown;
  }

  // The questions that are shown, and the statements that they or their rows name, in the first of the rows.
  static void add_texts(const Round& round, std::span<Json> rows) {
    Json shown = Json::array();
    std::set<StatementId> named;
    for (const AskedQuestion* question : round.questions) {
      if (question->needed() == 0 || shown.size() == most_shown) continue;
      shown.push_back(
          {{"question", question->text}, {"expected", question->expected}, {"proofs", question->proofs}});
      for (const Question::Proof& proof : question->proofs) named.insert(proof.begin(), proof.end());
    }
    for (const Json& row : rows)
      for (const Json& one : row.value("shown", Json::array()))
        for (const Json& given : one.at("given")) named.insert(given.at(0).get<StatementId>());
    Json texts = Json::object();
    for (const StatementId id : named)
      texts[std::to_string(id)] = narsese::print(round.set.corpus.premise(id));
    rows.front()["asked"] = shown;
    rows.front()["texts"] = texts;
    if (!round.set.corpus.lost.empty()) rows.front()["held"] = round.set.corpus.held();
  }

  std::vector<MethodChoice> methods_, configurations_, candidates_;
  std::vector<std::uint64_t> training_seeds_;
  std::vector<QuestionSet> files_;
  std::unique_ptr<LiveAnswers> live_;  // none where the spec names no system
};

}  // namespace

std::unique_ptr<Trials> answering_trials(const Spec& spec, const AnsweringOptions& options) {
  return std::make_unique<AnsweringTrials>(spec, options);
}

}  // namespace engram::experiments::answering
