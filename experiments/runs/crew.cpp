// SPDX-License-Identifier: MIT
#include "experiments/runs/crew.hpp"

#include <algorithm>
#include <mutex>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/runs/journal.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

namespace {

// Returns the cache key of a trial: its setting, and the digests of the inputs and of the program. If the experiment
// defines no setting, the key contains the whole spec and the number of the trial.
Json trial_key(const Spec& spec, const Json& manifest, const Trials& trials, std::size_t trial) {
  Json setting = trials.setting(trial);
  if (setting.is_null()) setting = {{"spec", spec.resolved}, {"trial", trial}};
  return {{"program", manifest.at("build").at("sha256")},
          {"machine", manifest.at("machine").at("architecture")},
          {"experiment", spec.experiment->name()},
          {"inputs", manifest.at("inputs")},
          {"setting", setting}};
}

}  // namespace

fs::path TrialCache::place(const Json& key) const {
  const std::string digest = sha256_of_text(key.dump());
  return folder_ / digest.substr(0, 2) / (digest.substr(2) + ".json");
}

std::optional<TrialResult> TrialCache::find(const Json& key, std::size_t trial) {
  const fs::path path = place(key);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  const std::string text = read_file(path);
  const std::size_t end = text.find('\n');
  auto record = end == std::string::npos ? std::nullopt : read_record(text.substr(end + 1));
  if (!record || text.substr(0, end) != key.dump()) {
    ++damaged_;
    return {};
  }
  ++hits_;
  for (auto* rows : {&record->second.rows, &record->second.timings})
    for (Json& row : *rows)
      if (row.contains("trial")) row["trial"] = trial;
  return std::move(record->second);
}

void TrialCache::add(const Json& key, std::size_t trial, const TrialResult& result) const {
  const fs::path path = place(key);
  fs::create_directories(path.parent_path());
  write_file(path, key.dump() + "\n" +
                       record_line(trial, result));  // atomic, because another run may write the same entry
}

void TrialCache::count(std::size_t hits, std::size_t damaged) {
  hits_ += hits;
  damaged_ += damaged;
}

std::string TrialCache::summary() const {
  if (!used()) return "";
  std::string text =
      "engram: " + folder_.string() + ": " + std::to_string(hits_) + " trials were in the cache";
  if (damaged_ > 0) text += "; " + std::to_string(damaged_) + " damaged entries were made again";
  return text + "\n";
}

Json located_inputs(const Spec& spec) {
  Json located = Json::array();
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      located.push_back({{"name", input.name}, {"path", fs::absolute(input.path)}});
  return located;
}

std::vector<fs::path> folders_of_inputs(const Json& located) {
  std::vector<fs::path> folders;
  for (const Json& input : located) {
    const auto name = input.at("name").get<std::string>(), path = input.at("path").get<std::string>();
    if (!path.ends_with(name)) continue;
    fs::path folder = path.substr(0, path.size() - name.size());
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(std::move(folder));
  }
  return folders;
}

namespace {

class ThreadShift final : public TrialShift {
 public:
  explicit ThreadShift(const TrialJob& job) : job_(job) {}

  void carry_out(const std::vector<std::size_t>& trials,
                 const std::function<void(std::size_t, const TrialResult&)>& done) override {
    std::mutex mutex;
    core::for_each_task(trials.size(), job_.jobs, [&](std::size_t i, unsigned) {
      const TrialResult result = experiments::carry_out(job_, trials[i]);
      const std::lock_guard lock(mutex);
      done(trials[i], result);
    });
  }

 private:
  const TrialJob job_;
};

}  // namespace

TrialResult carry_out(const TrialJob& job, std::size_t trial) {
  core::check_cancelled();
  const core::WorkBudget limited({.bytes = job.trial_bytes});
  if (!job.cache.used()) return job.trials.run(trial);
  const Json key = trial_key(job.spec, job.manifest, job.trials, trial);
  if (auto kept = job.cache.find(key, trial)) return std::move(*kept);
  TrialResult result = job.trials.run(trial);
  job.cache.add(key, trial, result);
  return result;
}

std::unique_ptr<TrialShift> ThreadCrew::begin(const TrialJob& job) {
  return std::make_unique<ThreadShift>(job);
}

}  // namespace engram::experiments
