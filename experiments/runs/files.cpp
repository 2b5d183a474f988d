// SPDX-License-Identifier: MIT
#include "experiments/runs/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
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

namespace {

// How deep the brackets of a JSON text are nested; of what is no JSON, any number.
std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      quoted = !quoted;
    else if (quoted)
      i += c == '\\' ? 1 : 0;
    else if (c == '[' || c == '{')
      deepest = std::max(deepest, ++depth);
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return deepest;
}

}  // namespace

Json parsed(const std::string& text) {
  constexpr std::size_t most_levels = 64;
  return depth_of(text) > most_levels ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

Json read_json(const fs::path& path) {
  Json json = parsed(read_file(path));
  if (json.is_discarded()) throw SpecError(path.string(), "expected JSON of at most 64 levels");
  return json;
}

std::string pretty(const Json& json) { return json.dump(2) + "\n"; }

std::string json_lines(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  return text;
}

std::vector<Json> read_rows(const fs::path& path) {
  std::vector<Json> rows;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    Json row = parsed(line);
    if (!row.is_object()) break;
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
