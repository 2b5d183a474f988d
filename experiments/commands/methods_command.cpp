// SPDX-License-Identifier: MIT
#include <iostream>
#include <variant>

#include "core/methods/methods.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/python/python_method.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

// "hebbian walk; scores what the cue reaches; reads all of the memory; may read what the memory has learnt"
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

ExitCode list_methods() {
  python::add_python_method();
  for (const core::Method& method : core::methods()) {
    std::cout << method.name << "  (" << traits_of(method) << ")\n    " << method.summary << '\n';
    for (const core::OptionFacts& option : method.options) {
      std::cout << "    " << option.name << " = ";
      std::visit(
          [](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
              std::cout << narsese::print_number(value);
            else
              std::cout << value;
          },
          option.default_value);
      std::cout << "   " << option.meaning << "; " << option.expected() << '\n';
    }
  }
  return done;
}

}  // namespace

void add_methods(CLI::App& app, ExitCode& code) {
  CLI::App* sub =
      add_command(app, "methods", "list the retrieval methods and their options", "engram methods");
  sub->callback([&code] { code = list_methods(); });
}

}  // namespace engram::experiments
