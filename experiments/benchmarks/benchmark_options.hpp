// SPDX-License-Identifier: MIT
// The command line of a benchmark.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace engram::benchmarks {

/// An option within bounds, of which help tells the default.
template <class Value, class Number>
void add_option(CLI::App& app, const char* name, Value& value, const char* what, Number least, Number most) {
  app.add_option(name, value, what)->check(CLI::Range(least, most))->capture_default_str();
}

/// For an option that names one of what there is: a check, and what it says of another name.
template <class IsKnown>
auto known(const char* kind, IsKnown is_known) {
  return [=](const std::string& name) {
    return is_known(name) ? std::string() : "there is no " + std::string(kind) + " " + name;
  };
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
