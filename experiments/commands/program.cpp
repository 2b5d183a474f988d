// SPDX-License-Identifier: MIT
#include "experiments/commands/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <system_error>
#include <vector>

#include "core/methods/method.hpp"
#include "core/numbers/work_budget.hpp"
#include "experiments/commands/attach_options.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/standard_streams.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/run.hpp"

namespace engram::experiments {
namespace {

TrialCrew* crew_of_program = nullptr;

// Parses and runs a command, prints errors, and returns the exit code.
int run_command_line(int argc, char** argv) {
  CLI::App app("Attention and associative memory for Non-Axiomatic Reasoning Systems.", "engram");
  app.set_version_flag("-v,--version", version_line());
  app.failure_message([](const CLI::App* program, const CLI::Error& error) {
    std::string help = "engram";
    for (const CLI::App* command = program; !command->get_subcommands().empty();) {
      command = command->get_subcommands().front();
      help += " " + command->get_name();
    }
    return "engram: error: " + legible(error.what()) + "\nengram: `" + help +
           " --help` describes the options\n";
  });
  app.require_subcommand(1);
  app.footer(
      "`engram help COMMAND` describes a command.\n\n"
      "Exit codes:\n"
      "  0                           done\n"
      "  1                           errors in the input, each reported; the rest was processed\n"
      "  2                           wrong usage or spec\n"
      "  3                           an external failure, such as a full disk\n"
      "  130                         interrupted; a run or a training can be resumed\n\n"
      "Example:\n  engram run family.nal");
  ExitCode code = done;
  for (const auto add : all_commands) add(app, code);
  label_help(app);

  std::vector<std::string> commands;
  for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(known->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    std::cerr << "engram: error: " << legible(unknown_name(argv[1], commands)) << '\n';
    return wrong_usage;
  }
  try {
    const std::vector<const char*> words = words_for_parser(argc, argv);
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_usage;
  } catch (const SpecError& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return wrong_usage;
  } catch (const InputError& error) {
    std::cerr << "engram: error: " << legible(error.what()) << '\n';
    return wrong_usage;
  } catch (const core::OptionError& error) {  // such as a method that lacks learnt links
    std::cerr << "engram: error: " << (error.option == "method" ? "--method: " : "--set: ")
              << legible(error.what()) << '\n';
    return wrong_usage;
  } catch (const Interrupted& error) {
    std::cerr << "engram: " << error.what() << '\n';
    return interrupted;
  } catch (const core::WorkStopped& why) {
    const bool asked = why.reason == core::WorkStopped::Reason::cancelled;
    std::cerr << (asked ? "engram: " : "engram: error: ") << why.what() << '\n';
    return asked ? interrupted : outside_failure;
  } catch (const std::exception& error) {
    std::cerr << "engram: error: " << legible(error.what()) << '\n';
    return outside_failure;
  }
  return code;
}

}  // namespace

TrialCrew* program_crew() { return crew_of_program; }

int run_program(int argc, char** argv, TrialCrew* crew) {
  crew_of_program = crew;
  // By default, writing to a closed pipe or to a file of maximal size would kill the process by a signal. Ignored,
  // these signals become write errors.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  // If a standard descriptor is closed, the next opened file would get its number, and output could overwrite that
  // file. Therefore open /dev/null in its place.
  for (int number = 0; number <= STDERR_FILENO; ++number)
    if (fcntl(number, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  const StandardError errors;
  StandardOutput output;
  const int code = run_command_line(argc, argv);
  try {
    output.finish();
  } catch (const std::system_error& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return outside_failure;
  }
  return code;
}

}  // namespace engram::experiments
