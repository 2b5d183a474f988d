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
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// Output files of a run. They are deleted when another plan is executed in the same folder.
constexpr const char* products[] = {"results.jsonl", "timings.jsonl", "summary.json", "report.html", "tables",
                                    "plots",         "cues",          crate_name,     sums_name};

/// Folder of a run: creates it, or checks that it belongs to a run. Other files are never overwritten, and runs only
/// with `force`.
class RunFolder {
 public:
  RunFolder(const Spec& spec, const Json& manifest, const RunOptions& options)
      : path_(made(options.out)), lock_(path_) {
    require_files_alone(path_);
    const bool begun = fs::exists(path_ / journal_name);
    const bool finished = !begun && fs::exists(path_ / "spec.json") && fs::exists(path_ / "manifest.json");
    if (!begun && !finished && !fs::is_empty(path_))
      throw SpecError("--out", path_.string() + " exists and is no run of Engram; choose another folder");
    const std::string plan = sha256_of_text(pretty(spec.resolved) + pretty(manifest));
    const bool holds_run = finished || (begun && fs::file_size(path_ / journal_name) > 0);
    if (holds_run && !options.force) {
      require_same("spec.json", spec.resolved);
      require_same("manifest.json", manifest);
      journal_.emplace(path_, plan);
      if (!finished && !options.resume) refuse_unfinished(whole(manifest.at("trials")));
      // Results and a journal both exist if a process was killed during take_over().
      if (finished || fs::exists(path_ / "results.jsonl")) take_over();
    } else {
      // Create the journal first: it marks the folder as a run. Without a plan, it has no results to keep.
      Journal::begin(path_);
      for (const char* old : products) fs::remove_all(path_ / old);
      write_file(path_ / "manifest.json", pretty(manifest));
      write_file(path_ / "spec.json", pretty(spec.resolved));
      journal_.emplace(path_, plan);
    }
  }

  Journal& journal() { return *journal_; }

  // Writes rows and timings in the order of the trials. `run` has the time and place, which differ in every run.
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

  void require_same(const std::string& file, const Json& now) const {
    const std::string old = read_file(path_ / file);
    if (old == pretty(now)) return;
    const auto then = json_in(old);
    const Json changes = then ? Json::diff(*then, now) : Json::array();
    const std::string place = changes.empty() ? "" : changes[0].at("path").get<std::string>();
    const std::string what = file == "spec.json"             ? "another spec"
                             : place.starts_with("/inputs")  ? "other inputs"
                             : place.starts_with("/machine") ? "another machine"
                                                             : "another build";
    throw SpecError("--out",
                    path_.string() + " holds a run of " + what +
                        (place.empty() ? "" : " (it differs at " + place + ")") +
                        ". Give another folder (--out), replace that run (--force), or go on with it by "
                        "its own spec, inputs and build (--resume)");
  }

  [[noreturn]] void refuse_unfinished(std::size_t trials) const {
    throw SpecError("--out",
                    path_.string() + " holds an unfinished run of this spec, with " +
                        std::to_string(journal_->size()) + " of " + std::to_string(trials) +
                        " trials done. Go on with it (--resume), replace it (--force), or give another "
                        "folder (--out)");
  }

  // Takes over the trials of a finished run. If its results were truncated, the last trial may lack rows and is
  // repeated.
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

// Record of when and how the run was executed. Inputs have absolute paths, so that the run can be repeated.
Json run_json(const Spec& spec, const RunOptions& options, const TrialShift& shift,
              const std::string& started) {
  Json run = {{"started", started}, {"finished", now()}, {"jobs", options.jobs}};
  run.update(shift.told());
  run["inputs"] = located_inputs(spec);
  return run;
}

// Checks that no input changed during the run, because the manifest would then be wrong.
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
  Json manifest = make_manifest(spec);  // before reading the inputs, so that later changes are detected
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
  report.unread = UnreadLines(report.rejections);
  if (report.unread.count > 0) manifest["unread_lines"] = to_json(report.unread);

  const std::string started = now();
  RunFolder folder(spec, manifest, options);
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
    report.undrawn = write_conclusion(options.out, spec, report.conclusion, report.unread);
    write_provenance(options.out, manifest, report.conclusion);
  } catch (const core::WorkStopped& stopped) {
    progress.finish();
    if (stopped.reason != core::WorkStopped::Reason::cancelled) throw;
    throw Interrupted(journal.size(), trials->count());
  }
  sync_all(options.out);  // include the files of gnuplot; delete the journal last
  journal.remove();
  return report;
}

Conclusion conclude_foreign(const Spec& spec, const std::vector<Json>& rows, const fs::path& file) {
  const auto refuse = [&](const std::exception& error) {
    throw SpecError(file.string(), std::string("these are no rows of such a run: ") + error.what());
  };
  try {
    return spec.experiment->conclude(spec, rows);
  } catch (const Json::exception& error) {  // a member is missing or has another type
    refuse(error);
  } catch (const std::logic_error& error) {  // rows are missing or inconsistent
    refuse(error);
  }
  return {};
}

namespace {

// A finished run, locked against other processes.
struct FinishedRun {
  explicit FinishedRun(const fs::path& folder) : spec(checked_spec(folder)), lock(folder) {
    if (fs::exists(folder / journal_name))
      throw SpecError(folder.string(), "the run is unfinished; go on with `engram run` and --resume");
    const std::vector<Json> rows = read_rows(folder / "results.jsonl");
    if (rows.empty()) throw SpecError((folder / "results.jsonl").string(), "there are no results in it");
    conclusion = conclude_foreign(spec, rows, folder / "results.jsonl");
  }

  static Spec checked_spec(const fs::path& folder) {
    if (!fs::exists(folder / "spec.json"))
      throw SpecError(folder.string(), "this is no run: it holds no spec.json");
    require_files_alone(folder);
    return resolve_spec(read_json(folder / "spec.json"), folder);
  }

  Spec spec;
  FolderLock lock;
  Conclusion conclusion;
};

}  // namespace

Conclusion conclusion_of_run(const fs::path& folder) { return FinishedRun(folder).conclusion; }

RunReport rebuild_report(const fs::path& folder) {
  const FinishedRun run(folder);
  const Json manifest = read_json(folder / "manifest.json");
  RunReport report;
  report.conclusion = run.conclusion;
  const auto checked_manifest = [&](auto use) {
    try {
      use();
    } catch (const Json::exception& error) {
      throw SpecError((folder / "manifest.json").string(),
                      std::string("this is no manifest: ") + error.what());
    }
  };
  checked_manifest([&] { report.unread = unread_lines_of(manifest); });
  report.undrawn = write_conclusion(folder, run.spec, report.conclusion, report.unread);
  checked_manifest([&] { write_provenance(folder, manifest, report.conclusion); });
  return report;
}

}  // namespace engram::experiments
