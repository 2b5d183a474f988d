// SPDX-License-Identifier: MIT
// Conclusion of the experiment `links`: tables and sentences from its rows. Intervals are over the facts of the test
// split. The value of a fact is the mean over its two questions and over the seeds.
#include <algorithm>
#include <stdexcept>

#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/links/links.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::links {
namespace {

// Measures of a rank, named as in published tables. For tied entities they are expectations.
struct RankMeasure {
  std::string name;
  double (*of)(const TiedRanks& rank);
};
const std::vector<RankMeasure> rank_measures{
    {"mrr", [](const TiedRanks& rank) { return rank.expected_reciprocal(); }},
    {"hits@1", [](const TiedRanks& rank) { return rank.chance_within(1); }},
    {"hits@3", [](const TiedRanks& rank) { return rank.chance_within(3); }},
    {"hits@10", [](const TiedRanks& rank) { return rank.chance_within(10); }}};

struct SetRows {
  std::string name;
  const Json* facts = nullptr;       // row that describes the set
  std::vector<std::string> methods;  // in the order of the rows
  std::vector<const Json*> rows;

  bool has(const std::string& method) const { return std::ranges::find(methods, method) != methods.end(); }
};

bool is_learnt(const Json& row) { return row.contains("chosen") || row.contains("model"); }

// The trained methods in the order of the rows: first the attention, then the models.
std::vector<std::string> learnt_of(const SetRows& set) {
  std::vector<std::string> learnt;
  for (const Json* row : set.rows)
    if (const auto method = row->at("method").get<std::string>();
        is_learnt(*row) && std::ranges::find(learnt, method) == learnt.end())
      learnt.push_back(method);
  return learnt;
}

// Checks that a set has all rows that a run measures, because users may edit rows.
void require_whole_set(const SetRows& set, bool trained) {
  const auto require = [&](bool there, const std::string& what) {
    if (!there) throw std::out_of_range("the set " + set.name + " has no " + what);
  };
  require(set.facts != nullptr, "row that describes it");
  if (trained) require(set.has(trained_links), std::string("row of ") + trained_links);
  for (const char* method : link_baselines) require(set.has(method), std::string("row of ") + method);
  const std::size_t ranks = set.rows.front()->at("ranks").size();
  for (const Json* row : set.rows)
    require(ranks >= 2 && row->at("ranks").size() == ranks, "two ranks for each fact in every row");
}

// Groups rows by set. The files identify a set, because its name may occur twice.
std::vector<SetRows> by_set(const std::vector<Json>& rows, bool trained) {
  std::vector<SetRows> sets;
  for (const Json& row : rows) {
    auto place = std::ranges::find_if(
        sets, [&](const SetRows& set) { return set.rows.front()->at("files") == row.at("files"); });
    if (place == sets.end())
      place = sets.insert(sets.end(), {row.at("set").get<std::string>(), nullptr, {}, {}});
    place->rows.push_back(&row);
    if (row.contains("sha256")) place->facts = &row;
    const auto method = row.at("method").get<std::string>();
    if (!place->has(method)) place->methods.push_back(method);
  }
  for (const SetRows& set : sets) require_whole_set(set, trained);
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (std::ranges::count(sets, sets[i].name, &SetRows::name) > 1)
      sets[i].name += "_" + std::to_string(i + 1);
  return sets;
}

enum class Asked { both, tails, heads };

// Values of a measure for a method. Each test fact has one value, the mean over the rows of the method.
std::vector<double> values_of(const SetRows& set, const std::string& method, const RankMeasure& measure,
                              Asked asked = Asked::both) {
  std::vector<double> values;
  double rows = 0;
  for (const Json* row : set.rows) {
    if (row->at("method") != method) continue;
    const Json& ranks = row->at("ranks");
    const std::size_t facts = ranks.size() / 2;
    values.resize(facts);
    for (std::size_t i = 0; i < facts; ++i) {
      const double tail = measure.of(tied_ranks_in(*row, i)),
                   head = measure.of(tied_ranks_in(*row, facts + i));
      values[i] += asked == Asked::both ? (tail + head) / 2 : asked == Asked::tails ? tail : head;
    }
    rows += 1;
  }
  for (double& value : values) value /= rows;
  return values;
}

// All methods of a set: trained methods, untrained methods, baselines.
std::vector<std::string> in_order(const SetRows& set) {
  std::vector<std::string> all = learnt_of(set);
  const std::vector<std::string> baselines(std::begin(link_baselines), std::end(link_baselines));
  for (const std::string& method : set.methods)
    if (std::ranges::find(all, method) == all.end() &&
        std::ranges::find(baselines, method) == baselines.end())
      all.push_back(method);
  all.insert(all.end(), baselines.begin(), baselines.end());
  return all;
}

std::string split_text(const SetRows& set) {
  static constexpr const char* parts[] = {"train", "valid", "test"};
  std::string text;
  for (std::size_t i = 0; i < 3; ++i)
    text +=
        std::string(i > 0 ? ", " : "") + parts[i] + " " + set.facts->at("sha256").at(i).get<std::string>();
  return text;
}

Leads rank_leads(const SetRows& set, const std::vector<std::string>& methods) {
  std::vector<Measure> measures;
  for (const RankMeasure& measure : rank_measures) {
    measures.push_back({set.name + " " + measure.name, {}});
    for (const std::string& method : methods)
      measures.back().values.push_back(values_of(set, method, measure));
  }
  return find_leads(methods, std::move(measures));
}

Table ranking_table(const SetRows& set, const Leads& leads) {
  Table table{
      "ranking_" + set.name,
      "Held-out links of " + set.name + ", ranked among " + std::to_string(whole(set.facts->at("entities"))) +
          " entities: mean reciprocal rank and share of ranks up to 1, 3 and 10, filtered (without other "
          "known answers), for questions about tails and heads, with 95 % bootstrap intervals over " +
          std::to_string(whole(set.facts->at("facts").at(2))) +
          " facts; tails, heads: mean reciprocal rank for one kind of question. Baselines: " +
          link_baselines[0] + ", " + link_baselines[1] + " and " + link_baselines[2] + ". " + table_policy() +
          " SHA-256 of the split: " + split_text(set) + ".",
      {"method"}};
  for (const RankMeasure& measure : rank_measures) table.head.push_back(measure.name);
  table.head.insert(table.head.end(), {"tails", "heads"});
  for (std::size_t m = 0; m < leads.labels.size(); ++m) {
    std::vector<Cell> cells{cell(leads.labels[m])};
    for (const Measure& measure : leads.measures)
      cells.push_back(interval_cell(bootstrap_mean(measure.values[m]), 3));
    for (const Asked asked : {Asked::tails, Asked::heads})
      cells.push_back(cell(mean(values_of(set, leads.labels[m], rank_measures[0], asked)), 3));
    table.rows.push_back(std::move(cells));
  }
  mark_winners(table, leads, {0, 1, 2, 3}, {1, 2, 3, 4});
  return table;
}

Table splits_table(const std::vector<SetRows>& sets) {
  Table table{"splits",
              "Files of the training, validation and test splits. Figures on other splits of the same set "
              "cannot be compared.",
              {"set", "split", "file", "facts", "entities", "relations", "SHA-256"}};
  static constexpr const char* parts[] = {"train", "valid", "test"};
  for (const SetRows& set : sets)
    for (std::size_t i = 0; i < 3; ++i)
      table.rows.push_back({cell(set.name), cell(parts[i]),
                            cell(set.facts->at("files").at(i).get<std::string>()),
                            cell(set.facts->at("facts").at(i).get<double>(), 0),
                            i == 0 ? cell(set.facts->at("entities").get<double>(), 0) : cell("-"),
                            i == 0 ? cell(set.facts->at("relations").get<double>(), 0) : cell("-"),
                            cell(set.facts->at("sha256").at(i).get<std::string>())});
  return table;
}

Table seeds_table(const std::vector<SetRows>& sets) {
  Table table{"seeds",
              "Trained attention by seed: regularisation and epoch with the highest mean reciprocal rank on "
              "the validation split, and the measures on the test split.",
              {"set", "seed", "regularisation", "epoch", "valid mrr"}};
  for (const RankMeasure& measure : rank_measures) table.head.push_back(measure.name);
  for (const SetRows& set : sets)
    for (const Json* row : set.rows) {
      if (!row->contains("chosen")) continue;
      const Json& chosen = row->at("chosen");
      table.rows.push_back({cell(set.name), cell(std::to_string(whole(row->at("seed")))),
                            cell(chosen.at("regularisation").get<double>(), 4),
                            cell(chosen.at("epoch").get<double>(), 0),
                            cell(chosen.at("validation").get<double>(), 4)});
      const SetRows alone{set.name, set.facts, {}, {row}};
      for (const RankMeasure& measure : rank_measures)
        table.rows.back().push_back(cell(mean(values_of(alone, trained_links, measure)), 4));
    }
  return table;
}

// Table of the models. The row member "made" is the description of the training in a model's file.
Table models_table(const std::vector<SetRows>& sets) {
  Table table{"models",
              "Networks that were trained earlier: training options from each file, and the mean reciprocal "
              "rank on the facts that its training held out. In that rank, an answer that only other files "
              "contain counts as wrong.",
              {"set", "model", "file", "parameters", "facts", "layers", "width", "epochs", "valid mrr"}};
  for (const SetRows& set : sets)
    for (const Json* row : set.rows) {
      if (!row->contains("model")) continue;
      const Json& model = row->at("model");
      const auto made = [&](const char* pointer, int decimals) {
        const Json::json_pointer at(pointer);
        const Json& of = model.at("made");
        return of.contains(at) && of[at].is_number() ? cell(of[at].get<double>(), decimals) : cell("-");
      };
      table.rows.push_back({cell(set.name), cell(row->at("method").get<std::string>()),
                            cell(model.at("file").get<std::string>()),
                            cell(model.at("parameters").get<double>(), 0), made("/facts", 0),
                            made("/spec/layers", 0), made("/spec/width", 0), made("/spec/epochs", 0),
                            made("/mrr_held_out", 4)});
    }
  return table;
}

Table published_table(const std::vector<SetRows>& sets) {
  Table table{"published",
              "Published figures on the same splits (by the SHA-256 of their files), and the figures of this "
              "run. Published figures are quoted, not measured here, and set-ups differ.",
              {"set", "model", "mrr", "hits@1", "hits@10", "set-up", "source"}};
  for (const SetRows& set : sets) {
    if (!set.facts->contains("published") || set.facts->at("published").empty()) continue;
    for (const std::string& method : learnt_of(set)) {
      std::vector<Cell> own{cell(set.name), cell(method)};
      for (const std::size_t m : std::initializer_list<std::size_t>{0, 1, 3})
        own.push_back(cell(mean(values_of(set, method, rank_measures[m])), 3));
      own.push_back(cell(method == trained_links ? "mean of the seeds in table seeds" : "see table models"));
      own.push_back(cell("this run"));
      table.rows.push_back(std::move(own));
    }
    for (const Json& figure : set.facts->at("published")) {
      std::vector<Cell> cells{cell(set.name), cell(figure.at("model").get<std::string>())};
      for (const char* measure : {"mrr", "hits@1", "hits@10"})
        cells.push_back(figure.contains(measure) ? cell(figure.at(measure).get<double>(), 3) : cell("-"));
      cells.push_back(cell(figure.at("setup").get<std::string>()));
      cells.push_back(cell(figure.at("source").get<std::string>()));
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

Plot ranking_plot(const SetRows& set, const std::vector<std::string>& methods) {
  Plot plot{"mrr_" + set.name, "Held-out links of " + set.name, "", "mean reciprocal rank", {}, methods};
  Plot::Series series{set.name};
  for (std::size_t m = 0; m < methods.size(); ++m)
    series.add(static_cast<double>(m + 1), bootstrap_mean(values_of(set, methods[m], rank_measures[0])));
  plot.series.push_back(std::move(series));
  return plot;
}

// Plot of the learning curve of the training with the selected regularisation. Each validation is a point.
Plot curve_plot(const SetRows& set) {
  Plot plot{"training_" + set.name, "Training on " + set.name, "check", "mean reciprocal rank, valid"};
  plot.bars = false;
  for (const Json* row : set.rows) {
    if (!row->contains("curve")) continue;
    Plot::Series series{"seed " + std::to_string(whole(row->at("seed")))};
    const Json& curve = row->at("curve").at("validation");
    for (std::size_t i = 0; i < curve.size(); ++i)
      series.add(static_cast<double>(i), curve.at(i).get<double>());
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::string sentence(const SetRows& set, const Leads& leads) {
  const auto shown = [](double x) { return fixed(x, 3); };
  const std::size_t best = *leads.best[0];
  const auto means = [&](std::size_t m) { return mean(leads.measures[0].values[m]); };
  std::size_t baseline = leads.labels.size() - std::size(link_baselines);
  for (std::size_t m = baseline; m < leads.labels.size(); ++m)
    if (means(m) > means(baseline)) baseline = m;
  std::string text = "On " + set.name + ", " + leads.labels[best] +
                     " finds held-out links best: mean reciprocal rank " + shown(means(best)) + "; " +
                     lead_clause(leads, 0) + ". The best baseline, " + leads.labels[baseline] + ", reaches " +
                     shown(means(baseline));
  std::size_t untrained = leads.labels.size();
  for (std::size_t m = learnt_of(set).size(); m + std::size(link_baselines) < leads.labels.size(); ++m)
    if (untrained == leads.labels.size() || means(m) > means(untrained)) untrained = m;
  if (untrained < leads.labels.size())
    text +=
        ", the best retrieval without training, " + leads.labels[untrained] + ", " + shown(means(untrained));
  return text + ".";
}

}  // namespace

TiedRanks tied_ranks_in(const Json& row, std::size_t i) {
  const double average = row.at("ranks").at(i).get<double>(), tied = row.at("tied").at(i).get<double>();
  if (!(tied >= 0 && tied <= 1e7 && average - tied / 2 >= 1))
    throw std::out_of_range("a rank must be at least 1, and larger than half the number of ties");
  return {average - tied / 2, average, average + tied / 2};
}

Conclusion conclude_links(const Spec& /*spec*/, const LinksOptions& options, const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "How well does each method predict facts that were held out?";
  const std::vector<SetRows> sets = by_set(rows, options.train);
  std::vector<Table> leads_tables;
  for (const SetRows& set : sets) {
    const std::vector<std::string> methods = in_order(set);
    const Leads leads = rank_leads(set, methods);
    conclusion.answer += (conclusion.answer.empty() ? "" : " ") + sentence(set, leads);
    conclusion.tables.push_back(ranking_table(set, leads));
    leads_tables.push_back(leads_table(leads, "test fact by test fact"));
    leads_tables.back().name += "_" + set.name;
    conclusion.plots.push_back(ranking_plot(set, methods));
    if (set.has(trained_links)) conclusion.plots.push_back(curve_plot(set));
    for (std::size_t m = 0; m < methods.size(); ++m)
      for (std::size_t k = 0; k < rank_measures.size(); ++k)
        conclusion.summary[set.name][methods[m]][rank_measures[k].name] =
            estimate_json(bootstrap_mean(leads.measures[k].values[m]));
  }
  for (Table table : {seeds_table(sets), models_table(sets), published_table(sets)})
    if (!table.rows.empty()) conclusion.tables.push_back(std::move(table));
  conclusion.tables.push_back(splits_table(sets));
  conclusion.tables.insert(conclusion.tables.end(), leads_tables.begin(), leads_tables.end());
  return conclusion;
}

}  // namespace engram::experiments::links
