// SPDX-License-Identifier: MIT
#include <algorithm>

#include "experiments/commands/completion_scripts.hpp"

namespace engram::experiments {
namespace {

// The script takes suggestions from its own lists and from file names. `compgen -W` would evaluate them as shell code,
// so the script does not use it.
constexpr const char* bash_beginning = R"(# Made by `engram completion bash` from the program's own options.

# Those of the words that begin as what is typed.
_engram_offer() {
  local word
  for word; do [[ $word == "$current"* ]] && COMPREPLY+=("$word"); done
}

# compgen's own matches: files (-f), folders (-d), programs (-c).
_engram_find() {
  local found
  [[ $1 == -c ]] || compopt -o filenames 2>/dev/null
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$1" -- "$current")
}

# After --: a program, then its arguments.
_engram_program() {
  if ((COMP_CWORD == end + 1)); then _engram_find -c; else _engram_find -f; fi
}

_engram() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=engram end=0 i
  COMPREPLY=()
  # --option=value is three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD && !end; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
      *" --") end=$i ;;
)";

std::vector<std::string> bash_choices(const ValueChoices& choices) {
  std::vector<std::string> calls;
  if (!choices.names.empty()) calls.push_back("_engram_offer " + joined(choices.names));
  if (choices.files) calls.push_back("_engram_find -f");
  if (choices.folders) calls.push_back("_engram_find -d");
  return calls;
}

// Branches of the script that suggest the value of an option. Options without known choices get no suggestions.
std::string bash_values(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands)
    for (const CommandOption& option : command.options) {
      if (!option.has_value) continue;
      std::vector<std::string> places;
      for (const std::string& name : option.names) places.push_back('"' + command.path + ' ' + name + '"');
      std::vector<std::string> calls = bash_choices(option.choices);
      calls.push_back("return");
      text += "    " + joined(places, " | ") + ") " + joined(calls, "; ") + " ;;\n";
    }
  return text;
}

// Script code that suggests positional arguments and subcommands.
std::string bash_arguments(const Command& command, const std::vector<Command>& all) {
  std::vector<std::string> calls;
  if (const auto subs = subcommands(command, all); !subs.empty())
    calls.push_back("_engram_offer " + joined(last_words(subs)));
  bool program = false;
  for (const CommandArgument& argument : command.arguments) {
    for (const std::string& call : bash_choices(argument.choices))
      if (std::ranges::find(calls, call) == calls.end()) calls.push_back(call);  // once for `compare A B`
    program |= argument.choices.programs;
  }
  if (calls.empty()) calls.push_back("_engram_offer " + joined(option_names(command)));
  const std::string text = joined(calls, "; ");
  return program ? "if ((end)); then _engram_program; else " + text + "; fi" : text;
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  std::string text = bash_beginning;
  std::vector<std::string> paths;
  for (const Command& command : commands)
    if (&command != &commands.front()) paths.push_back('"' + command.path + '"');
  text += "      " + joined(paths, " | ") + ") command+=\" ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n";
  text += "  ((end)) || case \"$command $before\" in\n" + bash_values(commands) + "  esac\n";
  text += "  if ((!end)) && [[ $current == -* ]]; then\n    case $command in\n";
  for (const Command& command : commands)
    text += "      \"" + command.path + "\") _engram_offer " + joined(option_names(command)) + " ;;\n";
  text += "    esac\n    return\n  fi\n  case $command in\n";
  for (const Command& command : commands)
    text += "    \"" + command.path + "\") " + bash_arguments(command, commands) + " ;;\n";
  return text + "  esac\n}\n\ncomplete -F _engram " + commands.front().path + '\n';
}

}  // namespace engram::experiments
