// SPDX-License-Identifier: MIT
// The command line as data: what a shell's completion needs of it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace engram::experiments {

/// What a value may be, as far as it can be known before it is typed.
struct ValueChoices {
  std::vector<std::string> names;  // of letters, digits and what no shell reads as its own
  bool files = false;
  bool folders = false;
  bool programs = false;  // with arguments of its own, after --
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
  std::string meaning;  // a line of help, as all meanings
  std::vector<CommandOption> options;
  std::vector<CommandArgument> arguments;
};

/// `app` and all its subcommands, each before its own. What help does not show is left out.
std::vector<Command> command_tree(CLI::App& app);

/// Of "engram import rdf": "rdf".
std::string last_word(const std::string& path);

/// Those of `all` that are one word longer than `command`.
std::vector<Command> subcommands(const Command& command, const std::vector<Command>& all);

}  // namespace engram::experiments
