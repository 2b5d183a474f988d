// SPDX-License-Identifier: MIT
// The program `engram` with an additional method, which all its commands accept.
#include <exception>
#include <iostream>

#include "core/methods/method.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/program.hpp"

namespace engram::core {
Method rare_overlap_method();
}

int main(int argc, char** argv) {
  using namespace engram;
  core::add_method(core::rare_overlap_method());
  CLI::App app("Engram with the method rare_overlap.", "rare_overlap");
  app.require_subcommand(1);
  experiments::ExitCode code = experiments::done;
  for (const auto add : experiments::all_commands) add(app, code);
  try {
    CLI11_PARSE(app, argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "rare_overlap: error: " << error.what() << '\n';
    return experiments::wrong_usage;
  }
  return code;
}
