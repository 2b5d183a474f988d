// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_world.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <climits>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

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
        file_(name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) fail();
  }
  ~FileWorld() override {
    if (file_ != STDIN_FILENO) ::close(file_);
  }

  ReadStatus read(std::string& bytes, milliseconds time) override { return read_or_wait(bytes, time, -1); }
  void send(const std::string& line) override { send_(line); }

 protected:
  // Polls, because a blocking read cannot be cancelled. The wait also ends when `other` can be written.
  ReadStatus read_or_wait(std::string& bytes, milliseconds time, int other) {
    std::array<pollfd, 2> waits{{{file_, POLLIN, 0}, {other, POLLOUT, 0}}};
    const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(time.count()));
    if (ready < 0 && errno != EINTR) fail();
    if (ready <= 0 || waits[0].revents == 0) return ReadStatus::nothing;
    const ssize_t size = ::read(file_, buffer_.data(), buffer_.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return ReadStatus::nothing;
    if (size < 0) fail();
    bytes.assign(buffer_.data(), static_cast<std::size_t>(size));
    return size == 0 ? ReadStatus::end : ReadStatus::bytes;
  }

 private:
  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), name_); }

  std::string name_;
  std::function<void(const std::string&)> send_;
  int file_;
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

using Error = boost::system::error_code;
using Socket = boost::asio::local::stream_protocol::socket;

// All members except send() run in the reading thread, which runs the I/O context.
class SocketWorld : public World {
 public:
  explicit SocketWorld(const std::string& path) { listener_.open(path); }

  ReadStatus read(std::string& bytes, std::chrono::milliseconds time) override {
    const auto until = std::chrono::steady_clock::now() + time;
    if (!world_ && !accepting_) accept();
    if (world_ && !reading_ && !disconnected_) read_more();
    context_.restart();
    while (received_.empty() && !disconnected_) {
      context_.run_one_until(until);
      if (std::chrono::steady_clock::now() >= until) break;
      if (world_ && !reading_ && received_.empty() && !disconnected_) read_more();
    }
    if (!received_.empty()) {
      bytes = std::exchange(received_, {});
      return ReadStatus::bytes;
    }
    if (!disconnected_) return ReadStatus::nothing;
    disconnected_ = false;
    world_.reset();
    outgoing_.clear();
    return ReadStatus::disconnected;
  }

  void send(const std::string& line) override {
    boost::asio::post(context_, [this, line] {
      if (!world_ || disconnected_) return;
      outgoing_ += line + "\n";
      if (outgoing_.size() + writing_.size() > max_unread_bytes) return disconnect();
      write_more();
    });
  }

 private:
  void accept() {
    accepting_ = true;
    listener_.acceptor.async_accept([this](Error error, Socket socket) {
      accepting_ = false;
      if (error) return;
      set_close_on_exec(socket.native_handle());
      world_.emplace(std::move(socket));
    });
  }
  void read_more() {
    reading_ = true;
    world_->async_read_some(boost::asio::buffer(buffer_), [this](Error error, std::size_t size) {
      reading_ = false;
      received_.append(buffer_.data(), size);
      if (error) disconnect();
    });
  }
  void write_more() {
    if (!writing_.empty() || outgoing_.empty()) return;
    writing_ = std::exchange(outgoing_, {});
    boost::asio::async_write(*world_, boost::asio::buffer(writing_), [this](Error error, std::size_t) {
      writing_.clear();
      if (error) return disconnect();
      if (!disconnected_) write_more();
    });
  }
  // Disconnects the client. The socket lives until its pending operations have ended.
  void disconnect() {
    if (std::exchange(disconnected_, true)) return;
    Error ignored;
    world_->close(ignored);
  }

  boost::asio::io_context context_;
  UnixListener listener_{context_};
  std::optional<Socket> world_;
  std::array<char, 1 << 16> buffer_{};
  std::string received_, outgoing_, writing_;
  bool accepting_ = false, reading_ = false, disconnected_ = false;
};

constexpr std::chrono::milliseconds poll_interval{50};  // how often cancellation is checked

// Thread that talks with the NARS of a live world.
class NarsThread {
 public:
  explicit NarsThread(WorldStream& stream)
      : thread_([this, &stream, work = core::WorkBudget::current()] {
          const core::WorkBudget::ThreadScope part(work);
          try {
            while (stream.work() || !over_) {
              core::check_cancelled();
              stream.wait_for_work(poll_interval);
            }
          } catch (...) {
            failure_ = std::current_exception();
          }
          ended_ = true;
        }) {}
  ~NarsThread() { join(); }
  NarsThread(const NarsThread&) = delete;
  NarsThread& operator=(const NarsThread&) = delete;

  bool ended() const { return ended_; }
  /// Sends what still waits, then joins the thread.  Errors  the error that ended the thread
  void end() {
    join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void join() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }

  std::atomic<bool> over_ = false, ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // declared last: it uses the members above
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
    const auto time = batch ? std::chrono::milliseconds(0) : poll_interval;
    const Status status = world.read(bytes, time);
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
