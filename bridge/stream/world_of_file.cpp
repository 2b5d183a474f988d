// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "bridge/stream/world.hpp"

namespace engram::bridge {
namespace {

class FileWorld : public World {
 public:
  FileWorld(const std::string& name, std::function<void(const std::string&)> say)
      : name_(name),
        say_(std::move(say)),
        file_(name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) fail();
  }
  ~FileWorld() override {
    if (file_ != STDIN_FILENO) ::close(file_);
  }

  // Polled, since a read that waits cannot be ended from outside.
  Came read(std::string& bytes, std::chrono::milliseconds time) override {
    pollfd waits{file_, POLLIN, 0};
    const int ready = ::poll(&waits, 1, static_cast<int>(time.count()));
    if (ready == 0 || (ready < 0 && errno == EINTR)) return Came::nothing;
    if (ready < 0) fail();
    const ssize_t size = ::read(file_, buffer_.data(), buffer_.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return Came::nothing;
    if (size < 0) fail();
    bytes.assign(buffer_.data(), static_cast<std::size_t>(size));
    return size == 0 ? Came::end : Came::bytes;
  }

  void say(const std::string& line) override { say_(line); }

 private:
  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), name_); }

  std::string name_;
  std::function<void(const std::string&)> say_;
  int file_;
  std::array<char, 1 << 16> buffer_{};
};

}  // namespace

std::unique_ptr<World> world_of_file(const std::string& name, std::function<void(const std::string&)> say) {
  return std::make_unique<FileWorld>(name, std::move(say));
}

}  // namespace engram::bridge
