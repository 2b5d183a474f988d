// SPDX-License-Identifier: MIT
// The comparison: for every question of a Narsese file (or, where it asks none, for statements with one
// concept held out), what does each method put first, and how far do the methods agree?
#include <algorithm>
#include <cmath>
#include <map>

#include "core/agreement.hpp"
#include "core/random.hpp"
#include "experiments/experiment.hpp"
#include "experiments/maps_picture.hpp"
#include "experiments/statistics.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::ConceptId;
using core::Vector;

// What is asked of every method.
struct Cue {
  const Corpus* corpus = nullptr;
  std::size_t line = 0;
  std::string kind;  // question or held_out
  std::string text;
  Vector activation;
  std::vector<ConceptId> answer;      // concepts that should come back
  std::vector<std::string> expected;  // the same, as the file says it
  std::vector<core::StatementId> needed;
};

class Comparison : public Experiment {
 public:
  explicit Comparison(const Spec& spec) : spec_(spec) {}

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      corpora_.push_back(std::make_unique<Corpus>(load_corpus(input, spec_.memory)));
      add_rejections(rejections, *corpora_.back());
      corpora_.back()->session->readings();  // worked out here, so that trials only read
      corpora_.back()->questions.empty() ? add_held_out(*corpora_.back()) : add_questions(*corpora_.back());
    }
    return rejections;
  }

  std::size_t trials() const override { return cues_.size(); }

  TrialResult run(std::size_t trial) const override {
    const Cue& cue = cues_[trial];
    const core::Readings& readings = cue.corpus->session->readings();
    TrialResult result;
    std::vector<Vector> held;
    for (const MethodChoice& choice : spec_.methods) {
      core::Recall recall;
      const double time = seconds(
          [&] { recall = core::make_retriever(*choice.method, choice.options)(readings, cue.activation); });
      result.rows.push_back(row(trial, cue, choice, readings, recall));
      result.timings.push_back({{"trial", trial}, {"method", choice.label}, {"seconds", time}});
      held.push_back(readings.of_holders(recall.concepts));
    }
    for (std::size_t a = 0; a < held.size(); ++a) {
      Json agreement = Json::object();
      for (std::size_t b = 0; b < held.size(); ++b)
        if (b != a) agreement[spec_.methods[b].label] = agreement_json(held[a], held[b]);
      result.rows[a]["agreement"] = agreement;
    }
    if (trial == 0) add_maps(result.rows.front(), cue, readings);
    return result;
  }

 private:
  // The first cue serves as the example, if any statement has a score.
  static void add_maps(Json& row, const Cue& cue, const core::Readings& readings) {
    const Vector scores = readings.statement_scores(cue.activation);
    if (core::rank(scores, 1).empty()) return;
    std::vector<std::string> statements;
    for (const auto& statement : cue.corpus->session->memory().statements())
      statements.push_back(narsese::print(statement.sentence));
    row["maps"] = maps_json(scores, statements);
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
              question.needed};
      for (const narsese::Sentence& expected : question.expected) {
        cue.expected.push_back(narsese::print(expected));
        for (const ConceptId id : memory.known_concepts(expected.term))
          if (cue.activation[id] == 0 && std::ranges::find(cue.answer, id) == cue.answer.end())
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
      if (memory.statements()[id].active.size() >= 2 && chosen.size() < spec_.cues) chosen.push_back(id);
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
                       {id}});
    }
  }

  Json row(std::size_t trial, const Cue& cue, const MethodChoice& choice, const core::Readings& readings,
           const core::Recall& recall) const {
    const core::Memory& memory = cue.corpus->session->memory();
    Json concepts = Json::array(), statements = Json::array();
    for (const auto id : core::rank(recall.concepts, spec_.top))
      concepts.push_back({{"term", narsese::print(memory.graph()[id].term)}, {"value", recall.concepts[id]}});
    for (const auto id : core::rank(recall.statements, spec_.top))
      statements.push_back({{"line", cue.corpus->lines[id]},
                            {"narsese", narsese::print(memory.statements()[id].sentence)},
                            {"value", recall.statements[id]},
                            {"needed", std::ranges::find(cue.needed, id) != cue.needed.end()}});
    Json row = {{"trial", trial},
                {"file", cue.corpus->name},
                {"line", cue.line},
                {"kind", cue.kind},
                {"cue", cue.text},
                {"known", (cue.activation.array() > 0).count()},
                {"expected", cue.expected},
                {"method", choice.label},
                {"concepts", concepts},
                {"statements", statements},
                {"energies", recall.energies},
                {"iterations", recall.iterations},
                {"converged", recall.converged}};
    if (recall.certificate) row["certificate"] = certificate_json(*recall.certificate);
    add_answer(row, cue, readings, recall);
    add_needed(row, cue, recall);
    return row;
  }

  // Reciprocal rank of the answer's concepts among those that the cue does not name already.
  static void add_answer(Json& row, const Cue& cue, const core::Readings& readings,
                         const core::Recall& recall) {
    if (cue.answer.empty()) return;
    std::vector<bool> counted(static_cast<std::size_t>(readings.concepts()));
    for (const ConceptId id : readings.holders()) counted[id] = cue.activation[id] == 0;
    double total = 0;
    for (const ConceptId id : cue.answer) total += 1.0 / tied_rank(recall.concepts, id, counted);
    row["answer_reciprocal_rank"] = total / static_cast<double>(cue.answer.size());
  }

  void add_needed(Json& row, const Cue& cue, const core::Recall& recall) const {
    std::vector<bool> wanted(static_cast<std::size_t>(recall.statements.size()));
    for (const auto id : cue.needed) wanted[id] = true;
    const auto curve = area_under_curve(recall.statements, wanted);
    if (!curve) return;
    const std::vector<bool> all(wanted.size(), true);
    double within = 0, rank_sum = 0, weakest = INFINITY, strongest_other = -INFINITY;
    for (std::size_t id = 0; id < wanted.size(); ++id) {
      const double score = recall.statements[static_cast<core::Index>(id)];
      if (!wanted[id]) {
        strongest_other = std::max(strongest_other, score);
        continue;
      }
      const double rank = tied_rank(recall.statements, id, all);
      rank_sum += rank;
      within += rank <= static_cast<double>(spec_.capacity) ? 1 : 0;
      weakest = std::min(weakest, score);
    }
    const auto count = static_cast<double>(std::ranges::count(wanted, true));
    const auto all_count = static_cast<double>(wanted.size());
    row["needed"] = {
        {"count", count},
        {"statements", wanted.size()},
        {"above_others", *curve},
        {"mean_rank", rank_sum / count},
        {"mean_rank_of_others", (0.5 * all_count * (all_count + 1) - rank_sum) / (all_count - count)},
        {"within_capacity", within / count},
        {"all_first", weakest > strongest_other},
        {"margin", weakest - strongest_other}};
  }

  static Json agreement_json(const Vector& a, const Vector& b) {
    const auto or_null = [](std::optional<double> x) { return x ? Json(*x) : Json(nullptr); };
    return {{"spearman", or_null(core::spearman(a, b))},
            {"kendall", or_null(core::kendall(a, b))},
            {"overlap", core::top_overlap(a, b, 10)},
            {"jensen_shannon", or_null(core::jensen_shannon(a, b))}};
  }

  const Spec& spec_;
  std::vector<std::unique_ptr<Corpus>> corpora_;
  std::vector<Cue> cues_;
};

// --- the conclusion
// ---------------------------------------------------------------------------------------------

// All numbers of one method, cue by cue.
struct MethodNumbers {
  std::vector<double> reciprocal_ranks, above_others, mean_ranks, others_ranks, within_capacity, all_first;
};

std::vector<MethodNumbers> collect(const Spec& spec, const std::vector<Json>& rows) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < spec.methods.size(); ++i) place[spec.methods[i].label] = i;
  std::vector<MethodNumbers> numbers(spec.methods.size());
  for (const Json& row : rows) {
    MethodNumbers& method = numbers[place.at(row.at("method").get<std::string>())];
    if (row.contains("answer_reciprocal_rank"))
      method.reciprocal_ranks.push_back(row.at("answer_reciprocal_rank").get<double>());
    if (!row.contains("needed")) continue;
    const Json& needed = row.at("needed");
    method.above_others.push_back(needed.at("above_others").get<double>());
    method.mean_ranks.push_back(needed.at("mean_rank").get<double>());
    method.others_ranks.push_back(needed.at("mean_rank_of_others").get<double>());
    method.within_capacity.push_back(needed.at("within_capacity").get<double>());
    method.all_first.push_back(needed.at("all_first").get<bool>() ? 1.0 : 0.0);
  }
  return numbers;
}

std::optional<double> mean_of(const std::vector<double>& values) {
  const auto estimate = bootstrap_mean(values);
  return estimate ? std::optional(estimate->mean) : std::nullopt;
}

std::string percent(double share) { return cell(100 * share, 1).text + " %"; }

Table methods_table(const Spec& spec, const std::vector<MethodNumbers>& numbers) {
  Table table{
      "methods",
      "What each method ranks first, with 95 % bootstrap intervals over the cues. Answer: mean reciprocal "
      "rank of the answer's concepts. Above others: chance that a needed statement scores above one that "
      "is not. Mean rank: of the needed statements, and of the others. Kept: share of the needed statements "
      "among the " +
          std::to_string(spec.capacity) +
          " best. All first: share of cues whose needed statements all score above every other.",
      {"method", "answer", "above others", "mean rank", "of others", "kept", "all first"},
      {}};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    table.rows.push_back(
        {cell(spec.methods[i].label), interval_cell(bootstrap_mean(numbers[i].reciprocal_ranks), 3),
         interval_cell(bootstrap_mean(numbers[i].above_others), 3),
         interval_cell(bootstrap_mean(numbers[i].mean_ranks), 1), cell(mean_of(numbers[i].others_ranks), 1),
         interval_cell(bootstrap_mean(numbers[i].within_capacity), 3),
         interval_cell(bootstrap_mean(numbers[i].all_first), 3)});
  return table;
}

// For each cue with needed statements: which method puts them highest, and by how much.
Table cues_table(const std::vector<Json>& rows) {
  Table table{
      "cues",
      "For each cue, the method that ranks the needed statements highest. Margin: its score of the lowest "
      "needed statement less that of the highest other, above 0 where all needed ones come first.",
      {"cue", "needed", "of", "best method", "above others", "mean rank", "margin"},
      {}};
  for (std::size_t i = 0; i < rows.size();) {
    const Json* best = nullptr;
    const std::size_t first = i;
    for (; i < rows.size() && rows[i].at("trial") == rows[first].at("trial"); ++i) {
      if (!rows[i].contains("needed")) continue;
      const auto score = [](const Json& row) { return row.at("needed").at("above_others").get<double>(); };
      if (best == nullptr || score(rows[i]) > score(*best)) best = &rows[i];
    }
    if (best == nullptr) continue;
    const Json& needed = best->at("needed");
    table.rows.push_back(
        {cell(best->at("cue").get<std::string>()), cell(needed.at("count").get<double>(), 0),
         cell(needed.at("statements").get<double>(), 0), cell(best->at("method").get<std::string>()),
         cell(needed.at("above_others").get<double>(), 3), cell(needed.at("mean_rank").get<double>(), 1),
         cell(needed.at("margin").get<double>(), 4)});
  }
  return table;
}

Table agreement_table(const Spec& spec, const std::vector<Json>& rows) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> found;
  for (const Json& row : rows)
    for (const auto& [other, agreement] : row.at("agreement").items())
      if (!agreement.at("spearman").is_null())
        found[{row.at("method").get<std::string>(), other}].push_back(agreement.at("spearman").get<double>());
  Table table{
      "agreement",
      "How far the methods agree: Spearman's rank correlation of the activations of all concepts, mean "
      "over the cues.",
      {"method"},
      {}};
  for (const MethodChoice& method : spec.methods) table.head.push_back(method.label);
  for (const MethodChoice& a : spec.methods) {
    std::vector<Cell> cells{cell(a.label)};
    for (const MethodChoice& b : spec.methods) {
      const auto estimate = bootstrap_mean(found[{a.label, b.label}]);
      cells.push_back(a.label == b.label ? cell("1") : estimate ? cell(estimate->mean, 2) : cell("-"));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string ranking_html(const Json& entries, const char* name) {
  if (entries.empty()) return "<p>nothing</p>";
  double best = 0;
  for (const Json& entry : entries) best = std::max(best, entry.at("value").get<double>());
  std::string html = "<ol>";
  for (std::size_t i = 0; i < std::min<std::size_t>(entries.size(), 5); ++i) {
    const Json& entry = entries[i];
    const double value = entry.at("value").get<double>();
    const bool needed = entry.contains("needed") && entry.at("needed").get<bool>();
    html += "<li><span class=\"bar\" style=\"width:" + cell(best > 0 ? 100 * value / best : 0, 1).text +
            "%\"></span><code>" + escape_html(entry.at(name).get<std::string>()) + "</code> " +
            cell(value, 4).text + (needed ? " <b>needed</b>" : "") + "</li>";
  }
  return html + "</ol>";
}

std::string energy_text(const Json& row) {
  const Json& energies = row.at("energies");
  const auto steps = row.at("iterations").get<int>();
  std::string text = std::to_string(steps) + (steps == 1 ? " step" : " steps");
  if (!energies.empty())
    text += ", energy " + cell(energies.front().get<double>(), 3).text + " to " +
            cell(energies.back().get<double>(), 3).text;
  if (!row.at("converged").get<bool>()) text += ", not converged";
  return row.contains("certificate") ? text + "; " + certificate_text(row.at("certificate")) : text;
}

// One page-part per cue; a long file's later cues are left to results.jsonl.
Section cue_sections(const std::vector<Json>& rows) {
  constexpr std::size_t most_cues = 40;
  std::string html;
  std::size_t cues = 0;
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t first = i;
    const bool shown = ++cues <= most_cues;
    if (shown) {
      html += "<details" + std::string(cues == 1 ? " open" : "") + "><summary><code>" +
              escape_html(rows[first].at("cue").get<std::string>()) + "</code> <small>" +
              escape_html(rows[first].at("file").get<std::string>()) + ":" + rows[first].at("line").dump() +
              "</small></summary>";
      for (const Json& expected : rows[first].at("expected"))
        html += "<p>Expected: <code>" + escape_html(expected.get<std::string>()) + "</code></p>";
      html += "<div class=\"cards\">";
    }
    for (; i < rows.size() && rows[i].at("trial") == rows[first].at("trial"); ++i)
      if (shown)
        html += "<section class=\"card\"><h3>" + escape_html(rows[i].at("method").get<std::string>()) +
                "</h3><p><small>" + energy_text(rows[i]) + "</small></p><h4>concepts</h4>" +
                ranking_html(rows[i].at("concepts"), "term") + "<h4>statements</h4>" +
                ranking_html(rows[i].at("statements"), "narsese") + "</section>";
    if (shown) html += "</div></details>\n";
  }
  if (cues > most_cues)
    html += "<p>" + std::to_string(cues - most_cues) +
            " more cues are in <a href=\"results.jsonl\">results.jsonl</a>.</p>";
  return {"Cue by cue", html};
}

std::string answer_sentence(const Spec& spec, const std::vector<MethodNumbers>& numbers, std::size_t cues) {
  // The measure that the file allows: needed statements, else the answer's rank.
  const bool needed = !numbers.front().above_others.empty();
  std::vector<std::string> labels;
  std::vector<std::vector<double>> values;
  std::vector<std::optional<Estimate>> estimates;
  std::size_t best = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    labels.push_back(spec.methods[i].label);
    values.push_back(needed ? numbers[i].above_others : numbers[i].reciprocal_ranks);
    estimates.push_back(bootstrap_mean(values[i]));
    if (estimates[i] && estimates[i]->mean > estimates[best]->mean) best = i;
  }
  if (!estimates[best])
    return std::to_string(cues) + " cues were put to " + std::to_string(numbers.size()) +
           " methods; the file says nothing of what should come back, so only their agreement is measured.";
  const Estimate& estimate = *estimates[best];
  std::string text = "Over " + std::to_string(values[best].size()) + " cues, " + labels[best];
  if (needed)
    text += " ranks what the answer needs highest: a needed statement stands above another one in " +
            percent(estimate.mean) + " of pairs (95 % interval " + percent(estimate.low) + " to " +
            percent(estimate.high) + "; chance is 50 %), and the " + std::to_string(spec.capacity) +
            " best hold " + percent(bootstrap_mean(numbers[best].within_capacity)->mean) +
            " of what is needed";
  else
    text += " puts the answer highest: mean reciprocal rank " + cell(estimate.mean, 3).text +
            " (95 % interval " + cell(estimate.low, 3).text + " to " + cell(estimate.high, 3).text + ")";
  return text + "; " + lead_clause(labels, values, best) + ".";
}

Json estimate_json(const std::vector<double>& values) {
  const auto estimate = bootstrap_mean(values);
  if (!estimate) return nullptr;
  return {
      {"mean", estimate->mean}, {"low", estimate->low}, {"high", estimate->high}, {"cues", values.size()}};
}

}  // namespace

std::unique_ptr<Experiment> make_comparison(const Spec& spec) { return std::make_unique<Comparison>(spec); }

Conclusion conclude_comparison(const Spec& spec, const std::vector<Json>& rows) {
  const auto numbers = collect(spec, rows);
  const std::size_t cues = rows.size() / spec.methods.size();
  Conclusion conclusion;
  conclusion.question = "Given a question, which method puts first the concepts and statements it needs?";
  conclusion.answer = answer_sentence(spec, numbers, cues);
  conclusion.summary = {{"cues", cues}, {"methods", Json::object()}};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    conclusion.summary["methods"][spec.methods[i].label] = {
        {"answer_reciprocal_rank", estimate_json(numbers[i].reciprocal_ranks)},
        {"needed_above_others", estimate_json(numbers[i].above_others)},
        {"needed_mean_rank", estimate_json(numbers[i].mean_ranks)},
        {"needed_within_capacity", estimate_json(numbers[i].within_capacity)},
        {"needed_all_first", estimate_json(numbers[i].all_first)}};
  conclusion.tables = {methods_table(spec, numbers), cues_table(rows), agreement_table(spec, rows)};
  Plot plot{"needed", "Needed statements among the best " + std::to_string(spec.capacity),
            "",       "share kept",
            {},       {}};
  plot.series.push_back({"share kept", {}});
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    plot.categories.push_back(spec.methods[i].label);
    if (const auto kept = bootstrap_mean(numbers[i].within_capacity))
      plot.series[0].points.push_back({static_cast<double>(i + 1), kept->mean, kept->low, kept->high});
  }
  if (!plot.series[0].points.empty()) conclusion.plots.push_back(plot);
  if (rows.front().contains("maps"))
    conclusion.plots.push_back(maps_plot(rows.front().at("maps"), rows.front().at("cue").get<std::string>()));
  conclusion.sections = {cue_sections(rows)};
  return conclusion;
}

}  // namespace engram::experiments
