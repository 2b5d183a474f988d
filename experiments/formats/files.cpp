// SPDX-License-Identifier: MIT
#include "experiments/formats/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>
#include <system_error>

#include "bridge/json/object_reader.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

SpecError::SpecError(std::string where, const std::string& message)
    : std::runtime_error(legible(where + (message.starts_with("must ") ? " " : ": ") + message)),
      pointer(std::move(where)) {}

SpecError::SpecError(const bridge::JsonError& error)
    : std::runtime_error(
          legible(error.kind == bridge::JsonError::Kind::unknown
                      ? error.pointer + ": " + error.message_about("")
                      : error.message_about(error.pointer.empty() ? "the spec" : error.pointer))),
      pointer(error.pointer) {}

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

std::size_t whole(const Json& value) {
  const auto number = bridge::whole_in<std::size_t>(value);
  if (!number)
    throw Json::type_error::create(
        302, "must be a whole number, 0 or more, found " + value.dump().substr(0, 40), &value);
  return *number;
}

namespace {

std::ifstream opened(const fs::path& path) {
  std::error_code ignored;
  errno = fs::is_directory(path, ignored) ? EISDIR : 0;
  if (errno == 0) {
    std::ifstream file(path, std::ios::binary);
    if (file) return file;
  }
  throw InputError(path.string() + ": " + std::generic_category().message(errno != 0 ? errno : EIO));
}

const char* kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

std::string place_in(std::string_view text, const bridge::JsonError& error) {
  if (error.kind == bridge::JsonError::Kind::limit || !error.pointer.empty()) return error.message();
  const std::string_view before = text.substr(0, error.offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 without a line feed, because npos + 1 is 0
  return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
         std::to_string(1 + narsese::count_code_points(before.substr(line_start))) + ": " + error.message();
}

}  // namespace

std::ifstream open_input(const fs::path& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
    throw InputError(path.string() + " must be a file, found " + kind_of(facts.st_mode));
  return opened(path);
}

std::ifstream open_if_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) ? open_input(path) : std::ifstream(path, std::ios::binary);
}

std::ifstream open_stream(const fs::path& path) {
  if (path == "-") return open_stream("/dev/stdin");
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0 || S_ISFIFO(facts.st_mode)) return opened(path);
  if (!S_ISCHR(facts.st_mode)) return open_input(path);
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat null {};
  const bool ends = descriptor >= 0 && (isatty(descriptor) != 0 ||
                                        (stat("/dev/null", &null) == 0 && null.st_rdev == facts.st_rdev));
  if (descriptor >= 0) close(descriptor);
  return ends ? opened(path) : open_input(path);
}

void require_whole(const std::istream& in, const std::string& name) {
  if (in.bad()) throw std::system_error(EIO, std::generic_category(), name);
}

void write_stream(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw_file_error(path);
}

void require_writable(const fs::path& path) {
  std::error_code none;
  const bool there = fs::exists(fs::symlink_status(path, none));
  if (there && !fs::is_regular_file(path, none) && !fs::is_directory(path, none)) return;
  if (!std::ofstream(path, std::ios::binary | std::ios::app)) throw_file_error(path);
  if (!there) fs::remove(path, none);
}

std::string read_file(const fs::path& path) {
  std::ifstream file = open_input(path);
  std::ostringstream text;
  text << file.rdbuf();
  require_whole(file, path.string());
  return text.str();
}

std::string sha256_of_file(const fs::path& path) {
  std::ifstream file = open_input(path);
  bridge::Sha256 hasher;
  std::array<char, 1 << 16> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0)
    hasher.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  require_whole(file, path.string());
  return hasher.digest();
}

Json read_json(const fs::path& path, bool comments) {
  std::ifstream file = open_input(path);
  std::string text;
  std::array<char, 1 << 16> block;
  while (file && text.size() <= file_limits.max_bytes) {  // stop at the first block beyond the limit
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

void sync_all(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() || entry.is_directory()) sync(entry.path());
  sync(folder);
}

}  // namespace engram::experiments
