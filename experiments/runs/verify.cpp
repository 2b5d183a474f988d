// SPDX-License-Identifier: MIT
#include "experiments/runs/verify.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>

#include "experiments/formats/files.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/journal.hpp"
#include "experiments/runs/located_inputs.hpp"
#include "experiments/runs/run.hpp"
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

/// RAII temporary folder.
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

// Folders of the inputs, from the line about the run.
std::vector<fs::path> folders_of_run(const fs::path& folder) {
  for (const Json& line : read_rows(folder / "timings.jsonl"))
    if (line.contains("run")) return folders_of_inputs(line.at("run").at("inputs"));
  return {};
}

// Error of an input, or nothing.
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
  return "the input " + name + " is not there any more; --base names the folder that it is relative to";
}

// Error of a file in the folder, or nothing.
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

// Removes the numbers from a row and returns them by their place.
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

}  // namespace

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

namespace {

Verification verify_again(const fs::path& folder, const fs::path& base, unsigned jobs) {
  if (!fs::exists(folder / sums_name) || fs::exists(folder / journal_name))
    throw SpecError(folder.string(), "it holds no finished run");
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

Verification verify(const fs::path& folder, const fs::path& base, unsigned jobs) {
  try {
    return verify_again(folder, base, jobs);
  } catch (const Json::exception& error) {
    throw SpecError(folder.string(), std::string("these are no files of a run: ") + error.what());
  }
}

}  // namespace engram::experiments
