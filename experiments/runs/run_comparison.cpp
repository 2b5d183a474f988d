// SPDX-License-Identifier: MIT
#include "experiments/runs/run_comparison.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/formats/leads_table.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/path_sandbox.hpp"
#include "experiments/statistics/leads.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Experiment> experiment_of(const fs::path& folder, const std::string& name) {
  std::string known;
  for (auto& experiment : experiments()) {
    if (experiment->name() == name) return std::move(experiment);
    known += std::string(known.empty() ? "" : ", ") + experiment->name();
  }
  throw SpecError(folder.string(), "must be a run of one of " + known + ", found one of '" + name + "'");
}

Json read_part(const fs::path& folder, const char* name) {
  if (!fs::exists(folder / name))
    throw SpecError(folder.string(), "this is no run: it holds no " + std::string(name));
  Json json = read_json(folder / name);
  if (!json.is_object()) throw SpecError((folder / name).string(), "must be a JSON object");
  return json;
}

std::vector<Json> read_results(const fs::path& folder) {
  const fs::path path = folder / "results.jsonl";
  std::ifstream file = open_if_there(path);
  std::vector<Json> rows;
  for (std::string line; next_row(file, line) || !line.empty();) {
    auto row = file.eof() ? std::nullopt : json_in(line);
    if (!row || !row->is_object())
      throw SpecError(path.string() + ":" + std::to_string(rows.size() + 1),
                      "must be a whole row; finish the run with --resume");
    rows.push_back(*std::move(row));
  }
  if (rows.empty()) throw SpecError(path.string(), "there are no results in it");
  return rows;
}

// Values of one measure and method, by unit.
using Units = std::map<std::string, std::vector<double>>;

struct Run {
  Json spec, manifest;
  std::string experiment, pairing;
  std::vector<std::string> measures, methods, settings;  // in the order of the rows; settings may be ""
  std::map<std::tuple<std::string, std::string, std::string>, Units> values;  // by measure, setting, method
};

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::ranges::find(list, name) == list.end()) list.push_back(name);
}

void add_row(const Json& row, const Measures& measures, Run& run) {
  for (Observation& seen : measures.observe(row)) {
    add_once(run.measures, seen.measure);
    add_once(run.methods, seen.method);
    add_once(run.settings, seen.setting);
    run.values[{seen.measure, seen.setting, seen.method}][seen.unit].push_back(seen.value);
  }
}

Run read_run(const fs::path& folder) {
  if (fs::is_directory(folder)) require_files_alone(folder);
  Run run{read_part(folder, "spec.json"), read_part(folder, "manifest.json"), "", "", {}, {}, {}, {}};
  const auto experiment = experiment_of(folder, run.spec.value("experiment", ""));
  const Measures measures = experiment->measures();
  run.experiment = experiment->name();
  run.pairing = measures.pairing;
  std::size_t line = 0;
  for (const Json& row : read_results(folder)) {
    ++line;
    try {
      add_row(row, measures, run);
    } catch (const Json::exception& error) {
      throw SpecError((folder / "results.jsonl").string() + ":" + std::to_string(line),
                      std::string("not a row of such a run: ") + error.what());
    }
  }
  return run;
}

struct Pairs {
  std::vector<double> a, b;
  std::size_t alone = 0;  // units in only one run
};

Pairs pair_up(const Units& a, const Units& b) {
  Pairs pairs;
  for (const auto& [unit, values] : a) {
    const auto partner = b.find(unit);
    if (partner == b.end()) continue;
    pairs.a.push_back(mean(values));
    pairs.b.push_back(mean(partner->second));
  }
  pairs.alone = a.size() + b.size() - 2 * pairs.a.size();
  return pairs;
}

// Remark on the correlation between the rankings of methods in the two runs.
std::optional<std::string> order_remark(const std::string& measure, const std::vector<double>& a,
                                        const std::vector<double>& b) {
  if (a.size() < 3) return {};
  const auto as_vector = [](const std::vector<double>& x) {
    return core::Vector(Eigen::Map<const core::Vector>(x.data(), static_cast<core::Index>(x.size())));
  };
  const auto tau = core::kendall(as_vector(a), as_vector(b));
  if (!tau) return {};
  return measure + ": the runs order the " + std::to_string(a.size()) +
         " methods alike with Kendall's tau-b = " + fixed(*tau, 2);
}

// Adds a remark on methods or settings that only one run has.
void note_missing(const std::vector<std::string>& here, const std::vector<std::string>& there,
                  const char* name, std::vector<std::string>& remarks) {
  std::string missing;
  for (const std::string& entry : here)
    if (std::ranges::find(there, entry) == there.end()) missing += (missing.empty() ? "" : ", ") + entry;
  if (!missing.empty()) remarks.push_back("in " + std::string(name) + " alone: " + missing);
}

std::string answer_of(std::size_t rows, std::size_t equal, const std::string& clear) {
  if (equal == rows) return "The runs measured the same: all " + std::to_string(rows) + " differences are 0.";
  if (clear.empty())
    return "None of " + std::to_string(rows) + " differences is clear of zero; " + std::to_string(equal) +
           " are 0.";
  return "Of " + std::to_string(rows) + " differences these are clear of zero: " + clear + ".";
}

Table empty_table(const std::string& pairing) {
  return {
      "compare",
      "B less A, paired " + pairing +
          ": mean difference with 95 % bootstrap interval, two-sided p of the paired permutation test, that "
          "p by Holm's correction over this table, Cliff's delta and d_z. Clear: at least " +
          std::to_string(fewest_pairs) +
          " pairs, an interval that excludes zero and a corrected p of at most 0.05.",
      {"measure", "method", "A", "B", "B - A", "p", "corrected p", "Cliff's delta", "d_z", "pairs", "clear"},
      {}};
}

}  // namespace

std::vector<std::string> json_differences(const Json& a, const Json& b, const std::string& pointer) {
  if (a == b) return {};
  std::vector<std::string> found;
  const auto add = [&](const std::vector<std::string>& more) {
    found.insert(found.end(), more.begin(), more.end());
  };
  if (a.is_object() && b.is_object()) {
    for (const auto& [name, value] : a.items()) {
      if (b.contains(name))
        add(json_differences(value, b.at(name), pointer + "/" + name));
      else
        found.push_back(pointer + "/" + name + ": A has " + value.dump() + ", B has none");
    }
    for (const auto& [name, value] : b.items())
      if (!a.contains(name)) found.push_back(pointer + "/" + name + ": A has none, B has " + value.dump());
  } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i)
      add(json_differences(a[i], b[i], pointer + "/" + std::to_string(i)));
  } else {
    found.push_back(pointer + ": A has " + a.dump() + ", B has " + b.dump());
  }
  return found;
}

namespace {

// Name such as "log-loss on day_at_the_farm", with the whole path if another input has the same name.
std::string measure_name(const std::string& measure, const std::string& setting, const Run& run) {
  if (setting.empty()) return measure;
  const auto stem = [](const std::string& path) { return fs::path(path).stem().string(); };
  const bool alone = std::ranges::count(run.settings, stem(setting), stem) == 1;
  return measure + " on " + (alone ? stem(setting) : setting);
}

// Computes the leads of B over A without correction, and the first columns of the table, up to the means.
std::vector<Lead> pair_runs(const Run& a, const Run& b, RunComparison& result) {
  std::vector<Lead> leads;
  std::size_t alone = 0;
  for (const std::string& measure : a.measures)
    for (const std::string& setting : a.settings) {
      const std::string name = measure_name(measure, setting, a);
      std::vector<double> means_a, means_b;
      for (const std::string& method : a.methods) {
        const auto in_a = a.values.find({measure, setting, method}),
                   in_b = b.values.find({measure, setting, method});
        if (in_a == a.values.end() || in_b == b.values.end()) continue;
        const Pairs pairs = pair_up(in_a->second, in_b->second);
        alone = std::max(alone, pairs.alone);
        if (pairs.a.empty()) continue;
        means_a.push_back(mean(pairs.a));
        means_b.push_back(mean(pairs.b));
        leads.push_back(paired_lead(pairs.b, pairs.a));
        result.table.rows.push_back(
            {cell(name), cell(method), cell(means_a.back(), 3), cell(means_b.back(), 3)});
      }
      if (const auto remark = order_remark(name, means_a, means_b)) result.remarks.push_back(*remark);
    }
  if (alone > 0)
    result.remarks.push_back("up to " + std::to_string(alone) +
                             " units of a method have no partner and were left out");
  return leads;
}

}  // namespace

RunComparison compare_runs(const fs::path& folder_a, const fs::path& folder_b) {
  const Run a = read_run(folder_a), b = read_run(folder_b);
  const std::string both = folder_a.string() + " and " + folder_b.string();
  if (a.experiment != b.experiment)
    throw SpecError(both,
                    "nothing to pair: a run of '" + a.experiment + "', and one of '" + b.experiment + "'");

  RunComparison result{json_differences(a.spec, b.spec), empty_table(a.pairing), {}, ""};
  for (const char* part : {"inputs", "git", "build"})
    if (a.manifest.contains(part) && b.manifest.contains(part))
      for (const std::string& difference : json_differences(a.manifest.at(part), b.manifest.at(part)))
        result.differences.push_back("manifest /" + std::string(part) + difference);
  note_missing(a.methods, b.methods, "A", result.remarks);
  note_missing(b.methods, a.methods, "B", result.remarks);
  note_missing(a.settings, b.settings, "A", result.remarks);
  note_missing(b.settings, a.settings, "B", result.remarks);

  std::vector<Lead> leads = pair_runs(a, b, result);
  if (leads.empty()) throw SpecError(both, "they share no method that could be paired " + a.pairing);

  std::vector<double> p;
  for (const Lead& lead : leads) p.push_back(lead.test.p);
  const std::vector<double> corrected = holm(p);
  std::size_t equal = 0;
  std::string clear;
  for (std::size_t i = 0; i < leads.size(); ++i) {
    Lead& lead = leads[i];
    lead.corrected = corrected[i];
    lead.clear = is_clear(lead, lead.difference.low > 0 || lead.difference.high < 0);
    equal += lead.difference.low == 0 && lead.difference.high == 0 ? 1 : 0;
    auto& row = result.table.rows[i];
    if (lead.clear)
      clear += (clear.empty() ? "" : "; ") + row[0].text + " of " + row[1].text + " " +
               (lead.difference.mean > 0 ? "+" : "") + fixed(lead.difference.mean, 3);
    for (Cell& shown : lead_cells(lead, 3)) row.push_back(std::move(shown));
  }
  result.answer = answer_of(leads.size(), equal, clear);
  return result;
}

}  // namespace engram::experiments
