// SPDX-License-Identifier: MIT
// What may be wrong with what a run is given.
#pragma once

#include <stdexcept>
#include <string>

#include "bridge/json/json_text.hpp"
#include "experiments/formats/escapes.hpp"

namespace engram::experiments {

/// An input file that cannot be opened: missing, a directory, a device, no permission.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A spec that cannot be run, or a folder that holds no run: where (a JSON Pointer, an option, a file or a
/// folder), what must be, what was found, and the nearest valid name. What is told is legible.
struct SpecError : std::runtime_error {
  /// "WHERE must be ..." of a message that goes on like that, else "WHERE: MESSAGE".
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
