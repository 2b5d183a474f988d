// SPDX-License-Identifier: MIT
#include "bridge/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "bridge/files/files.hpp"

namespace engram::bridge {

MappedFile::MappedFile(const std::filesystem::path& path) {
  errno = 0;
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw_file_error(path);
  struct stat facts {};
  void* mapped = nullptr;
  const bool known = fstat(descriptor, &facts) == 0;
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (known && size > 0) mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int problem = errno;
  close(descriptor);  // the mapping stays valid
  errno = problem;
  if (!known || mapped == MAP_FAILED) throw_file_error(path);
  if (size == 0) return;  // an empty file cannot be mapped
  madvise(mapped, size, MADV_SEQUENTIAL);
  bytes_ = {static_cast<const char*>(mapped), size};
}

MappedFile::~MappedFile() {
  // munmap has no parameter type for constant memory.
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace engram::bridge
