// SPDX-License-Identifier: MIT
// Errors and warnings about lines of a file.
#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "experiments/runs/terminal.hpp"

namespace engram::experiments {

/// Prints errors and warnings about a file as file:line:column: error: ... At most 100 errors are printed, and the
/// first three of similar warnings.
class Diagnostics {
 public:
  Diagnostics(std::string file, std::ostream& out) : file_(std::move(file)), out_(out) {}

  void error(std::size_t line, std::size_t column, const std::string& message);
  /// `alike`: a key that similar warnings share
  void warning(std::size_t line, std::size_t column, const std::string& message, const std::string& alike);
  void warning(std::size_t line, std::size_t column, const std::string& message) {
    warning(line, column, message, message);
  }
  /// Prints the number of suppressed messages.  Returns  input_errors if there were errors
  ExitCode finish() const;

 private:
  static constexpr std::size_t most_errors = 100, most_alike = 3;

  void tell(std::size_t line, std::size_t column, std::string_view kind, const std::string& message) const;

  std::string file_;
  std::ostream& out_;
  std::size_t errors_ = 0;
  std::map<std::string, std::size_t> warnings_;
};

}  // namespace engram::experiments
