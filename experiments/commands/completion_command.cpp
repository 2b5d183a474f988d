// SPDX-License-Identifier: MIT
// The command `engram completion`: prints a completion script for bash, zsh or fish, generated from the declared
// options. The scripts contain suggested names without quotes, because choices_of() keeps only names that no shell
// interprets. The scripts quote the help texts.
#include <algorithm>
#include <iostream>
#include <sstream>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/program.hpp"

namespace engram::experiments {
namespace {

// The possible values of an option or argument, as far as completion can know them.
struct ValueChoices {
  std::vector<std::string> names;  // without characters that a shell interprets
  bool files = false;
  bool folders = false;
  bool programs = false;  // a program with its own arguments, after --
};

// An option with its names ("--help", "-h") and the first clause of its help.
struct CommandOption {
  std::vector<std::string> names;
  bool has_value = false;
  bool repeats = false;
  ValueChoices choices;
  std::string meaning;
};

// A positional argument: a value without the name of an option.
struct CommandArgument {
  std::string name;
  bool repeats = false;
  ValueChoices choices;
};

// A command with its path, such as "engram import rdf", and the first clause of its help.
struct Command {
  std::string path;
  std::string meaning;
  std::vector<CommandOption> options;
  std::vector<CommandArgument> arguments;
};

// Returns the first clause of a help text, for lists.
std::string first_clause(const std::string& help) {
  constexpr std::size_t most = 80;  // characters, so that a name and the clause fit into one line
  std::string text = help.substr(0, std::min({help.find('\n'), help.find("; "), help.find(" (")}));
  if (text.size() > most) text = text.substr(0, text.rfind(' ', most)) + " ...";
  while (!text.empty() && (text.back() == ':' || text.back() == ',')) text.pop_back();
  return text;
}

// Returns the values that an option accepts, from its validators one_of() and suggested() and from its type name.
ValueChoices choices_of(CLI::Option& option) {
  ValueChoices choices;
  for (const CLI::Validator* validator : validators_of(option)) {
    std::istringstream words(validator->get_name());
    for (std::string word; words >> word;)
      if (shell_word(word) == word) choices.names.push_back(word);
  }
  const std::string type = option.get_type_name();  // has the form TYPE:VALIDATOR
  const std::string own = type.substr(0, type.find(':'));
  choices.files = own == file_type;
  choices.folders = own == folder_type;
  choices.programs = own == program_type;
  return choices;
}

CommandOption described(CLI::Option& option) {
  CommandOption described;
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  described.has_value = option.get_items_expected_max() > 0;
  described.repeats = option.get_items_expected_max() > 1;
  described.choices = choices_of(option);
  described.meaning = first_clause(option.get_description());
  return described;
}

void add_with_subcommands(CLI::App& app, const std::string& path, std::vector<Command>& all) {
  Command command{path, first_clause(app.get_description()), {}, {}};
  for (CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // the option is hidden
    if (option->nonpositional())
      command.options.push_back(described(*option));
    else
      command.arguments.push_back(
          {option->get_name(true), option->get_items_expected_max() > 1, choices_of(*option)});
  }
  all.push_back(std::move(command));
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; }))
    add_with_subcommands(*sub, path + ' ' + sub->get_name(), all);
}

// Lists `app` and all its subcommands, each parent before its children. Hidden options are omitted.
std::vector<Command> command_tree(CLI::App& app) {
  std::vector<Command> all;
  add_with_subcommands(app, app.get_name(), all);
  return all;
}

// Returns the last word of the path of a command: "rdf" for "engram import rdf".
std::string last_word(const std::string& path) { return path.substr(path.rfind(' ') + 1); }

// Returns the direct subcommands of `command` from the list `all`.
std::vector<Command> subcommands(const Command& command, const std::vector<Command>& all) {
  std::vector<Command> found;
  for (const Command& other : all)
    if (other.path == command.path + ' ' + last_word(other.path)) found.push_back(other);
  return found;
}

std::string joined(const std::vector<std::string>& words, const std::string& between = " ") {
  return CLI::detail::join(words, between);
}

// Returns the names of the options of a command, with the alternative names.
std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const CommandOption& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// Returns the last words of the paths of commands.
std::vector<std::string> last_words(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(last_word(command.path));
  return names;
}

// Beginning of the script for bash. The script does not use `compgen -W`, because this option evaluates the suggested
// words as shell code.
constexpr const char* bash_beginning = R"(# Made by `engram completion bash` from the program's own options.

# Suggests the words that begin with the typed text.
_engram_offer() {
  local word
  for word; do [[ $word == "$current"* ]] && COMPREPLY+=("$word"); done
}

# Suggests files (-f), folders (-d) or programs (-c), as compgen finds them.
_engram_find() {
  local found
  [[ $1 == -c ]] || compopt -o filenames 2>/dev/null
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$1" -- "$current")
}

# Suggests a program after --, and files as its arguments.
_engram_program() {
  if ((COMP_CWORD == end + 1)); then _engram_find -c; else _engram_find -f; fi
}

_engram() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=engram end=0 i
  COMPREPLY=()
  # Bash splits --option=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD && !end; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
      *" --") end=$i ;;
)";

// Returns the calls of shell functions that suggest these choices.
std::vector<std::string> bash_choices(const ValueChoices& choices) {
  std::vector<std::string> calls;
  if (!choices.names.empty()) calls.push_back("_engram_offer " + joined(choices.names));
  if (choices.files) calls.push_back("_engram_find -f");
  if (choices.folders) calls.push_back("_engram_find -d");
  return calls;
}

// Returns the branches of the script that suggest the value of an option. Options without known choices get none.
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

// Returns shell code that suggests the positional arguments and subcommands of a command.
std::string bash_arguments(const Command& command, const std::vector<Command>& all) {
  std::vector<std::string> calls;
  if (const auto subs = subcommands(command, all); !subs.empty())
    calls.push_back("_engram_offer " + joined(last_words(subs)));
  bool program = false;
  for (const CommandArgument& argument : command.arguments) {
    for (const std::string& call : bash_choices(argument.choices))
      // Equal calls, such as those for both arguments of `compare A B`, occur once in the script.
      if (std::ranges::find(calls, call) == calls.end()) calls.push_back(call);
    program |= argument.choices.programs;
  }
  if (calls.empty()) calls.push_back("_engram_offer " + joined(option_names(command)));
  const std::string text = joined(calls, "; ");
  return program ? "if ((end)); then _engram_program; else " + text + "; fi" : text;
}

// Returns a script for bash 4.4 or later. The package bash-completion is not needed.
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

// Escapes the characters that would end a description in zsh's functions _arguments and _describe.
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

// Returns the line of _arguments for a positional argument.
std::string zsh_argument(const CommandArgument& argument) {
  // "*:::" completes the command line of a program as if it were the whole line.
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

// Returns a script for zsh 5. Users autoload the file, or source it after compinit.
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
# If zsh autoloads this file, it is the body of the function. If a user sources it, it registers the function.
if [[ $funcstack[1] == _engram ]]; then
  _engram "$@"
else
  compdef _engram engram
fi
)";
}

// Quotes a text for fish, which needs escapes only for quotes and backslashes.
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

// Returns the line of `complete` for an option. `beginning` is the condition that selects the command.
std::string fish_option(const std::string& beginning, const CommandOption& option) {
  std::string text = beginning;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.has_value) text += (option.choices.files ? " -r" : " -x") + fish_choices(option.choices);
  return text + " -d " + fish_quoted(option.meaning) + '\n';
}

// Returns a script for fish 3.
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

struct CompletionArguments {
  CLI::App* program = nullptr;
  std::string shell;
};

ExitCode print_completion(const CompletionArguments& arguments) {
  const std::vector<Command> commands = command_tree(*arguments.program);
  std::cout << (arguments.shell == "bash"  ? bash_completion(commands)
                : arguments.shell == "zsh" ? zsh_completion(commands)
                                           : fish_completion(commands));
  return done;
}

}  // namespace

void add_completion(CLI::App& app, ExitCode& code) {
  auto [command, arguments] = add_command(app, code, "completion", "print a completion script for a shell",
                                          "source <(engram completion bash)", print_completion);
  arguments.program = &app;
  add_option(command, "shell", arguments.shell, "bash, zsh or fish", is_required,
             one_of({"bash", "zsh", "fish"}));
}

}  // namespace engram::experiments
