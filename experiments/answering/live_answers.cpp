// SPDX-License-Identifier: MIT
#include "experiments/answering/live_answers.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/result_tables.hpp"
#include "experiments/reasoners/reasoner.hpp"
#include "experiments/statistics/ranking_measures.hpp"

namespace engram::experiments::answering {
namespace {

// Loads the recording. A missing file counts as an empty recording if the system can be asked.
Recording recorded(const SystemChoice& choice, const std::filesystem::path& file) {
  std::error_code ignored;  // a name that is too long is not a file
  const bool begins = file.empty() || (choice.can_ask() && !std::filesystem::exists(file, ignored));
  return begins ? Recording() : Recording(file);
}

// Least share of questions that the NARS must answer from the first proof alone (the oracle). On a set below this
// share, the known proofs do not suit the NARS, so the set does not count. Chosen.
constexpr double least_oracle = 0.95;

double oracle_share(const RowSet& set) {
  return mean(row_values(set, oracle_arm, set.measures("answered").front()));
}

// Area under the ROC curve: probability that a question with an answer has more support than one without. For a set
// with seeds, the mean of the areas of the seeds.
std::optional<double> area(const RowSet& set, const std::string& label, const std::string& gate) {
  std::vector<double> areas, support;
  std::vector<bool> holds;
  const auto close = [&] {
    if (const auto one = area_under_curve(
            Eigen::Map<const core::Vector>(support.data(), static_cast<core::Index>(support.size())), holds))
      areas.push_back(*one);
    support.clear();
    holds.clear();
  };
  for (const Json* row : set.rows) {
    const Json& measures = row->at("measures");
    if (row->at("method") != label || row->at("part") != test || !measures.contains("support " + gate))
      continue;
    const auto values = measures.at("support " + gate).get<std::vector<double>>();
    const auto so = row->at("holds").get<std::vector<bool>>();
    if (so.size() != values.size())
      throw std::invalid_argument("support and holds must be of the same questions");
    support.insert(support.end(), values.begin(), values.end());
    holds.insert(holds.end(), so.begin(), so.end());
    if (set.seeded) close();
  }
  if (!support.empty()) close();
  if (areas.empty()) return std::nullopt;
  return mean(areas);
}

Table answers_table(const RowSet& set, const std::vector<std::string>& labels) {
  Table table{
      "answers_" + set.file,
      set.title +
          ": share of the questions answered with the truth value that the first proof alone gives, with "
          "less "
          "confidence (weaker), and wrongly. Area: probability that a question with an answer has more "
          "support "
          "than a question without one. Support is the expectation of the answer, or 1/2 if there is none.",
      {"method"}};
  for (const Gate& gate : set.gates)
    table.head.insert(table.head.end(), {gate.name() + ": answered", "weaker", "wrong", "area"});
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const Gate& gate : set.gates) {
      for (const char* of : {"answered ", "weaker ", "wrong "})
        table.rows.back().push_back(mean_cell(row_values(set, label, of + gate.name())));
      table.rows.back().push_back(cell(area(set, label, gate.name()), 2));
    }
  }
  return table;
}

std::string sets_sentence(const std::string& system, const std::vector<RowSet>& sets) {
  std::string counting, others;
  for (const RowSet& set : sets) {
    if (row_values(set, oracle_arm, set.measures("answered").front()).empty()) continue;
    const double share = oracle_share(set);
    const bool counts = share >= least_oracle;
    std::string& list = counts ? counting : others;
    list += (list.empty() ? "" : ", ") + set.title + (counts ? "" : " (" + fixed(share, 2) + ")");
  }
  std::string text;
  if (!counting.empty())
    text += " From the first proof alone, " + system + " answers at least " + fixed(least_oracle, 2) +
            " of the questions of " + counting + ".";
  if (!others.empty())
    text += (counting.empty() ? " From the first proof alone, " + system + " answers less than " +
                                    fixed(least_oracle, 2) + " of the questions of "
                              : " It answers fewer questions of ") +
            others + ", so these sets do not count.";
  return text;
}

}  // namespace

LiveAnswers::LiveAnswers(const SystemChoice& choice, const std::filesystem::path& recording)
    : recording_(recorded(choice, recording)), reasoner_(choice, recording_) {
  if (!recording.empty() && choice.can_ask()) recording_.keep_in(recording);
}

std::optional<Answer> LiveAnswers::oracle(const QuestionSet& set, const AskedQuestion& question) {
  if (question.needed() == 0) return std::nullopt;
  Json seconds;
  auto found = answer(set, question, question.proofs.front(), seconds);
  if (found && !question.expected.empty() && !question.expects(found->term)) return std::nullopt;
  return found;
}

std::optional<Answer> LiveAnswers::answer(const QuestionSet& set, const AskedQuestion& question,
                                          std::span<const core::StatementId> given, Json& seconds) {
  std::vector<core::StatementId> ids(given.begin(), given.end());
  std::ranges::sort(ids);
  std::vector<narsese::Sentence> told;
  for (const core::StatementId id : ids) told.push_back(set.corpus.premise(id));
  const Asked asked = reasoner_.ask(told, question.sentence);
  if (asked.seconds) seconds.push_back(*asked.seconds);
  return asked.best;
}

void add_answers(const Spec& spec, const AnsweringOptions& options, const std::vector<RowSet>& sets,
                 Conclusion& conclusion) {
  if (!options.system) return;
  const Labels labels(spec);
  const std::string system(options.system->system->name);
  const Leads leads = first_leads(sets, "answered", labels);
  const std::string which = sets_sentence(system, sets);
  conclusion.answer += which;
  conclusion.tables.push_back(overview("answered",
                                       "Share of the questions that " + system +
                                           " answers from the given statements, with the truth value that "
                                           "the first proof alone gives (at least " +
                                           fixed(confident_share, 2) + " of its confidence). " +
                                           everything_arm + ": all statements, for sets of at most " +
                                           std::to_string(most_sent) + "." + which,
                                       sets, labels, leads));
  add_leads(leads, "answered", conclusion);
  const std::vector<std::string> shown = leaders(spec, leads);
  Json& summary = conclusion.summary["answers"] = Json::object();
  for (const RowSet& set : sets) {
    conclusion.tables.push_back(answers_table(set, labels.all()));
    conclusion.tables.push_back(lengths_table(set, "answered", "that " + system + " answers", labels.all()));
    add_curves(set, "answered", "questions that " + system + " answers", shown, conclusion.plots);
    const double share = oracle_share(set);
    summary[set.label] = {{"oracle", share}, {"counts", share >= least_oracle}};
    if (const Json methods = estimates_json(set, labels.all(), set.measures("answered")); !methods.empty())
      summary[set.label]["methods"] = methods;
  }
}

}  // namespace engram::experiments::answering
