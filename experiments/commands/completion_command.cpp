// SPDX-License-Identifier: MIT
// The command `engram completion`: prints a completion script for a shell, generated from the options.
#include <iostream>
#include <memory>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/completion_scripts.hpp"

namespace engram::experiments {

void add_completion(CLI::App& app, ExitCode& code) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* sub = add_command(app, "completion", "print a script with which a shell completes this program",
                              "source <(engram completion bash)");
  add_option(sub, "shell", *shell, "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
  sub->callback([&app, &code, shell] {
    const std::vector<Command> commands = command_tree(app);
    std::cout << (*shell == "bash"  ? bash_completion(commands)
                  : *shell == "zsh" ? zsh_completion(commands)
                                    : fish_completion(commands));
    code = done;
  });
}

}  // namespace engram::experiments
