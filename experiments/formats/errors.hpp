// SPDX-License-Identifier: MIT
// Errors in the inputs of a run.
#pragma once

#include <stdexcept>
#include <string>

#include "bridge/json/json_text.hpp"
#include "experiments/formats/escapes.hpp"

namespace engram::experiments {

/// An input file cannot be opened: it is missing, a directory or a device, or permission is denied.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A spec is invalid, or a folder does not contain a run. The message has the location (a JSON Pointer, an option, a
/// file or a folder), the requirement, the value found, and the nearest valid name. It is legible (escapes.hpp).
struct SpecError : std::runtime_error {
  /// The message is "WHERE must be ..." if `message` begins with "must", otherwise "WHERE: MESSAGE".
  SpecError(std::string where, const std::string& message)
      : std::runtime_error(legible(where + (message.starts_with("must ") ? " " : ": ") + message)),
        pointer(std::move(where)) {}
  explicit SpecError(const bridge::JsonError& error)
      : std::runtime_error(
            legible(error.kind == bridge::JsonError::Kind::unknown
                        ? error.pointer + ": " + error.message_about("")
                        : error.message_about(error.pointer.empty() ? "the spec" : error.pointer))),
        pointer(error.pointer) {}
  std::string pointer;
};

}  // namespace engram::experiments
