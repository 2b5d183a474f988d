// SPDX-License-Identifier: MIT
#include "experiments/formats/outside_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/search_path.hpp>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/numbers/work_budget.hpp"

namespace engram::experiments {
namespace {

// Environment of the program. Without a home, it does not read scripts, fonts or libraries of the user.
constexpr const char* environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", nullptr};

// Runs in the child between fork and exec, so it only uses async-signal-safe functions. Does not return.
[[noreturn]] void become(char* const* arguments, const char* folder, const Confinement& confinement) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);  // our process ignores it, and children inherit that
  signal(SIGXFSZ, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (dup2(nothing, file) < 0) _exit(127);
  if (chdir(folder) != 0) _exit(127);
  confinement.enter();
  execve(arguments[0], arguments, const_cast<char* const*>(environment));
  _exit(127);
}

// RAII: a child process. The destructor kills its process group.
class Child {
 public:
  Child(char* const* arguments, const char* folder, const Confinement& confinement) : id_(fork()) {
    if (id_ < 0) throw std::system_error(errno, std::generic_category(), arguments[0]);
    if (id_ == 0) become(arguments, folder, confinement);
    setpgid(id_, id_);  // also in the parent, because the child may not have run yet
  }
  ~Child() {
    if (ended_) return;
    kill(-id_, SIGKILL);
    while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits for the end, polling often enough not to delay pictures noticeably. Returns false after `time`.
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
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

std::string in_seconds(std::chrono::milliseconds time) {
  std::ostringstream text;
  text << static_cast<double>(time.count()) / 1000 << " s";
  return text.str();
}

std::optional<std::string> failure(int status, const ProgramLimits& limits) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status)) return " failed with exit code " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGXCPU) return " took more than " + in_seconds(limits.time);
  if (WTERMSIG(status) == SIGXFSZ)
    return " wrote a file of more than " + std::to_string(limits.file_size) + " bytes";
  return " was ended by signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

bool has_program(const std::string& name) { return !boost::process::search_path(name).empty(); }

std::optional<std::string> run_program(const std::string& name, const std::vector<std::string>& arguments,
                                       const std::filesystem::path& folder, const ProgramLimits& limits) {
  const std::string program = boost::process::search_path(name).string();
  if (program.empty()) return {};
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  Child child(words.data(), folder.c_str(), Confinement(program, limits));
  if (!child.ends_within(limits.time)) return name + " took more than " + in_seconds(limits.time);
  auto why = failure(child.status(), limits);
  if (why) why->insert(0, name);
  return why;
}

std::optional<std::string> draw(const std::string& program, const std::vector<std::string>& arguments,
                                const std::filesystem::path& folder, const std::string& name) {
  const auto clear = [&] {
    for (const char* extension : {".svg", ".pdf"}) std::filesystem::remove_all(folder / (name + extension));
  };
  clear();
  std::optional<std::string> why;
  try {
    why = run_program(program, arguments, folder);
  } catch (...) {
    clear();
    throw;
  }
  if (why)
    clear();
  else
    drop_pdf_date(folder / (name + ".pdf"));
  return why;
}

void drop_pdf_date(const std::filesystem::path& pdf) {
  if (!std::filesystem::exists(pdf)) return;
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

}  // namespace engram::experiments
