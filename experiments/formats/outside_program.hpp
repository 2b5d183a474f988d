// SPDX-License-Identifier: MIT
// Programs that draw: called where they are installed, missed by nothing but pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/formats/confinement.hpp"

namespace engram::experiments {

/// Whether a program is found on PATH.
bool has_program(const std::string& name);

/// Runs a program in a folder: confined, its input empty and its output dropped, without a home and with no
/// variable of ours, in a process group of its own that is gone when this returns or throws. No shell has a
/// part in it. Does nothing where it is not installed.
/// Returns  why it failed, for people ("gnuplot took more than 60 s"), or nothing
/// Errors   std::system_error if it cannot be started; what core::check_cancelled() throws, called while it runs
std::optional<std::string> run_program(const std::string& name, const std::vector<std::string>& arguments,
                                       const std::filesystem::path& folder, const ProgramLimits& limits = {});

/// The same for one that draws NAME.svg and NAME.pdf in the folder. Those that were there are gone, and what
/// it leaves half done too; from the PDF what differs from run to run.  Errors  also std::system_error
std::optional<std::string> draw(const std::string& program, const std::vector<std::string>& arguments,
                                const std::filesystem::path& folder, const std::string& name);

/// Sets the date of making within a PDF to 1970, if it holds one: the same picture is to be the same bytes.
/// Does nothing where the file is not there.   Errors  std::system_error
void drop_pdf_date(const std::filesystem::path& pdf);

}  // namespace engram::experiments
