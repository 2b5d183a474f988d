// SPDX-License-Identifier: MIT
// The program `engram`: its entry point and its commands.
#pragma once

#include "experiments/runs/terminal.hpp"

namespace CLI {
class App;
}

namespace engram::experiments {

class TrialCrew;

/// Parses the command line and runs one command. Flushes stdout, reports errors on stderr and returns the exit code.
/// `crew` executes the trials of runs and must outlive the program; nullptr means threads of this process.
int run_program(int argc, char** argv, TrialCrew* crew = nullptr);

/// The crew that was passed to run_program(), or null.
TrialCrew* program_crew();

// Each function below adds a command with its options to the command line. When the command runs, it stores its exit
// code in `code`. Commands print data on stdout and messages on stderr.
void add_run(CLI::App& app, ExitCode& code);
void add_experiments(CLI::App& app, ExitCode& code);
void add_parse(CLI::App& app, ExitCode& code);
void add_ask(CLI::App& app, ExitCode& code);
void add_shell(CLI::App& app, ExitCode& code);
void add_recall(CLI::App& app, ExitCode& code);
void add_graph(CLI::App& app, ExitCode& code);
void add_serve(CLI::App& app, ExitCode& code);
void add_attach(CLI::App& app, ExitCode& code);
void add_stream(CLI::App& app, ExitCode& code);
void add_replay(CLI::App& app, ExitCode& code);
void add_report(CLI::App& app, ExitCode& code);
void add_verify(CLI::App& app, ExitCode& code);
void add_compare(CLI::App& app, ExitCode& code);
void add_methods(CLI::App& app, ExitCode& code);
void add_import(CLI::App& app, ExitCode& code);
void add_generate(CLI::App& app, ExitCode& code);
void add_train(CLI::App& app, ExitCode& code);
void add_completion(CLI::App& app, ExitCode& code);
void add_help(CLI::App& app, ExitCode& code);

/// All commands, in the order of the help text.
inline constexpr void (*all_commands[])(CLI::App&, ExitCode&) = {
    add_ask,     add_shell,  add_run,      add_experiments, add_parse,      add_recall, add_graph,
    add_serve,   add_attach, add_stream,   add_replay,      add_report,     add_verify, add_compare,
    add_methods, add_import, add_generate, add_train,       add_completion, add_help};

}  // namespace engram::experiments
