// SPDX-License-Identifier: MIT
// The program's commands. Each function adds a command with its options and defaults to the command line. Data goes to
// stdout, messages to stderr.
#pragma once

#include "experiments/runs/terminal.hpp"

namespace CLI {
class App;
}

namespace engram::experiments {

/// All functions store the exit code of their command in `code` when it runs.
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
