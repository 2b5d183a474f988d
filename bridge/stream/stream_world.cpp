// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_world.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "bridge/files/files.hpp"
#include "bridge/transport/line_splitter.hpp"
#include "bridge/transport/listeners.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/parse_error.hpp"

namespace engram::bridge {
namespace {

using std::chrono::milliseconds;

class FileWorld : public World {
 public:
  FileWorld(const std::string& name, std::function<void(const std::string&)> send)
      : name_(name),
        send_(std::move(send)),
        file_(name == "-" ? Descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
                          : open_file(name, O_RDONLY)) {}

  ReadStatus read(std::string& bytes, milliseconds time) override { return read_or_wait(bytes, time, -1); }
  void send(const std::string& line) override { send_(line); }

 protected:
  // Polls, because a blocking read cannot be cancelled. The wait also ends when `other` can be written.
  ReadStatus read_or_wait(std::string& bytes, milliseconds time, int other) {
    std::array<pollfd, 2> waits{{{file_.number(), POLLIN, 0}, {other, POLLOUT, 0}}};
    const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(time.count()));
    if (ready < 0 && errno != EINTR) throw_file_error(name_);
    if (ready <= 0 || waits[0].revents == 0) return ReadStatus::nothing;
    const ssize_t size = ::read(file_.number(), buffer_.data(), buffer_.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return ReadStatus::nothing;
    if (size < 0) throw_file_error(name_);
    bytes.assign(buffer_.data(), static_cast<std::size_t>(size));
    return size == 0 ? ReadStatus::end : ReadStatus::bytes;
  }

 private:
  std::string name_;
  std::function<void(const std::string&)> send_;
  Descriptor file_;
  std::array<char, 1 << 16> buffer_{};
};

// Writes replies at once if there is space. The reading thread writes the rest later.
class LiveFileWorld : public FileWorld {
 public:
  LiveFileWorld(const std::string& name, int output) : FileWorld(name, {}), output_(output) {}

  ReadStatus read(std::string& bytes, milliseconds time) override {
    return read_or_wait(bytes, time, write_more() ? output_ : -1);
  }

  void send(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    if (!error_.empty()) return;
    unread_ += line + "\n";
    write_available();
    if (unread_.size() - written_ > max_unread_bytes) set_unread_error();
  }

  void end() override {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds max_idle_time{5};  // chosen
    Clock::time_point last = Clock::now();
    for (std::size_t before = 0; const std::size_t left = write_more(); before = left) {
      core::check_cancelled();
      if (left != before) last = Clock::now();
      if (Clock::now() - last >= max_idle_time) {
        const std::lock_guard lock(mutex_);
        set_unread_error();
        throw WorldError(error_);
      }
      pollfd waits{output_, POLLOUT, 0};
      ::poll(&waits, 1, 50);
    }
  }

 private:
  // Writes until the output is full. Returns the number of remaining bytes.  Errors  WorldError
  std::size_t write_more() {
    const std::lock_guard lock(mutex_);
    if (error_.empty()) write_available();
    if (!error_.empty()) throw WorldError(error_);
    return unread_.size() - written_;
  }

  // Writes without blocking. Other programs may share the file, so it must not become non-blocking. A pipe that has
  // space accepts PIPE_BUF bytes.
  void write_available() {
    for (pollfd fits{output_, POLLOUT, 0}; written_ < unread_.size() && ::poll(&fits, 1, 0) > 0;) {
      const std::size_t most = std::min<std::size_t>(unread_.size() - written_, PIPE_BUF);
      const ssize_t size = ::write(output_, unread_.data() + written_, most);
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) break;
      if (size < 0) {
        error_ = "standard output: " + std::generic_category().message(errno);
        return;
      }
      written_ += static_cast<std::size_t>(size);
    }
    if (written_ < unread_.size() / 2) return;  // moves fewer bytes than were written
    unread_.erase(0, written_);
    written_ = 0;
  }

  void set_unread_error() {
    const auto lines =
        std::count(unread_.begin() + static_cast<std::ptrdiff_t>(written_), unread_.end(), '\n');
    error_ = "a live world must read standard output, but has not read the last " + std::to_string(lines) +
             " lines";
  }

  int output_;
  std::mutex mutex_;  // guards all members below
  std::string unread_;
  std::size_t written_ = 0;  // bytes already written
  std::string error_;        // why writing stopped
};

// Serves one client at a time. The reading thread accepts and disconnects clients; any thread may send.
class SocketWorld : public World {
 public:
  explicit SocketWorld(const std::string& path) : listener_(file_.listen(path)) {
    ::fcntl(listener_.number(), F_SETFL, O_NONBLOCK);
  }

  ReadStatus read(std::string& bytes, milliseconds time) override {
    const bool connected = client_.number() >= 0;
    pollfd wait{connected ? client_.number() : listener_.number(), POLLIN, 0};
    {
      const std::lock_guard lock(mutex_);
      if (unread_.size() > max_unread_bytes) return disconnect();
      if (!unread_.empty()) wait.events |= POLLOUT;
    }
    if (::poll(&wait, 1, static_cast<int>(time.count())) <= 0) return ReadStatus::nothing;
    const std::lock_guard lock(mutex_);
    if (!connected) {
      client_ = Descriptor(::accept4(wait.fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      return ReadStatus::nothing;
    }
    write_available();
    const ssize_t size = ::read(wait.fd, buffer_.data(), buffer_.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return ReadStatus::nothing;
    if (size <= 0) return disconnect();
    bytes.assign(buffer_.data(), static_cast<std::size_t>(size));
    return ReadStatus::bytes;
  }

  void send(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    if (client_.number() < 0 || unread_.size() > max_unread_bytes) return;
    unread_ += line + "\n";
    write_available();
  }

 private:
  ReadStatus disconnect() {
    client_ = Descriptor();
    unread_.clear();
    return ReadStatus::disconnected;
  }
  // Writes without blocking. If the client has left, read() will notice it after the rest of its input.
  void write_available() {
    if (unread_.empty()) return;
    const ssize_t size = ::send(client_.number(), unread_.data(), unread_.size(), MSG_NOSIGNAL);
    if (size >= 0)
      unread_.erase(0, static_cast<std::size_t>(size));
    else if (errno != EINTR && errno != EAGAIN)
      unread_.clear();
  }

  SocketFile file_;
  Descriptor listener_;
  std::array<char, 1 << 16> buffer_{};
  std::mutex mutex_;  // guards the members below
  Descriptor client_;
  std::string unread_;
};

constexpr milliseconds poll_interval{50};  // how often cancellation is checked

// Thread that talks with the NARS of a live world. Its destructor sends what still waits, and joins the thread.
class NarsThread {
 public:
  explicit NarsThread(WorldStream& stream)
      : done_(std::async(std::launch::async, [this, &stream, work = core::WorkBudget::current()] {
          const core::WorkBudget::ThreadScope part(work);
          while (stream.work() || !over_) {
            core::check_cancelled();
            stream.wait_for_work(poll_interval);
          }
        })) {}
  ~NarsThread() { over_ = true; }
  NarsThread(const NarsThread&) = delete;
  NarsThread& operator=(const NarsThread&) = delete;

  bool ended() const { return done_.wait_for(milliseconds(0)) == std::future_status::ready; }
  // As the destructor, but throws the error that ended the thread.
  void end() {
    over_ = true;
    done_.get();
  }

 private:
  std::atomic<bool> over_ = false;
  std::future<void> done_;  // declared last: its destructor waits for the thread, which uses over_
};

// Reads the world until it ends and passes its lines to the stream.
void process_world(WorldStream& stream, World& world, bool live) {
  using Status = World::ReadStatus;
  constexpr std::size_t max_bytes = narsese::ParseLimits{}.max_line_bytes;
  std::optional<NarsThread> nars;
  if (live) nars.emplace(stream);
  LineSplitter splitter(max_bytes);
  std::size_t number = 0;
  const auto process_lines = [&] {
    while (const auto line = splitter.next()) {
      core::check_cancelled();
      ++number;
      if (line->too_long)
        stream.reject_line(number, "a line may have at most " + std::to_string(max_bytes) + " bytes");
      else
        stream.process_line(number, line->text);
      while (!live && stream.work()) {
      }
    }
  };
  std::string bytes;
  for (bool batch = false; !nars || !nars->ended();) {
    core::check_cancelled();
    // A batch ends when no more input is available.
    const Status status = world.read(bytes, batch ? milliseconds(0) : poll_interval);
    if (status == Status::bytes) {
      splitter.feed(bytes);
      process_lines();
      batch = true;
      continue;
    }
    if (status == Status::disconnected) {
      if (splitter.has_partial_line())
        stream.reject_line(number + 1, "the world disconnected before the end of this line");
      splitter = LineSplitter(max_bytes);
    }
    if (status == Status::end) {
      splitter.end();
      process_lines();
    }
    if (live && (batch || status == Status::end)) stream.end_batch();
    batch = false;
    if (status == Status::end) break;
  }
  if (nars) nars->end();
  stream.end_batch();
  while (stream.work()) {
  }
  stream.finish();
}

}  // namespace

std::unique_ptr<World> open_file_world(const std::string& name,
                                       std::function<void(const std::string&)> send) {
  return std::make_unique<FileWorld>(name, std::move(send));
}

std::unique_ptr<World> open_live_file_world(const std::string& name, int output) {
  return std::make_unique<LiveFileWorld>(name, output);
}

std::unique_ptr<World> open_socket_world(const std::string& path) {
  return std::make_unique<SocketWorld>(path);
}

void run_stream(WorldStream& stream, World& world, bool live) {
  try {
    process_world(stream, world, live);
  } catch (const ReasonerError&) {  // the world learns of it by the end of the stream
    try {
      world.end();
    } catch (const WorldError&) {
    }
    throw;
  }
  world.end();
}

}  // namespace engram::bridge
