// SPDX-License-Identifier: MIT
// What may be wrong with what a run is given.
#pragma once

#include <stdexcept>
#include <string>

#include "experiments/formats/escapes.hpp"

namespace engram::experiments {

/// An input file that cannot be opened: missing, a directory, a device, no permission.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A spec that cannot be run, or a folder that holds no run: where (a JSON Pointer, an option, a file or a
/// folder), what was expected, and the nearest valid name. What is told is legible, whatever was found.
struct SpecError : std::runtime_error {
  SpecError(std::string where, const std::string& message)
      : std::runtime_error(legible((where.empty() ? "spec" : where) + ": " + message)),
        pointer(std::move(where)) {}
  std::string pointer;
};

}  // namespace engram::experiments
