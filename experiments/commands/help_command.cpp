// SPDX-License-Identifier: MIT
// The command `engram help`: prints the help of a command.
#include <iostream>
#include <memory>

#include "bridge/operations/operations_help.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {
namespace {

// Prints the help of a command. `words` is the path of the command; empty means the program. The name of an operation
// may follow the command `serve`.
ExitCode print_help(const CLI::App& program, const std::vector<std::string>& words) {
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
      throw InputError(known.empty()
                           ? "'" + command->get_name() + "' has no commands of its own, found '" + word + "'"
                           : unknown_name(word, known));
    before += (before.empty() ? "" : " ") + command->get_name();
    command = found;
  }
  // CLI11 would print the help of the running command `help` here, not that of the program.
  if (words.empty())
    std::cout << program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal);
  else
    std::cout << command->help(before);
  return done;
}

}  // namespace

void add_help(CLI::App& app, ExitCode& code) {
  CLI::App* sub =
      add_command(app, "help", "print the help of a command, as COMMAND --help does", "engram help ask");
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  const auto words = std::make_shared<std::vector<std::string>>();
  add_option(sub, "command", *words,
             "a command, such as ask, import table, or serve recall (an operation of the protocol)")
      ->type_name("COMMAND")
      ->check(suggested(names));
  sub->callback([&app, &code, words] { code = print_help(app, *words); });
}

}  // namespace engram::experiments
