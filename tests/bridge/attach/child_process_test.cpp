// SPDX-License-Identifier: MIT
#include "bridge/attach/child_process.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

namespace engram::bridge {
namespace {

using std::chrono::milliseconds;

// The first child process of a thread of this process, or 0 without one.
pid_t child_of(pid_t thread) {
  pid_t child = 0;
  std::ifstream("/proc/self/task/" + std::to_string(thread) + "/children") >> child;
  return child;
}

TEST_CASE("ChildProcess waits at most a second for a child that is stopped before exec") {
  if (!std::ifstream("/proc/thread-self/children")) return;  // this kernel does not list child processes
  bool stopped_early = false;
  for (int i = 0; i < 20 && !stopped_early; ++i) {
    std::atomic<pid_t> thread = 0;
    const auto begun = std::chrono::steady_clock::now();
    auto started = std::async(std::launch::async, [&] {
      thread = static_cast<pid_t>(::syscall(SYS_gettid));
      return std::make_unique<ChildProcess>(std::vector<std::string>{"/bin/cat"});
    });
    pid_t child = 0;
    while (child == 0 && started.wait_for(milliseconds(0)) != std::future_status::ready)
      if (thread != 0) child = child_of(thread);
    if (child > 0) ::kill(child, SIGSTOP);
    const bool goes_on = started.wait_for(milliseconds(20000)) == std::future_status::ready;
    stopped_early = std::chrono::steady_clock::now() - begun >= milliseconds(1000);
    if (child > 0) ::kill(child, SIGCONT);
    REQUIRE(goes_on);
    const auto line_comes = [](std::string_view line, bool) { return line == "a line"; };
    CHECK(started.get()->exchange("a line\n", milliseconds(20000), line_comes) ==
          ChildProcess::Outcome::done);
  }
  CHECK(stopped_early);
}

TEST_CASE("ChildProcess reports why a program cannot start") {
  CHECK_THROWS_WITH(ChildProcess({"./no-such-program"}),
                    "cannot start './no-such-program': No such file or directory");
  CHECK_THROWS_WITH(ChildProcess({"/dev/null"}), "cannot start '/dev/null': Permission denied");
  CHECK_THROWS_WITH(ChildProcess({"no-such-program"}),
                    "cannot start 'no-such-program': no such program on PATH");
  CHECK_THROWS_AS(ChildProcess({""}), CannotStart);
}

}  // namespace
}  // namespace engram::bridge
