// SPDX-License-Identifier: MIT
#include "experiments/runs/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

void sync_all(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() || entry.is_directory()) sync(entry.path());
  sync(folder);
}

std::string read_file(const fs::path& path) {
  std::ifstream file = open_input(path);
  std::ostringstream text;
  text << file.rdbuf();
  require_whole(file, path.string());
  return text.str();
}

std::string pretty(const Json& json) { return json.dump(2) + "\n"; }

std::string json_lines(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  return text;
}

std::vector<Json> read_rows(const fs::path& path) {
  std::vector<Json> rows;
  std::ifstream file = open_if_there(path);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    Json row = Json::parse(line, nullptr, false);
    if (row.is_discarded()) break;
    rows.push_back(std::move(row));
  }
  return rows;
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw_file_error(folder);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw SpecError("--out",
                  "another run is at work in " + folder.string() + "; wait for it, or choose another folder");
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace engram::experiments
