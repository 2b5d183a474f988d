// SPDX-License-Identifier: MIT
#include "bridge/attach/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <boost/process/search_path.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "bridge/files/files.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

using std::chrono::milliseconds;

struct ChildProcess::Pipes {
  Descriptor in, out;     // our ends of the program's input and output, non-blocking
  Descriptor control;     // closing this ends the supervisor
  pid_t supervisor = -1;  // its end also ends the program
  std::string unread;     // received, but not yet delivered
};

namespace {

constexpr int nap_ms = 5;
constexpr int naps_to_end = 20;    // for the program to end after the end of its input
constexpr int naps_to_kill = 200;  // then gives up on processes that cannot be killed

void nap() { ::poll(nullptr, 0, nap_ms); }

void handle_all_signals(void (*handler)(int)) {
  for (int number = 1; number < NSIG; ++number)
    if (number != SIGKILL && number != SIGSTOP) ::signal(number, handler);
}

// Closes inherited files. Otherwise the pipes of the program would stay open after its end.
void close_all_but(int kept) {
#ifdef __linux__
  const auto number = static_cast<unsigned>(kept);
  if ((number == 0 || ::close_range(0, number - 1, 0) == 0) && ::close_range(number + 1, ~0U, 0) == 0) return;
#endif
  constexpr int most = 1 << 16;
  for (int other = 0; other < std::min(::getdtablesize(), most); ++other)
    if (other != kept) ::close(other);
}

void prepare_program(pid_t supervisor) {
  handle_all_signals(SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(EXIT_FAILURE);  // the supervisor died first
#else
  static_cast<void>(supervisor);
#endif
}

#ifdef __linux__
// Kills all current children. Grandchildren become children of this process, and the next call kills them.
void kill_children() {
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  std::array<char, 4096> text{};
  pid_t child = 0;
  for (ssize_t size = 0; (size = ::read(list, text.data(), text.size())) > 0;)
    for (const char c : std::basic_string_view<char>(text.data(), static_cast<std::size_t>(size))) {
      if (c >= '0' && c <= '9') {
        child = child * 10 + (c - '0');
      } else {
        if (child > 0) ::kill(child, SIGKILL);
        child = 0;
      }
    }
  ::close(list);
}
#endif

// Reaps ended children and stores the status of the program. Returns whether a child remains.
bool reap_children(pid_t program, int& status, bool& ended) {
  for (;;) {
    int how = 0;
    const pid_t one = ::waitpid(-1, &how, WNOHANG);
    if (one == 0 || (one < 0 && errno == EINTR)) return true;
    if (one < 0) return false;
    if (one != program) continue;
    status = how;
    ended = true;
  }
}

[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) {
    constexpr rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WEXITSTATUS(status));
}

// Waits until the other end of `control` is closed, and reaps orphans at intervals.
void wait_for_end_of(int control, pid_t program, int& status, bool& ended) {
  constexpr int reap_interval_ms = 1000;
  pollfd end{control, POLLIN, 0};
  char ignored = 0;
  for (;;) {
    const int ready = ::poll(&end, 1, reap_interval_ms);
    reap_children(program, status, ended);
    if (ready > 0 && ::read(control, &ignored, 1) == 0) return;
  }
}

// Starts a supervisor. Call this between fork and exec. The call returns in a child of the caller, which then becomes
// the program, with default signal handlers. The caller stays behind as supervisor and never returns. Both are in a new
// session and process group, with the process ID of the supervisor as its ID. The supervisor has only `control` open.
//
// The other end of `control`, a pipe that nobody writes to, is closed when this process is done or was killed. Then
// the program has 100 ms to end after the end of its input, and the supervisor kills it. On Linux it also kills all
// descendants of the program, even in other groups or sessions, because orphans become children of the supervisor. The
// supervisor ends like the program: with its exit code or by its signal.
//
// The caller should kill the process group before it reaps the supervisor. This ends the descendants on other systems
// than Linux, and if the supervisor itself was killed.
void supervise(int control) {
  ::setsid();
#ifdef __linux__
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  handle_all_signals(SIG_IGN);  // signals for this process or the program must not end the supervisor
  ::signal(SIGCHLD, SIG_DFL);
  const pid_t supervisor = ::getpid(), program = ::fork();
  if (program == 0) return prepare_program(supervisor);
  close_all_but(control);
  int status = 0;
  bool ended = program < 0;
  wait_for_end_of(control, program, status, ended);
  for (int i = 0; i < naps_to_end && reap_children(program, status, ended) && !ended; ++i) nap();
  for (int i = 0; i < naps_to_kill; ++i) {
#ifdef __linux__
    kill_children();
#else
    if (program > 0) ::kill(program, SIGKILL);
#endif
    if (!reap_children(program, status, ended)) break;
    nap();
  }
  end_like(status);
}

// A pipe. Both ends are closed on exec.
struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
  Descriptor read, write;
};

// The end of a pipe for this process, which must not block.
Descriptor non_blocking(Descriptor end) {
  ::fcntl(end.number(), F_SETFL, O_NONBLOCK);
  return end;
}

// Whether a call on a non-blocking file should be repeated later.
bool try_later() { return errno == EAGAIN || errno == EINTR; }

std::string program_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const auto found = boost::process::search_path(name);
  if (found.empty()) throw CannotStart("cannot start '" + name + "': no such program on PATH");
  return found.string();
}

// Turns the new process into the program. Only async-signal-safe calls are allowed between fork and exec. On failure,
// writes the error number to `failure`.
[[noreturn]] void exec_program(char* const* arguments, int in, int out, int control, int failure) {
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
  pollfd ready{failure, POLLIN, 0};
  int error = 0;
  if (::poll(&ready, 1, longest_ms) <= 0) return 0;
  return ::read(failure, &error, sizeof error) == sizeof error ? error : 0;
}

// Waits for the process for at most `time`, without reaping it. Returns whether it has ended.
bool ended_within(milliseconds time, pid_t process) {
  constexpr milliseconds nap{2};
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
  try {
    pipes_ = std::make_unique<Pipes>();
    Pipe in, out, control, failure;
    pipes_->supervisor = ::fork();
    if (pipes_->supervisor == 0)
      exec_program(arguments.data(), in.read.number(), out.write.number(), control.read.number(),
                   failure.write.number());
    if (pipes_->supervisor < 0) throw cannot_start(errno);
    pipes_->in = non_blocking(std::move(in.write));
    pipes_->out = non_blocking(std::move(out.read));
    pipes_->control = std::move(control.write);
    failure.write = Descriptor();
    if (const int error = start_error(failure.read.number()); error != 0) {
      end();
      throw cannot_start(error);
    }
  } catch (const std::system_error& error) {
    throw cannot_start(error.code().value());
  }
}

ChildProcess::~ChildProcess() {
  try {
    end();
  } catch (const std::exception&) {  // waiting failed: nothing left to do
  }
}

ChildProcess::Outcome ChildProcess::exchange(std::string_view text, milliseconds patience,
                                             const LineSink& sink) {
  using Clock = std::chrono::steady_clock;
  constexpr milliseconds cancellation_interval{50};
  Pipes& pipes = *pipes_;
  auto deadline = Clock::now() + patience;
  bool input_closed = false, ended = false, found = false;
  std::size_t received = 0;

  // Delivers whole lines, and pieces of a line that is too long.
  const auto deliver_lines = [&](bool all) {
    std::size_t begin = 0;
    while (!found && begin < pipes.unread.size()) {
      std::size_t end = pipes.unread.find('\n', begin);
      if (end == std::string::npos && !all && pipes.unread.size() - begin < limits_.max_line_bytes) break;
      end = std::min({end, pipes.unread.size(), begin + limits_.max_line_bytes});
      const bool whole = end < pipes.unread.size() && pipes.unread[end] == '\n';
      std::string_view line(pipes.unread.data() + begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin = end + (whole ? 1 : 0);
      found = sink(line, whole);
    }
    pipes.unread.erase(0, begin);
  };
  const auto write_some = [&] {
    const ssize_t size = ::write(pipes.in.number(), text.data(), text.size());
    if (size >= 0) return text.remove_prefix(static_cast<std::size_t>(size));
    if (try_later()) return;
    // The child closed its input. Remaining output comes soon or never.
    text = {};
    input_closed = true;
    deadline = std::min(deadline, Clock::now() + std::chrono::seconds(1));
  };
  const auto read_some = [&] {
    std::array<char, 1 << 16> buffer;
    const ssize_t size = ::read(pipes.out.number(), buffer.data(), buffer.size());
    if (size < 0 && try_later()) return;
    ended = size <= 0;
    if (!ended) pipes.unread.append(buffer.data(), static_cast<std::size_t>(size));
    if (!ended) received += static_cast<std::size_t>(size);
    deliver_lines(ended);
  };

  deliver_lines(false);
  while ((!found || !text.empty()) && !ended && received <= limits_.max_exchange_bytes) {
    core::check_cancelled();
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left <= milliseconds(0)) break;
    std::array<pollfd, 2> waits{
        {{text.empty() ? -1 : pipes.in.number(), POLLOUT, 0}, {found ? -1 : pipes.out.number(), POLLIN, 0}}};
    if (::poll(waits.data(), waits.size(), static_cast<int>(std::min(left, cancellation_interval).count())) <=
        0)
      continue;
    if (waits[0].revents != 0) write_some();
    if (waits[1].revents != 0) read_some();
  }
  return found && text.empty() && !input_closed  ? Outcome::done
         : received > limits_.max_exchange_bytes ? Outcome::flooded
         : ended || input_closed                 ? Outcome::ended
                                                 : Outcome::late;
}

std::string ChildProcess::end() {
  if (!pipes_) return "";
  Pipes& pipes = *pipes_;
  for (Descriptor* ours : {&pipes.in, &pipes.out, &pipes.control}) *ours = Descriptor();
  constexpr std::chrono::seconds supervisor_patience{5};
  int status = 0;
  if (!ended_within(supervisor_patience, pipes.supervisor)) ::kill(pipes.supervisor, SIGKILL);
  // The process ID cannot be reused before the supervisor is reaped.
  ::kill(-pipes.supervisor, SIGKILL);
  while (::waitpid(pipes.supervisor, &status, 0) < 0 && errno == EINTR) {
  }
  pipes_.reset();
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace engram::bridge
