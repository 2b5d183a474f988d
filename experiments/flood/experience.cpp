// SPDX-License-Identifier: MIT
#include "experiments/flood/flood.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "bridge/attach/attached_memory.hpp"
#include "core/proofs/proof_methods.hpp"
#include "experiments/flood/asking.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "narsese/parser.hpp"

namespace engram::experiments::flood {
namespace {

using core::StatementId;

const std::string learning = "learning", as_it_began = "as it began";

// Model with plain weights, which favour shorter proofs. Learning starts from these weights.
bridge::Model plain_model() {
  const core::ConfiguredMethod method(core::proof_attention_name,
                                      core::options_of(core::plain_proof_weights));
  return {method.name(), method.options()};
}

std::vector<const AskedQuestion*> questions_of(const QuestionSet& set, std::size_t most) {
  std::set<StatementId> seen;
  std::vector<const AskedQuestion*> questions;
  for (const AskedQuestion& question : set.questions) {
    if (question.needed() == 0 || question.expected_terms.empty()) continue;
    std::vector<StatementId> facts;
    for (const StatementId id : question.proofs.front())
      if (!set.corpus.premise(id).term.has_variables()) facts.push_back(id);
    if (std::ranges::any_of(facts, [&](StatementId id) { return seen.contains(id); })) continue;
    seen.insert(facts.begin(), facts.end());
    questions.push_back(&question);
    if (questions.size() == most) break;
  }
  return questions;
}

Json row_of(const QuestionSet& set, const std::string& method,
            const std::vector<const AskedQuestion*>& questions, const FloodOptions& options) {
  const FloodAsking asking{set, options.steps};
  core::Session& session = *set.corpus.session;
  bridge::ModelLearning learner(plain_model());
  Json row = {{"part", experience_part},
              {"set", set.label},
              {"statements", set.corpus.held()},
              {"method", method},
              {"questions", questions.size()},
              {"measures", {{"answered", Json::array()}, {"steps", Json::array()}}}};
  if (set.seed) row["seed"] = *set.seed;
  for (const AskedQuestion* question : questions) {
    const core::ConfiguredMethod method_now(core::proof_attention_name, learner.model().options);
    const core::Vector scores = method_now.recall(session.index(), question->cue).statements;
    const FloodInput input =
        FloodInput::by_scores(std::vector<StatementId>(set.drawn.begin(), set.drawn.end()), scores);
    const auto exact = asking.exact_truths(*question);
    const FloodAnswer answer = asking.ask_by_urgency(*question, input, &exact, true, false);
    row["measures"]["answered"].push_back(answer.found ? 1.0 : 0.0);
    row["measures"]["steps"].push_back(static_cast<double>(answer.steps));
    if (method != learning) continue;
    if (answer.found) {
      const auto term =
          narsese::parse_term(question->expected_terms.front(), session.mutable_memory().terms());
      if (term) learner.answered(session, *term, answer.used, {});
    } else {
      auto given = first_items(scores, options.gate, set.drawn);
      std::ranges::sort(given);
      learner.failed(session, question->sentence.term, given, {});
    }
  }
  return row;
}

}  // namespace

std::vector<Json> experience_rows(const QuestionSet& set, const FloodOptions& options) {
  const auto questions = questions_of(set, options.experience);
  if (questions.empty()) return {};
  return {row_of(set, as_it_began, questions, options), row_of(set, learning, questions, options)};
}

void add_experience(const FloodOptions& options, const std::vector<Json>& rows, Conclusion& conclusion) {
  // Means of a round of questions, by set, method and round. Each row adds one mean.
  std::map<std::string, std::map<std::string, std::map<std::size_t, std::vector<double>>>> steps, answered;
  std::vector<std::string> sets;
  for (const Json& row : rows) {
    if (row.value("part", "") != experience_part) continue;
    const auto set = row.at("set").get<std::string>(), method = row.at("method").get<std::string>();
    if (std::ranges::find(sets, set) == sets.end()) sets.push_back(set);
    const Json& measures = row.at("measures");
    for (const auto& [name, into] : {std::pair("steps", &steps), {"answered", &answered}}) {
      std::map<std::size_t, std::vector<double>> rounds;
      for (std::size_t i = 0; i < measures.at(name).size(); ++i)
        rounds[i / options.round].push_back(measures.at(name).at(i).get<double>());
      for (const auto& [round, values] : rounds) (*into)[set][method][round].push_back(mean(values));
    }
  }
  if (sets.empty()) return;
  Table table{"experience",
              "Steps to the answer and share of the questions answered, in rounds of " +
                  std::to_string(options.round) +
                  " questions. Attention over proofs starts with plain weights. It learns after each "
                  "question from the premises of "
                  "the answer, or from the selected statements without an answer. As it began: it keeps its "
                  "weights. A question without an answer counts with the limit of steps. Means over "
                  "the seeds, with 95 % bootstrap intervals. No proof shares a fact with an earlier one.",
              {"set", "round", "steps, " + learning, "steps, " + as_it_began, "ratio",
               "answered, " + learning, "answered, " + as_it_began}};
  for (const std::string& set : sets) {
    Plot plot{"experience_" + set, set + ": steps to the answer in each round", "earlier questions", "steps"};
    std::ranges::replace(plot.name, ' ', '_');
    plot.shares = false;
    for (const std::string& method : {learning, as_it_began}) {
      plot.series.push_back({method});
      for (const auto& [round, values] : steps[set][method])
        plot.series.back().add(static_cast<double>(round * options.round), bootstrap_mean(values));
    }
    conclusion.plots.push_back(std::move(plot));
    for (const auto& [round, with] : steps[set][learning]) {
      const auto& without = steps[set][as_it_began][round];
      table.rows.push_back({cell(set), cell(std::to_string(round + 1)),
                            interval_cell(bootstrap_mean(with), 0), interval_cell(bootstrap_mean(without), 0),
                            cell(mean(with) / mean(without), 2),
                            interval_cell(bootstrap_mean(answered[set][learning][round]), 2),
                            interval_cell(bootstrap_mean(answered[set][as_it_began][round]), 2)});
    }
  }
  conclusion.tables.push_back(std::move(table));
}

}  // namespace engram::experiments::flood
