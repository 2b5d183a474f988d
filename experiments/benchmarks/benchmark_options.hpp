// SPDX-License-Identifier: MIT
// Command-line options of benchmarks.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace engram::benchmarks {

/// Adds an option with bounds. The help text contains its default.
template <class Value, class Number>
void add_option(CLI::App& app, const char* name, Value& value, const char* what, Number least, Number most) {
  app.add_option(name, value, what)->check(CLI::Range(least, most))->capture_default_str();
}

/// Validator for names of a kind, such as methods. It rejects unknown names with a message.
template <class IsKnown>
auto known(const char* kind, IsKnown is_known) {
  return [=](const std::string& name) {
    return is_known(name) ? std::string() : "unknown " + std::string(kind) + " " + name;
  };
}

/// Parses the command line. Returns an exit code if the program should end: 0 after printing help, 2 for wrong usage.
inline std::optional<int> exit_code(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return {};
}

}  // namespace engram::benchmarks
