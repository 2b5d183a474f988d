// SPDX-License-Identifier: MIT
// Experiment `python`: a trial calls a function of a Python file. Seeds, statistics and reports are the same as in
// other experiments.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/formats/tables.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/python_file.hpp"

namespace engram::experiments::python {
namespace {

struct PythonOptions {
  Json settings = Json::array({Json::object()});
  std::vector<std::string> lower_is_better;
};

constexpr std::size_t most_rows = 10'000;  // limit of rows of a trial; chosen by hand

PythonOptions read(SpecReader& reader, Spec& spec) {
  PythonOptions options;
  const JsonValue file = reader["file"];
  const std::string& name =
      file.required("the name of a Python file that ends in engram.serve(trial=...)").text();
  const std::filesystem::path path = reader.found(name);
  if (!std::filesystem::is_regular_file(path)) file.refuse("a Python file");
  spec.vectors.push_back({reader.keep("file", name), path});
  const JsonValue given = reader["settings"], settings = given.or_else(options.settings);
  settings.list("a list of objects", 1);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const JsonValue setting = settings[i];
    setting.object("an object, which the trial receives");
    if (!seen.insert(setting.json().dump()).second)
      setting.refuse("a setting that differs from the earlier ones");
  }
  options.settings = reader.keep("settings", settings.json());
  read_seeds(reader, spec, 10);
  const JsonValue lower = reader["lower_is_better"];
  const Json none = Json::array();
  const JsonValue names = lower.or_else(none);
  names.list("a list of measures");
  for (std::size_t i = 0; i < names.size(); ++i) options.lower_is_better.push_back(names[i].text());
  reader.keep("lower_is_better", names.json());
  return options;
}

bool is_measure(const std::string& name, const Json& value) {
  return (value.is_number() || value.is_boolean()) && name != "trial" && name != "seed";
}

// Whether a measure has a valid name. The name must be usable as the name of a file, which contains its table.
bool is_valid_name(const std::string& measure) {
  return measure.size() <= 60 && measure != "leads" && std::ranges::all_of(measure, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

double number_of(const Json& value) {
  return value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>();
}

class PythonTrials final : public TrialsOf<PythonOptions> {
 public:
  using TrialsOf::TrialsOf;

  Rejections prepare() override { return {}; }
  std::size_t count() const override { return options_.settings.size() * spec_.seeds.size(); }

  TrialResult run(std::size_t trial) const override {
    const std::filesystem::path& path = spec_.vectors.front().path;
    const Json& setting = options_.settings[trial / spec_.seeds.size()];
    const std::uint64_t seed = spec_.seeds[trial % spec_.seeds.size()];
    TrialResult result;
    Json rows;
    result.time(trial, spec_.vectors.front().name, [&] {
      rows = python_file(path).call({{"trial", {{"setting", setting}, {"seed", seed}}}});
    });
    const std::string where =
        path.string() + ": trial(" + setting.dump() + ", " + std::to_string(seed) + ") ";
    if (rows.is_object()) rows = Json::array({std::move(rows)});
    if (!rows.is_array() || rows.empty() || rows.size() > most_rows)
      throw bridge::ReasonerError(where + "must return a dict, or a list of 1 to " +
                                  std::to_string(most_rows) + " dicts");
    std::set<std::string> methods;
    for (const Json& given : rows) {
      if (!given.is_object())
        throw bridge::ReasonerError(where + "returned " + given.dump() + ", which is not a dict");
      Json row{{"trial", trial}, {"setting", setting}, {"seed", seed}};
      row["method"] = given.contains("method") ? given["method"] : Json("trial");
      if (!row["method"].is_string())
        throw bridge::ReasonerError(where + "must return \"method\" as a string");
      if (!methods.insert(row["method"].get<std::string>()).second)
        throw bridge::ReasonerError(where + "returned two dicts with the method \"" +
                                    row["method"].get<std::string>() + '"');
      bool measures = false;
      for (const auto& [name, value] : given.items()) {
        if (name == "method") continue;
        if (row.contains(name))
          throw bridge::ReasonerError(where + "must not return \"" + name + "\", which the run adds");
        if (is_measure(name, value) && !is_valid_name(name))
          throw bridge::ReasonerError(
              where + "returned the measure \"" + name +
              "\"; a measure's name has at most 60 letters, digits and _, and is not \"leads\"");
        row[name] = value;
        measures = measures || is_measure(name, value);
      }
      if (!measures) throw bridge::ReasonerError(where + "returned a dict without a number");
      result.rows.push_back(std::move(row));
    }
    return result;
  }
};

std::vector<Observation> observe(const Json& row) {
  std::vector<Observation> all;
  const auto method = row.at("method").get<std::string>();
  for (const auto& [name, value] : row.items())
    if (is_measure(name, value))
      all.push_back({name, method, row.at("seed").dump(), number_of(value), row.at("setting").dump()});
  return all;
}

// Names a setting by its values: {"size": 10, "noise": 0.1} becomes "size 10, noise 0.1".
std::string setting_name(const Json& setting) {
  std::string text;
  for (const auto& [name, value] : setting.items())
    text += (text.empty() ? "" : ", ") + name + " " +
            (value.is_string() ? value.get<std::string>() : value.dump());
  return text.empty() ? "value" : text;
}

// Returns the name of the number that varies between the settings, or an empty text if anything else varies.
std::string varied_number(const Json& settings) {
  std::set<std::string> varied;
  for (const Json& setting : settings) {
    if (setting.size() != settings[0].size()) return "";
    for (const auto& [name, value] : setting.items()) {
      if (!settings[0].contains(name)) return "";
      if (settings[0][name] != value) varied.insert(name);
    }
  }
  if (varied.size() != 1) return "";
  for (const Json& setting : settings)
    if (!setting[*varied.begin()].is_number()) return "";
  return *varied.begin();
}

// Values of the rows by measure, setting (as JSON) and method. Measures and methods are in the order of the rows.
struct Values {
  std::vector<std::string> measures, methods;
  std::map<std::string, std::map<std::string, std::map<std::string, std::vector<double>>>> of;

  explicit Values(const std::vector<Json>& rows) {
    for (const Json& row : rows) {
      const auto method = row.at("method").get<std::string>();
      if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
      for (const auto& [name, value] : row.items()) {
        if (!is_measure(name, value)) continue;
        core::require(is_valid_name(name), "a measure's name must consist of letters, digits and _");
        if (std::ranges::find(measures, name) == measures.end()) measures.push_back(name);
        of[name][row.at("setting").dump()][method].push_back(number_of(value));
      }
    }
  }

  std::vector<double> at(const std::string& measure, const Json& setting, const std::string& method) const {
    const auto settings = of.find(measure);
    if (settings == of.end()) return {};
    const auto by_method = settings->second.find(setting.dump());
    if (by_method == settings->second.end()) return {};
    const auto values = by_method->second.find(method);
    return values == by_method->second.end() ? std::vector<double>{} : values->second;
  }
};

Table values_table(const std::string& measure, const Values& values, const Json& settings, bool higher) {
  Table table{measure,
              measure +
                  " by method and setting: the mean over seeds with its 95 % bootstrap interval (BCa, Efron "
                  "1987; for fewer than 10 values plain percentiles). " +
                  (higher ? "Higher" : "Lower") + " is better. " + bold_policy("method", "leads"),
              {"method"}};
  for (const Json& setting : settings) table.head.push_back(setting_name(setting));
  for (const std::string& method : values.methods) {
    table.rows.push_back({cell(method)});
    for (const Json& setting : settings)
      table.rows.back().push_back(interval_cell(bootstrap_mean(values.at(measure, setting, method)), 3));
  }
  return table;
}

Plot values_plot(const std::string& measure, const Values& values, const Json& settings,
                 const std::string& number) {
  Plot plot{measure, measure + " by " + number, number, measure};
  double least = 0, most = 1;
  for (const std::string& method : values.methods) {
    Plot::Series series{method};
    for (const Json& setting : settings)
      if (const auto e = bootstrap_mean(values.at(measure, setting, method))) {
        series.add(setting[number].get<double>(), e);
        least = std::min(least, e->low);
        most = std::max(most, e->high);
      }
    std::ranges::sort(series.points, {}, &Plot::Point::x);
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  plot.shares = least >= 0 && most <= 1;
  plot.from_zero = least >= 0;
  return plot;
}

std::string best_sentence(const Leads& leads, std::size_t measure) {
  const std::size_t best = *leads.best[measure];
  const Estimate estimate = *bootstrap_mean(leads.measures[measure].values[best]);
  std::string text = leads.measures[measure].name + ": " + leads.labels[best] + " has the best mean, " +
                     fixed(estimate.mean, 3);
  if (estimate.low < estimate.high)
    text += " (95 % interval " + fixed(estimate.low, 3) + " to " + fixed(estimate.high, 3) + ")";
  return text + (leads.labels.size() > 1 ? "; " + lead_clause(leads, measure) : "") + ".";
}

Conclusion conclude(const Spec& spec, const PythonOptions& options, const std::vector<Json>& rows) {
  const Values values(rows);
  std::vector<Measure> measures;
  const auto higher = [&](const std::string& measure) {
    return std::ranges::find(options.lower_is_better, measure) == options.lower_is_better.end();
  };
  for (const std::string& measure : values.measures)
    for (const Json& setting : options.settings) {
      const std::string where = options.settings.size() > 1 ? ", " + setting_name(setting) : "";
      measures.push_back({measure + where, {}, higher(measure), 3});
      for (const std::string& method : values.methods)
        measures.back().values.push_back(values.at(measure, setting, method));
    }
  const Leads leads = find_leads(values.methods, std::move(measures));

  Conclusion conclusion;
  conclusion.question = "What does " +
                        (spec.vectors.empty() ? std::string("the file") : spec.vectors.front().name) +
                        " measure?";
  const std::string number = varied_number(options.settings);
  for (std::size_t m = 0; m < values.measures.size(); ++m) {
    const std::string& measure = values.measures[m];
    Table table = values_table(measure, values, options.settings, higher(measure));
    for (std::size_t s = 0; s < options.settings.size(); ++s) {
      const std::size_t column = m * options.settings.size() + s;
      if (!leads.best[column]) continue;
      conclusion.answer += (conclusion.answer.empty() ? "" : " ") + best_sentence(leads, column);
      if (leads.has_winner(column)) table.rows[*leads.best[column]][s + 1].winner = true;
      for (const std::string& method : values.methods)
        conclusion.summary[measure][setting_name(options.settings[s])][method] =
            estimate_json(bootstrap_mean(values.at(measure, options.settings[s], method)));
    }
    conclusion.tables.push_back(std::move(table));
    if (!number.empty()) conclusion.plots.push_back(values_plot(measure, values, options.settings, number));
  }
  if (!leads.leads.empty()) conclusion.tables.push_back(leads_table(leads, "seed by seed"));
  return conclusion;
}

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<PythonOptions>({"python",
                                         read,
                                         make_trials<PythonTrials>,
                                         conclude,
                                         {"seed by seed", observe},
                                         [](const PythonOptions&) { return std::vector<std::string>{}; }});
}

}  // namespace engram::experiments::python
