// SPDX-License-Identifier: MIT
#include "experiments/runs/run.hpp"

#include <ctime>
#include <exception>
#include <iomanip>
#include <map>
#include <optional>
#include <sstream>

#include "experiments/formats/files.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/pages/conclusion_files.hpp"
#include "experiments/provenance/manifest.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/cache.hpp"
#include "experiments/runs/folder_lock.hpp"
#include "experiments/runs/journal.hpp"
#include "experiments/runs/located_inputs.hpp"
#include "experiments/runs/progress.hpp"
#include "experiments/spec/borders.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// What is made from a plan, and goes when another is carried out in the same folder.
constexpr const char* products[] = {"results.jsonl", "timings.jsonl", "summary.json", "report.html", "tables",
                                    "plots",         "cues",          crate_name,     sums_name};

/// The folder of a run: made new, or a run's own; nobody's other files are overwritten.
class RunFolder {
 public:
  RunFolder(const fs::path& path, const Spec& spec, const Json& manifest, bool resume)
      : path_(made(path)), lock_(path) {
    require_files_alone(path);
    const bool begun = fs::exists(path / journal_name);
    const bool finished = !begun && fs::exists(path / "spec.json") && fs::exists(path / "manifest.json");
    if (!begun && !finished && !fs::is_empty(path))
      throw SpecError("--out", path.string() + " exists and is no run of Engram; choose another folder");
    const std::string plan = sha256_of_text(pretty(spec.resolved) + pretty(manifest));
    if (resume && (finished || (begun && fs::file_size(path / journal_name) > 0))) {
      require_same("spec.json", spec.resolved, "spec");
      require_same("manifest.json", manifest, "input or build");
      journal_.emplace(path, plan);
      if (finished) take_over();
    } else {
      // The journal comes first: it marks the folder as a run's, and while it names no plan nothing is kept.
      Journal::begin(path);
      for (const char* old : products) fs::remove_all(path / old);
      write_file(path / "manifest.json", pretty(manifest));
      write_file(path / "spec.json", pretty(spec.resolved));
      journal_.emplace(path, plan);
    }
  }

  Journal& journal() { return *journal_; }

  // Rows and timings in the order of the trials. `run` says when and where: what no two runs share.
  void write_results(const Json& run) const {
    std::string rows, timings = Json{{"run", run}}.dump() + "\n";
    journal_->for_each([&](const TrialResult& result) {
      rows += json_lines(result.rows);
      timings += json_lines(result.timings);
    });
    write_file(path_ / "results.jsonl", rows);
    write_file(path_ / "timings.jsonl", timings);
    for (const char* made : {"tables", "plots", "cues"}) fs::remove_all(path_ / made);
  }

 private:
  static const fs::path& made(const fs::path& path) {
    if (fs::exists(path) && !fs::is_directory(path))
      throw SpecError("--out", path.string() + " exists and is no run of Engram; choose another folder");
    fs::create_directories(path);
    return path;
  }

  void require_same(const char* file, const Json& now, const std::string& what) const {
    const std::string old = read_file(path_ / file);
    if (old == pretty(now)) return;
    const auto then = json_in(old);
    const Json changes = then ? Json::diff(*then, now) : Json::array();
    throw SpecError("--resume",
                    path_.string() + " is a run of another " + what +
                        (changes.empty() ? "" : " (at " + changes[0].at("path").get<std::string>() + ")") +
                        "; run it without --resume, or choose another folder");
  }

  // A finished run, perhaps one that somebody cut: its last trial may lack rows, and is done again.
  void take_over() {
    std::map<std::size_t, TrialResult> trials;
    for (Json& row : read_rows(path_ / "results.jsonl")) {
      const auto trial = whole(row.at("trial"));
      trials[trial].rows.push_back(std::move(row));
    }
    for (Json& timing : read_rows(path_ / "timings.jsonl")) {
      if (!timing.contains("trial")) continue;
      const auto trial = whole(timing.at("trial"));
      if (trials.contains(trial)) trials[trial].timings.push_back(std::move(timing));
    }
    if (!trials.empty() && !results_are_whole()) trials.erase(std::prev(trials.end()));
    for (const auto& [trial, result] : trials) journal_->add(trial, result);
  }

  bool results_are_whole() const {
    if (!fs::exists(path_ / sums_name)) return false;
    const auto sums = read_sums(path_);
    const auto results = sums.find("results.jsonl");
    return results != sums.end() && results->second == sha256_of_file(path_ / "results.jsonl");
  }

  fs::path path_;
  FolderLock lock_;
  std::optional<Journal> journal_;
};

std::vector<std::size_t> trials_to_do(const Trials& all, const Journal& journal) {
  std::vector<std::size_t> trials;
  for (std::size_t trial = 0; trial < all.count(); ++trial)
    if (!journal.has(trial)) trials.push_back(trial);
  return trials;
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  std::ostringstream text;
  text << std::put_time(&utc, "%FT%TZ");
  return text.str();
}

// Where and how it ran. Inputs by their full paths, so that the run can be done again.
Json run_json(const Spec& spec, const RunOptions& options, const TrialShift& shift,
              const std::string& started) {
  Json run = {{"started", started}, {"finished", now()}, {"jobs", options.jobs}};
  run.update(shift.told());
  run["inputs"] = located_inputs(spec);
  return run;
}

// Files that change under a run's hands would make its manifest a lie.
void require_unchanged(const Spec& spec, const Json& manifest) {
  const Json now = make_manifest(spec);
  for (std::size_t i = 0; i < now.at("inputs").size(); ++i)
    if (now.at("inputs")[i] != manifest.at("inputs")[i])
      throw std::runtime_error("the input " + now.at("inputs")[i].at("name").get<std::string>() +
                               " changed while the run read it; run it again");
}

}  // namespace

Interrupted::Interrupted(std::size_t finished, std::size_t all, const char* of)
    : std::runtime_error("stopped after " + std::to_string(finished) + " of " + std::to_string(all) + " " +
                         of) {}

RunReport run(const Spec& spec, const RunOptions& options) {
  Json manifest = make_manifest(spec);  // before the inputs are read: what is read is what was named
  const auto trials = spec.experiment->trials(spec);
  TrialCache cache(options.cache);
  ThreadCrew threads;
  TrialCrew& crew = options.crew != nullptr ? *options.crew : threads;
  const auto shift =
      crew.begin({spec, manifest, *trials, cache, options.out, options.jobs, options.trial_bytes});
  RunReport report;
  report.rejections = trials->prepare();
  if (trials->count() == 0) return report;
  manifest["trials"] = trials->count();

  const std::string started = now();
  RunFolder folder(options.out, spec, manifest, options.resume);
  Journal& journal = folder.journal();
  if (journal.dropped() > 0 && options.talk != nullptr)
    *options.talk << "engram: " << spec.experiment->name()
                  << ": the last trial was cut off while it was written, and is done again\n";
  Progress progress(options.talk, options.terminal, spec.experiment->name(), trials->count(), journal.size());
  try {
    shift->carry_out(trials_to_do(*trials, journal), [&](std::size_t trial, const TrialResult& result) {
      journal.add(trial, result);
      progress.advance();
    });
    progress.finish();
    if (options.talk != nullptr) *options.talk << cache.told();
    require_unchanged(spec, manifest);
    folder.write_results(run_json(spec, options, *shift, started));
    report.conclusion = spec.experiment->conclude(spec, read_rows(options.out / "results.jsonl"));
    report.undrawn = write_conclusion(options.out, spec, report.conclusion);
    write_provenance(options.out, manifest, report.conclusion);
  } catch (const core::WorkStopped& stopped) {
    progress.finish();
    if (stopped.reason != core::WorkStopped::Reason::asked) throw;
    throw Interrupted(journal.size(), trials->count());
  }
  sync_all(options.out);  // gnuplot's files too: the journal goes last of all
  journal.remove();
  return report;
}

Conclusion conclude_foreign(const Spec& spec, const std::vector<Json>& rows, const fs::path& file) {
  const auto refuse = [&](const std::exception& error) {
    throw SpecError(file.string(), std::string("these are no rows of such a run: ") + error.what());
  };
  try {
    return spec.experiment->conclude(spec, rows);
  } catch (const Json::exception& error) {  // a member is missing, or is something else
    refuse(error);
  } catch (const std::logic_error& error) {  // rows are missing, or do not belong together
    refuse(error);
  }
  return {};
}

RunReport rebuild_report(const fs::path& folder) {
  if (!fs::exists(folder / "spec.json"))
    throw SpecError(folder.string(), "this is no run: it holds no spec.json");
  require_files_alone(folder);
  const Spec spec = resolve_spec(read_json(folder / "spec.json"), folder);
  const FolderLock lock(folder);
  if (fs::exists(folder / journal_name))
    throw SpecError(folder.string(), "the run is unfinished; go on with `engram run` and --resume");
  const std::vector<Json> rows = read_rows(folder / "results.jsonl");
  if (rows.empty()) throw SpecError((folder / "results.jsonl").string(), "there are no results in it");
  const Json manifest = read_json(folder / "manifest.json");
  RunReport report;
  report.conclusion = conclude_foreign(spec, rows, folder / "results.jsonl");
  report.undrawn = write_conclusion(folder, spec, report.conclusion);
  try {
    write_provenance(folder, manifest, report.conclusion);
  } catch (const Json::exception& error) {
    throw SpecError((folder / "manifest.json").string(), std::string("this is no manifest: ") + error.what());
  }
  return report;
}

}  // namespace engram::experiments
