// SPDX-License-Identifier: MIT
#include "experiments/commands/completion_scripts.hpp"

namespace engram::experiments {
namespace {

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

// Returns the options of fish's `complete` that suggest these choices.
std::string fish_choices(const ValueChoices& choices) {
  std::string text = choices.files ? " -F" : "";
  if (!choices.names.empty()) text += " -a " + fish_quoted(joined(choices.names));
  if (choices.folders) text += " -a '(__fish_complete_directories (commandline -ct))'";
  return text;
}

std::string fish_option(const std::string& beginning, const CommandOption& option) {
  std::string text = beginning;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.has_value) text += (option.choices.files ? " -r" : " -x") + fish_choices(option.choices);
  return text + " -d " + fish_quoted(option.meaning) + '\n';
}

}  // namespace

std::string fish_completion(const std::vector<Command>& commands) {
  std::string paths;
  for (const Command& command : commands) paths += " '" + command.path + "'";
  std::string text =
      R"(# Made by `engram completion fish` from the program's own options.

function __engram_command -d 'The command that is being typed, such as: engram import rdf'
    set -l command engram
    for word in (commandline -opc)[2..-1]
        if contains -- "$command $word")" +
      paths + R"(
            set command "$command $word"
        end
    end
    echo $command
end

function __engram_is -a command -d 'Whether this command is being typed, and no -- yet'
    test (__engram_command) = $command; and not contains -- -- (commandline -opc)
end

function __engram_runs_program -a command -d 'Whether a program and its arguments are being typed, after --'
    test (__engram_command) = $command; and contains -- -- (commandline -opc)
end

complete -c engram -f
)";
  for (const Command& command : commands) {
    const std::string beginning = "complete -c engram -n \"__engram_is '" + command.path + "'\"";
    for (const Command& sub : subcommands(command, commands))
      text += beginning + " -a " + last_word(sub.path) + " -d " + fish_quoted(sub.meaning) + '\n';
    for (const CommandOption& option : command.options) text += fish_option(beginning, option);
    for (const CommandArgument& argument : command.arguments) {
      if (const std::string choices = fish_choices(argument.choices); !choices.empty())
        text += beginning + choices + '\n';
      if (argument.choices.programs)
        text += "complete -c engram -n \"__engram_runs_program '" + command.path +
                "'\" -F -a '(__fish_complete_command)'\n";
    }
  }
  return text;
}

}  // namespace engram::experiments
