// SPDX-License-Identifier: MIT
// The command line of a benchmark.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

namespace engram::benchmarks {

/// An option within bounds, of which help tells the default.
template <class Value, class Number>
void add_option(CLI::App& app, const char* name, Value& value, const char* what, Number least, Number most) {
  app.add_option(name, value, what)->check(CLI::Range(least, most))->capture_default_str();
}

/// Reads the command line; the exit code where there is nothing more to do: 0 after help, 2 for wrong usage.
inline std::optional<int> exit_code(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return {};
}

}  // namespace engram::benchmarks
