// SPDX-License-Identifier: MIT
#include "bridge/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace engram::bridge {

namespace fs = std::filesystem;

void throw_file_error(const fs::path& path) {
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path.string());
}

namespace {

int open_file(const fs::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_file_error(path);
  return descriptor;
}

constexpr std::size_t worth_a_call = std::size_t{1} << 16;

}  // namespace

void write_all(int descriptor, std::string_view text, const fs::path& path) {
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

void sync(const fs::path& path) {
  struct Open {
    ~Open() { close(number); }
    const int number;
  };
  sync(Open{open_file(path, O_RDONLY)}.number, path);
}

WholeFile::WholeFile(fs::path path, fs::path unfinished)
    : path_(std::move(path)),
      unfinished_(std::move(unfinished)),
      descriptor_(open_file(unfinished_, O_WRONLY | O_CREAT | O_TRUNC)) {}

WholeFile::~WholeFile() {
  close_file();
  std::error_code ignored;
  if (!finished_) fs::remove(unfinished_, ignored);
}

void WholeFile::close_file() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

void WholeFile::add(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() < worth_a_call) return;
  write_all(descriptor_, waiting_, path_);
  waiting_.clear();
}

void WholeFile::finish() {
  write_all(descriptor_, waiting_, path_);
  // The disk may carry out a rename before the writing that came first, and lose power between: only what
  // is there already may take a name, and only a name that is there too will still be there.
  sync(descriptor_, path_);
  close_file();
  fs::rename(unfinished_, path_);
  finished_ = true;
  sync(fs::absolute(path_).parent_path());
}

void write_file(const fs::path& path, const std::string& text) {
  WholeFile file(path, path.string() + ".part");
  file.add(text);
  file.finish();
}

}  // namespace engram::bridge
