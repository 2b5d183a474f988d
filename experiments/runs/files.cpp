// SPDX-License-Identifier: MIT
#include "experiments/runs/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "bridge/json/json_reader.hpp"
#include "experiments/inputs/corpus.hpp"
#include "narsese/utf8.hpp"

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

// chosen: the members bound what comparing two specs by their names takes
constexpr bridge::JsonLimits file_limits{.max_bytes = std::size_t{64} << 20, .max_members = 10'000};

std::string place_in(std::string_view text, const bridge::JsonError& error) {
  if (error.kind == bridge::JsonError::Kind::limit || !error.pointer.empty()) return error.message();
  const std::string_view before = text.substr(0, error.offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 where there is none
  return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
         std::to_string(1 + narsese::count_code_points(before.substr(line_start))) + ": " + error.message();
}

}  // namespace

Json read_json(const fs::path& path, bool comments) {
  std::ifstream file = open_input(path);
  std::string text;
  std::array<char, 1 << 16> block;
  while (file && text.size() <= file_limits.max_bytes) {  // no more is read, however much there is
    file.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  require_whole(file, path.string());
  bridge::JsonLimits limits = file_limits;
  limits.comments = comments;
  auto json = bridge::read_json(text, limits);
  if (!json) throw SpecError(path.string(), "not JSON: " + place_in(text, json.error()));
  return std::move(json).value();
}

std::optional<Json> json_in(std::string_view text) {
  auto json = bridge::read_json(text, file_limits);
  return json ? std::optional(std::move(json).value()) : std::nullopt;
}

std::string pretty(const Json& json) { return json.dump(2) + "\n"; }

std::string json_lines(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  return text;
}

bool next_row(std::istream& rows, std::string& line) {
  line.clear();
  constexpr int end = std::char_traits<char>::eof();
  for (int c = rows.get(); c != end; c = rows.get()) {
    if (c == '\n') return true;
    if (line.size() == file_limits.max_bytes) return false;
    line.push_back(static_cast<char>(c));
  }
  return false;
}

std::vector<Json> read_rows(const fs::path& path) {
  std::vector<Json> rows;
  std::ifstream file = open_if_there(path);
  for (std::string line; next_row(file, line);) {
    auto row = json_in(line);
    if (!row) break;
    rows.push_back(*std::move(row));
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
