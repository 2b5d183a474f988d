// SPDX-License-Identifier: MIT
#include "bridge/attach/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <system_error>
#include <thread>

#include "bridge/attach/supervisor.hpp"
#include "core/numbers/work.hpp"

namespace engram::bridge {

namespace bp = boost::process;
using Clock = std::chrono::steady_clock;

// At whether the work that this is part of is to end.
constexpr std::chrono::milliseconds between_looks{50};

struct ChildProcess::Pipes {
  boost::asio::io_context io;
  bp::async_pipe in{io}, out{io};
  boost::asio::posix::stream_descriptor control{io};  // closed, it ends the supervisor
  bp::child supervisor;                               // and with it the program
  std::string outgoing;
  std::string unread;  // printed, but not yet handed on
  std::array<char, 1 << 16> buffer{};
};

namespace {

// The child has copies of its own two ends; no other child shall have any.
void close_on_exec(bp::async_pipe& pipe) {
  for (const int end : {pipe.native_source(), pipe.native_sink()}) ::fcntl(end, F_SETFD, FD_CLOEXEC);
}

std::string program_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const auto found = bp::search_path(name);
  if (found.empty()) throw CannotStart("cannot start '" + name + "': no such program on PATH");
  return found.string();
}

// Whether it has ended within some time.
bool ended(bp::child& child, std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds nap{2};
  std::error_code error;
  for (; child.running(error); time -= nap) {
    if (time <= nap) return false;
    std::this_thread::sleep_for(nap);
  }
  return true;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const ChildLimits& limits)
    : limits_(limits) {
  if (command.empty() || command[0].empty()) throw CannotStart("no command is given to start");
  const std::string path = program_path(command[0]);
  pipes_ = std::make_unique<Pipes>();
  close_on_exec(pipes_->in);
  close_on_exec(pipes_->out);
  int control[2];
  if (::pipe2(control, O_CLOEXEC) != 0)
    throw CannotStart("cannot start '" + command[0] + "': " + std::generic_category().message(errno));
  pipes_->control.assign(control[1]);
  pid_t supervisor = -1;
  std::error_code error;
  pipes_->supervisor = bp::child(
      bp::exe = path, bp::args = std::vector<std::string>(command.begin() + 1, command.end()),
      bp::std_in<pipes_->in, (bp::std_out & bp::std_err)> pipes_->out,
      bp::extend::on_exec_setup = [&](auto&) { supervise(control[0]); },
      bp::extend::on_error = [&](auto& executor, const std::error_code&) { supervisor = executor.pid; },
      error);
  ::close(control[0]);
  if (error) {
    pipes_->control.close();
    if (supervisor > 0) ::waitpid(supervisor, nullptr, 0);  // Boost 1.74 does not
    throw CannotStart("cannot start '" + command[0] + "': " + error.message());
  }
  // Our copies of the child's ends: with them open, its end would never show.
  std::move(pipes_->in).source().close();
  std::move(pipes_->out).sink().close();
}

ChildProcess::~ChildProcess() {
  try {
    end();
  } catch (const std::exception&) {  // it could not be waited for: there is nothing left to do
  }
}

ChildProcess::Outcome ChildProcess::exchange(std::string_view text, std::chrono::milliseconds patience,
                                             const LineSink& sink) {
  Pipes& pipes = *pipes_;
  auto deadline = Clock::now() + patience;
  bool written = text.empty(), deaf = false, ended = false, came = false;
  std::size_t received = 0;

  // Hands on whole lines; a line that is too long in pieces.
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
                               // It reads no more: what it has still to say comes soon or never.
                               deaf = static_cast<bool>(error);
                               if (deaf)
                                 deadline = std::min(deadline, Clock::now() + std::chrono::seconds(1));
                             });
  if (!came) read();
  pipes.io.restart();
  // However this call ends, nothing may be left waiting: its handlers look at what lives in it.
  const auto quiet = [&] {
    pipes.out.cancel();
    if (!written) pipes.in.cancel();
    pipes.io.restart();
    came = true;  // what comes now is kept for the next exchange
    pipes.io.run();
  };
  Outcome outcome = Outcome::late;
  try {
    while ((!came || !written) && received <= limits_.max_exchange_bytes && Clock::now() < deadline) {
      core::look_now();
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
  if (!ended(pipes.supervisor, more_than_it_takes)) ::kill(pipes.supervisor.id(), SIGKILL);
  std::error_code error;
  pipes.supervisor.wait(error);
  const int status = pipes.supervisor.native_exit_code();
  pipes_.reset();
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace engram::bridge
