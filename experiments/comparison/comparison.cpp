// SPDX-License-Identifier: MIT
#include "experiments/comparison/comparison.hpp"

#include <algorithm>

#include "bridge/json/core_json.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/ranking.hpp"
#include "experiments/pages/memory_history.hpp"
#include "experiments/pages/pictures.hpp"
#include "experiments/reasoners/reasoner.hpp"
#include "experiments/reasoners/selection.hpp"
#include "experiments/spec/method_choice.hpp"
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
    throw SpecError("/seeds",
                    "must be one seed, found " + std::to_string(spec.seeds.size()) +
                        ": comparison asks each question once, so other seeds would not change the result");
  reader.count("top", options.top, 1000);
  reader.count("cues", options.cues, 1'000'000);
  read_memory(reader, spec);
  reader.count("capacity", options.capacity, 1'000'000);
  return options;
}

constexpr std::size_t most_answers = 5;  // limit; the number that `engram ask` prints

class ComparisonTrials : public TrialsOf<ComparisonOptions> {
 public:
  ComparisonTrials(const Spec& spec, const ComparisonOptions& options)
      : TrialsOf(spec, options), gate_{options.capacity}, methods_(with_baselines(spec.methods)) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      QuestionSet& set = *sets_.emplace_back(std::make_unique<QuestionSet>(
          QuestionSet{.label = input.name, .gates = {gate_}, .corpus = load_corpus(input, spec_.memory)}));
      add_rejections(rejections, set.corpus);
      set.drawn = order_of_ties(set.corpus.held(), spec_.seeds.front());
      for (const Question& question : set.corpus.questions)
        set.questions.push_back(asked_question(set.corpus, question));
      if (set.questions.empty()) add_held_out(set);
      for (const AskedQuestion& question : set.questions) asked_.emplace_back(&set, &question);
    }
    return rejections;
  }

  std::size_t count() const override { return asked_.size(); }

  TrialResult run(std::size_t trial) const override {
    const QuestionSet& set = *asked_[trial].first;
    const AskedQuestion& question = *asked_[trial].second;
    const core::MemoryIndex& readings = set.corpus.session->index();
    const CueWithSolved asked(set, question);
    TrialResult result;
    std::vector<Vector> held;
    for (const MethodChoice& choice : methods_) {
      const Selection selection(set, question, asked, choice.method);
      result.timings.push_back(
          {{"trial", trial}, {"method", choice.label}, {"seconds", selection.seconds()}});
      result.rows.push_back(row(trial, set, question, choice, selection));
      held.push_back(readings.over_active_concepts(selection.recall().concepts));
    }
    for (Json& one : result.rows) one["agreement"] = Json::object();
    for (std::size_t a = 0; a < held.size(); ++a)
      for (std::size_t b = a + 1; b < held.size(); ++b)
        result.rows[a]["agreement"][methods_[b].label] = result.rows[b]["agreement"][methods_[a].label] =
            agreement_json(held[a], held[b]);
    if (trial == 0)
      add_maps(result.rows.front(), set.corpus, readings.statement_scores(question.cue.activation));
    if (trial == 0 || asked_[trial - 1].first != &set)
      result.rows.front()["history"] =
          history_json(set.corpus, spec_.memory, names_of(set.corpus, question), methods_.front());
    return result;
  }

 private:
  // Adds an example for the report: the weights that every simplex map gives to these scores. Does nothing if no
  // statement has a positive score.
  static void add_maps(Json& row, const Corpus& corpus, const Vector& scores) {
    if (core::rank(scores, 1).empty()) return;
    std::vector<std::string> statements;
    for (const auto& statement : corpus.session->memory().statements())
      statements.push_back(narsese::print(statement.sentence));
    row["maps"] = maps_json(scores, statements);
  }

  static std::vector<std::string> names_of(const Corpus& corpus, const AskedQuestion& question) {
    std::vector<std::string> names;
    for (const ConceptId id : question.names)
      names.push_back(narsese::print(corpus.session->memory().graph()[id].term));
    return names;
  }

  void add_held_out(QuestionSet& set) const {
    const auto& statements = set.corpus.session->memory().statements();
    core::Rng rng(spec_.seeds.front(), "held_out", sets_.size());
    std::vector<core::StatementId> chosen;
    for (const auto id : rng.permutation(static_cast<std::uint32_t>(statements.size())))
      if (statements[id].active.size() >= 2 && chosen.size() < options_.cues) chosen.push_back(id);
    std::ranges::sort(chosen);
    for (const auto id : chosen)
      set.questions.push_back(
          held_out_question(set.corpus, id, statements[id].active[rng.below(statements[id].active.size())]));
  }

  Json row(std::size_t trial, const QuestionSet& set, const AskedQuestion& question,
           const MethodChoice& choice, const Selection& selection) const {
    const core::Memory& memory = set.corpus.session->memory();
    const core::Recall& recall = selection.recall();
    const bool asks = question.sentence.asks();
    Json concepts = Json::array(), statements = Json::array();
    for (const auto id : core::rank(recall.concepts, options_.top))
      concepts.push_back({{"term", narsese::print(memory.graph()[id].term)}, {"value", recall.concepts[id]}});
    for (const auto id : core::rank(recall.statements, options_.top))
      statements.push_back(
          {{"line", set.corpus.lines[id]},
           {"narsese", narsese::print(memory.statements()[id].sentence)},
           {"value", recall.statements[id]},
           {"needed", question.needed() > 0 && std::ranges::binary_search(question.proofs.front(), id)}});
    Json row = {{"trial", trial},
                {"file", set.label},
                {"line", question.line},
                {"kind", asks ? "question" : "held_out"},
                {"cue", question.text},
                {"known", question.names.size()},
                {"expected", question.expected_texts},
                {"method", choice.label},
                {"concepts", concepts},
                {"statements", statements},
                {"energies", recall.energies},
                {"iterations", recall.iterations},
                {"converged", recall.converged}};
    if (recall.certificate) row["certificate"] = bridge::to_json(*recall.certificate);
    if (asks) add_answers(row, question, selection.given(gate_), selection);
    if (const auto rank = selection.answer_rank()) row["answer_reciprocal_rank"] = *rank;
    if (const auto places = selection.needed_places()) {
      const ProofCoverage proof = selection.proof(selection.given(gate_));
      row["needed"] = {{"count", static_cast<double>(question.needed())},
                       {"statements", set.corpus.held()},
                       {"above_others", places->above_others},
                       {"mean_rank", places->mean_rank},
                       {"mean_rank_of_others", places->mean_rank_of_others},
                       {"within_capacity", proof.kept},
                       {"whole", proof.whole},
                       {"all_first", places->all_first},
                       {"margin", places->margin}};
    }
    return row;
  }

  // Adds the answers of the reasoner from the selected statements.
  static void add_answers(Json& row, const Question& question, std::span<const core::StatementId> given,
                          const Selection& selection) {
    const auto found = selection.answers(given, most_answers);
    row["given"] = given.size();
    row["steps"] = found.steps;
    Json& answers = row["answers"] = Json::array();
    for (const core::ProvenAnswer& answer : found.answers) answers.push_back(answer_json(answer));
    row["answered"] = !found.answers.empty();
    if (question.refuted)
      row["as_expected"] = found.answers.empty();
    else if (!question.expected.empty())
      row["as_expected"] =
          !found.answers.empty() &&
          is_expected({found.answers.front().term, found.answers.front().truth}, question.expected);
  }

  static Json answer_json(const core::ProvenAnswer& answer) {
    Json proof = Json::array();
    for (const core::ProofLine& line : answer.proof) {
      Json& json = proof.emplace_back(
          Json{{"narsese", line.narsese}, {"rule", line.rule}, {"premises", line.premises}});
      if (line.truth) json["truth"] = truth_json(*line.truth);
    }
    return {{"term", answer.term}, {"truth", truth_json(answer.truth)}, {"proof", proof}};
  }

  static Json truth_json(const narsese::TruthValue& truth) { return {truth.frequency, truth.confidence}; }

  static Json agreement_json(const Vector& a, const Vector& b) {
    const auto or_null = [](std::optional<double> x) { return x ? Json(*x) : Json(nullptr); };
    return {{"spearman", or_null(core::spearman(a, b))},
            {"kendall", or_null(core::kendall(a, b))},
            {"overlap", core::top_overlap(a, b, 10)},
            {"jensen_shannon", or_null(core::jensen_shannon(a, b))}};
  }

  Gate gate_;
  std::vector<MethodChoice> methods_;
  std::vector<std::unique_ptr<QuestionSet>> sets_;
  std::vector<std::pair<const QuestionSet*, const AskedQuestion*>> asked_;  // one for each trial
};

}  // namespace

std::vector<Observation> observed_measures(const Json& row) {
  std::vector<std::pair<const char*, const char*>> measures;
  for (const CueMeasure& measure : cue_measures) measures.emplace_back(measure.name, measure.pointer);
  return observed(row, {"file", "line", "cue"}, measures);
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<ComparisonOptions>({"comparison",
                                             read,
                                             make_trials<ComparisonTrials>,
                                             conclude_comparison,
                                             {"cue by cue", observed_measures}});
}

}  // namespace engram::experiments::comparison
