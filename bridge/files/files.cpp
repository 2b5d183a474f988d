// SPDX-License-Identifier: MIT
#include "bridge/files/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace engram::bridge {

namespace fs = std::filesystem;

void throw_file_error(const fs::path& path) {
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path.string());
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor open_file(const fs::path& path, int flags, unsigned mode) {
  errno = 0;
  Descriptor descriptor(open(path.c_str(), flags | O_CLOEXEC, mode));
  if (descriptor.number() < 0) throw_file_error(path);
  return descriptor;
}

namespace {

constexpr std::size_t worth_a_call = std::size_t{1} << 16;
constexpr std::string_view unfinished_end = ".part";

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Suffix of temporary names on this machine, after the path. A file system shared by several machines may not share
// locks, so each machine must only remove its own files.
const std::string& unfinished_mark() {
  static const std::string mark = [] {
    utsname machine{};
    uname(&machine);
    std::string name = machine.nodename;
    std::ranges::replace(name, '/', '_');
    return "." + name + "-";
  }();
  return mark;
}

// Whether `name` is a temporary name for `file`, from this machine.
bool is_unfinished(std::string_view name, const std::string& file) {
  const std::string before = file + unfinished_mark();
  if (!name.starts_with(before) || !name.ends_with(unfinished_end)) return false;
  name.remove_suffix(unfinished_end.size());
  name.remove_prefix(std::min(before.size(), name.size()));
  const std::size_t dash = name.find('-');
  return dash != std::string_view::npos && all_digits(name.substr(0, dash)) &&
         all_digits(name.substr(dash + 1));
}

// Whether the open file still has this name.
bool has_name(int descriptor, const fs::path& name) {
  struct stat open_one {};
  struct stat named {};
  return fstat(descriptor, &open_one) == 0 && lstat(name.c_str(), &named) == 0 && S_ISREG(named.st_mode) &&
         open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

// Removes the file of a dead writer. While the lock is held, no other process can reuse the name. A live writer has the
// lock. A writer that has created its file, but not yet locked it, checks afterwards whether the file still exists.
void sweep(const fs::path& name) {
  const Descriptor file(open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.number() >= 0 && flock(file.number(), LOCK_EX | LOCK_NB) == 0 && has_name(file.number(), name))
    unlink(name.c_str());
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Errors are ignored, because leftover files do not prevent writing.
void sweep_all_of(const fs::path& path) {
  std::error_code problem;
  for (fs::directory_iterator entry(folder_of(path), problem), end; !problem && entry != end;
       entry.increment(problem))
    if (is_unfinished(entry->path().filename().string(), path.filename().string())) sweep(entry->path());
}

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

namespace {

void sync_by(int (*call)(int), int descriptor, const fs::path& path) {
  while (call(descriptor) != 0) {
    if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) return;
    if (errno != EINTR) throw_file_error(path);
  }
}

}  // namespace

void sync(int descriptor, const fs::path& path) { sync_by(fsync, descriptor, path); }
void sync_data(int descriptor, const fs::path& path) { sync_by(fdatasync, descriptor, path); }

void sync(const fs::path& path) { sync(open_file(path, O_RDONLY).number(), path); }

WholeFile::WholeFile(fs::path path, unsigned mode) : path_(std::move(path)) {
  static std::atomic<unsigned> count{0};
  sweep_all_of(path_);
  // A process in another container may have the same number.
  while (!open_unfinished(path_.string() + unfinished_mark() + std::to_string(getpid()) + "-" +
                              std::to_string(++count) + std::string(unfinished_end),
                          mode)) {
  }
}

// Returns false if another writer has the name or has removed the file as a leftover.
bool WholeFile::open_unfinished(fs::path name, unsigned mode) {
  unfinished_ = std::move(name);
  descriptor_ = Descriptor(open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (descriptor_.number() < 0 && errno == EEXIST) return false;
  if (descriptor_.number() < 0) throw_file_error(unfinished_);
  while (flock(descriptor_.number(), LOCK_EX) != 0 && errno == EINTR) {
  }
  if (has_name(descriptor_.number(), unfinished_)) return true;
  descriptor_ = {};
  return false;
}

WholeFile::~WholeFile() {
  std::error_code ignored;
  if (!finished_) fs::remove(unfinished_, ignored);
}

void WholeFile::add(std::string_view text) {
  const bool is_long = text.size() >= worth_a_call;  // long text is written directly, without a copy
  if (!is_long) waiting_ += text;
  if (!is_long && waiting_.size() < worth_a_call) return;
  write_all(descriptor_.number(), waiting_, path_);
  waiting_.clear();
  if (is_long) write_all(descriptor_.number(), text, path_);
}

void WholeFile::finish() {
  write_all(descriptor_.number(), waiting_, path_);
  // Sync the file before the rename and its folder after it. Otherwise the disk may reorder them, and a power failure
  // could leave a name without contents.
  sync(descriptor_.number(), path_);
  fs::rename(unfinished_, path_);
  finished_ = true;
  descriptor_ = {};
  sync(fs::absolute(path_).parent_path());
}

void write_file(const fs::path& path, const std::string& text, unsigned mode) {
  WholeFile file(path, mode);
  file.add(text);
  file.finish();
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor descriptor = open_file(path, O_RDONLY | O_NONBLOCK);  // the mapping outlives it
  struct stat facts {};
  if (fstat(descriptor.number(), &facts) != 0) throw_file_error(path);
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0) return;  // an empty file cannot be mapped
  void* const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
  if (mapped == MAP_FAILED) throw_file_error(path);
  madvise(mapped, size, MADV_SEQUENTIAL);
  bytes_ = {static_cast<const char*>(mapped), size};
}

MappedFile::~MappedFile() {
  // munmap has no parameter type for constant memory.
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace engram::bridge
