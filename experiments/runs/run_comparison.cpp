// SPDX-License-Identifier: MIT
#include "experiments/runs/run_comparison.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>

#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/run.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/path_sandbox.hpp"
#include "experiments/statistics/statistics.hpp"

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
    throw SpecError(folder.string(), "not a run: it has no " + std::string(name));
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
  if (rows.empty()) throw SpecError(path.string(), "it has no results");
  return rows;
}

// Values of one measure and method, by unit. Values of two runs are paired if their unit is the same, such as a cue.
using Units = std::map<std::string, std::vector<double>>;

struct Run {
  Json spec, manifest;
  std::string experiment, pairing;
  std::vector<std::string> measures, methods, settings;  // in the order of the rows; settings may be ""
  // Values by measure, setting and method.
  std::map<std::tuple<std::string, std::string, std::string>, Units> values;
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
                      std::string("the row does not fit the spec: ") + error.what());
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
  return measure + ": Kendall's tau-b between the orders of the " + std::to_string(a.size()) +
         " methods in the two runs is " + fixed(*tau, 2);
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
      "B minus A, paired " + pairing +
          ": mean difference with 95 % bootstrap interval, two-sided p of the paired permutation test, that "
          "p by Holm's correction over this table, Cliff's delta and d_z. Clear: at least " +
          std::to_string(fewest_pairs) +
          " pairs, an interval that excludes zero and a corrected p of at most 0.05.",
      {"measure", "method", "A", "B", "B - A", "p", "corrected p", "Cliff's delta", "d_z", "pairs", "clear"},
      {}};
}

// Name such as "log-loss on day_at_the_farm", with the whole path if another input has the same name.
std::string measure_name(const std::string& measure, const std::string& setting, const Run& run) {
  if (setting.empty()) return measure;
  const auto stem = [](const std::string& path) { return fs::path(path).stem().string(); };
  const bool alone = std::ranges::count(run.settings, stem(setting), stem) == 1;
  return measure + " on " + (alone ? stem(setting) : setting);
}

// Compares run B with run A for each measure, setting and method, without correction for multiple tests. Adds rows to
// the table, with only the first columns up to the means.
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
                             " units of a method occur in only one run and were ignored");
  return leads;
}

// RAII temporary folder.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "engram-verify-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw_file_error(name);
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path path;
};

// Folders of the inputs of a run, according to its timings.jsonl.
std::vector<fs::path> folders_of_run(const fs::path& folder) {
  for (const Json& line : read_rows(folder / "timings.jsonl"))
    if (line.contains("run")) return folders_of_inputs(line.at("run").at("inputs"));
  return {};
}

// Returns a message if an input is missing or differs from the manifest, otherwise nothing.
std::optional<std::string> fault_of_input(const Json& input, const std::vector<fs::path>& folders) {
  const auto name = input.at("name").get<std::string>();
  for (const fs::path& folder : folders) {
    const fs::path path = folder / name;
    std::error_code ignored;  // a name that is too long is not a file
    if (!fs::is_regular_file(path, ignored)) continue;
    const std::string digest = sha256_of_file(path);
    if (digest == input.at("sha256").get<std::string>()) return {};
    return "the input " + name + " has changed since the run read it: " + path.lexically_normal().string() +
           " has SHA-256 " + digest + ", the manifest says " + input.at("sha256").get<std::string>();
  }
  return "the input " + name + " is missing; --base names the folder that its name is relative to";
}

// Returns a message if a file of the run is missing or has changed since the run, otherwise nothing.
std::optional<std::string> fault_of_files(const fs::path& folder) {
  for (const auto& [name, digest] : read_sums(folder)) {
    std::error_code ignored;
    if (!fs::exists(folder / name, ignored)) return "the file " + name + " is missing";
    if (sha256_of_file(folder / name) != digest)
      return "the file " + name + " has changed since the run wrote it: its SHA-256 is not the one in " +
             sums_name;
  }
  return {};
}

std::size_t first_line_that_differs(const std::string& a, const std::string& b) {
  const auto at = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  const auto place = std::mismatch(a.begin(), a.begin() + at, b.begin()).first;
  return 1 + static_cast<std::size_t>(std::count(a.begin(), place, '\n'));
}

// Files in causal order: results before files derived from them, so that the first difference is the cause.
std::vector<std::string> in_order_of_cause(const fs::path& folder) {
  std::vector<std::string> names{"spec.json", "results.jsonl", "summary.json"};
  for (const auto& [name, digest] : read_sums(folder))
    if (std::ranges::find(names, name) == names.end() && name != "manifest.json" && name != crate_name)
      names.push_back(name);
  return names;
}

// Replaces the floating-point numbers of a row by null, and returns them by their JSON Pointers.
std::map<std::string, double> take_numbers(Json& row) {
  std::map<std::string, double> numbers;
  const Json flat = row.flatten();
  for (const auto& [place, value] : flat.items())
    if (value.is_number_float()) {
      numbers[place] = value.get<double>();
      row[Json::json_pointer(place)] = nullptr;
    }
  return numbers;
}

bool same_order(const std::map<std::string, double>& a, const std::map<std::string, double>& b,
                const std::map<std::string, double>& a2, const std::map<std::string, double>& b2) {
  for (const auto& [place, value] : a) {
    const auto other = a2.find(place);
    if (other == a2.end() || !b.contains(place) || !b2.contains(place)) continue;
    if ((value < other->second) != (b.at(place) < b2.at(place)) ||
        (value > other->second) != (b.at(place) > b2.at(place)))
      return false;
  }
  return true;
}

Verification verify_again(const fs::path& folder, const fs::path& base, unsigned jobs) {
  if (!fs::exists(folder / sums_name) || fs::exists(folder / journal_name))
    throw SpecError(folder.string(), "it has no finished run");
  require_files_alone(folder);
  if (const auto fault = fault_of_files(folder)) return {RunVerdict::altered, *fault, {}};
  const Json manifest = read_json(folder / "manifest.json");
  const std::vector<fs::path> folders = base.empty() ? folders_of_run(folder) : std::vector{base};
  for (const Json& input : manifest.at("inputs"))
    if (const auto fault = fault_of_input(input, folders)) return {RunVerdict::altered, *fault, {}};

  const TemporaryFolder again;
  const Spec spec = resolve_spec(read_json(folder / "spec.json"), folders);
  run(spec, {.out = again.path, .jobs = jobs});

  Verification verification;
  verification.notes =
      reads_outside(spec, {base.empty() ? fs::weakly_canonical(folder).parent_path() : base});
  const Json manifest_now = read_json(again.path / "manifest.json");
  for (const char* part : {"engram", "git", "build", "libraries", "machine"})
    if (manifest.at(part) != manifest_now.at(part))
      verification.notes.push_back(std::string(part) + ": " + manifest.at(part).dump() + " then, " +
                                   manifest_now.at(part).dump() + " now");
  std::size_t files = 0;
  for (const std::string& name : in_order_of_cause(folder)) {
    ++files;
    const std::string now = fs::exists(again.path / name) ? read_file(again.path / name) : "";
    const std::string then = read_file(folder / name);
    if (then == now) continue;
    verification.verdict = RunVerdict::different;
    if (name == "results.jsonl")
      verification.verdict = compare_rows(read_rows(folder / name), read_rows(again.path / name));
    verification.message =
        name + ", line " + std::to_string(first_line_that_differs(then, now)) + ", is the first to differ";
    return verification;
  }
  verification.message = std::to_string(whole(manifest.at("trials"))) + " trials gave the same bytes in " +
                         std::to_string(files) + " files";
  return verification;
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
  if (leads.empty()) throw SpecError(both, "they share no method that can be paired " + a.pairing);

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

RunVerdict compare_rows(const std::vector<Json>& before, const std::vector<Json>& now) {
  if (before == now && json_lines(before) == json_lines(now)) return RunVerdict::identical;
  if (before.size() != now.size()) return RunVerdict::different;
  std::vector<std::map<std::string, double>> a, b;
  for (std::size_t i = 0; i < before.size(); ++i) {
    Json row = before[i], again = now[i];
    a.push_back(take_numbers(row));
    b.push_back(take_numbers(again));
    if (row != again) return RunVerdict::different;
  }
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = i + 1;
         j < a.size() && before[j].value("trial", Json()) == before[i].value("trial", Json()); ++j)
      if (!same_order(a[i], b[i], a[j], b[j])) return RunVerdict::different;
  return RunVerdict::same_ranks;
}

Verification verify(const fs::path& folder, const fs::path& base, unsigned jobs) {
  try {
    return verify_again(folder, base, jobs);
  } catch (const Json::exception& error) {
    throw SpecError(folder.string(), std::string("not the files of a run: ") + error.what());
  }
}

}  // namespace engram::experiments
