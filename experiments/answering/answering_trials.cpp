// SPDX-License-Identifier: MIT
// A question in, a few statements out: is a whole proof among them, and where are the needed ones ranked?
#include <algorithm>
#include <functional>
#include <set>
#include <span>

#include "experiments/answering/question_sets.hpp"
#include "experiments/spec/method_choice.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::StatementId;
using core::Vector;
using Given = std::span<const StatementId>;
using Questions = std::vector<const AskedQuestion*>;

constexpr std::size_t most_shown = 20;  // questions of a set that have a page

// Measures by name, each a list with a value a question.
class Measured {
 public:
  void add(const std::string& name, double value) { json_[name].push_back(value); }
  void add_ranking(const std::string& of, const RankingMeasures& ranking,
                   const std::vector<std::size_t>& cutoffs) {
    add(of + " MRR", ranking.reciprocal_rank());
    for (const std::size_t k : cutoffs) {
      add(of + " nDCG@" + std::to_string(k), ranking.ndcg(k));
      add(of + " recall@" + std::to_string(k), ranking.recall(k));
    }
  }
  // What a gate lets through, of a question with a known proof.
  void add_given(const std::string& gate, const AskedQuestion& question, Given given) {
    const GivenProof proof = given_proof(given, question.proofs);
    add("given " + gate, static_cast<double>(given.size()));
    add("kept " + gate, proof.kept);
    add("whole " + gate, proof.whole);
  }
  const Json& json() const { return json_; }

 private:
  Json json_ = Json::object();
};

// Whose questions are measured with which methods.
struct Part {
  std::string name;
  std::vector<MethodChoice> choices;
};

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
    for (const SeededSet& set : options_.sets)
      if (set.kind == wordnet_kind) require_wordnet();
    for (const Input& input : spec_.inputs) {
      files_.push_back(file_set(input, options_, spec_.memory));
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
    if (trial < files_.size()) return run(trial, files_[trial], true);
    const SeededTrial place = place_of(trial);
    return run(trial, seeded_set(options_.sets[place.set], place.seed, place.training, spec_.memory),
               place.shown);
  }

 private:
  using Name = std::string (*)(const std::string&);

  struct SeededTrial {
    std::size_t set = 0;
    std::uint64_t seed = 0;
    bool training = false, shown = false;
  };

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
      Questions questions;
      Json needed = Json::array();  // of each with a known proof: how many statements the first has
      for (const AskedQuestion& question : set.questions) {
        if (question.training != (part.name == training)) continue;
        questions.push_back(&question);
        if (question.needed() > 0) needed.push_back(question.needed());
      }
      Json common = {{"trial", trial},
                     {"set", set.label},
                     {"part", part.name},
                     {"statements", set.corpus.session->readings().statements()},
                     {"questions", questions.size()},
                     {"needed", needed}};
      if (set.seed) common["seed"] = *set.seed;
      if (!set.sha256.empty()) common["sha256"] = set.sha256;
      const bool shows = shown && part.name == test;
      const std::size_t first_row = result.rows.size();
      for (std::size_t i = 0; i < part.choices.size(); ++i) {
        const MethodChoice& choice = part.choices[i];
        Json& row = result.rows.emplace_back(common);
        row["method"] = choice.label;
        Json each = Json::array();  // seconds of each recall
        measure(set, questions, choice, shows && i < methods_.size(), row, each);
        result.timings.push_back(
            {{"trial", trial}, {"set", set.title()}, {"method", choice.label}, {"each", std::move(each)}});
      }
      if (part.name == test) add_arms(set, questions, common, result.rows);
      if (shows) add_texts(set, questions, std::span(result.rows).subspan(first_row));
    }
    return result;
  }

  void measure(const QuestionSet& set, const Questions& questions, const MethodChoice& choice, bool shown,
               Json& row, Json& each) const {
    const core::Readings& readings = set.corpus.session->readings();
    const core::AnyRetriever retriever = core::make_retriever(*choice.method, choice.options);
    Measured measured;
    Json& pages = row["shown"] = Json::array();
    for (const AskedQuestion* question : questions) {
      if (question->refuted) continue;
      core::Recall recall;
      each.push_back(seconds([&] { recall = retriever(readings, question->asked); }));
      if (question->needed() > 0) {
        std::size_t most = 0;
        for (const Gate& gate : set.gates) most = std::max(most, gate.capacity(question->needed()));
        const auto first = first_items(recall.statements, most, set.drawn);
        for (const Gate& gate : set.gates)
          measured.add_given(gate.name(), *question,
                             let_through(gate, question->needed(), first, recall.statements));
        measured.add_ranking("statements", RankingMeasures(recall.statements, question->statements),
                             options_.cutoffs);
        if (shown && pages.size() < most_shown)
          pages.push_back(
              shown_given(*question, recall.statements,
                          let_through(set.gates.front(), question->needed(), first, recall.statements)));
      }
      const RankingMeasures concepts(recall.concepts, question->concepts, question->others);
      if (concepts.wanted() > 0) measured.add_ranking("concepts", concepts, options_.cutoffs);
    }
    if (!shown) row.erase("shown");
    row["measures"] = measured.json();
  }

  // Everything, whatever the gate, and the first proof alone.
  static void add_arms(const QuestionSet& set, const Questions& questions, const Json& common,
                       std::vector<Json>& rows) {
    std::vector<StatementId> all(set.drawn.begin(), set.drawn.end());
    for (const std::string& arm : {everything_arm, oracle_arm}) {
      Measured measured;
      for (const AskedQuestion* question : questions)
        for (const Gate& gate : set.gates)
          if (question->needed() > 0)
            measured.add_given(gate.name(), *question,
                               arm == oracle_arm ? Given(question->proofs.front()) : Given(all));
      if (measured.json().empty()) continue;
      rows.push_back(common);
      rows.back()["method"] = arm;
      rows.back()["measures"] = measured.json();
    }
  }

  // What a method gave, best first, and where it ranks what the first proof needs.
  static Json shown_given(const AskedQuestion& question, const Vector& scores, Given given) {
    Json shown = {{"given", Json::array()}, {"ranks", Json::array()}};
    for (const StatementId id : given) shown["given"].push_back({id, scores[id]});
    for (const StatementId id : question.proofs.front()) {
      std::vector<bool> alone(question.statements.size());
      alone[id] = true;
      const auto ranks = RankingMeasures(scores, alone).ranks();
      shown["ranks"].push_back(ranks.empty() ? Json(nullptr) : Json(ranks.front()));
    }
    return shown;
  }

  // The questions that are shown, and the statements that they or their rows name, in the first of the rows.
  static void add_texts(const QuestionSet& set, const Questions& questions, std::span<Json> rows) {
    Json shown = Json::array();
    std::set<StatementId> named;
    for (const AskedQuestion* question : questions) {
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
      texts[std::to_string(id)] = narsese::print(set.corpus.session->memory().statements()[id].sentence);
    rows.front()["asked"] = shown;
    rows.front()["texts"] = texts;
  }

  std::vector<MethodChoice> methods_, configurations_, candidates_;
  std::vector<std::uint64_t> training_seeds_;
  std::vector<QuestionSet> files_;
};

}  // namespace

std::unique_ptr<Trials> answering_trials(const Spec& spec, const AnsweringOptions& options) {
  return std::make_unique<AnsweringTrials>(spec, options);
}

}  // namespace engram::experiments
