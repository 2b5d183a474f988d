// SPDX-License-Identifier: MIT
#include "bridge/attach/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <boost/process/search_path.hpp>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "bridge/attach/supervisor.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

using Clock = std::chrono::steady_clock;

// Interval of checks for cancellation.
constexpr std::chrono::milliseconds between_looks{50};

struct ChildProcess::Pipes {
  boost::asio::io_context io;
  boost::asio::posix::stream_descriptor in{io}, out{io};  // our ends of the program's input and output
  boost::asio::posix::stream_descriptor control{io};      // closing this ends the supervisor
  pid_t supervisor = -1;                                  // its end also ends the program
  std::string outgoing;
  std::string unread;  // received, but not yet delivered
  std::array<char, 1 << 16> buffer{};
};

namespace {

using PipeEnd = boost::asio::posix::stream_descriptor;

// A pipe whose ends are closed on exec.
struct Pipe {
  explicit Pipe(boost::asio::io_context& io) : read(io), write(io) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
    read.assign(ends[0]);
    write.assign(ends[1]);
  }
  PipeEnd read, write;
};

std::string program_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const auto found = boost::process::search_path(name);
  if (found.empty()) throw CannotStart("cannot start '" + name + "': no such program on PATH");
  return found.string();
}

// Turns the new process into the program. Only async-signal-safe calls are allowed between fork and exec. On failure,
// writes the error number to `failure`.
[[noreturn]] void become(char* const* arguments, int in, int out, int control, int failure) {
  if (::dup2(in, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0 && ::dup2(out, STDERR_FILENO) >= 0) {
    supervise(control);
    ::execv(arguments[0], arguments);
  }
  const int error = errno;
  static_cast<void>(::write(failure, &error, sizeof error) == sizeof error);
  ::_exit(EXIT_FAILURE);
}

// Waits until the program runs, and returns 0 or the error number. A process that is stopped (SIGSTOP) before exec
// reports neither. After one second this function returns 0, and the first exchange will time out.
int start_error(int failure) {
  constexpr int longest_ms = 1000;
  pollfd told{failure, POLLIN, 0};
  int error = 0;
  if (::poll(&told, 1, longest_ms) <= 0) return 0;
  return ::read(failure, &error, sizeof error) == sizeof error ? error : 0;
}

// Waits for the process for at most `time`, without reaping it. Returns whether it has ended.
bool ended_within(std::chrono::milliseconds time, pid_t process) {
  constexpr std::chrono::milliseconds nap{2};
  for (;; time -= nap) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
    if (ended.si_pid == process) return true;
    if (time <= nap) return false;
    std::this_thread::sleep_for(nap);
  }
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const ChildLimits& limits)
    : limits_(limits) {
  if (command.empty() || command[0].empty()) throw CannotStart("no command is given to start");
  std::vector<std::string> words = command;
  words[0] = program_path(command[0]);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto cannot_start = [&](int error) {
    return CannotStart("cannot start '" + command[0] + "': " + std::generic_category().message(error));
  };
  int not_started = 0;
  try {
    pipes_ = std::make_unique<Pipes>();
    Pipe in(pipes_->io), out(pipes_->io), control(pipes_->io), failure(pipes_->io);
    pipes_->supervisor = ::fork();
    if (pipes_->supervisor == 0)
      become(arguments.data(), in.read.native_handle(), out.write.native_handle(),
             control.read.native_handle(), failure.write.native_handle());
    if (pipes_->supervisor < 0) throw std::system_error(errno, std::generic_category());
    pipes_->in = std::move(in.write);
    pipes_->out = std::move(out.read);
    pipes_->control = std::move(control.write);
    failure.write.close();
    not_started = start_error(failure.read.native_handle());
  } catch (const std::system_error& error) {
    throw cannot_start(error.code().value());
  }
  // The pipe ends above are closed here: end() destroys the io_context that they need.
  if (not_started != 0) {
    end();
    throw cannot_start(not_started);
  }
}

ChildProcess::~ChildProcess() {
  try {
    end();
  } catch (const std::exception&) {  // waiting failed: nothing left to do
  }
}

ChildProcess::Outcome ChildProcess::exchange(std::string_view text, std::chrono::milliseconds patience,
                                             const LineSink& sink) {
  Pipes& pipes = *pipes_;
  auto deadline = Clock::now() + patience;
  bool written = text.empty(), deaf = false, ended = false, came = false;
  std::size_t received = 0;

  // Delivers whole lines, and pieces of a line that is too long.
  const auto hand_on = [&](bool all) {
    std::size_t begin = 0;
    while (!came && begin < pipes.unread.size()) {
      std::size_t end = pipes.unread.find('\n', begin);
      if (end == std::string::npos && !all && pipes.unread.size() - begin < limits_.max_line_bytes) break;
      end = std::min({end, pipes.unread.size(), begin + limits_.max_line_bytes});
      const bool whole = end < pipes.unread.size() && pipes.unread[end] == '\n';
      std::string_view line(pipes.unread.data() + begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin = end + (whole ? 1 : 0);
      came = sink(line, whole);
    }
    pipes.unread.erase(0, begin);
  };
  std::function<void()> read = [&] {
    pipes.out.async_read_some(boost::asio::buffer(pipes.buffer), [&](const auto& error, std::size_t size) {
      pipes.unread.append(pipes.buffer.data(), size);
      received += size;
      ended = static_cast<bool>(error);
      hand_on(ended);
      if (!ended && !came && received <= limits_.max_exchange_bytes) read();
    });
  };

  hand_on(false);
  pipes.outgoing = text;
  if (!written)
    boost::asio::async_write(pipes.in, boost::asio::buffer(pipes.outgoing),
                             [&](const auto& error, std::size_t) {
                               written = true;
                               // The child closed its input. Remaining output comes soon or never.
                               deaf = static_cast<bool>(error);
                               if (deaf)
                                 deadline = std::min(deadline, Clock::now() + std::chrono::seconds(1));
                             });
  if (!came) read();
  pipes.io.restart();
  // Cancels pending operations on every exit, because their handlers refer to local variables.
  const auto quiet = [&] {
    pipes.out.cancel();
    if (!written) pipes.in.cancel();
    pipes.io.restart();
    came = true;  // later output is kept for the next exchange
    pipes.io.run();
  };
  Outcome outcome = Outcome::late;
  try {
    while ((!came || !written) && received <= limits_.max_exchange_bytes && Clock::now() < deadline) {
      core::check_cancelled();
      if (pipes.io.run_one_until(std::min(deadline, Clock::now() + between_looks)) == 0 && pipes.io.stopped())
        break;
    }
    outcome = came && written && !deaf                ? Outcome::done
              : received > limits_.max_exchange_bytes ? Outcome::flooded
              : ended || deaf                         ? Outcome::ended
                                                      : Outcome::late;
  } catch (...) {
    quiet();
    throw;
  }
  quiet();
  return outcome;
}

std::string ChildProcess::end() {
  if (!pipes_) return "";
  Pipes& pipes = *pipes_;
  boost::system::error_code ignored;
  pipes.in.close(ignored);
  pipes.out.close(ignored);
  pipes.control.close(ignored);
  constexpr std::chrono::seconds more_than_it_takes{5};
  int status = 0;
  if (!ended_within(more_than_it_takes, pipes.supervisor)) ::kill(pipes.supervisor, SIGKILL);
  // The process ID cannot be reused before the supervisor is reaped.
  ::kill(-pipes.supervisor, SIGKILL);
  while (::waitpid(pipes.supervisor, &status, 0) < 0 && errno == EINTR) {
  }
  pipes_.reset();
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace engram::bridge
