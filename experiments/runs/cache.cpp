// SPDX-License-Identifier: MIT
#include "experiments/runs/cache.hpp"

#include "experiments/formats/files.hpp"
#include "experiments/runs/journal.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

Json trial_key(const Spec& spec, const Json& manifest, const Trials& trials, std::size_t trial) {
  Json setting = trials.setting(trial);
  if (setting.is_null()) setting = {{"spec", spec.resolved}, {"trial", trial}};
  return {{"program", manifest.at("build").at("sha256")},
          {"machine", manifest.at("machine").at("architecture")},
          {"experiment", spec.experiment->name()},
          {"inputs", manifest.at("inputs")},
          {"setting", setting}};
}

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
  write_file(path, key.dump() + "\n" + record_line(trial, result));  // another run may write it, too
}

void TrialCache::count(std::size_t hits, std::size_t damaged) {
  hits_ += hits;
  damaged_ += damaged;
}

std::string TrialCache::told() const {
  if (!used()) return "";
  std::string text =
      "engram: " + folder_.string() + ": " + std::to_string(hits_) + " trials were in the cache";
  if (damaged_ > 0) text += "; " + std::to_string(damaged_) + " damaged entries were made again";
  return text + "\n";
}

}  // namespace engram::experiments
