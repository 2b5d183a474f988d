// SPDX-License-Identifier: MIT
#include "experiments/runs/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

std::string record_line(std::size_t trial, const TrialResult& result) {
  Json record = {{"trial", trial}, {"rows", result.rows}, {"timings", result.timings}};
  record["sha256"] = sha256_of_text(record.dump());
  return record.dump() + "\n";
}

std::optional<std::pair<std::size_t, TrialResult>> read_record(const std::string& line) {
  auto read = json_in(line);
  if (!read) return {};
  try {
    Json& record = *read;
    const Json digest = record.at("sha256");
    record.erase("sha256");
    if (digest != sha256_of_text(record.dump())) return {};
    return std::pair(whole(record.at("trial")), TrialResult{record.at("rows").get<std::vector<Json>>(),
                                                            record.at("timings").get<std::vector<Json>>()});
  } catch (const Json::exception&) {
    return {};
  }
}

void Journal::begin(const fs::path& folder) {
  errno = 0;
  std::ofstream file(folder / journal_name, std::ios::binary | std::ios::trunc);
  if (!file) throw_file_error(folder / journal_name);
}

Journal::Journal(const fs::path& folder, const std::string& plan) : path_(folder / journal_name) {
  const std::string head = Json{{"plan", plan}}.dump() + "\n";
  std::ifstream old = open_if_there(path_);
  std::string line, kept = head;
  bool changed = true;
  if (next_row(old, line) && line + "\n" == head) {
    changed = false;
    while (next_row(old, line)) {
      const auto record = read_record(line);
      if (!record || has(record->first)) {
        ++dropped_;
        changed = true;
        continue;
      }
      places_[record->first] = {kept.size(), line.size() + 1};
      kept += line + "\n";
    }
    if (!line.empty()) {  // the file ends with an unterminated line
      ++dropped_;
      changed = true;
    }
  }
  old.close();
  if (changed) write_file(path_, kept);
  end_ = kept.size();
  errno = 0;
  descriptor_ = open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) throw_file_error(path_);
}

Journal::~Journal() { close(descriptor_); }

void Journal::add(std::size_t trial, const TrialResult& result) {
  if (has(trial)) return;
  const std::string line = record_line(trial, result);
  write_all(descriptor_, line, path_);
  // A trial counts as done only after its line is on disk, because a power failure loses buffered lines.
  sync(descriptor_, path_);
  places_[trial] = {end_, line.size()};
  end_ += line.size();
}

void Journal::for_each(const std::function<void(const TrialResult&)>& use) const {
  for (const auto& [trial, place] : places_) {
    std::string line(place.length, '\0');
    errno = 0;
    const ssize_t count = pread(descriptor_, line.data(), line.size(), static_cast<off_t>(place.offset));
    const auto record = count == static_cast<ssize_t>(line.size()) ? read_record(line) : std::nullopt;
    if (!record) throw_file_error(path_);
    use(record->second);
  }
}

void Journal::remove() { fs::remove(path_); }

}  // namespace engram::experiments
