// SPDX-License-Identifier: MIT
#include "experiments/runs/run.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/journal.hpp"
#include "experiments/runs/terminal.hpp"
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw_file_error(folder);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw SpecError("--out",
                  "another run is at work in " + folder.string() + "; wait, or choose another folder");
}

FolderLock::~FolderLock() { close(descriptor_); }

namespace {

// Output files of a run, which a run of another plan in the same folder deletes.
constexpr const char* products[] = {"results.jsonl", "timings.jsonl", "summary.json", "report.html", "tables",
                                    "plots",         "cues",          crate_name,     sums_name};

// Locked folder of a run. The constructor creates the folder, or checks that it contains a run. It never overwrites
// other files, and overwrites runs only with `force`.
class RunFolder {
 public:
  RunFolder(const Spec& spec, const Json& manifest, const RunOptions& options)
      : path_(made(options.out)), lock_(path_) {
    require_files_alone(path_);
    const bool begun = fs::exists(path_ / journal_name);
    const bool finished = !begun && fs::exists(path_ / "spec.json") && fs::exists(path_ / "manifest.json");
    if (!begun && !finished && !fs::is_empty(path_)) refuse_other(path_);
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
      // Create the journal first: it marks the folder as a run. A journal without a plan has no results to keep.
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
  [[noreturn]] static void refuse_other(const fs::path& path) {
    throw SpecError("--out", path.string() + " exists and is not a run of Engram; choose another folder");
  }

  static const fs::path& made(const fs::path& path) {
    if (fs::exists(path) && !fs::is_directory(path)) refuse_other(path);
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
    throw SpecError(
        "--out",
        path_.string() + " holds a run of " + what + (place.empty() ? "" : " (it differs at " + place + ")") +
            ". Choose another folder (--out), replace that run (--force), or continue it with its own "
            "spec, inputs and build (--resume)");
  }

  [[noreturn]] void refuse_unfinished(std::size_t trials) const {
    throw SpecError(
        "--out",
        path_.string() + " holds an unfinished run of this spec, with " + std::to_string(journal_->size()) +
            " of " + std::to_string(trials) +
            " trials done. Continue it (--resume), replace it (--force), or choose another folder (--out)");
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
  run.update(shift.description());
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

// A finished run, locked against other processes.
struct FinishedRun {
  explicit FinishedRun(const fs::path& folder) : spec(checked_spec(folder)), lock(folder) {
    if (fs::exists(folder / journal_name))
      throw SpecError(folder.string(), "the run is unfinished; continue it with `engram run` and --resume");
    const std::vector<Json> rows = read_rows(folder / "results.jsonl");
    if (rows.empty()) throw SpecError((folder / "results.jsonl").string(), "it has no results");
    conclusion = conclude_foreign(spec, rows, folder / "results.jsonl");
  }

  static Spec checked_spec(const fs::path& folder) {
    if (!fs::exists(folder / "spec.json")) throw SpecError(folder.string(), "not a run: it has no spec.json");
    require_files_alone(folder);
    return resolve_spec(read_json(folder / "spec.json"), folder);
  }

  Spec spec;
  FolderLock lock;
  Conclusion conclusion;
};

Json to_json(const Cell& cell) {
  Json json{cell.text, cell.raw, cell.winner, cell.link};
  if (cell.bounds) json.insert(json.end(), {cell.bounds->first, cell.bounds->second});
  return json;
}

Cell cell_of(const Json& json) {
  Cell cell{json.at(0), json.at(1), {}, json.at(2), json.at(3)};
  if (json.size() > 4) cell.bounds.emplace(json.at(4), json.at(5));
  return cell;
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
                  << ": the last record was cut off, so its trial is repeated\n";
  Progress progress(options.talk, options.terminal, spec.experiment->name(), trials->count(), journal.size());
  try {
    shift->carry_out(trials_to_do(*trials, journal), [&](std::size_t trial, const TrialResult& result) {
      journal.add(trial, result);
      progress.advance();
    });
    progress.finish();
    if (options.talk != nullptr) *options.talk << cache.summary();
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
    throw SpecError(file.string(), std::string("the rows do not fit the spec: ") + error.what());
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

Conclusion conclusion_of_run(const fs::path& folder) { return FinishedRun(folder).conclusion; }

RunReport rebuild_report(const fs::path& folder) {
  const FinishedRun run(folder);
  const Json manifest = read_json(folder / "manifest.json");
  RunReport report;
  report.conclusion = run.conclusion;
  const auto checked_manifest = [&](const auto& use) {
    try {
      use();
    } catch (const Json::exception& error) {
      throw SpecError((folder / "manifest.json").string(), std::string("not a manifest: ") + error.what());
    }
  };
  checked_manifest([&] { report.unread = unread_lines_of(manifest); });
  report.undrawn = write_conclusion(folder, run.spec, report.conclusion, report.unread);
  checked_manifest([&] { write_provenance(folder, manifest, report.conclusion); });
  return report;
}

CellReport carry_out(const CellJob& cell) {
  const RunReport report = run(cell.spec, cell.options);
  CellReport summary{
      report.rejections, report.undrawn, report.conclusion.question, report.conclusion.answer, {}};
  if (!report.conclusion.tables.empty()) summary.table = report.conclusion.tables.front();
  return summary;
}

Json to_json(const CellReport& report) {
  Json rejections = Json::array(), rows = Json::array();
  for (const auto& [file, line] : report.rejections)
    rejections.push_back({file, line.line, line.column, line.message});
  for (const auto& row : report.table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(to_json(cell));
    rows.push_back(cells);
  }
  return {{"rejections", rejections},    {"undrawn", report.undrawn},
          {"question", report.question}, {"answer", report.answer},
          {"name", report.table.name},   {"caption", report.table.caption},
          {"head", report.table.head},   {"rows", rows}};
}

CellReport cell_report_of(const Json& json) {
  CellReport report{{}, json.at("undrawn"), json.at("question"), json.at("answer"), {}};
  for (const Json& line : json.at("rejections"))
    report.rejections.emplace_back(line.at(0), core::RejectedLine{line.at(1), line.at(2), line.at(3)});
  report.table = {json.at("name"), json.at("caption"), json.at("head"), {}};
  for (const Json& row : json.at("rows")) {
    report.table.rows.emplace_back();
    for (const Json& cell : row) report.table.rows.back().push_back(cell_of(cell));
  }
  return report;
}

MeasuredCost measure_cost(const Spec& spec) {
  const auto trials = spec.experiment->trials(spec);
  trials->prepare();
  MeasuredCost cost{trials->count(), 0, 0};
  if (cost.trials == 0) return cost;
  double total = 0;
  for (const std::size_t trial : std::set<std::size_t>{0, cost.trials / 2, cost.trials - 1}) {
    if (total > 1) break;
    total += seconds([&] { trials->run(trial); });
    ++cost.measured;
  }
  cost.seconds = total / static_cast<double>(cost.measured);
  return cost;
}

std::string estimate(const MeasuredCost& cost, std::size_t runs, unsigned jobs) {
  const double rounds = std::ceil(static_cast<double>(cost.trials) / jobs);
  const double total = cost.seconds * rounds * static_cast<double>(runs);
  const auto whole = [](double number) { return std::to_string(static_cast<long long>(std::ceil(number))); };
  if (total < 120) return "about " + whole(total) + " s";
  if (total < 7200) return "about " + whole(total / 60) + " min";
  return "about " + whole(total / 3600) + " h";
}

std::string plan_text(const Spec& spec, const fs::path& out) {
  std::string text = std::string("experiment  ") + spec.experiment->name() + "\n";
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      text += "input       " + input.name + ", " + std::to_string(fs::file_size(input.path)) +
              " bytes, sha256 " + sha256_of_file(input.path).substr(0, 16) + "..., found at " +
              fs::absolute(input.path).lexically_normal().string() + "\n";
  if (!spec.seeds.empty()) text += "seeds       " + std::to_string(spec.seeds.size()) + "\n";
  for (const std::string& method : spec.experiment->methods(spec)) text += "method      " + method + "\n";
  text += "writes      " + out.string() +
          "/: spec.json manifest.json results.jsonl timings.jsonl summary.json " +
          "report.html tables/ plots/ ro-crate-metadata.json SHA256SUMS\n";
  if (fs::exists(out / journal_name))
    text += "            continues the unfinished run there with --resume; --force replaces it\n";
  else if (fs::exists(out / "spec.json"))
    text +=
        "            keeps the results there if spec, inputs and build are the same; --force replaces them\n";
  return text;
}

}  // namespace engram::experiments
