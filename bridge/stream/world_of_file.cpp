// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <mutex>
#include <system_error>
#include <utility>

#include "bridge/stream/world.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {
namespace {

using std::chrono::milliseconds;

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

  Came read(std::string& bytes, milliseconds time) override { return read_beside(bytes, time, -1); }
  void say(const std::string& line) override { say_(line); }

 protected:
  // Polls, because a blocking read cannot be cancelled. Space to write to `other` ends the wait, too.
  Came read_beside(std::string& bytes, milliseconds time, int other) {
    std::array<pollfd, 2> waits{{{file_, POLLIN, 0}, {other, POLLOUT, 0}}};
    const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(time.count()));
    if (ready < 0 && errno != EINTR) fail();
    if (ready <= 0 || waits[0].revents == 0) return Came::nothing;
    const ssize_t size = ::read(file_, buffer_.data(), buffer_.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return Came::nothing;
    if (size < 0) fail();
    bytes.assign(buffer_.data(), static_cast<std::size_t>(size));
    return size == 0 ? Came::end : Came::bytes;
  }

 private:
  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), name_); }

  std::string name_;
  std::function<void(const std::string&)> say_;
  int file_;
  std::array<char, 1 << 16> buffer_{};
};

// Writes replies at once if there is space. The reading thread writes the rest later.
class LiveFileWorld : public FileWorld {
 public:
  LiveFileWorld(const std::string& name, int output) : FileWorld(name, {}), output_(output) {}

  Came read(std::string& bytes, milliseconds time) override {
    return read_beside(bytes, time, write_more() ? output_ : -1);
  }

  void say(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) return;
    unread_ += line + "\n";
    write_what_fits();
    if (unread_.size() - written_ > most_unread) give_up();
  }

  void end() override {
    using Clock = std::chrono::steady_clock;
    Clock::time_point last = Clock::now();
    for (std::size_t before = 0; const std::size_t left = write_more(); before = left) {
      core::check_cancelled();
      if (left != before) last = Clock::now();
      if (Clock::now() - last >= most_idle) {
        const std::lock_guard lock(mutex_);
        give_up();
        throw WorldError(problem_);
      }
      pollfd waits{output_, POLLOUT, 0};
      ::poll(&waits, 1, 50);
    }
  }

 private:
  // Writes as much as fits. Returns the bytes left.  Errors  WorldError
  std::size_t write_more() {
    const std::lock_guard lock(mutex_);
    if (problem_.empty()) write_what_fits();
    if (!problem_.empty()) throw WorldError(problem_);
    return unread_.size() - written_;
  }

  // Writes without blocking. Other programs may share the file, so it must not become non-blocking. A pipe that has
  // space accepts PIPE_BUF bytes.
  void write_what_fits() {
    for (pollfd fits{output_, POLLOUT, 0}; written_ < unread_.size() && ::poll(&fits, 1, 0) > 0;) {
      const std::size_t most = std::min<std::size_t>(unread_.size() - written_, PIPE_BUF);
      const ssize_t size = ::write(output_, unread_.data() + written_, most);
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) break;
      if (size < 0) {
        problem_ = "standard output: " + std::generic_category().message(errno);
        return;
      }
      written_ += static_cast<std::size_t>(size);
    }
    if (written_ < unread_.size() / 2) return;  // moves fewer bytes than were written
    unread_.erase(0, written_);
    written_ = 0;
  }

  void give_up() {
    const auto lines =
        std::count(unread_.begin() + static_cast<std::ptrdiff_t>(written_), unread_.end(), '\n');
    problem_ = "a live world must read standard output, but has not read the last " + std::to_string(lines) +
               " lines";
  }

  int output_;
  std::mutex mutex_;  // guards all members below
  std::string unread_;
  std::size_t written_ = 0;  // bytes already written
  std::string problem_;      // why writing stopped
};

}  // namespace

std::unique_ptr<World> world_of_file(const std::string& name, std::function<void(const std::string&)> say) {
  return std::make_unique<FileWorld>(name, std::move(say));
}

std::unique_ptr<World> live_world_of_file(const std::string& name, int output) {
  return std::make_unique<LiveFileWorld>(name, output);
}

}  // namespace engram::bridge
