// SPDX-License-Identifier: MIT
#include "bridge/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <system_error>
#include <thread>

namespace engram::bridge {

namespace bp = boost::process;
using Clock = std::chrono::steady_clock;

struct ChildProcess::Pipes {
  boost::asio::io_context io;
  bp::async_pipe in{io}, out{io};
  bp::group group;
  bp::child child;
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

void in_the_child() {
  ::signal(SIGPIPE, SIG_DFL);  // we ignore it, and a child would inherit that
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const ChildLimits& limits)
    : limits_(limits) {
  if (command.empty() || command[0].empty()) throw CannotStart("no command is given to start");
  const std::string path = program_path(command[0]);
  pipes_ = std::make_unique<Pipes>();
  close_on_exec(pipes_->in);
  close_on_exec(pipes_->out);
  std::error_code error;
  pipes_->child = bp::child(
      bp::exe = path, bp::args = std::vector<std::string>(command.begin() + 1, command.end()),
      bp::std_in<pipes_->in, (bp::std_out & bp::std_err)> pipes_->out, pipes_->group,
      bp::extend::on_exec_setup = [](auto&) { in_the_child(); }, error);
  if (error) throw CannotStart("cannot start '" + command[0] + "': " + error.message());
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
  while ((!came || !written) && received <= limits_.max_exchange_bytes && Clock::now() < deadline)
    if (pipes.io.run_one_until(deadline) == 0) break;
  const Outcome outcome = came && written && !deaf                ? Outcome::done
                          : received > limits_.max_exchange_bytes ? Outcome::flooded
                          : ended || deaf                         ? Outcome::ended
                                                                  : Outcome::late;
  // Nothing may be left waiting: its handlers look at what lives in this call.
  pipes.out.cancel();
  if (!written) pipes.in.cancel();
  pipes.io.restart();
  came = true;  // what comes now is kept for the next exchange
  pipes.io.run();
  return outcome;
}

std::string ChildProcess::end() {
  if (!pipes_) return "";
  Pipes& pipes = *pipes_;
  boost::system::error_code ignored;
  pipes.in.close(ignored);
  pipes.out.close(ignored);
  std::error_code error;
  // Most programs end with their input. Their own children do not, as a rule: so the group is killed anyway.
  for (int i = 0; i < 20 && pipes.child.running(error); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  pipes.group.terminate(error);
  // Not by child.terminate(), after which Boost 1.74 waits no more: a zombie could stay, or one that still
  // runs.
  if (pipes.child.running(error)) ::kill(pipes.child.id(), SIGKILL);
  pipes.child.wait(error);
  const int status = pipes.child.native_exit_code();
  pipes_.reset();
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace engram::bridge
