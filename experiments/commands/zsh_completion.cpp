// SPDX-License-Identifier: MIT
#include <algorithm>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/completion_scripts.hpp"

namespace engram::experiments {
namespace {

// Escapes the characters that end a description in _arguments and _describe.
std::string zsh_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text)
    escaped += (std::string("[]:\\").find(c) == std::string::npos ? "" : "\\") + std::string(1, c);
  return escaped;
}

// Returns the zsh function of a command: "engram import rdf" -> "_engram_import_rdf".
std::string zsh_function(const Command& command) {
  std::string name = '_' + command.path;
  std::ranges::replace(name, ' ', '_');
  return name;
}

// Returns an action of _arguments. If an action begins with a blank, zsh passes it only its own arguments.
std::string zsh_action(const ValueChoices& choices) {
  if (choices.programs) return "_normal";
  if (!choices.names.empty() && choices.files) return " _engram_names_or_files " + joined(choices.names);
  if (!choices.names.empty()) return '(' + joined(choices.names) + ')';
  if (choices.files) return "_files";
  return choices.folders ? "_path_files -/" : " ";
}

// Returns a line of _arguments for each name of an option. The names exclude each other unless the option repeats.
std::string zsh_option(const CommandOption& option) {
  std::string text;
  for (const std::string& name : option.names) {
    std::string spec = option.repeats ? "*" : '(' + joined(option.names) + ')';
    spec += name + (!option.has_value ? "" : name.starts_with("--") ? "=" : "+");
    spec += '[' + zsh_escaped(option.meaning) + ']';
    if (option.has_value) spec += ":value:" + zsh_action(option.choices);
    text += "    " + shell_word(spec) + " \\\n";
  }
  return text;
}

std::string zsh_argument(const CommandArgument& argument) {
  // The rest of the line belongs to a program and is completed as if it were the whole line.
  const std::string beginning = argument.choices.programs ? "*:::" : argument.repeats ? "*:" : ":";
  return "    " + shell_word(beginning + argument.name + ':' + zsh_action(argument.choices)) + " \\\n";
}

// Returns the code for a command with subcommands: completes the first word as a subcommand, and the rest by the
// function of that subcommand.
std::string zsh_dispatch(const std::vector<Command>& subs) {
  std::string text = R"(    ': :->command' '*:: :->rest' && result=0
  case $state in
    command)
      local -a commands=(
)";
  for (const Command& sub : subs)
    text += "        " + shell_word(last_word(sub.path) + ':' + zsh_escaped(sub.meaning)) + '\n';
  text += R"(      )
      _describe command commands && result=0 ;;
    rest)
      case $line[1] in
)";
  for (const Command& sub : subs)
    text += "        " + last_word(sub.path) + ") " + zsh_function(sub) + " && result=0 ;;\n";
  return text + "      esac ;;\n  esac\n";
}

}  // namespace

std::string zsh_completion(const std::vector<Command>& commands) {
  std::string text = R"zsh(#compdef engram
# Made by `engram completion zsh` from the program's own options.

_engram_names_or_files() {
  _alternative "names:name:($*)" 'files:file:_files'
}
)zsh";
  for (const Command& command : commands) {
    const std::vector<Command> subs = subcommands(command, commands);
    text += '\n' + zsh_function(command) +
            "() {\n  local curcontext=$curcontext state state_descr line result=1\n  typeset -A opt_args\n";
    text += subs.empty() ? "  _arguments -C -S \\\n" : "  _arguments -C \\\n";  // -S: no options after --
    for (const CommandOption& option : command.options) text += zsh_option(option);
    for (const CommandArgument& argument : command.arguments) text += zsh_argument(argument);
    text += subs.empty() ? "    && result=0\n" : zsh_dispatch(subs);
    text += "  return result\n}\n";
  }
  return text + R"(
# Autoloaded, this file is the function's body; sourced, it says whose completion it is.
if [[ $funcstack[1] == _engram ]]; then
  _engram "$@"
else
  compdef _engram engram
fi
)";
}

}  // namespace engram::experiments
