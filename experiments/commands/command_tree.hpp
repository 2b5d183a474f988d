// SPDX-License-Identifier: MIT
// The command line as data, for shell completion.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace engram::experiments {

/// The possible values of an option or argument, as far as completion can know them.
struct ValueChoices {
  std::vector<std::string> names;  // only of characters that no shell interprets
  bool files = false;
  bool folders = false;
  bool programs = false;  // a program with its own arguments, after --
};

struct CommandOption {
  std::vector<std::string> names;  // "--help", "-h"
  bool has_value = false;
  bool repeats = false;
  ValueChoices choices;
  std::string meaning;
};

/// A positional argument.
struct CommandArgument {
  std::string name;
  bool repeats = false;
  ValueChoices choices;
};

struct Command {
  std::string path;     // "engram import rdf"
  std::string meaning;  // one line of help
  std::vector<CommandOption> options;
  std::vector<CommandArgument> arguments;
};

/// Lists `app` and all its subcommands, each parent before its children. Hidden ones are left out.
std::vector<Command> command_tree(CLI::App& app);

/// The last word of a command path: "rdf" for "engram import rdf".
std::string last_word(const std::string& path);

/// The direct subcommands of `command` in `all`.
std::vector<Command> subcommands(const Command& command, const std::vector<Command>& all);

}  // namespace engram::experiments
