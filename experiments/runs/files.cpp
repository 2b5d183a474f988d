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

void throw_file_error(const fs::path& path) {
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path.string());
}

namespace {

struct Descriptor {
  Descriptor(const fs::path& path, int flags) : number(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number < 0) throw_file_error(path);
  }
  ~Descriptor() { close(number); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int number;
};

}  // namespace

void write_all(int descriptor, const std::string& text, const fs::path& path) {
  for (std::size_t written = 0; written < text.size();) {
    errno = 0;
    const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
    if (count > 0)
      written += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      throw_file_error(path);
  }
}

void sync(int descriptor, const fs::path& path) {
  while (fsync(descriptor) != 0) {
    if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) return;
    if (errno != EINTR) throw_file_error(path);
  }
}

void sync(const fs::path& path) { sync(Descriptor(path, O_RDONLY).number, path); }

void sync_all(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() || entry.is_directory()) sync(entry.path());
  sync(folder);
}

void write_file(const fs::path& path, const std::string& text) {
  const fs::path unfinished = path.string() + ".part";
  {
    const Descriptor file(unfinished, O_WRONLY | O_CREAT | O_TRUNC);
    write_all(file.number, text, path);
    // The disk may carry out a rename before the writing that came first, and lose power between: only what
    // is there already may take a name, and only a name that is there too will still be there.
    sync(file.number, path);
  }
  fs::rename(unfinished, path);
  sync(fs::absolute(path).parent_path());
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
  std::ifstream file(path, std::ios::binary);
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
