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
                  {{"answer", "/answer_reciprocal_rank"},
                   {"above others", "/needed/above_others"},
                   {"mean rank", "/needed/mean_rank"},
                   {"kept", "/needed/within_capacity"},
                   {"whole", "/needed/whole"},
                   {"all first", "/needed/all_first"}});
}

// What is asked of every method.
struct Cue {
  const Corpus* corpus = nullptr;
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
    add_answer(row, cue, readings, recall);
    add_needed(row, cue, recall);
    return row;
  }

  // Reciprocal rank of the answer's concepts among those that the cue does not name already.
  static void add_answer(Json& row, const Cue& cue, const core::Readings& readings,
                         const core::Recall& recall) {
    if (cue.answer.empty()) return;
    std::vector<bool> counted(static_cast<std::size_t>(readings.concepts()));
    for (const ConceptId id : readings.holders()) counted[id] = cue.asked.activation[id] == 0;
    TiedRanks total{0, 0, 0};  // of reciprocals
    for (const ConceptId id : cue.answer) {
      const TiedRanks ranks = tied_ranks(recall.concepts, id, counted);
      total.optimistic += 1.0 / ranks.optimistic;
      total.average += 1.0 / ranks.average;
      total.pessimistic += 1.0 / ranks.pessimistic;
    }
    add_tied(row, "answer_reciprocal_rank", total, static_cast<double>(cue.answer.size()));
  }

  // A mean, and what it would be if ties were broken for or against it.
  static void add_tied(Json& row, const std::string& name, const TiedRanks& sum, double count) {
    row[name] = sum.average / count;
    row[name + "_optimistic"] = sum.optimistic / count;
    row[name + "_pessimistic"] = sum.pessimistic / count;
  }

  void add_needed(Json& row, const Cue& cue, const core::Recall& recall) const {
    std::vector<bool> wanted(static_cast<std::size_t>(recall.statements.size()));
    for (const auto id : cue.needed) wanted[id] = true;
    const auto curve = area_under_curve(recall.statements, wanted);
    if (!curve) return;
    const std::vector<bool> all(wanted.size(), true);
    const auto capacity = static_cast<double>(options_.capacity);
    TiedRanks within{0, 0, 0}, rank_sum{0, 0, 0};
    double weakest = INFINITY, strongest_other = -INFINITY;
    for (std::size_t id = 0; id < wanted.size(); ++id) {
      const double score = recall.statements[static_cast<core::Index>(id)];
      if (!wanted[id]) {
        strongest_other = std::max(strongest_other, score);
        continue;
      }
      const TiedRanks ranks = tied_ranks(recall.statements, id, all);
      for (double TiedRanks::*policy :
           {&TiedRanks::optimistic, &TiedRanks::average, &TiedRanks::pessimistic}) {
        rank_sum.*policy += ranks.*policy;
        within.*policy += ranks.*policy <= capacity ? 1 : 0;
      }
      weakest = std::min(weakest, score);
    }
    const auto count = static_cast<double>(std::ranges::count(wanted, true));
    const auto all_count = static_cast<double>(wanted.size());
    Json& needed =
        row["needed"] = {{"count", count}, {"statements", wanted.size()}, {"above_others", *curve}};
    add_tied(needed, "mean_rank", rank_sum, count);
    needed["mean_rank_of_others"] =
        (0.5 * all_count * (all_count + 1) - rank_sum.average) / (all_count - count);
    add_tied(needed, "within_capacity", within, count);
    const Gate gate{options_.capacity};
    const auto first = first_items(recall.statements, options_.capacity, ties_.at(cue.corpus));
    needed["whole"] =
        given_proof(let_through(gate, cue.needed.size(), first, recall.statements), cue.proofs).whole;
    needed["all_first"] = weakest > strongest_other;
    needed["margin"] = weakest - strongest_other;
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
      ties_;  // in which order those of equal scores are given
  std::vector<Cue> cues_;
};

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<ComparisonOptions>(
      {"comparison", read, make_trials<ComparisonTrials>, conclude_comparison, {"cue by cue", observe}});
}

}  // namespace engram::experiments::comparison
