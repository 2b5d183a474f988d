// SPDX-License-Identifier: MIT
// Drawing programs. They are optional; without them, only pictures are missing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/formats/confinement.hpp"

namespace engram::experiments {

/// Whether a program is on PATH.
bool has_program(const std::string& name);

/// Runs a program in a folder, without a shell, in a sandbox (confinement.hpp). It has empty input, no output, no home,
/// and none of our environment variables. Its process group ends before this function returns or throws. Does nothing
/// if the program is not installed.
/// Returns  the reason of a failure ("gnuplot took more than 60 s"), or nothing
/// Errors   std::system_error if it cannot be started; exceptions of core::check_cancelled(), which is called while it
///          runs
std::optional<std::string> run_program(const std::string& name, const std::vector<std::string>& arguments,
                                       const std::filesystem::path& folder, const ProgramLimits& limits = {});

/// As run_program(), for a program that draws NAME.svg and NAME.pdf in the folder. Removes earlier files first, partial
/// output after a failure, and the date in the PDF.  Errors  also std::system_error
std::optional<std::string> draw(const std::string& program, const std::vector<std::string>& arguments,
                                const std::filesystem::path& folder, const std::string& name);

/// Sets the creation date of a PDF to 1970, so that equal pictures give equal files. Does nothing if the file does not
/// exist.  Errors  std::system_error
void drop_pdf_date(const std::filesystem::path& pdf);

}  // namespace engram::experiments
