// SPDX-License-Identifier: MIT
#include "experiments/formats/outside_program.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/search_path.hpp>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/numbers/work_budget.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

constexpr std::uint32_t refused(int error) {
  return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
}

// Builder for a BPF filter (a program that decides on system calls). A jump gives the number of following steps to
// skip. Arguments of system calls have 64 bits, with the lower half first on the supported processors.
struct Filter {
  std::vector<sock_filter> steps;

  void load(std::size_t offset) {
    steps.push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)});
  }
  void unless_equal(std::uint32_t value, std::uint8_t skipped) {
    steps.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, skipped, value});
  }
  void unless_set(std::uint32_t bits, std::uint8_t skipped) {
    steps.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, skipped, bits});
  }
  void answer(std::uint32_t what) { steps.push_back({BPF_RET | BPF_K, 0, 0, what}); }
  void refuse(long call, int error) {
    unless_equal(static_cast<std::uint32_t>(call), 1);
    answer(refused(error));
  }
};

constexpr std::size_t first_argument = offsetof(seccomp_data, args);

// Seccomp filter that forbids new processes, and every execve except that of `program`. It compares the address of the
// path, because a filter cannot read memory. Empty on processors whose system call table is unknown.
std::vector<sock_filter> no_other_process(const char* program) {
  if (architecture == 0) return {};
  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.steps.push_back({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, architecture});
  filter.answer(SECCOMP_RET_KILL_PROCESS);
  filter.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  constexpr std::uint32_t x32 = 0x40000000;  // alternative numbers of the same system calls
  filter.unless_set(x32, 1);
  filter.answer(refused(ENOSYS));
  filter.refuse(SYS_fork, EPERM);
  filter.refuse(SYS_vfork, EPERM);
#endif
#ifdef SYS_clone3
  // A filter cannot read the flags of clone3, because they are in memory. Libraries fall back to clone.
  filter.refuse(SYS_clone3, ENOSYS);
#endif
  filter.refuse(SYS_execveat, EPERM);
  filter.unless_equal(SYS_clone, 4);
  filter.load(first_argument);
  filter.unless_set(CLONE_THREAD, 1);
  filter.answer(SECCOMP_RET_ALLOW);
  filter.answer(refused(EPERM));
  // Allow execve only for the address of our string. After execve, the new program has another address space.
  const auto address = reinterpret_cast<std::uintptr_t>(program);
  filter.unless_equal(SYS_execve, 6);
  filter.load(first_argument);
  filter.unless_equal(static_cast<std::uint32_t>(address), 3);
  filter.load(first_argument + sizeof(std::uint32_t));
  filter.unless_equal(static_cast<std::uint32_t>(std::uint64_t{address} >> 32), 1);
  filter.answer(SECCOMP_RET_ALLOW);
  filter.answer(refused(EPERM));
  filter.answer(SECCOMP_RET_ALLOW);
  return std::move(filter.steps);
}

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

// Enters the sandbox: sets the limits, disables core files, closes all files but the first three, and installs the
// filter. Without seccomp, RLIMIT_NPROC prevents processes, unless the user is root. Runs in the child, where memory
// must not be allocated.
void confine(const ProgramLimits& limits, const std::vector<sock_filter>& filter) {
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.time.count() / 1000 + 1));
  limit(RLIMIT_AS, limits.memory);
  limit(RLIMIT_FSIZE, limits.file_size);
  limit(RLIMIT_CORE, 0);
#ifdef SYS_close_range
  syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
#endif
  limit(RLIMIT_NOFILE, limits.open_files);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const sock_fprog program{static_cast<unsigned short>(filter.size()),
                           const_cast<sock_filter*>(filter.data())};
  if (filter.empty() || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) limit(RLIMIT_NPROC, 0);
}

// Environment variables of the program. HOME is missing, so the program does not read scripts, fonts or libraries of
// the user.
constexpr const char* environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", nullptr};

// RAII: a child process that runs a program in the sandbox. The destructor kills its process group.
class Child {
 public:
  // The first of `arguments` is the path of the program; the last is null.
  Child(char* const* arguments, const char* folder, const ProgramLimits& limits) {
    const std::vector<sock_filter> filter = no_other_process(arguments[0]);
    id_ = fork();
    if (id_ < 0) throw std::system_error(errno, std::generic_category(), arguments[0]);
    if (id_ == 0) become(arguments, folder, limits, filter);
    setpgid(id_, id_);  // the child does the same, but may not have run yet
  }
  ~Child() {
    if (ended_) return;
    kill(-id_, SIGKILL);
    while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits for the end of the program by polling, often enough not to delay pictures noticeably. Returns false after
  // `time`.
  bool ends_within(std::chrono::milliseconds time) {
    constexpr std::chrono::milliseconds between{2};
    const auto last = std::chrono::steady_clock::now() + time;
    while ((ended_ = waitpid(id_, &status_, WNOHANG) != 0) == false) {
      core::check_cancelled();
      if (std::chrono::steady_clock::now() > last) return false;
      std::this_thread::sleep_for(between);
    }
    return true;
  }
  int status() const { return status_; }

 private:
  // Starts the program. Runs between fork and exec, so it only uses async-signal-safe functions.
  [[noreturn]] static void become(char* const* arguments, const char* folder, const ProgramLimits& limits,
                                  const std::vector<sock_filter>& filter) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);  // our process ignores this signal, and children inherit that
    signal(SIGXFSZ, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = open("/dev/null", O_RDWR);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      if (dup2(nothing, file) < 0) _exit(127);
    if (chdir(folder) != 0) _exit(127);
    confine(limits, filter);
    execve(arguments[0], arguments, const_cast<char* const*>(environment));
    _exit(127);
  }

  pid_t id_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

std::string in_seconds(std::chrono::milliseconds time) {
  std::ostringstream text;
  text << static_cast<double>(time.count()) / 1000 << " s";
  return text.str();
}

std::optional<std::string> failure(const std::string& name, int status, const ProgramLimits& limits) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status)) return name + " failed with exit code " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGXCPU) return name + " took more than " + in_seconds(limits.time);
  if (WTERMSIG(status) == SIGXFSZ)
    return name + " wrote a file of more than " + std::to_string(limits.file_size) + " bytes";
  return name + " was ended by signal " + std::to_string(WTERMSIG(status));
}

// Runs a program that draws NAME.svg and NAME.pdf. Removes these files before the run and after a failure. Removes the
// creation date from the PDF.
std::optional<std::string> draw(const std::string& program, const std::vector<std::string>& arguments,
                                const fs::path& folder, const std::string& name) {
  const auto clear = [&] {
    for (const char* extension : {".svg", ".pdf"}) fs::remove_all(folder / (name + extension));
  };
  clear();
  std::optional<std::string> why;
  try {
    why = run_program(program, arguments, folder);
  } catch (...) {
    clear();
    throw;
  }
  if (why) clear();
  drop_pdf_date(folder / (name + ".pdf"));
  return why;
}

}  // namespace

std::optional<std::string> run_program(const std::string& name, const std::vector<std::string>& arguments,
                                       const fs::path& folder, const ProgramLimits& limits) {
  const std::string program = boost::process::search_path(name).string();
  if (program.empty()) return {};
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  Child child(words.data(), folder.c_str(), limits);
  if (!child.ends_within(limits.time)) return name + " took more than " + in_seconds(limits.time);
  return failure(name, child.status(), limits);
}

void drop_pdf_date(const fs::path& pdf) {
  if (!fs::exists(pdf)) return;
  std::fstream file(pdf, std::ios::binary | std::ios::in | std::ios::out);
  std::ostringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  constexpr std::string_view key = "/CreationDate (D:", beginning = "19700101000000";
  const auto at = text.find(key);
  // Overwrite in place with the same length, because a PDF contains byte offsets.
  const auto end = text.find(')', at == std::string::npos ? 0 : at);
  if (at != std::string::npos && end != std::string::npos && end >= at + key.size() + beginning.size()) {
    file.clear();
    file.seekp(static_cast<std::streamoff>(at + key.size()));
    file << beginning;
  }
  file.close();
  if (!file) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), pdf.string());
}

bool has_gnuplot() { return !boost::process::search_path("gnuplot").empty(); }

std::optional<std::string> run_gnuplot(const fs::path& folder, const std::string& name) {
  return draw("gnuplot", {"--default-settings", name + ".gp"}, folder, name);
}

std::optional<std::string> run_graphviz(const fs::path& folder, const std::string& name) {
  // Draws only SVG. A PDF has coordinates with six decimals, whose rounding errors can differ between two runs.
  return draw("dot", {"-Tsvg", "-o", name + ".svg", name + ".dot"}, folder, name);
}

}  // namespace engram::experiments
