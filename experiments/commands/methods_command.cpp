// SPDX-License-Identifier: MIT
// The command `engram methods`: lists retrieval methods and describes their options.
#include <cctype>
#include <iostream>
#include <memory>
#include <variant>

#include "core/methods/method.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/spec/python_method.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

// Returns the family and traits of a method in one line, such as "hebbian walk; scores what the cue reaches; reads all
// of the memory; may read what the memory has learnt".
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
  text += method.is_local ? " Its cost grows with what it reaches, not with the memory."
                          : " Its cost grows with the memory.";
  if (method.has_energy) text += " It has an energy, which recall lists step by step.";
  if (method.reads_file()) text += " It may read a file.";
  if (method.reads_learner()) text += " It may use links that the memory has learnt by a rule (--learning).";
  if (method.name == core::default_method) text += " It is the default method.";
  return wrapped(text, 100);
}

ExitCode describe_methods(const std::vector<std::string>& names) {
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

void add_methods(CLI::App& app, ExitCode& code) {
  CLI::App* sub =
      add_command(app, "methods", "list the retrieval methods and their options", "engram methods hopfield");
  const auto names = std::make_shared<std::vector<std::string>>();
  std::vector<std::string> known = method_names();
  known.emplace_back("python");  // a method that only specs can use
  add_option(sub, "names", *names,
             "methods to describe, with defaults and ranges of their options (default: all, briefly)")
      ->check(one_of(known));
  sub->callback([&code, names] {
    if (!names->empty()) add_python_method();
    code = names->empty() ? list_methods() : describe_methods(*names);
  });
}

}  // namespace engram::experiments
