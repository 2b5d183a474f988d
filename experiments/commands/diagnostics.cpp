// SPDX-License-Identifier: MIT
#include "experiments/commands/diagnostics.hpp"

namespace engram::experiments {

void Diagnostics::error(std::size_t line, std::size_t column, const std::string& message) {
  if (errors_++ < most_errors) tell(line, column, "error", message);
}

void Diagnostics::warning(std::size_t line, std::size_t column, const std::string& message,
                          const std::string& alike) {
  if (++warnings_[alike] <= most_alike) tell(line, column, "warning", message);
}

ExitCode Diagnostics::finish() const {
  if (errors_ > most_errors) out_ << "engram: ... and " << errors_ - most_errors << " more errors\n";
  for (const auto& [alike, count] : warnings_)
    if (count > most_alike)
      out_ << "engram: " << file_ << ": ... and " << count - most_alike << " more: " << alike << '\n';
  return errors_ == 0 ? done : input_errors;
}

void Diagnostics::tell(std::size_t line, std::size_t column, std::string_view kind,
                       const std::string& message) const {
  out_ << file_ << ':' << line << ':' << column << ": " << kind << ": " << message << '\n';
}

}  // namespace engram::experiments
