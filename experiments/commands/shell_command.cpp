// SPDX-License-Identifier: MIT
// The command `engram shell`: runs the interactive shell (experiments/shell).
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <functional>
#include <iostream>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/terminal.hpp"
#include "experiments/shell/line_editor.hpp"
#include "experiments/shell/shell.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

struct ShellArguments {
  std::vector<std::string> files;
  std::string method{core::default_method};
  MethodSettings settings;
  ShellOptions options;  // converse() sets the method
};

// RAII handler of Ctrl-C and SIGTERM while the shell waits for a line. No work is unfinished then, so a signal restores
// the terminal and ends the program at once.
class EndsAtOnce {
 public:
  EndsAtOnce() {
    has_terminal_ = tcgetattr(STDIN_FILENO, &terminal_) == 0;
    struct sigaction end {};
    end.sa_handler = [](int) {
      if (has_terminal_) tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_);
      [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, "\n", has_terminal_ ? 1 : 0);
      _exit(interrupted);
    };
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &end, nullptr);
    }
  }
  ~EndsAtOnce() {
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
  }
  EndsAtOnce(const EndsAtOnce&) = delete;
  EndsAtOnce& operator=(const EndsAtOnce&) = delete;

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM};
  static inline bool has_terminal_ = false;
  static inline termios terminal_{};
  struct sigaction before_[std::size(signals)]{};
};

// Reads the next line of standard input. Returns nothing at the end.
using NextLine = std::function<std::optional<std::string>()>;

void talk(Shell& shell, const NextLine& next) {
  for (bool goes_on = true; goes_on;) {
    std::cout << std::flush;
    std::optional<std::string> line;
    {
      const EndsAtOnce ends;
      line = next();
    }
    goes_on = line && shell.line(*line);
  }
}

ExitCode converse(const ShellArguments& arguments) {
  ShellOptions options = arguments.options;
  options.method = configured_method(arguments.method, arguments.settings);
  Shell shell(std::move(options), std::cout, std::cerr);
  const Interruption interruption;
  bool goes_on = true;
  for (const std::string& name : arguments.files) {
    std::ifstream file = open_stream(name);
    goes_on = goes_on && shell.read(file, name);
    require_whole(file, name);
  }
  if (!goes_on) return shell.errors() == 0 ? done : input_errors;
  if (isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) {
    std::cout << version_line() << ": *help lists the commands\n";
    LineEditor editor(
        [&](std::string_view before, std::string_view word) { return shell.completions(before, word); });
    talk(shell, [&] { return editor.line("> "); });
    return done;
  }
  std::ifstream input = open_stream("-");
  talk(shell, [&]() -> std::optional<std::string> {
    std::string text;
    const auto status = narsese::read_line(input, text, Shell::most_line_bytes + 1);
    return status == narsese::LineStatus::end ? std::nullopt : std::optional(text);
  });
  require_whole(input, "stdin");
  return shell.errors() == 0 ? done : input_errors;
}

}  // namespace

void add_shell(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "shell", "talk with the reasoner in Narsese, as with the shell of ONA",
                  "printf '<tim --> cat>.\\n<cat --> animal>.\\n<tim --> ?x>?\\n' | engram shell", converse);
  ShellOptions& options = arguments.options;
  add_remark(
      command,
      "Reads the lines that ONA's shell reads and prints lines of the same form; `*help` lists them. On a\n"
      "terminal, lines can be edited, TAB completes names and commands, and the arrow keys recall earlier\n"
      "lines.");
  add_option(command, "files", arguments.files, "files of lines to read first", is_file);
  add_method(command, arguments.method, "method that directs attention for a question", arguments.settings);
  add_option(command, "--steps", options.steps, "most steps of inference for a question",
             in_range(0, 1'000'000'000));
  add_memory_limits(command, options.limits, "the memory");
}

}  // namespace engram::experiments
