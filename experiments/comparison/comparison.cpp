// SPDX-License-Identifier: MIT
#include "experiments/comparison/comparison.hpp"

#include <algorithm>
#include <map>

#include "bridge/json/recall_json.hpp"
#include "core/numbers/agreement.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/rank.hpp"
#include "experiments/inputs/given_statements.hpp"
#include "experiments/pages/maps_picture.hpp"
#include "experiments/pages/memory_history.hpp"
#include "experiments/reasoners/selected_answers.hpp"
#include "experiments/spec/method_choice.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "experiments/statistics/statistics.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments::comparison {
namespace {

using core::ConceptId;
using core::Vector;

ComparisonOptions read(SpecReader& reader, Spec& spec) {
  ComparisonOptions options;
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "sparsemax_attention", "argmax_attention", std::string(core::default_method),
       "concept_attention", "continuous_attention", "hopfield", "modern_hopfield", "pagerank",
       "bidirectional_spreading", "shortest_path", "sine", "cosine", "overlap", "frequency", "uniform"});
  read_seeds(reader, spec, 1);
  if (spec.seeds.size() > 1)
    throw SpecError("/seeds", "must be one seed, found " + std::to_string(spec.seeds.size()) +
                                  ": comparison asks every question once, so more seeds have no effect");
  reader.count("top", options.top, 1000);
  reader.count("cues", options.cues, 1'000'000);
  read_memory(reader, spec);
  reader.count("capacity", options.capacity, 1'000'000);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  return observed(row, {"file", "line", "cue"},
                  {{"answered", "/answered"},
                   {"as expected", "/as_expected"},
                   {"answer", "/answer_reciprocal_rank"},
                   {"above others", "/needed/above_others"},
                   {"mean rank", "/needed/mean_rank"},
                   {"kept", "/needed/within_capacity"},
                   {"whole", "/needed/whole"},
                   {"all first", "/needed/all_first"}});
}

constexpr std::size_t most_answers = 5;  // chosen: as many as `engram ask` prints

// What is asked of every method.
struct Cue {
  const Corpus* corpus = nullptr;
  const Question* question = nullptr;  // none: a statement with a part held out
  std::size_t line = 0;
  std::string kind;  // question or held_out
  std::string text;
  core::Cue asked;
  std::vector<ConceptId> answer;      // concepts that should come back
  std::vector<std::string> expected;  // the same, as the file says it
  Question::Proof needed;
  std::vector<Question::Proof> proofs;  // the first is what is needed
};

class ComparisonTrials : public TrialsOf<ComparisonOptions> {
 public:
  ComparisonTrials(const Spec& spec, const ComparisonOptions& options)
      : TrialsOf(spec, options), methods_(with_baselines(spec.methods)) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      corpora_.push_back(std::make_unique<Corpus>(load_corpus(input, spec_.memory)));
      add_rejections(rejections, *corpora_.back());
      ties_[corpora_.back().get()] =
          order_of_ties(corpora_.back()->session->memory().statements().size(), spec_.seeds.front());
      corpora_.back()->session->readings();  // worked out here, so that trials only read
      corpora_.back()->questions.empty() ? add_held_out(*corpora_.back()) : add_questions(*corpora_.back());
    }
    return rejections;
  }

  std::size_t count() const override { return cues_.size(); }

  TrialResult run(std::size_t trial) const override {
    const Cue& cue = cues_[trial];
    const core::Readings& readings = cue.corpus->session->readings();
    TrialResult result;
    std::vector<Vector> held;
    for (const MethodChoice& choice : methods_) {
      core::Recall recall;
      result.time(trial, choice.label, [&] {
        recall = core::make_retriever(*choice.method, choice.options)(readings, cue.asked);
      });
      result.rows.push_back(row(trial, cue, choice, readings, recall));
      held.push_back(readings.of_holders(recall.concepts));
    }
    for (Json& one : result.rows) one["agreement"] = Json::object();
    for (std::size_t a = 0; a < held.size(); ++a)
      for (std::size_t b = a + 1; b < held.size(); ++b)
        result.rows[a]["agreement"][methods_[b].label] = result.rows[b]["agreement"][methods_[a].label] =
            agreement_json(held[a], held[b]);
    if (trial == 0) add_maps(result.rows.front(), cue, readings);
    if (trial == 0 || cues_[trial - 1].corpus != cue.corpus)
      result.rows.front()["history"] =
          history_json(*cue.corpus, spec_.memory, names_of(cue), methods_.front());
    return result;
  }

 private:
  // The first cue serves as the example, if any statement has a score.
  static void add_maps(Json& row, const Cue& cue, const core::Readings& readings) {
    const Vector scores = readings.statement_scores(cue.asked);
    if (core::rank(scores, 1).empty()) return;
    std::vector<std::string> statements;
    for (const auto& statement : cue.corpus->session->memory().statements())
      statements.push_back(narsese::print(statement.sentence));
    row["maps"] = maps_json(scores, statements);
  }

  static std::vector<std::string> names_of(const Cue& cue) {
    std::vector<std::string> names;
    for (core::Index id = 0; id < cue.asked.activation.size(); ++id)
      if (cue.asked.activation[id] > 0)
        names.push_back(
            narsese::print(cue.corpus->session->memory().graph()[static_cast<ConceptId>(id)].term));
    return names;
  }

  void add_questions(Corpus& corpus) {
    const core::Memory& memory = corpus.session->memory();
    for (const Question& question : corpus.questions) {
      Cue cue{&corpus,
              &question,
              question.line,
              "question",
              narsese::print(question.sentence),
              core::cue_for(memory, question.sentence.term),
              {},
              {},
              question.needed(),
              question.proofs};
      for (const narsese::Sentence& expected : question.expected) {
        cue.expected.push_back(narsese::print(expected));
        for (const ConceptId id : memory.known_concepts(expected.term))
          if (cue.asked.activation[id] == 0 && std::ranges::find(cue.answer, id) == cue.answer.end())
            cue.answer.push_back(id);
      }
      cues_.push_back(std::move(cue));
    }
  }

  void add_held_out(Corpus& corpus) {
    const core::Memory& memory = corpus.session->memory();
    core::Rng rng(spec_.seeds.front(), "held_out", corpora_.size());
    std::vector<std::uint32_t> chosen;
    for (const auto id : rng.permutation(static_cast<std::uint32_t>(memory.statements().size())))
      if (memory.statements()[id].active.size() >= 2 && chosen.size() < options_.cues) chosen.push_back(id);
    std::ranges::sort(chosen);
    for (const auto id : chosen) {
      const auto& statement = memory.statements()[id];
      const ConceptId held_out = statement.active[rng.below(statement.active.size())];
      Vector activation = Vector::Zero(static_cast<core::Index>(memory.graph().size()));
      for (const ConceptId member : statement.active) activation[member] = member == held_out ? 0.0 : 1.0;
      const std::string answer = narsese::print(memory.graph()[held_out].term);
      cues_.push_back({&corpus,
                       nullptr,
                       corpus.lines[id],
                       "held_out",
                       narsese::print(statement.sentence.term) + " without " + answer,
                       activation,
                       {held_out},
                       {answer},
                       {id},
                       {{id}}});
    }
  }

  Json row(std::size_t trial, const Cue& cue, const MethodChoice& choice, const core::Readings& readings,
           const core::Recall& recall) const {
    const core::Memory& memory = cue.corpus->session->memory();
    Json concepts = Json::array(), statements = Json::array();
    for (const auto id : core::rank(recall.concepts, options_.top))
      concepts.push_back({{"term", narsese::print(memory.graph()[id].term)}, {"value", recall.concepts[id]}});
    for (const auto id : core::rank(recall.statements, options_.top))
      statements.push_back({{"line", cue.corpus->lines[id]},
                            {"narsese", narsese::print(memory.statements()[id].sentence)},
                            {"value", recall.statements[id]},
                            {"needed", std::ranges::find(cue.needed, id) != cue.needed.end()}});
    Json row = {{"trial", trial},
                {"file", cue.corpus->name},
                {"line", cue.line},
                {"kind", cue.kind},
                {"cue", cue.text},
                {"known", cue.asked.names().size()},
                {"expected", cue.expected},
                {"method", choice.label},
                {"concepts", concepts},
                {"statements", statements},
                {"energies", recall.energies},
                {"iterations", recall.iterations},
                {"converged", recall.converged}};
    if (recall.certificate) row["certificate"] = bridge::to_json(*recall.certificate);
    const auto first = first_items(recall.statements, options_.capacity, ties_.at(cue.corpus));
    const auto given = let_through(Gate{options_.capacity}, cue.needed.size(), first, recall.statements);
    if (cue.question != nullptr) add_answers(row, cue, given, recall);
    add_answer_rank(row, cue, readings, recall);
    add_needed(row, cue, given, recall);
    return row;
  }

  // What the reasoner answers from the statements that the method selected.
  static void add_answers(Json& row, const Cue& cue, std::span<const core::StatementId> given,
                          const core::Recall& recall) {
    std::vector<SelectedStatement> selected;
    for (const core::StatementId id : given)
      selected.push_back({cue.corpus->premise(id), recall.statements[id]});
    const Question& question = *cue.question;
    const auto found = answers_from(selected, question.sentence, most_answers);
    row["given"] = given.size();
    row["steps"] = found.steps;
    Json& answers = row["answers"] = Json::array();
    for (const bridge::ProvenAnswer& answer : found.answers) answers.push_back(answer_json(answer));
    row["answered"] = !found.answers.empty();
    if (question.refuted)
      row["as_expected"] = found.answers.empty();
    else if (!question.expected.empty())
      row["as_expected"] =
          !found.answers.empty() &&
          is_expected({found.answers.front().term, found.answers.front().truth}, question.expected);
  }

  static Json answer_json(const bridge::ProvenAnswer& answer) {
    Json proof = Json::array();
    for (const bridge::ProofLine& line : answer.proof) {
      Json& json = proof.emplace_back(
          Json{{"narsese", line.narsese}, {"rule", line.rule}, {"premises", line.premises}});
      if (line.truth) json["truth"] = truth_json(*line.truth);
    }
    return {{"term", answer.term}, {"truth", truth_json(answer.truth)}, {"proof", proof}};
  }

  static Json truth_json(const narsese::TruthValue& truth) { return {truth.frequency, truth.confidence}; }

  // Expected reciprocal rank of the answer's concepts among those that the cue does not name already.
  static void add_answer_rank(Json& row, const Cue& cue, const core::Readings& readings,
                              const core::Recall& recall) {
    if (cue.answer.empty()) return;
    std::vector<bool> counted(static_cast<std::size_t>(readings.concepts()));
    for (const ConceptId id : readings.holders()) counted[id] = cue.asked.activation[id] == 0;
    double total = 0;
    for (const ConceptId id : cue.answer) {
      std::vector<bool> wanted(counted.size());
      wanted[id] = true;
      total += RankingMeasures(recall.concepts, wanted, counted).reciprocal_rank();
    }
    row["answer_reciprocal_rank"] = total / static_cast<double>(cue.answer.size());
  }

  // Where the needed statements are ranked: expectations, if statements with equal scores stand in random order.
  static void add_needed(Json& row, const Cue& cue, std::span<const core::StatementId> given,
                         const core::Recall& recall) {
    std::vector<bool> wanted(static_cast<std::size_t>(recall.statements.size()));
    for (const auto id : cue.needed) wanted[id] = true;
    const auto curve = area_under_curve(recall.statements, wanted);
    if (!curve) return;
    const std::vector<bool> all(wanted.size(), true);
    double rank_sum = 0, weakest = INFINITY, strongest_other = -INFINITY;
    for (std::size_t id = 0; id < wanted.size(); ++id) {
      const double score = recall.statements[static_cast<core::Index>(id)];
      if (wanted[id]) rank_sum += tied_rank(recall.statements, id, all);
      double& bound = wanted[id] ? weakest : strongest_other;
      bound = wanted[id] ? std::min(bound, score) : std::max(bound, score);
    }
    const auto count = static_cast<double>(std::ranges::count(wanted, true));
    const auto all_count = static_cast<double>(wanted.size());
    const GivenProof proof = expected_proof(given, recall.statements, cue.proofs);
    row["needed"] = {
        {"count", count},
        {"statements", wanted.size()},
        {"above_others", *curve},
        {"mean_rank", rank_sum / count},
        {"mean_rank_of_others", (0.5 * all_count * (all_count + 1) - rank_sum) / (all_count - count)},
        {"within_capacity", proof.kept},
        {"whole", proof.whole},
        {"all_first", chance_of_all_first(recall.statements, wanted, weakest, strongest_other)},
        {"margin", weakest - strongest_other}};
  }

  // Chance that the needed ones stand before all others: of those that are tied with the best other, all needed ones
  // must come first.
  static double chance_of_all_first(const Vector& scores, const std::vector<bool>& wanted, double weakest,
                                    double strongest_other) {
    if (weakest != strongest_other) return weakest > strongest_other ? 1 : 0;
    double needed = 0, tied = 0;
    for (std::size_t id = 0; id < wanted.size(); ++id) {
      if (scores[static_cast<core::Index>(id)] != weakest) continue;
      ++tied;
      needed += wanted[id] ? 1 : 0;
    }
    double chance = 1;
    for (double place = 0; place < needed; ++place) chance *= (needed - place) / (tied - place);
    return chance;
  }

  static Json agreement_json(const Vector& a, const Vector& b) {
    const auto or_null = [](std::optional<double> x) { return x ? Json(*x) : Json(nullptr); };
    return {{"spearman", or_null(core::spearman(a, b))},
            {"kendall", or_null(core::kendall(a, b))},
            {"overlap", core::top_overlap(a, b, 10)},
            {"jensen_shannon", or_null(core::jensen_shannon(a, b))}};
  }

  std::vector<MethodChoice> methods_;
  std::vector<std::unique_ptr<Corpus>> corpora_;
  std::map<const Corpus*, std::vector<core::StatementId>>
      ties_;  // in which order the reasoner is given those of equal scores
  std::vector<Cue> cues_;
};

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<ComparisonOptions>(
      {"comparison", read, make_trials<ComparisonTrials>, conclude_comparison, {"cue by cue", observe}});
}

}  // namespace engram::experiments::comparison
