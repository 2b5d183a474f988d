// SPDX-License-Identifier: MIT
// The commands `engram help` and `engram methods`: describe commands, and retrieval methods with their options.
#include <cctype>
#include <iostream>
#include <variant>

#include "bridge/operations/operations_help.hpp"
#include "core/methods/method.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/spec/python_file.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

struct HelpArguments {
  const CLI::App* program = nullptr;
  std::vector<std::string> words;  // path of a command; empty: the program
};

// Prints the help of a command. The name of an operation of the protocol may follow `serve`.
ExitCode print_help(const HelpArguments& arguments) {
  const CLI::App& program = *arguments.program;
  const std::vector<std::string>& words = arguments.words;
  const CLI::App* command = &program;
  std::string before;
  for (const std::string& word : words) {
    std::vector<std::string> known;
    const CLI::App* found = nullptr;
    for (const CLI::App* each : command->get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(each->get_name());
      if (each->get_name() == word) found = each;
    }
    if (found == nullptr && command->get_name() == "serve") {
      const std::string help = bridge::operation_help(word);
      if (help.empty()) throw InputError(unknown_name(word, bridge::operation_names()));
      if (&word != &words.back())
        throw InputError("expected one operation after 'serve', found '" + words.back() + "' as well");
      std::cout << help;
      return done;
    }
    if (found == nullptr)
      throw InputError(known.empty() ? "'" + command->get_name() +
                                           "' is a command without subcommands, found '" + word + "'"
                                     : unknown_name(word, known));
    before += (before.empty() ? "" : " ") + command->get_name();
    command = found;
  }
  // CLI11 would print the help of the running command `help` here, instead of the help of the program.
  if (words.empty())
    std::cout << program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal);
  else
    std::cout << command->help(before);
  return done;
}

// Returns the family and traits of a method in one line, such as "hebbian walk; scores what the cue reaches; costs what
// it reaches".
std::string traits_of(const core::Method& method) {
  std::string text = method.family + "; scores ";
  if (method.support == core::Support::dense) text += "everything";
  if (method.support == core::Support::sparse) text += "what the cue reaches";
  if (method.support == core::Support::by_map) text += "everything with softmax, less with the other maps";
  text += method.is_local ? "; costs what it reaches" : "; reads all of the memory";
  if (method.has_energy) text += "; has an energy";
  if (method.reads_file()) text += "; may read a file";
  if (method.reads_learner()) text += "; may read what the memory has learnt";
  return text;
}

std::string default_of(const core::Option& option) {
  if (const double* number = std::get_if<double>(&option.default_value))
    return narsese::print_number(*number);
  return std::get<std::string>(option.default_value);
}

ExitCode list_methods() {
  for (const core::Method& method : core::methods()) {
    std::cout << method.name << "  (" << traits_of(method) << ")\n    " << method.summary << '\n';
    for (const core::Option& option : method.options)
      std::cout << "    " << option.name << " = " << default_of(option) << "   " << option.meaning << "; "
                << option.expected() << '\n';
  }
  return done;
}

// Returns the summary, family and traits of a method as whole sentences.
std::string paragraph_on(const core::Method& method) {
  std::string text = method.summary;
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!text.ends_with('.')) text += '.';
  text += " Family: " + method.family + ".";
  if (method.support == core::Support::dense) text += " It gives every concept and statement a score.";
  if (method.support == core::Support::sparse) text += " Only what the cue reaches gets a score.";
  if (method.support == core::Support::by_map)
    text += " With the map softmax everything gets a score, with other maps less does.";
  text += method.is_local
              ? " The cost depends on the part of the memory that it reaches, not on the size of the memory."
              : " The cost grows with the size of the memory.";
  if (method.has_energy) text += " It has an energy, which recall lists step by step.";
  if (method.reads_file()) text += " It may read a file.";
  if (method.reads_learner()) text += " It may use links that the memory has learnt by a rule (--learning).";
  if (method.name == core::default_method) text += " It is the default method.";
  return wrapped(text, 100);
}

struct MethodsArguments {
  std::vector<std::string> names;
};

ExitCode describe_methods(const MethodsArguments& arguments) {
  const std::vector<std::string>& names = arguments.names;
  if (names.empty()) return list_methods();
  add_python_method();
  for (const std::string& name : names) {
    const core::Method& method = core::method_named(name);
    std::cout << (name == names.front() ? "" : "\n") << method.name << "\n\n" << paragraph_on(method);
    if (method.options.empty()) {
      std::cout << "\nIt has no options.\n";
      continue;
    }
    std::cout << "\nOptions, with their defaults and ranges:\n";
    for (const core::Option& option : method.options)
      std::cout << "  " << option.name << " = " << default_of(option) << "   " << option.expected()
                << "\n      " << option.meaning << '\n';
    std::cout << "\nSet one with --set, such as --set " << method.options.front().name << '='
              << default_of(method.options.front()) << ".\n";
  }
  return done;
}

}  // namespace

void add_help(CLI::App& app, ExitCode& code) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  names.emplace_back("help");
  auto [command, arguments] =
      add_command(app, code, "help", "print the help of a command, as COMMAND --help does", "engram help ask",
                  print_help);
  arguments.program = &app;
  add_option(command, "command", arguments.words,
             "a command, such as ask, import table, or serve recall (an operation of the protocol)",
             TypeName{"COMMAND"}, suggested(names));
}

void add_methods(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "methods", "list the retrieval methods and their options",
                  "engram methods hopfield", describe_methods);
  std::vector<std::string> known = method_names();
  known.emplace_back("python");  // a method that only specs can use
  add_option(command, "names", arguments.names,
             "methods to describe, with defaults and ranges of their options (default: all, briefly)",
             one_of(known));
}

}  // namespace engram::experiments
