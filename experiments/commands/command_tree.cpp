// SPDX-License-Identifier: MIT
#include "experiments/commands/command_tree.hpp"

#include <algorithm>
#include <sstream>

#include "experiments/commands/command_line.hpp"

namespace engram::experiments {
namespace {

// Returns the first clause of a help text, for lists.
std::string first_clause(const std::string& help) {
  constexpr std::size_t most = 80;  // characters; a name and this fit into one line
  std::string text = help.substr(0, std::min({help.find('\n'), help.find("; "), help.find(" (")}));
  if (text.size() > most) text = text.substr(0, text.rfind(' ', most)) + " ...";
  while (!text.empty() && (text.back() == ':' || text.back() == ',')) text.pop_back();
  return text;
}

// Returns the values that an option accepts, from its validators one_of() and suggested() and from its type name.
ValueChoices choices_of(CLI::Option& option) {
  ValueChoices choices;
  for (int i = 0;; ++i) {
    const CLI::Validator* validator = nullptr;
    try {
      validator = option.get_validator(i);
    } catch (const CLI::OptionNotFound&) {
      break;  // CLI11 reports the end of the list only by this exception
    }
    std::istringstream words(validator->get_name());
    for (std::string word; words >> word;)
      if (shell_word(word) == word) choices.names.push_back(word);
  }
  const std::string type = option.get_type_name();  // ":" and the names of validators follow
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
    if (option->get_group().empty()) continue;  // hidden
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

}  // namespace

std::vector<Command> command_tree(CLI::App& app) {
  std::vector<Command> all;
  add_with_subcommands(app, app.get_name(), all);
  return all;
}

std::string last_word(const std::string& path) { return path.substr(path.rfind(' ') + 1); }

std::vector<Command> subcommands(const Command& command, const std::vector<Command>& all) {
  std::vector<Command> found;
  for (const Command& other : all)
    if (other.path == command.path + ' ' + last_word(other.path)) found.push_back(other);
  return found;
}

}  // namespace engram::experiments
