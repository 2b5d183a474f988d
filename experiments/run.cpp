// SPDX-License-Identifier: MIT
#include "experiments/run.hpp"

#include <atomic>
#include <cerrno>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>

#include "experiments/conclusion_files.hpp"
#include "experiments/manifest.hpp"
#include "experiments/progress.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path) {
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path.string());
}

std::string read_file(const fs::path& path) {
  std::ifstream file = open_input(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The lines of a JSONL file that end in a line feed and are JSON, up to the first that is not.
std::vector<Json> read_rows(const fs::path& path) {
  std::vector<Json> rows;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    Json row = Json::parse(line, nullptr, false);
    if (row.is_discarded()) break;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Rows on disk, a trial at a time and in the order of the trials, whatever the order of completion.
class ResultFiles {
 public:
  ResultFiles(const fs::path& folder, std::size_t first_trial, const std::vector<Json>& kept_rows,
              const std::vector<Json>& kept_timings)
      : results_path_(folder / "results.jsonl"), timings_path_(folder / "timings.jsonl"), next_(first_trial) {
    // Kept rows go through a file of their own, so that a kill in between loses nothing.
    write_file(results_path_, lines(kept_rows));
    write_file(timings_path_, lines(kept_timings));
    results_.open(results_path_, std::ios::binary | std::ios::app);
    timings_.open(timings_path_, std::ios::binary | std::ios::app);
    if (!results_ || !timings_) fail(results_path_);
  }

  void add(std::size_t trial, TrialResult result) {
    waiting_.emplace(trial, std::move(result));
    for (auto due = waiting_.find(next_); due != waiting_.end(); due = waiting_.find(next_)) {
      errno = 0;
      results_ << lines(due->second.rows) << std::flush;
      timings_ << lines(due->second.timings) << std::flush;
      if (!results_ || !timings_) fail(results_path_);
      waiting_.erase(due);
      ++next_;
    }
  }

 private:
  static std::string lines(const std::vector<Json>& rows) {
    std::string text;
    for (const Json& row : rows) text += row.dump() + "\n";
    return text;
  }

  fs::path results_path_, timings_path_;
  std::ofstream results_, timings_;
  std::map<std::size_t, TrialResult> waiting_;
  std::size_t next_;
};

// Runs trials first..last-1 on `jobs` threads; `done` is called for each, one at a time.
template <class Done>
void run_trials(const Experiment& experiment, std::size_t first, unsigned jobs, Done done) {
  std::atomic<std::size_t> next{first};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t trial = next++; trial < experiment.trials(); trial = next++) {
        TrialResult result = experiment.run(trial);
        const std::lock_guard lock(mutex);
        if (failure) return;
        done(trial, std::move(result));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = experiment.trials();
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

// What an earlier, unfinished run of the same spec left. The last trial is done again: its rows may be cut.
struct Kept {
  std::size_t trials = 0;
  std::vector<Json> rows, timings;
};

Kept keep_finished(const fs::path& folder) {
  Kept kept;
  kept.rows = read_rows(folder / "results.jsonl");
  if (kept.rows.empty()) return kept;
  kept.trials = kept.rows.back().at("trial").get<std::size_t>();
  while (!kept.rows.empty() && kept.rows.back().at("trial") == kept.trials) kept.rows.pop_back();
  for (Json& timing : read_rows(folder / "timings.jsonl"))
    if (timing.at("trial").get<std::size_t>() < kept.trials) kept.timings.push_back(std::move(timing));
  return kept;
}

// A folder is made new, or is a run's: nobody's other files are overwritten.
Kept open_folder(const Spec& spec, const RunOptions& options) {
  const fs::path spec_path = options.out / "spec.json";
  const bool is_run = fs::exists(spec_path) && fs::exists(options.out / "manifest.json");
  if (fs::exists(options.out) && !is_run && (!fs::is_directory(options.out) || !fs::is_empty(options.out)))
    throw SpecError("--out", options.out.string() + " exists and is no run of Engram; choose another folder");
  const Json manifest = make_manifest(spec);
  Kept kept;
  if (is_run && options.resume) {
    if (read_file(spec_path) != pretty(spec.resolved) ||
        read_file(options.out / "manifest.json") != pretty(manifest))
      throw SpecError("--resume",
                      options.out.string() +
                          " is a run of another spec, other inputs or another build; run it without "
                          "--resume, or choose another folder");
    kept = keep_finished(options.out);
  } else if (is_run) {
    // Before the new spec is written: a later --resume must not take the old rows for its own.
    for (const char* old : {"results.jsonl", "timings.jsonl"}) fs::remove(options.out / old);
  }
  if (is_run)
    for (const char* old : {"tables", "plots", "cues", "report.html", "summary.json"})
      fs::remove_all(options.out / old);
  fs::create_directories(options.out);
  write_file(options.out / "manifest.json", pretty(manifest));
  write_file(spec_path, pretty(spec.resolved));
  return kept;
}

}  // namespace

RunReport run(const Spec& spec, const RunOptions& options) {
  const auto experiment = make_experiment(spec);
  RunReport report;
  report.rejections = experiment->prepare();
  if (experiment->trials() == 0) return report;

  const Kept kept = open_folder(spec, options);
  ResultFiles files(options.out, kept.trials, kept.rows, kept.timings);
  Progress progress(options.talk, options.terminal, spec.experiment, experiment->trials(), kept.trials);
  run_trials(*experiment, kept.trials, options.jobs, [&](std::size_t trial, TrialResult result) {
    files.add(trial, std::move(result));
    progress.advance();
  });
  progress.finish();
  report.conclusion = conclude(spec, read_rows(options.out / "results.jsonl"));
  write_conclusion(options.out, spec, report.conclusion);
  return report;
}

Conclusion rebuild_report(const fs::path& folder) {
  const Spec spec = resolve_spec(load_spec(folder / "spec.json"), folder);
  const std::vector<Json> rows = read_rows(folder / "results.jsonl");
  if (rows.empty()) throw SpecError("", folder.string() + " holds no results");
  Conclusion conclusion = conclude(spec, rows);
  write_conclusion(folder, spec, conclusion);
  return conclusion;
}

std::unique_ptr<Experiment> make_experiment(const Spec& spec) {
  if (spec.experiment == "comparison") return make_comparison(spec);
  if (spec.experiment == "completion") return make_completion(spec);
  if (spec.experiment == "prediction") return make_prediction(spec);
  if (spec.experiment == "equivalence") return make_equivalence(spec);
  if (spec.experiment == "capacity") return make_capacity(spec);
  return make_icons(spec);
}

Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) {
  if (spec.experiment == "comparison") return conclude_comparison(spec, rows);
  if (spec.experiment == "completion") return conclude_completion(spec, rows);
  if (spec.experiment == "prediction") return conclude_prediction(spec, rows);
  if (spec.experiment == "equivalence") return conclude_equivalence(spec, rows);
  if (spec.experiment == "capacity") return conclude_capacity(spec, rows);
  return conclude_icons(spec, rows);
}

}  // namespace engram::experiments
